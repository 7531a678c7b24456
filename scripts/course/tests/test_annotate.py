"""The lines that GitHub Actions reads."""
import json
import os
import tempfile
import types
import unittest
from unittest import mock

from course import annotate, build, device, messages, sources
from course.tests.test_race import printed_by

REPORT = {"kind": "DATA RACE", "where": "kernel count, launched at src/a,b.cu:12",
          "places": ["src/a,b.cu:5", "src/a,b.cu:7"],
          "text": "  src/a,b.cu:5: 100 % of it\n  and more\n"}


class Annotations(unittest.TestCase):
    def test_stands_at_the_first_access(self):
        self.assertEqual(
            annotate.annotation_of(REPORT, "src/a,b.cu"),
            "::error file=src/a%2Cb.cu,line=5,"
            "title=DATA RACE in kernel count%2C launched at src/a%2Cb.cu%3A12::"
            "  src/a,b.cu:5: 100 %25 of it%0A  and more")

    def test_stands_at_the_launch_without_an_access(self):
        line = annotate.annotation_of({**REPORT, "places": []}, "x.cu")
        self.assertTrue(line.startswith("::error file=src/a%2Cb.cu,line=12,"), line)

    def test_names_the_file_without_a_place(self):
        line = annotate.annotation_of({**REPORT, "places": [], "where": "the program"}, "x.cu")
        self.assertTrue(line.startswith("::error file=x.cu,title="), line)

    def test_a_run_without_a_report_has_no_file(self):
        self.assertEqual(annotate.reports_in("/no/such/file"), [])


    def test_a_line_that_is_cut_is_left_out(self):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(json.dumps(REPORT) + '\n{"kind": "DATA R')
            file.flush()
            self.assertEqual(annotate.reports_in(file.name), [REPORT])


class OfProgram(unittest.TestCase):
    """With a shell script in the place of the program: $RACE_SEED is the seed."""

    def annotations(self, script: str, seeds: int = 3) -> tuple:
        words = sources.Words()
        words.sources = ["src/a,b.cu"]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + script)
            os.chmod(program, 0o755)
            with mock.patch.object(build.Program, "build", lambda self: program):
                lines, status = annotate.of_program(words, seeds)
        return [line.partition("title=")[2] for line in lines], status

    @staticmethod
    def report(**fields) -> str:
        return f"cat >>$RACE_JSON <<END\n{json.dumps({**REPORT, **fields})}\nEND\n"

    SAYS_SO = "echo 'race mode: 1 report'; exit 66\n"

    def test_one_fault_is_one_annotation(self):
        text = "thread $RACE_SEED"
        there, back = (self.report(places=places, text=text)
                       for places in (["x.cu:5", "x.cu:7"], ["x.cu:7", "x.cu:5"]))
        script = f"if [ $RACE_SEED = 2 ]; then {back} else {there} fi\n{self.SAYS_SO}"
        title = "DATA RACE in kernel count%2C launched at src/a%2Cb.cu%3A12::thread 1"
        self.assertEqual(self.annotations(script), ([title], 66))
        lines, _ = self.annotations(there + self.report(places=["x.cu:5", "x.cu:8"]) +
                                    self.report(kind="DEADLOCK", places=[]) + self.SAYS_SO)
        self.assertEqual(len(lines), 3)

    def test_a_run_that_fails_is_one_annotation(self):
        self.assertEqual(self.annotations("echo one; echo two; exit 3"),
                         (["seed 1 ended with 3::two"], 1))
        self.assertEqual(self.annotations("exit $RACE_SEED", 2),
                         (["seed 1 ended with 1::src/a,b.cu", "seed 2 ended with 2::src/a,b.cu"],
                          1))
        self.assertEqual(self.annotations("exit 0"), ([], 0))

    def test_what_crashes_after_a_report_has_reported(self):
        lines, status = self.annotations(self.report() + "kill -SEGV $$")
        self.assertEqual(status, 66)
        self.assertEqual([line.partition("::")[0] for line in lines],
                         ["DATA RACE in kernel count%2C launched at src/a%2Cb.cu%3A12",
                          "seed 1 ended with 139"])


class Main(unittest.TestCase):
    def test_no_other_device_is_taken(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(device.ROOT)
        for flag in ("--asan", "--cpu"):
            with self.assertRaises(messages.Stop) as stopped:
                annotate.main([flag, "basics/01_threads.cu"])
            self.assertEqual((stopped.exception.status, stopped.exception.sentence),
                             (2, f"scripts/annotate takes no {flag}; scripts/run does"))

    def test_a_header_among_the_files_is_refused(self):
        words = types.SimpleNamespace(sources=["a.cu"], arguments=["b.cuh", "c.cu"], device="")
        with mock.patch.object(sources, "read_words", lambda command, given: words):
            with self.assertRaises(messages.Stop) as stopped:
                annotate.main(["a.cu", "b.cuh", "c.cu"])
        self.assertEqual(stopped.exception.sentence,
                         "expected a source file or --, got 'b.cuh'")

    def test_statuses(self):
        words = types.SimpleNamespace(sources=["a.cu", "b.cu", "c.cu"], race=sources.RaceFlags(),
                                      arguments=[], device="")
        for statuses, expected in (((0, 0, 0), 0), ((0, 1, 0), 1), ((66, 1, 0), 66)):
            left = list(statuses)
            with mock.patch.object(sources, "read_words", lambda command, given: words), \
                    mock.patch.object(annotate, "of_program",
                                      lambda one, seeds: ([f"{one.sources}"], left.pop(0))):
                status, out, err = printed_by(lambda: annotate.main([]))
            self.assertEqual(status, expected)
            self.assertEqual(out, "['a.cu']\n['b.cu']\n['c.cu']\n")


if __name__ == "__main__":
    unittest.main()
