"""The shortest story of a race: the run of a seed, shrunk by running it again and again.

Race mode writes the turns that the threads had when the race was found, and takes them again, all
or some of them (race/turns.hpp). Delta debugging (Zeller and Hildebrandt, "Simplifying and
Isolating Failure-Inducing Input", 2002) leaves out turns as long as the same two lines race with a
report of the same kind. A run that goes another way than the one before is one that does not race
there, and is left alone.
"""
from __future__ import annotations

import json
import os
import re
import tempfile
import time

from course import processes
from course.messages import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SECONDS = "3"  # that the search takes at most, if RACE_STORY_SECONDS does not say how many
REPORTED = 66


def shrink(turns: list[str], races: Callable[[list[str]], bool]) -> list[str]:
    """Some of the turns, with which it races: without any one of them it does not, or `races` says
    no to everything by then, because the time is up."""
    parts = 2
    while turns:
        size = -(-len(turns) // parts)
        pieces = [turns[at:at + size] for at in range(0, len(turns), size)]
        others = [[turn for number, piece in enumerate(pieces) if number != left_out
                   for turn in piece] for left_out in range(len(pieces))]
        smaller = next((some for some in (pieces if parts == 2 else []) + others
                        if len(some) < len(turns) and races(some)), None)
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
        self.seconds = seconds
        self.end = time.monotonic() + seconds
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
        self.longest = max(0.5, 5 * (time.monotonic() - begin))
        of_two = [turn for turn in turns if turn.split()[1] in self._slots()]
        start = next((some for some in ([], of_two) if self.races(some)), turns)
        self._write(shrink(start, self.races))
        story = self.file("story")
        self._finished({"RACE_REPLAY": self.file("turns"), "RACE_STORY": story,
                        "RACE_TRACE": self.file("trace")}, self.seconds)
        return _contents(story)

    def races(self, turns: list[str]) -> bool:
        """Do the same two lines race, with a report of the same kind, if the threads have these
        turns? No, if there is no time to try."""
        left = self.end - time.monotonic()
        if left <= 0:
            return False
        self._write(turns)
        done = self._finished({"RACE_REPLAY": self.file("turns")}, min(left, self.longest))
        return done.status == REPORTED and self._reports() == self.kind

    def _record(self) -> list[str]:
        done = self._finished({"RACE_TURNS": self.file("turns")}, self.seconds)
        lines = _contents(self.file("turns")).splitlines()
        self.head = [line for line in lines if not line.startswith("turn ")]
        self.kind = self._reports()
        return lines[len(self.head):] if done.status == REPORTED and self.kind else []

    def _slots(self) -> list[str]:
        return next((line.split()[1:] for line in self.head if line.startswith("slots ")), [])

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
        return processes.run_one(
            self.run, seconds=seconds, most_printed=self.most_printed,
            environment={**os.environ, "RACE_SEED": str(self.seed),
                         "RACE_JSON": self.file("json"), **settings})


def _contents(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def shortest(run: Sequence[str], seed: int, most_printed: int) -> str:
    """The shortest story of the race that the seed reports, as text; "" if none was found."""
    seconds = os.environ.get("RACE_STORY_SECONDS") or SECONDS
    if not re.fullmatch(r"\d+(\.\d+)?", seconds):
        fail("story seconds", value=seconds)
    if float(seconds) == 0:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        return Search(run, seed, most_printed, folder, float(seconds)).text()
