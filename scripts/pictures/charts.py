"""Charts of measured times, for scripts/plot: dots on one logarithmic axis, and curves.

A logarithmic scale has no 0, so a time is a dot and not a bar; and all panels of a picture share
one axis, so that a dot farther to the right is a longer time in whichever panel it stands.
"""
import math

from pictures.svg import (BLUE, GREEN, GREY, INK, ORANGE, PALE_GREY, RED, WHITE, Picture, said,
                          width_of)

WIDTH = 700
SIZE = 13
COLORS = (BLUE, ORANGE, GREEN, RED, "#6f42c1", "#0e7c86", "#9a6700", "#bf3989")
DASHES = ("", "7 3", "2 3")
STYLES = {  # of a dot: its inside, its edge, and its words in the key
    "cpu": (GREY, GREY, "on one core of the CPU"),
    "gpu": (BLUE, BLUE, "on the GPU"),
    "wrong": (WHITE, RED, "a wrong variant"),
    "plain read": (WHITE, GREY, "a plain read of the input"),
}


def in_words(number):
    """A number with three digits, such as 175.6 is 176 and 0.0000635 is itself."""
    return f"{number:,.{max(0, 2 - math.floor(math.log10(number)))}f}" if number > 0 else "0"


def digits(ms):
    """A time as it was measured, without an exponent."""
    return f"{ms:.7f}".rstrip("0").rstrip(".")


