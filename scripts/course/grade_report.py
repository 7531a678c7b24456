"""The tables of scripts/grade: grades.csv, grades.json and grades.html."""
from __future__ import annotations

import csv
import html
import io
import json
import os

from course import exercises
from course.messages import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from course.check import Verdict
    from course.grade import Class, Results
    from course.similarity import Pairs

VERSION = 1  # of the schema of grades.json
SOLVED, FAILED, REFUSED, UNCHECKED, MISSING = ("solved", "failed", "refused", "not checked", "")


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
        self.kind = verdict.kind if verdict else ""
        self.sentence = of_text(verdict.sentence) if verdict else ""
        self.details = of_text(verdict.details) if verdict else ""
        self.rows = [[of_text(word) for word in row] for row in verdict.rows] if verdict else []
        self.seconds = round(verdict.seconds, 1) if verdict else 0.0
        if verdict is None or verdict.of_the_machine:
            self.verdict = UNCHECKED
        elif verdict.solved:
            self.verdict = SOLVED
        else:
            self.verdict = REFUSED if verdict.kind == "refused" else FAILED


class Table:
    def __init__(self, classroom: Class, results: Results, pairs: Pairs) -> None:
        self.tasks = exercises.names()
        self.students = sorted(classroom.answers)
        self.notes = classroom.notes
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
        for name, content in (("grades.csv", self.csv()), ("grades.json", self.json()),
                              ("grades.html", self.html())):
            path = os.path.join(folder, name)
            try:
                with open(path + ".new", "w", encoding="utf-8", newline="") as file:
                    file.write(content)
                os.replace(path + ".new", path)
            except OSError as error:
                fail("cannot write", file=path, why=error.strerror)

    # --- the formats ---

    def csv(self) -> str:
        """A line for each answer. No cell begins with a sign that makes a spreadsheet compute."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["student", "task", "verdict", "kind", "sentence", "seconds"])
        for (student, task), cell in sorted(self.cells.items()):
            writer.writerow([_plain(word) for word in (
                shown(student), task, cell.verdict, cell.kind, cell.sentence, str(cell.seconds))])
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
        return json.dumps({
            "version": VERSION, "tasks": self.tasks, "students": students,
            "notes": [note for who, note in self.notes if not who],
            "similarity": {"tool": self.pairs.tool, "pairs": pairs, "notes": self.pairs.notes},
        }, indent=1, ensure_ascii=True) + "\n"

    def html(self) -> str:
        tasks = [task for task in self.tasks if any(key[1] == task for key in self.cells)]
        head = "".join(f'<th scope="col"><abbr title="{_escaped(task)}">{task[:2]}</abbr></th>'
                       for task in tasks)
        rows = []
        for student in self.students:
            cells = "".join(_html_cell(self.cells.get((student, task))) for task in tasks)
            rows.append(f'<tr><th scope="row">{_escaped(shown(student))}</th>'
                        f'<td class="sum">{self._count(SOLVED, student)}</td>{cells}</tr>')
        notes = [(shown(who) or "in the folder", note) for who, note in self.notes]
        pairs = [(f"{task}: {shown(one)}, {shown(other)}", f"{percent} %")
                 for task, one, other, percent in self.pairs.pairs]
        pairs += [("note", note) for note in self.pairs.notes]
        details = [(f"{shown(student)}, {task}: {cell.verdict}" +
                    (f", {cell.kind}" if cell.kind != cell.verdict else ""),
                    f"{cell.sentence}\n{cell.details}".strip())
                   for (student, task), cell in sorted(self.cells.items())
                   if cell.verdict != SOLVED]
        names = "".join(f"<li>{_escaped(task)}</li>" for task in tasks)
        return PAGE.format(
            number=self.number, solved=self.number_solved, students=len(self.students), head=head,
            rows="\n".join(rows), notes=_html_list("What else was found", notes),
            pairs=_html_list("Alike", pairs), names=names,
            details="\n".join(f"<details><summary>{_escaped(head)}</summary>"
                              f"<pre>{_escaped(text)}</pre></details>" for head, text in details))


def _plain(word: str) -> str:
    return "'" + word if word[:1] in ("=", "+", "-", "@", "\t", "\r") else word


def _escaped(word: str) -> str:
    return html.escape(word, quote=True)


def _html_cell(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    word = cell.verdict if cell.verdict == SOLVED else cell.kind or cell.verdict
    return (f'<td class="{cell.verdict.replace(" ", "-")}" title="{_escaped(cell.sentence)}">'
            f'{_escaped(word)}<br><small>{cell.seconds:.1f} s</small></td>')


def _html_list(title: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<li><b>{_escaped(who)}</b>: {_escaped(what)}</li>" for who, what in rows)
    return f"<h2>{title}</h2>\n<ul>{lines}</ul>"


PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Grades</title>
<style>
:root {{ color-scheme: light dark; --line: #c8c8c8; --solved: #d8f0d8; --failed: #f8dcd8;
  --refused: #f4e2b0; --page: #ffffff; --text: #1c1c1c; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --line: #505050; --solved: #1f4023; --failed: #55241f; --refused: #54440f;
    --page: #161616; --text: #e8e8e8; }} }}
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 1em; background: var(--page);
  color: var(--text); overflow-wrap: anywhere; }}
.table {{ overflow-x: auto; }}
table {{ border-collapse: collapse; overflow-wrap: normal; }}
th, td {{ border: 1px solid var(--line); padding: .2em .4em; text-align: left;
  vertical-align: top; font-size: 14px; }}
tbody th {{ position: sticky; left: 0; background: var(--page); min-width: 6em; max-width: 12em;
  overflow-wrap: anywhere; }}
.sum {{ text-align: right; }}
.solved {{ background: var(--solved); }}
.failed {{ background: var(--failed); }}
.refused, .not-checked {{ background: var(--refused); }}
abbr {{ text-decoration: none; }}
pre {{ white-space: pre-wrap; font-size: 14px; }}
small {{ opacity: .8; }}
</style>
</head>
<body>
<h1>Grades</h1>
<p>{solved} of {number} answers of {students} students are solved. A cell says what came out of the
last check, or the kind of its failure, and how many seconds the check took. An empty cell: nothing
was handed in.</p>
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
</body>
</html>
"""
