#!/usr/bin/env python3
"""The bundler: bad traces are refused by name, a page that is there is kept, modules are joined."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PLAYER = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PLAYER))

import bundle  # noqa: E402
from levels import machine, programs  # noqa: E402

RUN = {"format": "race-trace", "version": 1, "kind": "run", "program": "p</script><b>"}


class Bundle(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str, name: str = "trace.json") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_what_is_no_trace_is_refused_by_name(self) -> None:
        cases = {
            "": "Expecting value",
            "[]": 'expected an object with "format": "race-trace"',
            "{}": 'expected an object with "format": "race-trace"',
            json.dumps({**RUN, "version": 2}): "version 2; this player knows 1",
            json.dumps({**RUN, "kind": "walk"}): "kind 'walk'; expected run or trees",
            '{\n"format": race}': "trace.json:2: no trace",
        }
        page = self.write("what was there", "page.html")
        for text, expected in cases.items():
            path = self.write(text)
            with self.assertRaises(bundle.BundleError) as caught:
                bundle.bundle(path, page)
            self.assertIn(expected, str(caught.exception))
            self.assertIn(str(path), str(caught.exception))
        self.assertEqual(page.read_text(), "what was there")
        self.assertEqual(sorted(os.listdir(self.folder)), ["page.html", "trace.json"])

    def test_a_file_that_cannot_be_read_or_written(self) -> None:
        with self.assertRaises(OSError):
            bundle.bundle(self.folder / "none.json", self.folder / "page.html")
        with self.assertRaises(OSError):
            bundle.bundle(self.write(json.dumps(RUN)), self.folder / "none" / "page.html")
        with self.assertRaises(bundle.BundleError):
            bundle.bundle([], self.folder / "page.html")

    def test_the_page_holds_the_trace_and_nothing_of_it_ends_an_element(self) -> None:
        path = bundle.bundle(self.write(json.dumps(RUN)), self.folder / "page.html")
        text = path.read_text(encoding="utf-8")
        found = re.search(r'id="data-traces">(.*?)</script>', text)
        assert found
        self.assertEqual(json.loads(found[1]), [RUN])
        self.assertEqual(text.count("</script"), 4)
        self.assertNotIn("<b>", text)
        self.assertNotRegex(text, r"@(LANGUAGE|STYLE|TITLE|TRACES|LEVELS|WORDS|SCRIPT)@")
        # Addresses are names of XML only: nothing is fetched.
        addresses = set(re.findall(r"https?://[^'\"\s)]+", text))
        self.assertEqual(addresses, {"http://www.w3.org/2000/svg"})

    def test_the_page_speaks_the_language_that_it_is_given(self) -> None:
        for language in ("", "zh-CN"):
            path = bundle.bundle(self.write(json.dumps(RUN)), self.folder / "page.html", language)
            self.assertIn(f'data-language="{language}">', path.read_text(encoding="utf-8"))
        # Else it is that of the reader's browser.
        main = (bundle.SOURCES / "main.js").read_text(encoding="utf-8")
        self.assertIn("dataset.language || navigator.language", main)

    def test_as_a_command(self) -> None:
        command = [sys.executable, str(PLAYER / "bundle.py")]
        page = self.folder / "page.html"
        trace = self.write(json.dumps(RUN))

        def status(*arguments: str) -> tuple[int, str]:
            done = subprocess.run([*command, *arguments], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        self.assertEqual(status(str(trace), "--page", str(page)), (0, f"{page}\n"))
        code, text = status(str(self.folder / "none.json"), "--page", str(page))
        self.assertEqual(code, 1)
        self.assertIn("none.json", text)
        self.assertEqual(status(str(trace))[0], 2)
        self.assertEqual(status("--page", str(page))[0], 2)
        self.assertEqual(status()[0], 2)

    def test_modules_are_joined_in_order_and_odd_ones_are_refused(self) -> None:
        self.write("import { a } from './a.js';\nexport const b = a;\n", "main.js")
        self.write("export const a = 1;\n", "a.js")
        joined = bundle.joined_modules("main.js", self.folder)
        self.assertEqual(joined, "// a.js\nconst a = 1;\n\n// main.js\nconst b = a;\n")
        for odd in ("export default 3;\n", "import * as a from './a.js';\n"):
            self.write(odd, "main.js")
            with self.assertRaisesRegex(bundle.BundleError, "plain import or export"):
                bundle.joined_modules("main.js", self.folder)
        self.write("import { a } from './a.js';\nconst a = 2;\n", "main.js")
        with self.assertRaisesRegex(bundle.BundleError, "main.js: a is declared in a.js"):
            bundle.joined_modules("main.js", self.folder)


class Levels(unittest.TestCase):
    def test_each_level_has_its_tree_and_its_chapter(self) -> None:
        levels = json.loads((PLAYER / "levels" / "levels.json").read_text())
        names = {program.name for program in programs.PROGRAMS}
        for level in levels:
            self.assertIn(level["tree"], names)
            self.assertTrue((PLAYER.parent / level["chapter"]).is_dir(), level["chapter"])
        self.assertEqual({level["tree"] for level in levels}, names)

    def test_a_line_that_is_not_there_or_twice_is_refused(self) -> None:
        for text in ("nothing\n", "    atomicAdd(x, 1);\n    atomicAdd(x, 1);\n"):
            program = next(one for one in programs.PROGRAMS if one.name == "atomic_add")
            with self.assertRaisesRegex(ValueError, "atomic_add.cuh: 'atomicAdd.* not on one"):
                machine.Machine(program, text).tree()

    def test_known_shapes(self) -> None:
        """Outcomes that the literature names: which of them the machine gives."""

        def outcomes(threads, words):
            program = machine.Program(
                "shape", "shape.cuh", threads, words, list(words),
                lambda last, _: ([" ".join(f"{last[word]}" for word in words)], True), late=True)
            tree = machine.Machine(program, "line\n").tree()
            return {outcome["lines"][0] for outcome in tree["outcomes"]}

        at = "line"
        load, store, add = machine.load, machine.store, machine.add

        def writes_then_reads(write: str, read: str, result: str):
            def thread():
                yield store(write, 1, at, "relaxed")
                found = yield load(read, at, "relaxed")
                yield store(result, found + 10, at)
            return thread

        words = {"x": 0, "y": 0, "r": 0, "s": 0}
        store_buffering = [writes_then_reads("x", "y", "r"),
                           writes_then_reads("y", "x", "s")]
        self.assertIn("1 1 10 10", outcomes(store_buffering, words))

        def reads_twice():
            first = yield load("x", at, "relaxed")
            second = yield load("x", at, "relaxed")
            yield store("r", 10 * first + second, at)

        def writes():
            yield store("x", 1, at, "relaxed")

        # Coherence: what was seen once is not unseen.
        self.assertEqual(outcomes([writes, reads_twice], {"x": 0, "r": 0}), {"1 0", "1 1", "1 11"})

        # A release sequence: an atomic update of another thread hands the release on.
        def releases():
            yield store("x", 1, at)
            yield store("y", 1, at, "release")

        def updates():
            yield add("y", 1, at)

        def acquires():
            seen = yield load("y", at, "acquire")
            data = yield load("x", at)
            yield store("r", 10 * seen + data, at)

        found = outcomes([releases, updates, acquires], {"x": 0, "y": 0, "r": 0})
        self.assertIn("1 2 21", found)
        self.assertNotIn("1 2 20", found)


if __name__ == "__main__":
    unittest.main()
