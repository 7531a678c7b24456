"""Pictures of basics/: threads, memory, the tree, warps."""
from .svg import (BLUE, GREY, INK, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE, PALE_RED,
                  Picture, RED, WHITE)


def threads():
    """basics/pictures/01_threads.svg"""
    p = Picture(760, 400, "A grid of three blocks; a block of 64 threads is two warps of 32 lanes.")
    p.text(24, 30, "A grid:  kernel<<<3, 64>>>()  starts 3 blocks of 64 threads each",
           bold=True, size=14)
    for block in range(3):
        chosen = block == 1
        p.box(24 + 240 * block, 46, 232, 44, f"block {block}:  blockIdx.x = {block}",
              fill=PALE_BLUE if chosen else WHITE, thick=2 if chosen else 1)
    p.line(264, 90, 24, 142, color=GREY, dash="4 4", thick=1)
    p.line(496, 90, 736, 142, color=GREY, dash="4 4", thick=1)
    p.box(24, 142, 712, 186, fill=PALE_BLUE)
    p.text(36, 164, "block 1:  64 threads, 2 warps", bold=True, size=14)
    x, width = 88, 20
    for lane in range(32):
        p.centre(x + width * lane + width / 2, 192, str(lane), size=12, color=GREY)
    p.text(x - 8, 192, "lane", anchor="end", color=GREY)
    for warp in range(2):
        y = 202 + 44 * warp
        p.text(x - 8, y + 20, f"warp {warp}", anchor="end", bold=True)
        labels = [str(32 * warp + lane) for lane in range(32)]
        p.cells(x, y, labels, width=width, height=30, size=12,
                fill=[PALE_ORANGE if label == "40" else WHITE for label in labels])
    p.box(x + width * 8, 246, width, 30, "40", fill=PALE_ORANGE, thick=2.5, size=12, rx=0,
          bold=True)
    p.text(x + 640, 304, "The numbers in the boxes are threadIdx.x.", anchor="end", color=GREY)
    p.arrow(x + width * 8 + 10, 352, x + width * 8 + 10, 279, color=ORANGE)
    p.text(24, 368, "Thread 40 of block 1 is lane 40 % 32 = 8 of warp 40 / 32 = 1.")
    p.text(24, 388, "Its index in the grid:  "
           "blockIdx.x * blockDim.x + threadIdx.x = 1 * 64 + 40 = "
           "104")
    return p


