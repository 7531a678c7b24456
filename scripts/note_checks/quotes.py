"""The code that notes quote must be in the source, line for line.

In each page every fenced block that is marked cpp, cuda or cu is a quotation. Its lines must stand
in this order, without a gap, in one of the page's sources; only the indentation of the whole piece
may differ. A line that holds nothing but `...` leaves out any number of lines of the source.
A block marked `cpp sketch` quotes nothing and is not looked at.

The sources of a page NAME.md are NAME.cu, NAME.cuh and NAME.hpp beside it, if one of them exists,
else all .cu, .cuh, .hpp and .cpp files in its folder. A block marked `cpp ../common/lock.cuh`
quotes that file; the path begins at the page's folder.
"""
import functools
import re
import textwrap

from failure import Failure

SUFFIXES = (".cu", ".cuh", ".hpp", ".cpp")
FENCE = re.compile(r"^( *)(```+|~~~+) *(.*?) *$")


def quotations(page):
    """Yields (number of the first line, lines, path of the source or None) of each quotation."""
    fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, words, first, lines = match[2], match[3].split(), number + 1, []
        elif match and match[2].startswith(fence) and not match[3]:
            fence = None
            if words and words[0] in ("cpp", "cuda", "cu") and "sketch" not in words[1:]:
                yield first, lines, words[1] if len(words) > 1 else None
        elif fence is not None:
            lines.append(line)
    if fence is not None:
        raise Failure(f"{page}:{first - 1}: this block has no end")


def pieces(lines):
    """The quotation's parts between lines with nothing but `...`, without outer indentation."""
    text = textwrap.dedent("\n".join(line.rstrip() for line in lines))
    return [part.strip("\n") for part in re.split(r"(?m)^ *(?:// *)?\.\.\. *$\n?", text)
            if part.strip()]


def find(piece, source, begin):
    """The line after the piece's first place in the source from line `begin` on, or None."""
    wanted = textwrap.dedent(piece).split("\n")
    for at in range(begin, len(source) - len(wanted) + 1):
        if textwrap.dedent("\n".join(source[at:at + len(wanted)])).split("\n") == wanted:
            return at + len(wanted)
    return None


def first_missing(lines, source):
    """The first piece that is not in the source after the pieces before it, or None."""
    begin = 0
    for piece in pieces(lines):
        begin = find(piece, source, begin)
        if begin is None:
            return piece
    return None


@functools.cache
def source_lines(path):
    return [line.rstrip() for line in path.read_text(encoding="utf-8").splitlines()]


def check(root, pages):
    chosen = pages or [page for page in sorted(root.rglob("*.md"))
                       if page.relative_to(root).parts[0] != "build"]
    missing = quoted = 0
    for page in chosen:
        files = [f for suffix in SUFFIXES if (f := page.with_suffix(suffix)).exists()]
        files = files or sorted(f for f in page.parent.glob("*") if f.suffix in SUFFIXES)
        for number, lines, named in quotations(page):
            quoted += 1
            chosen_files = [page.parent / named] if named else files
            failures = [first_missing(lines, source_lines(f)) for f in chosen_files if f.exists()]
            if not failures or all(failures):
                missing += 1
                names = named or ", ".join(f.name for f in files) or "any source beside the page"
                piece = failures[0] if failures else "\n".join(lines)
                print(f"{page}:{number}: not in {names} line for line:\n"
                      + textwrap.indent(piece, "    "))
    print(f"{quoted} quotations, {missing} of them not found")
    return missing == 0
