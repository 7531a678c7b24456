"""scripts/learn: the exercises, each checked whenever the learner saves it."""
from __future__ import annotations

import dataclasses
import os
import select
import shutil
import sys
import zlib
from shlex import join

from course import command, device, exercises, glossary, messages, overlay, processes, reports
from course.check import MACHINE, Verdict, check_exercise
from course.messages import Stop, fail, say, text, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HINTS = 3
PERIOD = 0.2  # seconds between two looks at the learner's file
BAR = 20  # characters
ROW = 52  # columns, before "yes" or "NO"
PRINTED_LINES = 8  # of what the learner's code prints
SANITIZER_SECONDS = 300
COMMANDS = ("list", "check", "show", "hint", "hints", "solution", "reset", "explain")
SHORT = {"h": "hint", "c": "check", "n": "next", "l": "list", "r": "reset", "s": "solution",
         "q": "quit", "exit": "quit", "e": "explain", "m": "more", "?": "help"}
IN_THE_TERMINAL = ("next", "help", "quit", "more", "task")


_in_a_shell = ""  # in a shell, and not in the terminal of scripts/learn: how a command begins


def typed(word: str, name: str = "") -> str:
    """A command as its reader types it. `name`: the exercise that it is for."""
    if not _in_a_shell:
        return word
    if word == "next":
        return _in_a_shell
    return f"{_in_a_shell} {word}" + (f" {exercises.number_of(name)}" if name else "")


class Request:
    """What the command line asks for."""

    def __init__(self) -> None:
        home = os.environ.get("HOME") or device.BUILD
        self.folder = os.path.join(home, "cuda_exercises")
        self.flags: list[str] = []  # as they were given, for the next command
        self.gpu = False
        self.language = messages.language_of_the_locale()
        self.tasks: list[str] = []  # to be chosen from now on
        self.command = ""
        self.word = ""  # an exercise, or the word to explain


def read_request(words: Sequence[str]) -> Request:
    asked = Request()
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--gpu":
            asked.gpu = True
            asked.flags.append(word)
        elif word == "--in":
            if not left or not left[0]:
                wrong_usage("in")
            asked.folder = left.pop(0)
            asked.flags += [word, asked.folder]
        elif word == "--tasks":
            asked.tasks = exercises.tasks_of(left.pop(0) if left else "")
        elif word == "--lang":
            asked.language = messages.language_called(left.pop(0) if left else "")
            if not asked.language:
                wrong_usage("lang", known=", ".join(messages.LANGUAGES))
            messages.speak(asked.language)  # also what is wrong with the rest
            asked.flags += [word, asked.language]
        elif word in ("-h", "--help"):
            messages.speak(messages.language_asked_for(words))
            command.show_help("learn")
            raise Stop(0)
        elif word.startswith("-"):
            wrong_usage("no flag", flag=word, command="learn")
        elif asked.command == "explain":
            asked.word = f"{asked.word} {word}".strip()
        elif word in COMMANDS:
            if asked.command:
                wrong_usage("one command", first=asked.command, second=word)
            asked.command = word
        elif word in IN_THE_TERMINAL:
            wrong_usage("in the terminal", word=word)
        else:
            if asked.word:
                wrong_usage("one exercise", first=asked.word, second=word)
            asked.word = exercises.called(word) or wrong_usage("no exercise", word=word)
    if asked.command == "explain" and not asked.word:
        wrong_usage("explain what")
    return asked


def main(words: list[str]) -> int:
    global _in_a_shell
    messages.speak(messages.language_of_the_locale())
    asked = read_request(words)
    _in_a_shell = join(["scripts/learn", *asked.flags]) if asked.command else ""
    if asked.command == "explain":
        return explain(asked.word)
    processes.end_with_signals()
    learner = Learner(asked.folder, asked.gpu)
    if asked.tasks:
        learner.progress.note("tasks", ",".join(asked.tasks))
    name = asked.word or learner.progress.current() or learner.progress.tasks()[0]
    if not asked.command:
        return Session(learner, name).run()
    if asked.command == "list":
        learner.list()
        return 0
    learner.copy(name)
    return int(not getattr(learner, asked.command)(name))