def short(number):
    """A size as on the command line: 1000 is 1K; 1056 and 0.01 as they are."""
    for suffix, size in (("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if number >= size and number % size == 0:
            return f"{number / size:g}{suffix}"
    return f"{number:,g}"


def power_of_ten(power):
    """0.00001 and 1,000 and all between, without an exponent."""
    return f"{power:,.{max(0, -round(math.log10(power)))}f}"


def wrapped(text, width, bold=False):
    """The text in lines of at most `width` pixels; a word that is wider is cut."""
    lines = [""]
    text = said(text)
    for word in "".join(c if c.isprintable() else "?" for c in str(text)).split():
        while width_of(word, SIZE, bold=bold) > width:
            word = word[:len(word) // 2] + "..."
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, SIZE, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Scale:
    """Places on an axis from `begin` to `end` pixels, for values from the least to the most."""

    def __init__(self, values, begin, end, log=True, whole_powers=True):
        self.measure = math.log10 if log else float
        low, high = self.measure(min(values)), self.measure(max(values))
        if log and whole_powers:
            low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        if low == high:
            high += 1
        self.low, self.begin, self.factor = low, begin, (end - begin) / (high - low)
        self.powers = [10.0 ** power for power in range(math.ceil(low - 1e-9),
                                                        math.floor(high + 1e-9) + 1)]

    def at(self, value):
        return self.begin + (self.measure(value) - self.low) * self.factor


def begin_picture(heading, height):
    """A picture with the heading on top, and the height that the heading takes."""
    lines = wrapped(heading, WIDTH - 40)
    picture = Picture(WIDTH, round(height + 18 * len(lines) + 12), heading)
    picture.lines(18, 24, *lines, color=GREY)
    return picture, 18 * len(lines) + 12


def dots(heading, panels):
    """panels: (title, rows) each, a row (name, ms, style). All times on one axis."""
    rows = [row for _, some in panels for row in some]
    names = [wrapped(name, WIDTH / 3)[0] for name, _, _ in rows]
    left = 30 + max(width_of(name, SIZE) for name in names)
    titles = [wrapped(title, WIDTH - 40, bold=True) for title, _ in panels]
    step = 20
    height = 74 + sum(20 * len(title) + step * len(some) + 18
                      for title, (_, some) in zip(titles, panels))
    p, top = begin_picture(heading, height)
    axis = Scale([ms for _, ms, _ in rows], left + 6, WIDTH - 92)
    x = 18  # the key
    for fill, edge, words in dict.fromkeys(STYLES[style] for _, _, style in rows):
        if x + 28 + width_of(words, SIZE) > WIDTH:
            break
        p.circle(x + 5, top + 12, 5, fill=fill, stroke=edge, thick=2)
        p.text(x + 16, top + 16.5, words)
        x += 36 + width_of(words, SIZE)
    bottom = top + height - 48
    ticks(p, axis, top + 40, bottom)
    y = top + 40
    for title, (_, some) in zip(titles, panels):
        for line in title:
            p.box(4, y, WIDTH - 8, 20, fill="#fdfdfc", stroke="none")
            p.text(18, y + 15, line, bold=True)
            y += 20
        for name, ms, style in some:
            fill, edge, _ = STYLES[style]
            p.text(left - 6, y + 14.5, wrapped(name, WIDTH / 3)[0], anchor="end")
            p.line(left + 6, y + 10, axis.at(ms), y + 10, color="#8c959f", dash="1 3", thick=1)
            p.circle(axis.at(ms), y + 10, 5, fill=fill, stroke=edge, thick=2,
                     says=f"{name}: {digits(ms)} ms")
            words = f"{in_words(ms)} {said('wrong')}" if style == "wrong" else in_words(ms)
            p.text(min(axis.at(ms) + 11, WIDTH - 3 - width_of(words, SIZE)), y + 14.5, words)
            y += step
        y += 18
    p.centre(WIDTH / 2, bottom + 36, "milliseconds; each line is 10 times the one to its left",
             color=GREY)
    return p


def ticks(p, axis, top, bottom):
    """A vertical line for each power of ten, with its number below."""
    for power in axis.powers:
        p.line(axis.at(power), top, axis.at(power), bottom, color="#d0d7de", thick=1)
    free = 0  # where the next number may begin
    for power in axis.powers:
        half = width_of(power_of_ten(power), SIZE) / 2
        if axis.at(power) - half >= free:
            p.centre(axis.at(power), bottom + 17, power_of_ten(power))
            free = axis.at(power) + half + 6


def mark(p, x, y, number, color):
    """The sign of a curve's points: one of four shapes."""
    shape = number % 4
    if shape == 0:
        p.circle(x, y, 3.5, fill=color, stroke=color)
    elif shape == 1:
        p.box(x - 3.5, y - 3.5, 7, 7, fill=color, stroke=color, rx=0)
    elif shape == 2:
        p.circle(x, y, 3.5, fill=WHITE, stroke=color)
    else:
        p.box(x - 3.5, y - 3.5, 7, 7, fill=WHITE, stroke=color, thick=1.5, rx=0)


def curves(heading, panels):
    """panels: (lines, label of x, places of x that are ticks or None, is x logarithmic) each;
    lines: a list of points (x, ms) for each name. All times on one axis."""
    times = [ms for lines, *_ in panels for points in lines.values() for _, ms in points]
    names = [wrapped(name, WIDTH / 3)[0] for lines, *_ in panels for name in lines]
    right = WIDTH - 56 - max(width_of(name, SIZE) for name in names)
    left = 34 + max(width_of(power_of_ten(power), SIZE) for power in Scale(times, 0, 1).powers)
    each = 300
    plot_height = each - 64
    p, top = begin_picture(heading, each * len(panels) + 26)
    p.text(18, top + 16, "milliseconds", color=GREY)
    top += 30
    for lines, x_label, x_ticks, log_x in panels:
        y_axis = Scale(times, top + plot_height, top)
        x_axis = Scale([x for points in lines.values() for x, _ in points], left + 8, right - 8,
                       log=log_x, whole_powers=False)
        for power in y_axis.powers:
            p.line(left, y_axis.at(power), right, y_axis.at(power), color="#d0d7de", thick=1)
            p.text(left - 8, y_axis.at(power) + 4.5, power_of_ten(power), anchor="end")
        free = 0
        for x in x_ticks or x_axis.powers:
            half = width_of(short(x), SIZE) / 2
            p.line(x_axis.at(x), top, x_axis.at(x), top + plot_height + 4, color=PALE_GREY, thick=1)
            if x_axis.at(x) - half >= free:
                p.centre(x_axis.at(x), top + plot_height + 19, short(x))
                free = x_axis.at(x) + half + 6
        p.centre((left + right) / 2, top + plot_height + 40, x_label, color=GREY)
        # The names stand in the order in which the curves end.
        ordered = sorted(lines, key=lambda name: -max(lines[name])[1])
        for number, name in enumerate(lines):
            plain = name == "plain read"
            color = INK if plain else COLORS[number % len(COLORS)]
            dash = "2 4" if plain else DASHES[number // len(COLORS) % len(DASHES)]
            points = [(x_axis.at(x), y_axis.at(ms)) for x, ms in sorted(lines[name])]
            y = top + 12 + 20 * ordered.index(name)
            for places in (points, [(right + 10, y), (right + 34, y)]):
                p.curve(places, color=color, dash=dash)
                if not plain:
                    for place in places if places is points else [(right + 22, y)]:
                        mark(p, *place, number, color)
            for (x, ms), place in zip(sorted(lines[name]), points):
                p.circle(*place, 8, fill="transparent", stroke="none",
                         says=f"{name}, {short(x)}: {digits(ms)} ms")
            p.text(right + 40, y + 4.5, wrapped(name, WIDTH / 3)[0])
        top += each
    return p
