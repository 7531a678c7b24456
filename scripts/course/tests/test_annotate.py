"""The lines that GitHub Actions reads."""
import types
import unittest
from unittest import mock

from course import annotate, messages, sources
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


class Main(unittest.TestCase):
    def test_a_header_among_the_files_is_refused(self):
        words = types.SimpleNamespace(sources=["a.cu"], arguments=["b.cuh", "c.cu"])
        with mock.patch.object(sources, "read_words", lambda command, given: words):
            with self.assertRaises(messages.Stop) as stopped:
                annotate.main(["a.cu", "b.cuh", "c.cu"])
        self.assertEqual(stopped.exception.sentence,
                         "expected a source file or --, got 'b.cuh'")

    def test_statuses(self):
        words = types.SimpleNamespace(sources=["a.cu", "b.cu", "c.cu"], race=sources.RaceFlags(),
                                      arguments=[])
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
