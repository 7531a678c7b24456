"""Compiles the source files of a program: by g++ for the CPU device, or by nvcc for a GPU. What is
built is kept, and is built anew only when one of the files has changed that it was made of."""
from __future__ import annotations

import os
import zlib

from course import device
from course.messages import Stop, fail, say, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from course.sources import Words

    # Runs a tool in a folder, with its messages on the standard error, and returns its status; a
    # negative one is a signal, as of subprocess.
    Tool = Callable[[Sequence[str], str], int]

SHARED = ("exercises", "harness")  # folders with sources that many programs have
# Parts of the CPU device.
CUDA_LIBRARIES = ("-lcublas", "-lcublasLt", "-lcufft", "-lcurand", "-lcudart", "-lcudart_static")
# Of its headers, those whose functions lie in a library of their own.
LIBRARY_HEADERS = tuple(os.path.join(device.ROOT, "cpu_device", "include", name) for name in (
    "cublas_v2.h", "cublasLt.h", "cublasXt.h", "cufft.h", "curand.h"))


class Program:
    """A program to build: the `words` of a command line that was given in the folder `cwd`, and the
    `kind` of device. It is made in `folder`, by default one below build/own/ with a name of its
    own. One that takes `long` to compile is compiled beside the CPU device."""

    def __init__(self, words: Words, kind: str, cwd: str, folder: str = "",
                 long: bool = False) -> None:
        self.words = words
        self.long = long
        self.kind = kind
        self.cwd = cwd
        # Two calls share a program if all of these are the same.
        self.made_with = "\0".join([cwd, *words.options, *words.nvcc_only, *words.libraries, "--",
                                    *words.sources])
        base = os.path.basename(words.sources[0]).rpartition(".")[0]
        name = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in base)[:100]
        name = name or "program"
        key = "%08x" % zlib.crc32(self.made_with.encode("utf-8", "surrogateescape"))
        self.own = os.path.join(device.BUILD, "own", kind)
        self.folder = folder or os.path.join(self.own, f"{name}-{key}")
        self.path = os.path.join(self.folder, name)

    def is_current(self) -> bool:
        # Whether a library has changed is not known here: with one, the linker runs each time.
        return not self.words.libraries and device.is_current(self.path, self.made_with)

    def build(self, tool: Tool | None = None) -> str:
        """Compiles and links what has changed; returns the program's path. Stops where that fails,
        after the tool's messages. Without a tool of the caller's, the messages are those of a
        command."""
        if self.is_current():
            return self.path
        self.tool = tool or _with_messages
        self.is_silent = tool is not None
        if self.long:
            with device.RuntimeBeside(self.kind) as runtime:
                self._make_once(runtime.wait)
                runtime.wait()
        else:
            if self.kind != "cuda":
                device.build_runtime(self.kind)
            self._make_once(lambda: None)
        return self.path

    def _make_once(self, before_link: Callable[[], None]) -> None:
        with self._lock(self.folder, "compiles this file"):
            if not self.is_current():  # another process may have made it
                self._make(before_link)

    def _lock(self, path: str, what: str) -> device.Lock:
        return device.Lock(path, "" if self.is_silent else what)

    def _make(self, before_link: Callable[[], None]) -> None:
        try:
            os.makedirs(self.folder, exist_ok=True)
            begin = device.now(self.folder)
        except OSError:
            device.cannot_write_in(self.folder)
        commands = _nvcc(self.words) if self.kind == "cuda" else _gxx(self.words, self.kind)
        inputs: list[str] = []
        kernels: list[str] = []
        others: list[str] = []
        for number, source in enumerate(self.words.sources):
            is_cu = source.endswith(".cu")
            command = commands.compile_cu if is_cu else commands.compile_host
            object_file = self._object_of(source, number, command)
            with self._lock(object_file, f"compiles {source}"):
                self._compile(command, source, object_file, commands.files, begin)
            inputs += device.inputs_of(object_file)
            (kernels if is_cu else others).append(object_file)
        before_link()
        # Of a function that several objects have the linker takes the first: the checked one.
        objects = kernels[::-1] + others
        libraries = commands.libraries
        if self.kind != "cuda" and not set(LIBRARY_HEADERS).isdisjoint(
                name for made in objects for name in _names_in(made + ".d")):
            device.build_runtime(self.kind, libraries=True)
            libraries = [f"@{device.runtime_folder(self.kind)}/library_flags", *libraries]
        status = self.tool([*commands.link, "-o", self.path, *objects, *libraries], self.cwd)
        if status != 0:
            _stop_at_signal(status)
            fail("does not link", sources=" ".join(self.words.sources))
        device.note_made(self.path, inputs, begin, self.made_with)

    def _object_of(self, source: str, number: int, command: list[str]) -> str:
        """The name of the object. What all files of an exercise share, the check, is compiled once
        for all of them, and the harness once for all chapters."""
        shared = tuple(os.path.join(device.ROOT, folder, "") for folder in SHARED)
        if not source.startswith(shared) or source.endswith(".cu"):
            return os.path.join(self.folder, f"{number}.o")
        key = "%08x" % zlib.crc32("\0".join(command).encode("utf-8", "surrogateescape"))
        name = os.path.relpath(source, device.ROOT).partition("/")[2]  # below the shared folder
        name = name.rpartition(".")[0].replace("/", "-")
        return os.path.join(self.own, f"{name}-{key}.o")

    def _compile(self, command: list[str], source: str, object_file: str, files: list[str],
                 begin: int) -> None:
        # What all files of an exercise share is named by its whole path: the folder does not count.
        folder = "" if os.path.dirname(object_file) == self.own else self.cwd
        made_with = "\0".join([*command, folder, source])
        if device.is_current(object_file, made_with):
            return
        rule = object_file + ".d"
        status = self.tool([*command, "-MD", "-MT", "o", "-MF", rule, "-c", source, "-o",
                            object_file], self.cwd)
        if status != 0:
            _stop_at_signal(status)
            self._check_room(source)
            fail("does not compile", source=source)
        device.note_made(object_file, [os.path.join(self.cwd, name) for name in _names_in(rule)] +
                         files, begin, made_with)

    def _check_room(self, source: str) -> None:
        """Stops if the compiler could not write its files."""
        for place in (os.environ.get("TMPDIR") or "/tmp", self.folder):
            path = os.path.join(place, f"room.{os.getpid()}")
            try:
                with open(path, "wb") as file:
                    file.write(bytes(1000000))
            except OSError:
                fail("no room to compile", source=source, place=place)
            finally:
                if os.path.exists(path):
                    os.remove(path)


