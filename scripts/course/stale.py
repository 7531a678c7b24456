"""Which load has read an old value that the program's output depends on: STALE VALUE.

In every fourth seed race mode lets loads read older stores than the newest (race/old_values.hpp).
What such a run prints, or its status, may be another one than that of the same seed without old
values: then a program that no schedule alone makes wrong is wrong on a GPU.
"""
from __future__ import annotations

import os
import re

from course import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EVERY = 4  # seeds, one lets loads read old values: as in race/old_values.hpp
MOST_LOADS = 1 << 40

# A number with a unit of time, or of something for each second; a time and its spread in percent.
_TIMES = re.compile(rb"\d+\.\d+[ \t]+\d+\.\d%|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?[ \t]*"
                    rb"(?:[num]?s|sec|seconds?|min|minutes?|[kKMGT]?i?B/s|[A-Za-z]*/s|"
                    rb"[kKMGT]?FLOPS?|[kKMG]?Hz|x)\b", re.IGNORECASE)

End = tuple[int, int]  # the status, and what was printed, as a number


def end_of(finished: processes.Finished) -> End:
    """How a run has ended, times left out."""
    return finished.status, hash(_TIMES.sub(b"", finished.out))


class Search:
    """Looks for the load in the runs of one command."""

    def __init__(self, run: Sequence[str], most_printed: int) -> None:
        self.run = list(run)
        self.most_printed = most_printed
        self.settings: dict[str, str] = {}  # of the environment, in the run that reports

    def finished(self, seed: int, settings: Mapping[str, str]) -> processes.Finished:
        environment = {**os.environ, "RACE_SEED": str(seed), **settings}
        return processes.run_one(self.run, environment=environment,
                                 most_printed=self.most_printed)

    def find(self, ends: Mapping[int, End]) -> tuple[int, processes.Finished] | None:
        """A seed, and its run that reports a load. `ends`: of each seed, none of which has reported
        anything."""
        without = {end for seed, end in ends.items() if seed % EVERY != 0}
        for seed, end in ends.items():
            if seed % EVERY == 0 and end not in without:
                replay = end_of(self.finished(seed, {"RACE_OLD_VALUES": "0"}))
                if _is_due_to_old_values(end, without | {replay}):
                    loads = self._loads(seed, replay)
                    if loads:
                        self.settings = {"RACE_OLD_LOADS": str(loads), "RACE_TELL_OLD_LOAD": "1"}
                        return seed, self.finished(seed, self.settings)
        return None

    def _loads(self, seed: int, replay: End) -> int:
        """With how many loads of old values the run ends in another way than `replay`, although it
        does not with one less; 0: with none."""
        def ends_as_replay(loads: int) -> bool:
            return end_of(self.finished(seed, {"RACE_OLD_LOADS": str(loads)})) == replay
        low, high = 0, 1
        while ends_as_replay(high):
            low, high = high, 2 * high
            if high > MOST_LOADS:
                return 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if ends_as_replay(middle) else (low, middle)
        return high


def _is_due_to_old_values(end: End, without: set[End]) -> bool:
    """Is this end one that only old values give? Where what is printed depends on the schedule
    anyway, the status alone counts."""
    if end in without:
        return False
    if len({printed for _, printed in without}) == 1:
        return True
    return end[0] != 0 and all(status == 0 for status, _ in without)
