from __future__ import annotations

import io
import os
import re
import tempfile
import threading
import unittest
import webbrowser
from unittest import mock

from course import check, command, device, exercises, learn, messages
from course.tests.test_race import printed_by

FIRST = "01_own_element"
NUMBER = len(exercises.names())


def verdict(solved: bool, kind: str = "", **fields) -> check.Verdict:
    return check.Verdict(solved, kind, "Solved." if solved else "It is wrong.", seconds=1.25,
                         **fields)


class Request(unittest.TestCase):
    def stop(self, text: str) -> str:
        with self.assertRaises(messages.Stop) as stopped:
            learn.read_request(text.split())
        self.assertEqual(stopped.exception.status, 2)
        return stopped.exception.sentence

    def test_words(self) -> None:
        asked = learn.read_request("--in x --gpu check 12".split())
        self.assertEqual((asked.folder, asked.gpu, asked.command, asked.word),
                         ("x", True, "check", "12_lost_update"))
        asked = learn.read_request(["spin_lock"])
        self.assertEqual((asked.command, asked.word, asked.gpu), ("", "24_spin_lock", False))
        self.assertTrue(asked.folder.endswith("/cuda_exercises"))
        self.assertEqual(learn.read_request("explain data race".split()).word, "data race")

    def test_wrong_words(self) -> None:
        self.assertEqual(self.stop("--in"), "--in: expected a folder")
        for words in ("--tasks", "--tasks 0", "--tasks 2-x"):
            self.assertIn("--tasks: expected numbers or names", self.stop(words))
        for flag in ("--lang", "--lang fr", "--lang z"):
            self.assertEqual(self.stop(flag), "--lang: expected one of: en, zh-CN")
        self.assertIn("there is no exercise 'nothing'", self.stop("nothing"))
        named = {line.split()[0] for line in messages.text("help").split("\n")} | {"help"}
        for word in learn.IN_THE_TERMINAL:
            self.assertIn(f"{word} is for the terminal", self.stop(word))
            self.assertIn(word, named)
        self.assertIn("there is no flag '--nothing'", self.stop("--nothing"))
        self.assertIn("one command at a time, got 'list' and 'check'", self.stop("list check"))
        self.assertIn("one exercise at a time", self.stop("1 2"))
        self.assertIn("explain: expected a word", self.stop("explain"))
        self.addCleanup(messages.speak, "en")
        self.assertRegex(self.stop("--lang zh-CN nothing"), "^[\u4e00-\u9fff]+.nothing")


