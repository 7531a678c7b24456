#!/usr/bin/env python3
"""The shortest story of each wrong variant that races: found, and of ten steps at most. And those
of a program with races that are hard to tell.

    story_test.py BIN [PROGRAM/VARIANT...]   BIN: the folder of the race build's programs
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from course import build, sources, story  # noqa: E402

MOST_STEPS = 10
os.environ.setdefault("RACE_STORY_SECONDS", "20")  # on a busy machine, too
RACES = ("race", "unsynchronized")
STEP = re.compile(r"    \d+\. (block \d+, thread \d+) \w+ .*\((\S+:\d+)\)")

SEEDS = range(1, 9)
PROGRAM = """#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void two_races(int* d_words) {
    if (blockIdx.x == 0) {
        d_words[0] = 1;
        d_words[1] = 1;
    } else {
        d_words[1] = 2;
        d_words[0] = 2;
    }
}
__global__ void a_copy_first(int* d_words) {
    __shared__ int s_copies[4];
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&s_copies[threadIdx.x], &d_words[4 + threadIdx.x], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
    d_words[0] = d_words[0] + 1;
}

int main(int argc, char**) {
    int* d_words;
    cudaMalloc(&d_words, 8 * sizeof(int));
    cudaMemset(d_words, 0, 8 * sizeof(int));
    if (argc == 1) {
        two_races<<<2, 1>>>(d_words);
    } else {
        a_copy_first<<<2, 4>>>(d_words);
    }
    return cudaDeviceSynchronize();
}
"""


def story_of(run: list[str], seed: int, name: str) -> list[tuple[str, str]]:
    """The thread and the place of each step."""
    told = story.shortest(run, seed, 1 << 25)
    print(f"=== {name}\n{told}", flush=True)
    steps = [STEP.match(line) for line in told.splitlines()]
    return [(step[1], step[2]) for step in steps if step]


def wrong_variants(binaries: Path) -> list[tuple[str, str]]:
    found = []
    for table in sorted(ROOT.glob("*/variants.cuh")):
        program = table.parent.name
        if program == "several_gpus":  # races of two devices have no story
            continue
        listed = subprocess.run([binaries / program, "--list"], check=True, capture_output=True,
                                text=True).stdout
        found += [(program, row[0]) for row in map(str.split, listed.splitlines())
                  if len(row) > 1 and row[1] in RACES]
    return found


def race_of(run: list[str], seed: int, folder: Path) -> tuple[list[str], bool]:
    """The lines of the first race, and whether an update is lost in it."""
    path = folder / "turns"
    path.unlink(missing_ok=True)
    subprocess.run(run, capture_output=True, check=False,
                   env={**os.environ, "RACE_SEED": str(seed), "RACE_TURNS": str(path)})
    lines = path.read_text().splitlines()
    return sorted({line[6:] for line in lines if line.startswith("place ")}), "lost" in lines


def of_hard_races(folder: Path) -> list[str]:
    """What is wrong with the stories of the program above."""
    source = folder / "hard_races.cu"
    source.write_text(PROGRAM)
    program = build.Program(sources.read_words("race", [str(source)]), "race", str(ROOT)).build()
    wrong = []
    firsts, muted = set(), {}
    for seed in SEEDS:
        places = race_of([program], seed, folder)[0]
        firsts.add(tuple(places))
        muted.setdefault(places[0], (seed, places))
        told = {place for _, place in story_of([program], seed, f"two races, seed {seed}")}
        if told != set(places):
            wrong.append(f"two races, seed {seed}: {told} in place of {places}")
    if len(firsts) != 2:
        wrong.append(f"each seed has the same race first, {firsts}")
    for place, (seed, places) in muted.items():  # the other race gets a story
        os.environ["RACE_MUTE"] = place
        told = {place for _, place in story_of([program], seed, f"without {place}")}
        if not told or told & set(places):
            wrong.append(f"two races, without {place}: {told}")
        del os.environ["RACE_MUTE"]
    run = [program, "copy"]
    lost = [seed for seed in SEEDS if race_of(run, seed, folder)[1]]
    wrong += [f"a copy first, seed {seed}: no story of two threads" for seed in lost
              if len({thread for thread, _ in story_of(run, seed, f"a copy first, {seed}")}) < 2]
    return wrong if lost else [*wrong, "a copy first: no update is lost"]


def main() -> None:
    binaries = Path(sys.argv[1]).resolve()
    os.chdir(ROOT)
    chosen = [tuple(name.split("/")) for name in sys.argv[2:]]
    wrong = []
    for program, variant in chosen or wrong_variants(binaries):
        run = [str(binaries / program), "--small", "--variant", variant]
        steps = story_of(run, 1, f"{program} {variant}")
        if not steps or len(steps) > MOST_STEPS or len({thread for thread, _ in steps}) < 2:
            wrong.append(f"{program} {variant}: {len(steps)} steps")
    if not chosen:
        with tempfile.TemporaryDirectory() as folder:
            wrong += of_hard_races(Path(folder))
    if wrong:
        raise SystemExit("no story of two threads in 1 to 10 steps, or not the right one:\n" +
                         "\n".join(wrong))


main()
