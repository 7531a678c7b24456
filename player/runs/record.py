#!/usr/bin/env python3
"""Records the runs that the book plays: those that a note names by <!-- runs: EXAMPLE VARIANT -->,
each with three seeds, in EXAMPLE.VARIANT/seedN.json beside this file.

    player/runs/record.py BIN           BIN is build/race/bin, with the examples' programs
    player/runs/record.py --check BIN   changes nothing; ends with 1 where a run differs

A run of race mode repeats exactly, so that a difference means that a kernel, a line of it, or race
mode has changed. An example that BIN lacks ends it with 1, too.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SEEDS = (1, 2, 3)
RUNS = re.compile(r"^<!-- runs: (\w+) (\w+) -->$", re.MULTILINE)


def named() -> list[tuple[str, str]]:
    """The runs that the notes name: example and variant."""
    notes = [note for note in sorted(ROOT.glob("*/*.md")) if note.parent.name != "build"]
    return sorted({found for note in notes for found in RUNS.findall(note.read_text("utf-8"))})


def recorded(program: pathlib.Path, variant: str, seed: int) -> str:
    """The trace of a run, as the program writes it."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "run.json"
        subprocess.run([program, "--small", "--variant", variant], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False, cwd=ROOT,
                       env={**os.environ, "RACE_SEED": str(seed), "RACE_TRACE": str(trace)})
        return trace.read_text("utf-8")


def main() -> int:
    words = sys.argv[1:]
    check = "--check" in words
    folders = [word for word in words if not word.startswith("-")]
    if len(folders) != 1 or len(words) != 1 + check:
        print(__doc__)
        return 0 if words in (["-h"], ["--help"]) else 2
    differ, count = [], 0
    expected = set()
    for example, variant in named():
        program = pathlib.Path(folders[0]).absolute() / example
        if not program.exists():
            print(f"there is no program {program}")
            return 1
        for seed in SEEDS:
            place = HERE / f"{example}.{variant}" / f"seed{seed}.json"
            expected.add(place)
            text = recorded(program, variant, seed)
            count += 1
            if not check:
                place.parent.mkdir(exist_ok=True)
                place.write_text(text, "utf-8")
            elif not place.exists() or json.loads(place.read_text("utf-8")) != json.loads(text):
                differ.append(place)
    for place in differ:
        print(f"{place}: differs from the run now; player/runs/record.py records it anew")
    extra = sorted(set(HERE.glob("*/seed*.json")) - expected)
    for place in extra:
        print(f"{place}: no note names it")
    print(f"{count} runs, {len(differ)} differ")
    return 1 if differ or extra or not count else 0


if __name__ == "__main__":
    sys.exit(main())
