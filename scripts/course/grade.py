"""scripts/grade: the exercises of a whole class, each file checked in a sandbox of its own."""
from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import fcntl
import functools
import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import threading
import time

from course import (
    device, exercises, grade_report, host_or_device, nvcc, processes, refused, similarity, tokens)
from course.check import (
    COLUMNS, LONGEST_ANSWER, MACHINE, Limits, Verdict, check_exercise, first_sentence)
from course.messages import Stop, counted, fail, say, text, wrong_usage
from course.sandbox import Sandbox, check_reads, compiler_files, why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST_NAMES = 1000  # in one student's folder; more are told and not looked at
MOST_AT_ONCE = 64
ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".xz", ".bz2", ".7z", ".rar")
LIMITS = Limits(compile_seconds=40, run_seconds=60, printed=1 << 20)
NO_FILE, TOO_LONG, UNREADABLE, REFUSED = "no plain file", "too long", "unreadable", "refused"
COMPILER = "compiler"  # which crashes at the file


@dataclasses.dataclass
class Request:
    """What the command line asks for."""

    submissions: str = ""
    report: str = ""
    at_once: int = 0
    trusts: bool = False
    with_solutions: bool = False
    tasks: list[str] = dataclasses.field(default_factory=list)  # empty: those that are handed in


def read_request(words: Sequence[str]) -> Request:
    asked = Request(at_once=processes.cores())
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--trust":
            asked.trusts = True
        elif word == "--solutions":
            asked.with_solutions = True
        elif word == "--tasks":
            asked.tasks = exercises.tasks_of(left.pop(0) if left else "")
        elif word == "--out":
            if not left or not left[0]:
                wrong_usage("out")
            asked.report = left.pop(0)
        elif word.startswith("-j"):
            number = word[2:] or (left.pop(0) if left else "")
            if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MOST_AT_ONCE):
                wrong_usage("at once", most=MOST_AT_ONCE, word=number)
            asked.at_once = int(number)
        elif word.startswith("-"):
            wrong_usage("no flag", flag=word, command="grade")
        elif asked.submissions:
            wrong_usage("one folder", first=asked.submissions, second=word)
        else:
            asked.submissions = word
    if not asked.submissions:
        wrong_usage("no submissions")
    if not asked.report:
        wrong_usage("out")
    return asked


def main(words: list[str]) -> int:
    asked = read_request(words)
    if not os.path.isdir(asked.submissions):
        fail("no folder of submissions", folder=asked.submissions)
    inside = os.path.realpath(asked.submissions)
    if os.path.commonpath([inside, os.path.realpath(asked.report)]) == inside:
        fail("report inside", folder=asked.report)  # it would be a student's
    device.bash("ensure_graders_packages", *([] if asked.trusts else ["bubblewrap"]))
    if not shutil.which("clang++"):
        fail("no clang")
    if not asked.trusts:
        why = why_not(Sandbox())
        if why:
            fail("no sandbox", why=why)
    why = host_or_device.why_unread("clang++")
    if why:
        fail("no headers for clang", why=why)
    by_nvcc, why = nvcc.find()
    if why:
        say(text("no use of nvcc", why=why))
    processes.end_with_signals()
    device.build_runtime("race")
    classroom = Class(asked.submissions, asked.tasks)
    results = Results(asked.report, by_nvcc.version() if by_nvcc else "")
    grader = Grader(classroom, results, asked.trusts, by_nvcc)
    try:
        grader.check_all(asked.at_once)
        pairs = similarity.of_class(classroom, grader.sandbox(0), results.temporary_folder,
                                    results.is_not_refused, asked.with_solutions)
    except (KeyboardInterrupt, Stop) as stop:
        # Checks that still run are in other threads; they end with this process.
        status = stop.status if isinstance(stop, Stop) else 130
        say(str(stop) or text("grading interrupted", folder=asked.report))
        sys.stdout.flush()
        processes.end_now(status)
    table = grade_report.Table(classroom, results, pairs)
    table.write(asked.report)
    print(text("graded", solved=table.number_solved, answers=counted(table.number, "answer"),
               students=counted(len(table.students), "student"), folder=asked.report))
    if table.number_unchecked:
        say(text("some not checked", answers=counted(table.number_unchecked, "answer")))
        return 1
    return 0


