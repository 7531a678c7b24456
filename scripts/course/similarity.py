"""Which answers of different students are alike: by sim_c, of Debian's package similarity-tester,
where it is installed. It looks at tokens, so other names and another layout do not hide a copy."""
from __future__ import annotations

import os
import re
import shutil
import tempfile

from course import processes
from course.messages import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from course.grade import Answer, Class
    from course.sandbox import Sandbox

ALIKE = 95  # percent of the tokens of one file that are found in the other
MOST_PAIRS_ALIKE = 0.25  # of a task; where there are more, likeness says nothing
SECONDS = 300


class Pairs:
    """`tool`: "sim_c", or "" where it is not installed. `pairs`: (task, student, student, percent),
    in which percent is the smaller share of the two. `notes`: sentences on what was left out."""

    def __init__(self, tool: str = "") -> None:
        self.tool = tool
        self.pairs: list[tuple[str, str, str, int]] = []
        self.notes: list[str] = []


def of_class(classroom: Class, sandbox: Sandbox) -> Pairs:
    if not shutil.which("sim_c"):
        found = Pairs()
        found.notes.append(text("no sim"))
        return found
    found = Pairs("sim_c")
    tasks: dict[str, list[Answer]] = {}
    for answer in classroom.all():
        if answer.content:
            tasks.setdefault(answer.task, []).append(answer)
    for task in sorted(tasks):
        _compare(task, tasks[task], sandbox, found)
    return found


def _compare(task: str, answers: list[Answer], sandbox: Sandbox, found: Pairs) -> None:
    if len(answers) < 2:
        return
    with tempfile.TemporaryDirectory(prefix="grade.") as folder:
        os.chmod(folder, 0o755)
        names = []
        for number, answer in enumerate(answers):
            path = os.path.join(folder, f"{number}.cu")
            names.append(path)
            with open(path, "wb") as file:
                file.write(answer.content or b"")
            os.chmod(path, 0o644)
        done = processes.run_one(
            [*sandbox.words([folder], []), "sim_c", "-p", "-a", "-e", "-s", "-T", "-t", str(ALIKE),
             *names], seconds=SECONDS, cwd="/")
    said = done.out.decode(errors="replace")
    if done.status != 0 and text("sim failed") not in found.notes:
        found.notes.append(text("sim failed"))
    share = {(int(one), int(other)): int(percent) for one, percent, other in
             re.findall(r"/(\d+)\.cu consists for (\d+) % of \S*/(\d+)\.cu material", said)}
    alike = [(one, other, min(percent, share[other, one])) for (one, other), percent
             in sorted(share.items()) if one < other and (other, one) in share]
    possible = len(answers) * (len(answers) - 1) / 2
    if len(alike) > max(1, MOST_PAIRS_ALIKE * possible):
        found.notes.append(text("alike", task=task))
        return
    found.pairs += [(task, answers[one].student, answers[other].student, percent)
                    for one, other, percent in alike]
