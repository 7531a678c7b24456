#!/usr/bin/env python3
"""The shortest story of each wrong variant that races: found, and of ten steps at most.

    story_test.py BIN [PROGRAM/VARIANT...]   BIN: the folder of the race build's programs
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from course import story  # noqa: E402

MOST_STEPS = 10
RACES = ("race", "unsynchronized")
STEP = re.compile(r"    \d+\. (block \d+, thread \d+) \w+ .*\((\S+:\d+)\)")


def story_of(binaries: Path, program: str, variant: str) -> list[tuple[str, str]]:
    """The thread and the place of each step."""
    run = [str(binaries / program), "--small", "--variant", variant]
    told = story.shortest(run, 1, 1 << 25)
    print(f"=== {program} {variant}\n{told}", flush=True)
    steps = [STEP.match(line) for line in told.splitlines()]
    return [(step[1], step[2]) for step in steps if step]


def wrong_variants(binaries: Path) -> list[tuple[str, str]]:
    found = []
    for table in sorted(ROOT.glob("*/variants.cuh")):
        program = table.parent.name
        if program == "several_gpus":  # races of two devices have no story
            continue
        listed = subprocess.run([binaries / program, "--list"], check=True, capture_output=True,
                                text=True).stdout
        found += [(program, row[0]) for row in map(str.split, listed.splitlines())
                  if len(row) > 1 and row[1] in RACES]
    return found


def main() -> None:
    binaries = Path(sys.argv[1]).resolve()
    os.chdir(ROOT)
    chosen = [tuple(name.split("/")) for name in sys.argv[2:]]
    wrong = []
    for program, variant in chosen or wrong_variants(binaries):
        steps = story_of(binaries, program, variant)
        if not steps or len(steps) > MOST_STEPS or len({thread for thread, _ in steps}) < 2:
            wrong.append(f"{program} {variant}: {len(steps)} steps")
    if wrong:
        raise SystemExit("no story of two threads in 1 to 10 steps:\n" + "\n".join(wrong))


main()
