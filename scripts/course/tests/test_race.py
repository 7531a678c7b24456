from __future__ import annotations

import contextlib
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from course import (build, device, messages, processes, race, run, sources, stale, story,
                    tour)


def printed_by(call) -> tuple[object, str, str]:
    """(what it returns, its standard output, its standard error)"""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = call()
    out.flush()
    return result, out.buffer.getvalue().decode(), err.getvalue()


class Request(unittest.TestCase):
    def read(self, text: str) -> race.Request:
        return race.read_request(text.split())

    def stop(self, text: str) -> str:
        with self.assertRaises(messages.Stop) as stopped, \
                contextlib.redirect_stderr(io.StringIO()):
            self.read(text)
        self.assertEqual(stopped.exception.status, 2)
        return stopped.exception.sentence

    def test_an_example(self) -> None:
        asked = self.read("histogram shared --seeds 3 --bin /")
        self.assertEqual((asked.mode, asked.name, asked.variant, asked.flags.seeds, asked.bin),
                         ("one", "histogram", "shared", 3, "/"))
        self.assertEqual(self.read("histogram").flags.seeds, 8)

    def test_modes(self) -> None:
        self.assertEqual(self.read("--tour").flags.seeds, 3)
        self.assertEqual(self.read("--tour --seeds 2").flags.seeds, 2)
        self.assertEqual(self.read("--enumerate").mode, "enumerate")
        self.assertIn("expected only one", self.stop("--tour --enumerate"))
        self.assertIn("--tour takes no example", self.stop("--tour histogram"))
        self.assertIn("--enumerate takes no example", self.stop("histogram --enumerate"))

    def test_trace_and_page(self) -> None:
        flags = self.read("histogram --trace t.json --show").flags
        self.assertEqual((flags.trace, flags.page), ("t.json", "race.html"))
        asked = self.read("--show my.html histogram")
        self.assertEqual((asked.flags.page, asked.name), ("my.html", "histogram"))
        self.assertEqual(self.read("histogram").flags.page, "")
        self.assertIn("--trace: expected a word after it", self.stop("histogram --trace"))
        self.assertIn("--tour takes no --trace and no --show", self.stop("--tour --show"))
        flags = self.read("--enumerate --trace t --show").flags
        self.assertEqual((flags.trace, flags.page), ("t", "race.html"))

    def test_a_language(self) -> None:
        self.addCleanup(messages.speak, "en")
        for words in ("--lang zh-CN histogram", "histogram --lang zh", "x.cu --lang zh_CN.UTF-8"):
            messages.speak("en")
            with mock.patch.object(os.path, "isfile", return_value=True):
                self.read(words)
            self.assertEqual(messages.language, "zh-CN", words)
        messages.speak("en")
        for words in ("histogram --lang", "--lang fr histogram"):
            self.assertEqual(self.stop(words), "--lang: expected one of: en, zh-CN")

    def test_own_files(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            with open("a.cu", "w", encoding="ascii"):
                pass
            asked = self.read("--seeds 2 a.cu x --seeds 5")
            self.assertEqual((asked.mode, asked.flags.seeds, asked.words.arguments),
                             ("own", 2, ["x", "--seeds", "5"]))
            self.assertEqual(self.read("--seeds 2 a.cu --seeds 4").flags.seeds, 4)
            flags = self.read("a.cu --show p.html --trace t x --show").flags
            self.assertEqual((flags.page, flags.trace, flags.seeds), ("p.html", "t", 8))
            flags = self.read("--trace t a.cu --seeds 3 --show").flags
            self.assertEqual((flags.page, flags.trace, flags.seeds), ("race.html", "t", 3))
            self.assertIn("takes no --asan", self.stop("a.cu --asan"))
            os.chdir(device.ROOT)
        self.assertEqual(self.read("06_shared_memory 1").words.sources,
                         ["basics/06_shared_memory.cu"])

    def test_wrong_words(self) -> None:
        self.assertIn("there is no example 'nothing'", self.stop("nothing"))
        self.assertIn("one variant at a time, got 'a' and 'b'", self.stop("histogram a b"))
        self.assertIn("there is no flag '-x'", self.stop("histogram -x"))
        self.assertIn("--bin: expected a directory, got 'no'", self.stop("histogram --bin no"))
        self.assertIn("--bin: expected a directory, got ''", self.stop("histogram --bin"))
        self.assertIn("got ''", self.stop("histogram --seeds"))
        self.assertIn("expected an example", self.stop(""))
        self.assertIn("there is no program", self.stop_programs())

    def test_outcomes_and_levels(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(device.ROOT)
        asked = self.read("--outcomes docs/outcomes/1_message.cu 3")
        self.assertTrue(asked.outcomes)
        self.assertEqual((asked.mode, asked.words.arguments), ("own", ["3"]))
        self.assertFalse(self.read("docs/outcomes/1_message.cu").outcomes)
        self.assertIn("--outcomes: expected a source file", self.stop("--outcomes histogram"))
        asked = self.read("--outcomes docs/outcomes/1_message.cu --trace t")
        self.assertEqual((asked.outcomes, asked.flags.trace), (True, "t"))
        asked = self.read("--levels pages")
        self.assertEqual((asked.mode, asked.folder), ("levels", os.path.abspath("pages")))
        self.assertIn("--levels: expected a word", self.stop("--levels"))
        self.assertIn("expected only one of them", self.stop("--tour --levels pages"))

    def test_the_program_of_a_chapter(self) -> None:
        built: list[build.Program] = []

        def make(program: build.Program) -> str:
            built.append(program)
            return program.path
        with mock.patch.object(build.Program, "build", make):
            self.assertEqual(race._chapter(self.read("histogram plain")),
                             "build/own/race/histogram/histogram")
        self.assertEqual((built[0].kind, built[0].cwd, built[0].long), ("race", device.ROOT, True))
        self.assertEqual(built[0].words.sources,
                         ["histogram/histogram.cu", f"{device.ROOT}/harness/harness.cpp"])
        self.assertIn("-DWITH_FLAGS", built[0].words.options)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/histogram", "w", encoding="utf-8"):
                os.chmod(f"{folder}/histogram", 0o755)
            self.assertEqual(race._chapter(self.read(f"histogram --bin {folder}")),
                             f"{folder}/histogram")

    def stop_programs(self) -> str:
        asked = self.read("histogram --bin /")
        with self.assertRaises(messages.Stop) as stopped:
            race._programs(asked)
        return stopped.exception.sentence


class Race(unittest.TestCase):
    """With a shell in the place of a program: $RACE_SEED is the seed."""

    def race(self, script: str, seeds: int = 4, **fields) -> tuple[int, str, str]:
        asked = race.Request()
        asked.mode = "own"
        asked.flags.seeds = seeds
        for name, value in fields.items():
            setattr(asked.flags if name in ("trace", "page") else asked, name, value)
        self.run = ["sh", "-c", script]
        return printed_by(lambda: race.race(self.run, asked))

    def test_clean(self) -> None:
        status, out, err = self.race("echo seed $RACE_SEED")
        self.assertEqual((status, out, err),
                         (0, "seed 1\nno race in 4 runs with different turns\n", ""))
        self.assertIn("no race in 1 run with", self.race("true", seeds=1)[1])

    def test_the_first_that_reports(self) -> None:
        status, out, err = self.race(
            '[ $RACE_SEED -lt 3 ] && exit 5; echo "race mode: $RACE_SEED"; exit 66')
        self.assertEqual((status, out), (66, "race mode: 3\n"))
        self.assertIn("found with 2 of 4 seeds; seed 3 again:\nRACE_SEED=3 sh -c '[ $RACE", err)

    def test_the_turns_stand_below_the_report(self) -> None:
        with mock.patch.object(story, "shortest", lambda *_: "first one, then the other"):
            out = self.race('echo "race mode: 1"; exit 66')[1]
        self.assertEqual(out, "race mode: 1\n\nfirst one, then the other\n")

    def test_of_an_example(self) -> None:
        err = self.race("echo 'race mode: 1'; exit 66", mode="one")[2]
        self.assertIn("seed 1 again, from the project's root:", err)
        self.assertEqual(self.race("exit 2", mode="one")[0::2], (2, ""))
        self.assertIn("a result is wrong", self.race("exit 1", mode="one")[2])
        self.assertNotIn("a result is wrong", self.race("exit 1")[2])
        out = self.race("echo 'x wrong, as announced'", mode="one")[1]
        self.assertIn("a fault that is no race", out)
        self.assertNotIn("a fault", self.race("echo 'x wrong, as announced'")[1])
        with self.assertRaises(messages.Stop) as stopped:
            self.race("echo 'shared   skipped: why'", mode="one", variant="shared")
        self.assertEqual(stopped.exception.sentence,
                         "shared did not run, so nothing is known of it")
        status = self.race("echo 'shared2 skipped: why'", mode="one", variant="shared")[0]
        self.assertEqual(status, 0)

    def test_a_status_of_the_program(self) -> None:
        status, out, err = self.race("echo $RACE_SEED; [ $RACE_SEED != 2 ] || exit 7")
        self.assertEqual((status, out), (7, "2\n"))
        self.assertIn("no report in 4 runs, but seed 2 ended with 7; again:\nRACE_SEED=2 ", err)
        self.assertEqual(self.race("exit 66")[0], 66)  # without a report it is only a status
        self.assertIn("no report in 4 runs", self.race("exit 66")[2])
        self.assertEqual(self.race("kill -SEGV $$")[0], 139)

    def test_endless_output(self) -> None:
        with mock.patch.object(race, "MEBIBYTES", 1), self.assertRaises(messages.Stop) as stopped:
            self.race("while :; do echo on and on; done", seeds=1)
        self.assertEqual(stopped.exception.sentence,
                         "seed 1 has printed more than 1 MiB, and was ended")

    def test_a_long_launch_is_told_once(self) -> None:
        err = self.race("echo 'kernel k will take about 3 min'")[2]
        self.assertEqual(err.count("will take about"), 1)


# A program in which the second of three loads of old values, with seed 4, makes it print 0.
STALE = '''
loads=${RACE_OLD_LOADS-3}
[ $RACE_SEED = 4 ] && [ "$RACE_OLD_VALUES" != 0 ] || loads=0
if [ $loads = 2 ] && [ "$RACE_TELL_OLD_LOAD" ]; then echo "race mode: 1 report"; exit 66; fi
if [ $loads -ge 2 ]; then echo 0; else echo 42; fi
echo "in 0.$RACE_SEED ms"
'''


class Stale(unittest.TestCase):
    race = Race.race

    def test_the_load_that_matters(self) -> None:
        status, out, err = self.race(STALE)
        self.assertEqual((status, out), (66, "race mode: 1 report\n"))
        self.assertIn("found with 1 of 4 seeds; seed 4 again:\n"
                      "RACE_SEED=4 env RACE_OLD_LOADS=2 RACE_TELL_OLD_LOAD=1 sh -c", err)

    def test_an_output_that_depends_on_the_schedule_anyway(self) -> None:
        varies = STALE.replace("echo 42", "echo 4$RACE_SEED")
        self.assertEqual(self.race(varies)[0], 0)
        status = self.race(varies.replace("echo 0;", "echo 0; exit 1;"))[0]
        self.assertEqual(status, 66)  # the program's own check fails with an old value only

    def test_an_output_of_another_schedule(self) -> None:
        self.assertEqual(self.race(f"[ $RACE_SEED = 2 ] && echo 0 && exit\n{STALE}")[0], 0)
        # Of the same schedule too: the seed alone makes it so.
        self.assertEqual(self.race("[ $RACE_SEED = 4 ] && echo 0 || echo 42")[0], 0)

    def test_the_seeds_with_old_values_are_those_of_the_runtime(self) -> None:
        with open(f"{device.ROOT}/cpu_device/race/old_values.hpp", encoding="utf-8") as file:
            self.assertIn(f"old_values_every = {stale.EVERY};", file.read())


WRITES = 'echo "race mode: $RACE_SEED"; [ -z "$RACE_TRACE" ] || echo t >"$RACE_TRACE"; exit 66'


class Show(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.root = os.path.join(self.folder, "root")
        for name in ("player/bundle.py", "docs/trace.md", "basics/CMakeLists.txt"):
            os.makedirs(os.path.dirname(f"{self.root}/{name}"))
            with open(f"{self.root}/{name}", "w", encoding="utf-8"):
                pass
        with open(f"{self.root}/player/bundle.py", "w", encoding="utf-8") as file:
            file.write("class BundleError(ValueError):\n    pass\n\n\n"
                       "def bundle(traces, page, language):\n"
                       "    traces = [traces] if isinstance(traces, str) else traces\n"
                       "    text = ''.join(open(trace).read() for trace in traces)\n"
                       "    if 'no trace' in text:\n"
                       "        raise BundleError(f'{traces[0]}: no trace')\n"
                       "    open(page, 'w').write('page of ' + text)\n")
        for patch in (mock.patch.object(device, "ROOT", self.root),
                      mock.patch.dict(os.environ, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}),
                      mock.patch.object(race, "SOON", 1000),  # a busy machine is slow
                      mock.patch.object(sys, "path", list(sys.path))):
            patch.start()
            self.addCleanup(patch.stop)
        sys.modules.pop("bundle", None)
        self.trace, self.page = f"{self.folder}/run.json", f"{self.folder}/run.html"

    race = Race.race

    def test_a_trace(self) -> None:
        status, out, err = self.race(WRITES, trace=self.trace)
        self.assertEqual((status, out), (66, "race mode: 1\n"))
        self.assertIn(f"seed 1, step by step: {self.trace}\n", err)
        self.assertNotIn("--show", err)
        with open(self.trace, encoding="utf-8") as file:
            self.assertEqual(file.read(), "t\n")

    def test_the_trace_gets_what_the_program_prints(self) -> None:
        outcome = '"outcome": {"status": 66, "lines": null, "right": null}'
        self.race("for k in $(seq 30); do echo $k; done; echo err >&2; [ -z \"$RACE_TRACE\" ] || "
                  f"echo '{outcome}' >\"$RACE_TRACE\"", trace=self.trace)
        with open(self.trace, encoding="utf-8") as file:
            numbers = ", ".join(f'"{number}"' for number in range(11, 31))
            self.assertEqual(file.read(), outcome.replace("null", f"[{numbers}]", 1) + "\n")

    def test_no_trace(self) -> None:
        for old in (False, True):
            if old:
                with open(self.trace, "w", encoding="utf-8"):
                    pass
            with self.assertRaises(messages.Stop) as stopped:
                self.race("exit 0", trace=self.trace)
            self.assertIn(f"written no trace to {self.trace}", stopped.exception.sentence)
        with self.assertRaises(messages.Stop) as stopped:
            self.race(': >"$RACE_TRACE"; exit 67', trace=self.trace)
        self.assertIn(f"written no trace to {self.trace}", stopped.exception.sentence)

    def test_a_page(self) -> None:
        status, _, err = self.race(WRITES, page=self.page)
        self.assertEqual(status, 66)
        self.assertIn(f"seed 1 as a page, to be opened in a browser: {self.page}\n", err)
        with open(self.page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "page of t\nt\n")  # another seed is there too
        self.assertEqual(self.race(WRITES.replace("66", "0"), page=self.page, trace=self.trace)[0],
                         0)
        self.assertTrue(os.path.exists(self.trace))

    def test_a_page_has_a_seed_of_each_kind(self) -> None:
        """The run that is shown, one more with a report and one without, where each has a trace."""
        for bad, traces in (("3|4|6", "3 1 4"), ("2", "2 1"), ("none", "1 2"), ("3|4|1", "1 2 3")):
            self.race(f"case $RACE_SEED in {bad}) status=66; echo; echo 'race mode: 1 report';; "
                      "*) status=0;; esac; "
                      "[ -z \"$RACE_TRACE\" ] || echo $RACE_SEED >\"$RACE_TRACE\"; exit $status",
                      page=self.page, seeds=6)
            with open(self.page, encoding="utf-8") as file:
                self.assertEqual(file.read().split()[2:], traces.split(), bad)
        self.race("[ -z \"$RACE_TRACE\" ] || [ $RACE_SEED = 2 ] || echo t >\"$RACE_TRACE\"",
                  page=self.page)
        with open(self.page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "page of t\n")

    def test_a_page_has_one_seed_where_each_takes_long(self) -> None:
        with mock.patch.object(race, "SOON", 0):
            self.race(WRITES, page=self.page)
        with open(self.page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "page of t\n")

    def test_in_chinese(self) -> None:
        """The report, what the command says and the page, but not the trace that is asked for."""
        self.addCleanup(messages.speak, "en")
        where = "kernel k, launched at a.cu:1"
        trace = json.dumps({"left_out": {"text": ""}, "words": [], "threads": [], "reports": [
            {"kind": "DATA RACE", "where": where, "text": "", "sentences": [], "missing": None}]})
        script = f"echo; echo 'DATA RACE in {where}'; echo 'race mode: 1 report'; " \
            f"[ -z \"$RACE_TRACE\" ] || echo '{trace}' >\"$RACE_TRACE\"; exit 66"
        messages.speak("zh-CN")
        status, out, err = self.race(script, page=self.page, trace=self.trace)
        self.assertEqual(status, 66)
        self.assertRegex(out, "^\n[\u4e00-\u9fff]+\uff08DATA RACE\uff09.* k\uff0c.* a.cu:1\n"
                              "[\u4e00-\u9fff]+\uff1a1 ")
        self.assertRegex(err, "^4 [\u4e00-\u9fff]+")
        self.assertNotRegex(err, "seed |step by step|as a page")
        with open(self.trace, encoding="utf-8") as file:
            self.assertIn(where, file.read())
        with open(self.page, encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("launched", page)
        self.assertIn("a.cu:1", page)

    def test_every_order(self) -> None:
        flags = race.Request().flags
        flags.page, flags.trace = self.page, self.trace

        def orders(script: str) -> tuple[int, str, str]:
            return printed_by(lambda: race.all_orders(["sh", "-c", script], flags))

        status, out, err = orders('echo 6 orders; echo t >"$RACE_TREE"')
        self.assertEqual((status, out), (0, "6 orders\n"))
        self.assertIn(f"every order, as trees of steps: {self.trace}\n", err)
        self.assertIn(f"every order as a page, to be opened in a browser: {self.page}\n", err)
        with open(self.page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "page of t\n")
        flags.trace = ""
        self.assertIn(self.page, orders('echo t >"$RACE_TREE"')[2])
        status, out, err = printed_by(lambda: race.all_orders(
            ["sh", "-c", 'echo "for $RACE_OUTCOMES s"; echo t >"$RACE_TREE"'], flags, "7"))
        self.assertEqual((status, out), (0, "for 7 s\n"))
        self.assertIn(f"every execution as a page, to be opened in a browser: {self.page}\n", err)
        self.assertEqual(orders("exit 3"), (3, "", ""))

    def test_what_is_no_trace(self) -> None:
        with self.assertRaises(messages.Stop) as stopped:
            self.race(WRITES.replace("echo t", "echo no trace"), page=self.page, trace=self.trace)
        self.assertEqual(stopped.exception.sentence, f"{self.trace}: no trace")

    def test_the_last_line_says_how(self) -> None:
        self.assertTrue(self.race(WRITES, typed=["a b.cu", "7"])[2].endswith(
            "scripts/race --show 'a b.cu' 7\n"))
        self.assertNotIn("--show", self.race("true")[2])
        os.remove(f"{self.root}/docs/trace.md")
        self.assertNotIn("--show", self.race(WRITES)[2])
        with self.assertRaises(messages.Stop) as stopped:
            race.main(["histogram", "--show"])
        self.assertEqual(stopped.exception.sentence,
                         f"a page of a run needs {self.root}/docs/trace.md, which is not in this "
                         "copy of the project")


LIST = """\
plain       race   lesson  wrong_plain.cuh  one thread adds; right: atomic
atomic      right  lesson  1_atomic.cuh     an atomic adds
stuck       deadlock lesson  wrong_stuck.cuh  waits; right: atomic
"""
RACE = """\
variant  median ms  spread  check
plain    0.12       3.4%    wrong, as announced: 7, expected 64; sum of repeats

DATA RACE in kernel plain, launched at histogram/x.cu:3
  first

DATA RACE in kernel plain, launched at histogram/x.cu:3
  An update is lost

race mode: 2 reports
"""


class OldValues(unittest.TestCase):
    def test_the_load_is_found_in_few_runs(self) -> None:
        """The first number of loads with which a run ends in another way."""
        for first in (1, 2, 3, 7, 8, 9, 1000):
            runs: list[int] = []

            def finished(seed: int, settings: dict[str, str], first: int = first,
                         runs: list[int] = runs) -> processes.Finished:
                runs.append(int(settings["RACE_OLD_LOADS"]))
                ended = processes.Finished()
                ended.status = int(runs[-1] >= first)
                self.assertLess(len(runs), 40)
                return ended
            search = stale.Search(["true"], 100)
            with mock.patch.object(search, "finished", finished):
                self.assertEqual(search._loads(4, stale.end_of(processes.Finished())), first)
            self.assertEqual(len(runs), len(set(runs)))


class Tour(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_rows(self) -> None:
        rows = [tour.Row("histogram", line) for line in LIST.splitlines()]
        self.assertEqual((rows[0].name, rows[0].kind, rows[0].file, rows[0].idea, rows[0].right),
                         ("plain", "race", "histogram/wrong_plain.cuh", "one thread adds",
                          "atomic"))
        self.assertEqual((rows[1].right, rows[1].idea), ("", "an atomic adds"))

    def test_a_list_counts_whatever_the_status(self) -> None:
        program = os.path.join(self.folder, "histogram")
        with open(program, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\ncat <<'E'\n{LIST}E\nexit 3\n")
        os.chmod(program, 0o755)
        self.assertEqual([row.name for row in tour.Row.of(self.folder, "histogram")],
                         ["plain", "atomic", "stuck"])

    def test_what_the_check_said(self) -> None:
        self.assertEqual(tour.what_check_said("plain", RACE), "wrong, as announced: 7, expected 64")
        self.assertEqual(tour.what_check_said("plai", RACE), "")
        self.assertEqual(tour.what_check_said("a", "a 0.1 2.0%   ok\n"), "ok")

    def test_the_run_that_is_shown(self) -> None:
        """The first, or the first that is wrong."""
        def runs(checks: list[str]) -> list[processes.Finished]:
            ended = []
            for number, check in enumerate(checks):
                one = processes.Finished()
                one.status = race.REPORTED
                one.out = (f"plain  0.12  3.4%  {check}\n\n"
                           f"DATA RACE in kernel k{number}, launched at x.cu:3\n").encode()
                ended.append(one)
            return ended
        for checks, shown in ((["ok", "ok"], 0), (["ok", "wrong: 7", "wrong: 8"], 1),
                              (["wrong: 7", "ok", "wrong: 8"], 0)):
            with mock.patch.object(race, "run_seeds", lambda *_, checks=checks: runs(checks)):
                said, report = tour.as_announced("", tour.Row("histogram", LIST), "race", 3)
            self.assertEqual((said, report[:22]), (checks[shown], f"DATA RACE in kernel k{shown}"))

    def test_one_report(self) -> None:
        self.assertIn("An update is lost", tour.one_report(RACE))
        self.assertNotIn("first", tour.one_report(RACE))
        self.assertEqual(tour.one_report(RACE.replace("is lost", "")),
                         "DATA RACE in kernel plain, launched at histogram/x.cu:3\n  first")
        self.assertEqual(tour.one_report("x\n\nno report\n"), "")
        long = "DEADLOCK in kernel k\n" + "".join(f"line {k}\n" for k in range(20))
        self.assertEqual(tour.one_report(long).split("\n")[-2:], ["line 6", "  ..."])
        self.assertEqual(tour.one_report("TOO LARGE to run\nrace mode: 1 report\n"),
                         "TOO LARGE to run")

    def test_as_announced(self) -> None:
        for kind, status, check, expected in (
                ("right", 0, "ok", True), ("right", 0, "wrong", False), ("right", 66, "ok", False),
                ("race", 66, "", True), ("race", 0, "wrong", False),
                ("unsynchronized", 66, "ok", True), ("unsynchronized", 1, "ok", False),
                ("deadlock", 66, "", True), ("deadlock", 67, "", True), ("deadlock", 0, "", False),
                ("deadlock", 66, "ok", False), ("wrong_result", 0, "wrong", True),
                ("wrong_result", 66, "wrong", True), ("wrong_result", 0, "ok", False),
                ("wrong_result", 1, "wrong", False)):
            self.assertEqual(tour.is_as_announced(kind, status, check), expected,
                             (kind, status, check))

    def test_outcome(self) -> None:
        def said(*words: str) -> str:
            return " ".join(tour.outcome(*words))
        self.assertEqual(said("race", "wrong, as announced: 7", ""),
                         "Its result is wrong, as announced: is 7")
        self.assertIn("never ends", said("deadlock", "", ""))
        self.assertIn("by luck", said("race", "ok", "DATA RACE in kernel"))
        self.assertIn("A GPU promises less", said("unsynchronized", "ok", "DATA RACE in kernel"))
        self.assertIn("A GPU promises less", said("race", "ok", ""))

    def make(self, name: str, script: str) -> None:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)

    def tour(self, plain: str = "exit 66") -> tuple[int, str, str]:
        for name in device.EXAMPLES:
            self.make(name, "")
        rows = "".join(line + "\n" for line in LIST.splitlines()[:2])
        self.make("histogram", f"if [ $1 = --list ]; then cat <<'E'\n{rows}E\nexit; fi\n"
                  f"if [ $3 = plain ]; then cat <<'E'\n{RACE}E\n{plain}\nfi\n"
                  "echo 'atomic 0.1 2.0% ok'\n")
        with mock.patch.object(tour, "marked_lines", lambda row: iter([(3, "*d_x += 1;")])):
            return printed_by(lambda: tour.tour(self.folder, 2))

    def test_a_tour(self) -> None:
        status, out, _ = self.tour()
        self.assertEqual(status, 0)
        self.assertEqual(out, """
=== 1 of 1   scripts/race histogram plain
one thread adds
  histogram/wrong_plain.cuh:3  *d_x += 1;
DATA RACE in kernel plain, launched at x.cu:3
  An update is lost
Its result is wrong, as announced: is 7, expected 64

atomic is right: an atomic adds
  No report with any seed, and its result is ok
  diff histogram/wrong_plain.cuh histogram/1_atomic.cuh

1 wrong variants found out and their right counterparts clean (seeds: 2)
""")

    def test_a_tour_in_chinese(self) -> None:
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        with mock.patch.dict(tour.ideas("zh-CN"), {"histogram atomic": "\u539f\u5b50"}):
            status, out, _ = self.tour()
        self.assertEqual(status, 0)
        lines = out.split("\n")
        self.assertEqual(lines[1], "=== \u7b2c 1 \u4e2a\uff0c\u5171 1 \u4e2a   "
                                   "scripts/race histogram plain")
        self.assertEqual(lines[2], "one thread adds")  # which has no row
        self.assertTrue(lines[4].startswith("\u6570\u636e\u7ade\u4e89\uff08DATA RACE\uff09"))
        self.assertTrue(lines[6].endswith("\uff1a7, expected 64"))
        self.assertTrue(lines[8].endswith("\u539f\u5b50"))
        self.assertNotRegex(out, "is right|Its result|No report|found out")

    def test_each_wrong_variant_and_its_right_one_is_told_in_chinese(self) -> None:
        needed = set()
        for table in glob.glob(f"{device.ROOT}/*/variants.cuh"):
            folder = os.path.dirname(table)
            with open(table, encoding="ascii") as file:
                names = set(re.findall(r'instead_of\("([^"]+)"\)', file.read()))
            names |= {os.path.basename(path)[len("wrong_"):-len(".cuh")]
                      for path in glob.glob(f"{folder}/wrong_*.cuh")}
            needed |= {f"{os.path.basename(folder)} {name}" for name in names}
        self.assertGreater(len(needed), 50)
        self.assertEqual(set(tour.ideas("zh-CN")), needed)

    def test_chinese_lines_are_folded_by_their_columns(self) -> None:
        lines = printed_by(lambda: tour.print_folded("  " + "\u7ebf\u7a0b" * 40))[1].split("\n")
        self.assertEqual([len(line) for line in lines], [51, 33, 0])

    def test_a_tour_that_finds_a_variant_clean(self) -> None:
        with self.assertRaises(messages.Stop) as stopped:
            self.tour(plain="exit 0")
        self.assertEqual(stopped.exception.status, 1)
        self.assertEqual(stopped.exception.sentence, "not as announced: histogram plain")

    def test_a_tour_without_variants(self) -> None:
        for name in device.EXAMPLES:
            self.make(name, "")
        with self.assertRaises(messages.Stop) as stopped:
            tour.tour(self.folder, 1)
        self.assertEqual(stopped.exception.key, "no wrong variant")

    def test_long_lines_are_folded(self) -> None:
        lines = printed_by(lambda: tour.print_folded("word " * 50))[1].split("\n")
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertEqual(printed_by(lambda: tour.print_folded("")), (None, "\n", ""))

    def test_marked_lines(self) -> None:
        row = tour.Row("atomic_functions",
                       "lost_update race lesson wrong_lost_update.cuh x; right: y")
        lines = list(tour.marked_lines(row))
        self.assertGreaterEqual(len(lines), 1)
        self.assertNotIn("//", lines[0][1])


class Run(unittest.TestCase):
    def test_dispatch(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        calls: list[tuple] = []
        with mock.patch.object(run, "run_own", lambda words, built_in, run_in:
                               calls.append((words, built_in, run_in)) or 0), \
                mock.patch.object(run, "run_all", lambda names: calls.append(("all", names)) or 0):
            here = os.getcwd()
            run.main(["06_shared_memory", "3"])
            run.main(["histogram", "3"])
            run.main(["my.cu", "x"])
            run.main(["-O2", "my.cu"])
            run.main([])
        self.assertEqual(calls[0], (["basics/06_shared_memory.cu", "3"], device.ROOT, device.ROOT))
        self.assertEqual(calls[1], (["histogram/histogram.cu", "--", "3"], device.ROOT, here))
        self.assertEqual(calls[2], (["my.cu", "x"], here, here))
        self.assertEqual(calls[3], (["-O2", "my.cu"], here, here))
        self.assertEqual(calls[4], ("all", [*device.basics(), *device.EXAMPLES]))

    def test_no_such_example(self) -> None:
        with self.assertRaises(messages.Stop) as stopped:
            run.main(["nonsense"])
        self.assertEqual(stopped.exception.status, 2)
        self.assertIn("there is no example 'nonsense'; expected one of: 01_threads",
                      stopped.exception.sentence)

    def own(self, script: str, kind: str = "cpu", words: tuple[str, ...] = ()) -> tuple:
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + script)
            os.chmod(program, 0o755)
            asked = sources.Words()
            asked.sources = ["a b.cu"]
            asked.arguments = list(words)
            asked.device = kind
            here = os.getcwd()
            with mock.patch.object(sources, "read_words", lambda command, given: asked), \
                    mock.patch.object(run.build.Program, "build", lambda self: program):
                return printed_by(lambda: run.run_own([], here, here))

    def test_the_device(self) -> None:
        """The one that is asked for, whatever the machine has; else the one that it has."""
        for asked, has, expected in (("cpu", "cuda", "cpu"), ("asan", "cpu", "asan"),
                                     ("", "cpu", "cpu"), ("", "cuda", "cuda")):
            words = sources.Words()
            words.device = asked
            here = os.getcwd()
            with mock.patch.object(sources, "read_words", lambda command, given: words), \
                    mock.patch.object(device, "choose", lambda: has), \
                    mock.patch.object(run.build, "Program") as program, \
                    mock.patch.object(run, "become"), \
                    mock.patch.object(run, "_wait_for", lambda command: 0), \
                    mock.patch.dict(os.environ):
                run.run_own([], here, here)
            self.assertEqual(program.call_args[0][1], expected)

    def test_the_programs_status(self) -> None:
        self.assertEqual(self.own("exit 7")[0::2], (7, ""))
        self.assertEqual(self.own("[ \"$*\" = 'x y' ]", words=("x", "y"))[0], 0)

    def test_a_closed_pipe_ends_a_program(self) -> None:
        """SIGPIPE, which Python ignores, has its default action in each program."""
        is_not_ignored = "grep -q '^SigIgn:.*[02468ace]...$' /proc/self/status"
        self.assertEqual(self.own(is_not_ignored)[0], 0)
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):  # without setpriv
            self.assertEqual(self.own("/bin/" + is_not_ignored)[0], 0)
        for call in (f"command.become(['/bin/sh', '-c', {is_not_ignored!r}])",
                     f"command.become(['/bin/sh', '-c', {is_not_ignored!r}], {{'PATH': '/bin'}})"):
            done = subprocess.run(
                [sys.executable, "-c", f"import sys; sys.path[:0] = sys.argv[1:]; from course "
                 f"import command; {call}", os.path.join(device.ROOT, "scripts")], check=False)
            self.assertEqual(done.returncode, 0)
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/bin")
            with open(f"{folder}/bin/one", "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + is_not_ignored)
            os.chmod(f"{folder}/bin/one", 0o755)
            self.addCleanup(os.chdir, os.getcwd())
            with mock.patch.object(device, "choose", lambda: "cpu"), \
                    mock.patch.object(device, "build_preset", lambda *words: f"{folder}/bin"):
                self.assertEqual(printed_by(lambda: run.run_all(["one"]))[0], 0)

    def test_a_signal_is_explained(self) -> None:
        status, _, err = self.own("kill -ABRT $$", words=("two words",))
        self.assertEqual(status, 134)
        self.assertEqual(err.split("\n")[0],
                         "the program was ended by the signal ABRT; this may name the line:")
        self.assertIn("    scripts/race 'a b.cu' 'two words'    (after a deadlock)\n", err)
        self.assertIn("    scripts/run --asan 'a b.cu' 'two words'\n", err)
        status, _, err = self.own("kill -SEGV $$")
        self.assertEqual(status, 139)
        self.assertNotIn("deadlock", err)
        self.assertEqual(self.own("kill -TERM $$")[0::2], (143, ""))

    def test_all(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/bin")
            for name, status in (("one", 0), ("two", 1), ("three", 0)):
                with open(f"{folder}/bin/{name}", "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\nexit {status}\n")
                os.chmod(f"{folder}/bin/{name}", 0o755)
            with mock.patch.object(device, "choose", lambda: "cpu"), \
                    mock.patch.object(device, "build_preset", lambda *words: f"{folder}/bin"), \
                    mock.patch.object(device, "EXAMPLES", ("three",)):
                with self.assertRaises(messages.Stop) as stopped:
                    printed_by(lambda: run.run_all(["one", "two", "three"]))
                self.assertEqual(stopped.exception.sentence, "failed: two")
                status, out, _ = printed_by(lambda: run.run_all(["one", "three"]))
            self.assertEqual(status, 0)
            self.assertIn("\n=== one\n(one: 0 s)\n", out)
            self.assertIn("all 1 programs of basics/ and 1 examples ran", out)


class Shown(unittest.TestCase):
    def test_statuses(self) -> None:
        finished = processes.Finished()
        finished.status = 66
        finished.out = b"x\nrace mode: 1 report\n"
        self.assertTrue(race.has_reported(finished))
        finished.out = b"x race mode: no\n"
        self.assertFalse(race.has_reported(finished))
        finished.out = b"race mode: 1\n"
        self.assertTrue(race.has_reported(finished))
        finished.status = 0
        self.assertFalse(race.has_reported(finished))


if __name__ == "__main__":
    unittest.main()