# --- what is handed in ----------------------------------------------------------------------------

class Answer:
    """A file of a student with the name of a task. `content` is None where it cannot be had;
    `kind` then says why."""

    def __init__(self, student: str, task: str, content: bytes | None, kind: str = "",
                 sentence: str = "") -> None:
        self.student = student
        self.task = task
        self.content = content
        self.kind = kind
        self.sentence = sentence

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content or b"").hexdigest()


class Class:
    """All that is in the folder of submissions. `answers` by student and task; `notes`: what was
    found that is no answer, as (student or "", sentence). No link is followed, and nothing is
    opened that may wait. `tasks`: those that count; none for those that are handed in."""

    def __init__(self, folder: str, tasks: Sequence[str] = ()) -> None:
        self.answers: dict[str, dict[str, Answer]] = {}
        self.notes: list[tuple[str, str]] = []
        known = set(tasks or exercises.names())
        try:
            root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            fail("cannot read", file=folder, why=error.strerror)
        with _Closing(root):
            for name in sorted(os.listdir(root)):
                if name.startswith((".", "__MACOSX")):
                    self.notes.append(("", text("not a name", name=grade_report.shown(name))))
                    continue
                try:
                    inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW |
                                     os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=root)
                except OSError as error:
                    self._note_no_folder(root, name, error)
                    continue
                with _Closing(inside):
                    self.answers[name] = self._read(name, inside, known)
        handed_in = {answer.task for answer in self.all()}
        self.tasks = list(tasks) or [name for name in exercises.names() if name in handed_in]

    def _note_no_folder(self, root: int, name: str, error: OSError) -> None:
        what = _kind_of(root, name)
        if what == "a folder":
            self.answers[name] = {}
            self.notes.append((name, text("unreadable folder", why=error.strerror)))
        else:
            self.notes.append(("", text("no student", name=grade_report.shown(name), what=what)))

    def _read(self, student: str, inside: int, known: set[str]) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        names = sorted(os.listdir(inside))
        if len(names) > MOST_NAMES:
            self.notes.append((student, text("too many names", number=len(names),
                                             most=MOST_NAMES)))
        for name in names[:MOST_NAMES]:
            task = name[:-len(".cu")]
            if not name.endswith(".cu") or task not in known:
                if not _is_passed_over(name):
                    self.notes.append((student, _note_on(name, _kind_of(inside, name))))
            else:
                found[task] = _read_answer(student, task, inside, name)
        return found

    def all(self) -> Iterator[Answer]:
        for of_student in self.answers.values():
            yield from of_student.values()


class _Closing:
    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        os.close(self.descriptor)


def _kind_of(folder: int, name: str) -> str:
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except OSError:
        return "nothing that can be read"
    for test, what in ((stat.S_ISREG, "a file"), (stat.S_ISDIR, "a folder"),
                       (stat.S_ISLNK, "a link"), (stat.S_ISFIFO, "a FIFO"),
                       (stat.S_ISSOCK, "a socket")):
        if test(mode):
            return what
    return "a device"


def _is_passed_over(name: str) -> bool:
    """Is it a hidden file, or one that scripts/learn makes beside the answers?"""
    task = name.partition(".")[0]
    return name.startswith(".") or (exercises.called(task) == task and re.fullmatch(
        r"\w+(\.html|\.cu\.kept\.\d+)", name) is not None)


def _note_on(name: str, what: str) -> str:
    """On what is no answer: what the teacher may do about it."""
    shown, plain = grade_report.shown(name), name.lower().replace(" ", "_")
    if exercises.called(name[:-len(".cu")]) == name[:-len(".cu")] and name.endswith(".cu"):
        return text("other task", name=shown)
    if what == "a folder":
        return text("folder inside", name=shown)
    if plain.endswith(ARCHIVES):
        return text("archive", name=shown)
    meant = [task for task in exercises.names() if task[3:] in plain] or \
        [task for number in re.findall(r"(?<!\d)\d{1,2}(?!\d)", plain)
         if (task := exercises.called(number))]
    return text("no task", name=shown, what=what) + \
        (" " + text("which task", task=meant[0]) if len(meant) == 1 else "")


