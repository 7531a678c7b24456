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


def last_block():
    """reduce_atomic/pictures/last_block.svg"""
    p = Picture(620, 352, "Each block stores its sum and draws a ticket; the one with the last "
                "ticket adds all sums.")
    p.text(20, 30, "Three blocks: who draws ticket 2 is the last, and adds", bold=True, size=15)
    left, end = 88, 600
    ends = (170, 330, 240)
    tickets = {170: 0, 240: 1, 330: 2}
    for block, x in enumerate(ends):
        y = 52 + 58 * block
        last = tickets[x] == 2
        p.text(left - 10, y + 23, f"block {block}", anchor="end", bold=True)
        p.box(left, y, x - left, 36, "sums", fill=PALE_BLUE)
        p.box(x, y, 46, 36, "store", fill=PALE_GREEN, size=12)
        p.box(x + 46, y, 76, 36, f"ticket {tickets[x]}", fill=PALE_ORANGE, bold=True,
              thick=2.5 if last else 1)
        if last:
            p.box(x + 122, y, end - x - 122, 36, "adds all 3 sums", fill=PALE_GREEN, bold=True)
        else:
            p.text(x + 132, y + 23, "ends", color=GREY)
    y = 236
    p.text(left - 10, y + 20, "d_partial", anchor="end", mono=True, size=12)
    p.cells(left, y, ["sum 0", "sum 1", "sum 2"], width=74, height=30, fill=PALE_GREEN)
    p.text(left + 240, y + 20, "d_ticket", mono=True, size=12)
    p.cells(left + 308, y, ["0", "1", "2", "0"], width=34, height=30, fill=PALE_ORANGE)
    p.text(left + 452, y + 20, "atomicInc", mono=True, size=12)
    p.lines(20, 292, "A fence between store and ticket: a sum is in memory before its ticket "
            "counts.", "A fence after the ticket: the sums are read only after it is drawn.",
            "The counter goes back to 0 by itself, ready for the next launch.", step=20)
    return p


def float_spacing():
    """reduce_atomic/pictures/float_spacing.svg"""
    p = Picture(620, 346, "The distance between neighboring floats grows with the number; where it "
                "is 4, adding 1.23 changes nothing.")
    p.text(20, 30, "Floats stand farther apart where they are larger", bold=True, size=15)
    for row, (power, gap) in enumerate(((23, 1), (24, 2), (25, 4))):
        y, base, scale = 100 + 80 * row, 2 ** power, 38
        p.text(20, y - 32, f"from 2^{power} = {base:,} on: {gap} apart", bold=True)
        p.line(20, y, 600, y, color=GREY)
        for i in range(0, 13, gap):
            p.line(40 + scale * i, y - 8, 40 + scale * i, y + 8, thick=2)
        sum_x, rounded = 40 + scale * 1.23, 40 + scale * gap * round(1.23 / gap)
        p.circle(sum_x, y - 3, 4, fill=ORANGE, stroke=ORANGE)
        p.arrow(sum_x, y - 3, sum_x, y + 18, rounded, y + 18, rounded, y + 9, color=ORANGE)
        p.text(max(sum_x, rounded) + 12, y + 23, "+ 1.23 is rounded to "
               + ("+ 1" if gap == 1 else "+ 2" if gap == 2 else "+ 0: the sum stops growing"),
               color=ORANGE)
    p.text(20, 328, "Each line is a float. The dot is the exact sum; the nearest float is stored.",
           color=GREY)
    return p
