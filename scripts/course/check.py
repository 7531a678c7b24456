"""The check of one exercise: without a terminal, without a state of its own, and without words of
the learner's progress. scripts/learn shows what it returns; a grader may put it in a table."""
from __future__ import annotations

import dataclasses
import os
import re
import secrets
import signal
import socket
import time

from course import (
    build, device, exercises, host_or_device, nvcc, processes, stack, tokens)
from course.messages import Stop, text
from course.sources import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LONGEST_ANSWER = 100000  # bytes; a mistake of an editor, not an answer, is longer
MACHINE = "machine"  # the kind of a failure that is not the learner's
NO_DEVICE = 77  # the status where there is no GPU, or are not as many as the exercise needs
MOST_OF_VERDICT = 1 << 20  # bytes
LINES, COLUMNS = 40, 160  # of what is found, at most
REPORT_COLUMNS = 400  # of a report: a place at its end must not be cut, or no one can translate it

# What the compiler and the linker say where the machine is at fault.
MACHINE_FAULTS = re.compile(
    "No space left|Disk quota|Input/output error|Read-only file system|internal compiler error|"
    "Killed|[Cc]annot allocate memory|virtual memory exhausted|out of memory|Too many open files|"
    "Resource temporarily unavailable|[Cc]annot (?:fork|execute)|Permission denied|"
    "unable to execute|File size limit exceeded|final link failed: (?!bad value)")
# Then it says nothing of this kind, which may quote any words of a learner.
ERROR_IN_SOURCE = re.compile(r"^.+?(?::\d+(?::\d+)?|\(\d+\)): "
                             r"(?:error:|fatal error: [^\n]{0,400}: No such file)", re.M)
# What the program says where the machine is at fault.
NO_MEMORY = re.compile(r"^error: not enough memory|^race mode cannot reserve", re.M)

# What g++ says of a variable between `switch` and its first label: no path comes along there, so it
# would hold what the stack held before.
UNSET = b"[-Wtrivial-auto-var-init]"

# A declaration of which a kernel would have one, and the host another one.
DIFFERS_ON_THE_HOST = re.compile(r":(?P<line>\d+)(?::\d+)?: note: for the device, where "
                                 r"__CUDA_ARCH__ is 900, this is another declaration")


