"""The glossary's index is complete, and it knows every name of CUDA.

A term is what stands in ** ** in a paragraph that begins with an anchor, <a id="..."></a>.
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


def index(text):
    lines, letter = [], ""
    found = terms(text)
    for term in sorted(found, key=str.lower):
        entry = f"[{term}](#{found[term]})"
        if term[0].upper() != letter:
            letter = term[0].upper()
            lines.append(f"**{letter}** {entry}")
        elif len(lines[-1].split("\n")[-1]) + len(entry) > 97:
            lines[-1] += f",\n{entry}"
        else:
            lines[-1] += f", {entry}"
    return "\n\n".join(lines) + "\n"


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


def parts(root):
    """The page's text before the index, the index that stands there, and the text after it."""
    before, rest = (root / "basics/glossary.md").read_text().split(BEGIN)
    return (before, *rest.split(END))


def write(root):
    before, _, after = parts(root)
    (root / "basics/glossary.md").write_text(before + BEGIN + index(after) + END + after)


def check(root, _):
    _, old, after = parts(root)
    problems = list(unknown_names(root))
    if old != index(after):
        problems.append("the index is not that of the terms: scripts/notes write")
    print("".join(f"glossary.md: {problem}\n" for problem in problems), end="")
    print(f"{len(terms(after))} terms, {len(problems)} problems")
    return not problems
