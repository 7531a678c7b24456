from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from course import processes
from course.messages import Stop


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class RunOne(unittest.TestCase):
    def run_sh(self, script: str, **options) -> processes.Finished:
        return processes.run_one(["sh", "-c", script], **options)

    @unittest.skipUnless(hasattr(os, "pidfd_open"), "no descriptors of processes")
    def test_an_end_gives_a_sign(self):
        run = processes.Run(["sh", "-c", "exec >&- 2>&-; read line"], given=b"line\n")
        ready, _, _ = select.select([run.sign_of_end], [], [], 30)
        self.assertEqual(ready, [run.sign_of_end])
        self.assertTrue(run.has_ended())
        self.assertEqual(run.finish().status, 0)

    def test_status_and_streams(self) -> None:
        done = self.run_sh("echo out; echo err >&2; exit 3", one_stream=False)
        self.assertEqual((done.status, done.out, done.err), (3, b"out\n", b"err\n"))
        self.assertEqual(self.run_sh("echo out; echo err >&2").out, b"out\nerr\n")
        self.assertFalse(done.timed_out or done.endless)

    def test_a_signal(self) -> None:
        done = self.run_sh("kill -TERM $$")
        self.assertEqual((done.status, done.shell_status), (-15, 143))

    def test_no_input_and_the_folder(self) -> None:
        self.assertEqual(self.run_sh("cat; pwd", cwd="/").out, b"/\n")
        self.assertEqual(self.run_sh("echo $X", environment={"X": "1"}).out, b"1\n")

    def test_time_limit(self) -> None:
        done = self.run_sh("sleep 60", seconds=0.2)
        self.assertTrue(done.timed_out)
        self.assertLess(done.seconds, 20)

    def test_what_ended_in_time_is_not_late(self) -> None:
        """Also where this command was busy, and looks long afterwards."""
        run = processes.Run(["true"], seconds=0.2)
        os.waitid(os.P_PID, run.process.pid, os.WEXITED | os.WNOWAIT)
        run.end = time.monotonic() - 1
        self.assertTrue(run.has_ended())
        self.assertEqual((run.finish().timed_out, run.finished.status), (False, 0))

    def test_output_limit_on_each_stream(self) -> None:
        for stream in ("1", "2"):  # on the other, the shell may complain before it is ended
            done = self.run_sh(f"while :; do echo on and on; done >&{stream}", one_stream=False,
                               most_printed=100000)
            self.assertTrue(done.endless)
            self.assertEqual(len(done.out if stream == "1" else done.err), 100000)
        self.assertFalse(self.run_sh("printf 12345", most_printed=5).endless)
        self.assertTrue(self.run_sh("printf 123456", most_printed=5).endless)

    def test_what_it_has_started_ends_with_it(self) -> None:
        done = self.run_sh("sleep 60 & echo $!")
        self.assertLess(done.seconds, 30)
        time.sleep(0.1)
        self.assertFalse(alive(int(done.out)))

    def test_limits(self) -> None:
        show = ["sh", "-c", "ulimit -v; ulimit -t"]
        self.assertEqual(processes.run_one(processes.limited(show, 123456, 6.5)).out,
                         b"123456\n7\n")
        without = processes.run_one(show).out.split()[0]
        self.assertEqual(processes.run_one(processes.limited(show, 0, 7)).out, without + b"\n7\n")

    def test_a_limit_of_processor_time(self) -> None:
        done = processes.run_one(processes.limited(["sh", "-c", "while :; do :; done"], 0, 1))
        self.assertEqual((done.timed_out, done.status), (False, -signal.SIGXCPU))

    def test_no_such_program(self) -> None:
        with self.assertRaises(Stop) as stopped:
            processes.run_one(["/no/such/program"])
        self.assertIn("/no/such/program", stopped.exception.sentence)

    def test_lines_are_told_at_once(self) -> None:
        lines: list[bytes] = []
        self.run_sh("echo one; echo two", on_line=lines.append)
        self.assertEqual(lines, [b"one\n", b"two\n"])


class InOrder(unittest.TestCase):
    def test_several_at_once_in_their_order(self) -> None:
        runs = (processes.Run(["sh", "-c", f"sleep 0.{9 - 4 * k}; echo {k}"]) for k in range(3))
        begin = time.monotonic()
        self.assertEqual([done.out for done in processes.in_order(runs, 3)],
                         [b"0\n", b"1\n", b"2\n"])
        self.assertLess(time.monotonic() - begin, 20)

    def test_not_more_than_that(self) -> None:
        running = 0

        def runs():
            nonlocal running
            for _ in range(4):
                running += 1
                yield processes.Run(["true"])
        given = 0
        for _ in processes.in_order(runs(), 1):
            given += 1
            self.assertLessEqual(running, given + 4)
        self.assertEqual(given, 4)

    def test_not_far_ahead(self) -> None:
        """While the first one goes on, at most four times as many are started as run at once."""
        drawn = 0
        with tempfile.TemporaryDirectory() as folder:
            go = os.path.join(folder, "go")

            def runs():
                nonlocal drawn
                for number in range(12):
                    drawn += 1
                    if drawn == 8:  # the first one ends a little later
                        with open(go, "w", encoding="ascii"):
                            pass
                    wait = f"while [ ! -e '{go}' ]; do sleep 0.02; done; sleep 0.3"
                    yield processes.Run(["sh", "-c", "" if number else wait])
            for given, _ in enumerate(processes.in_order(runs(), 2)):
                self.assertTrue(given > 0 or drawn == 8, drawn)
        self.assertEqual(drawn, 12)

    def test_a_caller_that_ends_early_kills_the_rest(self) -> None:
        started = [processes.Run(["true"]), processes.Run(["sleep", "60"])]
        runs = processes.in_order(iter(started), 2)
        next(runs)
        runs.close()
        self.assertFalse(alive(started[1].process.pid))


class Guard(unittest.TestCase):
    def check_killed(self, call: str) -> None:
        """Kills a command that runs a script; nothing of it may go on."""
        reading, writing = os.pipe()
        place = f"/proc/{os.getpid()}/fd/{writing}"
        script = ("import sys; sys.path.insert(0, sys.argv[1]); from course import processes; "
                  f"processes.{call}")
        run = f"sleep 60 & echo $$ $! >{place}; sleep 60"
        scripts = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        command = subprocess.Popen([sys.executable, "-c", script, scripts, run])
        numbers = [int(word) for word in os.read(reading, 100).split()]
        os.close(reading)
        os.close(writing)
        self.assertTrue(all(map(alive, numbers)))
        time.sleep(0.3)
        command.send_signal(signal.SIGKILL)
        command.wait()
        for _ in range(100):
            if not any(map(alive, numbers)):
                break
            time.sleep(0.05)
        self.assertEqual([alive(number) for number in numbers], [False, False])

    def test_nothing_goes_on_when_the_command_is_killed(self) -> None:
        self.check_killed("run_one(['sh', '-c', sys.argv[2]])")

    def test_no_tool_goes_on_when_the_command_is_killed(self) -> None:
        self.check_killed("call(['sh', '-c', sys.argv[2]], '/')")

    def test_an_interrupted_tool_removes_its_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            tool = "trap 'rm made; exit' TERM; touch made; sleep 0.3; kill -INT $PPID; " \
                "sleep 9 & wait"
            before = signal.signal(signal.SIGINT, signal.default_int_handler)
            self.addCleanup(signal.signal, signal.SIGINT, before)
            with self.assertRaises(KeyboardInterrupt), \
                    mock.patch.object(processes, "end_with_signals"):
                processes.call(["sh", "-c", tool], folder)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
