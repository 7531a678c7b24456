"""No listing of the notes is typed: each block of code is checked against what it shows.

A fenced block is one of these, or it counts as typed:

    ```cpp                        a quotation of a source, which the check of quotes holds to it
    below <!-- run: --> or
    <!-- h200: -->                what a program prints, which scripts/samples holds to it
    ```sh                         commands for the reader: each line begins with one
    ```text                       a drawing, a tree of files, a format: it claims no output, so it
                                  has no times, no shares and no report
    ```LANGUAGE sketch            code that is no file of the project, such as of another language

A block that is indented by four blanks holds commands, too; in hints, which a terminal shows, also
steps in words. Blocks by ~~~ or <pre> count as typed.

No block may be typed. A translated page's blocks are those of its English page, which the check of
translations holds them to.
"""
import re

BLOCK = re.compile(r"^ *(?P<fence>```+|~~~+)(?P<info>[^\n]*)\n(?P<code>.*?)^ *(?P=fence) *$"
                   r"|^ *<pre\b.*?</pre>"
                   r"|(?:(?<=\n\n)|\A)(?P<indented>(?: {4}[^\n]*\n|\n(?= {4}))+)", re.M | re.S)
MADE = re.compile(r"^<!-- (run|h200): .*-->$")
COMMAND = re.compile(r"(?:[A-Z_]+=\S+ +)*(?:(?:apt-get|cd|clang-format|cmake|ctest|git|mpirun|nvcc|"
                     r"python3) |[\w.~-]*/[\w./-]+(?: |$))")
PRINTED = re.compile(r"\d\.\d+ *(?:ms|us|s|GB/s|%)|\d ?%|^ *[A-Z]{3,}[A-Z -]* in kernel ", re.M)


def are_commands(code):
    """Does each line begin with a command? Not comments, and not the rest of a line that a
    backslash has broken."""
    lines = [line.strip() for line in re.sub(r"\\\n", " ", code).splitlines()]
    return all(COMMAND.match(line) for line in lines if line and not line.startswith("#"))


def kind(before, block, has_steps=False):
    """What a block is, below the line `before`. `has_steps`: of a page of hints."""
    if block["indented"]:
        return "sh" if has_steps or are_commands(block["indented"]) else "typed"
    if not (block["fence"] or "").startswith("`"):
        return "typed"
    words = block["info"].split()
    if MADE.match(before):
        return "printed"
    if "sketch" in words:
        return "sketch"
    if words[:1] in (["cpp"], ["cu"], ["cuda"]):
        return "quoted"
    if words[:1] in (["sh"], ["cmake"]):
        return "sh" if words[0] == "cmake" or are_commands(block["code"]) else "typed"
    return "text" if words[:1] == ["text"] and not PRINTED.search(block["code"]) else "typed"


def check(root, _):
    typed, count = [], 0
    for page in sorted(root.rglob("*.md")):
        # A hidden folder is a tool's, or a package's that somebody has unpacked here.
        top = page.relative_to(root).parts[0]
        if top == "build" or top.startswith(".") or page.name.endswith(".zh-CN.md"):
            continue
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            count += 1
            before = text[:block.start()].rstrip("\n").rpartition("\n")[2]
            if kind(before, block, page.name == "hints.md") == "typed":
                line = text.count("\n", 0, block.start() + len(block[0]) - len(block[0].lstrip()))
                typed.append(f"{page}:{line + 1}")
    if typed:
        print(*(f"{place}: typed: expected a quotation, a sample, or sh, text or sketch after ```"
                for place in typed), sep="\n")
    print(f"{count} blocks of code, {len(typed)} of them typed")
    return not typed and count > 100
