"""What nvcc says of a file, where the CUDA Toolkit is installed: it alone knows all that a GPU's
compiler refuses, such as a function of the host that a kernel calls where clang finds another one.
It needs no GPU."""
from __future__ import annotations

import os
import re
import tempfile

from course import device, processes
from course.messages import Stop, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# For the device no further than to its assembly, for the host to C++: less than half of the time.
OPTIONS = ("-std=c++17", "-o", "/dev/null")
ARCHITECTURES = ("90", "80")  # the first is the CPU device's; toolkits before 11.8 lack it
SECONDS = 40  # of a processor
ERROR = re.compile(
    r"^(?P<file>[^():\n]+)(?:\((?P<line>\d+)\): error(?: #\S+)?: |:(?P<number>\d+):\d+: fatal error: )"
    r"(?P<what>.*)$", re.M)
# A warning of what a GPU cannot do: the kernel ends there.
NO_MEMORY_FOR_IT = re.compile(r"Warning: (Cannot (?:do atomic on|store to pointer that points to) "
                              r"(?:local|constant) memory(?: space)?)$", re.M)
NOTHING = "#include <cuda/atomic>\n__global__ void nothing() {}\n"
# Where the host has a variable of the same name that nobody sets.
NOT_ON_HOST = re.compile(r"^(?P<file>[^():\n]+)\((?P<line>\d+)\): warning #\d+-D: (?P<what>.* cannot "
                         r"be directly (?:read|written|taken) in a host function)$", re.M)
OF_HOST = re.compile(r"calling a (?:constexpr )?__host__|__(?:device|global)__ function call|"
                     r"identifier \"[^\"]*\" is undefined in device code")


class TakesTooLong(Exception):
    pass


class Nvcc:
    def __init__(self, path: str, architecture: str) -> None:
        self.path = path
        self.architecture = architecture
        # What it takes of the system beside /usr, which all may read.
        toolkit = os.path.dirname(os.path.dirname(os.path.realpath(path)))
        self.folders = [] if toolkit.startswith("/usr") else [toolkit]

    def errors(self, path: str, text: str, *, wrap: Sequence[str] = (), folder: str,
               for_host: bool = True) -> list[tuple[int, str]]:
        """The lines of the text, which stands for the file of that path, and what is wrong there;
        line 0 where nvcc names none of this file.
        `folder`: where a copy of it goes. `wrap`: the words before the command. `for_host`:
        the text is what the host sees, too. TakesTooLong where nvcc does not come to an end, and a
        Stop where it says nothing of the file."""
        own = tempfile.mkdtemp(dir=folder)
        os.chmod(own, 0o755)  # the user of a sandbox may be another one
        copy = os.path.join(own, os.path.basename(path))
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(copy, 0o644)
        done = processes.run_one(
            [*wrap, *processes.limited([self.path, *OPTIONS, "-cuda" if for_host else "-ptx",
                                        f"-arch=compute_{self.architecture}", copy],
                                       0, SECONDS)], cwd=own,
            environment={**os.environ, "LC_ALL": "C"},
            seconds=processes.BY_THE_CLOCK * SECONDS, most_printed=1 << 20)
        said = done.out.decode(errors="replace")
        if done.status == 0:
            return [(0, what) for what in NO_MEMORY_FOR_IT.findall(said)] + [
                (int(one["line"]), one["what"]) for one in NOT_ON_HOST.finditer(said)
                if os.path.basename(one["file"]) == os.path.basename(path)]
        if done.timed_out or processes.COMPILER_TIME.search(done.out):
            raise TakesTooLong
        found = found_in(said, os.path.basename(path))
        if not found:
            raise Stop(1, f"nvcc: {said.strip()[-300:] or done.status}")
        return found

    def version(self) -> str:
        done = processes.run_one([self.path, "--version"], seconds=SECONDS,
                                 environment={**os.environ, "LC_ALL": "C"})
        return done.out.decode(errors="replace") + self.architecture


def found_in(said: str, name: str) -> list[tuple[int, str]]:
    """The lines of the file of that name, and what nvcc has said of each. An error in a header,
    such as a static_assert, is one of the line by which nvcc has come there; of line 0, and told
    where there is nothing else, if it names none."""
    found, elsewhere = [], []
    errors = list(ERROR.finditer(said))
    for error, following in zip(errors, [*errors[1:], None]):
        line = int(error["line"] or error["number"])
        if os.path.basename(error["file"]) != name:
            notes = said[error.end():following.start() if following else None]
            ways = re.findall(rf" at line (\d+) of (?:\S*/)?{re.escape(name)}$", notes, re.M)
            if not ways:
                elsewhere += [(0, error["what"])] if error["line"] else []
                continue
            line = int(ways[-1])
        found.append((line, error["what"]))
    return found or elsewhere


def find() -> tuple[Nvcc | None, str]:
    """nvcc, if there is one that compiles a kernel; else why there is no use of it, or ""."""
    path = device.find_nvcc()
    why = ""
    for architecture in ARCHITECTURES if path else ():
        nvcc = Nvcc(path, architecture)
        with tempfile.TemporaryDirectory() as folder:
            try:
                errors = nvcc.errors("nothing.cu", NOTHING, folder=folder)
                if not errors:
                    return nvcc, ""
                why = errors[0][1]
            except Stop as stop:
                if stop.of_a_signal:
                    raise
                why = stop.sentence
            except TakesTooLong:
                why = text("compiler's time", seconds=SECONDS)
    return None, why
