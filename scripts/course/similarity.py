"""Which answers of different students are alike, and which are like our solution: by sim_c, of
Debian's package similarity-tester, where it is installed. It looks at tokens, so other names and
another layout do not hide a copy."""
from __future__ import annotations

import collections
import functools
import glob
import heapq
import os
import re
import shutil

from course import device, exercises, processes, tokens
from course.messages import LANGUAGES, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from course.grade import Answer, Class
    from course.sandbox import Sandbox

ALIKE = 95  # percent of the tokens of one file that are found in the other
MOST_PAIRS_ALIKE = 0.25  # of a task; where there are more, likeness says nothing
SECONDS = 300
# Tokens of an answer that the given file lacks. With fewer, two honest answers may have the same:
# an answer to 19 that was written without a look at the solution did so with 80.
OWN_TOKENS = 100
COMMENT_WORDS = 4  # of a comment that nobody writes by chance
MOST_COMMENTS = 200  # of a task, for which all pages are searched, the longest ones


class Pairs:
    """`tool`: "sim_c", or "" where it is not installed. `pairs`: (task, student, student, percent),
    in which percent is the smaller share of the two. `comments`: (task, students, comment) for what
    several have, and neither the given file nor our solution nor a page of the project. `ours`:
    (task, student, sentence) for what is like our solution. `notes`: sentences on what was left
    out."""

    def __init__(self, tool: str = "") -> None:
        self.tool = tool
        self.pairs: list[tuple[str, str, str, int]] = []
        self.comments: list[tuple[str, list[str], str]] = []
        self.ours: list[tuple[str, str, str]] = []
        self.notes: list[str] = []


def of_class(classroom: Class, sandbox: Sandbox,
             temporary_folder: Callable[[], AbstractContextManager[str]],
             is_compared: Callable[[Answer], bool], with_solutions: bool = False) -> Pairs:
    """`is_compared`: of an answer that is refused, not: nothing is known of its text."""
    # A test whose answers are alike by the hundred looks for no likeness: it takes minutes.
    is_wanted = os.environ.get("SIM_C") != ""
    found = Pairs("sim_c" if is_wanted and shutil.which("sim_c") else "")
    if not found.tool:
        found.notes.append(text("no sim"))
    short = []
    for name in classroom.tasks:
        task = _Task(name, [answer for answers in classroom.answers.values()
                            if (answer := answers.get(name)) and answer.content and
                            is_compared(answer)])
        task.compare_comments(found, with_solutions)
        if found.tool:
            task.compare(sandbox, temporary_folder, found)
            if with_solutions:
                task.compare_with_ours(sandbox, temporary_folder, found)
        if len(task.long) < min(2, len(task.answers)):
            short.append(name)
    if short:
        found.notes.append(text("too short to compare", tokens=OWN_TOKENS, tasks=", ".join(short)))
    return found


class _Task:
    """`long`: the answers with so many tokens of their own that their likeness says something."""

    def __init__(self, name: str, answers: list[Answer]) -> None:
        self.name = name
        self.answers = answers
        with open(exercises.solution_file(name), encoding="utf-8") as file:
            self.ours = file.read()
        self.given = exercises.given_text(name, "en")
        self.long = [answer for answer in answers
                     if own_tokens(self.given, _text_of(answer)) >= OWN_TOKENS]

    def compare_comments(self, found: Pairs, with_solutions: bool) -> None:
        ours = _comments(self.ours)
        given = set().union(*(_comments(exercises.given_text(self.name, language))
                              for language in LANGUAGES))
        only_ours = {comment for comment in ours - given if comment not in _pages()} \
            if with_solutions else set()
        writers: dict[str, list[str]] = {}
        for answer in self.answers:
            comments = _comments(_text_of(answer)) - given
            for comment in sorted(comments - ours):
                writers.setdefault(comment, []).append(answer.student)
            if comments & only_ours:
                found.ours.append((self.name, answer.student,
                                   text("our comment", comment=min(comments & only_ours))))
        # A long comment is hardly one of a page.
        shared = heapq.nlargest(MOST_COMMENTS, (comment for comment, students in writers.items()
                                                if len(students) > 1), key=len)
        found.comments += [(self.name, writers[comment], comment) for comment in shared
                           if comment not in _pages()]

    def compare(self, sandbox: Sandbox,
                temporary_folder: Callable[[], AbstractContextManager[str]],
                found: Pairs) -> None:
        if len(self.long) < 2:
            return
        share = _shares([answer.content or b"" for answer in self.long], sandbox,
                        temporary_folder, found)
        possible = len(self.long) * (len(self.long) - 1) / 2
        if len(share) > max(1, MOST_PAIRS_ALIKE * possible):
            found.notes.append(text("alike", task=self.name))
            return
        found.pairs += [(self.name, self.long[one].student, self.long[other].student, percent)
                        for (one, other), percent in share.items()]

    def compare_with_ours(self, sandbox: Sandbox,
                          temporary_folder: Callable[[], AbstractContextManager[str]],
                          found: Pairs) -> None:
        if own_tokens(self.given, self.ours) < OWN_TOKENS:
            return
        for answer in self.long:
            share = _shares([answer.content or b"", self.ours.encode()], sandbox,
                            temporary_folder, found)
            found.ours += [(self.name, answer.student, text("like ours", percent=percent))
                           for percent in share.values()]


