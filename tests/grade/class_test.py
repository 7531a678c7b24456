"""Whether scripts/grade, as a whole command, keeps what TEACHERS.md promises: a command that was
killed goes on where it was, and its tables are those of a command that was not; where this machine
allows no sandbox it refuses, and with --trust it grades.

Where this machine allows no sandbox it says so, and ends with 77.
"""
from __future__ import annotations

import csv
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

from course import exercises, sandbox  # noqa: E402

TASK = "01_own_element"
# What bwrap 0.8 says in a container that forbids user namespaces.
FORBIDDEN = "bwrap: No permissions to create new namespace, likely because the kernel does not " \
            "allow non-privileged user namespaces."


class Whole(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="class_test.")
        self.addCleanup(shutil.rmtree, self.folder)
        with open(exercises.solution_file(TASK), encoding="ascii") as file:
            self.right = file.read()

    def hand_in(self, answers: dict[str, str]) -> str:
        submissions = os.path.join(self.folder, "class")
        for student, text in answers.items():
            os.makedirs(os.path.join(submissions, student))
            with open(os.path.join(submissions, student, TASK + ".cu"), "w",
                      encoding="ascii") as file:
                file.write(text)
        return submissions

    def start(self, submissions: str, report: str, *more: str, path: str = "",
              ) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PATH": path + os.environ["PATH"]}
        return subprocess.Popen(
            [os.path.join(ROOT, "scripts", "grade"), submissions, "--out",
             os.path.join(self.folder, report), *more], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=environment)

    def said(self, process: subprocess.Popen[bytes]) -> tuple[int, str]:
        said = process.communicate(timeout=900)[0].decode()
        return process.returncode, said

    def tables(self, report: str) -> tuple[list[list[str]], object]:
        """grades.csv and grades.json without what may differ: the seconds."""
        with open(os.path.join(self.folder, report, "grades.csv"), encoding="utf-8-sig") as file:
            rows = [row[:-1] for row in csv.reader(file)]
        with open(os.path.join(self.folder, report, "grades.json"), encoding="ascii") as file:
            table = json.load(file)
        for student in table["students"]:
            for cell in student["tasks"].values():
                del cell["seconds"]
        return rows, table

    def test_killed_and_going_on(self) -> None:
        submissions = self.hand_in({
            "anna": self.right, "bert": self.right.replace("+ d_y[i]", "- d_y[i]"),
            "cleo": "asm(\"\");\n", "dora": ""})
        os.mkfifo(os.path.join(submissions, "dora", "02_tail.cu"))
        kept = os.path.join(self.folder, "killed", "results", "*", "*.json")
        done: list[str] = []
        for number, status in ((signal.SIGTERM, 128 + signal.SIGTERM),
                               (signal.SIGKILL, -signal.SIGKILL)):
            killed = self.start(submissions, "killed", "-j1")
            end = time.monotonic() + 600
            while len(glob.glob(kept)) == len(done) and killed.poll() is None and \
                    time.monotonic() < end:
                time.sleep(0.02)
            killed.send_signal(number)
            killed.communicate()
            self.assertEqual(killed.returncode, status)
            done = glob.glob(kept)
            self.assertLess(len(done), 4)
        self.assertGreater(len(done), 1)
        before = {path: os.stat(path).st_mtime_ns for path in done}
        self.assertFalse(os.path.exists(os.path.join(self.folder, "killed", "grades.csv")))

        status, said = self.said(self.start(submissions, "killed"))
        self.assertEqual(status, 0, said)
        for path, written in before.items():
            self.assertEqual(os.stat(path).st_mtime_ns, written, "it was checked once more")
        # The data of the checks are drawn by this, and a report tells of them.
        os.makedirs(os.path.join(self.folder, "whole", "results"))
        shutil.copy(os.path.join(self.folder, "killed", "results", "secret"),
                    os.path.join(self.folder, "whole", "results", "secret"))
        status, said = self.said(self.start(submissions, "whole"))
        self.assertEqual(status, 0, said)
        self.assertEqual(self.tables("killed"), self.tables("whole"))
        rows = self.tables("whole")[0]
        other = "02_tail"
        self.assertEqual([row[:3] for row in rows[1:]], [
            ["anna", TASK, "solved"], ["anna", other, "not handed in"],
            ["bert", TASK, "failed"], ["bert", other, "not handed in"],
            ["cleo", TASK, "refused"], ["cleo", other, "not handed in"],
            ["dora", TASK, "failed"], ["dora", other, "failed"]])
        pages = os.path.join(self.folder, "whole", "students")
        self.assertEqual(sorted(os.listdir(pages)),
                         ["anna.html", "bert.html", "cleo.html", "dora.html"])
        with open(os.path.join(pages, "bert.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("01_own_element: failed", page)
        for name in ("anna", "cleo", "dora", self.folder):
            self.assertNotIn(name, page)

    def test_without_a_sandbox(self) -> None:
        submissions = self.hand_in({"anna": self.right, "bert": "asm(\"\");\n"})
        programs = os.path.join(self.folder, "bin")
        os.mkdir(programs)
        with open(os.path.join(programs, "bwrap"), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\necho '{FORBIDDEN}' >&2\nexit 1\n")
        os.chmod(os.path.join(programs, "bwrap"), 0o755)
        status, said = self.said(self.start(submissions, "none", path=programs + ":"))
        self.assertEqual(status, 1, said)
        self.assertIn("user namespaces", said)
        self.assertIn("--trust", said)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "none", "grades.csv")))

        status, said = self.said(self.start(submissions, "trusted", "--trust",
                                            path=programs + ":"))
        self.assertEqual(status, 0, said)
        self.assertEqual([row[2] for row in self.tables("trusted")[0][1:]], ["solved", "refused"])


def main() -> int:
    why = sandbox.why_not(sandbox.Sandbox())
    if why:
        print(f"no sandbox: {why}")
        return 77
    return 0 if unittest.main(exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
