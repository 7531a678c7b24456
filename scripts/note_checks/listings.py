"""No listing of the notes is typed: each block of code is checked against what it shows.

A fenced block is one of these, or it counts as typed:

    ```cpp                        a quotation of a source, which the check of quotes holds to it
    below <!-- run: --> or
    <!-- h200: -->                what a program prints, which scripts/samples holds to it
    ```sh                         commands for the reader
    ```text                       a drawing, a tree of files, a format: it claims no output
    ```LANGUAGE sketch            code that is no file of the project, such as of another language

No block may be typed. A translated page's blocks are those of its English page, which the check of
translations holds them to.
"""
import re

BLOCK = re.compile(r"^ *(?P<fence>```+)(?P<info>[^\n]*)\n.*?^ *(?P=fence) *$", re.M | re.S)
MADE = re.compile(r"^<!-- (run|h200): .*-->$")


def kind(before, info):
    """What a block with this information is, below the line `before`."""
    words = info.split()
    if MADE.match(before):
        return "printed"
    if words and words[0] in ("cpp", "cu", "cuda") and "sketch" not in words:
        return "quoted"
    if words[:1] in (["sh"], ["text"], ["cmake"]) or "sketch" in words:
        return words[0] if words[0] != "cmake" else "sh"
    return "typed"


def check(root, _):
    typed, count = [], 0
    for page in sorted(page for depth in ("*.md", "*/*.md", "*/*/*.md")
                       for page in root.glob(depth)):
        if page.relative_to(root).parts[0] == "build":
            continue
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            count += 1
            before = text[:block.start()].rstrip("\n").rpartition("\n")[2]
            if kind(before, block["info"]) == "typed" and not page.name.endswith(".zh-CN.md"):
                typed.append(f"{page}:{text.count(chr(10), 0, block.start()) + 1}")
    if typed:
        print(*(f"{place}: typed: expected a quotation, a sample, or sh, text or sketch after ```"
                for place in typed), sep="\n")
    print(f"{count} blocks of code, {len(typed)} of them typed")
    return not typed and count > 100
