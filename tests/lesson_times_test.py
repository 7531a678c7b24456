"""A chapter's lesson and its table give the same time for the same function, on the CPU and on the
GPU: within a factor of 1.2, whichever program one takes a speed-up from. On the CPU device, where
emulated kernels share their caches with the host code between two runs, the kernels' factor is 2,
or what --emulated says.

    lesson_times_test.py LESSON PROGRAM [N] [--block THREADS] [--emulated FACTOR]

LESSON is the lesson alone, as `nvcc FILE.cu` builds it. The two run in turn, with N elements or as
many as each takes by itself, and of each the shortest time counts. --block is for the table, where
it has blocks of another size than the lesson. What still differs after six turns, on a machine that
others keep busy and by less than three times the factor, is skipped: the status is 77.
"""
import argparse
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

TURNS = 6
FACTOR, FACTOR_OF_EMULATION = 1.2, 2.0
TOO_SHORT = 0.02  # ms: of the launch


def run(*command):
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode == 77 and "REQUIRE_GPU" not in os.environ:
        sys.exit(77)
    if ended.returncode not in (0, 1):  # 1: a lesson's wrong kernel
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def lesson_times(lesson, size, emulated):
    """ms by the name that stands before it, and by how much each may differ."""
    said = run(lesson, *size)
    kernels = emulated if "kernels are emulated" in said else FACTOR
    found = re.findall(r"(?m)^(\w+) +(\d+\.\d+) ms\b", said)
    return ({name: float(ms) for name, ms in found},
            {name: FACTOR if name == "cpu" else kernels for name, _ in found})


def table_times(program, size, block, names):
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/table.json"
        chosen = [word for name in names if name != "cpu" for word in ("--variant", name)]
        flags = ["--n", *size] if size else ["--table"]
        run(program, *flags, *block, *chosen, "--json", table)
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
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("lesson")
    parser.add_argument("program")
    parser.add_argument("n", nargs="*")
    parser.add_argument("--block")
    parser.add_argument("--emulated", type=float, default=FACTOR_OF_EMULATION)
    given = parser.parse_args()
    size = given.n
    block = ["--block", given.block] if given.block else []
    os.environ["CPU_DEVICE_THREADS"] = "1"  # so that one busy processor less changes nothing
    shortest, busy = {}, False
    for _ in range(TURNS):
        by_lesson, factors = lesson_times(given.lesson, size, given.emulated)
        by_table = table_times(given.program, size, block, by_lesson)
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