def device():
    """basics/pictures/02_device.svg"""
    p = Picture(760, 470, "A GPU with its multiprocessors, and where each number belongs.")
    p.box(16, 16, 728, 438, fill="#f6f8fa", stroke=GREY)
    p.text(30, 40, "the GPU (the numbers are those of an H200)", bold=True, size=14)
    p.text(730, 40, "compute capability: major, minor", anchor="end", size=12, color=GREY)

    # One multiprocessor, drawn large, beside the others.
    p.box(30, 58, 508, 236, fill=PALE_BLUE)
    p.text(42, 80, "a multiprocessor: up to 2048 threads, up to 32 blocks", bold=True)
    p.lines(42, 97, "maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor", size=12, mono=True,
            color=GREY)
    for i in range(3):
        p.box(42 + 164 * i, 110, 156, 78)
        p.text(50 + 164 * i, 128, f"block {i}", bold=True)
        for warp in range(2):
            p.box(50 + 164 * i + 71 * warp, 138, 66, 18, fill=PALE_ORANGE, rx=0)
            p.centre(83 + 164 * i + 71 * warp, 151, "warp", size=12)
        p.text(50 + 164 * i, 176, "up to 1024 threads", size=12)
    p.text(42, 206, "maxThreadsPerBlock, maxThreadsDim, warpSize", size=12, mono=True, color=GREY)
    for left, what, of_all, of_block, name in (
            (42, "registers", "65,536 in all", "regsPer", "Block: 65,536"),
            (290, "shared memory", "228 KiB in all", "sharedMemPer", "Block: 48 KiB")):
        p.box(left, 216, 236, 68, fill=PALE_GREEN)
        p.text(left + 10, 234, f"{what}: {of_all}", size=12)
        p.text(left + 10, 253, of_block + "Multiprocessor", size=12, mono=True, color=GREY)
        p.text(left + 10, 271, of_block + name, size=12, mono=True, color=GREY)

    for i in range(6):
        p.box(556 + 58 * (i % 3), 58 + 66 * (i // 3), 50, 56, "SM", fill=PALE_BLUE)
    p.centre(638, 212, "...", bold=True, size=16)
    p.text(556, 240, "132 multiprocessors", bold=True)
    p.text(556, 258, "multiProcessorCount", size=12, mono=True, color=GREY)
    for middle in (284, 642):
        p.arrow(middle, 314, middle, 297, color=GREY)
        p.arrow(middle, 297, middle, 314, color=GREY)
        p.arrow(middle, 380, middle, 363, color=GREY)
        p.arrow(middle, 363, middle, 380, color=GREY)
    p.box(30, 316, 700, 46, fill=PALE_ORANGE)
    p.text(42, 344, "L2 cache, one for all multiprocessors: 60 MiB")
    p.text(718, 344, "l2CacheSize", anchor="end", mono=True, size=12, color=GREY)
    p.box(30, 382, 700, 58, fill=PALE_GREY)
    p.text(42, 406, "global memory")
    p.text(718, 406, "totalGlobalMem", anchor="end", mono=True, size=12, color=GREY)
    p.text(42, 428, "constant memory, a part of it: 64 KiB")
    p.text(718, 428, "totalConstMem", anchor="end", mono=True, size=12, color=GREY)
    return p


def grid_stride():
    """basics/pictures/03_grid_stride.svg"""
    p = Picture(760, 320, "Four threads stride over sixteen elements: thread 0 takes 0, 4, 8, 12.")
    p.text(24, 30, "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)",
           mono=True)
    p.text(24, 56, "16 elements, a grid of 2 blocks of 2 threads: "
           "stride = gridDim.x * blockDim.x = 4.")
    x, y, width = 52, 136, 41
    fills = [PALE_ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY]
    p.text(x - 8, y + 20, "i", anchor="end")
    p.cells(x, y, [str(i) for i in range(16)], width=width, height=30,
            fill=[fills[i % 4] for i in range(16)])
    for i in range(16):
        p.centre(x + width * i + width / 2, y + 48, f"t{i % 4}", size=12,
                 bold=i % 4 == 0)
    for i in (0, 4, 8):
        left = x + width * i + width / 2
        p.arrow(left, y - 2, left, y - 32, left + 4 * width - 4, y - 32, left + 4 * width - 4,
                y - 2, color=ORANGE, thick=2)
        p.centre(left + 2 * width, y - 38, "+ 4", color=ORANGE, bold=True)
    for turn in range(4):
        p.bracket(x + width * 4 * turn + 4, x + width * 4 * (turn + 1) - 4, y + 56,
                  f"turn {turn + 1}")
    p.lines(24, 250, "t0 to t3 are the four threads. Thread t0 takes the elements 0, 4, 8 and 12 "
            "(the arrows).",
            "In each turn neighboring threads read neighboring elements.",
            "The same grid takes any n: a larger n only means more turns.",
            step=20)
    return p


def pitched_memory():
    """basics/pictures/04_pitched_memory.svg"""
    p = Picture(760, 330, "Rows of 10 words, one after the other and with a pitch of 16 words.")
    p.text(24, 30, "A matrix with 3 rows of 10 words. Thick lines are the borders of sectors: "
           "8 words each.", bold=True, size=14)
    width, x, y = 14, 24, 84
    fills = [PALE_ORANGE, PALE_BLUE, PALE_GREEN]

    def words(y, row_of):
        """48 words of memory; row_of(word) is the row that it belongs to, or None."""
        for word in range(48):
            row = row_of(word)
            p.box(x + width * word, y, width, 30, fill=WHITE if row is None else fills[row], rx=0,
                  stroke=GREY, thick=0.7)
        for sector in range(7):
            p.line(x + width * 8 * sector, y - 6, x + width * 8 * sector, y + 36, thick=2.5)

    p.text(x, y - 16, "One row after the other: row 1 begins in the middle of a sector.")
    words(y, lambda word: word // 10 if word < 30 else None)
    for row in range(3):
        p.bracket(x + width * 10 * row + 2, x + width * 10 * (row + 1) - 2, y + 38, f"row {row}")
    y = 196
    p.text(x, y - 16, "With a pitch of 16 words: each row begins at a sector.")
    words(y, lambda word: word // 16 if word % 16 < 10 else None)
    for row in range(3):
        p.bracket(x + width * 16 * row + 2, x + width * (16 * row + 10) - 2, y + 38, f"row {row}")
        p.bracket(x + width * (16 * row + 10) + 2, x + width * 16 * (row + 1) - 2, y + 38, "unused",
                  color=GREY)
    p.lines(24, 290, "The address of row y is that of the first row, plus y * pitch bytes.",
            "Real pitches are larger, often a multiple of 512 bytes.", step=20)
    return p


def coalescing():
    """basics/pictures/05_coalescing.svg"""
    p = Picture(760, 420, "A warp that reads along a row touches 4 sectors; along a column, 32.")
    p.text(24, 30, "A warp reads 32 floats of a matrix. Memory answers in sectors of 32 bytes: "
           "8 floats.", bold=True, size=14)

    def row(x, y, name, used):
        """A row of the matrix as four sectors; `used`: the words that the warp reads."""
        p.text(x - 8, y + 13, name, anchor="end", size=12)
        for sector in range(4):
            here = [word for word in used if word // 8 == sector]
            p.box(x + 72 * sector, y, 72, 17, fill=PALE_ORANGE if here else WHITE, rx=0,
                  thick=2 if here else 1)
            if here:
                p.box(x + 9 * here[0], y, 9 * len(here), 17, fill=ORANGE, rx=0)
        p.segments([(x + 9 * word, y, x + 9 * word, y + 17) for word in range(1, 32)],
                   color=GREY, thick=0.5)

    left, right = 70, 452
    p.text(left, 66, "along a row: row 0, column lane", bold=True)
    p.text(right, 66, "along a column: row lane, column 0", bold=True)
    for x, used in ((left, lambda name: range(32) if name == 0 else ()),
                    (right, lambda name: (0,))):
        y = 104
        for name in (0, 1, 2, 3, None, 30, 31):
            if name is None:
                p.centre(x + 144, y + 14, ". . .", bold=True)
            else:
                row(x, y, f"row {name}", used(name))
            y += 25
        for sector in range(4):
            p.centre(x + 72 * sector + 36, 98, f"sector {sector}", size=12, color=GREY)
    p.lines(
        left,
        304,
        "4 sectors = 128 bytes come from memory,",
        "and the warp uses all 128 bytes.",
        "This access is coalesced.",
        step=19)
    p.lines(
        right,
        304,
        "32 sectors = 1024 bytes come,",
        "and the warp uses 128 of them: one eighth.",
        "This access is not coalesced.",
        step=19)
    p.box(left, 376, 18, 17, fill=ORANGE, rx=0)
    p.text(left + 26, 389, "a float that the warp uses")
    p.box(left + 216, 376, 18, 17, fill=PALE_ORANGE, rx=0, thick=2)
    p.text(left + 242, 389, "comes with its sector")
    p.box(left + 432, 376, 18, 17, fill=WHITE, rx=0)
    p.text(left + 458, 389, "is not read")
    return p


def memory():
    """basics/pictures/04_memory.svg"""
    p = Picture(760, 400, "Pageable memory is copied twice, pinned memory once; pages of unified "
                "memory move.")
    p.box(24, 20, 440, 356, fill="#f6f8fa", stroke=GREY)
    p.text(36, 42, "memory of the host", bold=True, size=14)
    p.box(564, 20, 172, 356, fill="#f6f8fa", stroke=GREY)
    p.text(576, 42, "memory of the GPU", bold=True, size=14)
    left, width, gpu = 44, 150, 598

    y = 84
    p.text(left, y - 10, "pageable: std::vector")
    p.cells(left, y, [""] * 4, width=width / 4, height=34, fill=PALE_ORANGE)
    p.box(318, y, 126, 34, "driver's buffer", fill=PALE_GREY, rx=0)
    p.cells(gpu, y, [""] * 4, width=30, height=34, fill=PALE_ORANGE)
    p.text(gpu, y - 10, "a copy")
    p.arrow(left + width + 4, y + 17, 314, y + 17, color=ORANGE)
    p.centre(254, y + 8, "copy 1 (CPU)", size=12, color=ORANGE)
    p.arrow(448, y + 17, gpu - 4, y + 17, color=ORANGE)
    p.centre(514, y + 8, "copy 2", size=12, color=ORANGE)
    p.text(left, y + 54, "piece by piece", size=12, color=GREY)

    y = 202
    p.text(left, y - 10, "pinned: cudaMallocHost")
    p.cells(left, y, [""] * 4, width=width / 4, height=34, fill=PALE_BLUE)
    p.cells(gpu, y, [""] * 4, width=30, height=34, fill=PALE_BLUE)
    p.text(gpu, y - 10, "a copy")
    p.arrow(left + width + 4, y + 17, gpu - 4, y + 17, color=BLUE)
    p.centre(322, y + 8, "one copy (the GPU itself)", size=12, color=BLUE)

    y = 300
    p.text(left, y - 10, "unified: cudaMallocManaged")
    labels = ["0", "1", "", ""]
    p.cells(left, y, labels, width=width / 4, height=34,
            fill=[PALE_GREEN if label else WHITE for label in labels])
    labels = ["", "", "2", "3"]
    p.cells(gpu, y, labels, width=30, height=34,
            fill=[PALE_GREEN if label else WHITE for label in labels])
    p.text(gpu, y - 10, "the same pointer")
    p.arrow(gpu - 4, y + 10, left + width + 4, y + 10, color=GREY)
    p.arrow(left + width + 4, y + 24, gpu - 4, y + 24, color=GREY)
    p.centre(326, y + 48, "a page moves when the other side uses it", size=12, color=GREY)
    p.text(left, y + 54, "pages 0 and 1", size=12, color=GREY)
    p.text(gpu, y + 54, "pages 2 and 3", size=12, color=GREY)
    return p


def tree():
    """basics/pictures/06_tree.svg"""
    p = Picture(760, 450, "The tree adds 8 numbers with the offsets 4, 2 and 1.")
    p.text(
        24,
        30,
        "A tree adds 8 numbers in shared memory in 3 steps, with a barrier before each",
        bold=True,
        size=14)
    values = [i * 7 % 10 for i in range(8)]  # those of 06_shared_memory.cu
    x, width, height, step = 160, 60, 30, 104
    y = 66
    for i in range(8):
        p.centre(x + width * i + width / 2, y - 8, f"s_x[{i}]", size=12, color=GREY)
    offset, label = 8, "8 threads store"
    while True:
        p.text(24, y + 13, label, bold=True)
        if offset < 8:
            p.text(24, y + 30, "thread 0 adds" if offset ==
                   1 else f"threads 0 to {offset - 1} add", size=12, color=GREY)
        p.cells(x, y, [str(value) for value in values], width=width, height=height,
                fill=[PALE_GREEN if i < offset else PALE_GREY for i in range(8)])
        if offset == 1:
            p.box(x, y, width, height, str(values[0]), fill=PALE_GREEN, thick=3, bold=True, rx=0)
            break
        barrier = y + height + 22
        p.line(24, barrier, x + 8 * width, barrier, color=RED, dash="7 4", thick=2)
        p.text(x + 8 * width + 8, barrier + 4, "barrier", color=RED, size=12)
        offset //= 2
        for i in range(offset):
            to = x + width * i + width / 2
            p.arrow(to - 8, y + height, to - 8, y + step - 2, color=BLUE)
            p.arrow(to + width * offset, y + height, to + width * offset, barrier + 14,
                    to + 8, y + step - 2, color=ORANGE)
        values = [values[i] + values[i + offset] if i < offset else values[i] for i in range(8)]
        y, label = y + step, f"offset = {offset}"
    p.text(24, 434, "if (tid < offset) { s_x[tid] += s_x[tid + offset]; }", mono=True)
    p.text(736, 434, "Grey words are not read again.", anchor="end", color=GREY)
    return p


def banks():
    """basics/pictures/06_banks.svg"""
    p = Picture(760, 400, "How many lanes of a warp meet at each of the 32 banks, by stride.")
    p.text(24, 30, "Shared memory has 32 banks: word w lies in bank w % 32. Lane k reads word "
           "stride * k.", bold=True, size=14)
    x, width = 92, 19
    p.text(x - 8, 62, "bank", anchor="end", color=GREY)
    for bank in range(32):
        p.centre(x + width * bank + width / 2, 62, str(bank), size=12, color=GREY)
    texts = {1: "Each lane has a bank of its own: 1 turn.",
             2: "2 different words in each even bank, as of lanes 0 and 16 in bank 0: 2 turns.",
             32: "All 32 words lie in bank 0: 32 turns, one after the other.",
             33: "One unused word per row of 32: each lane has a bank of its own again: 1 turn."}
    y = 76
    for stride, text in texts.items():
        met = [sum(lane * stride % 32 == bank for lane in range(32)) for bank in range(32)]
        p.text(x - 8, y + 19, f"stride {stride}", anchor="end", bold=True)
        p.cells(x, y, [str(lanes) if lanes else "" for lanes in met], width=width, height=28,
                size=12, fill=[WHITE if lanes == 0 else PALE_GREEN if lanes == 1 else PALE_RED
                               for lanes in met])
        p.text(x, y + 48, text)
        y += 72
    p.text(
        24,
        382,
        "A number is how many lanes read from that bank. A bank gives one word per turn.",
        color=GREY)
    return p


def shuffle():
    """basics/pictures/07_shuffle.svg"""
    p = Picture(760, 430, "Lanes of a warp add up their registers with shuffles by 4, 2 and 1.")
    p.text(24, 30, "mine += __shfl_down_sync(all_lanes, mine, offset);  // lane + offset",
           mono=True)
    p.text(24, 54, "Drawn for 8 lanes: offset 4, 2, 1. A warp has 32 lanes and takes offset 16, 8, "
           "4, 2, 1.")
    values = [i * 7 % 10 for i in range(8)]
    x, width, height, step = 128, 74, 30, 88
    y = 92
    for lane in range(8):
        p.centre(x + width * lane + width / 2, y - 10, f"lane {lane}", size=12, color=GREY)
    useful = 8
    while True:
        p.text(24, y + 20, "start" if useful == 8 else f"offset {useful}",
               bold=True)
        for lane in range(8):
            kept = lane < useful
            p.box(x + width * lane + 8, y, width - 16, height, str(values[lane]) if kept else "-",
                  fill=PALE_GREEN if kept else PALE_GREY, thick=3 if useful == 1 and kept else 1,
                  color=INK if kept else GREY, bold=useful == 1 and kept)
        if useful == 1:
            break
        useful //= 2
        for lane in range(useful):
            to = x + width * lane + width / 2
            p.arrow(to - 10, y + height, to - 10, y + step - 2, color=BLUE)
            p.arrow(to + width * useful, y + height, to + 10, y + step - 2, color=ORANGE)
        values = [values[i] + values[i + useful] if i < useful else 0 for i in range(8)]
        y += step
    p.text(
        24,
        412,
        "A lane marked - adds too, but its sum is not used. No shared memory, no barrier.",
        color=GREY)
    return p


def divergence():
    """basics/pictures/07_divergence.svg"""
    p = Picture(760, 400, "A warp at a branch runs its two sides one after the other.")
    p.text(24, 30, "if (lane < 4) { a(); } else { b(); }", mono=True)
    p.text(24, 54, "Drawn for a warp of 8 lanes. Lanes on both sides: the warp runs one side, then "
           "the other.")
    columns = [("lane < 4 ?", 120), ("a()", 190), ("b()", 190), ("after", 120)]
    y = 100
    x = 88
    for number, (label, width) in enumerate(columns):
        p.centre(x + width / 2, y - 10, label, bold=True, mono=number in (0, 1, 2))
        for lane in range(8):
            runs = number in (0, 3) or (lane < 4) == (number == 1)
            if runs:
                p.box(x + 3, y + 27 * lane, width - 6, 21, "works",
                      fill=(PALE_GREY, PALE_BLUE, PALE_ORANGE, PALE_GREY)[number], size=12)
            else:
                p.box(x + 3, y + 27 * lane, width - 6, 21, "waits", dash="4 4", stroke=GREY,
                      color=GREY, size=12)
        x += width
    for lane in range(8):
        p.text(78, y + 27 * lane + 15, f"lane {lane}", anchor="end", size=12)
    p.arrow(88, 326, 708, 326)
    p.text(716, 330, "time", size=12)
    p.lines(24, 358, "The warp takes the time of both sides. Which side is first is not defined.",
            "If all lanes of a warp take the same side, no lane waits and the other side costs "
            "nothing.", step=20)
    return p


def matrix_product():
    """basics/pictures/08_matrix_product.svg"""
    p = Picture(760, 440, "A block goes along a row of tiles of A and a column of tiles of B.")
    p.text(24, 30, "One block computes one tile of C, in as many steps as there are tiles in a row "
           "of A", bold=True, size=14)
    side, steps, row, column = 38, 5, 1, 2
    left, top, gap = 60, 62, 34
    c_left, c_top = left + steps * side + gap, top + steps * side + gap

    def tiles(x, y, rows, columns, name, step_of, fill):
        """A matrix cut into tiles; those that the block uses have the number of their step."""
        for i in range(rows):
            for j in range(columns):
                step = step_of(i, j)
                p.box(x + side * j, y + side * i, side, side, step, rx=0, bold=True,
                      fill=fill if step else WHITE, thick=2 if step else 1)
        p.text(x - 10, y + side * rows / 2 + 5, name, anchor="end", bold=True, size=16)

    tiles(left, c_top, 3, steps, "A", lambda i, j: str(j + 1) if i == row else "", PALE_BLUE)
    tiles(c_left, top, steps, 4, "B", lambda i, j: str(i + 1) if j == column else "",
          PALE_ORANGE)
    tiles(c_left, c_top, 3, 4, "C", lambda i, j: "sum" if (i, j) == (row, column) else "",
          PALE_GREEN)
    x = c_left + 4 * side + 34
    p.lines(x, top + 16, "Each box is a tile:", "16 x 16 elements.", "", "In step 1 the block", "",
            "1. loads the two tiles 1,", "2. waits at a barrier,",
            "3. adds 16 products per thread,", "4. waits at a barrier.", "",
            "In step 2 it does the same", "with the two tiles 2, and so on.", step=20)
    p.lines(24, c_top + 3 * side + 30,
            "The two tiles with the same number are in shared memory together. "
            "Then the next two replace them.", color=GREY)
    return p


def constant_memory():
    """basics/pictures/09_constant_memory.svg"""
    p = Picture(760, 310, "Constant memory gives one word per turn: 1, 2 or 8 turns for 8 lanes.")
    p.text(24, 30, "y = y * x + c_terms[polynomial][k];", mono=True)
    p.text(24, 54, "Drawn for a warp of 8 lanes. The number in a lane's box is its polynomial.")
    x, width, turns = 132, 34, 452
    for lane in range(8):
        p.centre(x + width * lane + width / 2, 86, f"{lane}", size=12, color=GREY)
    p.text(x - 10, 86, "lane", anchor="end", color=GREY)
    p.text(turns, 86, "turns, and the lanes that each serves", color=GREY)
    fills = [PALE_BLUE, PALE_ORANGE, PALE_GREEN, PALE_GREY]
    y = 98
    for group in (8, 4, 1):
        words = [lane // group for lane in range(8)]
        p.text(x - 10, y + 21, f"groups of {group}", anchor="end", bold=True)
        p.cells(x, y, [str(word) for word in words], width=width, height=32,
                fill=[fills[word % 4] for word in words])
        for word in range(8 // group):
            first = word * group
            label = f"{first}-{first + group - 1}" if group > 1 else str(first)
            p.box(turns + width * word, y, width - 4, 32, label, fill=fills[word % 4], size=12)
        p.text(x, y + 50, "All lanes read the same word." if group == 8 else
               f"The warp reads {8 // group} different words.", size=12)
        p.text(turns, y + 50, f"{8 // group} turn" + "s" * (group < 8), size=12)
        y += 68
    return p


def textures():
    """basics/pictures/09_textures.svg"""
    p = Picture(760, 350, "Four elements read as a texture: steps, and with a filter a line.")
    p.text(24, 30, "A texture of 4 elements with the values 1, 3, 2 and 4, read at every x",
           bold=True, size=14)
    values, unit, height, base = [1, 3, 2, 4], 54, 38, 270

    def panel(left, title, points):
        """The elements as boxes below an axis from -1 to 5, and the line that tex1D gives."""
        zero = left + unit
        p.text(left, 62, title, bold=True)
        p.line(left, base, left + 6 * unit, base, color=GREY)
        for at in range(-1, 6):
            p.line(zero + unit * at, base, zero + unit * at, base + 6, color=GREY)
            p.centre(zero + unit * at, base + 22, str(at), size=12, color=GREY)
        for i, value in enumerate(values):
            p.box(zero + unit * i, base - height * value, unit, height * value, fill=PALE_BLUE,
                  stroke=GREY, rx=0)
            p.centre(zero + unit * (i + 0.5), base - 8, str(value), bold=True)
            p.circle(zero + unit * (i + 0.5), base - height * value, 4, fill=ORANGE,
                     stroke=ORANGE)
        p.segments([(zero + unit * x1, base - height * y1, zero + unit * x2, base - height * y2)
                    for (x1, y1), (x2, y2) in zip(points, points[1:])], color=ORANGE, thick=2.5)

    steps = [(x, value) for i, value in enumerate(values) for x, value in ((i, value),
                                                                          (i + 1, value))]
    panel(24, "cudaFilterModePoint: the nearest element", [(-1, 1), *steps, (5, 4)])
    panel(404, "cudaFilterModeLinear: between the middles",
          [(-1, 1), *[(i + 0.5, value) for i, value in enumerate(values)], (5, 4)])
    p.lines(24, 316, "The middle of element i is at x = i + 0.5; a dot marks it.",
            "Outside of the array, cudaAddressModeClamp takes the nearest element.", step=20)
    return p


def late_store():
    """basics/pictures/11_late_store.svg"""
    p = Picture(760, 560, "Above, the flag arrives before the data, and block 1 reads the old "
                "data. Below, release and acquire put the two in order.")
    left, right, height = 96, 736, 30

    def timeline(top, title, stores, data_at, flag_at, reads):
        block_0, data, flag, block_1 = top + 14, top + 76, top + 114, top + 176
        p.text(24, top, title, bold=True, size=14)
        for y, name in ((block_0, "block 0"), (block_1, "block 1")):
            p.text(left - 12, y + 20, name, anchor="end", bold=True)
            p.line(left, y + height / 2, right, y + height / 2, color=GREY, thick=1)
        for y, name, new, at in ((data, "data", "42", data_at), (flag, "flag", "1", flag_at)):
            p.text(left - 12, y + 20, name, anchor="end", mono=True)
            p.box(left, y, at - left, height, "0", rx=0)
            p.box(at, y, right - at, height, new, fill=PALE_BLUE, rx=0, bold=True)
        for (x, width, label), y, at in zip(stores, (data, flag), (data_at, flag_at)):
            p.box(x, block_0, width, height, label, fill=PALE_BLUE, mono=True, size=12)
            p.arrow(x + width / 2, block_0 + height, at, y, color=BLUE, thick=2)
        for x, width, label, fill, row in reads:
            p.box(x, block_1, width, height, label, fill=fill, mono=True, size=12)
            y = data if row == "data" else flag
            p.arrow(x + width / 2, y + height, x + width / 2, block_1, color=GREY)

    timeline(34, "Nothing orders the two stores: the 42 is still on its way when block 1 reads",
             ((110, 90, "data = 42"), (212, 80, "flag = 1")), 600, 340,
             ((170, 64, "flag: 0", WHITE, "flag"), (254, 64, "flag: 0", WHITE, "flag"),
              (372, 64, "flag: 1", PALE_ORANGE, "flag"), (456, 64, "data: 0", PALE_RED, "data")))
    p.text(530, 208, "the old data", color=RED, bold=True)
    timeline(284, "Release and acquire: who reads this 1 also reads the 42",
             ((110, 90, "data = 42"), (212, 140, "flag = 1, release")), 420, 470,
             ((170, 64, "flag: 0", WHITE, "flag"), (270, 64, "flag: 0", WHITE, "flag"),
              (490, 132, "flag: 1, acquire", PALE_ORANGE, "flag"),
              (642, 72, "data: 42", PALE_GREEN, "data")))
    p.arrow(left, 506, right, 506, color=GREY)
    p.text(right, 523, "time", anchor="end", size=12, color=GREY)
    p.text(24, 542, "Rows data and flag: what is in memory. Slanting arrow: a store on its way.")
    return p
