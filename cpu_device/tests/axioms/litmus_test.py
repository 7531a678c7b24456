#!/usr/bin/env python3
"""Compares three answers to the question which outcomes a litmus program may have.

    litmus_test.py AXIOMS MACHINE [--only-machine]

AXIOMS and MACHINE are the programs made of axioms.cpp and machine.cpp. For each program in litmus/
both must print what is written there, and AXIOMS with --load-buffering what stands after `beyond`,
too. For 1000 programs of generate.py, of 2 threads and 3 steps, both must print the same. Ends with
1, and names the programs, if they do not.

--only-machine leaves out what AXIOMS prints for the written programs.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NEEDED = 150  # programs; fewer means that files were lost
GENERATED = ["1", "1000"]  # seed and number

Outcomes = dict[str, list[str]]


def run(command: list[str], text: str) -> Outcomes:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: status {done.returncode}: {done.stderr.strip()}")
    return {name: outcomes.split() for name, outcomes in
            (line.split(":") for line in done.stdout.splitlines())}


def written(text: str) -> tuple[Outcomes, Outcomes]:
    """What the programs say: allowed, and beyond."""
    allowed: Outcomes = {}
    beyond: Outcomes = {}
    name = key = ""
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        if not line.startswith(" "):
            name, key = line.split(":")[0], ""
            if name in allowed:
                sys.exit(f"two litmus programs are called {name}")
            allowed[name], beyond[name] = [], []
            continue
        words = line.split()
        if words[0] in ("allows", "beyond", "why:"):
            key = words.pop(0)
        if key in ("allows", "beyond"):
            (allowed if key == "allows" else beyond)[name] += words
    return allowed, beyond


def compare(what: str, expected: Outcomes, got: Outcomes) -> int:
    wrong = 0
    for name in sorted(expected.keys() | got.keys()):
        want, have = sorted(expected.get(name, [])), sorted(got.get(name, []))
        if want != have:
            wrong += 1
            print(f"{what}: {name}: {' '.join(have)}, and not {' '.join(want)}")
    return wrong


def main(arguments: list[str]) -> int:
    only_machine = "--only-machine" in arguments
    programs = [argument for argument in arguments if argument != "--only-machine"]
    if len(programs) != 2:
        print("usage: litmus_test.py AXIOMS MACHINE [--only-machine]", file=sys.stderr)
        return 2
    axioms, machine = programs
    text = "".join(path.read_text() for path in sorted((HERE / "litmus").glob("*.txt")))
    allowed, beyond = written(text)
    wrong = compare("machine and what is written", allowed, run([machine], text))
    if not only_machine:
        wrong += compare("axioms and what is written", allowed, run([axioms], text))
        both = {name: allowed[name] + beyond[name] for name in allowed}
        wrong += compare("axioms, with load buffering", both,
                         run([axioms, "--load-buffering"], text))
    generated = subprocess.run([sys.executable, str(HERE / "generate.py"), *GENERATED],
                               capture_output=True, text=True, check=True).stdout
    expected = run([axioms], generated)
    wrong += compare("machine and axioms", expected, run([machine], generated))
    print(f"{len(allowed)} written and {len(expected)} generated programs: {wrong} differences")
    return 1 if wrong or len(allowed) < NEEDED or len(expected) != int(GENERATED[1]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
