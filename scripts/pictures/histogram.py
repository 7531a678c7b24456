"""Pictures of histogram/: the letters of one word."""
from .svg import (BLUE, GREY, INK, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE, Picture,
                  WHITE)

BINS = "aelmpx"


def bins(p, x, y, counts, width=44, fill=PALE_GREEN, **style):
    """Labelled bins side by side, in the order of BINS; returns the middle of each by letter."""
    p.cells(x, y, [str(count) for count in counts], width=width, height=30, fill=fill, **style)
    for i, letter in enumerate(BINS):
        p.centre(x + width * i + width / 2, y + 46, f"'{letter}'", size=12, mono=True)
    return {letter: x + width * i + width / 2 for i, letter in enumerate(BINS)}


def histogram():
    """histogram/pictures/histogram.svg"""
    word = "example"
    p = Picture(760, 330, "The letters of 'example' lead to their bins; both e's lead to one bin.")
    p.text(
        24,
        30,
        "Seven threads, a byte each: the value of the byte says which bin to add 1 to",
        bold=True,
        size=14)
    x, y, width = 172, 64, 72
    p.text(x - 16, y + 20, "d_bytes", anchor="end", mono=True)
    for i, letter in enumerate(word):
        p.box(x + width * i, y, width, 30, f"'{letter}'", mono=True, rx=0, size=15,
              fill=PALE_ORANGE if letter == "e" else WHITE, bold=letter == "e")
        p.centre(x + width * i + width / 2, y - 6, f"thread {i}", size=12, color=GREY)
    bottom = 214
    p.text(x - 16, bottom + 20, "d_bins", anchor="end", mono=True)
    middle = bins(p, x + 36, bottom, [word.count(letter) for letter in BINS], width=width,
                  bold=True, fill=[PALE_ORANGE if letter == "e" else PALE_GREEN
                                   for letter in BINS])
    for i, letter in enumerate(word):
        to = middle[letter] + (0 if letter != "e" else -8 if i == 0 else 8)
        p.arrow(x + width * i + width / 2, y + 30, to, bottom - 1,
                color=ORANGE if letter == "e" else GREY, thick=2.5 if letter == "e" else 1.2)
    p.lines(24, 294, "Two threads hold an 'e', so two threads add to one word: that needs "
            "atomicAdd.", "The real program has a bin for each of the 256 values of a byte.",
            step=20)
    return p


def private_copies():
    """histogram/pictures/private_copies.svg"""
    parts = ("exam", "ple")
    p = Picture(760, 390, "Each block counts in its own copy, and adds the copy to the totals.")
    p.text(
        24,
        30,
        "Each block counts in a copy of its own, then adds its copy to the totals",
        bold=True,
        size=14)
    lefts, width = (56, 420), 44
    total_left, total_y = 248, 280
    for block, (part, left) in enumerate(zip(parts, lefts)):
        p.box(left - 20, 48, 304, 142, fill=PALE_BLUE)
        p.text(left, 70, f"block {block} counts the bytes '{part}'", bold=True)
        p.text(left, 92, "s_bins, in shared memory:", color=GREY)
        middle = bins(p, left, 102, [part.count(letter) for letter in BINS], width=width,
                      fill=[WHITE if letter not in part else PALE_ORANGE if letter == "e"
                            else PALE_GREEN for letter in BINS])
        p.text(left, 176, "atomicAdd in shared memory: one per byte", size=12)
        for i, letter in enumerate(BINS):
            if letter in part:
                p.arrow(middle[letter], 190, middle[letter], 204 + 6 * (i if block else 5 - i),
                        total_left + width * i + width / 2 + (block * 10 - 5), total_y - 2,
                        color=ORANGE if letter == "e" else BLUE, thick=1.5)
    p.lines(528, 290, "atomicAdd in global memory:", "one per bin and block", size=12)
    p.text(total_left - 12, total_y + 20, "d_bins, in global memory:", anchor="end", color=GREY)
    word = "".join(parts)
    bins(p, total_left, total_y, [word.count(letter) for letter in BINS], width=width, bold=True,
         fill=[PALE_ORANGE if letter == "e" else PALE_GREEN for letter in BINS])
    p.lines(
        24,
        352,
        "Only the threads of one block meet in its copy. Adding a 0 is not drawn.",
        "Barriers: after the zeros are stored, and before a thread reads the finished copy.",
        step=20)
    return p


