"""Runs programs: with limits, several at once, and so that none goes on when the command has ended,
however that ends."""
from __future__ import annotations

import contextlib
import math
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time

from course.messages import Stop, fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import NoReturn

STEP = 0.05  # seconds between two looks at the clock, and at what gives no sign of itself
BLOCK = 1 << 16
BY_THE_CLOCK = 3  # seconds for one of a processor, at most: other work may have the processors
# What g++ and nvcc say of a part of theirs that is ended by its limit of time.
COMPILER_TIME = re.compile(rb"CPU time limit exceeded|died due to signal 24")


class _Guard:
    """A process that waits for the end of this one, and then kills the process groups that are
    still there. So a command that is killed leaves nothing running."""

    def __init__(self) -> None:
        self.pipe = -1

    def start(self) -> None:
        """Before the first process, so that none is unknown for long."""
        if self.pipe >= 0:
            return
        reading, self.pipe = os.pipe()
        if os.fork() != 0:
            os.close(reading)
            return
        try:
            os.setsid()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            os.close(self.pipe)
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):  # whoever reads these must see their end
                os.dup2(null, stream)
            self._wait(reading)
        finally:
            os._exit(0)

    @staticmethod
    def _wait(reading: int) -> None:
        groups: set[str] = set()
        with open(reading, encoding="ascii") as lines:
            for line in lines:
                sign, group = line[0], line[1:].strip()
                (groups.add if sign == "+" else groups.discard)(group)
        for group in groups:
            kill_group(int(group))

    def watch(self, group: int) -> None:
        os.write(self.pipe, f"+{group}\n".encode())

    def release(self, group: int) -> None:
        os.write(self.pipe, f"-{group}\n".encode())


_guard = _Guard()


def start_guard() -> None:
    """Where several threads will run programs, before the first of them."""
    _guard.start()


def end_now(status: int) -> NoReturn:
    """Ends this process with all its threads, and all that they run."""
    os._exit(status)  # then the guard kills what is left


def kill_group(group: int, number: int = signal.SIGKILL) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, number)


