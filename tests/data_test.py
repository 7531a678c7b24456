#!/usr/bin/env python3
"""data/xy.txt holds what data/README.md says of it: the form of its lines, how many neighbours its
atoms have, and that float and double find the same ones at the cutoff of 1.9 angstrom."""
import collections
import math
import pathlib
import re
import struct
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
REACH, CUTOFF = 2.4, 1.9


def as_float(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def pairs(atoms):
    """All (i, j), i < j, in which both differences of the coordinates are below REACH."""
    order = sorted(range(len(atoms)), key=lambda i: atoms[i])
    for place, i in enumerate(order):
        x, y = atoms[i]
        for j in (order[k] for k in range(place + 1, len(order))):
            if atoms[j][0] - x >= REACH:
                break
            if abs(atoms[j][1] - y) < REACH:
                yield min(i, j), max(i, j)


def main():
    text = (DATA / "xy.txt").read_text("ascii")
    lines = text.splitlines()
    wrong = [f"data/xy.txt:{number}: expected two numbers with six decimals, found '{line}'"
             for number, line in enumerate(lines, 1)
             if not re.fullmatch(r"\d+\.\d{6} \d+\.\d{6}", line)]
    if wrong:
        sys.exit("\n".join(wrong[:5]))
    atoms = [tuple(map(float, line.split())) for line in lines]
    rounded = [tuple(map(as_float, atom)) for atom in atoms]
    neighbours = [0] * len(atoms)
    closest, to_cutoff, undecided = math.inf, math.inf, 0
    for i, j in pairs(atoms):
        distance = math.dist(atoms[i], atoms[j])
        near = distance < CUTOFF
        for atom in (i, j):
            neighbours[atom] += near
        closest = min(closest, distance)
        to_cutoff = min(to_cutoff, abs(distance - CUTOFF))
        # In float the squared distance is off by a few of its last bits: fused or not, it must
        # stay on the same side.
        squared = math.dist(rounded[i], rounded[j]) ** 2
        margin = 4 * 2 ** -23 * CUTOFF ** 2
        undecided += near != (squared < CUTOFF ** 2 + (margin if not near else -margin))
    if undecided:
        sys.exit(f"data/xy.txt: {undecided} pairs may be neighbours in float or in double alone")
    counts = collections.Counter(neighbours)
    facts = "\n".join(
        [f"{len(atoms)} atoms, {max(x for x, _ in atoms):.0f} x {max(y for _, y in atoms):.0f} "
         "angstrom",
         *(f"{k} neighbours within {CUTOFF}: {counts[k]} atoms" for k in range(max(counts) + 1)),
         f"closest pair {closest:.6f} angstrom; closest to the cutoff: "
         f"|r - {CUTOFF}| = {to_cutoff:.6f}"]) + "\n"
    if facts not in (DATA / "README.md").read_text("ascii"):
        sys.exit(f"data/README.md: expected these lines, which data/xy.txt has:\n{facts}")
    print(facts, end="")


if __name__ == "__main__":
    main()
