"""Shapes for the pictures of the notes, written as SVG text.

A picture is a light panel with a border, so that dark text is legible on a light and on a dark
page: an image in a page does not learn which ground the page has. All sizes are in pixels, x grows
to the right and y downwards. The same calls give the same text on every machine.
"""
import contextlib
from xml.sax.saxutils import escape

INK = "#1f2328"
GREY = "#57606a"
BLUE = "#0b5cad"
ORANGE = "#a04a00"
GREEN = "#1a6b31"
RED = "#b3261e"
PALE_GREY = "#eceff2"
PALE_BLUE = "#cfe4f7"
PALE_ORANGE = "#fde0bb"
PALE_GREEN = "#cdebd0"
PALE_RED = "#f9d3d0"
WHITE = "#ffffff"

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
MIN_SIZE = 12


def number(value):
    """At most one decimal, and none that is zero."""
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


_words = {}  # of the language that is being drawn, by the English ones
_used = set()


@contextlib.contextmanager
def language(words):
    """Texts of pictures are those that `words` has for them. A text that no picture has is an
    error, at the end."""
    global _words
    _words = words
    _used.clear()
    try:
        yield
        unused = words.keys() - _used
        if unused:
            raise ValueError(f"the picture has no text '{min(unused)}'")
    finally:
        _words = {}


def said(text):
    """The text in the language that is being drawn."""
    if text in _words:
        _used.add(text)
        return _words[text]
    return text


def width_of(text, size, mono=False, bold=False):
    """About the width of a text in pixels, rather too much than too little: fonts differ."""
    text = said(text)
    full = sum(letter > "\u2fff" for letter in text)  # Chinese ones, all of one width
    if full:
        text = "".join(letter for letter in text if letter <= "\u2fff")
        return size * full + width_of(text, size, mono, bold)
    if mono:
        return 0.61 * size * len(text)
    narrow = sum(letter in "ijl.,:;'|!()[] tfrI" for letter in text)
    wide = sum(letter in "mwMW@%" for letter in text)
    capital = sum(letter.isupper() and letter not in "MWI" for letter in text)
    other = len(text) - narrow - wide - capital
    width = size * (0.38 * narrow + 0.95 * wide + 0.7 * capital + 0.6 * other)
    return 1.08 * width if bold else width


class Picture:
    """One SVG file. `title` is what a screen reader says."""

    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="{escape(SANS)}">',
            f"<title>{escape(said(title))}</title>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" '
            f'fill="#fdfdfc" stroke="#8c959f"/>']

    def svg(self):
        """ASCII: other characters by their numbers."""
        text = "\n".join([*self.parts, "</svg>", ""])
        return text.encode("ascii", "xmlcharrefreplace").decode()

    def text(self, x, y, text, size=13, anchor="start", color=INK, bold=False, mono=False):
        """A line of text from x to the right; y is its baseline. Text that leaves the picture is
        an error."""
        width = width_of(text, size, mono, bold)
        left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
        if size < MIN_SIZE or left < 2 or left + width > self.width - 2 or y > self.height - 4:
            raise ValueError(f"no room for '{text}' ({number(left)} to {number(left + width)})")
        style = ' font-weight="600"' * bold
        if mono:
            style += f' font-family="{escape(MONO)}" xml:space="preserve"'
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" '
                          f'text-anchor="{anchor}" fill="{color}"{style}>{escape(said(text))}</text>')

    def centre(self, x, y, text, **style):
        """A line of text with its middle at x."""
        self.text(x, y, text, anchor="middle", **style)

    def lines(self, x, y, *texts, step=18, **style):
        """Lines of text, one below the other; returns the baseline after the last."""
        for text in texts:
            self.text(x, y, text, **style)
            y += step
        return y

    def box(self, x, y, width, height, label="", fill=WHITE, stroke=INK, dash="", thick=1, rx=3,
            **style):
        """A rectangle with its label in the middle. A label wider than its box is an error."""
        self.parts.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
                          f'height="{number(height)}" rx="{rx}" fill="{fill}" stroke="{stroke}"'
                          + f' stroke-width="{number(thick)}"' * (thick != 1)
                          + f' stroke-dasharray="{dash}"' * bool(dash) + "/>")
        if label != "":
            size = style.get("size", 13)
            if width_of(str(label), size, style.get("mono"), style.get("bold")) > width + 2:
                raise ValueError(f"'{label}' is wider than its box")
            self.centre(x + width / 2, y + height / 2 + 0.35 * size, str(label), **style)

    def cells(self, x, y, labels, width=32, height=28, fill=WHITE, **style):
        """Boxes side by side, as words in memory. `fill`: one colour, or one per label."""
        fills = [fill] * len(labels) if isinstance(fill, str) else fill
        for i, label in enumerate(labels):
            self.box(x + i * width, y, width, height, label, fill=fills[i], rx=0, **style)

    def line(self, x1, y1, x2, y2, color=INK, dash="", thick=1.5):
        self.parts.append(f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" '
                          f'y2="{number(y2)}" stroke="{color}" stroke-width="{number(thick)}"'
                          + f' stroke-dasharray="{dash}"' * bool(dash) + "/>")

    def arrow(self, *points, color=INK, dash="", thick=1.5):
        """A line through the points, x and y by turns, with a head at the last."""
        corners = list(zip(points[::2], points[1::2]))
        (x1, y1), (x2, y2) = corners[-2:]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        corners[-1] = (x2 - 6 * dx, y2 - 6 * dy)  # the line ends inside the head
        path = " L".join(f"{number(x)} {number(y)}" for x, y in corners)
        head = " ".join(f"{number(x2 - 9 * dx + side * dy)},{number(y2 - 9 * dy - side * dx)}"
                        for side in (4, -4))
        self.parts.append(f'<path d="M{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{number(thick)}"'
                          + f' stroke-dasharray="{dash}"' * bool(dash) + "/>")
        self.parts.append(f'<polygon points="{number(x2)},{number(y2)} {head}" fill="{color}"/>')

    def circle(self, x, y, radius, fill=WHITE, stroke=INK, dash="", thick=1.5, says=""):
        """`says`: what a browser shows for the circle when it is pointed at."""
        end = f"><title>{escape(says)}</title></circle>" if says else "/>"
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" '
                          f'fill="{fill}" stroke="{stroke}" stroke-width="{number(thick)}"'
                          + f' stroke-dasharray="{dash}"' * bool(dash) + end)

    def segments(self, ends, color=INK, thick=1.5):
        """Many separate lines in one element. `ends`: x1, y1, x2, y2 of each."""
        path = "".join("M{} {}L{} {}".format(*map(number, four)) for four in ends)
        self.parts.append(f'<path d="{path}" stroke="{color}" stroke-width="{number(thick)}"/>')

    def curve(self, points, color=INK, dash="", thick=1.5):
        """Straight lines from each point (x, y) to the next."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{number(thick)}"'
                          + f' stroke-dasharray="{dash}"' * bool(dash) + "/>")

    def bracket(self, x1, x2, y, label, depth=8, **style):
        """A bracket below y from x1 to x2, with its label below."""
        self.parts.append(f'<path d="M{number(x1)} {number(y)}v{depth}H{number(x2)}v-{depth}" '
                          f'fill="none" stroke="{GREY}"/>')
        self.centre((x1 + x2) / 2, y + depth + 15, label, **style)