@dataclasses.dataclass(frozen=True)
class Limits:
    """Of one check. Seconds are those of a processor, so that a machine with much other work gives
    the same verdict; the clock may show three times as many. Bytes are those of each stream;
    `memory` and `compiler_memory` are KiB of addresses, 0 for no limit. Race mode needs 4,000,000
    of them."""

    compile_seconds: float = 60
    run_seconds: float = 60
    compiler_printed: int = 1 << 20
    printed: int = 10 << 20
    compiler_memory: int = 8_000_000
    memory: int = 0


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What the check of one file has found.

    `kind` is "" if it is solved, a heading "If: KIND" of exercises/messages.md, or MACHINE if the
    failure is not the learner's. `sentence` is the first to read; `advice` is what a teacher would
    say, and begins with it. `rows` are the things that hold, and the first that does not: (what,
    "yes" or "NO"). `details` is what was found: a report of race mode, say, or the compiler's
    errors. `warnings` are lines of the compiler, `printed` is what the learner's code has printed.
    """

    solved: bool
    kind: str
    sentence: str
    advice: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    details: str = ""
    warnings: tuple[str, ...] = ()
    printed: str = ""
    seconds: float = 0.0

    @property
    def of_the_machine(self) -> bool:
        return self.kind == MACHINE

    @property
    def has_report(self) -> bool:
        """Do the details hold a report of race mode? Then its headline is the kind, in capitals."""
        return _has_report(self.kind, self.details)


def _has_report(kind: str, details: str) -> bool:
    return bool(kind) and f"{kind.upper()} in " in details


def check_exercise(task: str, file: Path | str, build_dir: Path | str, *, kind: str = "race",
                   limits: Limits = Limits(), wrap: Sequence[str] = (),
                   wrap_run: Sequence[str] | None = None, clang: str | None = None,
                   nvcc_too: nvcc.Nvcc | None = None,
                   inspect: Callable[[str], str] | None = None,
                   seed: int | None = None, trace: str = "") -> Verdict:
    """Checks `file` as an answer to the exercise `task` ("12_lost_update").

    Objects and the program go to `build_dir`, which is made if it is not there; two checks at a
    time must not share it. What all answers share, the compiled checks and the CPU device, is kept
    in the project's own build/. `kind`: race, or cuda for a GPU. `wrap`: words before each command
    that reads, compiles or runs the answer, such as those of a sandbox. `clang`: the command that
    tells host from device, "" for none, None to look for it. `nvcc_too`: by it the
    file must compile, too. `wrap_run`: the words before the program, if they are others.
    `inspect`: called with the path of the answer's object before it is linked; may change the
    object, and returns why it is refused, or "". `seed`, from 0 to 2^32 - 1:
    the check draws all data by it, and tells its verdict through a descriptor, with a secret that
    it gets there; else the data are always the same, and a file in `build_dir` takes the verdict.
    `trace`: a file to which race mode writes the steps of the run, as docs/trace.md says.
    Prints nothing, unless the CPU device must be built first, which device.build_runtime("race")
    does. Never raises for what the file holds; a Stop of a signal (see processes.end_with_signals)
    goes on to the caller.
    """
    begin = time.monotonic()
    check = _Check(task, os.path.abspath(file), os.path.abspath(build_dir), kind, limits, wrap)
    check.wrap_run = check.wrap if wrap_run is None else list(wrap_run)
    check.inspect = inspect
    check.nvcc = nvcc_too
    check.seed = seed
    if trace:
        check.environment["RACE_TRACE"] = trace
    try:
        verdict = check.verdict(clang)
    except _Failed as failed:
        verdict = check.failed(failed.kind, failed.details)
    except Stop as stop:  # no file to write, no program to start
        if stop.of_a_signal:
            raise
        verdict = check.machine(stop.sentence)
    except OSError as error:
        verdict = check.machine(f"{error.filename or check.file}: {error.strerror}")
    if trace and os.path.isfile(trace):
        with open(trace, encoding="utf-8", errors="replace") as file:
            steps = file.read()
        with open(trace, "w", encoding="utf-8") as file:
            file.write(without_places_of_the_check(steps))
    return dataclasses.replace(verdict, seconds=time.monotonic() - begin)


class _Failed(Exception):
    def __init__(self, kind: str, details: str) -> None:
        self.kind = kind
        self.details = details


class _Check:
    def __init__(self, task: str, file: str, folder: str, kind: str, limits: Limits,
                 wrap: Sequence[str]) -> None:
        self.task = task
        self.file = file
        self.folder = folder
        self.words = os.path.join(folder, "words")
        self.device = kind
        self.limits = limits
        self.wrap = list(wrap)
        self.wrap_run = self.wrap
        self.inspect: Callable[[str], str] | None = None
        self.nvcc: nvcc.Nvcc | None = None
        self.seed: int | None = None
        self.environment = dict(os.environ)  # of the program
        self.rows: list[tuple[str, str]] = []
        self.compiler_said = ""
        self.compiler_ended = ""  # why it was ended, if it was
        self.printed = ""

    # --- verdicts ---

    def failed(self, kind: str, details: str) -> Verdict:
        advice = exercises.advice(self.task, kind, "report" if _has_report(kind, details) else
                                  "value")
        return Verdict(False, kind, first_sentence(advice), advice, tuple(self.rows), details,
                       self._warnings(), self.printed)

    def machine(self, details: str) -> Verdict:
        return Verdict(False, MACHINE, text("machine"), text("machine"), tuple(self.rows), details)

    def verdict(self, clang: str | None) -> Verdict:
        if not os.path.isfile(self.file):
            return Verdict(False, "no file", text("no answer", file=self.file))
        if os.stat(self.file).st_size > LONGEST_ANSWER:
            sentence = text("too long", file=self.file, bytes=LONGEST_ANSWER)
            return Verdict(False, "too long", sentence, sentence)
        os.makedirs(self.folder, exist_ok=True)
        gxx = build.macros_of_device(self.device) if self.device != "cuda" else []
        unread: list[str] = []
        unset: list[str] = []
        used = host_or_device.uses(self.file, clang, wrap=self.wrap, gxx=gxx, unread=unread,
                                   unset=unset,
                                   memory=self.limits.compiler_memory, folder=self.folder)
        if used:
            self.rows.append((text("compiles for a GPU"), "NO"))
            raise _Failed(used[0].kind, "\n".join(str(use)[:COLUMNS] for use in used))
        program = self._compile()
        if self.nvcc:
            self._compile_by_nvcc(self.nvcc, gxx)
        if self.inspect and unread:  # and g++ has read it all
            raise _Failed("refused", text("refused unread", what=unread[0][:80]))
        if self.inspect and unset:
            line, name = unset[0].split(": ")
            raise _Failed("refused", text("refused no value", line=line, what=name[:80]))
        two_sided = DIFFERS_ON_THE_HOST.search(self.compiler_said)
        if self.inspect and two_sided:
            raise _Failed("refused", text("refused two-sided", line=two_sided["line"]))
        self.rows.append((text("compiles"), "yes"))
        self._write_words()
        return self._run(program)

    def _compile_by_nvcc(self, by: nvcc.Nvcc, gxx: Sequence[str]) -> None:
        """It gets what g++ gets: no macro of its own decides."""
        passes = host_or_device.passes(self.file, gxx, wrap=self.wrap, folder=self.folder)
        for seen in passes:
            try:
                errors = by.errors(self.file, seen, wrap=self.wrap, folder=self.folder,
                                   for_host=len(passes) == 1)
            except nvcc.TakesTooLong:
                self.rows.append((text("compiles for a GPU"), "NO"))
                raise _Failed("endless compiling",
                              text("compiler's time", seconds=nvcc.SECONDS)) from None
            if errors:
                self.rows.append((text("compiles for a GPU"), "NO"))
                raise _Failed("host function" if nvcc.OF_HOST.search(errors[0][1]) else
                              "host access" if errors[0][1].endswith("in a host function") else
                              "compile",
                              "\n".join(f"nvcc: {f'{line}: ' if line else ''}{what}"[:COLUMNS]
                                        for line, what in errors[:3]))

    def _write_words(self) -> None:
        """For the check, which refuses some of them."""
        with open(self.file, encoding="utf-8", errors="replace") as file:
            found = list(tokens.words(file.read()))
        with open(self.words, "w", encoding="ascii") as file:
            file.writelines(f"{line} {word}\n" for word, line in found)
        os.chmod(self.words, 0o644)  # another user may run the check

    # --- compiling ---

    def _compile(self) -> str:
        words = Words()
        words.sources = [self.file, *exercises.check_files(self.task)]
        words.options = ["-Xcompiler=-Wall"] if self.device == "cuda" else \
            ["-g1", "-Wall", "-Werror=return-type"]
        program = build.Program(words, self.device, os.path.dirname(self.file), self.folder)
        try:
            return program.build(self._tool)
        except Stop as stop:
            if stop.of_a_signal:
                raise
            said = self.compiler_said
            self.rows.append((text("compiles"), "NO"))
            if stop.key not in ("does not compile", "does not link") or \
                    (MACHINE_FAULTS.search(said) and not ERROR_IN_SOURCE.search(said) and
                     not self.compiler_ended):
                self.rows.clear()
                last = "\n".join(said.strip().split("\n")[-20:])
                return self._stop(f"{last}\n{stop.sentence}".strip())
            if self.compiler_ended:
                raise _Failed("endless compiling", self.compiler_ended) from None
            raise _Failed(kind_of_error(said), self._errors(said)) from None

    @staticmethod
    def _stop(details: str):
        raise Stop(1, details)

    def _tool(self, command: Sequence[str], cwd: str) -> int:
        limits = self.limits
        if any(source in command for source in exercises.check_files(self.task)):
            limits = dataclasses.replace(limits, compile_seconds=1e9, compiler_memory=0)  # trusted
        else:
            if self.inspect and "-c" in command:
                command = [*command, *stack.OPTIONS, "-Wtrivial-auto-var-init",
                           "-DCPU_DEVICE_COUNTS_PRINTS"]
            command = [*self.wrap, *processes.limited(command, limits.compiler_memory,
                                                      limits.compile_seconds)]
        done = processes.run_one(command, cwd=cwd, environment={**os.environ, "LC_ALL": "C"},
                                 seconds=processes.BY_THE_CLOCK * limits.compile_seconds,
                                 most_printed=limits.compiler_printed)
        self.compiler_said += done.out.decode(errors="replace")
        if done.timed_out or (done.status != 0 and processes.COMPILER_TIME.search(done.out)):
            self.compiler_ended = text("compiler's time", seconds=round(limits.compile_seconds))
        elif done.endless:
            self.compiler_ended = text("compiler's output", kibibytes=limits.compiler_printed >> 10)
        elif done.status != 0 and limits.compiler_memory and re.search(
                "virtual memory exhausted|out of memory", done.out.decode(errors="replace")):
            self.compiler_ended = text("compiler's memory")
        elif done.shell_status > 128:  # by others: no memory is left, say; Ctrl-C is not its own
            self._stop(text("compiler's signal", number=done.shell_status - 128))
        status = 1 if self.compiler_ended else done.status
        if status == 0 and self.inspect and "-c" in command and self.file in command:
            refused = text("refused unset") if UNSET in done.out else \
                self.inspect(command[command.index("-o") + 1])
            if refused:
                raise _Failed("refused", refused)
        return status

    def _errors(self, said: str) -> str:
        for folder in (os.path.dirname(self.file), device.ROOT):
            said = said.replace(folder + "/", "")
        lines = said.strip().split("\n")
        errors = [line for line in lines if re.search("error|undefined reference|fatal", line)]
        return "\n".join(line[:COLUMNS] for line in (errors[:6] or lines[:12]))

    def _warnings(self) -> tuple[str, ...]:
        """What the compiler finds strange in the learner's file."""
        said = self.compiler_said.replace(os.path.dirname(self.file) + "/", "")
        lines = [line[:COLUMNS] for line in said.split("\n") if "warning: " in line and
                 "/exercises/" not in line and "-Wsign-compare" not in line]
        return tuple(lines[:3])

    # --- running ---

    def _run(self, program: str) -> Verdict:
        done, said = self._run_to_file(program) if self.seed is None else \
            self._run_to_descriptor(program, self.seed)
        self.printed = done.out.decode(errors="replace")
        kind = re.search(r"^verdict: (.*)$", said, re.M)
        said = re.sub(r"^verdict: .*\n?", "", said, flags=re.M)
        if done.status == 0 and kind and kind[1] == "solved":
            self._take_rows(said)
            if any(mark != "yes" for _, mark in self.rows):
                raise _Failed("exit", "")
            return Verdict(True, "", text("solved"), rows=tuple(self.rows), printed=self.printed)
        errors = without_places_of_the_check(done.err.decode(errors="replace"))
        if self.seed is not None:  # the folder is another one at each check
            errors = errors.replace(os.path.dirname(self.file) + "/", "")
        if kind:
            rows, _, details = without_places_of_the_check(said).partition("\n\n")
            self._take_rows(rows)
            raise _Failed(kind[1], shortened(details))
        if done.status == NO_DEVICE and self.device == "cuda" and not said:
            self._stop(shortened(self.printed))
        rows, after, _ = said.partition("\n\n")
        if rows and not after and not rows.endswith("\n"):  # it ended in the middle of a row
            rows += " NO"
        self._take_rows(rows)
        if NO_MEMORY.search(errors) and not self.limits.memory and self.seed is None:
            self._stop(shortened(errors))
        raise _Failed(self._kind_of_end(done, errors), first_and_last(errors))

    def _run_one(self, program: str, channel: str, inherited: Sequence[int] = ()
                 ) -> processes.Finished:
        limits = self.limits
        return processes.run_one(
            [*self.wrap_run, *processes.limited(
                [program, os.path.basename(self.file), channel, self.words],
                limits.memory, limits.run_seconds)],
            cwd=os.path.dirname(self.file), environment=self.environment,
            seconds=processes.BY_THE_CLOCK * limits.run_seconds,
            most_printed=limits.printed, one_stream=False,
            inherited=inherited)

    def _run_to_file(self, program: str) -> tuple[processes.Finished, str]:
        """How the program has ended, and what it has written of its verdict."""
        channel = os.path.join(self.folder, "verdict")
        with open(channel, "w", encoding="ascii"):
            pass
        done = self._run_one(program, channel)
        with open(channel, encoding="utf-8", errors="replace") as file:
            return done, file.read()

    def _run_to_descriptor(self, program: str, seed: int) -> tuple[processes.Finished, str]:
        """The same. The verdict counts only with the secret, which the check has read before it
        calls the answer, and which it tells nowhere else: what a report quotes of the answer is no
        verdict."""
        secret = secrets.token_hex(16)
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                words = exercises.stack_arguments(self.task)
                ours.sendall(f"{secret} {seed} {words}\n".encode())
                done = self._run_one(program, f"&{theirs.fileno()}", [theirs.fileno()])
            ours.setblocking(False)
            said = b""
            try:
                while len(said) < MOST_OF_VERDICT and (block := ours.recv(1 << 16)):
                    said += block
            except OSError:  # there is no more
                pass
        lines = said.decode(errors="replace")
        last = re.search(rf"^verdict: (.*) {secret}\n\Z", lines, re.M)
        kind = last[1] if last and lines.count(secret) == 1 else ""
        lines = re.sub(r"^verdict: .*\n?", "", lines, flags=re.M)
        return done, lines + (f"verdict: {kind}\n" if kind else "")

    def _take_rows(self, said: str) -> None:
        for line in said.split("\n"):
            if line.strip():
                what, _, mark = line.rstrip().rpartition(" ")
                self.rows.append((what.strip(), mark))

    def _kind_of_end(self, done: processes.Finished, errors: str) -> str:
        if done.timed_out or done.shell_status == 128 + signal.SIGXCPU:
            return "time on a GPU" if self.device == "cuda" else "time"
        if done.endless:
            return "output"
        if done.status == 66:  # the report's headline in small letters
            headline = next((line for line in errors.split("\n") if line), "")
            match = re.match(r"([A-Z ]+[A-Z])( in .*)?$", headline)
            return match[1].lower() if match else "crash"
        return {67: "too large", 0: "exit"}.get(done.status, "crash")