def _read_answer(student: str, task: str, folder: int, name: str) -> Answer:
    what = _kind_of(folder, name)
    if what != "a file":
        return Answer(student, task, None, NO_FILE, text("answer is", what=what))
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                             dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Answer(student, task, None, NO_FILE, text("answer is", what="no file"))
            content = file.read(LONGEST_ANSWER + 1)
    except OSError as error:
        return Answer(student, task, None, UNREADABLE, text("answer unreadable",
                                                            why=error.strerror))
    if len(content) > LONGEST_ANSWER:
        return Answer(student, task, None, TOO_LONG, text("too long", file=name,
                                                          bytes=LONGEST_ANSWER))
    return Answer(student, task, content)


# --- what is kept ---------------------------------------------------------------------------------

class Results:
    """The verdicts, a file for each student and task below REPORT/results, and a secret number by
    which the data of the checks are drawn. An interrupted call goes on with them."""

    def __init__(self, report: str, compiler: str = "") -> None:
        self.folder = os.path.join(report, "results")
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            self.lock = os.open(os.path.join(self.folder, "lock"),
                                os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fail("another grader", folder=report)
            self.secret = self._secret()
        except OSError as error:
            fail("cannot write", file=error.filename or report, why=error.strerror)
        self._remove_folders()
        self.made_of = fingerprint(compiler)
        self.unchecked: dict[tuple[str, str], Verdict] = {}  # since this machine could not

    def _secret(self) -> bytes:
        path = os.path.join(self.folder, "secret")
        try:
            with open(path, "rb") as file:
                kept = file.read()
            if len(kept) == 32:
                return kept
        except FileNotFoundError:
            pass
        made = secrets.token_bytes(32)
        _replace(path, made)
        return made

    @contextlib.contextmanager
    def temporary_folder(self) -> Iterator[str]:
        """A folder that no other user can enter. It is removed at the end; if this process is
        killed, by the next call."""
        folder = tempfile.mkdtemp(prefix="grade.")
        note = os.path.join(self.folder, "folders", os.path.basename(folder))
        os.makedirs(os.path.dirname(note), exist_ok=True)
        os.symlink(folder, note)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(note)

    def _remove_folders(self) -> None:
        """Those of a call that was killed. No other call works in this report, since it has the
        lock."""
        notes = os.path.join(self.folder, "folders")
        for name in os.listdir(notes) if os.path.isdir(notes) else ():
            note = os.path.join(notes, name)
            shutil.rmtree(os.readlink(note), ignore_errors=True)
            os.unlink(note)

    def seed_of(self, answer: Answer) -> int:
        """By which the data of this check are drawn: always the same for the same file, and known
        to no student."""
        made = hmac.new(self.secret, f"{answer.task} {answer.digest}".encode(), "sha256").digest()
        return int.from_bytes(made[:4], "big")

    def _path(self, student: str, task: str) -> str:
        who = hashlib.sha256(student.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return os.path.join(self.folder, who, task + ".json")

    def find(self, answer: Answer) -> Verdict | None:
        """The verdict on this very file of this student, if it is kept."""
        try:
            with open(self._path(answer.student, answer.task), encoding="utf-8") as file:
                kept = json.load(file)
            if kept["file"] != answer.digest or kept["grader"] != self.made_of:
                return None
            fields = kept["verdict"]
            fields["rows"] = tuple(tuple(row) for row in fields["rows"])
            fields["warnings"] = tuple(fields["warnings"])
            return Verdict(**fields)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, answer: Answer, verdict: Verdict) -> None:
        if verdict.of_the_machine:  # the next call tries it again
            self.unchecked[answer.student, answer.task] = verdict
            return
        path = self._path(answer.student, answer.task)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        kept = {"file": answer.digest, "grader": self.made_of,
                "verdict": dataclasses.asdict(verdict)}
        _replace(path, json.dumps(kept).encode())

    def verdict_on(self, answer: Answer) -> Verdict | None:
        """None for what was not checked yet."""
        if answer.content is None:
            return Verdict(False, answer.kind, answer.sentence, answer.sentence)
        return self.find(answer) or self.unchecked.get((answer.student, answer.task))

    def is_not_refused(self, answer: Answer) -> bool:
        verdict = self.verdict_on(answer)
        return not verdict or verdict.kind != REFUSED


def _replace(path: str, content: bytes) -> None:
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)


