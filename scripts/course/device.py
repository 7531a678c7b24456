"""The project's folder, which device a program is built for, and what a device is built of.

What has to work before Python is there, packages and first builds, is done by common.sh.
"""
from __future__ import annotations

import fcntl
import os
import shutil
import signal

from course import messages
from course.messages import Stop, fail, say, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(ROOT, "build")
KINDS = ("cpu", "race", "asan")  # of the CPU device
NVCC_PLACES = ("/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc")


def _examples() -> tuple[str, ...]:
    with open(os.path.join(ROOT, "scripts", "common.sh"), encoding="ascii") as file:
        return tuple(file.read().partition("\nexamples=(")[2].partition(")")[0].split())


EXAMPLES = _examples()  # the chapters' programs, in the order of the lessons


def basics() -> list[str]:
    """The programs of basics/, in the order of learning."""
    with open(os.path.join(ROOT, "basics", "CMakeLists.txt"), encoding="ascii") as file:
        return [line[len("add_basics_program("):].rstrip(")\n") for line in file
                if line.startswith("add_basics_program(")]


def start_bash(*words: str, captured: bool = False,
               own_session: bool = False) -> subprocess.Popen[str]:
    """Calls a function of common.sh, and does not wait for it."""
    import subprocess
    speaks = {"SPEAKS": messages.language or "en"}
    return subprocess.Popen(
        ["bash", "-c", 'source "$0" || exit 1; "$@"', os.path.join(ROOT, "scripts", "common.sh"),
         *words], stdout=subprocess.PIPE if captured else None, text=True,
        start_new_session=own_session, env={**os.environ, **speaks})


def bash(*words: str, captured: bool = False) -> str:
    """Calls a function of common.sh. Stops as it does; what it prints is returned if captured."""
    with start_bash(*words, captured=captured) as process:
        try:
            printed = process.communicate()[0]
        except BaseException:
            process.kill()
            raise
    stop_unless_0(process.returncode)
    return (printed or "").strip()


def stop_unless_0(status: int) -> None:
    """Stops as a process has ended; a negative status is a signal, as of subprocess."""
    if status != 0:
        raise Stop(status if status > 0 else 128 - status)


def find_nvcc() -> str:
    """The path of nvcc; "" if there is none."""
    for place in (os.environ.get("CUDACXX") or "nvcc", *NVCC_PLACES):
        found = shutil.which(place)
        if found:
            return found
    return ""


def have_gpu() -> bool:
    try:
        bash("have_gpu")
        return True
    except Stop:
        return False


def choose() -> str:
    """cpu, cuda, race or asan: PRESET from the environment, else cuda where nvcc and a GPU are."""
    if os.environ.get("PRESET") or find_nvcc():
        return bash("choose_preset", captured=True)
    return "cpu"


def build_preset(preset: str, *targets: str) -> str:
    """Installs what is missing and builds the targets; returns the folder of the programs."""
    bash("build_with_packages", preset, *targets)
    return os.path.join(BUILD, preset, "bin")


def needed_to_show() -> list[str]:
    """What a page of a run is made by: the player, and the format in which race mode writes it."""
    return [os.path.join(ROOT, "player", "bundle.py"), os.path.join(ROOT, "docs", "trace.md")]


def can_show() -> bool:
    return all(map(os.path.exists, needed_to_show()))


class Lock:
    """with Lock(path, what): waits for other processes that hold the lock PATH.lock, and says WHAT
    it waits for; nothing if that is "". The lock ends with the process, however that ends."""

    def __init__(self, path: str, what: str) -> None:
        self.path = path + ".lock"
        self.what = what

    def __enter__(self) -> None:
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError:
            cannot_write_in(os.path.dirname(self.path))
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if self.what:
                say(text("waiting", what=self.what))
            fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def __exit__(self, *error: object) -> None:
        # Not by closing alone: the process that guards the runs may have a copy of the descriptor.
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)
        os.close(self.descriptor)


def cannot_write_in(folder: str):
    import getpass
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    fail("cannot write in", folder=folder, user=user)


# --- what is made of which files ------------------------------------------------------------------

def state_of(files: Iterable[str], made_with: str) -> str | None:
    """Sizes and times of the files, and what else counts; None if one is missing. In a copy of the
    project, the copy's own files count."""
    lines = [f"in {ROOT} by {os.environ.get('CXX') or 'g++'} {made_with}"]
    try:
        for file in files:
            status = os.stat(file)
            lines.append(f"{file}\0{status.st_size}\0{status.st_mtime_ns}")
    except OSError:
        return None
    return "\n".join(lines)


