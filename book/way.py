"""The learner's way through the pages, as docs/way.md has it: what the side bar, the links to the
next page and the line "where am I" are made of."""
import pathlib
import re
import typing

from failure import Failure
from page import headings, plain, table_rows

WAY = "docs/way.md"


class Step(typing.NamedTuple):
    number: str     # of the step; of a side way, the step after which it belongs
    name: str       # plain text
    page: str       # the first page that it names, from the project's root, with #place if any
    exercises: str  # "" or such as "2 to 4"
    minutes: int


def minutes_of(text: str) -> int:
    """The minutes in a text such as "50 min" or "3 h 20 min"."""
    match = re.fullmatch(r"(?:(\d+) h)? ?(?:(\d+) min)?", text)
    if not match or not (match[1] or match[2]):
        raise Failure(f"{WAY}: '{text}': expected a time such as 50 min or 1 h 20 min")
    return 60 * int(match[1] or 0) + int(match[2] or 0)


def in_hours(minutes: int) -> str:
    """130 is "2 h 10 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest or not hours))


def section(text: str, place: str) -> str:
    """What stands between the heading at #place and the next heading."""
    found = headings(text)
    for heading, after in zip(found, [*found[1:], None]):
        if heading.place == place:
            return text[heading.body:after.begin if after else len(text)]
    raise Failure(f"{WAY}: expected a heading '{place}'")


def steps(text: str, place: str) -> list[Step]:
    """The steps in the table below the heading at #place of docs/way.md."""
    heads, *rows = table_rows(section(text, place)) or [[]]
    if not {"what", "time"} <= set(heads) or not heads[0].endswith("step"):
        raise Failure(f"{WAY}: #{place}: expected a table with the columns step, what, time")
    found = []
    for row in rows:
        cells = dict(zip(heads, row))
        link = re.search(r"\]\(([^)]+)\)", cells["what"])
        if not link:
            raise Failure(f"{WAY}: step {row[0]}: expected a link to its page")
        page = str(pathlib.PurePosixPath("docs") / link[1])
        while "/../" in page:
            page = re.sub(r"[^/]+/\.\./", "", page, count=1)
        found.append(Step(row[0], plain(cells["what"]), page, cells.get("exercises", ""),
                          minutes_of(cells["time"])))
    return found