def _text_of(answer: Answer) -> str:
    return (answer.content or b"").decode(errors="replace")


def _comments(source: str) -> set[str]:
    """Those of several words, without their slashes."""
    found = {" ".join(part.strip("/* \t\r\n").split())
             for kind, part, _, _ in tokens.tokens(source) if kind == "comment"}
    return {comment for comment in found if comment.count(" ") >= COMMENT_WORDS - 1}


def _names_by_git(endings: Sequence[str]) -> list[str] | None:
    """None where there is no git, or the project is a copy that it does not know.

    Such a copy may lie in a folder that another repository leaves out: git then names no file.
    """
    if not shutil.which("git"):
        return None
    tracked = processes.run_one(["git", "-C", device.ROOT, "ls-files", "-z", *endings])
    return tracked.out.decode(errors="surrogateescape").split("\0")[:-1] \
        if tracked.status == 0 and tracked.out else None


@functools.lru_cache(maxsize=1)
def _pages() -> str:
    """All that a student can read in the project, but the solutions, without the layout."""
    endings = ("*.md", "*.cu", "*.cuh")
    names = _names_by_git(endings)  # the submissions may lie in this folder, too
    if names is None:
        names = [os.path.relpath(name, device.ROOT) for ending in endings
                 for name in glob.glob(os.path.join(device.ROOT, "*", "**", ending),
                                       recursive=True)]
    texts = []
    for part in names:
        path = os.path.join(device.ROOT, part)
        if not part.startswith("build" + os.sep) and os.path.basename(part) != "solution.cu" and \
                os.path.isfile(path) and not os.path.islink(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                texts += file.read().split()
    return " ".join(texts)


def own_tokens(given: str, source: str) -> int:
    """How many tokens of the source the given file lacks, whatever the names and numbers."""
    counts = [collections.Counter("name" if kind == "word" else "number" if kind == "number" else
                                  part for kind, part, _, _ in tokens.tokens(one)
                                  if kind not in ("space", "comment", "line"))
              for one in (source, given)]
    return sum((counts[0] - counts[1]).values())


def _shares(texts: list[bytes], sandbox: Sandbox,
            temporary_folder: Callable[[], AbstractContextManager[str]],
            found: Pairs) -> dict[tuple[int, int], int]:
    """The percentages of the pairs that are alike, by the places of both in the list."""
    with temporary_folder() as whole:
        folder = os.path.join(whole, "answers")  # another user may read it, and only this
        os.mkdir(folder)
        os.chmod(folder, 0o755)
        names = []
        for number, content in enumerate(texts):
            path = os.path.join(folder, f"{number}.cu")
            names.append(path)
            with open(path, "wb") as file:
                file.write(content)
            os.chmod(path, 0o644)
        done = processes.run_one(
            [*sandbox.words([folder], []), "sim_c", "-p", "-a", "-e", "-s", "-T", "-t", str(ALIKE),
             *names], seconds=SECONDS, cwd="/")
    said = done.out.decode(errors="replace")
    if done.status != 0 and text("sim failed") not in found.notes:
        found.notes.append(text("sim failed"))
    share = {(int(one), int(other)): int(percent) for one, percent, other in
             re.findall(r"/(\d+)\.cu consists for (\d+) % of \S*/(\d+)\.cu material", said)}
    return {(one, other): min(percent, share[other, one]) for (one, other), percent
            in sorted(share.items()) if one < other and (other, one) in share}
