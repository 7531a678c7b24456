"""Pictures of grid_barrier/."""
from .svg import (BLUE, GREEN, GREY, INK, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE,
                  PALE_RED, Picture, RED, WHITE)


def stencil():
    """grid_barrier/pictures/stencil.svg"""
    p = Picture(760, 330, "A cell of block 1 becomes the mean of four cells; one is block 0's.")
    p.text(24, 30, "Step 2 of a cell of block 1 reads a cell that block 0 writes in step 1",
           bold=True, size=14)
    rows, columns, size = 6, 8, 32
    cell, up = (3, 3), (2, 3)
    needed = (up, (4, 3), (3, 2), (3, 4))
    for left, name in ((110, "plate after step 1"), (470, "plate after step 2")):
        p.centre(left + columns * size / 2, 62, name, bold=True)
        for row in range(rows):
            for column in range(columns):
                edge = row in (0, rows - 1) or column in (0, columns - 1)
                fill = PALE_GREY if edge else PALE_BLUE if row < 3 else PALE_GREEN
                if left == 110 and (row, column) in needed or \
                        left == 470 and (row, column) == cell:
                    fill = PALE_ORANGE
                p.box(left + column * size, 72 + row * size, size, size, fill=fill, rx=0)
        for half, block in ((0, "block 0"), (1, "block 1")):
            p.text(left - 12, 72 + (1.5 + 3 * half) * size + 4, block, anchor="end",
                   color=(BLUE, GREEN)[half], bold=True)
    p.box(110 + 3 * size, 72 + 2 * size, size, size, fill="none", thick=3, rx=0)
    p.box(470 + 3 * size, 72 + 3 * size, size, size, fill="none", thick=3, rx=0)
    for row, column in needed:  # from the middle of a cell that is read to the cell's edge
        x, y = 110 + (column + 0.5) * size, 72 + (row + 0.5) * size
        dx, dy = (cell[1] - column) * size, (cell[0] - row) * size
        p.arrow(x, y, x + 0.72 * dx, y + 0.72 * dy, color=ORANGE,
                thick=3 if (row, column) == up else 1.5)
    y = 72 + 3.5 * size
    p.arrow(110 + 4.95 * size, y, 470 + 3 * size, y, color=ORANGE, dash="5 4")
    p.box(372, y - 12, 48, 24, "mean", fill="#fdfdfc", stroke="none")
    p.lines(24, 290, "Each arrow: a temperature that is read. The thick one crosses from block 0 "
            "to block 1.", "So block 1 may begin step 2 only after block 0 has done step 1. "
            "Grey: the edge, which does not change.", step=20)
    return p


def counter():
    """grid_barrier/pictures/counter.svg"""
    p = Picture(760, 356, "Three blocks count at a barrier, and go on when all three have come.")
    p.text(24, 30, "Three blocks meet at a barrier: each adds 1, and waits until the counter is 3",
           bold=True, size=14)
    left, height, together, end = 96, 34, 470, 736
    come = (160, 420, 330)
    for block, x in enumerate(come):
        y = 60 + 62 * block
        p.text(left - 12, y + 22, f"block {block}", anchor="end", bold=True)
        p.box(left, y, x - left, height, "step 1", fill=PALE_BLUE)
        p.box(x, y, 34, height, "+1", fill=PALE_ORANGE, thick=2.5, bold=True)
        if x + 34 < together - 20:
            p.box(x + 34, y, together - x - 34, height, "waits", dash="4 4", color=GREY,
                  stroke=GREY, size=12)
        p.box(together, y, end - together, height, "step 2", fill=PALE_GREEN)
    y = 252
    p.text(left - 12, y + 20, "counter", anchor="end", mono=True)
    corners = [left, *sorted(x + 17 for x in come), end]
    for value, (begin, stop) in enumerate(zip(corners, corners[1:])):
        p.box(begin, y, stop - begin, 28, str(value), rx=0, bold=value == 3,
              fill=PALE_GREEN if value == 3 else WHITE)
    for block, x in enumerate(come):
        p.line(x + 17, 60 + 62 * block + height, x + 17, y, color=ORANGE, dash="3 3")
    p.arrow(left, 296, end, 296, color=GREY)
    p.text(end, 314, "time", anchor="end", size=12, color=GREY)
    p.text(24, 338, "In round 2 they wait until the counter is 6, in round 3 until it is 9: it "
           "goes on counting.")
    return p


