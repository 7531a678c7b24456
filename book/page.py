"""What the book's scripts read in a page of Markdown: its headings and sections, its blocks of
code, its links. Of Markdown they know what the notes use, as GitHub shows it."""
import functools
import pathlib
import re
import sys
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from note_checks.links import slug  # noqa: E402

FENCE = r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<info>[^\n]*)\n(?P<code>.*?)^ *(?P=fence) *$"
CODE = re.compile(FENCE + r"|(?P<comment><!--.*?-->)|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)",
                  re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<before>\]\(|\b(?:href|src)=\")(?P<target>[^)\s\"]+)")


class Heading(typing.NamedTuple):
    level: int   # 1 for the page's title
    text: str    # as Markdown, without # signs
    place: str   # what stands after # in a link to it
    begin: int   # where its line begins in the page's text
    body: int    # where the line after it begins


class Block(typing.NamedTuple):
    info: str    # what stands after ```
    code: str
    begin: int


@functools.cache
def blank_code(text: str, also_inline: bool = True) -> str:
    """The text with blanks for code and comments: all other places stay where they are."""
    def blank(match: re.Match) -> str:
        if match["fence"] or match["comment"] or also_inline:
            return re.sub(r"[^\n]", " ", match[0])
        return match[0]
    return CODE.sub(blank, text)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of code."""
    return [Block(m["info"].strip(), m["code"], m.start())
            for m in CODE.finditer(text) if m["fence"]]


def headings(text: str) -> list[Heading]:
    """All headings, from the first to the last. Of two that are alike, the later one's place ends
    with -1, as on GitHub."""
    found, count = [], {}
    for match in re.finditer(r"^(#+) +(.*?) *#* *$", blank_code(text, False), re.MULTILINE):
        place = slug(match[2])
        number = count.get(place, 0)
        count[place] = number + 1
        found.append(Heading(len(match[1]), match[2], f"{place}-{number}" if number else place,
                             match.start(), min(match.end() + 1, len(text))))
    return found


def title(text: str) -> str:
    """The page's first heading, as plain text; "" where there is none."""
    found = headings(text)
    return plain(found[0].text) if found else ""


def plain(text: str) -> str:
    """Markdown of one line as plain text."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", "", text))
    return re.sub(r"[*`]", "", text).strip()


def paragraphs(text: str) -> list[str]:
    """The parts between empty lines; a fenced block is one part, and the comments that mark what
    a script has written are none."""
    kept: list[str] = []

    def keep(match: re.Match) -> str:
        if not match["fence"]:
            return "" if match["comment"] else match[0]
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"
    parts = re.split(r"\n\s*\n", CODE.sub(keep, text))
    return [re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], part).strip("\n")
            for part in parts if part.strip()]


def table_rows(text: str) -> list[list[str]]:
    """The rows of the first table of a text: the heads, then the rows below the line of dashes."""
    rows = []
    for line in text.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            break
    return rows[:1] + rows[2:]


def replace_links(text: str, new_target: typing.Callable[[str, bool, int], str]) -> str:
    """The text with new_target(target, is_html, place in the text) for each link's target, outside
    of code."""
    parts, end = [], 0
    for match in LINK.finditer(blank_code(text)):
        begin = match.start("target")
        is_html = match["before"] != "]("
        parts += [text[end:begin], new_target(match["target"], is_html, begin)]
        end = match.end()
    return "".join(parts) + text[end:]
