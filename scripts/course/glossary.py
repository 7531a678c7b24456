"""The terms of basics/glossary.md, by word."""
from __future__ import annotations

import difflib
import os
import re

from course import device


def entries() -> dict[str, str]:
    """Each term, and each name in the source, in small letters, with its paragraph."""
    with open(os.path.join(device.ROOT, "basics", "glossary.md"), encoding="utf-8") as file:
        text = file.read()
    found: dict[str, str] = {}
    for paragraph in re.findall(r'^<a id="[^"]*"></a>(.*?)\n\n', text, re.S | re.M):
        for bold in re.findall(r"\*\*(.+?)\*\*", paragraph, re.S):
            for term in " ".join(bold.split()).lower().split(", "):
                found.setdefault(term, _plain(paragraph))
                short = re.search(r"\((\w+)\)$", term)
                if short:  # compare-and-swap (CAS)
                    found.setdefault(short[1], _plain(paragraph))
                    found.setdefault(term[:short.start()].strip(), _plain(paragraph))
    for names, what in re.findall(r"^\| (`.+?) \| (.+) \|$", text, re.M):
        for name in re.findall(r"`([^`]+)`", names):
            explained = _plain(f"`{name}`: {what}")
            found.setdefault(name.lower(), explained)
            found.setdefault(re.sub(r"\W.*", "", name.lower()) or name.lower(), explained)
    return found


def explain(word: str) -> str | None:
    """The paragraph on a word, which may be a plural; None if the glossary has none."""
    known = entries()
    word = " ".join(word.split()).lower().strip("`()")
    for form in (word, word.removesuffix("s"), word.removesuffix("es"), word.replace(" ", "-"),
                 word.replace("-", " ")):
        if form in known:
            return known[form]
    return None


def similar(word: str) -> list[str]:
    """Terms that may be meant."""
    return difflib.get_close_matches(word.lower(), entries(), n=3, cutoff=0.6)


def _plain(markdown: str) -> str:
    """The text without links, and with * and ` only where they are part of it."""
    text = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", markdown.strip())
    return re.sub(r"\*\*?([^*\n]+(?:\n[^*\n]+)?)\*\*?", r"\1", text)
