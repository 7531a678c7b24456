"""The trace of a run, and the page that plays it: player/bundle.py writes that."""
from __future__ import annotations

import importlib
import os
import sys
import webbrowser
from pathlib import Path

from course import device, messages, processes
from course.messages import Stop, fail

LINES = 20  # of what the program has printed, the last ones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def check() -> None:
    """Stops where no run can be shown as a page."""
    for path in device.needed_to_show():
        if not os.path.exists(path):
            fail("no player", file=path)


def write_trace(run: Sequence[str], seed: int, file: str, most_printed: int) -> None:
    """Runs it with the seed once more; race mode writes what its threads do to the file. What the
    program has printed is added."""
    before = os.stat(file).st_mtime_ns if os.path.exists(file) else None
    done = processes.run_one(run, environment={**os.environ, "RACE_SEED": str(seed),
                                               "RACE_TRACE": file},
                             most_printed=most_printed, one_stream=False)
    if not os.path.isfile(file) or os.stat(file).st_mtime_ns == before or \
            os.path.getsize(file) == 0:  # a run that is too large for race mode leaves it empty
        fail("no trace", file=file)
    _add_lines(file, done.out.decode(errors="replace").splitlines()[-LINES:])


def _add_lines(file: str, lines: list[str]) -> None:
    """A program does not see its own output, so race mode leaves a place for it in the outcome."""
    import json
    place = '"lines": null'
    with open(file, encoding="utf-8") as trace:
        before, found, after = trace.read().rpartition(place)
    if found and lines:
        with open(file, "w", encoding="utf-8") as trace:
            trace.write(before + place.replace("null", json.dumps(lines)) + after)


def has_steps(trace: str) -> bool:
    """Has a run been written there, and has a thread made a step in it?"""
    import json  # only here: most pages need no look at the trace
    try:
        with open(trace, encoding="utf-8") as file:
            return bool(json.load(file)["steps"])
    except (OSError, ValueError):
        return False


def write_page(trace: str | Sequence[str], page: str) -> None:
    """Writes one file of HTML for a trace, or for several to choose from, in the language of the
    command, and opens it where there is a display."""
    check()
    sys.path.insert(0, os.path.join(device.ROOT, "player"))
    bundle = importlib.import_module("bundle")
    try:
        bundle.bundle(trace, page, messages.language or "en")
    except bundle.BundleError as error:
        raise Stop(1, str(error)) from None
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(Path(page).as_uri())


def write_levels(folder: str) -> None:
    """Writes levels.html, the page of all levels, into the folder; makes the folder if need be."""
    check()
    sys.path.insert(0, os.path.join(device.ROOT, "player"))
    bundle = importlib.import_module("bundle")
    print(bundle.bundle_levels(folder))
