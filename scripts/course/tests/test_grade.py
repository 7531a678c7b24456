from __future__ import annotations

import csv
import io
import json
import os
import shutil
import stat
import tempfile
import unittest
from unittest import mock

from course import check, grade, grade_report, messages, refused, sandbox, similarity

TASK = "12_lost_update"
KERNEL = "__global__ void k(int* d_x) { atomicAdd(d_x, 1); }\n"


class Text(unittest.TestCase):
    """What is refused before it is compiled."""

    def assert_refused(self, text: str, words: str) -> None:
        said = refused.why_refused(text.encode())
        self.assertIn(words, said, text)

    def test_what_answers_have(self) -> None:
        for text in (KERNEL, "#include <vector>\n" + KERNEL, "#  include  <cuda/atomic>\n",
                     "#define N(x) \\\n    (x + 1)\n", "extern __shared__ int s_x[];\n",
                     "[[maybe_unused]] int a; [[nodiscard, deprecated(\"no\")]] int f();\n",
                     "const char* s = \"asm ## \\\\ [[gnu::x]]\"; // asm\n/* asm\n ## */\n",
                     "int a = 1'000; char c = '\\\\'; float f = 1e-3f;\n", "#pragma unroll 4\n",
                     "namespace cg = cooperative_groups;\n", "std::vector<::N> v;\n", "____\n",
                     "int x[3]; int y = x[x[0]];\n", "\ufeffint a;  // \u00e4\r\n", ""):
            self.assertEqual(refused.why_refused(text.encode()), "", text)

    def test_what_hides(self) -> None:
        for text, words in (("int a;\nasm(\"\");", "Line 2: the word asm"),
                            ("void __attribute__((weak)) f();", "__attribute__"),
                            ("#define A [\n#define B [gnu::weak]]\nA B void f();", "gnu"),
                            ("[[using x: weak]] f();", "attribute"), ("[\n[x]] f();", "[ ["),
                            ("#define C(a, b) a##b", "##"), ("a%:%:b", "%:"), ("<:<:x:>:>", "<:"),
                            ("a\\\nsm(\"\");", "backslash"), ("// \\\nint a;", "backslash"),
                            ("#define A as\\\nm", "backslash"), ("int a = \\\n1;", "backslash"),
                            ("R\"(x)\"", "raw string"), ("u8R\"x(y)x\"", "raw string"),
                            ("\\u0061sm", "spelling"), ("int \u00e4;", "spelling"),
                            ("int a$b;", "spelling"), ("extern \"C\" int f();", "extern"),
                            ("extern\nint f;", "extern"), ("namespace\nstd { }", "namespace std"),
                            ("#include <unistd.h>", "<unistd.h>"), ("#include A", "header A"),
                            ("#include \"/etc/passwd\"", "/etc/passwd"), ("#line 3", "#line"),
                            ("#include_next <vector>", "#include_next"),
                            ("# import <a>", "#import"), ("_Pragma(\"x\")", "_Pragma"),
                            ("#pragma GCC optimize 3", "#pragma GCC"),
                            ("#define __global__", "#define __global__"),
                            ("#define a b\nint a;\n#include <vector>", "Line 3: #include after"),
                            ("int x = __builtin_return_address(0);", "__builtin"),
                            ("__attr_access((a, 1))", "__attr_access"), ("goto *p;", "goto"),
                            ("cpu_device::race::forget();", "cpu_device"), ("int main();", "main"),
                            ("x" * 3000, "characters"), ("\n" * 4000, "lines")):
            self.assert_refused(text, words)
        self.assertIn("UTF-8", refused.why_refused(b"int a;\n\xff"))
        self.assertIn("Line 1", refused.why_refused(b"int a;\0"))


