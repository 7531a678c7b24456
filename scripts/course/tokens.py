"""The tokens of a source file, as the compiler has them: lines that end with a backslash are joined,
and numbers, texts and comments end where C++ ends them."""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SPLICE = re.compile(r"\\[ \t\v\f\0]*\r?\n")
TOKEN = re.compile(
    r"""(?P<space>[ \t\v\f\r]+)|(?P<line>\n)|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<raw>(?:u8|u|U|L)?R")|(?P<text>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")"""
    r"""|(?P<char>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])*')|(?P<open>['"][^\n]*)"""
    r"""|(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\.?\d(?:'?\w|\.|(?<=[eEpP])[+-])*)"""
    r"""|(?P<sign><%|%>|%:|<::(?![:>])|<:|:>|\#\#|::|->|\[\[|.)""", re.S | re.A)


def tokens(text: str) -> Iterator[tuple[str, str, int, list[int]]]:
    """(kind, text, line, splices): comments and spaces too; a "line" ends a line; an "open" is a
    quotation mark that is not closed, and the rest of its line. `line` is that in which the token
    begins; `splices`: how many of its characters stand before each joint of two lines."""
    joined, joints, at, before = [], [], 0, 0
    for splice in SPLICE.finditer(text):
        joined.append(text[at:splice.start()])
        before += splice.start() - at
        joints.append(before)
        at = splice.end()
    joined.append(text[at:])
    joints.reverse()
    line = 1
    for match in TOKEN.finditer("".join(joined)):
        splices = []
        while joints and joints[-1] < match.end():
            splices.append(joints.pop() - match.start())
        kind, token = match.lastgroup or "", match[0]
        line += splices[:1] == [0]
        yield kind, token, line, splices
        line += token.count("\n") + len(splices) - (splices[:1] == [0])


def words(text: str) -> Iterator[tuple[str, int]]:
    """(word, line) of all names in the code, and of what the names of headers consist of."""
    of_line: list[str] = []
    for kind, token, line, _ in tokens(text):
        if kind == "line":
            of_line = []
        elif kind == "word":
            yield token, line
        elif kind == "text" and of_line == ["#", "include"]:
            for word in re.findall(r"\w+", token):
                yield word, line
        if kind not in ("space", "comment", "line"):
            of_line.append(token)