class _Commands:
    def __init__(self) -> None:
        self.compile_cu: list[str] = []
        self.compile_host: list[str] = []
        self.link: list[str] = []
        self.libraries: list[str] = []
        self.files: list[str] = []  # of which every object is made


def _nvcc(words: Words) -> _Commands:
    commands = _Commands()
    nvcc = device.find_nvcc() or fail("no nvcc")
    flags = [*words.options, *words.nvcc_only]  # nvcc takes none of them twice

    def is_given(*beginnings: str) -> bool:
        return any(flag.startswith(beginnings) for flag in flags)

    if not is_given("-arch", "--gpu-arch", "-gpu-arch", "-gencode", "--generate-code") and \
            device.have_gpu():
        flags.append("-arch=native")
    if not is_given("-std="):
        flags.append("-std=c++17")
    if not is_given("-O"):
        flags.append("-O3")
    commands.compile_cu = commands.compile_host = [nvcc, *flags, "-I" + device.ROOT]
    commands.link = [nvcc, *flags]
    commands.libraries = words.libraries
    commands.files = [nvcc]
    return commands


def _gxx(words: Words, kind: str) -> _Commands:
    commands = _Commands()
    if words.nvcc_only:
        say(text("ignored by g++", words=" ".join(words.nvcc_only)))
    flags: list[str] = []
    for option in words.options:
        if option.startswith("-std=") and option.endswith(("03", "11", "14")):
            say(text("old standard", option=option))
        elif option.startswith("-Xcompiler="):
            flags += option.partition("=")[2].split(",")
        else:
            flags.append(option)
    runtime = device.runtime_folder(kind)
    compiler = device.compiler_of(kind)
    launcher = os.path.join(device.ROOT, "cpu_device", "compile")
    rewrite = os.path.join(device.BUILD, "device", "rewrite")
    plain = [*compiler, "-std=gnu++17", "-O1", "-fcaller-saves", *flags]
    # Last the flags that no other may replace: race mode needs -O0.
    commands.compile_cu = [launcher, rewrite, *plain, f"@{runtime}/cu_flags",
                           "-idirafter", device.ROOT]
    commands.compile_host = [launcher, "host", rewrite, *plain, f"@{runtime}/host_flags",
                             "-idirafter", device.ROOT]
    commands.link = [*compiler, *flags]  # -fopenmp, say
    commands.libraries = [library for library in words.libraries if library not in CUDA_LIBRARIES]
    commands.libraries.append(f"@{runtime}/link_flags")
    commands.files = list(device.device_files())
    return commands


def macros_of_device(kind: str) -> list[str]:
    """The command that prints the macros which a .cu file has at its end where __CUDA_ARCH__ is
    defined; none where the CPU device is not there yet."""
    flags = os.path.join(device.runtime_folder(kind), "cu_flags")
    if not os.path.isfile(flags):
        return []
    return [*device.compiler_of(kind), "-std=gnu++17", f"@{flags}", "-idirafter", device.ROOT,
            "-D__CUDA_ARCH__=900", "-DCPU_DEVICE_REWRITES", "-include", "cuda_runtime.h", "-E",
            "-dM", "-x", "c++"]


def _names_in(rule: str) -> list[str]:
    """The files of a rule as make has it: a \\ before a blank or the end of a line, $$ for $."""
    with open(rule, encoding="utf-8", errors="surrogateescape") as file:
        words = file.read().partition(":")[2].replace("\\\n", " ")
    names = words.replace("\\ ", "\0").replace("\\#", "#").replace("$$", "$").split()
    return [name.replace("\0", " ") for name in names]


def _stop_at_signal(status: int) -> None:
    """Ctrl-C, say: nothing is said of the file."""
    if status < 0:
        raise Stop(128 - status)
    if status in (129, 130, 143):  # cpu_device/compile was ended so
        raise Stop(status)


def _with_messages(command: Sequence[str], cwd: str) -> int:
    from course import processes
    return processes.call(command, cwd)
