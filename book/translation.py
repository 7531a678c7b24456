#!/usr/bin/env python3
"""Holds each page and its translation together: X.zh-CN.md beside X.md. Where there is no X.md,
the translation is that of the comments of X.cu, as scripts/course/overlay.py reads them.

    book/translation.py [PAGE.zh-CN.md...]      checks the pages, all where none is named
    book/translation.py outdated                lists the sections whose English has changed since
    book/translation.py accept PAGE.zh-CN.md#PLACE   this section is up to date again

Above each heading of a translation stand two lines:

    <!-- en: 1f3a9c20 -->
    <a id="the-problem"></a>

The first has the hash of the English section's prose that it was made from, the second the place of
the English heading, so that a link to it works in both languages. The check ends with 1 where the
two differ in their headings, code, numbers, links, pictures, or the rows and columns of a table;
where a term is not that of docs/terms.md; and where the signs are not those of Chinese (full-width
quotation marks, and bold in place of italics). A section that is merely outdated is no error.
"""
import collections
import hashlib
import os.path
import pathlib
import re
import sys
import typing

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from page import CODE, LINK, blank_code, headings  # noqa: E402
import failure  # noqa: E402
from course import overlay  # noqa: E402
from failure import Failure  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIX = ".zh-CN.md"
TERMS = "docs/terms.md"
MARK = re.compile(r"<!-- en:(?: ([0-9a-f]{8}))? -->\n<a id=\"([^\"]+)\"></a>\n\n\Z")
UNITS = {"million": 10**6, "billion": 10**9, "\u4e07": 10**4, "\u4ebf": 10**8}  # wan and yi
UNIT = re.compile(rf"(\d+)\s*({'|'.join(UNITS)})")
NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
# Of a sign after which GitHub does not end bold, unless a blank follows; and the same before it.
SIGN = "[\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u201c\u201d]"
# What a line of a block says of its command, or of its file: of the last, also in lines of its own.
SAID = {"sh": re.compile(r" +#.*$", re.MULTILINE),
        "text": re.compile(r"(?<=\S) {2,}\S.*$|^ {8,}.*\n", re.MULTILINE)}
NOTHING = re.compile(r"(?!)")
BOLD = re.compile(rf"(?P<before>.?)\*\*(?!\s)(?P<in>[^*\n]+)\*\*(?P<after>.?)")


class Section(typing.NamedTuple):
    level: int
    place: str          # of the heading; of a translation, that of the English one
    text: str           # the heading and what follows it, up to the marks of the next
    hash: str | None    # of a translation: that of the English prose; None where it is not there
    has_mark: bool


class Term(typing.NamedTuple):
    english: str
    chinese: tuple[str, ...]   # the word, and others that are right too
    wrong: tuple[str, ...]     # words that the translation does not use
    needed: bool               # wherever the English has the term, the translation has it too


def hash_of(section: str) -> str:
    """The hash of a section's prose: no code, no comments, one blank between two words."""
    return hashlib.sha256(" ".join(prose(section).split()).encode()).hexdigest()[:8]


def prose(text: str) -> str:
    """The text without blocks of code and without comments."""
    return CODE.sub(lambda m: "" if m["fence"] or m["comment"] else m[0], text)


def sections(text: str) -> list[Section]:
    """The sections of a page, one for each heading."""
    found = []
    heads = headings(text)
    for heading, after in zip(heads, [*heads[1:], None]):
        end = after.begin if after else len(text)
        mark = MARK.search(text[:heading.begin])
        body = MARK.sub("", text[heading.begin:end]) if after else text[heading.begin:end]
        found.append(Section(heading.level, mark[2] if mark else heading.place, body,
                             mark[1] if mark else None, bool(mark)))
    return found


