"""The tables of scripts/grade, grades.csv, grades.json and grades.html, and a page for each
student."""
from __future__ import annotations

import collections
import csv
import dataclasses
import hashlib
import html
import io
import json
import os
import re
import subprocess
import unicodedata
import urllib.parse

from course import device, exercises
from course.messages import counted, fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from course.check import Verdict
    from course.grade import Class, Results
    from course.similarity import Pairs

PARTS = ("scripts/course", "exercises", "common", "cpu_device")  # of which verdicts are made
VERSION = 1  # of the schema of grades.json
SOLVED, FAILED, REFUSED, UNCHECKED, MISSING = ("solved", "failed", "refused", "not checked",
                                               "not handed in")


# Devices, with any ending.
OF_WINDOWS = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)", re.I)


def shown(name: str) -> str:
    """A name as it is shown: printable, in UTF-8, and different for each name."""
    parts = []
    for char in name:
        if "\udc80" <= char <= "\udcff":  # a byte that is no UTF-8
            parts.append(f"\\x{ord(char) - 0xdc00:02x}")
        elif char == "\\":
            parts.append("\\\\")
        elif char.isprintable():
            parts.append(char)
        else:
            parts.append(char.encode("unicode_escape").decode())
    return "".join(parts)


def of_text(lines: str) -> str:
    """The same for what programs say, in which lines may end."""
    return "\n".join(shown(line).replace("\\\\", "\\") for line in lines.split("\n"))


class Cell:
    """What came out for one student and task."""

    def __init__(self, verdict: Verdict | None, digest: str) -> None:
        self.digest = digest
        if verdict and verdict.of_the_machine:  # what is missing, not what a learner should know
            missing = next(filter(None, reversed(verdict.details.split("\n"))), "")
            verdict = dataclasses.replace(verdict, kind="", sentence=missing, advice="", rows=())
            self.verdict = UNCHECKED
        elif verdict is None:
            self.verdict = UNCHECKED
        elif verdict.solved:
            self.verdict = SOLVED
        else:
            self.verdict = REFUSED if verdict.kind == "refused" else FAILED
        self.kind = verdict.kind if verdict else ""
        self.sentence = of_text(verdict.sentence) if verdict else ""
        self.advice = of_text(verdict.advice) if verdict else ""
        self.details = of_text(verdict.details) if verdict else ""
        self.rows = [[of_text(word) for word in row] for row in verdict.rows] if verdict else []
        self.seconds = round(verdict.seconds, 1) if verdict else 0.0

    def found(self) -> str:
        """What was found, below what is said of it; each thing once."""
        return self.sentence if self.details in self.sentence else \
            f"{self.sentence}\n{self.details}".strip()


