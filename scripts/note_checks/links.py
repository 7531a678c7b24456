"""Every link of the notes leads somewhere.

Looks at links and pictures of Markdown and at href and src of HTML: the file is there, and where
the link names a place in a Markdown page (#warp), the page has such a heading or such an id.
Links to the web are not followed.
"""
import functools
import re

CODE = re.compile(r"(?ms)^ *```.*?^ *```|<!--.*?-->|`[^`\n]*`")
LINK = re.compile(r"""\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|\b(?:href|src)="([^"]+)\"""")


def slug(heading):
    """The name by which GitHub's links reach a heading, which is given as Markdown."""
    heading = re.sub(r"<[^>]*>", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading))
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@functools.cache
def places(page):
    """What can stand after # in a link to the page: as GitHub makes it from the headings."""
    text = page.read_text(encoding="utf-8")
    found = set(re.findall(r'\b(?:id|name)="([^"]+)"', text))
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    for heading in re.findall(r"(?m)^#+ +(.*?) *#*$", text):
        found.add(slug(heading))
    return found


def check(root, pages):
    chosen = pages or [page for depth in ("*.md", "*/*.md", "*/*/*.md")
                       for page in sorted(root.glob(depth))
                       if page.relative_to(root).parts[0] != "build"]
    links = broken = 0
    for page in chosen:
        # Code is blanked out, but its line breaks stay, so that line numbers are right.
        text = CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), page.read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            name, _, place = target.partition("#")
            file = page.parent / name if name else page
            problem = None
            if not file.exists():
                problem = f"there is no {file}"
            elif place and file.suffix == ".md" and place not in places(file.resolve()):
                problem = f"{file} has no heading or id '{place}'"
            if problem:
                broken += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{page}:{line}: ({target}): {problem}")
    print(f"{links} links, {broken} of them lead nowhere")
    return broken == 0
