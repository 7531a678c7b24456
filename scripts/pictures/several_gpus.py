"""Pictures of several_gpus/."""
from .svg import (BLUE, GREEN, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE, Picture)


def ways():
    """several_gpus/pictures/ways.svg"""
    p = Picture(760, 330, "Each GPU has a part of the array; the three ways to join the results.")
    p.text(24, 30, "Two GPUs, each with its part; where the result comes together", bold=True,
           size=14)
    for column, title in enumerate(("2. the host joins", "3. memory of GPU 0", "4. pinned memory")):
        x = 24 + 246 * column
        p.text(x, 62, title, bold=True)
        for gpu in (0, 1):
            left = x + 112 * gpu
            p.box(left, 74, 100, 26, f"GPU {gpu}: part {gpu}", fill=PALE_BLUE, size=12)
        middle = x + 106
        if column == 0:
            for gpu in (0, 1):
                left = x + 112 * gpu
                p.arrow(left + 50, 102, left + 50, 142, color=GREEN)
                p.box(left + 12, 144, 76, 26, f"result {gpu}", fill=PALE_GREEN, size=12)
                p.arrow(left + 50, 172, middle, 226, color=GREY)
            p.box(middle - 56, 228, 112, 28, "host: +", fill=PALE_GREY, size=12)
        elif column == 1:
            p.arrow(x + 50, 102, x + 50, 186, color=GREEN)
            p.arrow(x + 162, 102, x + 92, 186, color=ORANGE, thick=2.5)
            p.box(x, 188, 124, 28, "result, on GPU 0", fill=PALE_GREEN, size=12)
        else:
            for gpu in (0, 1):
                left = x + 112 * gpu
                p.arrow(left + 50, 102, left + 50, 186, color=ORANGE, thick=2.5)
                p.box(left + 12, 188, 76, 28, f"result {gpu}", fill=PALE_ORANGE, size=12)
                p.arrow(left + 50, 218, middle + (24 if gpu else -24), 238, color=GREY)
            p.box(middle - 56, 240, 112, 28, "host: +", fill=PALE_GREY, size=12)
            p.text(middle, 154, "in the host's", anchor="middle", color=GREY, size=12)
            p.text(middle, 170, "memory", anchor="middle", color=GREY, size=12)
    p.lines(24, 288, "Green: atomics in the GPU's own memory. Orange: atomics that leave the GPU.",
            "Grey: after the kernels have ended, the host copies what is on a GPU, and adds up.")
    return p


def mailbox():
    """several_gpus/pictures/mailbox.svg"""
    p = Picture(760, 300, "The host writes a request and then its flag; the GPU writes the answer "
                "and then its flag.")
    p.text(24, 30, "One slot of the mailbox, in pinned memory", bold=True, size=14)
    p.text(24, 62, "host", bold=True)
    p.text(320, 62, "slot", bold=True)
    p.text(566, 62, "GPU", bold=True)
    rows = ((76, "1  write the request", "request", "4  read the request", PALE_BLUE, True),
            (118, "2  flag: release", "asked", "3  flag: acquire", PALE_ORANGE, True),
            (172, "8  read the answer", "answer", "5  write the answer", PALE_GREEN, False),
            (214, "7  flag: acquire", "answered", "6  flag: release", PALE_ORANGE, False))
    for y, host, word, gpu, fill, to_gpu in rows:
        p.box(24, y, 170, 30, host, size=12)
        p.box(320, y, 110, 30, word, fill=fill, bold=True)
        p.box(566, y, 170, 30, gpu, size=12)
        for left, right in ((198, 316), (434, 562)):
            ends = (left, y + 15, right, y + 15) if to_gpu else (right, y + 15, left, y + 15)
            p.arrow(*ends, color=BLUE if to_gpu else GREEN)
    p.text(24, 276, "The flags have system scope: writer and reader are on two sides of the system.")
    return p
