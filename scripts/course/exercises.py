"""The exercises: their list, their order, their texts, and a learner's progress."""
from __future__ import annotations

import functools
import os
import re
import stat

from course import device, messages, overlay
from course.messages import fail, text, wrong_usage

FOLDER = os.path.join(device.ROOT, "exercises")
GENERAL_ADVICE = os.path.join(FOLDER, "messages.md")


def names() -> list[str]:
    """All exercises, by number: "01_own_element" and so on."""
    return sorted(name for name in os.listdir(FOLDER) if re.match(r"\d\d_", name))


def number_of(name: str) -> int:
    return int(name[:2])


def chapters() -> list[tuple[str, list[str]]]:
    """The steps of docs/way.md with exercises: (name, exercises), in the order of the way. What no
    step names comes last."""
    with open(os.path.join(device.ROOT, "docs", "way.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| \d+ \| \[?([^\]|,]+)[^|]*\| ([\d, to]+) \|", file.read(), re.M)
    left = {number_of(name): name for name in names()}
    found = []
    for chapter, numbers in rows:
        here = []
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", numbers):
            here += [left.pop(number) for number in range(int(first), int(last or first) + 1)
                     if number in left]
        if here:
            found.append((chapter, here))
    return found + ([(text("others"), list(left.values()))] if left else [])


def in_order() -> list[str]:
    """All exercises, in the order of docs/way.md."""
    return [name for _, some in chapters() for name in some]


def called(word: str) -> str | None:
    """The exercise with that number or name; None if there is none."""
    for name in names():
        if word in (name, name[3:]) or (word.isascii() and word.isdigit() and
                                        int(word) == number_of(name)):
            return name
    return None


def listed(words: str) -> list[str]:
    """The exercises of a list such as "2,12-15,spin_lock", in its order; "all" is the way's. Raises
    ValueError with the word that is none."""
    if words == "all":
        return in_order()
    found: list[str] = []
    for word in words.replace(" ", "").split(","):
        first, dash, last = word.partition("-")
        begin, end = called(first), called(last if dash else first)
        if begin is None or end is None or begin > end:
            raise ValueError(word)
        found += [name for name in names() if begin <= name <= end]
    return list(dict.fromkeys(found))


def tasks_of(words: str) -> list[str]:
    """The same for what stands after --tasks on a command line."""
    try:
        return listed(words)
    except ValueError as error:
        wrong_usage("tasks", word=error)


def given_file(name: str) -> str:
    """What the learner gets."""
    return os.path.join(FOLDER, name, name + ".cu")


def given_text(name: str, language: str | None = None) -> str:
    """The same, its comments in `language` where there is a translation; None: in the one that is
    chosen."""
    with open(given_file(name), encoding="utf-8") as file:
        source = file.read()
    page = translation_of(given_file(name), language)
    if not page:
        return source
    with open(page, encoding="utf-8") as file:
        try:
            return overlay.applied(source, file.read())
        except ValueError:  # the source has changed since
            return source


def translation_of(path: str, language: str | None = None) -> str:
    """The page of this file in that language, or in the one that is chosen; "" where there is
    none."""
    page = f"{os.path.splitext(path)[0]}.{language or messages.language}.md"
    return page if os.path.exists(page) else ""


def solution_file(name: str) -> str:
    return os.path.join(FOLDER, name, "solution.cu")


def check_files(name: str) -> list[str]:
    """The sources of the check."""
    return [os.path.join(FOLDER, name, "check.cpp"), os.path.join(FOLDER, "check.cpp")]


REGISTERS = 6  # that hold arguments, on x86-64; all of these are numbers and pointers


def stack_arguments(name: str) -> int:
    """How many arguments the check's call of the learner's function puts on the stack; -1 where the
    learner's functions return a list, which is memory of the check's."""
    with open(check_files(name)[0], encoding="utf-8") as file:
        check = file.read()
    if "std::vector<int> answer();" in check:
        return -1
    declared = re.findall(r"^void launch_\w+\(([^;]*)\);", check, re.M)
    return max([0, *(arguments.count(",") + 1 - REGISTERS for arguments in declared)])


def is_without_volatile(name: str) -> bool:
    """Whether its check refuses the word."""
    with open(check_files(name)[0], encoding="utf-8") as file:
        return bool(re.search(r'\brefuse\(\s*"volatile"', file.read()))


def head_of(name: str) -> list[str]:
    """The comment at the head of the given file, without its slashes: title, task, pages."""
    head = []
    for line in given_text(name).split("\n"):
        if not line.startswith("//"):
            break
        head.append(line[2:].strip())
    return head


def title_of(name: str) -> str:
    """In the chosen language, also of an exercise whose text is English."""
    title = head_of(name)[0].partition(". ")[2]
    translated = table("titles", messages.language).get(title, "")
    return text("in English", title=translated) if translated else title


@functools.cache
def table(name: str, language: str) -> dict[str, str]:
    """By their English: "titles" of the exercises that are not translated, and "kinds" of failures
    of which the general page says nothing; {} where there is no such table."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.{language}.json")
    if not os.path.exists(path):
        return {}
    import json  # only here: most commands start without it
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def task_of(name: str) -> str:
    return "\n".join(head_of(name)[1:]).strip("\n")


def section(heading: str, *files: str) -> str:
    """The text below "## HEADING" of the first file that has it; "" if none has. A translation is
    taken where it is there; it has the English heading as a place above its own."""
    for path in files:
        page = translation_of(path)
        if page and (text := translated_section(heading, page)):
            return text
        with open(path, encoding="utf-8") as file:
            parts = re.split(r"^## +(.*)\n", file.read(), flags=re.M)
        for found, text in zip(parts[1::2], parts[2::2]):
            if found.strip().lower() == heading.lower():
                return text.strip("\n")
    return ""


def place_of(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def translated_section(heading: str, page: str) -> str:
    with open(page, encoding="utf-8") as file:
        found = re.search(rf'<a id="{place_of(heading)}"></a>\n\n#[^\n]*\n(.*?)(?:<!-- en:|\Z)',
                          file.read(), re.DOTALL)
    return found[1].strip("\n") if found else ""


def hint(name: str, number: int) -> str:
    return section(f"Hint {number}", os.path.join(FOLDER, name, "hints.md"))


def advice(name: str, kind: str, otherwise: str = "value") -> str:
    """What a teacher would say of a failure of that kind in that exercise; of the kind `otherwise`
    where no page knows it."""
    files = (os.path.join(FOLDER, name, "hints.md"), GENERAL_ADVICE)
    return section(f"If: {kind}", *files) or section(f"If: {otherwise}", GENERAL_ADVICE)


def explained_kind(word: str) -> str:
    """What the general page says of a failure that is called so; or of one whose name has the word
    in it, below that name. "" where there is none, or are several."""
    page = translation_of(GENERAL_ADVICE) or GENERAL_ADVICE
    with open(page, encoding="utf-8") as file:
        parts = re.split(r"^## +[^:\uff1a\n]*[:\uff1a] *(.*)\n", file.read(), flags=re.M)
    texts = {name.strip(): re.sub(r"<!-- en:.*", "", text, flags=re.S).strip("\n")
             for name, text in zip(parts[1::2], parts[2::2])}
    word = " ".join(word.lower().split())
    same = [text for name, text in texts.items() if word == name.lower()]
    near = [f"{name}:\n{text}" for name, text in texts.items() if word in name.lower()]
    return same[0] if same else near[0] if len(near) == 1 and len(word) > 1 else ""


def kind_in_words(kind: str) -> str:
    """A kind of failure as the heading of its advice names it, in the chosen language."""
    page = translation_of(GENERAL_ADVICE)
    if not page:
        return kind
    with open(page, encoding="utf-8") as file:
        found = re.search(rf'<a id="{place_of("If: " + kind)}"></a>\n\n## [^\n]*?\uff1a(.*)',
                          file.read())
    if found:
        return found[1]
    # What race mode reports has its name in capitals there, and in brackets after the translation.
    from course import reports  # only here, where a verdict is shown
    return table("kinds", messages.language).get(kind.lower()) or \
        reports.kind_in_words(kind.upper()) or kind


class Progress:
    """A learner's progress: lines of the file .progress in their folder, which only grows. "solved
    NAME", "hint NAME", "asked NAME", "at NAME", "failed NAME: KIND", and "tasks NAMES" where the
    learner has chosen some."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, ".progress")

    def lines(self) -> list[str]:
        try:
            with os.fdopen(self._open(os.O_RDONLY), encoding="utf-8", errors="replace") as file:
                return file.read().split("\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            fail("cannot read", file=self.path, why=error.strerror)

    def note(self, what: str, name: str) -> None:
        try:
            with os.fdopen(self._open(os.O_WRONLY | os.O_APPEND | os.O_CREAT), "a",
                           encoding="utf-8") as file:
                file.write(f"{what} {name}\n")
        except OSError as error:
            fail("cannot write", file=self.path, why=error.strerror)

    def _open(self, flags: int) -> int:
        """No link, which may lead to another file, and nothing that waits for a reader."""
        descriptor = os.open(self.path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            fail("no plain file", file=self.path)
        return descriptor

    def times(self, what: str, name: str) -> int:
        return self.lines().count(f"{what} {name}")

    def solved(self) -> set[str]:
        return {line[len("solved "):] for line in self.lines() if line.startswith("solved ")}

    def tasks(self) -> list[str]:
        """Those that the learner has chosen, in that order; else all, in the order of the way."""
        chosen = [line[len("tasks "):] for line in self.lines() if line.startswith("tasks ")]
        known = set(names())
        some = [name for name in chosen[-1].split(",") if name in known] if chosen else []
        return some or in_order()

    def next_after(self, name: str) -> str:
        """The first one after it in the order of tasks() that is not solved, else the first of all;
        "" if all are solved."""
        order = self.tasks()
        at = order.index(name) + 1 if name in order else 0
        solved = self.solved()
        return next((one for one in order[at:] + order[:at] if one not in solved), "")

    def current(self) -> str:
        """Where the learner was; if that is solved, what comes after it; "" if all are solved."""
        known = set(self.tasks())
        last = [line[len("at "):] for line in self.lines() if line.startswith("at ")]
        last = [name for name in last if name in known]
        if last and last[-1] not in self.solved():
            return last[-1]
        return self.next_after(last[-1] if last else "")
