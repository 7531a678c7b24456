"""The page of a source file: what the notes say of it, what has changed against the variant before
it, and the file itself."""
import difflib
import functools
import os.path
import pathlib
import re
import typing

from page import LINK, blank_code, headings, paragraphs, plain

SUFFIXES = (".cu", ".cuh", ".hpp", ".cpp")
LANGUAGES = {".py": "python", ".cmake": "cmake", ".json": "json", ".sh": "bash", ".h": "cuda",
             ".inc": "cuda", **dict.fromkeys(SUFFIXES, "cuda")}
ALIKE = 0.3  # two files that share a smaller part of their lines are not compared


class Mention(typing.NamedTuple):
    """A place in a note that explains a source."""
    note: str        # the page, from the project's root
    title: str       # of the section
    place: str       # of the section's heading
    text: str        # the section, or its paragraphs that name the source, as Markdown
    is_whole: bool   # the section is about this source


def language(path: str, text: str) -> str:
    """The name by which the site generator knows the language of a file."""
    if text.startswith("#!") and "python" in text.split("\n", 1)[0]:
        return "python"
    if text.startswith("#!"):
        return "bash"
    if os.path.basename(path) == "CMakeLists.txt":
        return "cmake"
    return LANGUAGES.get(os.path.splitext(path)[1], "txt")


def mentions(note: str, text: str) -> dict[str, list[Mention]]:
    """For each source that a note links to, the sections that do. A section that begins with a link
    is about what the links of its first paragraph lead to."""
    found: dict[str, list[Mention]] = {}
    heads = headings(text)
    for heading, after in zip(heads, [*heads[1:], None]):
        body = text[heading.body:after.begin if after else len(text)]
        parts = paragraphs(body)
        about = set(linked(note, parts[0])) if parts and parts[0].startswith("[") else set()
        for source in dict.fromkeys(linked(note, body)):
            whole = source in about
            said = parts[is_links(parts[0]):] if whole else [
                part for part, before in zip(parts, ["", *parts]) if says(source, note, part)
                or before.endswith(":") and says(source, note, before)]
            if said:
                found.setdefault(source, []).append(
                    Mention(note, plain(heading.text), heading.place, "\n\n".join(said), whole))
    return found


def says(source: str, note: str, paragraph: str) -> bool:
    """Is the paragraph about the source? One that ends with a colon goes on in the next."""
    return source in linked(note, paragraph) and not paragraph.startswith(("|", "<details"))


def is_links(paragraph: str) -> bool:
    """Is the paragraph nothing but links, with commas or "and" between them?"""
    rest = re.sub(r"\[[^]]*\]\([^)]*\)", "", paragraph)
    return rest != paragraph and not re.sub(r"\band\b|[\s,.`]", "", rest)


def linked(note: str, text: str) -> list[str]:
    """The source files that a piece of a note links to, from the project's root."""
    here = os.path.dirname(note)
    targets = [m["target"].partition("#")[0] for m in LINK.finditer(blank_code(text))]
    return [os.path.normpath(os.path.join(here, target)) for target in targets
            if target.endswith(SUFFIXES)]


@functools.cache
def variants(root: pathlib.Path, chapter: str) -> dict[str, tuple[str, str]]:
    """From the chapter's variants.cuh: name of each variant, its file (from the root), and the name
    of the right variant where this one is wrong, else ""."""
    table = root / chapter / "variants.cuh"
    found = {}
    if table.exists():
        text = table.read_text(encoding="utf-8")
        names = list(re.finditer(r'[({]\s*"(\w+)",\s*"', text))  # a name, then the idea in words
        for begin, after in zip(names, [*names[1:], None]):
            row = text[begin.start():after.start() if after else len(text)]
            file = re.search(r'\.from\("([^"]+)"\)', row)
            right = re.search(r'\.instead_of\("(\w+)"\)', row)
            if file:
                found[begin[1]] = (f"{chapter}/{file[1]}", right[1] if right else "")
    return found


def file_before(root: pathlib.Path, path: str) -> str:
    """The variant to compare a file with, or "": of a wrong variant the right one, of another the
    one before it in the chapter's table; of basics/NN_wrong_x.cu the page's program; of an
    exercise's solution the file that a learner gets."""
    folder, name = os.path.split(path)
    chapter = path.split("/")[0]
    before = ""
    for file, right in variants(root, chapter).values():
        if file == path:
            return variants(root, chapter).get(right, ("",))[0] if right else before
        if not right:
            before = file
    if chapter == "basics" and (match := re.match(r"(\d+\w?)_wrong_", name)):
        others = [f"basics/{f.name}" for f in sorted((root / "basics").glob(f"{match[1]}_*.cu"))
                  if "_wrong_" not in f.name]
        return others[0] if others else ""
    if chapter == "exercises" and name == "solution.cu":
        return f"{folder}/{os.path.basename(folder)}.cu"
    return ""


def difference(before: str, after: str, name_before: str, name_after: str) -> str:
    """What `diff -u` shows; "" where the files have little in common."""
    old, new = before.splitlines(), after.splitlines()
    if difflib.SequenceMatcher(None, old, new, autojunk=False).ratio() < ALIKE:
        return ""
    return "\n".join(difflib.unified_diff(old, new, name_before, name_after, lineterm="", n=3))


def fence(text: str) -> str:
    """A row of ` that is longer than any in the text."""
    return "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
