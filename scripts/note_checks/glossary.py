"""The glossary's index is complete, and it knows every name of CUDA.

A term is what stands in ** ** in a paragraph that begins with an anchor, <a id="..."></a>. The
Chinese glossary has the English term in brackets after it, and its index stands by the English.
Every name of CUDA in the chapters, common/ and harness/ (such as __syncthreads, atomicAdd,
cudaMalloc, cub::DeviceReduce) must stand in the glossary or on a page of basics/, in backquotes or
in quoted code. A name there that ends with ... stands for all names that begin like it.
"""
import re

BEGIN, END = "<!-- index -->\n", "<!-- end of the index -->\n"
NAMES = re.compile(r"\b(?:__[a-z]\w*|atomic[A-Z]\w*|cuda(?:::\w+|[A-Z]\w*)|cublas[A-Z]\w*"
                   r"|cub::\w+(?:::\w+)?|(?:thread|block)Idx|(?:block|grid|cluster)Dim|warpSize"
                   r"|clock64|dim3|(?:u?int|float|double|u?longlong)[234])\b")
NOT_CUDA = {"__attribute__", "__has_include", "__int128", "__extension__"}  # of C++, or of g++
ELSEWHERE = {"basics", "tests", "cpu_device", "build"}


def terms(text):
    """Maps each term to its anchor."""
    found = {}
    for anchor, paragraph in re.findall(r'<a id="([^"]+)"></a>(.*?)\n\n', text, re.DOTALL):
        for bold in re.findall(r"\*\*(.+?)\*\*", paragraph, re.DOTALL):
            for term in bold.replace("\n", " ").split(", "):
                if term.split()[0][1:].islower():  # not "CUB"
                    term = term[0].lower() + term[1:]
                found[term] = anchor
    return found


def chinese_terms(text):
    """Maps "ENGLISH CHINESE" to the anchor of each term: bold with its English in full-width
    brackets after it, or bold in ASCII, such as PTX."""
    found = {}
    for anchor, paragraph in re.findall(r'<a id="([^"]+)"></a>(.*?)\n\n', text, re.DOTALL):
        for term, english in re.findall(r"\*\*([^*]+)\*\*(?:\uff08([^\uff09]+)\uff09)?", paragraph):
            if english or term.isascii():
                found[term if term.startswith(english or term) else f"{english} {term}"] = anchor
    return found


def index(found, comma=",", width=97):
    """The index of the terms, a paragraph for each letter, broken before `width` columns."""
    lines, letter = [], ""
    for term in sorted(found, key=lambda one: one.encode("ascii", "ignore").lower()):
        entry = f"[{term}](#{found[term]})"
        if term[0].upper() != letter:
            letter = term[0].upper()
            lines.append(f"**{letter}** {entry}")
        elif width and len(lines[-1].split("\n")[-1]) + len(entry) > width:
            lines[-1] += f"{comma}\n{entry}"
        else:
            lines[-1] += f"{comma}{' ' * comma.isascii()}{entry}"
    return "\n\n".join(lines) + "\n"


def index_of(page, text):
    if page.name.endswith(".zh-CN.md"):  # one paragraph is one line there
        return index(chinese_terms(text), "\u3001", 0)
    return index(terms(text))


def unknown_names(root):
    pages = "".join(p.read_text() for p in sorted((root / "basics").glob("*.md")))
    explained = set(NAMES.findall(pages))
    beginnings = tuple(re.findall(r"\b((?:cuda|cublas)\w+)\.\.\.", pages))
    for source in sorted(p for p in root.glob("[!.]*/**/*") if p.suffix in (".cu", ".cuh", ".hpp")):
        if source.relative_to(root).parts[0] not in ELSEWHERE:
            for name in sorted(set(NAMES.findall(source.read_text())) - explained - NOT_CUDA):
                if not name.startswith(beginnings):
                    explained.add(name)  # said once
                    yield f"{name} ({source.relative_to(root)}) is not explained"


def pages(root):
    """The glossaries: the page, its text before the index, the index that stands there, and the
    text after it."""
    for page in sorted((root / "basics").glob("glossary*.md")):
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        yield (page, before, *rest.split(END))


def write(root):
    for page, before, _, after in pages(root):
        page.write_text(before + BEGIN + index_of(page, after) + END + after, encoding="utf-8")


def check(root, _):
    found = list(pages(root))
    problems = [f"glossary.md: {name}" for name in unknown_names(root)]
    problems += [f"{page.name}: the index is not that of the terms: scripts/notes write"
                 for page, _, old, after in found if old != index_of(page, after)]
    print("".join(f"{problem}\n" for problem in problems), end="")
    print(f"{sum(len(terms(after)) for page, _, _, after in found if page.name == 'glossary.md')} "
          f"terms, {len(problems)} problems")
    return not problems