def explain(word: str) -> int:
    explained = glossary.explain(word) or exercises.explained_kind(word)
    if not explained:
        near = glossary.similar(word)
        say(text("no term", word=word) + (text("similar", words=", ".join(near)) if near else ""))
        return 1
    print(explained)
    return 0


class Learner:
    """A learner's folder: the files, and what is known of each exercise. The methods with the name
    of a command say whether it succeeded."""

    def __init__(self, folder: str, gpu: bool) -> None:
        try:
            os.makedirs(folder, exist_ok=True)
            self.folder = os.path.realpath(folder)
            if not os.access(self.folder, os.W_OK):
                raise PermissionError
        except OSError:
            fail("cannot write in the folder", folder=folder)
        self.gpu = gpu
        self.progress = exercises.Progress(self.folder)
        # The programs of this folder are built beside those of other learners.
        key = "%08x" % zlib.crc32(self.folder.encode("utf-8", "surrogateescape"))
        self.build_folder = os.path.join(device.BUILD, "own", "learn", key)

    def file_of(self, name: str) -> str:
        return os.path.join(self.folder, name + ".cu")

    def copy(self, name: str) -> None:
        """The learner gets a copy of the exercise, if there is none."""
        file = self.file_of(name)
        try:
            if not os.path.lexists(file):
                shutil.copyfile(exercises.given_file(name), file + ".new")
                if messages.language:
                    with open(file + ".new", "w", encoding="utf-8") as copy:
                        copy.write(exercises.given_text(name))
                os.replace(file + ".new", file)
        except OSError as error:
            fail("cannot write", file=file, why=error.strerror)
        if not os.path.isfile(file):
            fail("no plain file", file=file)

    # --- commands ---

    def check(self, name: str, screen: Screen | None = None) -> bool:
        """Checks the learner's file once, notes what came out, and shows it."""
        self.copy(name)
        screen = screen or Screen(clears=False)
        verdict = self.verdict(name, "race")
        screen.begin(text("title", number=exercises.number_of(name), all=len(exercises.names()),
                          title=exercises.title_of(name), file=self.file_of(name)))
        if verdict.solved and self.gpu:
            screen.show(verdict, tail="")
            verdict = self._on_gpu(name, screen)
        if verdict.solved:
            if name not in self.progress.solved():
                self.progress.note("solved", name)
            last = not self.progress.next_after(name)
            screen.show(verdict, text("that was the last" if last else "solution and next",
                                      all=len(self.progress.tasks()), next=typed("next"),
                                      solution=typed("solution", name)))
            if last:
                screen.print("\n" + self.last_page())
        else:
            if not verdict.of_the_machine and verdict.kind not in ("no file", "too long"):
                self.progress.note("failed", f"{name}: {verdict.kind}")
            screen.show(verdict, show=typed("show", name))
        return verdict.solved

    def verdict(self, name: str, kind: str, trace: str = "") -> Verdict:
        if kind == "race":
            device.build_runtime("race")
        return check_exercise(name, self.file_of(name),
                              os.path.join(self.build_folder, kind, name), kind=kind, trace=trace)

    def show(self, name: str) -> bool:
        """Runs the check of the learner's file again, and makes a page of what its threads do."""
        import tempfile

        from course import player  # which imports more than a check needs
        player.check()
        self.copy(name)
        page = os.path.join(self.folder, name + ".html")
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "run.json")
            verdict = self.verdict(name, "race", trace)
            if not player.has_steps(trace):
                print(text("no run to show", why=verdict.sentence))
                return False
            reports.translate_trace(trace)
            player.write_page(trace, page)
        print(text("run as a page", file=page))
        return True

    def _on_gpu(self, name: str, screen: Screen) -> Verdict:
        """The same results on the GPU, and compute-sanitizer where it is."""
        if not device.find_nvcc() or not device.have_gpu():
            sentence = text("no GPU")
            return Verdict(False, MACHINE, sentence, sentence)
        screen.print("\n" + text("on the GPU"))
        verdict = self.verdict(name, "cuda")
        if not verdict.solved or not shutil.which("compute-sanitizer"):
            return verdict
        program = os.path.join(self.build_folder, "cuda", name, name)
        # The check itself looks at the errors that calls return; it may take an access back which
        # there is not.
        for tool, *options in (("memcheck", "--report-api-errors", "no"), ("racecheck",)):
            done = processes.run_one(
                ["compute-sanitizer", "--tool", tool, *options, "--error-exitcode", "9", program,
                 f"{name}.cu"], cwd=self.folder, seconds=SANITIZER_SECONDS)
            lines = [line for line in done.out.decode(errors="replace").split("\n")
                     if line.startswith("=====")]
            row = (f"compute-sanitizer, {tool}", "yes" if done.status == 0 else "NO")
            verdict = dataclasses.replace(verdict, rows=(*verdict.rows, row))
            if done.status != 0:
                sentence = text("sanitizer's time" if done.timed_out else "sanitizer")
                return dataclasses.replace(verdict, solved=False, kind="crash",
                                                 sentence=sentence, advice=sentence,
                                                 details="\n".join(lines[:20]))
        return verdict

    def hint(self, name: str) -> bool:
        """The next of three hints; after them none, since a hint that repeats helps no one."""
        shown = self.progress.times("hint", name)
        if shown >= HINTS:
            print(text("no more hints", name=name, hints=typed("hints", name),
                       solution=typed("solution", name)))
            return True
        self.progress.note("hint", name)
        self._print_hint(name, shown + 1)
        return True

    def hints(self, name: str) -> bool:
        """Those that were shown, once more."""
        shown = min(HINTS, self.progress.times("hint", name))
        if shown == 0:
            print(text("no hint yet", name=name, hint=typed("hint", name)))
        for number in range(1, shown + 1):
            self._print_hint(name, number)
        return True

    @staticmethod
    def _print_hint(name: str, number: int) -> None:
        hint = exercises.hint(name, number)
        print("\n" + text("hint", number=number, all=HINTS, name=name) + marked_as_english(hint))
        print(hint)

    def solution(self, name: str) -> bool:
        if name not in self.progress.solved() and not self.progress.times("asked", name):
            self.progress.note("asked", name)
            print("\n" + text("not solved yet", hint=typed("hint", name)))
            return False
        print("\n" + text("our solution", name=name) + "\n")
        with open(exercises.solution_file(name), encoding="utf-8") as file:
            lines = file.read().rstrip("\n").split("\n")
        while lines and (not lines[0] or lines[0].startswith("//")):
            lines.pop(0)
        print("\n".join(lines))
        return True

    def reset(self, name: str) -> bool:
        file = self.file_of(name)
        if os.path.isfile(file):
            with open(file, "rb") as mine:
                changed = mine.read() not in [exercises.given_text(name, language).encode()
                                              for language in messages.LANGUAGES]
            if not changed:
                os.remove(file)  # its comments may be in another language
            else:
                number = 1
                while os.path.lexists(f"{file}.kept.{number}"):
                    number += 1
                try:
                    os.rename(file, f"{file}.kept.{number}")
                except OSError as error:
                    fail("cannot write", file=file, why=error.strerror)
                print(text("kept", file=f"{file}.kept.{number}"))
        self.copy(name)
        print(text("as at the beginning", file=file))
        return True

    def list(self) -> None:
        """The exercises, by chapter, with a bar each; the last line is the sum."""
        solved = self.progress.solved()
        tasks = self.progress.tasks()
        for chapter, of_chapter in exercises.chapters():
            some = [name for name in of_chapter if name in tasks]
            if not some:
                continue
            here = sum(name in solved for name in some)
            print(f"{overlay.filled(chapter_in_words(chapter), 20)} {bar(here, len(some))}")
            for name in some:
                mark = "x" if name in solved else " "
                print(f"  [{mark}] {name:<24} {exercises.title_of(name)}")
        print(self.summary())

    def summary(self) -> str:
        tasks = self.progress.tasks()
        return text("summary", solved=len(self.progress.solved() & set(tasks)), all=len(tasks),
                    folder=self.folder)

    def last_page(self) -> str:
        """After the last of the tasks."""
        return text("last page" if set(self.progress.tasks()) == set(exercises.names())
                    else "last of the chosen")


