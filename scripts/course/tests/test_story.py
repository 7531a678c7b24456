from __future__ import annotations

import os
import stat
import tempfile
import unittest

from course import story

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
            return left[0] >= 0 and needed <= set(turns)
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
