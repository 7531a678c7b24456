"""The comments of a source in another language: an overlay, never a second source.

NAME.zh-CN.md beside NAME.cu has a section for each comment that stands on lines of its own: the
first with the title of the exercise as its heading, the others with "Comment 2" and so on.
book/translation.py compares them with `as_page(source)`.
"""
from __future__ import annotations

import re
import unicodedata

COLUMNS = 97  # of a line of comment, without its slashes
MARKS = re.compile(r"<!-- en:[^>]*-->\n<a id=\"[^\"]*\"></a>\n+")
COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+", re.MULTILINE)
NOT_FIRST = "\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f\uff09\u201d"  # of a line
NOT_LAST = "\uff08\u201c"


def as_page(source: str) -> str:
    """The comments of a source as a page of Markdown."""
    parts = []
    for number, comment in enumerate(COMMENT.findall(source), 1):
        lines = [line.strip()[2:].strip() for line in comment.splitlines()]
        parts += [f"# {lines.pop(0)}" if number == 1 else f"## Comment {number}\n",
                  "\n".join(lines), ""]
    return "\n".join(parts)


def applied(source: str, page: str) -> str:
    """The source with the comments of the page. ValueError where their numbers differ."""
    texts = re.split(r"^#+ ", MARKS.sub("", page), flags=re.MULTILINE)[1:]
    count = len(COMMENT.findall(source))
    if count != len(texts):
        raise ValueError(f"expected {count} sections, one for each comment, found {len(texts)}")
    left = [text if number == 0 else text.partition("\n")[2] for number, text in enumerate(texts)]

    def translated(match: re.Match[str]) -> str:
        indent = re.match(r"[ \t]*", match[0])
        begin = (indent[0] if indent else "") + "//"
        return "".join(f"{begin} {line}".rstrip() + "\n" for paragraph in
                       left.pop(0).strip("\n").split("\n") for line in wrapped(paragraph))
    return COMMENT.sub(translated, source)


def width(text: str) -> int:
    """In columns of a terminal, of which a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)


def filled(text: str, columns: int) -> str:
    """With blanks after it, up to so many columns."""
    return text + " " * (columns - width(text))


def wrapped(paragraph: str, columns: int = COLUMNS) -> list[str]:
    """The lines of a paragraph, none wider than so many columns: between two Chinese characters, or
    at a blank, and never between a sign and what it belongs to."""
    lines, filled = [""], 0
    for piece in re.findall(rf"[{NOT_LAST}]*(?:[!-~]+|[^!-~])[{NOT_FIRST}]*", paragraph):
        wide = width(piece)
        if filled + wide > columns:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            filled = 0
        lines[-1] += piece if lines[-1] or not piece.isspace() else ""
        filled += wide
    return lines