def terms(root: pathlib.Path) -> list[Term]:
    """The table of docs/terms.md: English | Chinese | not | needed."""
    page = root / TERMS
    rows = [[cell.strip() for cell in line.split("|")[1:-1]]
            for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    rows = [row for row in rows if not set("".join(row)) <= set("-: ")]
    if not rows or len(rows) < 2 or any(len(row) != 4 for row in rows):
        raise Failure(f"{page}: expected a table of four columns: English, Chinese, not, needed")
    found = [Term(row[0], *(tuple(filter(None, re.split(" *[\u3001\uff0c,] *", cell)))
                            for cell in row[1:3]), bool(row[3])) for row in rows[1:]]
    twice = [t for t, n in collections.Counter(term.english for term in found).items() if n > 1]
    if twice:
        raise Failure(f"{page}: '{twice[0]}' is decided twice")
    return found


def code(text: str) -> list[tuple[str, str]]:
    """The blocks of code, and the comments by which scripts/samples knows them. What a list of
    commands or of files says of each is translated, so that it does not count."""
    return [(m["info"].strip(), SAID.get(m["info"].strip(), NOTHING).sub("", m["code"]))
            if m["fence"] else ("", m["comment"])
            for m in CODE.finditer(text)
            if m["fence"] or (m["comment"] and not m["comment"].startswith("<!-- en:"))]


def commands(text: str) -> list[str]:
    """Those that are set off by four blanks, without their comments."""
    return [SAID["sh"].sub("", line) for line in
            re.findall(r"^    (scripts/.*)$", blank_code(text, also_inline=False), re.MULTILINE)]


def inline_code(text: str) -> set[str]:
    return {" ".join(m[0].strip("`").split()) for m in CODE.finditer(text) if m["ticks"]}


def targets(text: str) -> set[str]:
    """The links and pictures; a link to a translation counts as one to the English page."""
    return {m["target"].replace(SUFFIX, ".md").replace(".zh-CN.svg", ".svg")
            for m in LINK.finditer(blank_code(text))}


def own_targets(text: str) -> set[str]:
    """Of the links, those to translations: a page may have more of them than the English."""
    return {m["target"].replace(SUFFIX, ".md") for m in LINK.finditer(blank_code(text))
            if SUFFIX in m["target"]}


def without_common(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    return [one for one in a if one not in b], [one for one in b if one not in a]


def tables(text: str) -> list[tuple[int, ...]]:
    """For each table, the numbers of columns of its rows."""
    found: list[list[int]] = []
    inside = False
    for line in blank_code(text, also_inline=False).splitlines():
        if line.startswith("|"):
            if not inside:
                found.append([])
            found[-1].append(len(re.split(r"(?<!\\)\|", line)) - 2)
        inside = line.startswith("|")
    return [tuple(table) for table in found]


def numbers(text: str) -> collections.Counter:
    """The numbers of the prose, with how often each is there. Those of links do not count."""
    text = re.sub(r"<[^>]*>", " ", LINK.sub("](", blank_code(prose(text))))
    text = UNIT.sub(lambda m: str(int(m[1]) * UNITS[m[2]]), text)
    return collections.Counter(NUMBER.findall(text))


def words(text: str) -> str:
    """The prose without code (that by four blanks, too), targets of links and tags."""
    text = blank_code(re.sub(r"^    .*$", "", text, flags=re.MULTILINE))
    return re.sub(r"<[^>]*>", " ", LINK.sub("](", text))


def missing(before: typing.Iterable, after: typing.Iterable) -> str:
    """What one has and the other has not, in words."""
    before, after = list(before), list(after)
    return "; ".join([f"missing: {', '.join(map(str, sorted(before)))}"] * bool(before) +
                     [f"not in the English: {', '.join(map(str, sorted(after)))}"] * bool(after))


def differences(english: str, translated: str, table: list[Term]) -> list[tuple[str, str]]:
    """What is not alike in a page and its translation: (place, what) each."""
    ours, theirs = sections(english), sections(translated)
    found = [(there.place, "expected above its heading the two lines <!-- en: HASH --> and "
              f"<a id=\"{here.place}\"></a>, then an empty line")
             for here, there in zip(ours, theirs) if not there.has_mark]
    shapes = [[(s.level, s.place) for s in some] for some in (ours, theirs)]
    if shapes[0] != shapes[1]:
        for here, there in zip([*shapes[0], None], [*shapes[1], None]):
            if here != there:
                name = "no more headings" if here is None else f"{'#' * here[0]} #{here[1]}"
                seen = "none" if there is None else f"{'#' * there[0]} #{there[1]}"
                return found + [(there[1] if there else here[1],
                                 f"headings: expected {name}, found {seen}")]
    for here, there in zip(ours, theirs):
        def tell(what: str, at: str = here.place) -> None:
            found.append((at, what))
        if code(here.text) != code(there.text):
            pairs = zip([*code(here.text), None], [*code(there.text), None])
            first = next((a or b for a, b in pairs if a != b), None)
            tell(f"code: the blocks differ, first at '{(first[1].strip() or first[0])[:60]}'")
        if commands(here.text) != commands(there.text):
            tell(f"commands: {missing(*without_common(commands(here.text), commands(there.text)))}")
        a, b = inline_code(here.text), inline_code(there.text)
        if a != b:
            tell(f"code in the text: {missing(a - b, b - a)}")
        a, b = targets(here.text), targets(there.text)
        if a - b or b - a - own_targets(there.text):
            tell(f"links: {missing(a - b, b - a - own_targets(there.text))}")
        a, b = numbers(here.text), numbers(there.text)
        if a != b:
            tell(f"numbers: {missing((a - b).elements(), (b - a).elements())}")
        if tables(here.text) != tables(there.text):
            tell(f"tables: expected the columns {tables(here.text)}, found {tables(there.text)}")
        for problem in (*wrong_terms(words(here.text), words(there.text), table),
                        *wrong_signs(words(there.text))):
            tell(problem)
    return found


def wrong_terms(english: str, translated: str, table: list[Term]) -> typing.Iterator[str]:
    for term in table:
        for word in term.wrong:
            if word in translated:
                yield f"terms: '{word}' for {term.english}; {TERMS} has {' or '.join(term.chinese)}"
        pattern = re.sub(r"\\[- ]", r"[-\\s]", re.escape(term.english))  # also across two lines
        if term.needed and re.search(rf"\b{pattern}s?\b", english, re.IGNORECASE) \
                and not any(word in translated for word in term.chinese):
            yield f"terms: the English has '{term.english}', expected {' or '.join(term.chinese)}"


def wrong_signs(translated: str) -> typing.Iterator[str]:
    """What Chinese does not write, or GitHub would not show as it is meant."""
    text = re.sub(r"^( *[*+-]) |\\.", r"  ", translated, flags=re.MULTILINE)
    for match in BOLD.finditer(text):
        if re.match(SIGN, match["in"][-1]) and re.match(r"[^\s\W]", match["after"]) or \
                re.match(SIGN, match["in"]) and re.match(r"[^\s\W]", match["before"]):
            yield f"signs: '{match[0]}' is not shown as bold: expected the sign outside of the **"
    for match in re.finditer(r"\*[^*\s][^*\n]*\*", BOLD.sub(" ", text)):
        yield f"signs: '{match[0]}' in italics; expected bold, **"
    for match in re.finditer("[\"\u3010\u300c\u300e][^\n]{0,20}", text):
        yield f"signs: '{match[0]}'; expected the quotation marks \u201c and \u201d"


def outdated(english: str, translated: str) -> list[str]:
    """The places of the sections whose English prose is not the one that they were made from."""
    now = {section.place: hash_of(section.text) for section in sections(english)}
    return [section.place for section in sections(translated)
            if section.hash != now.get(section.place)]


def pairs(root: pathlib.Path, pages: list[str]) -> list[tuple[pathlib.Path, pathlib.Path]]:
    """The translations, each after its English page."""
    chosen = [pathlib.Path(p).absolute() for p in pages] or sorted(
        p for p in root.rglob(f"*{SUFFIX}") if p.relative_to(root).parts[0] != "build")
    for page in chosen:
        if not page.name.endswith(SUFFIX) or not page.exists():
            raise Failure(f"{page}: expected the name of a page that is there and ends with "
                          f"{SUFFIX}")
        if not english_of(page).exists():
            raise Failure(f"{page}: there is neither {english_of(page).with_suffix('.md').name} "
                          f"nor {english_of(page).name} beside it")
    return [(english_of(page), page) for page in chosen]


def english_of(page: pathlib.Path) -> pathlib.Path:
    """The page that a translation is made from, or the source."""
    note = page.with_name(page.name.removesuffix(SUFFIX) + ".md")
    return note if note.exists() else note.with_suffix(".cu")


def english_text(path: pathlib.Path) -> str:
    text = path.read_text(encoding="utf-8")
    return overlay.as_page(text) if path.suffix == ".cu" else text


def accept(root: pathlib.Path, section: str) -> None:
    """Writes the hash of the English section that is named as PAGE.zh-CN.md#PLACE."""
    name, _, place = section.partition("#")
    if not place:
        raise Failure(f"{section}: expected one section, such as {name}#the-problem: each is "
                      "accepted by itself, after its translation")
    (english, page), = pairs(root, [os.path.join(root, name)])
    found = {s.place: hash_of(s.text) for s in sections(english_text(english))}
    if place not in found:
        raise Failure(f"{english}: has no heading #{place}; expected one of "
                      + ", ".join(f"#{p}" for p in found))
    text = page.read_text(encoding="utf-8")
    changed, count = re.subn(rf"<!-- en:(?: [0-9a-f]{{8}})? -->\n(?=<a id=\"{re.escape(place)}\")",
                             f"<!-- en: {found[place]} -->\n", text)
    if count != 1:
        raise Failure(f"{page}: expected once the line <a id=\"{place}\"></a>, below a line "
                      "<!-- en: -->")
    failure.write_text(page, changed)


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if arguments[:1] == ["accept"] and len(arguments) == 2:
        accept(ROOT, arguments[1])
        return 0
    found = 0
    listing = arguments[:1] == ["outdated"]
    chosen = pairs(ROOT, arguments[1:] if listing else arguments)
    table = [] if listing else terms(ROOT)
    for english, page in chosen:
        texts = [english_text(english), page.read_text(encoding="utf-8")]
        name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        for place in outdated(*texts) if listing else []:
            print(f"{name}#{place}")
        for place, what in [] if listing else differences(*texts, table):
            found += 1
            print(f"{name}#{place}: {what}")
    if not listing:
        print(f"{len(chosen)} translated pages, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    failure.end(main)
