"""Pictures of neighbor_list/. The sheet is that of neighbor_list/graphene.hpp."""
import math
import os
import pathlib
import subprocess
import tempfile

from .svg import (BLUE, GREEN, GREY, INK, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE,
                  Picture, RED, WHITE)

CUTOFF = 1.9  # angstrom, the program's default
NEIGHBORS = ((1, 2, 3), (0, 4), (0,), (0,), (1,))  # of five atoms


def rows_and_columns():
    """neighbor_list/pictures/rows_and_columns.svg"""
    N, MN = 5, 4
    p = Picture(760, 474, "Two layouts of the list: a row per atom, or a row per neighbor index.")
    p.text(24, 30, "Five atoms and their bonds", bold=True, size=14)
    at = ((90, 112), (160, 112), (90, 172), (90, 56), (230, 112))
    for atom, others in enumerate(NEIGHBORS):
        for other in others:
            if atom < other:
                p.line(*at[atom], *at[other], thick=2.5)
    for atom, (x, y) in enumerate(at):
        p.circle(x, y, 14, fill=PALE_BLUE)
        p.centre(x, y + 5, str(atom), bold=True)
    p.text(300, 64, "N = 5 atoms, room for MN = 4 neighbors each")
    p.text(300, 96, "d_NN[n], how many:")
    p.cells(440, 78, [str(len(others)) for others in NEIGHBORS], width=34)
    p.lines(300, 134, "Thread n writes the list of atom n. The orange words are those",
            "that the 5 threads write at the same time: the neighbors",
            "with k = 0. The GPU writes words that lie side by side together.", step=20)
    x, width = 44, 34
    layouts = (
        (216, "atom_major, a row per atom:  d_NL[n * MN + k]", lambda n, k: n * MN + k),
        (336, "neighbor_major, a row per neighbor index:  d_NL[k * N + n]",
         lambda n, k: k * N + n))
    for top, name, place in layouts:
        words = [""] * (N * MN)
        first = set()
        for n, others in enumerate(NEIGHBORS):
            for k, other in enumerate(others):
                words[place(n, k)] = str(other)
            first.add(place(n, 0))
        p.text(24, top, name, bold=True, size=14)
        p.cells(x, top + 30, words, width=width,
                fill=[PALE_ORANGE if word in first else WHITE for word in range(N * MN)])
        for word in range(N * MN):
            p.centre(x + width * word + width / 2, top + 24, str(word), size=12, color=GREY)
        for word in first:
            p.arrow(x + width * word + width / 2, top + 84, x + width * word + width / 2, top + 60,
                    color=ORANGE)
            n = next(n for n in range(N) if place(n, 0) == word)
            p.centre(x + width * word + width / 2, top + 98, f"n={n}", size=12)
        by_rows = name.startswith("atom")
        for group in range(N if by_rows else MN):
            length = MN if by_rows else N
            p.box(x + width * length * group, top + 30, width * length, 28, fill="none", thick=2.5,
                  rx=0)
    p.text(24, 460, "Thick frames are the rows: one atom's list above, "
           "all neighbors with the same k below.", color=GREY)
    return p


