"""The index of concepts: each atomic function, scope, order, fence and barrier that the sources
use, and each lock and pattern of the glossary, with the places where it is explained and used."""
import os.path
import re
import typing

from page import LINK, blank_code, headings
from failure import Failure

GLOSSARY = "basics/glossary.md"
SOURCES = ("basics/", "exercises/", "docs/found/")  # and the chapters: those with a variants.cuh
MOST_NOTES = 4
SHOWN = 2  # files of one folder
# The kinds of names, and which words of the sources are one; the first that fits counts.
NAMES = {
    "Fences and barriers": r"__threadfence(?:_block|_system)?|__syncthreads(?:_count|_and|_or)?"
                           r"|__syncwarp|(?:cuda::)?atomic_thread_fence",
    "Scopes": r"(?:cuda::)?thread_scope_(?:thread|block|device|system)",
    "Orders": r"(?:cuda::|std::)?memory_order_(?:relaxed|consume|acquire|release|acq_rel|seq_cst)",
    "Atomic functions": r"atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_block|_system)?"
                        r"|(?:cuda::)?(?:std::)?atomic_ref|__nv_atomic_\w+",
    "Functions of a warp": r"__(?:shfl|match|reduce)_\w+_sync|__(?:ballot|any|all|shfl)_sync"
                           r"|__activemask",
}
# The terms of the glossary that are no name of a function, by kind.
TERMS = {
    "Locks": ("mutex", "critical section", "ticket lock", "spin lock", "backoff", "fairness",
              "deadlock", "livelock", "lock-free", "forward progress"),
    "Patterns": ("aggregation", "privatized", "compare-and-swap (CAS)", "grid-stride loop",
                 "last block", "message passing", "barrier", "grid barrier", "reduction", "tree",
                 "linear probing", "chain", "cell list", "scan", "partition", "tile"),
    "What goes wrong": ("lost update", "data race", "contention", "divergence", "bank conflict",
                        "poison", "interleaving"),
}


class Concept(typing.NamedTuple):
    name: str
    explained: list[tuple[str, str]]  # note with #place, and what to call it
    used: list[str]                   # sources, or notes of a term


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def in_order(notes: typing.Iterable[str], steps: list) -> list[str]:
    """The notes, those of the way first and in its order, the glossary last."""
    way = [step.page for step in steps]
    return sorted(notes, key=lambda note: (note == GLOSSARY,
                                           way.index(note) if note in way else len(way), note))


def first_mention(text: str, name: str) -> int | None:
    """Where a note names it first: in backquotes, else in quoted code; None where it does not."""
    word = rf"\b{re.escape(name)}\b"
    match = re.search(rf"`[^`\n]*{word}[^`\n]*`", text) or re.search(word, text)
    return match.start() if match else None


def section_at(text: str, place: int) -> str:
    """The place of the section that a position is in; "" where it is that of the title."""
    found = ""
    for heading in headings(text)[1:]:
        if heading.begin > place:
            break
        found = heading.place
    return found


def of_sources(texts: dict[str, str], sources: dict[str, str], steps: list
               ) -> dict[str, list[Concept]]:
    """The concepts that are names in the sources. `texts`: of the notes, by path; `sources`: of the
    source files."""
    users: dict[str, dict[str, list[str]]] = {kind: {} for kind in NAMES}
    for path, text in sorted(sources.items()):
        code = without_comments(text)
        for kind, names in NAMES.items():
            for name in dict.fromkeys(re.findall(rf"\b(?:{names})\b", code)):
                name = name.removeprefix("cuda::").removeprefix("std::")
                if path not in users[kind].setdefault(name, []):
                    users[kind][name].append(path)
    found = {}
    for kind, by_name in users.items():
        found[kind] = []
        for name in sorted(by_name, key=str.lower):
            notes = {note: place for note, text in texts.items() if name in text and
                     (place := first_mention(text, name)) is not None}
            chosen = in_order(notes, steps)
            chosen = chosen[:MOST_NOTES] + [n for n in chosen[MOST_NOTES:] if n == GLOSSARY]
            found[kind].append(Concept(
                name, [(f"{n}#{section_at(texts[n], notes[n])}", n) for n in chosen],
                by_name[name]))
    return found


def of_glossary(texts: dict[str, str], terms: dict[str, str], steps: list
                ) -> dict[str, list[Concept]]:
    """The concepts that are terms of the glossary. `terms`: the anchor of each."""
    found = {}
    for kind, names in TERMS.items():
        found[kind] = []
        for name in names:
            if name not in terms:
                continue
            anchor = terms[name]
            users = [note for note, text in texts.items() if note != GLOSSARY and any(
                m["target"].endswith(f"glossary.md#{anchor}")
                for m in LINK.finditer(blank_code(text)))]
            # Where no note links to the term, those that use the word.
            words = r"\s+".join(map(re.escape, name.split()))
            word = re.compile(rf"\b{words}s?\b", re.IGNORECASE)
            users = users or [note for note, text in texts.items()
                              if note != GLOSSARY and word.search(blank_code(text))]
            found[kind].append(Concept(name, [(f"{GLOSSARY}#{anchor}", GLOSSARY)],
                                       in_order(users, steps)))
        if not found[kind]:
            raise Failure(f"{GLOSSARY}: expected one of the terms {', '.join(names)}")
    return found


def is_shown(path: str, chapters: set[str]) -> bool:
    """Is the source one that a reader of the lessons opens?"""
    return path.startswith(SOURCES) or path.split("/")[0] in chapters


def as_page(concepts: dict[str, list[Concept]]) -> str:
    """The index as Markdown, with links as from the project's root."""
    lines = ["# Index of concepts", "",
             "Where each concept is explained, and where it is used. The functions, scopes and "
             "orders are those that the sources of the lessons, of the exercises and of the museum "
             "name. A script finds them at each build. The first place in the column *explained* "
             "is the earliest one of [the way](docs/way.md).", ""]
    for kind, some in concepts.items():
        lines += [f"## {kind}", "", "| name | explained | used |", "|---|---|---|"]
        for concept in some:
            name = f"`{concept.name}`" if kind in NAMES else concept.name
            explained = ", ".join(f"[{short(note)}]({link.rstrip('#')})"
                                  for link, note in concept.explained)
            lines.append(f"| {name} | {explained} | {uses(concept.used)} |")
        lines.append("")
    return "\n".join(lines)


def short(path: str) -> str:
    """A note or a source in few words."""
    path = path.removesuffix("/README.md").removesuffix(".md")
    return path if path != "README" else "start page"


def uses(paths: list[str]) -> str:
    """The files by folder; of many in one folder, the first few."""
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        by_folder.setdefault(path.split("/")[0], []).append(path)
    parts = []
    for folder, some in by_folder.items():
        listed = [f"[{label(path)}]({path})" for path in some[:SHOWN]]
        more = f" and {len(some) - SHOWN} more" if len(some) > SHOWN else ""
        parts.append(f"{folder}: {', '.join(listed)}{more}")
    return "<br>".join(parts)


def label(path: str) -> str:
    if path.endswith(".md"):
        return short(path)
    name = os.path.basename(path)
    return f"{os.path.basename(os.path.dirname(path))}/{name}" if name == "solution.cu" else name
