"""Every row of docs/sources.md names things that are there, and every row answers.

Looks at the rows of the tables. What stands after `variant` or `variants` in code must be a variant
of the chapter that the row links to last before it; a command scripts/run or scripts/race must name
a program, and a variant of it; an option --NAME must be one of a program or a script. A row of a
table of questions has a link, or says that it stays out. (links.py sees to files and headings.)
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = sorted(p.parent.name for p in ROOT.glob("*/variants.cuh"))
PROGRAMS = CHAPTERS + sorted(p.stem for p in ROOT.glob("basics/*.cu"))


def text_of(*patterns):
    return "\n".join(f.read_text(encoding="utf-8") for pattern in patterns
                     for f in sorted(ROOT.glob(pattern)) if f.is_file())


VARIANTS = {c: set(re.findall(r'"(\w+)"', text_of(f"{c}/variants.cuh", f"{c}/*/variants.cuh")))
            for c in CHAPTERS}
OPTIONS = set(re.findall(r"--[a-z][a-z-]+", text_of("scripts/*", "harness/*.?pp"))) | {
    f"--{name}" for name in re.findall(r'"(?:--)?([a-z][a-z-]+)"',
                                       text_of("harness/*.?pp", "*/flags.cuh", "*/*.cu"))}


def problems(row):
    if "](" not in row and "`scripts/" not in row and not re.search(r"\bstays? out\b", row):
        yield "no link, and no word that it stays out"
    chapter = None
    for match in re.finditer(r"\]\(\.\./(\w+)/|variants? ((?:`\w+`(?:, | and |,? or )?)+)|`([^`]+)`",
                             row):
        folder, names, code = match.groups()
        if folder:
            chapter = folder if folder in CHAPTERS else chapter
        for name in re.findall(r"`(\w+)`", names or ""):
            if chapter is None or name not in VARIANTS[chapter]:
                yield f"'{name}' is no variant of {chapter}"
        words = (code or "").split()
        if len(words) > 1 and words[0] in ("scripts/run", "scripts/race"):
            program = words[1]
            if program.endswith(".cu"):
                if not (ROOT / program).is_file():
                    yield f"there is no file {program}"
            elif program not in PROGRAMS:
                yield f"there is no program '{program}'"
            elif words[0] == "scripts/race" and not set(words[2:3]) <= VARIANTS[program]:
                yield f"'{words[2]}' is no variant of {program}"
        for option in re.findall(r"--[a-z][a-z-]+", code or ""):
            if option not in OPTIONS:
                yield f"no program has the option {option}"


def check(root, pages):
    page = pages[0] if pages else root / "docs/sources.md"
    rows = wrong = 0
    questions = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            questions = False
        elif line.startswith("| question"):
            questions = True
        elif line.startswith("| ") and not line.startswith(("| in the text", "| tip")):
            rows += 1
            for problem in problems(line if questions else line + " stays out"):
                wrong += 1
                print(f"{page}:{number}: {problem}")
    print(f"{rows} rows, {wrong} problems")
    return wrong == 0 and rows >= 20
