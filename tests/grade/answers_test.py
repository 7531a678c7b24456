"""Whether scripts/grade refuses what cheats, and accepts what is right.

    answers_test.py [NAME...]      with names: only these lines of cheats.txt and right.txt
    answers_test.py --of TASK...   all those of these tasks that get as far as the task's check

A class is made of them, and scripts/grade checks that class: each cheat that is refused before it
is compiled, which takes no time; of the others the first of each kind; and some right answers. With
EVERY_ANSWER set, all lines of cheats.txt and of right.txt, and the solutions and the other right
answers of exercises/*/attempts.txt.
"""
from __future__ import annotations

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

from course import refused  # noqa: E402

ONE_IN = 9  # of the right answers


class Answer:
    """`kinds`: one of these must come out; "solved" for a right answer."""

    def __init__(self, name: str, task: str, base: str, kinds: list[str], change: str,
                 group: str = "right", extended: bool = True) -> None:
        self.name, self.task, self.kinds, self.group = name, task, kinds, group
        file = os.path.join(ROOT, "exercises", task,
                            f"{task}.cu" if base == "given" else "solution.cu")
        self.text = subprocess.run(
            ["sed", *(["-E"] if extended else []), change.replace("\\x7c", "|"), file], check=True,
            stdout=subprocess.PIPE).stdout
        with open(file, "rb") as unchanged:
            if change and unchanged.read() == self.text:
                sys.exit(f"{name}: the change changes nothing in {file}")


def lines_of(path: str, fields: int = 0) -> list[list[str]]:
    """The fields of each line, which must be so many, unless that is 0: then at most four."""
    with open(path, encoding="ascii") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    rows = [[field.strip() for field in line.split("|", (fields or 4) - 1)] for line in lines]
    for row in rows:
        if fields and len(row) != fields:
            sys.exit(f"{path}: expected {fields} fields: {row[0]}")
    return rows


def all_answers() -> list[Answer]:
    found: list[Answer] = []
    for name, group, task, base, kinds, change in lines_of(os.path.join(HERE, "cheats.txt"), 6):
        found.append(Answer(name, task, base, kinds.split("/"), change, group))
    for name, task, change in lines_of(os.path.join(HERE, "right.txt"), 3):
        found.append(Answer(name, task, "solution", ["solved"], change))
    own: list[Answer] = []
    for path in sorted(glob.glob(os.path.join(ROOT, "exercises", "*", "attempts.txt"))):
        task = os.path.basename(os.path.dirname(path))
        own.append(Answer(f"solution_of_{task}", task, "solution", ["solved"], ""))
        for name, kind, *rest in lines_of(path):
            if kind == "solved":
                change = rest[1]
                own.append(Answer(f"{task}_{name}", task, "solution", ["solved"], change,
                                  extended=False))
                if b"memcpy_async" in own[-1].text:  # TEACHERS.md says that these are refused
                    own[-1].kinds = ["refused"]
    return found + own


def some_of(answers: list[Answer]) -> list[Answer]:
    """The form that costs little."""
    chosen, groups = [], set()
    for one in answers:
        if one.group == "right":
            continue
        if not refused.why_refused(one.text):
            if one.group in groups:
                continue
            groups.add(one.group)
        chosen.append(one)
    return chosen + [one for one in answers if one.group == "right"][::ONE_IN]


def grade(answers: list[Answer]) -> dict[str, dict]:
    """What scripts/grade says of each, by name."""
    with tempfile.TemporaryDirectory(prefix="grade_test.") as folder:
        for one in answers:
            student = os.path.join(folder, "class", one.name)
            os.makedirs(student)
            with open(os.path.join(student, one.task + ".cu"), "wb") as file:
                file.write(one.text)
        report = os.path.join(folder, "report")
        done = subprocess.run([os.path.join(ROOT, "scripts", "grade"),
                               os.path.join(folder, "class"), "--out", report],
                              check=False, env={**os.environ, "SIM_C": ""})  # they are alike
        if done.returncode != 0:
            sys.exit(f"scripts/grade ended with {done.returncode}")
        with open(os.path.join(report, "grades.json"), encoding="ascii") as file:
            table = json.load(file)
    return {student["name"]: next(iter(student["tasks"].values()))
            for student in table["students"]}


def main(names: list[str]) -> int:
    if names[:1] == ["--of"]:
        answers = [one for one in all_answers()
                   if one.task in names[1:] and one.kinds != ["refused"]]
    else:
        answers = [one for one in all_answers() if not names or one.name in names]
    cheats = [one for one in answers if one.group != "right"]
    if not names:
        groups, tasks = {one.group for one in cheats}, {one.task for one in cheats}
        right = len(lines_of(os.path.join(HERE, "right.txt"), 3))
        if len(cheats) < 60 or len(groups) < 12 or len(tasks) < 10 or right < 30:
            sys.exit(f"expected 60 cheats of 12 kinds in 10 tasks and 30 right answers; got "
                     f"{len(cheats)}, {len(groups)}, {len(tasks)} and {right}")
        if not os.environ.get("EVERY_ANSWER"):
            answers = some_of(answers)
    said = grade(answers)
    failures, seconds = 0, 0.0
    for one in answers:
        cell = said[one.name]
        got = "solved" if cell["verdict"] == "solved" else cell["kind"]
        seconds += cell["seconds"]
        if got not in one.kinds:
            failures += 1
            print(f"{one.name} ({one.task}): got '{got}', expected {one.kinds}: "
                  f"{cell['sentence']}\n{cell['details']}")
    number = sum(one.group != "right" for one in answers)
    print(f"{number} cheats, {len(answers) - number} right answers, "
          f"{failures} not as expected; {seconds:.0f} s in all checks")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