def marked_as_english(advice: str) -> str:
    """Says so where a text that is not translated follows."""
    return text("in English from here") if messages.language and advice.isascii() else ""


def chapter_in_words(chapter: str) -> str:
    return text("basics", number=chapter.removeprefix("basics ")) \
        if chapter.startswith("basics ") else chapter


def bar(done: int, of: int, width: int = 0) -> str:
    width = width or of
    filled = width * done // of
    return f"[{'#' * filled}{'.' * (width - filled)}] " + text("of", done=done, all=of)


class Screen:
    """Where a verdict is shown. On a terminal it is cleared first, and a long report is cut to what
    fits; `more` shows the rest."""

    def __init__(self, clears: bool) -> None:
        self.clears = clears
        self.left_out = ""
        self.lines = shutil.get_terminal_size().lines if clears else 0

    def print(self, line: str) -> None:
        print(line, flush=True)

    def begin(self, title: str) -> None:
        if self.clears:
            print("\033[2J\033[3J\033[H", end="")
        self.print(f"\n--- {title}" if not self.clears else f"--- {title}")

    def show(self, verdict: Verdict, tail: str = "", show: str = "show") -> None:
        """The verdict first, then the rows, then the report. `show`: the command that shows it as a
        page."""
        self.left_out = ""
        head = text("solved in", solved=verdict.sentence, seconds=f"{verdict.seconds:.1f}",
                    tail=tail).rstrip() if verdict.solved else (verdict.advice or verdict.sentence)
        if not verdict.solved and not verdict.of_the_machine and verdict.rows:
            head = text("not yet", kind=exercises.kind_in_words(verdict.kind)) + \
                marked_as_english(head) + "\n" + head
        rows = "\n".join("  " + row_text(*row) for row in verdict.rows)
        self.print("\n".join(part for part in (head, "", rows) if part or rows))
        parts = (reports.translated(verdict.details), printed_text(verdict),
                 warnings_text(verdict))
        below = "\n\n".join(part for part in parts if part)
        shows = verdict.has_report and device.can_show()
        if below:
            self._show_below(below, head.count("\n") + rows.count("\n") + (8 if shows else 6))
        if shows:
            self.print("\n" + text("show says how", show=show))

    def _show_below(self, below: str, used: int) -> None:
        lines = below.split("\n")
        room = max(6, self.lines - used) if self.clears else len(lines)
        self.print("\n" + "\n".join(lines[:room]))
        if len(lines) > room:
            self.left_out = "\n".join(lines[room:])
            self.print(text("more lines", number=len(lines) - room))

    def more(self) -> None:
        self.print(self.left_out or text("no more lines"))


