"""The sandbox in which a stranger's file is compiled and run: bubblewrap (bwrap), and prlimit.

Inside there are the compiler, the CPU device and the one file, all read-only, and a folder for what
is built. There is no network, no process of outside, nothing of the home folder or of the checkout
but what compiling needs. A process inside ends when bwrap does.

A user other than root gets a user namespace. For root, bwrap mounts as root, and what runs inside
has a user of its own, without a name and without rights: the kernel's limit of processes holds for
no process of root's, also inside a user namespace.
"""
from __future__ import annotations

import dataclasses
import glob
import os
import shutil
import subprocess

from course import device, exercises, host_or_device

FIRST_USER = 0x70000000  # the users inside, for root: this one and those after it
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")


@dataclasses.dataclass(frozen=True)
class Caps:
    """What a process inside may take at most. `data`: bytes of private memory that can be written,
    RLIMIT_DATA; `file` and `temporary`: bytes of one file, and of all files in /tmp; `processes`:
    of the sandbox, threads counted; `seconds`: of one processor, for each process."""

    data: int = 5 << 29
    file: int = 256 << 20
    temporary: int = 256 << 20
    processes: int = 64
    seconds: int = 120


class Sandbox:
    """`slot`: a number that no other sandbox has at the same time."""

    def __init__(self, slot: int = 0, caps: Caps = Caps(), trusts: bool = False) -> None:
        self.slot = slot
        self.caps = caps
        self.trusts = trusts  # then there are limits, but no walls

    @property
    def user(self) -> int | None:
        """The user inside, if it is another one."""
        return FIRST_USER + self.slot if os.geteuid() == 0 and not self.trusts else None

    def give(self, folder: str) -> None:
        """Makes the folder one in which the user inside may write."""
        if self.user is not None:
            os.chown(folder, self.user, self.user)

    def words(self, readable: list[str], writable: list[str]) -> list[str]:
        """The words before a command. `readable` and `writable`: the only files and folders of
        this machine, other than those of the system, that are there, by the same names."""
        if self.trusts:
            return self._limits()
        words = ["bwrap", "--die-with-parent", "--new-session", "--clearenv",
                 "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LC_ALL", "C",
                 "--setenv", "HOME", "/tmp", "--unshare-pid", "--unshare-net", "--unshare-ipc",
                 "--unshare-uts", "--unshare-cgroup-try"]
        if self.user is None:
            words += ["--unshare-user", "--cap-drop", "ALL"]
        words += ["--ro-bind", "/usr", "/usr"]
        for name in SYSTEM_LINKS:
            if os.path.islink("/" + name):
                words += ["--symlink", os.readlink("/" + name), "/" + name]
            elif os.path.isdir("/" + name):
                words += ["--ro-bind", "/" + name, "/" + name]
        words += ["--dir", "/etc"]
        for name in SYSTEM_FILES:
            words += ["--ro-bind-try", name, name]
        words += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777",
                  "--size", str(self.caps.temporary), "--tmpfs", "/tmp"]
        # Those that bwrap makes by itself can be entered by root only.
        for folder in _folders_above([*readable, *writable]):
            words += ["--dir", folder]
        for name in readable:
            words += ["--ro-bind", name, name]
        for name in writable:
            words += ["--bind", name, name]
        # /dev and / are file systems in memory, which have no limit of their own.
        words += ["--remount-ro", "/dev", "--remount-ro", "/", "--"]
        if self.user is not None:
            words += ["setpriv", "--reuid", str(self.user), "--regid", str(self.user),
                      "--clear-groups", "--no-new-privs", "--bounding-set=-all",
                      "--inh-caps=-all", "--"]
        return words + self._limits()

    def _limits(self) -> list[str]:
        caps = self.caps
        words = ["prlimit", f"--data={caps.data}", f"--fsize={caps.file}", "--core=0",
                 f"--cpu={caps.seconds}", "--nofile=256"]
        if not self.trusts:  # it counts all processes of the user
            words.append(f"--nproc={caps.processes}")
        return [*words, "--"]


def _folders_above(names: list[str]) -> list[str]:
    above: set[str] = set()
    for name in names:
        while (name := os.path.dirname(name)) not in ("/", "/tmp", "/usr"):
            above.add(name)
    return sorted(above)


def compiler_files(task: str) -> list[str]:
    """What of the checkout it takes to compile and to link an answer to this exercise."""
    own = os.path.join(device.BUILD, "own", "race")
    return [os.path.join(device.ROOT, "cpu_device"), os.path.join(device.BUILD, "device"),
            host_or_device.HEADER,
            *sorted(glob.glob(os.path.join(own, "check-*.o")) +
                    glob.glob(os.path.join(own, task + "-check-*.o")))]


def check_reads(task: str) -> list[str]:
    """What of the checkout the check of this exercise reads while it runs. The answer cannot: it
    has no function that opens a file."""
    solution = exercises.solution_file(task)
    with open(exercises.check_files(task)[0], encoding="utf-8") as check:
        return [solution] if f'"{os.path.basename(solution)}"' in check.read() else []


def why_not(sandbox: Sandbox) -> str:
    """Why there can be no such sandbox on this machine; "" if there can."""
    for program in ("bwrap", "prlimit", "setpriv"):
        if not shutil.which(program):
            return f"there is no {program}"
    seen = os.path.join(device.ROOT, "cpu_device", "compile")
    try:
        done = subprocess.run([*sandbox.words([os.path.dirname(seen)], []), "test", "-x", seen],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = done.stdout.decode(errors="replace").strip()
    if "setresuid" in said:
        return f"this container has no user {sandbox.user}, who would run the files ({said})"
    if done.returncode != 0:
        return said or f"inside, {seen} cannot be read: other users need the right to read the " \
                       f"checkout (chmod -R go+rX)"
    return ""
