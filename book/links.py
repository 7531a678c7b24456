#!/usr/bin/env python3
"""Follows every link of the built site.

    book/links.py FOLDER    FOLDER holds the site's .html files

Looks at each href and src: the file is there, and where the link names a place in a page, the page
has an element of that id. Prints every link that leads nowhere, then the counts; ends with 1 where
there is one. Links to the web are not followed.
"""
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import failure  # noqa: E402
from failure import Failure  # noqa: E402


class Page(html.parser.HTMLParser):
    """The ids and the links of one page."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: set[str] = {"", "top"}
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        self.ids.add(values.get("id", ""))
        if tag == "a":
            self.ids.add(values.get("name", ""))
            if "href" in values:
                self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "modulepreload", "preload"):
            self.links.append(values.get("href", ""))
        elif tag == "iframe":  # what stands after ? and # is for the code of the page inside
            self.links.append(re.split(r"[?#]", values.get("src", ""))[0])
        elif "src" in values:
            self.pictures.append(values["src"])


def file_of(root: str, page: str, path: str, base: str) -> str | None:
    """The file below `root` that a link's path leads to from `page`, or None."""
    path = urllib.parse.unquote(path)
    if path.startswith("/"):
        if not path.startswith(base):
            return None
        place = path[len(base):]
    else:
        place = os.path.join(os.path.dirname(page), path)
    place = os.path.normpath(place or ".")
    for candidate in (place, place + ".html", os.path.join(place, "index.html")):
        if os.path.isfile(os.path.join(root, candidate)):
            return os.path.normpath(candidate)
    return None


def problems(root: str, base: str = "/") -> tuple[list[str], int, int]:
    """What is wrong, a line each; how many pages and how many links there are."""
    pages = {}
    for folder, _, files in os.walk(root):
        for name in files:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.relpath(path, root)] = Page(
                    pathlib.Path(path).read_text(encoding="utf-8"))
    found, count = [], 0
    for name, page in sorted(pages.items()):
        for link in page.links + page.pictures:
            if re.match(r"[a-z]+:|//", link):
                continue
            count += 1
            path, place = urllib.parse.urldefrag(link)
            to = name if not path else file_of(root, name, path, base)
            if to is None:
                found.append(f"{name}: ({link}): there is no such file")
            elif place and to in pages and urllib.parse.unquote(place) not in pages[to].ids:
                found.append(f"{name}: ({link}): {to} has no id '{place}'")
    return found, len(pages), count


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    if not os.path.isdir(sys.argv[1]):
        raise Failure(f"{sys.argv[1]}: expected the folder of a built site; scripts/book builds it")
    found, pages, count = problems(sys.argv[1], os.environ.get("BOOK_BASE", "/"))
    for problem in dict.fromkeys(found):
        print(problem)
    print(f"{pages} pages, {count} links, {len(found)} of them lead nowhere")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    failure.end(main)