def read_atoms():
    """The atoms of neighbor_list/graphene.hpp as (x, y) in angstrom; compiles it."""
    folder = pathlib.Path(__file__).resolve().parents[2] / "neighbor_list"
    program = """#include <cstdio>
        #include "graphene.hpp"
        int main() {
            for (const auto& atom : graphene::make_sheet()) {
                std::printf("%lld %lld\\n", (long long)atom.x, (long long)atom.y);
            }
        }"""
    with tempfile.TemporaryDirectory() as scratch:
        made = f"{scratch}/atoms"
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O1", f"-I{folder}", "-xc++",
                        "-", "-o", made], input=program, text=True, check=True)
        lines = subprocess.run([made], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [tuple(int(word) / 1e6 for word in line.split()) for line in lines.splitlines()]


def near(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 < CUTOFF ** 2


def neighbors_of(atoms, inside):
    """The atoms within the cutoff of each atom for which `inside` holds; all atoms are searched."""
    cells = {}
    for n, (x, y) in enumerate(atoms):
        cells.setdefault((int(x // CUTOFF), int(y // CUTOFF)), []).append(n)
    found = {}
    for n, (x, y) in enumerate(atoms):
        if inside(x, y):
            column, row = int(x // CUTOFF), int(y // CUTOFF)
            found[n] = [m for i in (-1, 0, 1) for j in (-1, 0, 1)
                        for m in cells.get((column + i, row + j), ())
                        if m != n and near(atoms[n], atoms[m])]
    return found


def turn(atom, others, atoms):
    """By how many degrees the honeycomb around an atom is turned: 0 to 60, since it looks the same
    after a turn by 60. Each bond's angle is taken six times, so that all bonds agree."""
    angles = [6 * math.atan2(atoms[m][1] - atoms[atom][1], atoms[m][0] - atoms[atom][0])
              for m in others]
    mean = math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles)))
    return math.degrees(mean) / 6 % 60


def sheet():
    """neighbor_list/pictures/sheet.svg"""
    x0, y0, width, height, scale = 166, 114, 40, 32, 17.6  # angstrom; pixels per angstrom
    grains = (("A", 17, PALE_BLUE, BLUE), ("B", 33, PALE_GREEN, GREEN), ("C", 49, PALE_GREY, GREY))
    p = Picture(760, 716, "Atoms and bonds of a part of the sheet where three grains meet.")
    atoms = read_atoms()
    found = neighbors_of(atoms, lambda x, y: x0 <= x < x0 + width and y0 <= y < y0 + height)

    def at(atom):
        x, y = atoms[atom]
        return 28 + scale * (x - x0), 50 + scale * (y0 + height - y)

    bonds = {(min(n, m), max(n, m)) for n, others in found.items() for m in others}
    p.segments([(*at(n), *at(m)) for n, m in sorted(bonds)], color="#6e7781", thick=2)
    members = {name: [] for name, *_ in grains}
    few = [n for n, others in found.items() if len(others) < 3]
    for n, others in found.items():
        fill = WHITE
        for name, degrees, color, _ in grains:
            if len(others) == 3 and abs(turn(n, others, atoms) - degrees) < 3:
                members[name].append(n)
                fill = color
        if len(others) == 3:
            p.circle(*at(n), 4, fill=fill, thick=1)
    for n in few:
        p.circle(*at(n), 6.5, fill=WHITE, stroke=RED, thick=3)
    for name, _, fill, stroke in grains:
        x = sum(at(n)[0] for n in members[name]) / len(members[name])
        y = sum(at(n)[1] for n in members[name]) / len(members[name])
        p.circle(x, y, 17, fill=fill, stroke=stroke, thick=2)
        p.centre(x, y + 6, name, bold=True, size=17)
    p.text(24, 26, f"A part of the sheet, {width} x {height} angstrom: {len(found)} atoms. "
           "A line joins two neighbors.", bold=True)
    p.lines(
        24,
        656,
        f"Neighbors are less than {CUTOFF} angstrom apart. "
        "A, B and C are grains: the same honeycomb,",
        f"turned by {grains[0][1]}, {grains[1][1]} and {grains[2][1]} degrees.",
        step=20)
    p.circle(32, 696, 6.5, fill=WHITE, stroke=RED, thick=3)
    p.text(46, 701, f"{len(few)} atoms have fewer than three neighbors. They mark the boundaries "
           "between the grains.")
    return p


def cells():
    """neighbor_list/pictures/cells.svg"""
    edge, columns, rows, scale = 2.0, 5, 5, 38  # cells a little larger than the cutoff; pixels
    p = Picture(760, 430, "An atom tests the atoms of nine cells: its own and the eight around it.")
    p.text(24, 30, "Cell list: the cells are a little larger than the cutoff",
           bold=True, size=14)
    atoms = read_atoms()
    x0, y0 = 30.0, 60.0
    size = edge * scale
    shown = [(x, y) for x, y in atoms if x0 <= x < x0 +
             columns * edge and y0 <= y < y0 + rows * edge]
    middle = [(x, y) for x, y in shown if int((x - x0) // edge) == 2 and int((y - y0) // edge) == 2]
    chosen = middle[0]
    left, top = 24, 44

    def at(x, y):
        return left + scale * (x - x0), top + scale * (y0 + rows * edge - y)

    for row in range(rows):
        for column in range(columns):
            near_cell = abs(row - 2) <= 1 and abs(column - 2) <= 1
            p.box(left + size * column, top + size * row, size, size, rx=0, stroke=GREY,
                  fill=PALE_ORANGE if near_cell else WHITE)
    p.box(left + size, top + size, 3 * size, 3 * size, fill="none", thick=2.5, rx=0)
    p.circle(*at(*chosen), CUTOFF * scale, fill="none", stroke=BLUE, dash="6 4", thick=2)
    tested = neighbors = 0
    for x, y in shown:
        in_nine = 1 <= (x - x0) // edge <= 3 and 1 <= (y - y0) // edge <= 3
        is_near = (x, y) != chosen and near((x, y), chosen)
        if is_near:
            p.line(*at(*chosen), *at(x, y), thick=3)
        tested += in_nine and (x, y) != chosen
        neighbors += is_near
    for x, y in shown:
        p.circle(*at(x, y), 7 if (x, y) == chosen else 5,
                 fill=BLUE if (x, y) == chosen else INK if near((x, y), chosen) else WHITE)
    x = 430
    p.circle(x + 8, 70, 7, fill=BLUE)
    p.text(x + 26, 75, "the atom")
    p.line(x - 4, 104, x + 20, 104, color=BLUE, dash="6 4", thick=2)
    p.text(x + 26, 109, f"the cutoff: {CUTOFF} angstrom")
    p.circle(x + 8, 138, 5, fill=INK)
    p.text(x + 26, 143, f"its {neighbors} neighbors")
    p.box(x - 4, 160, 24, 24, fill=PALE_ORANGE, thick=2.5, rx=0)
    p.text(x + 26, 177, f"the 9 cells: {tested} other atoms to test")
    y = p.lines(
        x - 4,
        226,
        "An atom outside of the nine cells is",
        "farther away than the cutoff. So "
        "the atom tests",
        f"{tested} others instead of all {len(atoms) - 1}.",
        step=20)
    p.lines(
        x - 4,
        y + 16,
        "How the cells are filled: each atom does",
        "atomicAdd on the count of its "
        "cell. The value",
        "that it returns is the atom's place there.",
        step=20)
    return p


def count_scan_fill():
    """neighbor_list/pictures/count_scan_fill.svg"""
    p = Picture(620, 392, "Eight atoms are counted by cell, the counts are summed up, and each atom "
                "goes to start plus place.")
    p.text(20, 30, "Count, scan, fill: eight atoms sorted into four cells", bold=True, size=15)
    cell_of = (2, 0, 2, 3, 0, 2, 3, 0)
    fills = (PALE_BLUE, PALE_GREEN, PALE_ORANGE, "#e6dcf5")
    left, width = 130, 56
    counts, places = [0] * 4, []
    for cell in cell_of:
        places.append(counts[cell])
        counts[cell] += 1
    starts = [sum(counts[:cell]) for cell in range(4)]
    ordered = [None] * 8
    for atom, cell in enumerate(cell_of):
        ordered[starts[cell] + places[atom]] = atom

    def row(y, name, values, colors, mono=True):
        p.text(left - 10, y + 20, name, anchor="end", mono=mono, size=13)
        p.cells(left, y, [str(value) for value in values], width=width, height=30, fill=colors)

    colors = [fills[cell] for cell in cell_of]
    row(50, "atom", range(8), colors, mono=False)
    row(80, "its cell", cell_of, colors, mono=False)
    row(110, "d_place", places, colors)
    p.text(left - 10, 176, "1. count", anchor="end", bold=True, color=BLUE)
    p.text(left, 176, "d_place = atomicAdd(&d_count[cell], 1)", mono=True, size=12)
    row(188, "d_count", counts, fills)
    p.text(left - 10, 248, "2. scan", anchor="end", bold=True, color=BLUE)
    p.text(left, 248, "each start is the sum of the counts before it", size=13)
    row(260, "d_start", starts, fills)
    p.text(left - 10, 320, "3. fill", anchor="end", bold=True, color=BLUE)
    p.text(left, 320, "atom n goes to d_start[cell] + d_place[n]", size=13)
    row(332, "d_sorted", ordered, [fills[cell_of[atom]] for atom in ordered])
    p.text(20, 382, "Cell 1 is empty: it begins where cell 2 begins.", color=GREY)
    return p