def fingerprint(compiler: str = "") -> str:
    """Of all that a verdict depends on, but the file itself: where it changes, all is checked
    anew."""
    digest = hashlib.sha256(compiler.encode())
    folders = [os.path.join(device.ROOT, "scripts", "course"), exercises.FOLDER,
               os.path.join(device.ROOT, "common")]
    files = list(device.device_files())
    for folder in folders:
        for place, inside, names in os.walk(folder):
            inside[:] = sorted(name for name in inside if name != "tests")
            files += [os.path.join(place, name) for name in sorted(names)
                      if name.endswith((".py", ".cpp", ".hpp", ".cuh", ".cu", ".h", "hints.md",
                                        "messages.md"))]
    for name in files:
        with open(name, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


# --- checking -------------------------------------------------------------------------------------

def _isolating(task: str, content: str = "") -> Callable[[str], str]:
    """The look at the object of an answer. Where the text has the word volatile, the check says so,
    and in which line."""
    has_word = any(word == "volatile" for word, _ in tokens.words(content))
    return functools.partial(refused.isolate, stack_arguments=exercises.stack_arguments(task),
                             without_volatile=exercises.is_without_volatile(task) and not has_word)


class Grader:
    def __init__(self, classroom: Class, results: Results, trusts: bool,
                 by_nvcc: nvcc.Nvcc | None = None) -> None:
        self.nvcc = by_nvcc
        self.classroom = classroom
        self.results = results
        self.trusts = trusts
        self.rows: dict[str, tuple[tuple[str, str], ...]] = {}  # of what is solved, by the task
        self.slots = list(range(MOST_AT_ONCE))[::-1]
        self.lock = threading.Lock()

    def sandbox(self, slot: int) -> Sandbox:
        return Sandbox(slot, trusts=self.trusts)

    def check_all(self, at_once: int) -> None:
        left = [answer for answer in self.classroom.all()
                if answer.content is not None and self.results.find(answer) is None]
        left.sort(key=lambda answer: answer.task)
        tasks = sorted({answer.task for answer in left})
        processes.start_guard()
        pool = concurrent.futures.ThreadPoolExecutor(at_once)
        try:
            self._all_done(pool, [(self.try_own_solution, task) for task in tasks], "own solutions")
            for task in tasks[:1]:
                self.try_the_sandbox(task)
            self._all_done(pool, [(self.check, answer) for answer in left], "answers")
        finally:
            # At its end nothing is left; an interruption does not wait for the checks that are.
            pool.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _all_done(pool, calls, what: str) -> None:
        begin = told = time.monotonic()
        waiting = {pool.submit(function, argument) for function, argument in calls}
        done = 0
        while waiting:
            ended, waiting = concurrent.futures.wait(
                waiting, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in ended:
                one.result()
            done += len(ended)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                say(text("grading", what=what, done=done, all=len(calls),
                         seconds=round(told - begin)))

    def try_own_solution(self, task: str) -> None:
        """Builds what all answers to the task share, and sees that this machine can check it."""
        with self.results.temporary_folder() as folder:
            # A lock lies beside the folder that is built in.
            verdict = check_exercise(task, exercises.solution_file(task),
                                     os.path.join(folder, "build"), seed=1,
                                     inspect=_isolating(task), nvcc_too=self.nvcc)
        if not verdict.solved:
            fail("own solution", task=task, why=f"{verdict.sentence}\n{verdict.details}".strip())
        self.rows[task] = verdict.rows

    def try_the_sandbox(self, task: str) -> None:
        """Sees that a right answer is solved there, too: else the machine's fault, such as a
        compiler that is not in /usr, would be that of all students."""
        verdict = self._checked(self._own_solution(task), self.sandbox(0))
        if not verdict.solved:
            fail("own solution inside", task=task,
                 why=f"{verdict.sentence}\n{verdict.details}".strip())

    @staticmethod
    def _own_solution(task: str) -> Answer:
        with open(exercises.solution_file(task), "rb") as file:
            return Answer("", task, file.read())

    def check(self, answer: Answer) -> None:
        try:
            verdict = self.verdict_on(answer)
        except (Stop, OSError):
            raise
        except Exception as error:  # an error at one file does not leave the class without tables
            verdict = Verdict(False, MACHINE, text("machine"), text("machine"),
                              details=f"{type(error).__name__}: {error}")
        self.results.keep(answer, verdict)

    def verdict_on(self, answer: Answer) -> Verdict:
        assert answer.content is not None
        why = refused.why_refused(answer.content)
        if why:
            advice = exercises.advice(answer.task, REFUSED)
            return Verdict(False, REFUSED, why, advice, details=why)
        with self.lock:
            slot = self.slots.pop()
        try:
            verdict = self._checked(answer, self.sandbox(slot))
            return self._second_look(answer, verdict, self.sandbox(slot)) \
                if verdict.of_the_machine else verdict
        finally:
            with self.lock:
                self.slots.append(slot)

    def _second_look(self, answer: Answer, verdict: Verdict, sandbox: Sandbox) -> Verdict:
        """Is it the machine's fault that there is no verdict, or that of a file at which the
        compiler crashes? A machine with a fault fails at the solution, too, or only once."""
        if not self._checked(self._own_solution(answer.task), sandbox).solved:
            return verdict
        again = self._checked(answer, sandbox)
        if not again.of_the_machine:
            return again
        advice = exercises.advice(answer.task, COMPILER)
        details = "\n".join(line[:COLUMNS] for line in again.details.split("\n"))
        return dataclasses.replace(again, kind=COMPILER, sentence=first_sentence(advice),
                                   advice=advice, details=details,
                                   rows=((text("compiles"), "NO"),))

    def _checked(self, answer: Answer, sandbox: Sandbox) -> Verdict:
        with self.results.temporary_folder() as folder:
            return self._checked_in(folder, answer, sandbox)

    def _checked_in(self, folder: str, answer: Answer, sandbox: Sandbox) -> Verdict:
        given, built = os.path.join(folder, "answer"), os.path.join(folder, "build")
        for path in (given, built):
            os.mkdir(path)
            os.chmod(path, 0o755)
        file = os.path.join(given, answer.task + ".cu")
        content = answer.content or b""
        with open(file, "wb") as copy:
            copy.write(content)
        os.chmod(file, 0o644)
        sandbox.give(built)
        files = compiler_files(answer.task) + (self.nvcc.folders if self.nvcc else [])
        verdict = check_exercise(
            answer.task, file, built, limits=LIMITS, wrap=sandbox.words([given, *files], [built]),
            wrap_run=sandbox.words([given, built, *check_reads(answer.task)], []),
            inspect=_isolating(answer.task, content.decode(errors="replace")),
            seed=self.results.seed_of(answer), nvcc_too=self.nvcc)
        if verdict.solved and verdict.rows != self.rows.get(answer.task, verdict.rows):
            advice = exercises.advice(answer.task, "exit")  # the check has not come to its end
            return dataclasses.replace(verdict, solved=False, kind="exit", advice=advice,
                                       sentence=first_sentence(advice))
        # Why, as for what is refused before it is compiled.
        return dataclasses.replace(verdict, sentence=verdict.details) \
            if verdict.kind == REFUSED else verdict
