"""A chapter's lesson and its table give the same time for the same function, on the CPU and on the
GPU: within a factor of 1.2, whichever program one takes a speed-up from. On the CPU device, where a
thread of a small kernel is a nanosecond of a loop that each program inlines in its own way, the
kernels' factor is 2.

    lesson_times_test.py LESSON PROGRAM [N]

LESSON is the lesson alone, as `nvcc FILE.cu` builds it. The two run in turn, with N elements or with
as many as each takes by itself, and of each the shortest time counts. What still differs after
three turns, by less than three times the factor and on a machine that others keep busy, is skipped: the
status is 77.
"""
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

TURNS = 3
FACTOR, FACTOR_OF_EMULATION = 1.2, 2
TOO_SHORT = 0.02  # ms: of the launch


def run(*command):
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode == 77 and "REQUIRE_GPU" not in os.environ:
        sys.exit(77)
    if ended.returncode not in (0, 1):  # 1: a lesson's wrong kernel
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def lesson_times(lesson, size):
    """ms by the name that stands before it, and by how much each may differ."""
    said = run(lesson, *size)
    kernels = FACTOR_OF_EMULATION if "kernels are emulated" in said else FACTOR
    found = re.findall(r"(?m)^(\w+) +(\d+\.\d+) ms\b", said)
    return ({name: float(ms) for name, ms in found},
            {name: FACTOR if name == "cpu" else kernels for name, _ in found})


def table_times(program, size, names):
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/table.json"
        chosen = [word for name in names if name != "cpu" for word in ("--variant", name)]
        run(program, *(["--n", *size] if size else ["--table"]), *chosen, "--json", table)
        with open(table, encoding="ascii") as file:
            rows = json.load(file)["variants"]
    return {row["name"]: min(row["samples_ms"]) for row in rows if row["name"] in names}


def spin(seconds):
    """How much of a processor this process gets for some seconds."""
    end, used = time.perf_counter() + seconds, time.process_time()
    while time.perf_counter() < end:
        pass
    return (time.process_time() - used) / seconds


def is_busy():
    """Do others keep the machine busy? Then a process for each processor gets less than it."""
    processes = len(os.sched_getaffinity(0))
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        return min(pool.map(spin, [0.5] * processes)) < 0.9


def main():
    lesson, program, *size = sys.argv[1:]
    os.environ["CPU_DEVICE_THREADS"] = "1"  # so that one busy processor less changes nothing
    shortest, busy = {}, False
    for _ in range(TURNS):
        by_lesson, factors = lesson_times(lesson, size)
        by_table = table_times(program, size, by_lesson)
        if not by_lesson or by_lesson.keys() != by_table.keys():
            sys.exit(f"the lesson times {', '.join(by_lesson)}, the table {', '.join(by_table)}")
        for name, ms in by_lesson.items():
            old = shortest.get(name, (math.inf, math.inf))
            shortest[name] = min(old[0], ms), min(old[1], by_table[name])
        off = {name: (max(pair) - TOO_SHORT) / min(pair) / factors[name]
               for name, pair in shortest.items()}
        if max(off.values()) <= 1:
            print(*(f"{name}: {ms:.3f} and {other:.3f} ms"
                    for name, (ms, other) in shortest.items()), sep="\n")
            return 0
        busy = busy or is_busy()
    print(*(f"{name}: {shortest[name][0]:.3f} ms in the lesson, {shortest[name][1]:.3f} ms in the "
            "table" for name in off if off[name] > 1), sep="\n")
    if busy and max(off.values()) < 3:
        print("skipped: others keep this machine busy, so these times tell nothing")
        return 77
    return 1


if __name__ == "__main__":
    sys.exit(main())
