#!/usr/bin/env python3
"""Race mode tells the faulty ones of volatile_shapes.cu by the kind of their fault, and says nothing
of the right ones.

    volatile_shapes_test.py PROGRAM [RUNS]

A run is what `scripts/race` does with its default number of seeds: run k takes the seeds from
8 * (k - 1) + 1 on, so that the runs are different ones. First the program itself makes 20 runs of
each shape (2 in the quick suite), which says nothing of the old value that matters. Then this makes
RUNS as scripts/race does, which finds that: 1 if not given, and in the quick suite only of SAMPLE.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from course import processes, race, stale  # noqa: E402

CLEAN = "clean"
SAMPLE = ("lock_in_a_block_right", "message_in_two_blocks_narrow")


def kinds_in(finished: processes.Finished) -> list[str]:
    heads = [line.split(" in kernel ") for line in finished.out.decode().splitlines()]
    return [head[0] for head in heads if len(head) == 2 and head[0].isupper()]


def kinds_told(command: list[str], first: int) -> set[str]:
    """The kinds of the reports that a run with the seeds from `first` on makes."""
    told: set[str] = set()
    ends = {}
    for seed, finished in enumerate(race.run_seeds(command, race.SEEDS, first), first):
        ends[seed] = stale.end_of(finished)
        if race.has_reported(finished):
            told.update(kinds_in(finished))
    if not told:
        found = stale.Search(command, race.MEBIBYTES << 20).find(ends)
        told.update(kinds_in(found[1]) if found else ())
    return told


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    is_thorough = len(sys.argv) > 2 or os.environ.get("THOROUGH")
    if subprocess.run([program, "--seeds", "20" if is_thorough else "2"], check=False).returncode:
        sys.exit(1)
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    shapes = [line.split(" ", 1) for line in listed.splitlines()]
    wrong = []
    for name, kind in [shape for shape in shapes if is_thorough or shape[0] in SAMPLE]:
        for run in range(runs):
            told = kinds_told([program, name], race.SEEDS * run + 1)
            if told != (set() if kind == CLEAN else {kind}):
                wrong.append(f"{name}, run {run + 1}: {kind} was expected, and told was "
                             f"{', '.join(sorted(told)) or 'nothing'}")
    right = sum(kind == CLEAN for _, kind in shapes)
    if len(shapes) < 40 or right < 10:
        wrong.append(f"only {len(shapes)} shapes, {right} of them right")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(shapes)} shapes, {right} of them right")


if __name__ == "__main__":
    main()