class Commands(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.verdicts = [verdict(True)]
        self.traced = ""
        patch = mock.patch.object(learn.Learner, "verdict",
                                  lambda learner, name, kind, trace="":
                                  self.checked(trace) or self.verdicts.pop(0))
        patch.start()
        self.addCleanup(patch.stop)

    def checked(self, trace: str) -> None:
        """Writes what race mode writes, if a trace is wanted."""
        if trace and self.traced:
            with open(trace, "w", encoding="utf-8") as file:
                file.write(self.traced)

    def learn(self, text: str) -> tuple[int, str, str]:
        return printed_by(lambda: command.status_of("learn", ["--in", self.folder, *text.split()]))

    def run_learn(self, text: str) -> tuple[int, str]:
        """(status, output): command.status_of() without the streams of a process."""
        def call():
            try:
                return learn.main(["--in", self.folder, *text.split()])
            except messages.Stop as stop:
                print(stop.sentence)
                return stop.status
        status, out, _ = printed_by(call)
        return status, out

    def progress(self) -> list[str]:
        return exercises.Progress(self.folder).lines()[:-1]

    def write(self, text: str, name: str = FIRST) -> str:
        path = os.path.join(self.folder, name + ".cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_solved_exercise(self) -> None:
        self.verdicts = [verdict(True, rows=(("it compiles", "yes"),))] * 2
        status, out = self.run_learn("check 1")
        self.assertEqual(status, 0)
        line = f"scripts/learn --in {self.folder}"
        self.assertEqual(out, f"""
--- 1 of {NUMBER}: One thread per element   ({self.folder}/{FIRST}.cu)
Solved. (1.2 s) "{line} solution 1" shows ours, "{line}" goes on.

  it compiles                                          yes
""")
        self.run_learn("check 1")
        self.assertEqual(self.progress(), [f"solved {FIRST}"])
        self.assertTrue(os.path.isfile(f"{self.folder}/{FIRST}.cu"))

    def test_a_wrong_answer(self) -> None:
        self.verdicts = [verdict(False, "data race", advice="Advice. More.", details="the report",
                                 rows=(("right", "NO"),), warnings=("a: warning: b",),
                                 printed="one\ntwo\n")]
        status, out = self.run_learn("check")
        self.assertEqual(status, 1)
        self.assertEqual(out.split("\n")[2:], [
            "Not yet: data race.", "Advice. More.", "", f"  {'right':<52} NO", "", "the report", "",
            "Your code has printed 2 lines. The first ones:", "    one", "    two", "",
            "The compiler warns:", "a: warning: b", ""])
        self.assertEqual(self.progress(), [f"failed {FIRST}: data race"])

    def test_a_report_can_be_shown(self) -> None:
        """What has a report ends with the command that shows it; that one writes the page."""
        said = f'"scripts/learn --in {self.folder} show 1" makes a page of this run'
        race = verdict(False, "data race", details="n = 3: wrong\n\nDATA RACE in kernel add")
        self.verdicts = [race, verdict(False, "wrong result", details="n = 3: DATA"), verdict(True)]
        self.assertIn(said, self.run_learn("check 1")[1].rstrip("\n").split("\n")[-1])
        self.assertNotIn(said, self.run_learn("check 1")[1] + self.run_learn("check 1")[1])
        self.traced = ('{"format": "race-trace", "version": 1, "kind": "run", "program": "one", '
                       '"steps": [{}]}')
        page = f"{self.folder}/{FIRST}.html"
        self.verdicts = [race]
        with mock.patch.dict(os.environ, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}):
            self.assertEqual(self.run_learn("show 1"),
                             (0, f"the run as a page, to be opened in a browser: {page}\n"))
        with open(page, encoding="utf-8") as file:
            self.assertIn(self.traced[:-1].replace(" ", ""), file.read().replace(" ", ""))
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.verdicts = [race]
            displays = {"DISPLAY": "", "WAYLAND_DISPLAY": "", display: ":0"}
            with mock.patch.dict(os.environ, displays), \
                    mock.patch.object(webbrowser, "open") as opened:
                self.assertEqual(self.run_learn("show 1")[0], 0)
            opened.assert_called_once_with(f"file://{page}")
        with mock.patch.object(device, "needed_to_show", lambda: ["/no/such/file"]):
            self.assertIn("needs /no/such/file", self.run_learn("show 1")[1])  # nothing is checked
        for self.traced in ("", self.traced.replace("{}]", "]")):
            self.verdicts = [verdict(False, "hole")]
            self.assertEqual(self.run_learn("show 1"),
                             (1, "There is no run to show. It is wrong.\n"))

    def test_what_is_not_the_learners(self) -> None:
        for kind in (check.MACHINE, "too long", "no file"):
            self.verdicts = [verdict(False, kind, details="why")]
            status, out = self.run_learn("check")
            self.assertEqual(status, 1)
            self.assertIn("It is wrong.\n", out)
            self.assertNotIn("Not yet", out)
        self.assertEqual(self.progress(), [])

    def test_the_last_one(self) -> None:
        for name in exercises.names()[1:]:
            exercises.Progress(self.folder).note("solved", name)
        out = self.run_learn("check")[1]
        self.assertIn(f"That was the last one: you have solved all {NUMBER}.", out)
        self.assertIn("What next?", out)

    def test_hints(self) -> None:
        self.assertIn("no hint for 01_own_element yet", self.run_learn("hints")[1])
        for number in (1, 2, 3):
            status, out = self.run_learn("hint 1")
            self.assertEqual(status, 0)
            self.assertTrue(out.startswith(f"\nHint {number} of 3 for {FIRST}:\n"), out)
            self.assertIn(exercises.hint(FIRST, number), out)
        status, out = self.run_learn("hint")
        self.assertEqual(status, 0)
        self.assertIn("You have seen all three hints", out)
        self.assertNotIn(" of 3 ", out)
        self.assertEqual(self.run_learn("hints")[1].count(" of 3 "), 3)
        self.assertEqual(self.progress(), [f"hint {FIRST}"] * 3)

    def test_solution(self) -> None:
        status, out = self.run_learn("solution")
        self.assertEqual(status, 1)
        self.assertIn("ask for the solution again", out)
        status, out = self.run_learn("solution")
        self.assertEqual(status, 0)
        head = f"\n--- our solution of {FIRST}; yours may be another\n\n__g"
        self.assertTrue(out.startswith(head), out)
        exercises.Progress(self.folder).note("solved", "02_tail")
        self.assertEqual(self.run_learn("solution 2")[0], 0)

    def test_reset(self) -> None:
        self.assertIn("is as it was at the beginning", self.run_learn("reset")[1])
        self.assertFalse(os.path.exists(f"{self.folder}/{FIRST}.cu.kept.1"))
        for number in (1, 2):
            path = self.write("mine")
            self.assertIn(f"kept as {path}.kept.{number}\n", self.run_learn("reset 1")[1])
            with open(f"{path}.kept.{number}", encoding="utf-8") as file:
                self.assertEqual(file.read(), "mine")
        with open(path, encoding="utf-8") as mine, \
                open(exercises.given_file(FIRST), encoding="utf-8") as given:
            self.assertEqual(mine.read(), given.read())

    def test_chinese(self) -> None:
        """The file, its task and its hints; a file in the other language counts as unchanged."""
        self.addCleanup(messages.speak, "en")
        self.assertIn("\u7684\u63d0\u793a 1", self.run_learn("--lang zh-CN hint")[1])
        path = f"{self.folder}/{FIRST}.cu"
        with open(path, encoding="utf-8") as file:
            self.assertRegex(file.readline(), "^// 1\\. [\u4e00-\u9fff]")
        self.run_learn("--lang en reset")
        with open(path, encoding="utf-8") as file:
            self.assertTrue(file.readline().isascii())
        self.run_learn("--lang zh-CN reset")
        with open(path, encoding="utf-8") as file:
            self.assertFalse(file.readline().isascii())
        self.assertFalse(os.path.exists(f"{path}.kept.1"))
        exercises.Progress(self.folder).note("solved", FIRST)
        with mock.patch.dict(os.environ, {"LC_ALL": "zh_CN.UTF-8"}):
            self.assertIn(str(NUMBER), self.run_learn("list")[1].split("\n")[-2])
            self.assertEqual(messages.language, "zh-CN")

    def test_what_is_not_translated_is_marked(self) -> None:
        self.addCleanup(messages.speak, "en")
        mark = "\u82f1\u6587\uff09\n"  # "English)"
        self.assertIn(mark, self.run_learn("--lang zh-CN hint 3")[1])
        self.assertNotIn(mark, self.run_learn("--lang zh-CN hint 1")[1])
        self.assertNotIn("\uff08", self.run_learn("--lang en hint 3")[1])
        self.verdicts = [verdict(False, "data race", advice="It is a race.",
                                 rows=(("it compiles", "yes"),))]
        self.assertIn(mark + "It is a race.", self.run_learn("--lang zh-CN check")[1])

    def test_help_anywhere_and_in_chinese(self) -> None:
        """The same commands and options in both languages."""
        self.addCleanup(messages.speak, "en")
        helps = []
        for words in ("2 --help", "--help --lang en", "check --lang zh-CN -h",
                      "--help 2 --lang zh"):
            with mock.patch.object(command, "show_help") as shown:
                shown.side_effect = lambda name: helps.append((name, messages.language))
                with self.assertRaises(messages.Stop) as stopped:
                    learn.read_request(words.split())
            self.assertEqual(stopped.exception.status, 0, words)
        self.assertEqual(helps, [("learn", ""), ("learn", ""), ("learn", "zh-CN"),
                                 ("learn", "zh-CN")])
        for name in command.SPEAKS:
            said = []
            for language in messages.LANGUAGES:
                messages.speak(language)
                out = io.StringIO()
                command.show_help(name, out)
                self.assertEqual(out.getvalue().isascii(), language == "en")
                said.append(sorted(set(re.findall(rf"scripts/{name} [a-z]+|--[a-z]+|hints|\b66\b",
                                                  out.getvalue()))))
            said[1] = sorted({*said[1]} - ({"--help"} if "--help" not in said[0] else set()))
            self.assertEqual(*said)
            self.assertGreater(len(said[0]), 8)

    def test_a_verdict_in_chinese(self) -> None:
        self.addCleanup(messages.speak, "en")
        self.verdicts = [verdict(False, "data race", advice="\u8fd9\u662f\u6570\u636e\u7ade\u4e89",
                                 rows=(("the threads share the work", "yes"),
                                       ("no race, with 20 orders of the threads", "NO")),
                                 details="  a.cu:3: block 0, thread 1 writes the same word")]
        said = self.run_learn("--lang zh-CN check")[1]
        self.assertIn("\u8fd8\u6ca1\u6709\u505a\u5bf9\uff1a\u6570\u636e\u7ade\u4e89\u3002", said)
        passed, failed = "\u901a\u8fc7", "\u672a\u901a\u8fc7"
        self.assertRegex(said, rf"\n  [\u4e00-\u9fff]+ +{passed}\n.* 20 .* {failed}\n")
        self.assertIn("a.cu:3: \u7ebf\u7a0b\u5757 0 \u7684\u7ebf\u7a0b 1 \u5199", said)

    def test_a_file_is_never_overwritten(self) -> None:
        path = self.write("mine")
        self.run_learn("check")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        os.remove(path)
        os.mkdir(path)
        self.assertIn("expected a file, and found something else", self.run_learn("check 1")[1])

    def test_a_copy_that_cannot_be_made(self) -> None:
        with mock.patch.object(learn.shutil, "copyfile", side_effect=OSError(28, "No space")):
            status, out = self.run_learn("check 1")
        self.assertEqual((status, out), (1, f"cannot write {self.folder}/{FIRST}.cu: No space\n"))

    def test_list(self) -> None:
        exercises.Progress(self.folder).note("solved", "02_tail")
        out = self.run_learn("list")[1]
        self.assertIn("basics 3             [#..] 1 of 3\n  [x] 02_tail ", out)
        self.assertIn("  [ ] 30_your_own_lock ", out)
        self.assertEqual(out.split("\n")[-2], f"1 of {NUMBER} solved; your files: {self.folder}")

    def test_chosen_tasks(self) -> None:
        """They stay chosen, the others can be named, and the last one of them is the last."""
        out = self.run_learn("--tasks 24,2-3 list")[1]
        self.assertEqual(out.split("\n")[-2], f"0 of 3 solved; your files: {self.folder}")
        self.assertIn("basics 3             [..] 0 of 2\n  [ ] 02_tail ", out)
        self.assertEqual(out.count("[ ]"), 3)
        self.verdicts = [verdict(True)] * 4
        for name in ("24_spin_lock", "02_tail"):
            self.assertIn(name, self.run_learn("check")[1])
        self.assertIn("One thread per element", self.run_learn("check 1")[1])
        out = self.run_learn("check")[1]
        self.assertIn("03_grid_stride", out)
        self.assertIn("That was the last one: you have solved all 3.", out)
        self.assertIn("--tasks all goes on", out)
        self.assertNotIn("What next?", out)
        self.assertIn(f"4 of {NUMBER} solved", self.run_learn("--tasks all list")[1])
        self.assertIn("got '99'", self.run_learn("--tasks 1,99")[1])

    def test_a_session_of_chosen_tasks(self) -> None:
        self.run_learn("--tasks 24,2 list")
        out = self.session("next", "q")
        self.assertIn("0 of 2 solved", out)
        self.assertLess(out.index("A spin lock"), out.index(f"=== 2 of {NUMBER}: The tail"))
        for name in ("24_spin_lock", "02_tail"):
            exercises.Progress(self.folder).note("solved", name)
        self.assertIn("--tasks all goes on", self.session("next"))

    def test_bar(self) -> None:
        self.assertEqual(learn.bar(0, 2), "[..] 0 of 2")
        self.assertEqual(learn.bar(15, 30, 20), "[##########..........] 15 of 30")

    def test_explain(self) -> None:
        self.assertTrue(printed_by(lambda: learn.explain("fences"))[1].startswith("Fence: "))
        status, out, err = printed_by(lambda: learn.explain("rase"))
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(err.startswith("the glossary has no 'rase'. It has: race"))
        self.assertEqual(printed_by(lambda: learn.explain("qqqqqqq"))[2],
                         "the glossary has no 'qqqqqqq'.\n")

    def test_a_folder_that_is_none(self) -> None:
        path = self.write("")
        with self.assertRaises(messages.Stop) as stopped:
            learn.main(["--in", path, "list"])
        self.assertEqual(stopped.exception.key, "cannot write in the folder")

    def test_no_gpu(self) -> None:
        with mock.patch.object(device, "find_nvcc", lambda: ""):
            status, out = self.run_learn("--gpu check")
        self.assertEqual(status, 1)
        self.assertIn("there is no GPU with the CUDA Toolkit", out)
        self.assertEqual(self.progress(), [])

    def session(self, *lines: str, verdicts=None) -> str:
        """What a session says; the lines are typed at once."""
        reading, writing = os.pipe()
        stdin = os.dup(0)
        os.dup2(reading, 0)
        self.addCleanup(os.close, stdin)
        self.verdicts = verdicts or [verdict(False, "hole")] * 20
        os.write(writing, "".join(line + "\n" for line in lines).encode())
        os.close(writing)
        ended: list[tuple[int, str]] = []
        try:
            runner = threading.Thread(target=lambda: ended.append(self.run_learn("")))
            with mock.patch.object(learn.processes, "end_with_signals"):
                runner.start()
                runner.join(30)
        finally:
            os.dup2(stdin, 0)
            os.close(reading)
        self.assertEqual(ended[0][0], 0)
        return ended[0][1]

    def test_a_session(self) -> None:
        out = self.session("9", "foo", "explain fence", "next spin_lock", "task", "hint", "list",
                           "n 99", "help", "more", "hints", "explain", "show", "quit", "hint")
        for words in (f"0 of {NUMBER} solved;", f"=== 1 of {NUMBER}: ", 'Type "help"', 
                      "It is wrong.", f"=== 9 of {NUMBER}: A tree\n", "there is no command 'foo'",
                      "Fence: an instruction", f"=== 24 of {NUMBER}: A spin lock\n",
                      "Read: mutex_dot", "Hint 1 of 3 for 24_spin_lock", "basics 1",
                      "there is no exercise '99'",
                      "explain WORD", "there is no more to show", "explain: expected a word",
                      "There is no run to show. It is wrong."):
            self.assertIn(words, out)
        self.assertEqual(out.count("Hint 1 of 3"), 2)  # nothing after quit
        self.assertEqual([line for line in self.progress() if line.startswith("at ")],
                         ["at 01_own_element", "at 09_tree", "at 24_spin_lock"])

    def test_the_next_start(self) -> None:
        self.session("next", "q")
        out = self.session("l")
        self.assertIn(f"=== 2 of {NUMBER}: ", out)
        self.assertNotIn(f"=== 1 of {NUMBER}: ", out)

    def test_all_solved(self) -> None:
        for name in exercises.names():
            exercises.Progress(self.folder).note("solved", name)
        out = self.session("next", "check")
        self.assertIn("you have solved all exercises", out)
        self.assertIn("What next?", out)
        self.assertIn(f"=== 1 of {NUMBER}: ", out)

    def test_a_check_that_stops_does_not_end_the_session(self) -> None:
        with mock.patch.object(learn.Learner, "check",
                               side_effect=messages.Stop(1, "no room in /tmp")), \
                mock.patch.object(learn, "say") as say:
            self.assertIn("basics 1", self.session("list"))
        say.assert_called_with("no room in /tmp")

    def test_it_is_checked_again_when_asked(self) -> None:
        self.assertEqual(self.session("check").count(f"--- 1 of {NUMBER}"), 2)
        self.assertEqual(self.session("hint").count(f"--- 1 of {NUMBER}"), 1)
        self.assertEqual(self.session("").count(f"--- 1 of {NUMBER}"), 1)


class Screens(unittest.TestCase):
    def test_a_long_report_is_cut_on_a_terminal(self) -> None:
        screen = learn.Screen(clears=True)
        screen.lines = 20
        out = printed_by(lambda: screen.begin("title"))[1]
        self.assertTrue(out.startswith("\033[2J") and out.endswith("--- title\n"))
        long = verdict(False, "data race", advice="Advice.", rows=(("right", "NO"),),
                       details="\n".join(f"line {k}" for k in range(40)))
        out = printed_by(lambda: screen.show(long))[1]
        self.assertLessEqual(out.count("\n"), 20)
        self.assertIn('lines more: type "more"', out)
        self.assertIn("line 39", printed_by(screen.more)[1])
        shown = out.count("line ") + printed_by(screen.more)[1].count("line ")
        self.assertEqual(shown, 40)
        printed_by(lambda: screen.show(verdict(True)))
        self.assertIn("no more", printed_by(screen.more)[1])

    def test_elsewhere_all_is_shown(self) -> None:
        screen = learn.Screen(clears=False)
        self.assertEqual(printed_by(lambda: screen.begin("t"))[1], "\n--- t\n")
        long = verdict(False, "x", details="\n".join(f"line {k}" for k in range(400)))
        self.assertIn("line 399", printed_by(lambda: screen.show(long))[1])

    def test_what_is_printed(self) -> None:
        shown = learn.printed_text(verdict(True, printed="x" * 200 + "\n" + "y\n" * 20))
        lines = shown.split("\n")
        self.assertEqual(lines[0], "Your code has printed 21 lines. The first ones:")
        self.assertEqual((len(lines), len(lines[1])), (9, 104))
        self.assertEqual(learn.printed_text(verdict(True)), "")


if __name__ == "__main__":
    unittest.main()
