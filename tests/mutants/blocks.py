"""Reads the lists of tests/mutants: blocks of `key: value` lines, with blank lines between them."""
import sys


def read(path, needed, allowed=frozenset()):
    """(line, fields) of each block; a malformed one ends the program with its place."""
    found = []
    fields = {}
    start = 0
    known = needed | allowed
    for number, line in enumerate(path.read_text(encoding="ascii").split("\n") + [""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            key, colon, value = line.partition(":")
            if not colon or key not in known or key in fields:
                sys.exit(f"{path}:{number}: expected one each of {', '.join(sorted(known))}, "
                         f"found '{line}'")
            start = start or number
            fields[key] = value.strip()
        elif fields:
            if needed - fields.keys():
                sys.exit(f"{path}:{start}: this block lacks "
                         f"{', '.join(sorted(needed - fields.keys()))}")
            found.append((start, fields))
            fields = {}
            start = 0
    return found