def row_text(what: str, mark: str) -> str:
    what = reports.translated(what)
    said = text(f"row {mark}") if mark in ("yes", "NO") else mark
    return overlay.filled(what, ROW) + " " + said


def printed_text(verdict: Verdict) -> str:
    lines = verdict.printed.split("\n")
    if not verdict.printed:
        return ""
    shown = "\n".join("    " + line[:100] for line in lines[:PRINTED_LINES])
    return text("printed", number=verdict.printed.count("\n")) + "\n" + shown.rstrip()


def warnings_text(verdict: Verdict) -> str:
    return "\n".join([text("warns"), *verdict.warnings]) if verdict.warnings else ""


class Session:
    """The terminal: checks at each save, and does what is typed, until the end of the input."""

    def __init__(self, learner: Learner, name: str) -> None:
        self.learner = learner
        self.name = name
        self.is_terminal = sys.stdout.isatty()
        self.screen = Screen(clears=self.is_terminal and os.environ.get("TERM", "dumb") != "dumb")
        self.seen: object = None
        self.typed = b""
        self.input_ended = False

    def run(self) -> int:
        self.screen.print(self.learner.summary())
        self.open(self.name)
        self.screen.print(text("type help"))
        while True:
            now = self._stamp()
            if now is not None and now != self.seen:
                self.seen = now
                self._check()
            line = self._line()
            if line is None:
                return 0
            if line and not self._do(line.split()):
                return 0

    def open(self, name: str) -> None:
        """Says what is to do."""
        self.name = name
        self.seen = None
        self.learner.copy(name)
        self.learner.progress.note("at", name)
        known = exercises.names()
        self.screen.print("\n" + text("open", number=exercises.number_of(name), all=len(known),
                                      title=exercises.title_of(name),
                                      file=self.learner.file_of(name)))

    def _check(self) -> None:
        self.screen.print(text("checking", file=os.path.basename(self.learner.file_of(self.name))))
        try:
            self.learner.check(self.name, self.screen)
        except Stop as stop:
            if stop.status != 1:
                raise
            say(stop.sentence)
        if self.screen.clears:
            tasks = self.learner.progress.tasks()
            solved = self.learner.progress.solved() & set(tasks)
            self.screen.print("\n" + bar(len(solved), len(tasks), BAR))
        self._prompt()

    def _prompt(self) -> None:
        if self.is_terminal:
            print("> ", end="", flush=True)

    def _stamp(self) -> object:
        try:
            status = os.stat(self.learner.file_of(self.name))
            return (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            return None  # an editor may be writing it

    def _line(self) -> str | None:
        """A line that was typed; "" if there is none within the period; None at the end."""
        if b"\n" not in self.typed and not self.input_ended:
            if not select.select([0], [], [], PERIOD)[0]:
                return ""
            block = os.read(0, 4096)
            self.input_ended = not block
            self.typed += block
        line, end, self.typed = self.typed.partition(b"\n")
        if not end:
            if self.input_ended and not line:
                return None
            if not self.input_ended:
                self.typed = line
                return ""
        return line.decode(errors="replace").strip() or " "

    def _do(self, words: list[str]) -> bool:
        """Does what was typed; False at the end of the session."""
        if not words:
            self._prompt()
            return True
        command = SHORT.get(words[0], words[0])
        if command == "quit":
            return False
        try:
            self._do_command(command, words[1:])
        except Stop as stop:
            if stop.status != 1:
                raise
            print(stop.sentence)
        sys.stdout.flush()
        self._prompt()
        return True

    def _do_command(self, command: str, rest: list[str]) -> None:
        if command in ("hint", "hints", "reset", "show", "solution"):
            getattr(self.learner, command)(self.name)
        elif command == "check":
            self.seen = None
        elif command == "list":
            self.learner.list()
        elif command == "more":
            self.screen.more()
        elif command == "task":
            print(exercises.task_of(self.name))
        elif command == "explain":
            if rest:
                explain(" ".join(rest))
            else:
                print(text("explain what"))
        elif command == "help":
            print(text("help"))
        elif command == "next":
            self._go_to(rest[0] if rest else "")
        elif exercises.called(command):
            self._go_to(command)
        else:
            print(text("no command", word=command))

    def _go_to(self, word: str) -> None:
        name = exercises.called(word) if word else self.learner.progress.next_after(self.name)
        if name:
            self.open(name)
        elif word:
            print(text("no exercise", word=word))
        else:
            print(text("all solved") + "\n\n" + self.learner.last_page())
