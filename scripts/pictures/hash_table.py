"""Pictures of hash_table/: buckets, chains, locks."""
from .svg import (GREEN, GREY, ORANGE, PALE_BLUE, PALE_GREEN, PALE_GREY, PALE_ORANGE, PALE_RED,
                  Picture, WHITE)


def chains():
    """hash_table/pictures/chains.svg"""
    keys = (0, 2, 1027, 2050, 2048)
    p = Picture(760, 420, "Buckets hold the index of a first entry; entries link to the next.")
    p.text(24, 30, "1024 buckets; key k belongs to bucket k % 1024. Entry i of the pool holds key "
           "number i.", bold=True, size=14)
    heads = {}
    links = []
    for i, key in enumerate(keys):  # each entry goes to the front of its list
        links.append(heads.get(key % 1024))
        heads[key % 1024] = i
    p.centre(110, 64, "d_heads", mono=True)
    p.text(24, 64, "bucket", color=GREY)
    for bucket in range(4):
        y = 76 + 52 * bucket
        p.text(62, y + 20, str(bucket), anchor="end")
        first = heads.get(bucket)
        p.box(76, y, 68, 30, "end" if first is None else str(first), bold=first is not None,
              fill=PALE_GREY if first is None else PALE_ORANGE)
        x = 144
        while first is not None:
            p.arrow(x, y + 15, x + 46, y + 15)
            p.box(x + 46, y, 212, 30, fill=PALE_BLUE)
            following = links[first]
            text = f"entry {first}: key {keys[first]}, next " + \
                ("end" if following is None else str(following))
            p.centre(x + 152, y + 20, text)
            x += 258
            first = following
    p.text(24, 296, "The same entries as they lie in memory:")
    p.text(24, 342, "d_pool", mono=True)
    for i, key in enumerate(keys):
        left = 90 + 130 * i
        p.centre(left + 65, 316, f"entry {i}", size=12, color=GREY)
        p.cells(left, 322, [str(key), f"v{i}", "end" if links[i] is None else str(links[i])],
                width=40, height=30, size=12, fill=[WHITE, WHITE, PALE_ORANGE])
        p.centre(left + 60, 368, "key value next", size=12, color=GREY)
    p.text(24, 400, "A new entry goes to the front of its list: it reads the head of the bucket, "
           "and writes it again.")
    return p


def lock_per_bucket():
    """hash_table/pictures/lock_per_bucket.svg"""
    p = Picture(760, 366, "Two threads want one bucket: one holds its lock, the other waits.")
    p.text(24, 30, "A lock per bucket: 0 is free, 1 is taken", bold=True, size=14)
    p.centre(262, 60, "lock", bold=True)
    p.centre(332, 60, "head", bold=True)
    rows = ((0, 1, "4", "4", "0"), (1, 0, "end"), (2, 1, "3", "3", "1"), (3, 0, "2", "2"))
    for bucket, lock, head, *entries in rows:
        y = 72 + 54 * bucket
        p.text(226, y + 20, f"bucket {bucket}", anchor="end")
        p.box(242, y, 40, 30, str(lock), bold=True, thick=2.5 if lock else 1,
              fill=PALE_RED if lock else PALE_GREEN)
        p.box(298, y, 68, 30, head, fill=PALE_ORANGE)
        x = 366
        for entry in entries:
            p.arrow(x, y + 15, x + 40, y + 15)
            p.box(x + 40, y, 70, 30, f"entry {entry}", fill=PALE_BLUE, size=12)
            x += 110
    p.box(24, 72, 110, 30, "thread 7", fill=WHITE)
    p.arrow(134, 87, 160, 87)
    p.text(24, 118, "holds lock 0", size=12)
    p.box(24, 168, 110, 30, "thread 5", fill=WHITE)
    p.arrow(134, 183, 160, 191)
    p.text(24, 160, "holds lock 2", size=12)
    p.box(24, 214, 110, 30, "thread 9", fill=WHITE, dash="4 4")
    p.arrow(134, 229, 160, 201, dash="4 4")
    p.text(24, 262, "waits for lock 2", size=12, bold=True)
    p.lines(628, 76, "thread 7 goes", "on: no other", "thread wants", "its bucket",
            size=12, step=16, color=GREY)
    p.text(24, 298, "Under the lock:  d_pool[i].next = d_heads[bucket];  d_heads[bucket] = i;")
    p.lines(
        24,
        322,
        "Threads 5 and 9 come one after the other, so no entry is lost. Thread 9 must also "
        "see what thread 5",
        "wrote: thread 5 releases the lock, and thread 9 acquires it.",
        step=20)
    return p


def linear_probing():
    """hash_table/pictures/linear_probing.svg"""
    p = Picture(620, 290, "A pair whose home slot is taken goes to the next free slot.")
    p.text(20, 30, "Linear probing: from the home slot on to the first free one", bold=True,
           size=15)
    x, y, width = 22, 116, 72
    held = {1: "exam", 2: "ham", 3: "ple", 6: "tea"}
    p.cells(x, y, [held.get(i, "") for i in range(8)], width=width, height=40,
            fill=[PALE_BLUE if i in held else WHITE for i in range(8)])
    for i in range(8):
        p.centre(x + width * (i + 0.5), y + 58, f"slot {i}", size=12, color=GREY)
    home = x + 1.5 * width
    p.box(home - 46, 52, 92, 30, "jam, home 1", fill=PALE_ORANGE, size=13)
    p.arrow(home, 82, home, y - 2, color=ORANGE, thick=2)
    for i in (1, 2, 3):
        a, b = x + width * (i + 0.5) + 8, x + width * (i + 1.5) - (8 if i < 3 else 0)
        p.arrow(a, y - 4, a, y - 20, b, y - 20, b, y - 2, color=GREEN if i == 3 else ORANGE,
                thick=2)
    p.text(x + 4.5 * width + 14, y - 22, "free: atomicCAS puts it here", color=GREEN)
    p.lines(22, 204, "Slots 1, 2 and 3 are taken: atomicCAS gives back what is there, "
            "and the thread goes on.", "A search goes the same way: jam is in slot 4, found after "
            "4 reads.", "A free slot ends a search. A key with home 1 that is in none of slots 1 to 4",
            "is not in the table, since slot 5 is free. After slot 7 comes slot 0.", step=22)
    return p