def inputs_of(file: str) -> list[str]:
    """What the file was made of, as note_made() was told; [] if that is not known."""
    try:
        with open(file + ".inputs", encoding="utf-8", errors="surrogateescape") as inputs:
            return inputs.read().split("\0")
    except OSError:
        return []


def is_current(file: str, made_with: str = "") -> bool:
    """Is the file there, and is all that it was made of as it was then?"""
    inputs = inputs_of(file)
    try:
        with open(file + ".state", encoding="utf-8", errors="surrogateescape") as state:
            return bool(inputs) and state.read() == state_of([file, *inputs], made_with)
    except OSError:
        return False


def note_made(file: str, inputs: Iterable[str], begin: int, made_with: str = "") -> None:
    """`file` is made of the inputs, unless one of them is newer than `begin`: then it is not known
    which text of it the compiler has read."""
    inputs = list(dict.fromkeys(inputs))
    with open(file + ".inputs", "w", encoding="utf-8", errors="surrogateescape") as list_of_inputs:
        list_of_inputs.write("\0".join(inputs))
    state = state_of([file, *inputs], made_with)
    if state is None or any(os.stat(name).st_mtime_ns > begin for name in inputs):
        if os.path.exists(file + ".state"):
            os.remove(file + ".state")
        return
    with open(file + ".state", "w", encoding="utf-8", errors="surrogateescape") as kept:
        kept.write(state)


def now(folder: str) -> int:
    """The time by the clock of the folder's file system, in nanoseconds."""
    path = os.path.join(folder, "begin")
    with open(path, "w", encoding="ascii"):
        pass
    return os.stat(path).st_mtime_ns


# --- the CPU device -------------------------------------------------------------------------------

def device_files() -> Iterator[str]:
    """The files of the CPU device, of which all that it runs is made."""
    for folder, folders, files in os.walk(os.path.join(ROOT, "cpu_device")):
        folders[:] = sorted(name for name in folders if name != "tests")
        for name in sorted(files):
            if not name.endswith(".md"):
                yield os.path.join(folder, name)


def runtime_folder(kind: str) -> str:
    """The folder in which the CPU device lies for `kind` (cpu, race or asan), with the flags of its
    programs, as cpu_device/CMakeLists.txt says."""
    return os.path.join(BUILD, "device", kind)


def _library(kind: str, part: str = "") -> str:
    return os.path.join(runtime_folder(kind), f"libcpu_device{part}.a")


def build_runtime(kind: str, libraries: bool = False) -> None:
    """Builds the CPU device for that kind, or its cuBLAS, cuFFT and cuRAND, unless it is there. It
    is built once, here or by a preset."""
    part = "_libraries" if libraries else ""
    if not is_current(_library(kind, part)):
        begin = _prepare_runtime()
        bash("build_device", kind + part)
        note_made(_library(kind, part), device_files(), begin)


def _prepare_runtime() -> int:
    """Sees to what the CPU device is built with; returns the time."""
    bash("prepare_own_file")
    try:
        os.makedirs(os.path.join(BUILD, "device"), exist_ok=True)
        return now(BUILD)
    except OSError:
        cannot_write_in(BUILD)


class RuntimeBeside:
    """with RuntimeBeside(kind) as runtime: builds the CPU device for that kind, unless it is there,
    while the caller compiles. What a source is compiled with is there at the beginning, the library
    after runtime.wait(). Where the caller is ended, so is the build."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.building: subprocess.Popen[str] | None = None

    def __enter__(self) -> RuntimeBeside:
        if not is_current(_library(self.kind)):
            self.begin = _prepare_runtime()
            # All kinds share the tool and the folder with the flags.
            if not any(is_current(_library(kind)) for kind in KINDS):
                bash("build_device", "rewrite")
            self.building = start_bash("build_device", self.kind, own_session=True)
        return self

    def wait(self) -> None:
        if self.building:
            status = self.building.wait()
            self.building = None
            stop_unless_0(status)
            note_made(_library(self.kind), device_files(), self.begin)

    def __exit__(self, *error: object) -> None:
        if self.building:
            os.killpg(self.building.pid, signal.SIGTERM)
            self.building.wait()


def compiler_of(kind: str) -> list[str]:
    """The command that compiles, with the words that CXX has beside it (ccache g++)."""
    with open(os.path.join(runtime_folder(kind), "compiler"), encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line]
