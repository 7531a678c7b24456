"""Pictures of basics/ that several chapters lean on: memory, occupancy, scopes, deadlock."""
from .svg import (BLUE, GREEN, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE,
                  Picture, RED, WHITE)


def memory_levels():
    """basics/pictures/06_memory_levels.svg"""
    p = Picture(620, 430, "Registers, shared memory, L2 cache, global memory: the farther from the "
                "thread, the slower, and the more threads share it.")
    p.text(20, 30, "The farther from the thread, the slower, and the more threads share it", bold=True,
           size=14)
    p.text(20, 52, "Figures of an NVIDIA H200", color=GREY)
    levels = (
        (130, "registers", PALE_BLUE, "one thread's own",
         "256 KiB per multiprocessor", "used by the instruction itself"),
        (180, "shared memory", PALE_GREEN, "one block's",
         "228 KiB per multiprocessor", "beside the L1 cache, as fast as it"),
        (230, "L2 cache", PALE_ORANGE, "all threads'",
         "60 MiB; carries out the atomics", "one word: an integer atomic per 0.74 ns"),
        (280, "global memory (DRAM)", PALE_GREY, "all threads'",
         "gigabytes; read at 4.3 TB/s", "one load: some 600 clock cycles"),
    )
    y = 66
    for width, name, fill, whose, size, time in levels:
        p.box(160 - width / 2, y, width, 58, fill=fill)
        p.centre(160, y + 25, name, bold=True)
        p.centre(160, y + 44, whose, size=12)
        p.lines(318, y + 24, size, time, step=21)
        y += 58
        p.arrow(160, y, 160, y + 22, thick=2)
        p.arrow(160, y + 22, 160, y, thick=2)
        y += 22
    p.box(20, y, 280, 28, "memory of the host", dash="5 4", stroke=GREY)
    p.text(318, y + 19, "reached by cudaMemcpy")
    return p


def occupancy():
    """basics/pictures/02_occupancy.svg"""
    p = Picture(620, 330, "A multiprocessor with room for 2048 threads holds 8 blocks of 256, or 3 "
                "that take 64 KiB of shared memory each.")
    p.text(20, 30, "How many blocks of 256 threads does one multiprocessor hold?", bold=True,
           size=15)
    cases = ((20, "each block: no shared memory", 8, 0, "8 blocks: threads are the limit",
              "8 * 256 = 2048 threads", "occupancy 100 %"),
             (320, "each block: 64 KiB", 3, 64, "3 blocks: shared memory is the limit",
              "3 * 256 = 768 threads", "occupancy 37.5 %"))
    for left, title, blocks, each, words, threads, share in cases:
        p.text(left, 60, title, bold=True)
        p.text(left, 86, "room for 2048 threads", size=12)
        for i in range(8):
            p.box(left + 34 * i, 94, 34, 44, "256" if i < blocks else "",
                  fill=PALE_BLUE if i < blocks else WHITE, rx=0, size=12,
                  dash="" if i < blocks else "3 3", stroke=BLUE if i < blocks else GREY)
        p.text(left, 166, "228 KiB of shared memory", size=12)
        for i in range(3):
            p.box(left + 272 * 64 / 228 * i, 174, 272 * 64 / 228, 34, "64 KiB" if each else "",
                  fill=PALE_GREEN if each else WHITE, rx=0, dash="" if each else "3 3",
                  stroke=GREEN if each else GREY, size=12)
        p.box(left + 272 * 192 / 228, 174, 272 * 36 / 228, 34, "36" if each else "", fill=WHITE,
              rx=0, dash="3 3", stroke=GREY, size=12)
        p.lines(left, 238, words, threads, step=20)
        p.text(left, 284, share, bold=True, color=GREEN if not each else ORANGE)
    p.text(20, 314, "A fourth block of 64 KiB does not fit: it waits until one of the three ends.",
           color=GREY)
    return p


def scopes():
    """basics/pictures/scopes.svg"""
    p = Picture(620, 330, "Three scopes as nested boxes: a block, a device, the whole system.")
    p.text(20, 30, "The scope says among whom an atomic operation is atomic", bold=True, size=15)
    p.box(20, 46, 580, 266, fill=PALE_GREY, rx=8)
    p.text(34, 68, "system", bold=True, size=14)
    p.text(100, 68, "thread_scope_system, atomicAdd_system", mono=True, size=12)
    p.box(34, 80, 400, 218, fill=PALE_BLUE, rx=8)
    p.text(48, 102, "device", bold=True, size=14)
    p.text(110, 102, "thread_scope_device, atomicAdd", mono=True, size=12)
    for left, name in ((48, "block"), (246, "another block")):
        p.box(left, 114, 174, 172, fill=PALE_GREEN, rx=8, dash="" if left == 48 else "5 4")
        p.text(left + 12, 136, name, bold=True, size=14)
        for i in range(4):
            p.circle(left + 30 + 38 * i, 240, 12, fill=WHITE)
    p.lines(60, 158, "thread_scope_block", "atomicAdd_block", mono=True, size=12)
    p.centre(135, 276, "threads", size=12)
    p.centre(333, 276, "threads", size=12)
    p.box(448, 80, 138, 102, "another GPU", fill=PALE_ORANGE, rx=8)
    p.box(448, 196, 138, 102, "the CPU", fill=PALE_ORANGE, rx=8)
    return p


def deadlock():
    """basics/pictures/deadlock.svg"""
    p = Picture(620, 300, "Two threads hold a lock each and wait for the other's; in one order for "
                "all, one of them goes on.")
    for left, title, color in ((20, "each takes its own first: a deadlock", RED),
                               (330, "all take lock 2 before lock 7", GREEN)):
        p.text(left, 32, title, bold=True, size=14, color=color)
    for left, wrong in ((20, True), (330, False)):
        p.box(left, 60, 92, 44, "thread 5", fill=PALE_BLUE, bold=True)
        p.box(left, 170, 92, 44, "thread 9", fill=PALE_BLUE, bold=True)
        p.box(left + 180, 60, 90, 44, "lock 2", fill=PALE_ORANGE, bold=True)
        p.box(left + 180, 170, 90, 44, "lock 7", fill=PALE_ORANGE, bold=True)
        p.arrow(left + 180, 74, left + 92, 74, thick=2.5)
        p.centre(left + 136, 68, "held by", size=12)
        if wrong:
            p.arrow(left + 180, 200, left + 92, 200, thick=2.5)
            p.centre(left + 136, 216, "held by", size=12)
            p.arrow(left + 92, 94, left + 180, 178, color=RED, dash="5 4", thick=2)
            p.arrow(left + 92, 180, left + 180, 98, color=RED, dash="5 4", thick=2)
            p.text(left + 180, 142, "wants", size=12, color=RED)
        else:
            p.arrow(left + 92, 192, left + 156, 192, left + 156, 94, left + 180, 94,
                    color=ORANGE, dash="5 4", thick=2)
            p.text(left + 102, 210, "wants", size=12, color=ORANGE)
            p.arrow(left + 240, 170, left + 240, 140, left + 46, 140, left + 46, 104,
                    color=GREEN, thick=2.5)
            p.text(left + 164, 132, "then held by", size=12, color=GREEN)
    p.lines(20, 252, "Neither gets its second lock,", "and neither gives back its first.", step=20)
    p.lines(330, 252, "Thread 9 waits with empty hands,", "so thread 5 gets both, and ends.",
            step=20)
    return p
