#!/usr/bin/env python3
"""Writes one HTML file that plays traces of race mode: it holds the page, its code and the traces.

    player/bundle.py TRACE.json... --page PAGE.html   runs or trees, a list to choose from
    player/bundle.py --levels FOLDER                  the levels: FOLDER/levels.html

The page opens from disk and needs no network. docs/trace.md is the format of a trace. Ends with 1
where a file cannot be read or written or is no trace, with 2 where the command line is wrong.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
FORMAT, VERSIONS, KINDS = "race-trace", (1,), ("run", "trees")

_IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w.-]+)';\n", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function) (\w+)",
                       re.MULTILINE)


class BundleError(ValueError):
    """A trace, a level or a module is not as expected. The text names the file and says what is."""


def read_trace(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The trace in the file `path`. OSError where it cannot be read, BundleError if it is none."""
    try:
        trace = json.loads(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BundleError(f"{path}: no trace: it is not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise BundleError(f"{path}:{error.lineno}: no trace: {error.msg}") from None
    if not isinstance(trace, dict) or trace.get("format") != FORMAT:
        raise BundleError(f'{path}: no trace: expected an object with "format": "{FORMAT}"')
    if trace.get("version") not in VERSIONS:
        known = ", ".join(map(str, VERSIONS))
        raise BundleError(
            f"{path}: a trace of version {trace.get('version')!r}; this player knows {known}"
        )
    if trace.get("kind") not in KINDS:
        raise BundleError(f"{path}: a trace of kind {trace.get('kind')!r}; expected run or trees")
    return trace


def joined_modules(main: str = "main.js", folder: Path = SOURCES) -> str:
    """The module `main` and all that it imports, as the text of one module.

    A file on disk may not import another one in a browser, so the modules become one. They keep to
    the plain forms: `import { a, b } from './c.js';` and `export` before a declaration at the start
    of a line; and no name is declared twice at the top level. BundleError where one does not.
    """
    parts: list[str] = []
    begun: set[str] = set()
    declared: dict[str, str] = {}

    def take(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        text = (folder / name).read_text(encoding="utf-8")
        for found in _IMPORT.finditer(text):
            take(found[2])
        for found in _DECLARED.finditer(text):
            if found[1] in declared:
                raise BundleError(f"{name}: {found[1]} is declared in {declared[found[1]]} as well")
            declared[found[1]] = name
        text = re.sub(r"^export (?=(?:async )?(?:const|let|class|function))", "",
                      _IMPORT.sub("", text), flags=re.MULTILINE)
        odd = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
        if odd:
            raise BundleError(f"{name}: expected a plain import or export, got: {odd[0]}")
        parts.append(f"// {name}\n{text}")

    take(main)
    return "\n".join(parts)


def words_by_language() -> dict[str, Any]:
    """The sentences of each file words.LANGUAGE.json, by its language."""
    return {path.name.split(".")[1]: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(HERE.glob("words.*.json"))}


def page(traces: Sequence[dict[str, Any]], levels: Sequence[dict[str, Any]] = (),
         language: str = "") -> str:
    """The text of a page that plays `traces`; with `levels`, those of them that levels name. It
    speaks `language`, or that of the browser if it is ""."""

    def data(value: object) -> str:  # no < : so nothing in it can end the script element
        return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")

    script = joined_modules()
    if "</script" in script.lower():
        raise BundleError("src: a module holds </script, which would end it in the page")
    parts = {
        "LANGUAGE": html.escape(language),
        "STYLE": (HERE / "style.css").read_text(encoding="utf-8"),
        "TITLE": html.escape(str(traces[0].get("program", "trace")) if traces else "trace"),
        "TRACES": data(list(traces)),
        "LEVELS": data(list(levels)),
        "WORDS": data(words_by_language()),
        "SCRIPT": script,
    }
    template = (HERE / "page.html").read_text(encoding="utf-8")
    return re.sub(rf"@({'|'.join(parts)})@", lambda found: parts[found[1]], template)


def _write(path: Path, text: str) -> None:
    """Writes all of the file or leaves what was there."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # as open() would have made it
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def bundle(trace_path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
           page_path: str | os.PathLike[str], language: str = "") -> Path:
    """Writes the page that plays a trace, or several to choose from; returns its path. `language`
    is that of page().

    The folder of `page_path` must be there; a page that is there is replaced, and kept as it is
    where anything fails. BundleError (a ValueError) where a file is no trace, OSError where a file
    cannot be read or written. The text of both names the file.
    """
    one = isinstance(trace_path, (str, os.PathLike))
    traces = [read_trace(path) for path in ([trace_path] if one else trace_path)]
    if not traces:
        raise BundleError(f"{page_path}: expected at least one trace")
    path = Path(page_path).absolute()
    _write(path, page(traces, language=language))
    return path


def bundle_levels(folder: str | os.PathLike[str]) -> Path:
    """Writes FOLDER/levels.html: every level of levels/levels.json, on its tree; returns its path.

    `folder` is made if it is not there. levels.html#NAME opens at the level NAME. OSError where
    something cannot be written; its text names the file.
    """
    from levels import programs  # only here: a trace needs none of it

    levels = json.loads((HERE / "levels" / "levels.json").read_text(encoding="utf-8"))
    trees = {program.name: program for program in programs.PROGRAMS}
    target = Path(folder).absolute()
    target.mkdir(parents=True, exist_ok=True)
    path = target / "levels.html"
    _write(path, page([programs.trace_of(trees[level["tree"]]) for level in levels], levels))
    return path


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("traces", nargs="*", metavar="TRACE.json", help="traces to choose from")
    parser.add_argument("--page", metavar="PAGE.html", help="the page to write for them")
    parser.add_argument("--levels", metavar="FOLDER", help="write FOLDER/levels.html")
    options = parser.parse_args(arguments)
    if bool(options.page) != bool(options.traces) or not (options.page or options.levels):
        parser.error("expected traces and --page, or --levels")
    try:
        if options.page:
            print(bundle(options.traces, options.page))
        if options.levels:
            print(bundle_levels(options.levels))
    except (OSError, BundleError) as error:
        print(f"bundle.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
