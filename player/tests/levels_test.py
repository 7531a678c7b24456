#!/usr/bin/env python3
"""levels_test.py PROGRAM: each level's tree has the orders that race mode finds for its kernel.

PROGRAM is levels/enumerate.cu, built in race mode. Old values are left out: race mode's enumeration
makes whole steps only. The steps on words that threads share are compared, by word and kind.
Kernels in which a thread waits for another block, or without end, are not: the enumeration of race
mode finds no end there.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from levels import machine, programs  # noqa: E402

NOT_COMPARED = {"message", "message_released", "two_locks", "barrier_twice"}


def orders_of_tree(program: machine.Program) -> list[str]:
    """The orders of whole steps, as enumerate.cu prints them."""
    whole = dataclasses.replace(program, late=False)
    tree = programs.trace_of(whole)["trees"][0]
    names = list(program.words)
    found: list[str] = []

    def letter(step: dict) -> str:
        if step["kind"] == "atomic":  # a compare-and-swap that fails only reads
            fails = step["function"] == "atomicCAS" and step["before"] == step["after"]
            return "R" if fails else "U"
        return {"load": "R", "store": "W"}[step["kind"]]

    def walk(node: int, steps: list[str]) -> None:
        step = tree["nodes"][node].get("step")
        if step and "word" in step and names[step["word"]] in program.shared:
            steps = [*steps, f"{step['thread']}{letter(step)}{step['word']}"]
        following = tree["nodes"][node]["next"]
        for other in following:
            walk(other, steps)
        if not following:
            found.append(" ".join(steps))

    walk(0, [])
    return found


def main(program: str) -> int:
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    of_race_mode: dict[str, list[str]] = defaultdict(list)
    for line in printed.splitlines():
        name, _, steps = line.partition(": ")
        of_race_mode[name].append(steps)
    wrong = 0
    for one in programs.PROGRAMS:
        if one.name in NOT_COMPARED:
            print(f"{one.name}: not compared")
            continue
        expected, found = sorted(of_race_mode[one.name]), sorted(orders_of_tree(one))
        if expected == found:
            print(f"{one.name}: {len(found)} orders, as in race mode")
            continue
        wrong += 1
        print(f"{one.name}: the tree has {len(found)} orders, race mode finds {len(expected)}")
        for steps in sorted(set(expected) - set(found))[:3]:
            print(f"    only in race mode: {steps}")
        for steps in sorted(set(found) - set(expected))[:3]:
            print(f"    only in the tree:  {steps}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