def end_with_signals() -> None:
    """SIGTERM and SIGHUP end the command as Ctrl-C does: what it has started ends first."""
    def end(number: int, frame: object) -> None:
        raise Stop(128 + number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # not under nohup
            signal.signal(number, end)


class Finished:
    """How a run has ended. `status`: negative for a signal, as of subprocess. `out` and `err`: what
    it has printed, at most the limit; `err` is empty where both streams are one. `timed_out` and
    `endless`: it was ended, because it took too long, or printed too much."""

    def __init__(self) -> None:
        self.status = 0
        self.out = b""
        self.err = b""
        self.timed_out = False
        self.endless = False
        self.seconds = 0.0

    @property
    def shell_status(self) -> int:
        """As a shell has it: 128 and the signal."""
        return self.status if self.status >= 0 else 128 - self.status


def _sign_of_end(pid: int) -> int:
    """A descriptor that is ready as soon as the process has ended; -1 where there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # an old kernel, or no Linux
        return -1


class Run:
    """One program in a process group of its own, with what is `given` as its standard input.
    `seconds` and `most_printed` (bytes, for each stream): then it is ended, with all that it has
    started. `inherited`: descriptors that it gets, by the same numbers."""

    def __init__(self, command: Sequence[str], cwd: str | None = None,
                 environment: Mapping[str, str] | None = None, seconds: float = 1e9,
                 most_printed: int = 1 << 25, one_stream: bool = True,
                 on_line: Callable[[bytes], None] | None = None,
                 inherited: Sequence[int] = (), given: bytes = b"") -> None:
        self.finished = Finished()
        self.most_printed = most_printed
        self.on_line = on_line
        self.begin = time.monotonic()
        self.end = self.begin + seconds
        _guard.start()
        try:
            with tempfile.TemporaryFile() if given else open(os.devnull, "r+b") as standard_input:
                standard_input.write(given)
                standard_input.seek(0)
                self.process = subprocess.Popen(
                    list(command), cwd=cwd, env=environment, stdin=standard_input,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT if one_stream else
                    subprocess.PIPE, start_new_session=True, pass_fds=inherited)
        except OSError as error:
            fail("cannot start", program=command[0], why=error.strerror)
        _guard.watch(self.process.pid)
        self.sign_of_end = _sign_of_end(self.process.pid)
        self.parts: dict[object, list[bytes]] = {}
        self.sizes: dict[object, int] = {}
        self.streams = [stream for stream in (self.process.stdout, self.process.stderr) if stream]
        self.open = list(self.streams)
        for stream in self.streams:
            self.parts[stream] = []
            self.sizes[stream] = 0

    def read(self, stream) -> None:
        """Takes what is there in one of its streams, which is ready."""
        block = os.read(stream.fileno(), BLOCK)
        if not block:
            self.open.remove(stream)
            return
        left = self.most_printed - self.sizes[stream]
        self.sizes[stream] += len(block)
        self.parts[stream].append(block[:max(left, 0)])
        if self.on_line:
            for line in block.splitlines(keepends=True):
                self.on_line(line)
        if self.sizes[stream] > self.most_printed:
            self.finished.endless = True
            self.kill()

    def kill(self) -> None:
        kill_group(self.process.pid)

    def has_ended(self) -> bool:
        """Looks whether it has ended, or must."""
        late = time.monotonic() > self.end
        # Not reaped yet, so that its number is no other group's.
        ended = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:  # and not: has ended long ago, while this command was busy
            if late and not self.finished.timed_out:
                self.finished.timed_out = True
                self.kill()
            return False
        self.kill()  # what it has started
        for stream in list(self.open):
            while stream in self.open and self._is_ready(stream):
                self.read(stream)
        return True

    @staticmethod
    def _is_ready(stream) -> bool:
        with selectors.DefaultSelector() as one:
            one.register(stream, selectors.EVENT_READ)
            return bool(one.select(0))

    def finish(self) -> Finished:
        """Reaps it."""
        self.finished.seconds = time.monotonic() - self.begin
        self.finished.status = self.process.wait()
        _guard.release(self.process.pid)
        texts = [b"".join(self.parts[stream]) for stream in self.streams]
        self.finished.out, self.finished.err = (texts + [b""])[:2]
        for stream in self.streams:
            stream.close()
        if self.sign_of_end >= 0:
            os.close(self.sign_of_end)
        return self.finished


def in_order(runs: Iterator[Run], at_once: int) -> Iterator[Finished]:
    """Starts the runs, `at_once` at a time, and gives how each has ended, in their order. If the
    caller ends early, those that go on are killed."""
    active: dict[int, Run] = {}
    done: dict[int, Finished] = {}
    started = given = 0
    more = True
    try:
        with selectors.DefaultSelector() as selector:
            while more or active or done:
                # Not far ahead of what is given out, so that few results are kept.
                while more and len(active) < at_once and started - given < 4 * at_once:
                    run = next(runs, None)
                    if run is None:
                        more = False
                        break
                    active[started] = run
                    for stream in run.streams:
                        selector.register(stream, selectors.EVENT_READ, run)
                    if run.sign_of_end >= 0:
                        selector.register(run.sign_of_end, selectors.EVENT_READ, run)
                    started += 1
                for key, _ in selector.select(STEP):
                    ready: Run = key.data
                    if key.fileobj == ready.sign_of_end:
                        continue
                    ready.read(key.fileobj)
                    if key.fileobj not in ready.open:
                        selector.unregister(key.fileobj)
                for number, run in list(active.items()):
                    if run.has_ended():
                        for sign in (*run.streams, run.sign_of_end):
                            with contextlib.suppress(KeyError, ValueError):  # no longer there
                                selector.unregister(sign)
                        done[number] = run.finish()
                        del active[number]
                while given in done:
                    yield done.pop(given)
                    given += 1
    finally:
        for run in active.values():
            run.kill()
            run.finish()


def run_one(command: Sequence[str], **options) -> Finished:
    """Runs it to its end; `options` are those of Run."""
    return next(in_order(iter([Run(command, **options)]), 1))


def limited(command: Sequence[str], memory: int, seconds: float) -> list[str]:
    """The command under a limit of so many KiB of addresses (0: without), and of so many seconds
    of a processor for each of its processes, which SIGXCPU ends. Lower ones that are there stay."""
    limits = f"ulimit -St {math.ceil(seconds)} 2>/dev/null; "
    if memory:
        limits += f"ulimit -v {memory} 2>/dev/null; "
    return ["sh", "-c", limits + 'exec "$0" "$@"', *command]


def call(command: Sequence[str], cwd: str) -> int:
    """Runs a tool that prints on this command's own streams; returns its status, negative for a
    signal. Ctrl-C ends it first."""
    end_with_signals()
    _guard.start()
    process = subprocess.Popen(list(command), cwd=cwd, stdin=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        _guard.watch(process.pid)
        return process.wait()
    except BaseException:
        kill_group(process.pid, signal.SIGTERM)  # cpu_device/compile removes its files
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)
        kill_group(process.pid)
        process.wait()
        raise
    finally:
        _guard.release(process.pid)


def cores() -> int:
    return len(os.sched_getaffinity(0))
