"""Pictures of atomic_functions/: two threads at one word, and the order of floats."""
import struct

from .svg import (GREEN, GREY, INK, PALE_BLUE, PALE_GREEN, PALE_ORANGE, PALE_RED, Picture, RED,
                  WHITE)


def time_line(p, x, y, names, steps, step=40, width=104):
    """Three columns: thread 0, the word, thread 1; time runs downwards. A step is (thread, what it
    does, value of the word after it, fill)."""
    gap = width + 12
    for column, name in enumerate(names):
        p.centre(x + gap * column + width / 2, y, name, bold=True)
    bottom = y + 14 + step * len(steps)
    p.line(x + width / 2, y + 8, x + width / 2, bottom, color=GREY)
    p.line(x + 2 * gap + width / 2, y + 8, x + 2 * gap + width / 2, bottom, color=GREY)
    y += 14
    for thread, action, value, fill in steps:
        p.box(x + 2 * gap * thread, y, width, step - 10, action, fill=fill)
        p.box(x + gap + width / 2 - 22, y, 44, step - 10, str(value),
              fill=PALE_ORANGE if action.startswith(("write", "atomicAdd", "swap")) else WHITE,
              bold=True)
        y += step
    return y


def lost_update():
    """atomic_functions/pictures/lost_update.svg"""
    p = Picture(760, 344, "Two threads add 1 to x. Without an atomic operation one update is lost.")
    p.centre(190, 30, "old = x;  x = old + 1;", bold=True, size=14, mono=True)
    p.centre(570, 30, "atomicAdd(&x, 1);", bold=True, size=14, mono=True)
    p.line(380, 16, 380, 328, color=GREY, thick=1)
    names = ("thread 0", "x", "thread 1")
    time_line(p, 22, 58, names, width=98, steps=[
        (0, "reads 0", 0, PALE_BLUE), (1, "reads 0", 0, PALE_BLUE),
        (0, "writes 0 + 1", 1, PALE_RED), (1, "writes 0 + 1", 1, PALE_RED)])
    time_line(p, 396, 58, names, steps=[
        (0, "atomicAdd", 1, PALE_GREEN), (1, "atomicAdd", 2, PALE_GREEN)])
    p.centre(448, 170, "returns 0", size=12, color=GREY)
    p.centre(680, 170, "returns 1", size=12, color=GREY)
    p.arrow(358, 72, 358, 232, color=GREY)
    p.text(372, 250, "time", anchor="end", size=12, color=GREY)
    p.centre(180, 262, "x is 1, and two threads added 1.", bold=True, color=RED)
    p.centre(570, 262, "x is 2.", bold=True, color=GREEN)
    p.lines(22, 284, "Three steps: read, add, write. Both threads",
            "read the same 0, so both write 1.", "One update is lost.", step=19)
    p.lines(
        396,
        284,
        "One step. No other atomic operation on x",
        "falls between its read and its write.",
        "The order is free; the result is not.",
        step=19)
    return p


def cas_loop():
    """atomic_functions/pictures/cas_loop.svg"""
    p = Picture(760, 430, "Two threads add by compare-and-swap; the second tries again.")
    code = ("old = x;", "do {", "    assumed = old;",
            "    old = atomicCAS(&x, assumed, assumed + value);", "} while (old != assumed);")
    p.lines(24, 32, *code, mono=True, step=18)
    p.text(430, 32, "x is 5. Thread 0 adds 2, thread 1 adds 3.", bold=True)
    names = ("thread 0:  value = 2", "x", "thread 1:  value = 3")
    y = time_line(p, 24, 142, names, [
        (0, "reads 5", 5, PALE_BLUE), (1, "reads 5", 5, PALE_BLUE),
        (0, "swap: if 5, then 7", 7, PALE_GREEN), (1, "if 5, then 8", 7, PALE_RED),
        (1, "swap: if 7, then 10", 10, PALE_GREEN)], width=160)
    x, top = 560, 156
    for row, text in enumerate(("assumed = 5", "assumed = 5", "returns 5: done",
                                "returns 7: try again", "returns 7: done")):
        p.text(x, top + 40 * row + 20, text, bold="again" in text,
               color=RED if "again" in text else INK)
    p.lines(24, y + 24, "atomicCAS compares and writes in one step. It returns the value that it "
            "found.",
            "Thread 1 found 7, not 5. So x has changed, and nothing was written. It adds 3 to the "
            "7 and tries again.", step=20)
    return p


def float_order():
    """atomic_functions/pictures/float_order.svg"""
    p = Picture(760, 356,
                "Floats in order, and the order of their bits read as int and as unsigned.")
    names = ("-2", "-1", "-0", "+0", "1", "2")
    fills = [PALE_RED] * 3 + [PALE_GREEN] * 3

    def line(y, title, order, value_of):
        p.text(24, y, title, bold=True)
        p.arrow(24, y + 62, 736, y + 62, color=GREY)
        for place, i in enumerate(order):
            x = 40 + 114 * place
            p.box(x, y + 14, 92, 30, names[i], fill=fills[i], bold=True)
            p.line(x + 46, y + 44, x + 46, y + 66, color=GREY)
            p.centre(x + 46, y + 82, value_of(names[i]), size=12, mono=True, color=GREY)

    def bits(name):
        return int.from_bytes(struct.pack("<f", float(name)), "little")

    line(30, "the floats in order", range(6), lambda name: f"{bits(name):08x}")
    by_int = sorted(range(6), key=lambda i: bits(names[i]) - (bits(names[i]) >> 31 << 32))
    line(144, "their bits, read as int and in that order: right for 0 and above, reversed below",
         by_int, lambda name: f"{bits(name) - (bits(name) >> 31 << 32)}")
    by_unsigned = sorted(range(6), key=lambda i: bits(names[i]))
    line(258,
         "their bits, read as unsigned: the negative floats are above all others, and reversed",
         by_unsigned, lambda name: f"{bits(name)}")
    return p
