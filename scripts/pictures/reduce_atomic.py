"""Pictures of reduce_atomic/."""
from .svg import BLUE, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_ORANGE, Picture


def tree_and_atomic():
    """reduce_atomic/pictures/tree_and_atomic.svg"""
    p = Picture(760, 400, "Each block adds its elements in a tree, then adds one sum to d_sum.")
    x_of_block = (40, 280, 520)
    blocks = ((3, 1, 4, 1), (5, 9, 2, 6), (5, 3, 5, 8))
    p.text(
        24,
        28,
        "Three blocks of 4 threads: 12 elements, but only 3 atomic additions",
        bold=True,
        size=14)
    width, height, rows = 50, 28, (66, 130, 194)
    for number, (x, values) in enumerate(zip(x_of_block, blocks)):
        p.centre(x + 2 * width, rows[0] - 10, f"block {number}", bold=True)
        p.cells(x, rows[0], [str(value) for value in values], width=width, height=height,
                fill=PALE_BLUE)
        for y, offset in zip(rows[1:], (2, 1)):
            for i in range(offset):
                to = x + width * i + width / 2
                p.arrow(to - 6, y - 36, to - 6, y - 2, color=BLUE)
                p.arrow(to + width * offset, y - 36, to + 6, y - 2, color=ORANGE)
            values = [values[i] + values[i + offset] for i in range(offset)]
            p.cells(x, y, [str(value) for value in values], width=width, height=height,
                    fill=PALE_GREEN)
            p.text(x + width * offset + 10, y + 18, f"offset {offset}", size=12,
                   color=GREY)
        p.arrow(x + width / 2, rows[2] + height, x + width / 2, 262, 380 + 60 * (number - 1),
                300, thick=2)
    p.text(736, 284, "atomicAdd(d_sum, s_y[0])", anchor="end", mono=True, size=12)
    total = sum(map(sum, blocks))
    p.box(300, 302, 160, 36, f"d_sum = {total}", fill=PALE_ORANGE, thick=2.5, bold=True, size=15)
    p.text(472, 325, "one word in global memory")
    p.lines(24, 364, "The tree is in shared memory: its threads meet at barriers, not at one word.",
            "The blocks arrive in any order. Only the 3 atomic additions wait for each other.",
            step=20)
    return p
