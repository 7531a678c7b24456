"""How the Python scripts fail: with one sentence and a status, without a traceback, and with no
file lost. Shared by scripts/bench, plot, notes and mutate."""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile


class Failure(Exception):
    """One sentence that says what is wrong, and where."""


def end(main):
    """Calls main() and ends the script with its status. What goes wrong is one sentence on the
    standard error and status 1; a wrong command line, which argparse reports, is status 2."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) == signal.SIG_DFL:  # not under nohup
            signal.signal(ending, lambda number, frame: sys.exit(128 + number))  # runs `finally`
    sys.exit(status_of(main))


def status_of(main):
    if sys.stdout is None:
        return say("the standard output is closed")
    # Buffered, also where PYTHONUNBUFFERED is set: argparse overlooks a print that fails, and so an
    # error must wait for flushed(). A file's name may be no UTF-8.
    sys.stdout = open(1, "w", errors="backslashreplace", closefd=False)
    try:
        status = 1
        try:
            status = main()
        except SystemExit as ending:  # of argparse, also after --help
            status = ending.code
        if isinstance(status, str):
            say(status)
            status = 1
        return status if flushed() or status else 1
    except BrokenPipeError:
        discard_standard_output()  # what reads it, such as `head`, has seen enough
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Failure as failure:
        return say(failure)
    except subprocess.CalledProcessError as failed:
        return say(f"{words(failed.cmd)} ended with {failed.returncode}")
    except UnicodeDecodeError as error:
        return say(f"expected text in {error.encoding}: {error.reason}")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return say(f"{place}{error.strerror or error}")


def flushed():
    """Has all that was printed arrived? If not, says so."""
    try:
        sys.stdout.flush()
        return True
    except BrokenPipeError:
        raise
    except OSError as error:
        say(f"the standard output cannot be written: {error.strerror}")
        discard_standard_output()
        return False


def discard_standard_output():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python complains once more at its end


def say(sentence):
    flat = "".join(c if c.isprintable() else f"\\x{ord(c):02X}" for c in str(sentence))
    with contextlib.suppress(OSError, AttributeError):
        print(f"error: {flat[:600]}", file=sys.stderr)
    return 1


def words(command):
    return " ".join(map(str, command)) if isinstance(command, (list, tuple)) else str(command)


def positive(text):
    """A type for argparse: a whole number from 1 on, in decimal digits."""
    if not (text.isascii() and text.isdigit() and text[0] != "0" and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text[:70]}' is not a whole number from 1 on")
    return int(text)


def read_json(path, what):
    """The JSON value in a file; `what` says what is expected there."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}; expected {what}") from error
    except RecursionError as error:
        raise Failure(f"{path}: is nested too deeply; expected {what}") from error
    except ValueError as error:  # no UTF-8, or no JSON
        raise Failure(f"{path}: {error}; expected {what}") from error


def check_shape(value, shape, place, what):
    """Raises Failure unless `value` has the shape: a type; a dict of the keys that must be there; a
    list whose elements have the shape of its one element."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            raise Failure(f"{place}: expected {what}, found {type(value).__name__}")
        for key, inner in shape.items():
            if key not in value:
                raise Failure(f"{place}: '{key}' is missing; expected {what}")
            check_shape(value[key], inner, f"{place}: {key}", what)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise Failure(f"{place}: expected a list, found {type(value).__name__}")
        for number, element in enumerate(value):
            check_shape(element, shape[0], f"{place}[{number}]", what)
    elif shape is float:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not 0 <= value < 1e300:
            raise Failure(f"{place}: expected a number from 0 on, found {str(value)[:70]}")
    elif not isinstance(value, shape):
        raise Failure(f"{place}: expected {shape.__name__}, found {type(value).__name__}")


# What scripts/bench writes and scripts/plot and scripts/notes read.
RESULTS = {
    "device": {"name": str, "cuda_runtime": int}, "driver": str, "date": str, "commit": str,
    "runs": [{"title": str, "flags": [str],
              "table": {"program": str, "n": float, "plain_read_ms": float, "queued": bool,
                        "variants": [{"name": str, "skipped": str, "median_ms": float,
                                      "spread": float}]}}]}


def read_results(path):
    """What scripts/bench wrote; or what a program's --json wrote, as results of that one run."""
    what = "a file that scripts/bench or a program's --json wrote"
    results = read_json(path, what)
    if isinstance(results, dict) and "runs" not in results and "variants" in results:
        check_shape(results, {"input": str, "device": dict}, path, what)
        results = {"device": results["device"], "driver": "", "date": "", "commit": "",
                   "runs": [{"title": results["input"], "flags": [], "table": results}]}
    check_shape(results, RESULTS, path, what)
    for number, run in enumerate(results["runs"]):
        for row in run["table"]["variants"]:
            if not row["skipped"] and row["median_ms"] == 0:
                raise Failure(f"{path}: runs[{number}]: {row['name']}: median_ms: expected a "
                              "number above 0, found 0")
    return results


def place_of(path):
    """Where `path` goes, after all symbolic links; None where it is no regular file (/dev/stdout, a
    pipe), which is written to directly. Raises Failure where it cannot be written."""
    try:
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                raise Failure(f"{path}: is a directory, expected a file")
            if not stat.S_ISREG(status.st_mode):
                return None
            if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
                raise Failure(f"{path}: is read-only; expected a file that may be replaced")
        place = pathlib.Path(os.path.realpath(path))
        if not os.path.basename(path) or not place.parent.is_dir():
            raise Failure(f"{path}: cannot be created: there is no directory {place.parent}")
        return place
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Failure(f"{path}: cannot be created: {getattr(error, 'strerror', error)}") from error


@contextlib.contextmanager
def replacing(path, suffix=""):
    """Gives the path of a temporary file beside `path`, which takes its place at the end; where
    something is raised, the old file stays and the temporary one goes."""
    place = place_of(path)
    temporary = None
    try:
        if place is None:
            yield path
            return
        descriptor, temporary = tempfile.mkstemp(suffix, place.name[:100] + ".partial-",
                                                 place.parent)
        os.close(descriptor)
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, stat.S_IMODE(place.stat().st_mode) if place.exists()
                 else 0o666 & ~mask)
        os.replace(temporary, place)
        temporary = None
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.remove(temporary)


def write_text(path, text):
    """Writes a file; it appears whole or not at all."""
    with replacing(path) as temporary:
        with open(temporary, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)


def check_can_write(path):
    """Raises Failure now if write_text() could not create the file later, after long work."""
    place = place_of(path)
    if place is not None:
        try:
            with tempfile.TemporaryFile(dir=place.parent):
                pass
        except OSError as error:
            raise Failure(f"{path}: cannot be created: {error.strerror}") from error
