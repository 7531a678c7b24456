"""How a command begins and ends: with a status, and with one sentence where something is wrong."""
from __future__ import annotations

import errno
import importlib
import os
import sys

from course import device, messages
from course.messages import Stop, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn, TextIO


SPEAKS = ("learn", "race")  # commands that speak the languages of messages.LANGUAGES


def status_of(command: str, words: list[str]) -> int:
    """Runs the command's main(words) and returns its status. Stop, Ctrl-C, a closed pipe and a full
    disk end it without a traceback."""
    _open_streams()
    try:
        if words[:1] in (["-h"], ["--help"]):
            messages.speak(messages.language_asked_for(words) if command in SPEAKS else "en")
            return show_help(command)
        status = importlib.import_module(f"course.{command}").main(words)
        sys.stdout.flush()
        return status
    except Stop as stop:
        if stop.sentence:
            _flush()
            say(stop.sentence)
        return stop.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard(sys.stdout)  # who reads it, such as `head`, has seen enough
        return 1
    except OSError as error:
        _discard(sys.stdout)
        place = f"{error.filename}: " if error.filename else ""
        if error.errno == errno.ENOSPC and not place:
            place = "the standard output cannot be written: "
        say(f"{place}{error.strerror or error}")
        return 1


def become(command: Sequence[str], environment: Mapping[str, str] | None = None) -> NoReturn:
    """Ends this command by running another in its place, command[0] being a path. Python ignores
    SIGPIPE, and a program that is started so would never end in `... | head -1`."""
    import signal
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execve(command[0], list(command), os.environ if environment is None else environment)


def show_help(command: str, stream: TextIO | None = None) -> int:
    """Prints the help: the comment at the head of scripts/COMMAND, or its translation beside this
    file."""
    stream = stream or sys.stdout
    translation = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                               f"{command}.{messages.language}.txt")
    if os.path.exists(translation):
        with open(translation, encoding="utf-8") as file:
            stream.write(file.read())
        stream.flush()
        return 0
    with open(os.path.join(device.ROOT, "scripts", command), encoding="ascii") as file:
        lines = file.read().split("\n")
    for line in lines[1:]:
        if not line.startswith("#"):
            break
        print(line[2:], file=stream)
    stream.flush()
    return 0


def _open_streams() -> None:
    """Standard streams that are closed become /dev/null, so that no file takes their number. What
    is printed may be no UTF-8: a file's name, say."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", errors="surrogateescape", closefd=False,
                      buffering=1)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _discard(sys.stdout)


def _discard(stream) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