def kind_of_error(said: str) -> str:
    """The kind of what the compiler or the linker says."""
    # A message may quote a learner's line of any length, in which a search could take minutes.
    said = "\n".join(line[:REPORT_COLUMNS] for line in said.split("\n"))
    for pattern, kind in (
            ("undefined reference", "link"), ("multiple definition", "link"), ("'____'", "hole"),
            ("no return statement", "no return"), ("__shared__ variable", "start value"),
            (r"error: (?:<<<|__shared__|reinterpret_cast|a launch) without .*\[CPU device\]|"
             r"error: an argument of a kernel in braces|"
             r"error: no (?:counterpart|'<') to this", "compile"),
            ("no match|invalid conv|cannot convert|too (?:few|many) arguments", "wrong type"),
            ("not a member of|was not declared|No such file|CPU device", "unknown name")):
        if re.search(pattern, said):
            return kind
    return "compile"


def first_sentence(advice: str) -> str:
    """Up to the first full stop or question mark that ends a sentence."""
    paragraph = " ".join(advice.split("\n\n")[0].split())
    match = re.match(r"(.*?(?:[.?:!](?= [A-Z`(_]|$)|[\u3002\uff1f\uff01]))", paragraph)
    return match[1] if match else paragraph


def without_places_of_the_check(report: str) -> str:
    """Without the lines at which the check allocates, which the learner has not read; the others
    of its files without the folder, which is the teacher's."""
    return re.sub(r" allocated at \S*/(?:device_array\.cuh|check\.cpp):\d+"
                  r"(, called from \S*:\d+)?", "", report).replace(device.ROOT + "/", "")


def shortened(report: str) -> str:
    return "\n".join(line[:REPORT_COLUMNS] for line in report.strip("\n").split("\n")[:LINES])


def first_and_last(errors: str) -> str:
    """Of several reports the first, which is often the reason, and the last, which says how it
    ended."""
    lines = [line[:REPORT_COLUMNS] for line in errors.split("\n")
             if not line.startswith("race mode: ")]
    reports = [one for one in re.split(r"\n\n+", "\n".join(lines).strip("\n")) if one]
    shown = [reports[0]] + reports[1:][-1:] if reports else []
    return "\n\n".join("\n".join(one.split("\n")[:20]) for one in shown)
