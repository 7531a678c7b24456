"""Pictures of scan/. Both show one array; tests/scan/test.cu holds their sums to a kernel's."""
from itertools import accumulate

from .svg import (BLUE, GREEN, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE, Picture,
                  WHITE)

TILES = ((3, 1, 0, 2), (5, 1, 1, 0), (2, 2, 4, 1), (0, 3, 1, 1), (1, 4, 0, 2), (2, 0, 1, 1))
OWN = [sum(numbers) for numbers in TILES]
PREFIXES = list(accumulate(OWN))


def tiles():
    """scan/pictures/tiles.svg"""
    p = Picture(760, 320, "Four tiles are scanned alone; each then needs the sum of all tiles "
                "before it.")
    p.text(24, 30, "Four blocks, each with a tile of 4 elements", bold=True, size=14)
    width, height = 38, 28
    for row, name in ((62, "x"), (126, "scan of the tile"), (238, "prefix sums")):
        p.text(24, row - 8, name, color=GREY, size=12)
    for tile, numbers in enumerate(TILES[:4]):
        x = 24 + 182 * tile
        own = list(accumulate(numbers))
        before = PREFIXES[tile] - OWN[tile]
        p.cells(x, 62, [str(value) for value in numbers], width=width, height=height,
                fill=PALE_BLUE)
        p.arrow(x + 3.5 * width, 92, x + 3.5 * width, 124, color=BLUE)
        p.cells(x, 126, [str(value) for value in own], width=width, height=height,
                fill=PALE_GREEN)
        p.box(x + 40, 174, 112, 28, f"+ {before}", fill=PALE_ORANGE, bold=True,
              thick=2.5 if tile else 1)
        p.arrow(x + 3.5 * width, 204, x + 3.5 * width, 236, color=GREEN)
        p.cells(x, 238, [str(before + value) for value in own], width=width, height=height,
                fill=PALE_GREEN)
    p.text(24, 298, "Orange: the sum of all tiles before this one. It is all that a block needs "
           "from the others.")
    return p


def look_back():
    """scan/pictures/look_back.svg"""
    p = Picture(760, 300, "Tile 5 adds the own sums of tiles 4 and 3, and the whole prefix of "
                "tile 2.")
    p.text(24, 30, f"Tile 5 looks back: {OWN[4]} + {OWN[3]} + {PREFIXES[2]} = {PREFIXES[4]} is the "
           "sum of all tiles before it", bold=True, size=14)
    said = (*(("whole prefix", str(prefix)) for prefix in PREFIXES[:3]),
            *(("own sum", str(own)) for own in OWN[3:]), ("nothing", ""))
    fills = {"whole prefix": PALE_GREEN, "own sum": PALE_BLUE, "nothing": WHITE}
    width = 96
    for tile, (state, value) in enumerate(said):
        x = 32 + 100 * tile
        p.centre(x + width / 2, 62, f"tile {tile}", bold=True)
        p.box(x, 72, width, 30, state, fill=fills[state], size=12)
        p.box(x, 102, width, 34, value, fill=fills[state], bold=True,
              thick=2.5 if tile in (2, 3, 4) else 1)
    for tile, drop in ((4, 176), (3, 200), (2, 224)):
        x = 32 + 100 * tile + width / 2
        p.arrow(x, 138, x, drop, 32 + 500 + 20 + 12 * (tile - 2), drop,
                32 + 500 + 20 + 12 * (tile - 2), 138, color=ORANGE, thick=2)
    p.box(32, 150, 190, 26, "each: one word of 64 bits", fill=PALE_GREY, size=12)
    p.lines(24, 258, "It stops at tile 2, whose whole prefix is the sum of tiles 0 to 2. Then tile "
            f"5 stores its own: {PREFIXES[4]} + {OWN[5]} = {PREFIXES[5]}.",
            "Tile 6 has stored nothing yet. A block that looks back at it waits for its own sum, "
            "and for no more.", step=20)
    return p
