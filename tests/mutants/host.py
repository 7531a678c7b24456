"""Generates mutants of host code that others rely on: the harness, the checks with their bounds,
the exercises' graders, what race mode's reports say, and the commands' Python.

A mutant replaces one line. Rules are regular expressions on a line without its comments and
strings; they know no C++, so now and then a mutant does not compile, and is not counted.
"""
import pathlib
import re

import generator

# Which files, by what they are for. A file is of the first area that has a pattern for it.
AREAS = {
    "harness": ["harness/*.?pp", "harness/*.cuh"],
    "graders": ["exercises/check.?pp", "exercises/*/check.cpp"],
    "checks": ["[a-z]*/*problem.cuh", "[a-z]*/variants.cuh", "[a-z]*/check.hpp"],
    "reports": ["cpu_device/race/report*.cpp", "cpu_device/race/words*.cpp",
                "cpu_device/race/advice*.cpp", "cpu_device/race/conditions*.cpp",
                "cpu_device/race/places*.cpp"],
    "commands": ["scripts/course/*.py"],
}

STRING = r"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'"""
COMMENT_OR_STRING = {"//": re.compile("//.*" + STRING), "#": re.compile("#.*" + STRING)}
OPERATORS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "),
             (" == ", " != "), (" != ", " == "), (" < ", " > "), (" > ", " < ")]


def masked(line, comment="//"):
    """The line with blanks for its comment and underscores for the text of its strings, so that
    what is found in it has the same place in the line."""
    return COMMENT_OR_STRING[comment].sub(
        lambda match: " " * len(match[0]) if match[0].startswith(comment)
        else match[0][0] + "_" * (len(match[0]) - 2) + match[0][-1], line).rstrip()


def each(pattern, change):
    """A rule: each match of `pattern` in the code, replaced alone by what `change` makes of it."""
    expression = re.compile(pattern)

    def rule(line, code):
        return [line[:match.start()] + to + line[match.end():]
                for match in expression.finditer(code) for to in change(match, line)]
    return rule


def as_it_stands(match, line, group):
    """The group with its strings."""
    return line[match.start(group):match.end(group)]


def balanced(text):
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def negated(match, line):
    condition = as_it_stands(match, line, 1)
    return [f"if (!({condition})) {{"] if balanced(condition) and ";" not in condition else []


def other_constant(match, line):
    text = match[0]
    if "." in text or "e" in text:
        return [f"10 * {text}"]
    return [str(int(text) + 1)] + (["0"] if int(text) > 1 else [])


def other_answer(match, line):
    value = as_it_stands(match, line, 1)
    is_truth = re.search(r" (==|!=|<=?|>=?|&&|\|\|) |^!", match[1]) and " ? " not in match[1]
    return [f"return {word};" for word in ("true", "false")] if is_truth and balanced(value) else []


def dropped(match, line):
    return [""] if balanced(match[0]) else []


def other_words(line, code):
    """Each word of each string replaced. No word of a format, and no part of a path or a name."""
    changed = []
    for string in re.finditer(r'"_*"', code):
        text = line[string.start():string.end()]
        for word in re.finditer(r"(?<![\w\\%.:/<-])(?:\\n)?([A-Za-z_]{3,})(?![\w/.:]\w)", text):
            begin = string.start() + word.start(1)
            end = string.start() + word.end(1)
            changed.append(line[:begin] + "nothing" + line[end:])
    return changed


RULES = {
    "condition negated": [each(r"\bif \((.*)\) \{$", negated)],
    "comparison changed": [each(re.escape(old), lambda match, line, new=new: [new])
                           for old, new in OPERATORS],
    "&& by ||": [each(r" && ", lambda match, line: [" || "]),
                 each(r" \|\| ", lambda match, line: [" && "])],
    "arithmetic changed": [
        each(f'(?<!"){re.escape(old)}(?!")', lambda match, line, new=new: [new])  # no string's +
        for old, new in [(" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "),
                         (" += ", " -= "), (" % ", " * ")]],
    "constant changed": [each(r"(?<![\w.'])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.'])", other_constant)],
    "true by false": [each(r"\btrue\b", lambda match, line: ["false"]),
                      each(r"\bfalse\b", lambda match, line: ["true"])],
    "answer fixed": [each(r"\breturn (.*);$", other_answer)],
    "statement dropped": [
        each(r"^ +(?!return\b|using\b|else\b|case\b|default\b|delete\b)"
             r"[\w:.>\[\]*&-]+(?:\(.*\)| [-+*/|&]?= .*|\+\+|--)?;$", dropped),
        each(r"^ +(?:throw\b.*|\+\+.*|--.*);$", dropped)],
    "early return": [
        each(r"^ *(?:static |inline )*void [\w:]+\(.*\) (?:const )?(?:override )?\{$",
             lambda match, line: [match[0] + " return;"] if line == match[0] else [])],
}
WORDS = {"word changed": [other_words]}
KINDS = [*RULES, *WORDS]


def host_lines(lines, file):
    """The numbers, from 0, of the lines with code for the host."""
    on_device = set(generator.device_lines(lines)) if file.endswith(".cuh") else set()
    return [number for number, line in enumerate(lines)
            if number not in on_device and not line.lstrip().startswith("#") and
            not re.match(r" *(static_assert|template|using|namespace)\b", line)]


def area_of(file):
    return next(area for area, patterns in AREAS.items()
                if any(pathlib.PurePath(file).match(pattern) and
                       file.count("/") == pattern.count("/") for pattern in patterns))


def generate(root):
    """All mutants, by area, file and line."""
    mutants = []
    for area, patterns in AREAS.items():
        for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
            if area_of(str(path.relative_to(root))) == area:
                mutants += of_file(root, path, {**RULES, **(WORDS if area == "reports" else {})})
    return mutants


def of_file(root, path, rules):
    """The mutants of a file."""
    import python  # which needs this module
    file = str(path.relative_to(root))
    text = path.read_text(encoding="ascii")
    lines = text.split("\n")
    numbers, comment = host_lines(lines, file), "//"
    if file.endswith(".py"):
        numbers, comment, rules = python.lines(text), "#", python.RULES
    stripped = [line.strip() for line in lines]
    mutants = []
    for number in numbers:
        made = {lines[number]}  # two rules may come to the same line
        code = masked(lines[number], comment)
        line = lines[number][:len(code)]
        for kind, some in rules.items():
            for to in (to for rule in some for to in rule(line, code)):
                if to not in made:
                    made.add(to)
                    mutants.append(generator.Mutant(
                        kind, file, number + 1, stripped[number], to.strip(),
                        stripped[:number + 1].count(stripped[number])))
    return mutants


def mutated_text(root, mutant):
    lines = (root / mutant.file).read_text(encoding="ascii").split("\n")
    assert lines[mutant.number - 1].strip() == mutant.source
    line = lines[mutant.number - 1]
    lines[mutant.number - 1] = line[:len(line) - len(line.lstrip())] + mutant.to
    return "\n".join(lines)
