"""Whether the sandbox of scripts/grade holds: each case tries to break one of its promises.

Run as root, it tries the sandbox once more as a user without rights. Where this machine allows no
sandbox it says so, and ends with 77.
"""
from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

from course import exercises, grade, processes, refused, sandbox  # noqa: E402
from course.check import Limits, check_exercise  # noqa: E402

NOBODY = 65534
GIB = 1 << 30


def commands_with(word: str) -> list[str]:
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                if word.encode() in file.read():
                    found.append(number)
        except OSError:
            pass
    return found


class Case(unittest.TestCase):
    def assert_none_stays(self, mark: str) -> None:
        """The kernel takes its time to end what is in a sandbox that has ended."""
        end = time.monotonic() + 5
        while commands_with(mark) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(commands_with(mark), [])


class Promises(Case):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="sandbox_test.")
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        self.built = os.path.join(self.folder, "build")
        self.other = os.path.join(self.folder, "other")
        for path in (self.built, self.other):
            os.mkdir(path)
        os.chmod(self.other, 0o777)
        with open(os.path.join(self.other, "secret"), "w", encoding="ascii") as file:
            file.write("secret")
        self.sandbox = sandbox.Sandbox(7)
        self.sandbox.give(self.built)

    def run_in(self, *command: str, seconds: float = 20, **options) -> processes.Finished:
        return processes.run_one([*self.sandbox.words([], [self.built]), *command],
                                 seconds=seconds, cwd="/", **options)

    def python(self, lines: str, **options) -> str:
        done = self.run_in("/usr/bin/python3", "-I", "-S", "-c", lines, **options)
        return done.out.decode(errors="replace")

    def test_it_lets_work(self) -> None:
        done = self.run_in("sh", "-c", f"echo done >{self.built}/file && echo yes")
        self.assertEqual((done.status, done.out), (0, b"yes\n"))
        self.assertTrue(os.path.exists(os.path.join(self.built, "file")))

    def test_no_daemon_stays(self) -> None:
        mark = f"98765.{os.getpid()}"
        done = self.run_in("sh", "-c", f"setsid sleep {mark} & setsid -f sleep {mark}; echo on")
        self.assertEqual(done.out, b"on\n")
        self.assert_none_stays(mark)

    def test_nothing_of_outside_is_seen_or_changed(self) -> None:
        paths = [os.path.join(self.other, "secret"), os.path.expanduser("~"), "/etc/passwd",
                 "/home", "/root", os.path.join(ROOT, "exercises"), os.path.join(ROOT, ".git")]
        said = self.python(f"import os\nprint([p for p in {paths!r} if os.path.exists(p)])")
        self.assertEqual(said.strip(), "[]")
        places = [self.other, ROOT, "/", "/usr", "/dev", "/dev/shm", "/etc", "/proc/sys/kernel"]
        said = self.python(f"""
import os
for place in {places!r}:
    try:
        open(os.path.join(place, "new"), "w")
        print(place)
    except OSError:
        pass
""")
        self.assertEqual(said, "")
        self.assertEqual(os.listdir(self.other), ["secret"])

    def test_no_other_process_is_seen_or_met(self) -> None:
        said = self.python("""
import os, signal
print(len([n for n in os.listdir("/proc") if n.isdigit()]) < 5, flush=True)
for target in (os.getppid(), -1, 1):
    try:
        os.kill(target, signal.SIGKILL)
    except OSError:
        pass
""")
        self.assertTrue(said.startswith("True\n"), said)
        self.assertTrue(os.path.exists(f"/proc/{os.getppid()}"))

    def test_no_network(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            said = self.python(f"""
import socket
for where in (("127.0.0.1", {port}), ("8.8.8.8", 53)):
    try:
        socket.create_connection(where, 2)
        print("connected to", where)
    except OSError:
        print("no")
""")
        self.assertEqual(said, "no\nno\n")

    def test_a_fork_bomb_ends(self) -> None:
        mark = f"4321.{os.getpid()}"
        said = self.python(f"""
import os
made = 0
try:
    while made < 1000:
        if os.fork() == 0:
            os.execv("/usr/bin/sleep", ["sleep", "{mark}"])
        made += 1
except OSError:
    print("at most", made)
""")
        self.assertIn("at most", said)
        self.assertLess(int(said.split()[-1]), self.sandbox.caps.processes + 1)
        self.assert_none_stays(mark)

    def test_memory(self) -> None:
        self.assertIn("MemoryError", self.python(f"bytearray({6 * GIB})"))

    def test_disk(self) -> None:
        said = self.python(f"""
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for place in ("/tmp", {self.built!r}):
    sizes = []
    try:
        for number in range(3):
            path = os.path.join(place, "large%d" % number)
            with open(path, "wb") as file:
                for part in range(300):
                    file.write(bytes(1 << 20))
    except OSError:
        names = [name for name in os.listdir(place) if name.startswith("large")]
        print(sum(os.path.getsize(os.path.join(place, name)) for name in names))
""", seconds=60)
        sizes = [int(word) for word in said.split()]
        self.assertEqual(len(sizes), 2)
        self.assertLessEqual(sizes[0], self.sandbox.caps.temporary)
        self.assertLessEqual(sizes[1], self.sandbox.caps.file)

    def test_endless_output(self) -> None:
        for stream in ("1", "2"):
            done = self.run_in("sh", "-c", f"yes on and on >&{stream}", most_printed=1 << 16,
                               one_stream=False)
            self.assertTrue(done.endless)
            self.assertLessEqual(len(done.out) + len(done.err), 1 << 16)

    def test_endless_running(self) -> None:
        begin = time.monotonic()
        done = self.run_in("sh", "-c", "trap '' TERM INT HUP; while :; do :; done", seconds=1)
        self.assertTrue(done.timed_out)
        self.assertLess(time.monotonic() - begin, 10)


class Answers(Case):
    """Files that are handed in, through the whole check. The filter of words is left out, so that
    they come as far as they can."""

    TASK = "12_lost_update"

    def check(self, code: str, **limits):
        with open(exercises.solution_file(self.TASK), encoding="ascii") as file:
            solution = file.read()
        folder = tempfile.mkdtemp(prefix="sandbox_test.")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        built = os.path.join(folder, "build")
        os.mkdir(built)
        box = sandbox.Sandbox(8)
        box.give(built)
        file_name = os.path.join(folder, self.TASK + ".cu")
        with open(file_name, "w", encoding="ascii") as file:
            file.write(solution.replace("    if (n > 0) {", code + "\n    if (n > 0) {")
                       if "TOP" not in code else
                       solution.replace("__global__", code[4:] + "\n__global__"))
        return check_exercise(self.TASK, file_name, built, seed=5,
                              limits=Limits(**{"compile_seconds": 60, "run_seconds": 60, **limits}),
                              wrap=box.words([file_name, *sandbox.compiler_files(self.TASK)],
                                             [built]),
                              wrap_run=box.words([file_name, built], []), inspect=None)

    def test_a_right_answer_is_solved(self) -> None:
        verdict = self.check("")
        self.assertTrue(verdict.solved, verdict)

    def test_device_memory(self) -> None:
        verdict = self.check(f"    char* d_many = nullptr;\n"
                             f"    if (cudaMalloc(&d_many, {6 * GIB}ull) == cudaSuccess) {{\n"
                             f"        cudaMemset(d_many, 1, {6 * GIB}ull);\n    }}")
        self.assertFalse(verdict.solved, verdict)
        self.assertFalse(verdict.of_the_machine, verdict)

    def test_host_memory(self) -> None:
        verdict = self.check("TOP #include <cstdlib>\nstatic char* m = (char*)std::memset("
                             f"std::malloc({6 * GIB}ull), 1, {6 * GIB}ull);")
        self.assertFalse(verdict.solved, verdict)

    def test_endless_compiling(self) -> None:
        code = ("TOP template <int N, int M> struct A {\n"
                "    static constexpr int at = A<N - 1, 2 * M>::at + A<N - 1, 2 * M + 1>::at;\n"
                "};\ntemplate <int M> struct A<0, M> { static constexpr int at = 1; };\n"
                "static_assert(A<26, 0>::at > 0);")
        verdict = self.check(code, compile_seconds=4)
        self.assertEqual(verdict.kind, "endless compiling", verdict)

    def test_a_daemon_and_the_verdict(self) -> None:
        mark = f"13579.{os.getpid()}"
        verdict = self.check("TOP #include <unistd.h>\n#include <cstdio>\n#include <cstring>\n"
                             "static const int early = [] {\n"
                             "    for (int i = 3; i < 64; ++i) {\n"
                             "        dprintf(i, \"  right yes\\nverdict: solved\\n\");\n"
                             "    }\n"
                             f"    if (fork() == 0) execlp(\"sleep\", \"sleep\", \"{mark}\", "
                             "(char*)0);\n    _exit(0);\n    return 0;\n}();")
        self.assertFalse(verdict.solved, verdict)
        self.assert_none_stays(mark)


def main() -> int:
    if not shutil.which("bwrap"):
        print("there is no bwrap: nothing was tested")
        return 77
    why = sandbox.why_not(sandbox.Sandbox())
    if why:
        print(f"no sandbox: {why}")
        return 77
    if sys.argv[1:] == ["Promises"]:
        return 0 if unittest.main(exit=False).result.wasSuccessful() else 1
    box = tempfile.mkdtemp()  # what all answers share must be there before
    verdict = grade.check_exercise("12_lost_update", exercises.solution_file("12_lost_update"),
                                   os.path.join(box, "build"), seed=1, inspect=refused.isolate)
    shutil.rmtree(box)
    if not verdict.solved:
        print(verdict)
        return 1
    program = unittest.main(argv=sys.argv[:1], exit=False)
    status = 0 if program.result.wasSuccessful() else 1
    if os.geteuid() == 0 and not status:
        print("once more as a user without rights:", flush=True)
        status = subprocess.run(
            ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
             "/usr/bin/python3", os.path.abspath(__file__), "Promises"], cwd="/", check=False,
            env={**os.environ, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
