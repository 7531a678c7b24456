from __future__ import annotations

import os
import stat
import tempfile
import threading
import time
import unittest
from unittest import mock

from course import build, check, device, messages, processes

TASK = "12_lost_update"
ANSWER = "__global__ void k() {}\n"


class Check(unittest.TestCase):
    """With a shell script in the place of the program, which is called with the answer's name and
    with the file of the verdict."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "answer.cu")
        self.write(ANSWER)

    def write(self, text: str) -> None:
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, script: str, **options) -> check.Verdict:
        program = os.path.join(self.folder, "program")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(program, stat.S_IRWXU)
        with mock.patch.object(build.Program, "build", lambda self, tool: program):
            return check.check_exercise(TASK, self.file, os.path.join(self.folder, "build"),
                                        clang="", **options)

    def compile(self, said: str, key: str = "does not compile", status: int = 1,
                **limits) -> check.Verdict:
        """With a compiler that says something and fails."""
        def make(program, tool):
            tool(["sh", "-c", f"cat <<'E'\n{said}\nE\nexit {status}"], self.folder)
            messages.fail(key, source="x", sources="x", place="x", program="x", why="x")
        with mock.patch.object(build.Program, "build", make):
            return check.check_exercise(TASK, self.file, os.path.join(self.folder, "build"),
                                        clang="", limits=check.Limits(**limits))

    def test_solved(self) -> None:
        verdict = self.check('printf "  right   yes\\nverdict: solved\\n" >$2; echo $1')
        self.assertTrue(verdict.solved)
        self.assertEqual((verdict.kind, verdict.sentence), ("", "Solved."))
        self.assertEqual(verdict.rows, (("it compiles", "yes"), ("right", "yes")))
        self.assertEqual(verdict.printed, "answer.cu\n")
        words = os.path.join(self.folder, "build", "words")
        self.assertEqual(stat.S_IMODE(os.stat(words).st_mode), 0o644)  # another user may run it
        self.assertGreater(verdict.seconds, 0)
        self.assertFalse(verdict.of_the_machine)

    def test_a_verdict_counts_only_with_the_status(self) -> None:
        self.assertFalse(self.check('echo "verdict: solved" >$2; exit 1').solved)
        self.assertFalse(self.check("exit 0").solved)
        self.assertFalse(self.check('echo "verdict: solved"').solved)
        self.assertFalse(self.check('echo "my verdict: solved" >$2').solved)

    def test_by_a_descriptor_a_verdict_counts_only_with_the_secret(self) -> None:
        def check_with(lines: str) -> check.Verdict:
            return self.check(f"exec bash -c '{lines}' x $2", seed=7)

        read = "fd=${1#&}; read -r secret seed words <&$fd; "
        right = r'printf "  right   yes\nverdict: solved %s\n" "$secret" >&$fd'
        verdict = check_with(read + right + "; echo $seed $words")
        self.assertTrue(verdict.solved)
        self.assertEqual((verdict.printed, verdict.rows[-1]), ("7 0\n", ("right", "yes")))
        for lines in ("echo verdict: solved >&$fd", "echo verdict: solved 0123 >&$fd",
                      "echo verdict: solved $secret >&$fd; exit 1", "echo verdict: solved $secret",
                      r'printf "verdict: solved %s\n\n" $secret >&$fd', right + "; echo >&$fd",
                      r'printf "  right  no\n" >&$fd; ' + right,
                      r'printf "  verdict: solved %s yes\n" $secret >&$fd; ' + right,
                      r'printf "  right   verdict: solved %s\n" $secret >&$fd; ' + right,
                      "true"):
            self.assertFalse(check_with(read + lines).solved, lines)
        # Of what the check has printed so far, it may not be said that the rest holds.
        self.assertEqual(check_with(read + r'printf "  right  no\n" >&$fd; ' + right).kind, "exit")
        verdict = check_with(
            read + r'printf "  right NO\n\nn = 3\nverdict: value %s\n" $secret >&$fd; exit 1')
        self.assertEqual((verdict.kind, verdict.details), ("value", "n = 3"))
        # A report may quote what the answer has written.
        quoted = r'printf "  right NO\n\nx\nverdict: refused\ny\nverdict: data race %s\n" ' \
            '$secret >&$fd; exit 1'
        verdict = check_with(read + quoted)
        self.assertEqual((verdict.kind, verdict.details), ("data race", "x\ny"))
        self.assertEqual(check_with(read + 'echo verdict: refused >&$fd; exit 1').kind, "crash")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "build", "verdict")))
        # Nobody waits for a process that keeps the descriptor.
        kept: list[int] = []
        run_one = processes.run_one

        def run_and_keep(*words, inherited: list[int], **options) -> processes.Finished:
            kept.append(os.dup(inherited[0]))
            return run_one(*words, inherited=inherited, **options)
        in_the_end = threading.Timer(60, lambda: os.close(kept[0]))
        in_the_end.start()
        with mock.patch.object(processes, "run_one", run_and_keep):
            self.assertTrue(check_with(read + right).solved)
        self.assertTrue(in_the_end.is_alive())
        in_the_end.cancel()
        os.close(kept[0])

    def test_an_object_may_be_refused(self) -> None:
        def make(program, tool):
            if tool(["sh", "-c", "true", "-c", self.file, "-o", "a.o"], self.folder) != 0:
                messages.fail("does not compile", source="x")
            return "true"
        seen = []
        for said, kind in (("It calls f.", "refused"), ("", "exit")):
            with mock.patch.object(build.Program, "build", make):
                verdict = check.check_exercise(
                    TASK, self.file, os.path.join(self.folder, "build"), clang="",
                    inspect=lambda path, said=said: seen.append(path) or said)
            self.assertEqual((verdict.solved, verdict.kind), (False, kind))
        self.assertEqual(seen, ["a.o", "a.o"])

    def test_a_variable_that_is_never_set(self) -> None:
        """Between a switch and its first label. The compiler is g++ itself."""
        for first, kind in (("long keep[4];", "refused"), ("", "exit")):
            self.write(f"long f(long k) {{ switch (k) {{ {first} default: k = 3; }} return k; }}\n")

            def make(program, tool):
                if tool(["g++", "-x", "c++", "-ftrivial-auto-var-init=pattern", "-c", self.file,
                         "-o", os.path.join(self.folder, "a.o")], self.folder) != 0:
                    messages.fail("does not compile", source="x")
                return "true"
            with mock.patch.object(build.Program, "build", make):
                verdict = check.check_exercise(TASK, self.file, os.path.join(self.folder, "build"),
                                               clang="", inspect=lambda path: "")
            self.assertEqual(verdict.kind, kind, verdict)

    def test_words_before_the_program(self) -> None:
        verdict = self.check("exit 0", wrap_run=["sh", "-c", "echo before; exec \"$@\"", "x"])
        self.assertEqual(verdict.printed, "before\n")

    def test_what_the_check_says(self) -> None:
        verdict = self.check('printf "  right   yes\\n  shared   NO\\n\\nn = 31: wrong\\n\\nDATA '
                             'RACE allocated at /x/device_array.cuh:3, called from check.cpp:4.\\n'
                             'verdict: data race\\n" >$2; exit 1')
        self.assertEqual(verdict.kind, "data race")
        self.assertEqual(verdict.rows[1:], (("right", "yes"), ("shared", "NO")))
        self.assertEqual(verdict.details, "n = 31: wrong\n\nDATA RACE.")
        self.assertEqual(verdict.sentence, "Is the line still `++*d_count`?")
        self.assertTrue(verdict.advice.startswith(verdict.sentence))

    def test_how_it_ends(self) -> None:
        row = 'printf "  right" >$2; '
        for script, kind in (("exit 0", "exit"), ("exit 67", "too large"), ("exit 3", "crash"),
                             ("kill -SEGV $$", "crash"), ("exit 66", "crash"),
                             ("echo 'DEADLOCK in block 3' >&2; exit 66", "deadlock"),
                             ("echo 'DATA RACE' >&2; exit 66", "data race")):
            verdict = self.check(row + script)
            self.assertEqual(verdict.kind, kind, script)
            self.assertEqual(verdict.rows[-1], ("right", "NO"))
        verdict = self.check("printf 'one\\ntwo\\n\\nb\\n\\nc\\nrace mode: 3\\n' >&2; exit 3")
        self.assertEqual(verdict.details, "one\ntwo\n\nc")

    def test_a_row_in_the_middle_of_which_it_ends(self) -> None:
        for said, rows in (("", ()), ("  right  yes\\n", (("right", "yes"),)),
                           ("  right  yes\\n  shared", (("right", "yes"), ("shared", "NO"))),
                           ("  right  NO\\n\\nn = 3: wr", (("right", "NO"),))):
            verdict = self.check(f'printf "{said}" >$2; exit 3')
            self.assertEqual(verdict.rows, (("it compiles", "yes"), *rows), said)
            self.assertEqual(verdict.kind, "crash")

    def test_a_signal_is_no_verdict(self) -> None:
        """What ends the command while it compiles, looks or runs ends the check as well."""
        def ended(*given, **options):
            raise messages.Stop(143)
        for place in ((check.host_or_device, "uses"), (build.Program, "build"),
                      (processes, "run_one")):
            with mock.patch.object(build.Program, "build", lambda self, tool: "program"), \
                    mock.patch.object(*place, ended), \
                    self.assertRaises(messages.Stop) as stopped:
                check.check_exercise(TASK, self.file, os.path.join(self.folder, "build"), clang="")
            self.assertEqual(stopped.exception.status, 143, place)

    def test_a_compiler_that_others_end(self) -> None:
        for end, number in (("kill -KILL $$", 9), ("exit 143", 15)):
            def make(program, tool, end=end):
                if tool(["sh", "-c", f"echo said; {end}"], self.folder) != 0:
                    messages.fail("does not compile", source="x")
            with mock.patch.object(build.Program, "build", make):
                verdict = check.check_exercise(TASK, self.file, self.folder, clang="")
            self.assertTrue(verdict.of_the_machine)
            self.assertEqual((verdict.details, verdict.rows),
                             (f"said\nThe compiler was ended by signal {number}.", ()))

    def test_limits(self) -> None:
        verdict = self.check("sleep 60", limits=check.Limits(run_seconds=0.3))
        self.assertEqual(verdict.kind, "time")
        self.assertEqual(self.check("sleep 60", limits=check.Limits(run_seconds=0.3), kind="cuda")
                         .kind, "time on a GPU")
        busy = self.check("while :; do :; done", limits=check.Limits(run_seconds=1))
        self.assertEqual(busy.kind, "time")
        for stream in ("1", "2"):
            verdict = self.check(f"while :; do echo on and on; done >&{stream}",
                                 limits=check.Limits(printed=5000))
            self.assertEqual(verdict.kind, "output")
            self.assertLess(len(verdict.details), 5000)
        verdict = self.check("ulimit -v", limits=check.Limits(memory=3000000))
        self.assertEqual(verdict.printed, "3000000\n")

    def test_the_machines_faults(self) -> None:
        verdict = self.check("echo 'error: not enough memory: the CPU device needs' >&2; exit 1")
        self.assertTrue(verdict.of_the_machine)
        self.assertIn("not enough memory", verdict.details)
        self.assertFalse(self.check("echo 'error: not enough memory' >&2; exit 1",
                                    limits=check.Limits(memory=4000000)).of_the_machine)
        for said in ("x: No space left on device", "internal compiler error: Segmentation fault",
                     "g++: fatal error: Killed signal terminated program cc1plus",
                     "virtual memory exhausted: Cannot allocate memory"):
            verdict = self.compile(said, compiler_memory=0)
            self.assertTrue(verdict.of_the_machine, said)
            self.assertIn(said, verdict.details)
            self.assertEqual(verdict.rows, ())
        self.assertTrue(self.compile("", key="no room to compile").of_the_machine)
        with mock.patch.object(os, "makedirs", side_effect=PermissionError(13, "denied", "f")):
            self.assertTrue(self.check("exit 0").of_the_machine)

    def test_words_of_a_learner_are_no_fault_of_the_machine(self) -> None:
        for said in ("a.cu:3:2: error: #error Killed\n    3 | #error Killed",
                     "a.cu:3:1: error: static assertion failed: x\nas: No space left on device",
                     "a.cu(3): error: #error Killed",
                     "a.cu:3:10: fatal error: Killed: No such file or directory"):
            self.assertFalse(self.compile(said).of_the_machine, said)
        for said in ("a.cu:3:2: internal compiler error: Segmentation fault",
                     "a.cu:3:1: fatal error: error writing to /tmp/x.s: No space left on device",
                     "a.cu:3:2: warning: x\ng++: fatal error: Killed signal terminated program x"):
            self.assertTrue(self.compile(said).of_the_machine, said)

    def test_what_does_not_compile(self) -> None:
        for said, kind in (("a.cu:3: error: expected ';'", "compile"),
                           ("a.cu: undefined reference to `f'", "link"),
                           ("multiple definition of `f'", "link"),
                           ("error: '____' was not declared", "hole"),
                           ("error: no return statement in", "no return"),
                           ("error: a __shared__ variable has a start value", "start value"),
                           ("error: no matching function for call", "wrong type"),
                           ("error: invalid conversion from", "wrong type"),
                           ("error: too few arguments to function", "wrong type"),
                           ("error: too many arguments to function", "wrong type"),
                           ("error: 'x' was not declared in this scope", "unknown name"),
                           ("error: x.h: No such file", "unknown name"),
                           ("a.cu:2: error: <<< without >>>( after it [CPU device]", "compile"),
                           ("a.cu:2: error: no counterpart to this '(' [CPU device]", "compile"),
                           ("error: 'f' is not a member of 'cuda'", "unknown name")):
            verdict = self.compile(said)
            self.assertEqual(verdict.kind, kind, said)
            self.assertIn(said, verdict.details)
            self.assertEqual(verdict.rows, (("it compiles", "NO"),))

    def test_errors_are_shown_without_the_folder(self) -> None:
        said = "\n".join([f"{self.folder}/answer.cu:{k}: error: {'x' * 300}" for k in range(9)] +
                         ["note: a hint"])
        details = self.compile(said).details.split("\n")
        self.assertEqual(len(details), 6)
        self.assertTrue(details[0].startswith("answer.cu:0: error"))
        self.assertEqual(max(map(len, details)), 160)

    def test_warnings(self) -> None:
        said = "\n".join([f"{self.folder}/answer.cu:1: warning: unused", "/exercises/check.hpp:3: "
                          "warning: x", "a: warning: y [-Wsign-compare]", "error: z"])
        self.assertEqual(self.compile(said).warnings, ("answer.cu:1: warning: unused",))
        said = "\n".join(f"a.cu:{k}: warning: b" for k in range(5))
        self.assertEqual(len(self.compile(said).warnings), 3)

    def test_an_endless_compiler(self) -> None:
        verdict = self.compile("x" * 5000, compiler_printed=1024)
        self.assertEqual((verdict.kind, verdict.details),
                         ("endless compiling", "The compiler has printed more than 1 KiB."))
        verdict = self.compile("virtual memory exhausted", compiler_memory=4_000_000)
        self.assertEqual(verdict.details, "The compiler needed more memory than a check lets it have.")
        verdict = self.compile("g++: fatal error: CPU time limit exceeded signal terminated program")
        self.assertEqual(verdict.details, "The compiler did not end within 60 seconds of processor time.")

        def make(program, tool):
            tool(["sleep", "60"], self.folder)
            messages.fail("does not compile", source="x")
        with mock.patch.object(build.Program, "build", make):
            verdict = check.check_exercise(TASK, self.file, self.folder, clang="",
                                           limits=check.Limits(compile_seconds=0.3))
        self.assertEqual(verdict.kind, "endless compiling")

    def test_no_answer(self) -> None:
        self.write("x" * (check.LONGEST_ANSWER + 1))
        self.assertEqual(self.check("").kind, "too long")
        self.write("x" * check.LONGEST_ANSWER)
        self.assertNotEqual(self.check("").kind, "too long")
        os.remove(self.file)
        verdict = self.check("")
        self.assertEqual((verdict.solved, verdict.kind), (False, "no file"))

    def test_host_code(self) -> None:
        self.write("__global__ void k() {\n    std::max(1, 2);\n}\n")
        verdict = self.check('echo "verdict: solved" >$2')
        self.assertEqual((verdict.solved, verdict.kind), (False, "host code"))
        self.assertEqual(verdict.rows, (("it compiles for a GPU", "NO"),))
        self.assertTrue(verdict.details.startswith("2: std::max is for the host"))

    def test_commands_of_the_answer_are_wrapped(self) -> None:
        commands: list[list[str]] = []
        seconds: list[float] = []  # by the clock

        def run_one(command, **options):
            commands.append(command)
            seconds.append(options["seconds"])
            return processes.Finished()

        def make(program, tool):
            tool(["g++", "-c", self.file], self.folder)
            tool(["g++", "-c", f"{device.ROOT}/exercises/check.cpp"], self.folder)
            return "program"
        with mock.patch.object(processes, "run_one", run_one), \
                mock.patch.object(build.Program, "build", make):
            check.check_exercise(TASK, self.file, self.folder, clang="", wrap=["sandbox", "--"],
                                 limits=check.Limits(compiler_memory=0, compile_seconds=40,
                                                     run_seconds=60))
        self.assertEqual(seconds[::2], [120, 180])
        self.assertEqual([command[0] for command in commands], ["sandbox", "g++", "sandbox"])
        files = [os.path.join(self.folder, name) for name in ("verdict", "words")]
        run = processes.limited(["program", "answer.cu", *files], 0, 60)
        self.assertEqual(commands[2], ["sandbox", "--", *run])

    def test_clang_is_wrapped_and_has_the_limit_of_a_compiler(self) -> None:
        clang = os.path.join(self.folder, "clang")
        with open(clang, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\n'
                       'for last; do :; done\n'
                       f'echo "$(pwd) $WRAPPED $(ulimit -v) $last" >{self.folder}/seen\n')
        os.chmod(clang, stat.S_IRWXU)
        folder = os.path.join(self.folder, "build")
        with mock.patch.object(build.Program, "build", lambda self, tool: "/bin/true"):
            check.check_exercise(TASK, self.file, folder, clang=clang,
                                 wrap=["env", "WRAPPED=yes"],
                                 limits=check.Limits(compiler_memory=3_000_000))
        with open(f"{self.folder}/seen", encoding="utf-8") as file:
            seen = file.read().split()
        self.assertEqual(seen[:3], [os.path.realpath(self.folder), "yes", "3000000"])
        # A sandbox shows the folder of the build, and perhaps no other temporary file.
        self.assertEqual(os.path.dirname(seen[3]), folder)


class Kinds(unittest.TestCase):
    def test_no_message_takes_long(self) -> None:
        for word, kind in (("error: <<< without ", "compile"),
                           ("fatal error: ", "compile"), ("a.cu:1: fatal error: ", "compile")):
            said = "a.cu:3:1: error: static assertion failed: " + word * 40_000
            begin = time.process_time()
            self.assertEqual(check.kind_of_error(said), kind)
            self.assertIsNotNone(check.ERROR_IN_SOURCE.search(said))
            self.assertIsNone(check.ERROR_IN_SOURCE.search(word * 40_000))
            self.assertLess(time.process_time() - begin, 1)


class Sentences(unittest.TestCase):
    def test_first_sentence(self) -> None:
        for text, first in (("One. Two.", "One."), ("Is it? Yes.", "Is it?"), ("One", "One"),
                            ("A `;`, a `)`.\nor b. `c` d.", "A `;`, a `)`. or b."),
                            ("One, two\nthree.\n\nFour.", "One, two three."),
                            ("\u4e00 f(x)\u3002\u4e8c\u3002", "\u4e00 f(x)\u3002"),
                            ("\u4e00\uff1f\u4e8c", "\u4e00\uff1f")):
            self.assertEqual(check.first_sentence(text), first)

    def test_shortened(self) -> None:
        lines = check.shortened("\n" + "\n".join(["x" * 500] * 50)).split("\n")
        self.assertEqual((len(lines), len(lines[0])), (40, 400))

    def test_first_and_last(self) -> None:
        self.assertEqual(check.first_and_last(""), "")
        self.assertEqual(check.first_and_last("a\n\nb\n\nc\n"), "a\n\nc")
        self.assertEqual(check.first_and_last("\n".join(map(str, range(30)))).count("\n"), 19)


if __name__ == "__main__":
    unittest.main()
