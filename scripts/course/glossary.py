"""The terms of basics/glossary.md, or of its translation, by word."""
from __future__ import annotations

import difflib
import os
import re

from course import device, messages


def entries() -> dict[str, str]:
    """Each term, and each name in the source, in small letters, with its paragraph. A translation
    has the English term in full-width brackets after its own; both are terms."""
    page = f"glossary.{messages.language}.md" if messages.language else "glossary.md"
    with open(os.path.join(device.ROOT, "basics", page), encoding="utf-8") as file:
        text = file.read()
    found: dict[str, str] = {}
    for paragraph in re.findall(r'^<a id="[^"]*"></a>(.*?)\n\n', text, re.S | re.M):
        for bold, english in re.findall(r"\*\*(.+?)\*\*(?:\uff08([^\uff09]+)\uff09)?", paragraph,
                                        re.S):
            for term in " ".join(f"{bold}, {english}".split()).lower().strip(", ").split(", "):
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
    """The text with the files that its links lead to, without those that lead to other terms, and
    with * and ` only where they are part of it."""
    file = "\\1\uff08\\2\uff09" if messages.language else r"\1 (\2)"
    text = re.sub(r"(\]\()(?=\w)", r"\1../basics/", markdown.strip())
    text = re.sub(r"\[([^]]+)\]\(\.\./([^)#]+)(?:#[^)]*)?\)", file, text)
    text = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*?([^*\n]+(?:\n[^*\n]+)?)\*\*?", r"\1", text)
