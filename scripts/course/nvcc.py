"""What nvcc says of a file, where the CUDA Toolkit is installed: it alone knows all that a GPU's
compiler refuses, such as a function of the host that a kernel calls where clang finds another one.
It needs no GPU."""
from __future__ import annotations

import os
import re
import shutil
import tempfile

from course import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# For the device alone, and no further than to its assembly: half of the time.
OPTIONS = ("-ptx", "-std=c++17", "-arch=sm_75", "-w", "-o", "/dev/null")
SECONDS = 60
ERROR = re.compile(r"^(?P<file>[^()]+)\((?P<line>\d+)\): error(?: #\S+)?: (?P<what>.*)$", re.M)
OF_HOST = re.compile(r"calling a (?:constexpr )?__host__|__(?:device|global)__ function call|"
                     r"identifier \"[^\"]*\" is undefined in device code")


def command() -> str:
    """nvcc; "" where there is none."""
    beside = "/usr/local/cuda/bin/nvcc"
    return shutil.which("nvcc") or (beside if os.access(beside, os.X_OK) else "")


def version(nvcc: str) -> str:
    done = processes.run_one([nvcc, "--version"], environment={**os.environ, "LC_ALL": "C"},
                             seconds=SECONDS)
    return done.out.decode(errors="replace")


def errors(path: str, nvcc: str, *, wrap: Sequence[str] = (), memory: int = 0,
           folder: str | None = None) -> list[tuple[int, str]]:
    """The lines of the file, and what is wrong there; one of line 0 where nvcc does not come so
    far. `wrap`, `memory`, `folder`: as in host_or_device.uses()."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        os.chmod(own, 0o777)  # the user of a sandbox may be another one
        done = processes.run_one(
            [*wrap, *processes.limited([nvcc, *OPTIONS, "-I", os.path.dirname(path), path],
                                       memory, SECONDS)], cwd=os.path.dirname(path),
            environment={**os.environ, "LC_ALL": "C", "TMPDIR": own},
            seconds=processes.BY_THE_CLOCK * SECONDS, most_printed=1 << 20)
    if done.status == 0:
        return []
    said = done.out.decode(errors="replace")
    found = [(int(one["line"]), one["what"]) for one in ERROR.finditer(said)
             if os.path.basename(one["file"]) == os.path.basename(path)]
    return found or [(0, said.strip().split("\n")[-1] or f"it ended with {done.status}")]


def why_unusable(nvcc: str) -> str:
    """Why it compiles not even a kernel that does nothing; "" if it does."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "nothing.cu")
        with open(path, "w", encoding="ascii") as file:
            file.write("#include <cuda/atomic>\n__global__ void nothing() {}\n")
        return "".join(what for _, what in errors(path, nvcc))
