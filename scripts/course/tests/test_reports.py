from __future__ import annotations

import glob
import json
import os
import re
import tempfile
import unittest

from course import device, exercises, messages, reports

CHINESE = "zh-CN"
FIELD_OR_ASSIGNED = re.compile(r"\{[^}]*\}|^\w[\w ]*=")
REPORT = """\
DATA RACE in kernel count, launched at a.cu:27
  a.cu:19: block 1, thread 60 writes a word of global memory
      d_x[0] = old + 1;
  a.cu:19: block 0, thread 28 writes the same word
  The word is [0] of the one element of 4 bytes.
  Nothing orders the two: on a GPU they may happen in either order, or at once.
  What the two did there last, and what others wrote in between:
    block 0, thread 28 reads 3   (a.cu:18)
    ...
    block 1, thread 60 writes 22, where 21 was   (a.cu:19)
    block 0, thread 28 writes 4, where 22 was   (a.cu:19)
  An update is lost: block 0, thread 28 had read 3, the value has become 22 since, and 4 is \
written over it.
  Reading, changing and writing the word are three steps, and other threads come in
  between. One atomic operation makes them one step: atomicAdd or atomicMax where the
  new value is computed from the old one, atomicExch where it replaces it, as a list's
  head does, else atomicCAS in a loop. A lock lets one thread at a time do the three."""
OUT_OF_BOUNDS = """\
n = 33, blocks of 32 threads: d_y[32] was never written (1 of 33 is wrong).

OUT OF BOUNDS in kernel twice, launched at 02_tail.cu:18
  02_tail.cu:12: block 1, thread 1 writes 4 bytes of global memory:
  [33], 0 bytes after the end of the 33 elements of 4 bytes.
  A thread whose index lies beyond the array must leave it alone: does a
  condition such as i < n stand before the access?"""


def code(text: str) -> set[str]:
    """Names of a program in a sentence."""
    return set(re.findall(r"\w*_\w+|\b\w+(?=\()|\batomic[A-Z]\w*|\bcuda\w+", text))


