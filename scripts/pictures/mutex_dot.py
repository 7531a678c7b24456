"""Pictures of mutex_dot/: order between threads."""
from .svg import GREEN, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_ORANGE, Picture, WHITE


def message_passing():
    """mutex_dot/pictures/message_passing.svg"""
    p = Picture(760, 330, "A release of a flag and the acquire that reads it put data in order.")
    p.text(
        24,
        30,
        "Thread A sends a number to thread B.  data and flag are 0 at first.",
        bold=True,
        size=14)
    p.centre(170, 64, "thread A", bold=True)
    p.centre(580, 64, "thread B", bold=True)
    p.box(40, 78, 260, 38, "data = 42;", fill=PALE_BLUE, mono=True)
    p.box(40, 136, 260, 38, "flag.store(1, release);", fill=PALE_ORANGE, mono=True, thick=2.5)
    p.box(430, 136, 306, 38, "while (flag.load(acquire) == 0) {}", fill=PALE_ORANGE, mono=True,
          thick=2.5)
    p.box(430, 194, 306, 38, "print(data);      // 42", fill=PALE_GREEN, mono=True)
    p.arrow(170, 116, 170, 135, color=GREY)
    p.arrow(580, 174, 580, 193, color=GREY)
    p.arrow(300, 155, 429, 155, color=ORANGE, thick=3)
    p.centre(365, 130, "reads the 1", size=12)
    p.centre(365, 146, "of the release", size=12)
    p.arrow(18, 80, 18, 230, color=GREY)
    p.text(14, 248, "time", size=12, color=GREY)
    p.lines(56, 262, "release: all that thread A wrote before comes before the flag.",
            "acquire: all that thread B reads after comes after the flag.",
            "So data = 42 comes before print(data). With relaxed instead of release or acquire, B "
            "may print 0.", step=22)
    return p


def mutex():
    """mutex_dot/pictures/mutex.svg"""
    p = Picture(760, 370, "Three blocks take turns at one mutex, each to add its sum to d_dot.")
    p.text(
        24,
        30,
        "Three blocks add their partial sums 5, 7 and 3 to d_dot, one at a time",
        bold=True,
        size=14)
    left, turn, height = 96, 130, 34
    compute = (170, 210, 170)
    order = (1, 2, 0)  # which turn each block gets
    start = 96 + 170
    for block, (width, place) in enumerate(zip(compute, order)):
        y = 60 + 62 * block
        begin = (start - 40) + turn * place
        p.text(left - 12, y + 22, f"block {block}", anchor="end", bold=True)
        p.box(left, y, width - 40, height, "partial sum", fill=PALE_BLUE)
        if begin > left + width - 40:
            p.box(left + width - 40, y, begin - left - width + 40, height, "waits", dash="4 4",
                  color=GREY, stroke=GREY, size=12)
        p.box(begin, y, turn - 16, height, f"adds {(5, 7, 3)[block]}", fill=PALE_ORANGE, thick=2.5,
              bold=True)
    ends = {place: (60 + 62 * block) for block, place in enumerate(order)}
    for place in (0, 1):
        x1 = start - 40 + turn * (place + 1) - 16
        p.arrow(x1, ends[place] + 17, x1 + 15, ends[place + 1] + 17, color=ORANGE, thick=2)
    y = 252
    p.text(left - 12, y + 20, "d_dot", anchor="end", mono=True)
    total, x = 0, left
    for place, share in enumerate((3, 5, 7)):
        end = start - 40 + turn * (place + 1) - 16
        p.box(x, y, end - x, 28, str(total), fill=WHITE, rx=0)
        total += share
        x = end
    p.box(x, y, 736 - x, 28, str(total), fill=PALE_GREEN, bold=True, rx=0)
    p.arrow(left, 296, 736, 296, color=GREY)
    p.text(736, 314, "time", anchor="end", size=12, color=GREY)
    p.lines(24, 334, "Thick border: the block holds the mutex. Arrow: the release that the next "
            "acquire reads.", "The blocks compute side by side. Only their additions wait for each "
            "other.", step=20)
    return p


def ticket_lock():
    """mutex_dot/pictures/ticket_lock.svg"""
    p = Picture(620, 314, "A ticket lock is a bakery: each customer draws a number and waits until "
                "it is called.")
    p.text(20, 30, "A ticket lock works like a bakery with numbers", bold=True, size=15)
    p.box(20, 52, 180, 64, fill=PALE_ORANGE)
    p.text(34, 76, "next = 8", mono=True, bold=True, size=15)
    p.text(34, 102, "the roll of tickets", size=13)
    p.box(420, 52, 180, 64, fill=PALE_GREEN)
    p.text(434, 76, "serving = 5", mono=True, bold=True, size=15)
    p.text(434, 102, "the number called", size=13)
    for i, (block, ticket) in enumerate(((2, 7), (9, 6), (4, 5))):
        x = 60 + 180 * i
        holds = ticket == 5
        p.box(x, 160, 140, 56, fill=PALE_GREEN if holds else PALE_BLUE, thick=2.5 if holds else 1)
        p.centre(x + 70, 182, f"block {block}", bold=True)
        p.centre(x + 70, 204, f"ticket {ticket}: " + ("its turn" if holds else "waits"))
    p.arrow(510, 160, 510, 118, color=GREEN, thick=2)
    p.text(496, 142, "serving + 1 when done", anchor="end", color=GREEN)
    p.arrow(110, 118, 110, 158, color=ORANGE, thick=2)
    p.text(124, 142, "atomicAdd(next, 1)", color=ORANGE, mono=True, size=12)
    p.lines(20, 252, "To draw a ticket is one atomic. To wait is to read: no block tries again and "
            "again.", "The blocks are served in the order in which they drew, so none waits "
            "forever.", "The next block draws ticket 8.", step=22)
    return p
