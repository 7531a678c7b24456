from __future__ import annotations

import os
import stat
import tempfile
import time
import unittest
from unittest import mock

from course import messages, processes, race, story

TURNS = [f"turn {slot} {end}" for end in range(1, 30) for slot in (3, 7)]

# Races if thread 3 stops after its first access, and thread 7 runs before it goes on.
PROGRAM = """#!/bin/sh
kind='DATA RACE'
report() {
    echo '{"kind": "'"$kind"'", "places": ["b.cu:5", "a.cu:4"], "text": "An update is lost"}' \\
        >"$RACE_JSON"
    exit 66
}
if [ -n "$RACE_TURNS" ]; then
    printf 'launch 2\\nplace a.cu:4\\nplace b.cu:5\\nlost\\nslots 3 7\\n' >"$RACE_TURNS"
    for turn in '9 1' '3 1' '9 2' '7 1' '7 2' '9 3' '3 4'; do
        echo "turn $turn" >>"$RACE_TURNS"
    done
    report
fi
if [ -n "$RACE_STORY" ]; then
    cp "$RACE_REPLAY" "$RACE_STORY"
fi
if grep -q 'turn 3 1' "$RACE_REPLAY" && grep -q 'turn 7 2' "$RACE_REPLAY"; then
    report
fi
"""


class Shrinking(unittest.TestCase):
    def shrunk(self, needed: set[str], tries: int = 1000) -> list[str]:
        left = [tries]

        def races(turns: list[str]) -> bool:
            left[0] -= 1
            if left[0] < 0:
                raise story.TimeIsUp
            return needed <= set(turns)
        return story.shrink(TURNS, races)

    def test_only_what_is_needed_stays(self) -> None:
        for needed in ({TURNS[0]}, {TURNS[-1]}, {TURNS[5], TURNS[6]},
                       {TURNS[1], TURNS[20], TURNS[57]}, set(TURNS[10:14])):
            with self.subTest(needed=needed):
                self.assertEqual(set(self.shrunk(needed)), needed)

    def test_in_the_order_of_the_turns(self) -> None:
        found = self.shrunk({TURNS[40], TURNS[2], TURNS[17]})
        self.assertEqual(found, [TURNS[2], TURNS[17], TURNS[40]])

    def test_what_is_found_races_when_the_time_is_up(self) -> None:
        for tries in range(12):
            self.assertLessEqual({TURNS[3], TURNS[50]},
                                 set(self.shrunk({TURNS[3], TURNS[50]}, tries)))


class OfAProgram(unittest.TestCase):
    def story_of(self, program: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "program")
            with open(file, "w", encoding="ascii") as script:
                script.write(program)
            os.chmod(file, stat.S_IRWXU)
            return story.shortest([file], 1, 1 << 20)

    def test_the_shortest(self) -> None:
        self.assertEqual([line for line in self.story_of(PROGRAM).splitlines()
                          if line.startswith("turn ")], ["turn 3 1", "turn 7 2"])

    def test_another_report_is_not_the_same_story(self) -> None:
        for before, after in (("An update is lost", "no more"), ("b.cu:5\"", "b.cu:6\""),
                              ("exit 66", "exit 0")):
            self.assertEqual(self.story_of(PROGRAM.replace(before, after)), "")
        again = 'if [ -n "$RACE_STORY" ]'
        self.assertEqual(self.story_of(PROGRAM.replace(again, f"kind=OTHER\n{again}")), "")

    def test_files_of_the_user_stay(self) -> None:
        writes = PROGRAM.replace("report() {", 'report() {\n    [ -z "$RACE_TRACE" ] || '
                                 'echo "$RACE_TURNS$RACE_REPLAY" >>"$RACE_TRACE"')
        with tempfile.TemporaryDirectory() as folder:
            files = {name: os.path.join(folder, name) for name in story.FILES}
            with mock.patch.dict(os.environ, files):
                self.assertIn("turn 7 2", self.story_of(writes))
            self.assertEqual(os.listdir(folder), [])

    def test_all_runs_end_in_time(self) -> None:
        ends = []

        def run_one(run: list[str], **options) -> processes.Finished:
            ends.append(time.monotonic() + options["seconds"])
            return run_program(run, **options)
        run_program = processes.run_one
        hangs = PROGRAM.replace('cp "$RACE_REPLAY" "$RACE_STORY"', "sleep 60")
        begin = time.monotonic()
        with mock.patch.dict(os.environ, RACE_STORY_SECONDS="0.9"), \
                mock.patch.object(processes, "run_one", run_one):
            self.assertEqual(self.story_of(hangs), "")
        self.assertGreater(len(ends), 2)
        self.assertLess(max(ends) - begin, 1)

    def test_an_error_is_no_story(self) -> None:
        half = PROGRAM.replace('"places"', '"places\nexit 66\n')
        self.assertEqual(self.story_of(half), "")
        with mock.patch.dict(os.environ, RACE_STORY_SECONDS="0.2"):  # it is killed
            self.assertEqual(self.story_of(half.replace("exit 66", "sleep 60")), "")
        with mock.patch.object(tempfile, "tempdir", "/dev/null"):
            self.assertEqual(story.shortest(["true"], 1, 1 << 20), "")
        self.assertEqual(story.shortest(["/dev/null/program"], 1, 1 << 20), "")

    def test_a_wrong_setting_is_refused_before_anything_runs(self) -> None:
        with mock.patch.dict(os.environ, RACE_STORY_SECONDS="three"):
            with self.assertRaisesRegex(messages.Stop, "RACE_STORY_SECONDS: expected a number"):
                race.read_request(["histogram"])
            race.read_request(["--tour"])
