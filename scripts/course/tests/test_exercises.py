from __future__ import annotations

import glob
import os
import re
import tempfile
import unittest

from course import check, exercises, glossary, messages


class Texts(unittest.TestCase):
    def test_arguments_on_the_stack(self) -> None:
        self.assertEqual([exercises.stack_arguments(name) for name in
                          ("12_lost_update", "13_old_values", "28_two_locks", "30_your_own_lock")],
                         [0, -1, 1, 2])

    def test_calls_of_answers(self) -> None:
        """Each goes through call_answer(), which wipes the stack before."""
        for name in exercises.names():
            with open(exercises.check_files(name)[0], encoding="utf-8") as file:
                found = re.findall(r"^.*\b(?:launch_\w+|answer)\(.*", file.read(), re.M)
            self.assertLessEqual(len(found), 2, (name, found))
            for line in found:
                self.assertRegex(line, r"^(?:void|std::vector<int>) ", name)

    def test_names(self) -> None:
        names = exercises.names()
        self.assertEqual(names[0], "01_own_element")
        self.assertEqual([exercises.number_of(name) for name in names],
                         list(range(1, len(names) + 1)))

    def test_order_of_the_way(self) -> None:
        order = [exercises.number_of(name) for name in exercises.in_order()]
        self.assertEqual(order[:30], [*range(1, 23), 24, 25, 27, 30, 23, 28, 26, 29])
        self.assertEqual(sorted(order), list(range(1, len(order) + 1)))
        chapters = exercises.chapters()
        self.assertEqual(chapters[0], ("basics 1", ["01_own_element"]))
        self.assertEqual([exercises.number_of(name) for name in dict(chapters)["mutex_dot"]],
                         [24, 25, 27, 30])
        self.assertNotIn("others", dict(chapters))

    def test_called(self) -> None:
        for word in ("24_spin_lock", "spin_lock", "24", "024"):
            self.assertEqual(exercises.called(word), "24_spin_lock")
        self.assertEqual(exercises.called("2"), "02_tail")
        for word in ("", "99", "0", "spin", "-1", "2.0", "\u0662"):
            self.assertIsNone(exercises.called(word), word)

    def test_heads(self) -> None:
        self.assertEqual(exercises.title_of("12_lost_update"), "The lost update")
        task = exercises.task_of("12_lost_update")
        self.assertTrue(task.startswith("Each element"))
        self.assertTrue(task.endswith("Read: atomic_functions/README.md"))

    def test_sections(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
            for path, text in ((one, "# T\n\n## If: a\n\nfirst\n\nsecond\n\n## If: b\nb\n"),
                               (two, "## If: a\n\nother\n\n## If: C\n\nc\n")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(exercises.section("If: a", one, two), "first\n\nsecond")
            self.assertEqual(exercises.section("If: a", two, one), "other")
            self.assertEqual(exercises.section("if: c", one, two), "c")
            self.assertEqual(exercises.section("If: d", one, two), "")

    def test_advice(self) -> None:
        self.assertIn("++*d_count", exercises.advice("12_lost_update", "data race"))
        self.assertTrue(exercises.advice("01_own_element", "hole").startswith("The hole ____"))
        self.assertEqual(exercises.advice("01_own_element", "no such kind"),
                         exercises.section("If: value", exercises.GENERAL_ADVICE))

    def test_likely_wrong_answers(self) -> None:
        """Five or more each; the first sentence to all of them belongs to the kind of failure, and
        for a wrong value to the exercise itself."""
        for name in exercises.names():
            own = os.path.join(exercises.FOLDER, name, "hints.md")
            attempts = os.path.join(exercises.FOLDER, name, "attempts.txt")
            with open(attempts, encoding="utf-8") as file:
                kinds = [line.split("|")[1].strip() for line in file
                         if line.count("|") >= 3 and not line.startswith("#")]
            wrong = [kind for row in kinds if row != "solved" for kind in row.split("/")]
            self.assertGreaterEqual(len(kinds) - kinds.count("solved"), 5, name)
            for kind in wrong:
                files = [own] if kind == "value" else [own, exercises.GENERAL_ADVICE]
                advice = exercises.section(f"If: {kind}", *files)
                self.assertGreater(len(check.first_sentence(advice)), 15, f"{name}: {kind}")

    def test_what_a_failure_means(self) -> None:
        self.assertIn("outside of the array", exercises.explained_kind("out of  Bounds"))
        self.assertIn("outside of the array", exercises.explained_kind("bounds"))
        for word in ("x", "no", "such a failure is not there"):  # "no atomics", "no return"
            self.assertEqual(exercises.explained_kind(word), "", word)
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        for word in ("\u8d8a\u754c", "\u8bbf\u95ee\u8d8a\u754c"):
            self.assertRegex(exercises.explained_kind(word), "^[\u4e00-\u9fff]")
        self.assertNotIn("<", exercises.explained_kind("\u8d8a\u754c"))
        for word in ("\u6805\u680f", "\u65e7\u503c", "\u7ebf\u7a0b\u5757\u7247",
                     "\u675f\u5185\u7ebf\u7a0b", "thread block tile"):
            self.assertIsNotNone(glossary.explain(word), word)

    def test_a_translation(self) -> None:
        """The code of a translated exercise is the same, and each section of its hints is found."""
        def code(source: str) -> list[str]:
            return [line for line in source.split("\n") if not line.lstrip().startswith("//")]
        english = {name: exercises.given_text(name) for name in exercises.names()}
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        translated = [name for name in exercises.names()
                      if exercises.translation_of(exercises.given_file(name))]
        self.assertLessEqual({"01_own_element", "02_tail", "12_lost_update"}, set(translated))
        for name in translated:
            text = exercises.given_text(name)
            self.assertNotEqual(text, english[name], name)
            self.assertEqual(code(text), code(english[name]), name)
            self.assertFalse(exercises.title_of(name).isascii(), name)
            hints = os.path.join(exercises.FOLDER, name, "hints.md")
            with open(hints, encoding="utf-8") as file:
                headings = [line[3:].strip() for line in file if line.startswith("## ")]
            for heading in headings:
                self.assertRegex(exercises.section(heading, hints), "[\u4e00-\u9fff]", heading)
        # What is not translated is English, but for its title.
        others = set(exercises.names()) - set(translated)
        self.assertEqual({english[name].split("\n")[0].partition(". ")[2] for name in others},
                         exercises.table("titles", "zh-CN").keys())
        for name in others:
            self.assertRegex(exercises.title_of(name), "[\u4e00-\u9fff]", name)
        kinds = {"race with the host", "race between streams", "stale value"}
        for path in glob.glob(os.path.join(exercises.FOLDER, "*", "hints.md")):
            with open(path, encoding="utf-8") as file:
                kinds |= set(re.findall("^## If: (.*)", file.read(), re.MULTILINE))
        for path in glob.glob(os.path.join(exercises.FOLDER, "**", "check.*pp"), recursive=True):
            with open(path, encoding="utf-8") as file:
                kinds |= set(re.findall(r'Wrong\{\s*"([^"]+)"', file.read()))
        self.assertGreater(len(kinds), 40)
        kinds = {kind.lower() for kind in kinds}
        for kind in kinds - {"machine", "__activemask"}:
            self.assertRegex(exercises.kind_in_words(kind), "[\u4e00-\u9fff]", kind)
        for kind in exercises.table("kinds", "zh-CN"):
            self.assertIn(kind, kinds)
        self.assertEqual(exercises.given_text("03_grid_stride"), english["03_grid_stride"])
        self.assertIn("element", exercises.hint("03_grid_stride", 1))

    def test_a_list(self) -> None:
        for words, expected in (("12", [12]), ("17,2", [17, 2]), ("2-4, tail,24", [2, 3, 4, 24]),
                                ("tail-03_grid_stride,spin_lock", [2, 3, 24])):
            self.assertEqual([exercises.number_of(name) for name in exercises.listed(words)],
                             expected, words)
        self.assertEqual(exercises.listed("all"), exercises.in_order())
        for words in ("", "2,", "99", "4-2", "2-", "-2", "2-99", "99-2", "2;3", "1-2-3"):
            with self.assertRaises(ValueError, msg=words):
                exercises.listed(words)

    def test_three_hints_each(self) -> None:
        for name in exercises.names():
            for number in (1, 2, 3):
                self.assertTrue(exercises.hint(name, number), name)


class Progress(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.progress = exercises.Progress(folder.name)

    def test_notes(self) -> None:
        self.assertEqual(self.progress.lines(), [])
        self.progress.note("hint", "02_tail")
        self.progress.note("hint", "02_tail")
        self.progress.note("solved", "01_own_element")
        self.assertEqual(self.progress.times("hint", "02_tail"), 2)
        self.assertEqual(self.progress.times("hint", "01_own_element"), 0)
        self.assertEqual(self.progress.solved(), {"01_own_element"})

    def test_where_the_learner_is(self) -> None:
        self.assertEqual(self.progress.current(), "01_own_element")
        self.progress.note("solved", "01_own_element")
        self.assertEqual(self.progress.current(), "02_tail")
        self.progress.note("at", "22_without_atomics")
        self.assertEqual(self.progress.current(), "22_without_atomics")
        self.progress.note("solved", "22_without_atomics")
        self.assertEqual(self.progress.current(), "24_spin_lock")
        last = exercises.in_order()[-1]
        self.progress.note("at", last)
        self.progress.note("at", "no such exercise")
        self.assertEqual(self.progress.current(), last)
        self.progress.note("solved", last)
        self.assertEqual(self.progress.current(), "02_tail")  # round to the first of all

    def test_all_solved(self) -> None:
        for name in exercises.names():
            self.progress.note("solved", name)
        self.assertEqual(self.progress.current(), "")
        self.assertEqual(self.progress.next_after("02_tail"), "")

    def test_chosen_tasks(self) -> None:
        self.assertEqual(self.progress.tasks(), exercises.in_order())
        self.progress.note("at", "22_without_atomics")
        self.progress.note("tasks", "17_fewer_atomics,02_tail,no_such_one,24_spin_lock")
        chosen = ["17_fewer_atomics", "02_tail", "24_spin_lock"]
        self.assertEqual(self.progress.tasks(), chosen)
        self.assertEqual(self.progress.current(), chosen[0])  # 22 is not one of them
        self.assertEqual(self.progress.next_after("22_without_atomics"), chosen[0])
        for number, name in enumerate(chosen):
            self.assertEqual(self.progress.next_after(name), chosen[(number + 1) % 3])
        for name in chosen:
            self.progress.note("solved", name)
        self.assertEqual(self.progress.current(), "")
        self.progress.note("tasks", "no_such_one")
        self.assertEqual(self.progress.tasks(), exercises.in_order())

    def test_no_link_and_no_pipe(self) -> None:
        theirs = os.path.join(self.folder, "theirs")
        with open(theirs, "w", encoding="utf-8"):
            pass
        os.symlink(theirs, self.progress.path)
        for call in (self.progress.lines, lambda: self.progress.note("at", "02_tail")):
            with self.assertRaises(messages.Stop):
                call()
        self.assertEqual(os.stat(theirs).st_size, 0)
        os.remove(self.progress.path)
        os.mkfifo(self.progress.path)
        for call in (self.progress.lines, lambda: self.progress.note("at", "02_tail")):
            with self.assertRaises(messages.Stop):
                call()


class Glossary(unittest.TestCase):
    def test_terms(self) -> None:
        self.assertTrue((glossary.explain("fence") or "").startswith("Fence: an instruction"))
        for one, other in (("fences", "fence"), ("Data Race", "race"), ("CAS", "compare-and-swap"),
                           ("atomicadd", "atomicAdd"), ("`scope`", "scope"),
                           ("compare and swap", "compare-and-swap"), ("blockidx", "blockIdx")):
            self.assertEqual(glossary.explain(one), glossary.explain(other), one)
            self.assertIsNotNone(glossary.explain(one), one)
        self.assertIsNone(glossary.explain("no such term"))
        self.assertNotIn("](", glossary.explain("race") or "")
        self.assertNotIn("**", glossary.explain("race") or "")

    def test_words_of_race_mode(self) -> None:
        for word in ("data race", "barrier", "deadlock", "release", "acquire", "fence", "scope",
                     "warp", "atomic", "lost update"):
            self.assertIsNotNone(glossary.explain(word), word)

    def test_in_chinese(self) -> None:
        """By the English term and by the Chinese one; every term has its own paragraph."""
        english = set(glossary.entries())
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        scope = "\u4f5c\u7528\u57df"
        self.assertTrue((glossary.explain("scope") or "").startswith(scope))
        self.assertEqual(glossary.explain(scope), glossary.explain("scopes"))
        self.assertEqual(english - set(glossary.entries()), set())

    def test_similar(self) -> None:
        self.assertIn("race", glossary.similar("rase"))
        self.assertEqual(glossary.similar("qqqqqqq"), [])


if __name__ == "__main__":
    unittest.main()
