"""The shortest story of a race: the run of a seed, shrunk by running it again and again.

Race mode writes the turns that the threads had when the race was found, and takes them again, all
or some of them (race/turns.hpp). Delta debugging (Zeller and Hildebrandt, "Simplifying and
Isolating Failure-Inducing Input", 2002) leaves out turns as long as the same two lines race with a
report of the same kind. A run that goes another way than the one before is one that does not race
there, and is left alone.
"""
from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
import time

from course import processes
from course.messages import Stop, fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SECONDS = "3"  # that the search takes at most, if RACE_STORY_SECONDS does not say how many
REPORTED = 66
LEAST = 0.5  # seconds for the last run
# Files that race mode writes or reads; those of the user stay as they are.
FILES = ("RACE_JSON", "RACE_TRACE", "RACE_TREE", "RACE_TURNS", "RACE_REPLAY", "RACE_STORY")


class TimeIsUp(Exception):
    """There is no time for another run."""



def shrink(turns: list[str], races: Callable[[list[str]], bool]) -> list[str]:
    """Some of the turns, with which it races: without any one of them it does not, or `races` has
    raised TimeIsUp."""
    parts = 2
    while turns:
        size = -(-len(turns) // parts)
        pieces = [turns[at:at + size] for at in range(0, len(turns), size)]
        others = (turns[:at] + turns[at + size:] for at in range(0, len(turns), size))
        try:
            smaller = next((some for some in itertools.chain(pieces if parts == 2 else [], others)
                            if len(some) < len(turns) and races(some)), None)
        except TimeIsUp:
            break
        if smaller is not None:
            parts = max(parts - 1, 2) if len(smaller) > len(turns) // 2 else 2
            turns = smaller
        elif len(pieces) >= len(turns):
            break
        else:
            parts = min(2 * parts, len(turns))
    return turns


class Search:
    """Of one command with one seed."""

    def __init__(self, run: Sequence[str], seed: int, most_printed: int, folder: str,
                 seconds: float) -> None:
        self.run = list(run)
        self.seed = seed
        self.most_printed = most_printed
        self.folder = folder
        self.last = time.monotonic() + seconds  # by when all has ended
        self.end = self.last  # of the search
        self.head: list[str] = []  # of the file with the turns: what is to race, and where
        self.kind = ""
        self.longest = seconds  # of a run with some of the turns

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def text(self) -> str:
        """The story; "" where none was found in time."""
        turns = self._record()
        if not turns:
            return ""
        begin = time.monotonic()
        if not self.races(turns):
            return ""  # the run depends on more than the turns: old values, say
        seconds = time.monotonic() - begin
        self.longest = max(0.5, 5 * seconds)
        self.end -= max(LEAST, 3 * seconds)  # the last run writes a trace, too
        self._write(self._shortest(turns))
        story = self.file("story")
        self._finished({"RACE_REPLAY": self.file("turns"), "RACE_STORY": story,
                        "RACE_TRACE": self.file("trace")}, self.last - time.monotonic())
        return _contents(story)

    def _shortest(self, turns: list[str]) -> list[str]:
        slots = set(next((line.split()[1:] for line in self.head if line.startswith("slots ")), []))
        try:
            for some in ([], [turn for turn in turns if turn.split()[1] in slots]):
                if self.races(some):
                    turns = some
                    break
        except TimeIsUp:
            return turns
        return shrink(turns, self.races)

    def races(self, turns: list[str]) -> bool:
        """Do the same two lines race, with a report of the same kind, if the threads have these
        turns?"""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeIsUp
        self._write(turns)
        done = self._finished({"RACE_REPLAY": self.file("turns")}, min(left, self.longest))
        return done.status == REPORTED and self._reports() == self.kind

    def _record(self) -> list[str]:
        done = self._finished({"RACE_TURNS": self.file("turns")}, self.last - time.monotonic())
        if done.status != REPORTED:
            return []  # its files may be half written
        lines = _contents(self.file("turns")).splitlines()
        self.head = [line for line in lines if not line.startswith("turn ")]
        self.kind = self._reports()
        return lines[len(self.head):] if self.kind else []

    def _reports(self) -> str:
        """The kind of the report at the two lines; "" if there is none, or if no update is lost
        where one was."""
        places = sorted(line[len("place "):] for line in self.head if line.startswith("place "))
        for line in _contents(self.file("json")).splitlines():
            report = json.loads(line)
            if sorted(report["places"][:2]) == places and (
                    "lost" not in self.head or "is lost" in report["text"]):
                return report["kind"]
        return ""

    def _write(self, turns: list[str]) -> None:
        with open(self.file("turns"), "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in [*self.head, *turns]))

    def _finished(self, settings: Mapping[str, str], seconds: float) -> processes.Finished:
        if os.path.exists(self.file("json")):
            os.unlink(self.file("json"))
        others = {name: value for name, value in os.environ.items() if name not in FILES}
        return processes.run_one(
            self.run, seconds=seconds, most_printed=self.most_printed,
            environment={**others, "RACE_SEED": str(self.seed),
                         "RACE_JSON": self.file("json"), **settings})


def _contents(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def most_seconds() -> float:
    """That the search takes; 0: there is none."""
    seconds = os.environ.get("RACE_STORY_SECONDS") or SECONDS
    if not re.fullmatch(r"\d+(\.\d+)?", seconds):
        fail("story seconds", value=seconds)
    return float(seconds)


def shortest(run: Sequence[str], seed: int, most_printed: int) -> str:
    """The shortest story of the race that the seed reports, as text; "" if none was found, or if
    the search itself has failed: the report is there without it."""
    seconds = most_seconds()
    if seconds == 0:
        return ""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return Search(run, seed, most_printed, folder, seconds).text()
    except (OSError, ValueError, TimeIsUp):
        return ""
    except Stop as stop:
        if stop.key != "cannot start":
            raise  # the user has ended the command
        return ""