def too_many_blocks():
    """grid_barrier/pictures/too_many_blocks.svg"""
    p = Picture(760, 300, "Four blocks wait for the fifth, and the fifth waits for a free place.")
    p.text(24, 30, "A device with room for four blocks, and a barrier for five", bold=True, size=14)
    for number in range(2):
        x = 40 + 190 * number
        p.box(x, 56, 170, 150, fill=PALE_GREY)
        p.centre(x + 85, 76, f"multiprocessor {number}", bold=True)
        for place in range(2):
            block = 2 * number + place
            p.box(x + 15, 88 + 56 * place, 140, 44, f"block {block} waits", fill=PALE_BLUE)
    p.box(560, 108, 160, 44, "block 4", fill=PALE_RED, thick=2, bold=True)
    p.centre(640, 172, "has not started", size=12, color=RED)
    p.arrow(402, 112, 558, 112, color=ORANGE, thick=2)
    p.centre(480, 104, "wait for block 4", size=12, color=INK)
    p.arrow(558, 148, 402, 148, color=RED, thick=2)
    p.centre(480, 166, "waits for a place", size=12, color=INK)
    p.lines(24, 238, "A block keeps its place until it ends. None of the four ends before the "
            "barrier, so block 4 never starts.",
            "With a lock this cannot happen: its holder has a place, and waits for no one.",
            step=22)
    return p


def sense_reversal():
    """grid_barrier/pictures/sense_reversal.svg"""
    p = Picture(620, 356, "Two rounds of a barrier: the counter goes 1, 2, 0 in each, the flag turns "
                "to 1 and then back to 0.")
    p.text(20, 30, "Two rounds of sense reversal with three blocks", bold=True, size=15)
    left, middle, end = 92, 346, 600
    for begin, title in ((left, "round 1 waits for sense 1"),
                         (middle, "round 2 waits for sense 0")):
        p.text(begin + 4, 56, title, bold=True, color=BLUE)
    come = ((130, 230, 300), (486, 400, 556))
    for block in range(3):
        y = 68 + 46 * block
        p.text(left - 10, y + 20, f"block {block}", anchor="end", bold=True)
        for arrived, begin, stop in zip(come, (left, middle), (middle, end)):
            x = arrived[block]
            last = x == max(arrived)
            p.box(begin, y, x - begin, 30, "works" if x - begin > 50 else "", fill=PALE_BLUE,
                  size=12)
            p.box(x, y, 28, 30, "+1", fill=PALE_ORANGE, bold=True, thick=2.5 if last else 1)
            if stop - x - 28 > 20:
                p.box(x + 28, y, stop - x - 28, 30, "waits" if stop - x > 80 else "", dash="4 4",
                      stroke=GREY, color=GREY, size=12)
    for y, name in ((216, "arrived"), (254, "sense")):
        p.text(left - 10, y + 19, name, anchor="end", mono=True)
    for arrived, begin, stop in zip(come, (left, middle), (middle, end)):
        corners = [begin, *(x + 14 for x in sorted(arrived)), stop]
        for value, (a, b) in enumerate(zip(corners, corners[1:])):
            p.box(a, 216, b - a, 28, str(value % 3), rx=0, fill=PALE_GREEN if value == 3 else WHITE,
                  bold=value == 3)
    turns = (left, max(come[0]) + 22, max(come[1]) + 22, end)
    for value, (a, b) in enumerate(zip(turns, turns[1:])):
        p.box(a, 254, b - a, 28, str(value % 2), rx=0, fill=PALE_GREEN if value == 1 else WHITE,
              bold=True)
    p.line(middle, 46, middle, 290, color=GREY, dash="2 4")
    p.lines(20, 314, "The last block to come sets the counter to 0 and then turns the flag.",
            "Who sees the flag turned finds the counter ready for the next round.", step=20)
    return p
