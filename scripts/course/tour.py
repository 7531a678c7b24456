"""scripts/race --tour: all wrong variants of the examples, a screen each.

What the programs say of a variant is English; tour.LANGUAGE.json has it by "EXAMPLE VARIANT".
"""
from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import textwrap

from course import device, messages, overlay, race, reports
from course.messages import fail, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS = 100
LINES_OF_A_HANG = 8  # of a report on threads that never end, and of one that is too large
WRONG_KINDS = ("wrong_result", "race", "unsynchronized", "deadlock", "no_access")


class Row:
    """A variant as `EXAMPLE --list` has it."""

    def __init__(self, example: str, line: str) -> None:
        self.example = example
        self.name, self.kind, _, file, rest = line.split(None, 4)
        self.file = f"{example}/{file}"
        self.idea, _, self.right = rest.partition("; right: ")

    @staticmethod
    def of(programs: str, example: str) -> list[Row]:
        said = subprocess.run([f"{programs}/{example}", "--list"], stdout=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, text=True, check=False).stdout
        return [Row(example, line) for line in said.splitlines() if len(line.split()) > 4]


@functools.cache
def ideas(language: str) -> dict[str, str]:
    """What the variants do, in a language; empty where there is no file of it."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"tour.{language}.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def idea_of(row: Row) -> str:
    return ideas(messages.language).get(f"{row.example} {row.name}", row.idea)


class NotAsAnnounced(Exception):
    """With one seed a variant has not done what its kind says."""


def tour(programs: str, seeds: int) -> int:
    rows = {example: Row.of(programs, example) for example in device.EXAMPLES}
    wrong = [row for some in rows.values() for row in some if row.kind in WRONG_KINDS]
    if not wrong:
        fail("no wrong variant")
    failed = []
    number = 0
    for number, row in enumerate(wrong, 1):
        title = f"{row.example} {row.name}"
        head = text("tour screen", number=number, all=len(wrong), title=title)
        print(f"\n{head}", flush=True)
        try:
            for line in screen(programs, row, rows[row.example], seeds):
                print_folded(line)
        except NotAsAnnounced as wrong_announced:
            print(wrong_announced)
            failed.append(title)
        if sys.stdin.isatty() and sys.stdout.isatty() and number < len(wrong):
            try:
                input(text("tour next"))
            except EOFError:
                break
    print()
    if failed:
        fail("tour failed", names=", ".join(failed))
    print(text("tour", number=number, seeds=seeds))
    return 0


def print_folded(line: str) -> None:
    if overlay.width(line) > len(line):  # Chinese, which has no blanks to split it at
        words = line.lstrip(" ")
        indent = line[:len(line) - len(words)]
        parts = [indent + part for part in overlay.wrapped(words, COLUMNS - len(indent))]
    else:
        parts = textwrap.wrap(line, COLUMNS, drop_whitespace=False) or [""]
    for part in parts:
        print(part)
    sys.stdout.flush()


def screen(programs: str, row: Row, rows: Sequence[Row], seeds: int) -> Iterator[str]:
    """The lines of one screen; at most 40."""
    yield idea_of(row)
    for number, line in marked_lines(row):
        yield f"  {row.file}:{number}  {line}"
    said, shown = as_announced(programs, row, row.kind, seeds)
    if shown:  # clear without the folder, and shorter
        ours = reports.in_output(shown.encode()).decode()
        yield from ours.replace(f"{row.example}/", "").split("\n")
    yield from outcome(row.kind, said, shown)
    yield ""
    right = next(one for one in rows if one.name == row.right)
    said, _ = as_announced(programs, right, "right", seeds)
    yield text("tour right", name=right.name, idea=idea_of(right))
    yield text("tour clean", said=said)
    yield f"  diff {row.file} {right.file}"


def marked_lines(row: Row) -> Iterator[tuple[int, str]]:
    """The lines of the variant's file that end with the comment `// race: NAME` or `// wrong:
    NAME`, without it."""
    mark = re.compile(rf"\s*// (?:race|wrong): {re.escape(row.name)}$")
    with open(f"{device.ROOT}/{row.file}", encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if mark.search(line.rstrip("\n")):
                yield number, mark.sub("", line.rstrip("\n")).strip()


def outcome(kind: str, said: str, shown: str) -> Iterator[str]:
    """What is to be said of the result of a wrong variant."""
    announced = "wrong, as announced: "
    if said.startswith(announced):
        yield text("tour wrong", said=said.removeprefix(announced))
    elif kind == "deadlock":
        yield text("tour never ends")
    elif kind == "no_access":
        yield text("tour fails")
    elif "DATA RACE" in shown and kind == "race":
        yield text("tour luck")
    else:
        yield from text("tour in step").split("\n")


def what_check_said(variant: str, printed: str) -> str:
    """The last column of the variant's row, without the remark on repeats; "" if there is none."""
    row = re.search(rf"^{re.escape(variant)} +\S+ +\S+% *([^%\n]*.*)$", printed, re.M)
    return re.sub(r"; (sum|dot) [^;]*$", "", row[1]) if row else ""


def one_report(printed: str) -> str:
    """The first report that shows a lost update, else the first; of one on threads that never end,
    only the first lines."""
    paragraphs = re.split(r"\n\n+", printed.strip("\n"))
    reports = [one for one in paragraphs
               if " in kernel " in one or re.search("^TOO LARGE ", one, re.M)]
    lost = [one for one in reports if " in kernel " in one and "is lost" in one]
    kept: list[str] = []
    most = sys.maxsize
    for line in ((lost or reports or [""])[0]).split("\n"):
        if re.match(r"variant|race mode:|[a-z_0-9]+ +[0-9.]+ +[0-9.]+%", line):
            break
        if line.startswith(("DEADLOCK ", "TOO LARGE ")):
            most = LINES_OF_A_HANG
        if len(kept) >= most:
            kept.append("  ...")
            break
        kept.append(line)
    return "\n".join(kept)


def is_as_announced(kind: str, status: int, check: str) -> bool:
    if kind == "right":
        return status == 0 and check.startswith("ok")
    if kind == "deadlock":
        return status in (race.REPORTED, 67) and not check
    if kind == "wrong_result":  # a race in addition is no harm
        return status in (0, race.REPORTED) and check.startswith("wrong")
    return status == race.REPORTED


def as_announced(programs: str, row: Row, kind: str, seeds: int) -> tuple[str, str]:
    """Runs the variant with every seed; returns what the check and race mode said: with the first
    seed whose result is wrong too, else with the first."""
    said = shown = ""
    run = [f"{programs}/{row.example}", "--small", "--variant", row.name]
    for seed, finished in enumerate(race.run_seeds(run, seeds), 1):
        printed = finished.out.decode(errors="replace")
        check = what_check_said(row.name, printed)
        if not is_as_announced(kind, finished.shell_status, check):
            what = "NOT CLEAN" if kind == "right" else "NOT FOUND OUT"
            raise NotAsAnnounced(f"{printed}{what}: {row.example} {row.name} with seed {seed} "
                                 f"ended with {finished.shell_status}")
        if seed == 1 or (check.startswith("wrong") and not said.startswith("wrong")):
            said, shown = check, one_report(printed)
    return said, shown