class Submissions(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "class")
        self.report = os.path.join(folder.name, "report")
        os.mkdir(self.folder)

    def write(self, student: str, name: str, text: str = KERNEL) -> None:
        os.makedirs(os.path.join(self.folder, student), exist_ok=True)
        with open(os.path.join(self.folder, student, name), "w", encoding="utf-8") as file:
            file.write(text)

    def place(self, student: str, name: str) -> str:
        os.makedirs(os.path.join(self.folder, student), exist_ok=True)
        return os.path.join(self.folder, student, name)

    def test_what_is_no_answer_is_told(self) -> None:
        self.write("anna", TASK + ".cu")
        self.write("anna", "12.cu")
        self.write("anna", "line\nbreak.cu")
        os.mkfifo(self.place("bert", TASK + ".cu"))
        os.symlink("/etc/passwd", self.place("bert", "13_old_values.cu"))
        os.mkdir(self.place("bert", "14_which_sums.cu"))
        self.write("bert", "15_cas_loop.cu", "x" * (check.LONGEST_ANSWER + 1))
        os.mkfifo(self.place("", "fifo"))
        os.symlink("anna", self.place("", "link"))
        found = grade.Class(self.folder)
        self.assertEqual(set(found.answers), {"anna", "bert"})
        self.assertEqual(found.answers["anna"][TASK].content, KERNEL.encode())
        self.assertEqual({task: (one.kind, one.content) for task, one in
                          found.answers["bert"].items()},
                         {TASK: (grade.NO_FILE, None), "13_old_values": (grade.NO_FILE, None),
                          "14_which_sums": (grade.NO_FILE, None),
                          "15_cas_loop": (grade.TOO_LONG, None)})
        told = "\n".join(f"{who}: {note}" for who, note in found.notes)
        for words in (": fifo is a FIFO", ": link is a link", "anna: 12.cu is a file",
                      "anna: line\\nbreak.cu is a file"):
            self.assertIn(words, told)

    def test_many_names(self) -> None:
        with mock.patch.object(grade, "MOST_NAMES", 2):
            for name in "abc":
                self.write("anna", name)
            self.assertIn("3 names", grade.Class(self.folder).notes[0][1])

    def test_verdicts_are_kept_by_student_and_content(self) -> None:
        self.write("anna", TASK + ".cu")
        self.write("bert", TASK + ".cu")
        found = grade.Class(self.folder)
        anna, bert = (found.answers[who][TASK] for who in ("anna", "bert"))
        results = grade.Results(self.report)
        verdict = check.Verdict(True, "", "Solved.", rows=(("it compiles", "yes"),), seconds=1.5)
        results.keep(anna, verdict)
        self.assertEqual(results.find(anna), verdict)
        self.assertIsNone(results.find(bert))
        self.write("anna", TASK + ".cu", "int a;")
        self.assertIsNone(results.find(grade.Class(self.folder).answers["anna"][TASK]))
        seed = results.seed_of(anna)
        with self.assertRaises(messages.Stop):  # two at a time
            grade.Results(self.report)
        os.close(results.lock)
        again = grade.Results(self.report)
        self.assertEqual((again.find(anna), again.seed_of(anna)), (verdict, seed))
        os.close(again.lock)
        other = grade.Results(self.report + "2")
        self.assertNotEqual(other.seed_of(anna), seed)
        os.close(other.lock)
        again.made_of = "another grader"
        self.assertIsNone(again.find(anna))

    def table(self) -> grade_report.Table:
        name = "=x\n\"<b>\udcff"
        self.write(name, TASK + ".cu")
        self.write("anna", TASK + ".cu")
        self.write("anna", "13_old_values.cu")
        self.write("anna", "14_which_sums.cu")
        found = grade.Class(self.folder)
        results = grade.Results(self.report)
        self.addCleanup(os.close, results.lock)
        results.keep(found.answers[name][TASK], check.Verdict(False, "value", "=1+1", "", (),
                                                              "<script>\x1b"))
        results.keep(found.answers["anna"][TASK], check.Verdict(True, "", "Solved."))
        results.keep(found.answers["anna"]["13_old_values"],
                     check.Verdict(False, "refused", "Line 1"))
        return grade_report.Table(found, results, similarity.Pairs())

    def test_tables(self) -> None:
        table = self.table()
        self.assertEqual((table.number, table.number_solved, table.number_unchecked), (4, 1, 1))
        rows = list(csv.reader(io.StringIO(table.csv())))
        self.assertEqual([row[:5] for row in rows[1:]], [
            ["'=x\\n\"<b>\\xff", TASK, "failed", "value", "'=1+1"],
            ["anna", TASK, "solved", "", "Solved."],
            ["anna", "13_old_values", "refused", "refused", "Line 1"],
            ["anna", "14_which_sums", "not checked", "", ""]])
        data = json.loads(table.json())
        self.assertEqual(data["version"], grade_report.VERSION)
        self.assertEqual([one["name"] for one in data["students"]], ["=x\\n\"<b>\\xff", "anna"])
        self.assertEqual(data["students"][1]["solved"], 1)
        self.assertEqual(data["students"][0]["tasks"][TASK]["details"], "<script>\\x1b")
        page = table.html()
        self.assertNotIn("<script>", page)
        self.assertNotIn("<b>\\xff", page)
        self.assertIn("&lt;script&gt;\\x1b", page)
        table.write(self.report)
        self.assertEqual({name for name in os.listdir(self.report)},
                         {"results", "grades.csv", "grades.json", "grades.html"})

    @unittest.skipUnless(shutil.which("sim_c") and shutil.which("prlimit"), "there is no sim_c")
    def test_copies_with_other_names_are_alike(self) -> None:
        loop = "for (int i = 0; i < n; ++i) {{ {0}[i] = {0}[i] * 2 + i; }}"
        self.write("anna", TASK + ".cu", KERNEL + "void f(int n, int* a) { %s }" % loop.format("a"))
        self.write("bert", TASK + ".cu", KERNEL + "void g(int n, int* b) { %s }" % loop.format("b"))
        self.write("cleo", TASK + ".cu", "int other(int x) { while (x > 3) { x /= 2; } return x; }")
        pairs = similarity.of_class(grade.Class(self.folder), sandbox.Sandbox(trusts=True))
        self.assertEqual((pairs.pairs, pairs.notes), ([(TASK, "anna", "bert", 100)], []))

    def test_names_stay_different(self) -> None:
        self.assertEqual(grade_report.shown("a\nb"), "a\\nb")
        self.assertEqual(grade_report.shown("a\\nb"), "a\\\\nb")
        self.assertEqual(grade_report.shown("\u202e"), "\\u202e")

    def test_command_line(self) -> None:
        for words in ([], ["a"], ["--out", "b"], ["a", "b", "--out", "c"], ["a", "--out"],
                      ["a", "--out", "b", "-j", "0"], ["a", "--out", "b", "-j65"],
                      ["a", "--out", "b", "-j"], ["a", "--out", "b", "--fast"]):
            with self.assertRaises(messages.Stop) as stopped:
                grade.read_request(words)
            self.assertEqual(stopped.exception.status, 2, words)
        asked = grade.read_request(["a", "-j3", "--out", "b", "--trust"])
        self.assertEqual((asked.submissions, asked.report, asked.at_once, asked.trusts),
                         ("a", "b", 3, True))


