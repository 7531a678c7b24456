"""Rules for mutants of Python code, in the form of those of host.py."""
import ast
import re

import host


def _balanced(change):
    """What the change makes, if its parentheses are closed within the line."""
    return lambda match, line: [change(match, line)] if host.balanced(match[0]) else []


def _other_answer(match, line):
    value = host.as_it_stands(match, line, 1)
    is_truth = re.search(r" (==|!=|<=?|>=?|and|or|in|is) |^not ", match[1])
    return [f"return {word}" for word in ("True", "False")] \
        if is_truth and host.balanced(value) and " if " not in match[1] else []


RULES = {
    "condition negated": [
        host.each(r"^( *(?:el)?if )(.*):$", _balanced(
            lambda match, line: f"{match[1]}not ({host.as_it_stands(match, line, 2)}):"))],
    "comparison changed": [host.each(re.escape(old), lambda match, line, new=new: [new])
                           for old, new in host.OPERATORS] + [
        host.each(r" not in ", lambda match, line: [" in "]),
        host.each(r" is None", lambda match, line: [" is not None"])],
    "&& by ||": [host.each(r" and ", lambda match, line: [" or "]),
                 host.each(r" or ", lambda match, line: [" and "])],
    "arithmetic changed": [host.each(re.escape(old), lambda match, line, new=new: [new])
                           for old, new in [(" + ", " - "), (" - ", " + "), (" * ", " + "),
                                            (" += ", " -= "), (" // ", " * ")]],
    "constant changed": [host.each(r"(?<![\w.'])\d+(?:\.\d+)?(?![\w.'])", host.other_constant)],
    "true by false": [host.each(r"\bTrue\b", lambda match, line: ["False"]),
                      host.each(r"\bFalse\b", lambda match, line: ["True"])],
    "answer fixed": [host.each(r"\breturn (.+)$", _other_answer)],
    "statement dropped": [
        host.each(r"^( +)(?!return\b|yield\b|if\b|else\b|pass\b|import\b|from\b|def\b|class\b|@)"
                  r"[\w.\[\]()\"_]+(?:\(.*\)| [-+*/|&]?= [^:]*)$",
                  _balanced(lambda match, line: f"{match[1]}pass")),
        host.each(r"^( +)(?:raise\b.*|continue|break)$",
                  _balanced(lambda match, line: f"{match[1]}pass"))],
}


def lines(text):
    """The numbers, from 0, of the lines with code: of a statement in a function, and no part of a
    docstring."""
    inside, strings = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside |= set(range(node.lineno, node.end_lineno))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings |= set(range(node.lineno - 1, node.end_lineno))
    return sorted(inside - strings)


def is_python(text):
    try:
        ast.parse(text)
        return True
    except SyntaxError:
        return False