class Table:
    def __init__(self, classroom: Class, results: Results, pairs: Pairs) -> None:
        self.tasks = classroom.tasks
        self.grader = version_of_grader(results.made_of)
        self.students = sorted(classroom.answers, key=_place)
        self.pages = pages_of(self.students)
        self.notes = sorted(classroom.notes, key=lambda note: _place(note[0]))
        self.pairs = pairs
        self.cells = {
            (answer.student, answer.task): Cell(results.verdict_on(answer), answer.digest)
            for answer in classroom.all()}

    def _count(self, verdict: str, student: str | None = None) -> int:
        return sum(cell.verdict == verdict for (who, _), cell in self.cells.items()
                   if student is None or who == student)

    @property
    def number(self) -> int:
        return len(self.cells)

    @property
    def number_solved(self) -> int:
        return self._count(SOLVED)

    @property
    def number_unchecked(self) -> int:
        return self._count(UNCHECKED)

    def write(self, folder: str) -> None:
        pages = os.path.join(folder, "students")
        try:
            os.makedirs(pages, exist_ok=True)
        except OSError as error:
            fail("cannot write", file=pages, why=error.strerror)
        for name, content in (("grades.csv", self.csv()), ("grades.json", self.json()),
                              ("grades.html", self.html()),
                              *((os.path.join("students", self.pages[student]), self.page(student))
                                for student in self.students)):
            path = os.path.join(folder, name)
            try:
                # With a mark at its beginning a spreadsheet knows that the table is UTF-8.
                code = "utf-8-sig" if name.endswith(".csv") else "utf-8"
                with open(path + ".new", "w", encoding=code, newline="") as file:
                    file.write(content)
                os.replace(path + ".new", path)
            except OSError as error:
                fail("cannot write", file=path, why=error.strerror)

    # --- the formats ---

    def csv(self) -> str:
        """A line for each student and task. No cell begins with a sign that makes a spreadsheet
        compute."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["student", "task", "verdict", "kind", "sentence", "seconds"])
        for student in self.students:
            for task in self.tasks:
                cell = self.cells.get((student, task))
                writer.writerow([_plain(word) for word in (shown(student), task, *(
                    (cell.verdict, cell.kind, cell.sentence, str(cell.seconds)) if cell else
                    (MISSING, "", "", "")))])
        return lines.getvalue()

    def json(self) -> str:
        students = []
        for student in self.students:
            tasks = {task: {"verdict": cell.verdict, "kind": cell.kind, "sentence": cell.sentence,
                            "details": cell.details, "rows": cell.rows, "seconds": cell.seconds,
                            "sha256": cell.digest}
                     for task in self.tasks if (cell := self.cells.get((student, task)))}
            students.append({"name": shown(student), "solved": self._count(SOLVED, student),
                             "tasks": tasks,
                             "notes": [note for who, note in self.notes if who == student]})
        pairs = [{"task": task, "students": [shown(one), shown(other)], "percent": percent}
                 for task, one, other, percent in self.pairs.pairs]
        ours = [{"task": task, "student": shown(student), "sentence": of_text(sentence)}
                for task, student, sentence in self.pairs.ours]
        comments = [{"task": task, "students": [shown(one) for one in some],
                     "comment": of_text(comment)} for task, some, comment in self.pairs.comments]
        return json.dumps({
            "version": VERSION, "grader": self.grader, "tasks": self.tasks, "students": students,
            "notes": [note for who, note in self.notes if not who],
            "similarity": {"tool": self.pairs.tool, "pairs": pairs, "comments": comments,
                           "solution": ours, "notes": self.pairs.notes},
        }, indent=1, ensure_ascii=True) + "\n"

    def html(self) -> str:
        head = "".join(f'<th scope="col"><abbr title="{_escaped(task)}">{task[:2]}</abbr></th>'
                       for task in self.tasks)
        rows = []
        for student in self.students:
            cells = "".join(_html_cell(self.cells.get((student, task)), self._anchor(student, task))
                            for task in self.tasks)
            page = urllib.parse.quote("students/" + self.pages[student])
            rows.append(f'<tr><th scope="row"><a href="{page}">{_escaped(shown(student))}</a></th>'
                        f'<td class="sum">{self._count(SOLVED, student)}</td>{cells}</tr>')
        notes = [(shown(who) or "in the folder", note) for who, note in self.notes]
        pairs = [(f"{task}: {shown(one)}, {shown(other)}", f"{percent} %")
                 for task, one, other, percent in self.pairs.pairs]
        pairs += [(f"{task}: {shown(student)}", of_text(sentence))
                  for task, student, sentence in self.pairs.ours]
        pairs += [(f"{task}: {', '.join(map(shown, some))}",
                   f"the same comment: {of_text(comment)}")
                  for task, some, comment in self.pairs.comments]
        pairs += [("note", note) for note in self.pairs.notes]
        details = [(self._anchor(student, task), f"{shown(student)}, {task}: {cell.verdict}" +
                    (f", {cell.kind}" if cell.kind not in ("", cell.verdict) else ""), cell.found())
                   for student in self.students for task in self.tasks
                   if (cell := self.cells.get((student, task))) and cell.verdict != SOLVED]
        names = "".join(f"<li>{_escaped(task)}</li>" for task in self.tasks)
        return PAGE.format(
            style=STYLE, solved=self.number_solved, answers=counted(self.number, "answer"),
            students=counted(len(self.students), "student"), head=head, made_by=self._made_by(),
            rows="\n".join(rows), notes=_html_list("What else was found", notes),
            pairs=_html_list("Alike", pairs), names=names,
            details="\n".join(f'<details><summary>{_escaped(head)}</summary>'
                              f'<pre id="{anchor}">{_escaped(text)}</pre></details>'
                              for anchor, head, text in details))

    def _anchor(self, student: str, task: str) -> str:
        return f"s{self.students.index(student) + 1}-{task[:2]}"

    def _made_by(self) -> str:
        commit = self.grader["commit"]
        return f"commit {commit[:12]}{' with changes' if self.grader['dirty'] else ''}" \
            if commit else f"a copy without git, {self.grader['fingerprint'][:12]}"

    def page(self, student: str) -> str:
        """What one student may see: nothing of the others, and nothing of likeness."""
        parts = []
        for task in self.tasks:
            cell = self.cells.get((student, task))
            verdict = cell.verdict if cell else MISSING
            kind = f", {cell.kind}" if cell and cell.kind not in ("", verdict) else ""
            parts.append(f'<h2 class="{_css(verdict)}">{_escaped(task)}: '
                         f'{_escaped(verdict + kind)}</h2>')
            if cell is None:
                continue
            if cell.rows:
                rows = "".join(f"<li>{_escaped(what)}: {_escaped(mark)}</li>"
                               for what, mark in cell.rows)
                parts.append(f"<ul>{rows}</ul>")
            if cell.verdict != SOLVED:
                said = cell.advice or cell.sentence
                parts += [f"<p>{_escaped(part)}</p>" for part in said.split("\n\n") if part]
                if cell.details not in said:
                    parts.append(f"<pre>{_escaped(cell.details)}</pre>")
            parts.append(f"<p><small>SHA-256 of the file: {cell.digest}</small></p>")
        notes = [note for who, note in self.notes if who == student]
        if notes:
            lines = "".join(f"<li>{_escaped(note)}</li>" for note in notes)
            parts.append(f"<h2>What else was found</h2>\n<ul>{lines}</ul>")
        return STUDENT_PAGE.format(
            style=STYLE, name=_escaped(shown(student)), solved=self._count(SOLVED, student),
            tasks=counted(len(self.tasks), "task"), parts="\n".join(parts),
            made_by=self._made_by())


def pages_of(students: Sequence[str]) -> dict[str, str]:
    """The names of the students' pages. No two of them differ only in small and capital letters or
    in how an accent is written, which some file systems do not tell apart."""
    same = collections.Counter(map(_as_file, students))
    return {student: page_of(student, is_alone=same[_as_file(student)] == 1)
            for student in students}


def _as_file(student: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", student).casefold())


def page_of(student: str, is_alone: bool = True) -> str:
    """The name of the student's page: that of the folder, where a file may have it anywhere."""
    if is_alone and re.fullmatch(r"[^\W_][\w '.,()-]*", student) and \
            len(student.encode()) < 200 and not OF_WINDOWS.match(student) and \
            not re.fullmatch("[0-9a-f]{32}", _as_file(student)):
        return student + ".html"
    return hashlib.sha256(student.encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".html"


def _place(name: str) -> tuple[str, str]:
    """The names are ordered by their letters, whatever their accents and size."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", name)
                    if not unicodedata.combining(char))
    return plain.casefold(), name


def version_of_grader(fingerprint: str) -> dict[str, object]:
    """Of which state of the project the verdicts are: `commit`, "" where git does not know;
    `dirty`: something has changed since; and what a kept verdict depends on."""
    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", "-C", device.ROOT, *words], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60,
                                  check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None

    # A copy may lie inside a repository of somebody else's.
    own = git("rev-parse", "--show-prefix") == ""
    commit = (git("rev-parse", "HEAD") if own else "") or ""
    dirty = bool(commit) and git("status", "--porcelain", "--", *PARTS) != ""
    return {"commit": commit, "dirty": dirty, "fingerprint": fingerprint}


def _plain(word: str) -> str:
    """No spreadsheet computes it, also one that separates cells by ; or by a tab, or that opens a
    quotation mark in the middle of a cell, or that takes the wide signs of Japanese and Chinese for
    the same."""
    return re.sub(r"(^|[;\t\r\n|])([\s'\"]*)(?=[=+@\t\r\uff1d\uff0b\uff20\uff0d-])", r"\1'\2",
                  word)


def _escaped(word: str) -> str:
    return html.escape(word, quote=True)


def _css(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _html_cell(cell: Cell | None, anchor: str) -> str:
    if cell is None:
        return "<td></td>"
    if cell.verdict == SOLVED:
        word = cell.verdict
    else:
        word = f'<a href="#{anchor}">{_escaped(cell.kind or cell.verdict)}</a>'
    return (f'<td class="{_css(cell.verdict)}" title="{_escaped(cell.sentence)}">'
            f'{word}<br><small>{cell.seconds:.1f} s</small></td>')


def _html_list(title: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<li><b>{_escaped(who)}</b>: {_escaped(what)}</li>" for who, what in rows)
    return f"<h2>{title}</h2>\n<ul>{lines}</ul>"


STYLE = """\
:root { color-scheme: light dark; --line: #c8c8c8; --solved: #d8f0d8; --failed: #f8dcd8;
  --refused: #f4e2b0; --page: #ffffff; --text: #1c1c1c; }
@media (prefers-color-scheme: dark) {
  :root { --line: #505050; --solved: #1f4023; --failed: #55241f; --refused: #54440f;
    --page: #161616; --text: #e8e8e8; } }
body { font: 16px/1.4 system-ui, sans-serif; margin: 1em; background: var(--page);
  color: var(--text); overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .2em .4em; text-align: left;
  vertical-align: top; font-size: 14px; }
tbody th { position: sticky; left: 0; background: var(--page); min-width: 6em; max-width: 12em;
  overflow-wrap: anywhere; }
.sum { text-align: right; }
.solved { background: var(--solved); }
.failed { background: var(--failed); }
.refused, .not-checked { background: var(--refused); }
abbr { text-decoration: none; }
h2 { padding: .1em .3em; }
a { color: inherit; }
pre { white-space: pre-wrap; font-size: 14px; }
small { opacity: .8; }
"""

HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
"""

PAGE = HEAD + """\
<title>Grades</title>
<style>
{style}</style>
</head>
<body>
<h1>Grades</h1>
<p>{solved} of {answers} of {students} solved. A cell says what came out of the last check, or the
kind of its failure, and how many seconds the check took. An empty cell: nothing was handed in.</p>
<div class="table">
<table>
<thead><tr><th scope="col">student</th><th scope="col">solved</th>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
{notes}
{pairs}
<h2>What was not solved</h2>
{details}
<h2>The tasks</h2>
<ul>{names}</ul>
<p><small>Graded by {made_by}.</small></p>
</body>
</html>
"""

STUDENT_PAGE = HEAD + """\
<title>{name}</title>
<style>
{style}</style>
</head>
<body>
<h1>{name}</h1>
<p>{solved} of {tasks} solved.</p>
{parts}
<p><small>Graded by {made_by}.</small></p>
</body>
</html>
"""
