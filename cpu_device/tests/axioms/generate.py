#!/usr/bin/env python3
"""Prints random litmus programs in the form of litmus/README.md.

    generate.py SEED COUNT [THREADS [STEPS]]      by default 2 threads of 3 steps

The same arguments give the same programs, at most 4 threads. A part of the programs has plain
accesses, or scopes that are too narrow, so that some have a data race.
"""

import random
import sys

FENCE_SCOPES = ["", "", ".cta", ".sys"]


class Kind:
    """What the accesses of one program may be: most programs are free of data races."""

    def __init__(self, draw: random.Random, one_block: bool) -> None:
        self.weak = [".weak"] if draw.random() < 0.15 else []
        narrow = one_block or draw.random() < 0.15
        self.scopes = ["", ".sys", ".cta"] if narrow else ["", "", ".sys"]


def access(draw: random.Random, kind: Kind, head: str, orders: list[str]) -> str:
    order = draw.choice(orders)
    return head + order + ("" if order == ".weak" else draw.choice(kind.scopes))


def step(draw: random.Random, kind: Kind, register: str, words: str) -> tuple[str, bool]:
    """A step, and whether it sets the register."""
    word = draw.choice(words)
    drawn = draw.randrange(16)
    if drawn < 5:
        head = f"{word}={draw.choice('12')}"
        return access(draw, kind, head, ["", "", ".rel", ".sc", *kind.weak]), False
    if drawn < 10:
        return access(draw, kind, f"{register}={word}", ["", "", ".acq", ".sc", *kind.weak]), True
    if drawn < 13:
        call = draw.choice([f"add({word},1)", f"xch({word},2)", f"cas({word},0,1)"])
        return access(draw, kind, f"{register}={call}", ["", ".acq", ".rel", ".ar", ".sc"]), True
    order = draw.choice(["", ".acq", ".rel", ".sc", ".sc"])
    return f"fence{order}{draw.choice(FENCE_SCOPES)}", False


def program(draw: random.Random, name: str, threads: int, steps: int) -> str:
    blocks = draw.choice(["0000", "0101", "0123", "0011"])[:threads]
    kind = Kind(draw, set(blocks) == {"0"})
    words = "xy" if draw.random() < 0.8 else "x"
    registers = list("hgfedcba")
    barrier = draw.choice(["bar", "warp"]) if draw.random() < 0.15 else ""
    columns = []
    for _ in range(threads):
        barrier_at = draw.randrange(steps) if barrier else steps
        column: list[str] = []
        mine: list[str] = []
        for at in range(steps):
            if at == barrier_at:  # one in each thread, so that all of a block come to it
                column.append(barrier)
                continue
            text, sets = step(draw, kind, registers[-1], words)
            if mine and draw.random() < 0.15:
                text = f"{draw.choice(mine)}=={draw.choice('01')}? {text}"
            column.append(text)
            if sets and len(registers) > 1:
                mine.append(registers.pop())
        columns.append(" ; ".join(column))
    return f"{name}: blocks {' '.join(blocks)} see {' '.join(words)}\n  {' | '.join(columns)}\n"


def main(arguments: list[str]) -> int:
    if not 2 <= len(arguments) <= 4 or not all(argument.isdigit() for argument in arguments):
        print("usage: generate.py SEED COUNT [THREADS [STEPS]]", file=sys.stderr)
        return 2
    numbers = [int(argument) for argument in arguments]
    seed, count, threads, steps = numbers + [2, 3][len(numbers) - 2:]
    draw = random.Random(seed)
    for number in range(count):
        print(program(draw, f"generated-{number}", threads, steps), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
