#!/usr/bin/env python3
"""The table of sentences (cpu_device/race/sentences_of_*.cpp) has each key that the sources of race
mode name, once, and no other."""

import re
import sys
from collections import Counter
from pathlib import Path

RACE = Path(__file__).resolve().parent.parent / "cpu_device" / "race"


def main() -> None:
    parts = sorted(RACE.glob("sentences_of_*.cpp"))
    table = "".join(path.read_text() for path in parts)
    keys = Counter(re.findall(r'^    \{"([^"]+)",', table, re.MULTILINE))
    sources = "".join(path.read_text() for path in sorted(RACE.glob("*.cpp"))
                      if path not in parts)
    said = set(re.findall(r'\b(?:say|sentence)\(\s*"([^"]+)"', sources))
    strings = set(re.findall(r'"([^"\n]+)"', sources))
    wrong = [f"'{key}' stands there {count} times" for key, count in keys.items() if count > 1]
    wrong += [f"'{key}' is said, and is not in the table" for key in sorted(said - set(keys))]
    for key in keys:
        # Of a row of advice the name is in advice.cpp, and both its keys are made of that.
        row = key.removeprefix("advice.").removesuffix(".cure")
        if key not in strings and row not in strings:
            wrong.append(f"'{key}' is never said")
    if len(keys) < 80:
        wrong.append(f"only {len(keys)} keys were found in {RACE}/sentences_of_*.cpp")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