def banks():
    """histogram/pictures/banks.svg"""
    p = Picture(760, 346, "32 copies of the bins: bin b of copy c is word 32 b + c, in bank c.")
    p.text(24, 30, "32 copies of the bins, one per lane: bin b of copy c is word 32 * b + c, in "
           "bank c", bold=True, size=14)
    columns = ("0", "1", "2", "3", None, "31")
    x, width = 120, 92
    for i, bank in enumerate(columns):
        left = x + width * i
        p.centre(left + width / 2, 64, f"bank {bank}" if bank else ". . .", bold=True)
    for row, value in enumerate(("0", "1", None, "255")):
        y = 76 + 36 * row
        p.text(x - 12, y + 19, f"bin {value}" if value else ". . .", anchor="end", bold=True)
        for i, bank in enumerate(columns):
            if value and bank:
                word = 32 * int(value) + int(bank)
                p.box(x + width * i + 3, y, width - 6, 28, f"word {word}", size=12,
                      fill=PALE_ORANGE if bank == "1" else PALE_GREY)
    for i, bank in enumerate(columns):
        if bank:
            p.arrow(x + width * i + width / 2, 256, x + width * i + width / 2, 222,
                    color=ORANGE if bank == "1" else INK, thick=2.5 if bank == "1" else 1.5)
            p.centre(x + width * i + width / 2, 274, f"lane {bank}", bold=bank == "1")
    p.lines(
        24,
        306,
        "A lane counts in its own column, whatever the values of its bytes are. So the "
        "32 lanes of a warp",
        "never meet at a word or at a bank. Lanes of other warps share the column: the adds "
        "stay atomic.",
        step=20)
    return p


def match():
    """histogram/pictures/match.svg"""
    p = Picture(620, 318, "Lanes with the same letter find each other; the lowest adds for all.")
    p.text(20, 30, "__match_any_sync on 8 lanes: who has the same letter as I?", bold=True, size=15)
    letters, left, width = "teettate", 92, 62
    fills = {"t": PALE_BLUE, "e": PALE_GREEN, "a": PALE_ORANGE}
    for y, name in ((66, "letter"), (128, "mask"), (190, "adds")):
        p.text(left - 10, y + 19, name, anchor="end", bold=True)
    for lane, letter in enumerate(letters):
        x = left + width * lane
        same = [other for other, its in enumerate(letters) if its == letter]
        p.centre(x + width / 2, 58, f"lane {lane}", size=12, color=GREY)
        p.box(x, 66, width, 30, letter, fill=fills[letter], rx=0, size=15)
        bits = "".join("1" if other in same else "0" for other in reversed(range(8)))
        p.box(x, 128, width, 30, bits, fill=fills[letter], rx=0, mono=True, size=12)
        lowest = lane == same[0]
        p.box(x, 190, width, 30, f"{letter} + {len(same)}" if lowest else "",
              fill=fills[letter] if lowest else WHITE, rx=0, bold=True,
              dash="" if lowest else "3 3", stroke=INK if lowest else GREY)
    p.lines(20, 256, "Bit k of the mask stands for lane k; the lowest bit is on the right. Lanes "
            "0, 3, 4 and 6", "have a t. Lane 0 is the lowest of them and adds 4: three atomics in "
            "place of eight.", "If all lanes have the same letter, one atomic is left.", step=21)
    return p


def letters():
    """histogram/pictures/letters.svg"""
    text = "Programming Massively Parallel Processors"
    p = Picture(760, 380, "The letters of a text, upper and lower case: 'P' and 'p' are two bins.")
    p.text(24, 30, f"The letters of: {text}", bold=True, size=14)
    x, width, unit = 72, 25, 24  # of the first bar, of a letter, of one occurrence
    for first, bottom, fill in (("A", 142, PALE_ORANGE), ("a", 326, PALE_BLUE)):
        alphabet = [chr(ord(first) + i) for i in range(26)]
        highest = max(text.count(letter) for letter in alphabet)
        for count in range(highest + 1):
            y = bottom - unit * count
            p.line(x, y, x + 26 * width, y, color=GREY if count == 0 else PALE_GREY, thick=1)
            p.text(x - 8, y + 4, str(count), anchor="end", color=GREY, size=12)
        for i, letter in enumerate(alphabet):
            count = text.count(letter)
            if count > 0:
                p.box(x + width * i + 4, bottom - unit * count, width - 8, unit * count, fill=fill,
                      rx=0)
            p.centre(x + width * i + width / 2, bottom + 16, letter, size=12, mono=True)
    p.text(x + 26 * width, 62, "upper case: bytes 65 to 90", anchor="end", bold=True)
    p.text(x + 26 * width, 196, "lower case: bytes 97 to 122", anchor="end", bold=True)
    p.text(24, 366, "'P' is 80 and 'p' is 112: each has a bin of its own, and so a bar of its own.")
    return p