class Reports(unittest.TestCase):
    def setUp(self) -> None:
        messages.speak(CHINESE)
        self.addCleanup(messages.speak, "en")

    def test_english_stays(self) -> None:
        messages.speak("en")
        self.assertEqual(reports.translated(REPORT), REPORT)

    def test_a_whole_report(self) -> None:
        for report in (REPORT, OUT_OF_BOUNDS):
            said = reports.translated(report)
            source = "      d_x[0] = old + 1;\n"
            self.assertEqual(source in said, source in report)
            self.assertNotRegex(said.replace("OUT OF BOUNDS", ""), r"[a-z]{2,} [a-z]{2,}")
            self.assertFalse(re.search(r"\d[\u4e00-\u9fff]", said), said)
            for number in re.findall(r"\d+", report.replace("0 bytes after", "")):
                self.assertIn(number, said)
        writes = "\u7ebf\u7a0b\u5757 1 \u7684\u7ebf\u7a0b 60 \u5199"  # "block 1, thread 60 writes"
        self.assertIn(writes, reports.translated(REPORT))

    def test_a_page_has_a_sentence_in_one_line(self) -> None:
        """Each sentence of race mode that has no fields, as a trace has it; and a headline."""
        one_line = [{"key": key, "text": " ".join(text.split())}
                    for key, text in reports.english().items()
                    if not reports.FIELD.search(text) and key.startswith("advice.")]
        self.assertGreater(len(one_line), 50)
        report = {"kind": "DATA RACE", "where": "kernel count, launched at a.cu:27", "text": REPORT,
                  "sentences": one_line, "missing": {"cures": one_line[:1]}}
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "run.json")
            with open(trace, "w", encoding="utf-8") as file:
                json.dump({"words": [
                    {"name": "[3] of the 20 elements", "what": "[3] of the 20 elements of 4 bytes "
                     "allocated at a.cuh:4, called from a.cu:5"},
                    {"name": "d_x[0]", "what": "[0] of the one element of 1 byte"},
                    {"name": "d_y", "what": "the variable d_y"}],
                    "reports": [report, {**report, "missing": None}], "left_out": {"text":
                           "Left out: 3 reports, 1 launch after the last report, 40 steps; 5 "
                           "threads not shown at all."}}, file)
            reports.translate_trace(trace)
            with open(trace, encoding="utf-8") as file:
                run = json.load(file)
        name, what = run["words"][0]["name"], run["words"][0]["what"]
        for text in (name, what, run["words"][1]["what"]):
            self.assertNotRegex(text, r"[a-z]{2,} [a-z]{2,}")
            self.assertNotRegex(text, "\uff09 |  | $")
        self.assertTrue(name.startswith("[3]") and "20" in name)
        self.assertEqual(re.findall(r"[\w.]+:\d", what), ["a.cuh:4", "a.cu:5"])
        self.assertEqual([word["name"] for word in run["words"][1:]], ["d_x[0]", "d_y"])
        said = run["reports"]
        self.assertEqual(re.sub("[^0-9a-zA-Z]", "", run["left_out"]["text"]), "31405")
        self.assertEqual(said[0]["text"], reports.translated(REPORT))
        self.assertIn("(DATA RACE)", said[0]["kind"].translate({0xff08: "(", 0xff09: ")"}))
        self.assertRegex(said[0]["where"],
                         r"^[\u4e00-\u9fff]+ count\uff0c[\u4e00-\u9fff]+ a.cu:27$")
        for sentence in [*said[0]["sentences"], *said[0]["missing"]["cures"]]:
            with self.subTest(sentence=sentence["text"]):
                self.assertRegex(sentence["text"], "[\u4e00-\u9fff]")
                self.assertNotRegex(sentence["text"], r"[a-z]{2,} [a-z]{2,}|\n|\uff0c |  ")

    def test_a_page_names_the_streams(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "run.json")
            with open(trace, "w", encoding="utf-8") as file:
                json.dump({"reports": [], "words": [], "left_out": {"text": ""}, "threads": [
                    {"kind": "kernel", "name": "block 0, thread 1"},
                    {"kind": "stream", "name": "stream 2 (made at a.cu:3)"}]}, file)
            reports.translate_trace(trace)
            with open(trace, encoding="utf-8") as file:
                threads = json.load(file)["threads"]
        self.assertEqual(threads[0]["name"], "block 0, thread 1")  # the page knows it
        self.assertRegex(threads[1]["name"], "^[\u4e00-\u9fff]+ 2\uff08.*a.cu:3")

    def test_rows(self) -> None:
        for row in ("right for all sizes and blocks", "no race, with 20 orders of the threads"):
            self.assertNotRegex(reports.translated(row), "[a-z]{3}")
        self.assertEqual(reports.translated("a row of another check"), "a row of another check")

    def test_fields_with_texts_of_their_own(self) -> None:
        for report in ("Only the first access is atomic.", "DATA RACE in kernel first, launched at "
                       "a.cu:1", "  a.cu:4: block 1, thread 0 has passed this __syncthreads() "
                       "once,\n  and block 1, thread 2 2 times. Both have ended.\n",
                       "  a.cu:9: block 0, thread 1 waits for [0] of the one element of 4 bytes, "
                       "which holds 3; block 1, thread 2 has changed it last, at a.cu:5\n",
                       "  a.cu:9: block 0, thread 1 and 5 more wait for [0] of the one element of "
                       "4 bytes, which holds 3; no thread of this launch has changed it\n",
                       "  a.cu:9: 63 threads of block 2 wait in a barrier for block 2, thread 0, "
                       "which is at a.cu:5\n"):
            with self.subTest(report=report):
                said = reports.translated(report).replace("DATA RACE", "")
                self.assertNotRegex(said.replace("first\uff0c", ""),
                                    r"[a-z]{2,} [a-z]{2,}|once|times")

    def test_places_variables_and_threads_that_wait(self) -> None:
        """The table has no English between the names of files, functions and variables."""
        said = reports.translated("""\
DEADLOCK in kernel count, launched at a.cu:27, called from b.cu:3
  a.cu:19, called from b.cu:7: block 1, thread 60 writes 1 byte of shared memory:
  [33], 1 bytes after the end of the 33 elements of 1 byte of s_x.
  block (1, 0, 0) of 64 threads:
    thread  0: wait in __syncthreads, a.cu:9 in count
    threads 1, 3 to 31: spin on [0] of the one element of 4 bytes allocated at c.h:1, called from \
a.cu:5, which does not change, a.cu:8 in count
    threads 32 to 63: wait in __shfl_sync for the lanes of mask 0x00000001, a.cu:7 in count
    threads 2: sleep in __nanosleep, a.cu:7 in count
    thread  7: ended
""")
        names = r"[\w.]+\.(?:cu|h):\d+|__\w+|0x\d+|DEADLOCK|\b(?:count|s_x)\b"
        self.assertNotRegex(re.sub(names, "", said), "[A-Za-z]")
        for number in ("60", "3 ", "(1, 0, 0)", " 64 ", " 31", " 63", "b.cu:7", "c.h:1", "a.cu:5",
                       "s_x[33]"):
            self.assertIn(number, said)

    def test_every_report_of_race_mode(self) -> None:
        """Of tests/reports.txt, which has N for each number: no English is left, but for code."""
        with open(os.path.join(device.ROOT, "tests", "reports.txt"), encoding="utf-8") as file:
            said = re.sub(r"\bN\b", "1", file.read())
        for masked, text in (("bytes are 1", "bytes are 0xfe"), ("(p, 1)", "(p, 0)"),
                             ("first index is 1", "first index is 0"),
                             ("PeerAccess(1)", "PeerAccess(1, 0)"),
                             ("changes 1 in", "changes 1 to 2 in")):
            self.assertIn(masked, said)
            said = said.replace(masked, text)
        left = [line for line in reports.translated(said).split("\n")
                if re.search("[a-z]{2,} [a-z]{2,}", line) and not re.match(r" +\||===", line)]
        self.assertEqual(left, [])

    def test_the_reports_in_what_a_program_has_printed(self) -> None:
        before, after = b"the sectors\xff\nno atomics\n\n", b"\nthe threads share the work\n"
        printed = before + REPORT.encode() + after
        said = reports.in_output(printed)
        self.assertTrue(said.startswith(before))
        self.assertTrue(said.endswith(after))
        self.assertIn(reports.translated(REPORT).encode(), said)
        messages.speak("en")
        self.assertEqual(reports.in_output(printed), printed)

    def test_lines_of_checks(self) -> None:
        """A name of several words, a place in a picture, a limit: nothing is half translated."""
        for line in ("The pixel in row 3 and column 4 is written by the thread in row 3 and column "
                     "2 of the grid, expected the thread in row 3 and column 4 of the grid.",
                     "n = 1, blocks of 32 threads: a picture of 31 x 16 pixels: d_out[3] is 1, "
                     "expected 2 (3 of 4 are wrong).",
                     "*d_max of positive and negative numbers and -INFINITY is 3, expected 4.",
                     "n = 1, blocks of 32 threads: *d_max of negative numbers and -INFINITY is 3, "
                     "expected 4.",
                     "n = 33, blocks of 32 threads: At the end *d_lock is 1, expected 0.",
                     "The list, sorted: element [3] is 4, expected 5 (1 of 7 is wrong).",
                     "n = 9, blocks of 1 thread: After sorting, d_out[0] was never written.",
                     "*d_next at the end is 3, expected 4.",
                     "n = 33, blocks of 32 threads: 33 atomics in global memory, at most 2 are "
                     "allowed.", "12: std::max is for the host: d_x[0]", "Thread 3 makes no "
                     "compare-and-swap on *d_word, by atomicCAS or compare_exchange.",
                     "a.cu:3: error: <<< without >>>( after it [CPU device]"):
            with self.subTest(line=line):
                code = r"CPU|std::max|\w*_\w+(\[\d\])?|INFINITY|compare_exchange|atomicCAS|a\.cu"
                self.assertNotRegex(re.sub(code, "", reports.translated(line)), "[A-Za-z]{2}")
        zero = reports.translated("  [33], 0 bytes after the end of the 33 elements of 4 bytes.")
        self.assertNotRegex(zero, "[a-z]|0")

    def test_the_story_of_a_race(self) -> None:
        for line in ("reads 0 from d_x[0]", "writes 1 to d_x[0]",
                     "changes d_x[0] from 1 to 2 in one step"):
            said = reports.translated(f"    12. block 0, thread 23 {line}   (x.cu:3)\n")
            self.assertNotRegex(said.replace("d_x", "").replace("x.cu", ""), "[a-z]", line)
            self.assertRegex(said, r"^    12\. .* 23 .*d_x\[0\].*   \(x\.cu:3\)\n$")

    def test_each_sentence_of_a_check_is_there(self) -> None:
        """What a check says is wrong, its rows, and what it counts."""
        table = reports.table(CHINESE)
        known = " | ".join(FIELD_OR_ASSIGNED.sub("|", key) for name in ("lines", "parts")
                           for key in table[name])
        said: set[str] = set()
        for path in glob.glob(os.path.join(device.ROOT, "exercises/**/check.*pp"), recursive=True):
            with open(path, encoding="utf-8") as file:
                source = re.sub(r'"\s*"', "", re.sub(r"(?m)//.*$", "", file.read()))
            for pattern in (r"Wrong\{(.*?)\};", r"begin_row\((.*?)\);",
                            r"\b(?:what|counted) = (.*?);", r"expect_at_most\((.*?)\);",
                            r"with_one_lock\(run, (.*?)\);", r"= \{run, (.*?)[,}]",
                            r"refuse_atomics_on\((.*?)\);"):
                for found in re.findall(pattern, source, re.DOTALL):
                    for text in re.findall(r'"([^"]+)"', found):
                        said |= set(re.split(r"\*?\bd_\w+|\bsquares\b", text))
        sentences = {text.strip(" ,.:()[]") for text in said}
        self.assertGreater(len(sentences), 100)
        for text in sorted(sentences - {"no words", "no process"}):  # of the machine
            if " " in text and exercises.kind_in_words(text) == text:
                with self.subTest(text=text):
                    self.assertIn(text, known)

    def test_each_kind_of_report_has_a_name(self) -> None:
        kinds = set()
        for path in glob.glob(os.path.join(device.ROOT, "cpu_device/race/*.cpp")):
            with open(path, encoding="utf-8") as file:
                kinds |= set(re.findall(r'"([A-Z]{3,}(?:[ -][A-Z]+)+|DEADLOCK)"', file.read()))
        self.assertGreater(len(kinds), 20)
        for kind in kinds:
            with self.subTest(kind=kind):
                self.assertIn(f"kind={kind}", reports.table(CHINESE)["parts"])

    def test_the_table_holds_with_the_english(self) -> None:
        """The same keys, fields and names of programs."""
        english, table = reports.english(), reports.table(CHINESE)
        self.assertGreater(len(english), 100)
        self.assertEqual(set(english), set(table["sentences"]))
        pairs = [(english[key], text) for key, text in table["sentences"].items()]
        for name in ("lines", "parts", "waits", "left out", "rows"):
            pairs += table[name].items()
        for before, after in pairs:
            with self.subTest(before=before):
                self.assertEqual(set(reports.FIELD.findall(before)),
                                 set(reports.FIELD.findall(after)))
                self.assertEqual(code(before), code(after))

    def test_each_line_is_one_that_a_check_prints(self) -> None:
        sources = ""
        for pattern in ("exercises/check.*pp", "exercises/*/check.cpp", "cpu_device/race/*.cpp",
                        "cpu_device/*.cpp", "cpu_device/include/**/*",
                        "scripts/course/host_or_device.py"):
            for path in filter(os.path.isfile, glob.glob(os.path.join(device.ROOT, pattern),
                                                         recursive=True)):
                with open(path, encoding="utf-8") as file:
                    sources += re.sub(r'"\s*"', "", file.read())
        for line in reports.table(CHINESE)["lines"]:
            line = re.sub(r"^(?:CPU device|error): | \[CPU device\]$", "", line)
            for piece in re.split(r"\{[^}]*\}| is wrong\)| are wrong\)", line):
                piece = piece.strip(" ,.:()")
                words = piece.replace(": ", " ").split(" ")  # some sentences have two ends
                self.assertTrue(line.startswith("{kind}") or piece in sources or
                                any(" ".join(words[:at]) in sources and
                                    " ".join(words[at:]) in sources
                                    for at in range(1, len(words))), (line, piece))
