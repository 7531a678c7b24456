"""exercises/questions.md: the questions of all notes in the order of docs/way.md, each with a link to
the page that asks and answers it.

A question is in a page's section "## Questions": the summary of a <details>, which holds its number
and its text, or an item of a numbered list with a <details> for the answer below it.
"""
import html
import re
import textwrap

PAGE = "exercises/questions.md"
HEAD = """# Questions for a class

The questions of the notes, in the order of [the way](../docs/way.md). Use them to open a lesson, for
a quiz, or in an oral examination. The name of a page leads to its questions. There each answer is
folded below its question. `scripts/notes write` makes this list.
"""


def pages(root):
    """The pages with questions, as paths from the root, in the order in which docs/way.md first
    names them."""
    way = (root / "docs/way.md").read_text(encoding="utf-8")
    named = dict.fromkeys(re.findall(r"\]\(\.\./([\w./]+\.md)\)", way))
    return [name for name in named
            if "\n## Questions\n" in (root / name).read_text(encoding="utf-8")]


def questions(text):
    """The questions of a page, as Markdown on one line each, without links."""
    section = re.split(r"\n## ", text.split("\n## Questions\n")[1])[0]
    summaries = re.findall(r"<summary>\d+\. (.*?)</summary>", section, re.DOTALL)
    items = re.findall(r"^\d+\. (.*?)\s*<details>", section, re.DOTALL | re.MULTILINE)
    found = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"</?code>", "`", one))
             for one in summaries + items]
    found = [re.sub(r"</?a\b[^>]*>", "", one) for one in found]
    return [html.unescape(" ".join(one.split())) for one in found]


def title(text):
    return text.split("\n", 1)[0].lstrip("# ")


def page(root):
    lines, count = [HEAD], 0
    for name in pages(root):
        text = (root / name).read_text(encoding="utf-8")
        lines.append(f"## [{title(text)}](../{name}#questions)\n")
        for question in questions(text):
            count += 1
            lines.append(textwrap.fill(f"{count}. {question}", 100, break_long_words=False,
                                       break_on_hyphens=False,
                                       subsequent_indent=" " * (len(str(count)) + 2)))
        lines.append("")
    return "\n".join(lines).rstrip() + "\n", count


def write(root):
    (root / PAGE).write_text(page(root)[0], encoding="utf-8")


def check(root, _):
    text, count = page(root)
    holds = count >= 40
    for name in pages(root):
        if not questions((root / name).read_text(encoding="utf-8")):
            print(f"{name}: no question was found in its section Questions")
            holds = False
    if not (root / PAGE).exists() or (root / PAGE).read_text(encoding="utf-8") != text:
        print(f"{PAGE} is not what the notes ask: scripts/notes write")
        holds = False
    print(f"{count} questions")
    return holds