class Walls(unittest.TestCase):
    def test_what_is_inside(self) -> None:
        words = sandbox.Sandbox().words(["/one/two"], ["/three"])
        for option in ("--unshare-net", "--unshare-pid", "--die-with-parent", "--new-session",
                       "--clearenv"):
            self.assertIn(option, words)
        at = words.index("/one/two")
        self.assertEqual(words[at - 1], "--ro-bind")
        self.assertEqual(words[words.index("/three") - 1], "--bind")
        self.assertIn("/one", words[:at])  # it can be entered
        self.assertFalse([word for word in words if word.startswith(os.path.expanduser("~/"))])

    def test_without_walls_there_are_limits(self) -> None:
        words = sandbox.Sandbox(trusts=True).words([], [])
        self.assertEqual(words[0], "prlimit")
        self.assertTrue(any(word.startswith("--data=") for word in words))

    def test_why_there_is_none(self) -> None:
        with mock.patch.object(sandbox.shutil, "which", lambda program: None):
            self.assertIn("bwrap", sandbox.why_not(sandbox.Sandbox()))
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "bwrap")
            with open(program, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho 'bwrap: no namespaces' >&2\nexit 1\n")
            os.chmod(program, stat.S_IRWXU)
            path = folder + os.pathsep + os.environ["PATH"]
            with mock.patch.dict(os.environ, {"PATH": path}), \
                    mock.patch.object(sandbox.shutil, "which", lambda program: program):
                self.assertIn("no namespaces", sandbox.why_not(sandbox.Sandbox()))


if __name__ == "__main__":
    unittest.main()
