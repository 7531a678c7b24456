#!/usr/bin/env python3
"""Lays the project's pages out for the site generator: scripts/book calls it.

    book/lay.py [FOLDER]    FOLDER is build/book where it is not named

Every note becomes a page at its own place, README.md as index.md; every source file that belongs
to the lessons, and every other file that a note links to, becomes a page below source/. All links
are rewritten to these. What is in FOLDER/src and belongs to no page is removed; what has not
changed is not written again. A link that leads nowhere ends the run with 1.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
import page  # noqa: E402  (it finds scripts/)
import concepts  # noqa: E402
import sources  # noqa: E402
import translation  # noqa: E402
from course import messages, overlay, reports  # noqa: E402
import way  # noqa: E402
import failure  # noqa: E402
from note_checks import glossary  # noqa: E402
from failure import Failure  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = {"build", "node_modules", "tests", "__pycache__", "CMakeFiles"}  # no notes in these
PICTURES = (".svg", ".png")
CHAPTERS_SOURCES = {"cpu_device", "tests", "book"}  # their sources are pages only where linked to
CHINESE = ".zh-CN.md"
WORDS = failure.read_json(ROOT / "book/words.zh-CN.json", "the words of the Chinese pages")
DOORS = ("you", "your door")
LOOK_UP = ("basics/glossary.md", "docs/cheat_sheet.md", "docs/languages.md", "docs/progress.md")


def files_below(root: pathlib.Path) -> list[str]:
    """All files of the project that can be a page, from its root, sorted."""
    found = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if n not in LEFT_OUT and not n.startswith("."))
        found += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(found)


class Book:
    """All pages, and where each of them goes in `out`."""

    def __init__(self, root: pathlib.Path, out: pathlib.Path):
        self.root, self.out = root, out
        sources.variants.cache_clear()  # the tables may have changed since another book was laid
        files = files_below(root)
        self.notes = [f for f in files if f.endswith(".md") and not f.endswith(CHINESE)]
        self.chinese = [f for f in files if f.endswith(CHINESE)]
        self.sources = {f for f in files if f.endswith(sources.SUFFIXES)
                        and f.split("/")[0] not in CHAPTERS_SOURCES}
        self.text = {f: self.read(f) for f in [*self.notes, *self.chinese]}
        self.written: set[str] = set()
        self.problems: list[str] = []
        self.waiting: list[str] = []  # linked files that are no pages yet
        self.mentions: dict[str, list[sources.Mention]] = {}
        for note in self.notes:
            for source, some in sources.mentions(note, self.text[note]).items():
                self.mentions.setdefault(source, []).extend(some)
        self.level_names = self.levels()
        text = self.text[way.WAY]
        self.steps = way.steps(text, "the-way")
        self.side_ways = way.steps(text, "side-ways")

    def read(self, path: str) -> str:
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise Failure(f"{path}: expected text in UTF-8: {error.reason}") from error

    def page_of(self, path: str) -> str:
        """Where the page of a file stands below src/."""
        if path.endswith(CHINESE):
            path = "zh/" + path[:-len(CHINESE)] + ".md"
        if path.endswith(".md"):
            return re.sub(r"(^|/)README\.md$", r"\1index.md", path)
        return f"source/{path}.md"

    def write(self, path: str, text: str) -> None:
        """A file below src/, unless it is there with this text."""
        self.written.add(path)
        place = self.out / "src" / path
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            failure.write_text(place, text)

    def copy(self, path: str) -> None:
        """A picture, into what the site shows as it is."""
        place = f"public/pictures/{path}"
        self.written.add(place)
        target = self.out / "src" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != (self.root / path).read_bytes():
            shutil.copyfile(self.root / path, target)

    def new_links(self, text: str, note: str, at: str) -> str:
        """A piece of `note` with links as they are right on the page `at`."""
        def new_target(target: str, is_html: bool, begin: int) -> str:
            file, _, place = target.partition("#")
            if not file or re.match(r"[a-z]+:", file):
                return target
            path = os.path.normpath(os.path.join(os.path.dirname(note), file))
            if (self.root / path).is_dir():
                path += "/README.md"
            if not (self.root / path).is_file():
                line = text.count("\n", 0, begin) + 1
                self.problems.append(f"{note}:{line}: ({target}): there is no {path}")
                return target
            if path.endswith(PICTURES):
                self.copy(path)
                return f"/pictures/{path}"
            if note.endswith(CHINESE) and path.endswith(".md") and not path.endswith(CHINESE):
                translated = path[:-len(".md")] + CHINESE
                if translated in self.text and translated != note:  # its own English page stays
                    path = translated
            if path not in self.text and path not in self.sources:
                self.sources.add(path)
                self.waiting.append(path)
            to = os.path.relpath(self.page_of(path), os.path.dirname(at) or ".")
            if is_html:  # the generator looks at no link of this kind
                to = re.sub(r"(^|/)index\.md$", r"\1index.html", re.sub(r"(?<!index)\.md$", ".html",
                                                                      to))
            return to + (f"#{place}" if place else "")
        return page.replace_links(text, new_target)

    def note_page(self, note: str) -> None:
        at = self.page_of(note)
        text = self.text[note]
        if "{{" in page.blank_code(text):
            raise Failure(f"{note}: holds {{{{ outside of code, which the site generator takes for "
                          "a program; write it as code")
        raw = re.search(r"<details>(?:(?!\n\s*\n|</details>).)*?`", text, re.DOTALL)
        if raw:  # as it is on GitHub
            line = text.count("\n", 0, raw.end()) + 1
            raise Failure(f"{note}:{line}: in HTML, up to an empty line, Markdown is shown as it "
                          "stands; write <code>")
        text = re.sub(r"^( *```+ *\w+)[ \t]+\S.*$", r"\1", text, flags=re.MULTILINE)
        text = whole_times(text)
        if note == "README.md":
            text = self.with_doors(text)
        text = self.new_links(self.with_charts(text, note), note, at)
        text = self.with_levels(text, note, at)
        front = {"where": self.where(note), **self.neighbors(note)}
        there = note.removesuffix(".md") + CHINESE
        if there in self.text and note != "README.md":  # which has a link of its own
            link = (f'<a href="{self.html_link(there, at)}" lang="zh-CN">'
                    f"{WORDS['read in Chinese']}</a>")
            front["where"] = " &middot; ".join(filter(None, [front["where"], link]))
        self.write(at, front_matter(front) + text)

    def with_charts(self, text: str, note: str) -> str:
        """The text with the charts of results/ as a part of the page, not as an image: so a point
        says its value where it is pointed at or tapped."""
        def inline(match: re.Match) -> str:
            path = os.path.normpath(os.path.join(os.path.dirname(note), match[1]))
            if not path.startswith("results/") or not (self.root / path).is_file():
                return match[0]
            svg = re.sub(r"\n\s*\n", "\n", self.read(path))  # an empty line would end the HTML
            return f'<div class="chart" v-pre>\n{svg.strip()}\n</div>'
        return re.sub(r"^!\[[^\]]*\]\(([^)\s]+\.svg)\)$", inline, text, flags=re.MULTILINE)

    def levels(self) -> set[str]:
        """Makes the page of the player's levels, where the player is there; their names."""
        bundle = self.root / "player/bundle.py"
        if not bundle.exists():
            return set()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, bundle, "--levels", folder], check=True,
                           stdout=subprocess.DEVNULL)
            page_of_all = pathlib.Path(folder) / "levels.html"
            self.write("public/player/levels.html", page_of_all.read_text(encoding="utf-8"))
        what = "the levels of the player"
        listed = failure.read_json(self.root / "player/levels/levels.json", what)
        failure.check_shape(listed, [{"name": str}], "player/levels/levels.json", what)
        return {level["name"] for level in listed}

    def level_title(self, name: str, language: str) -> str:
        """A level's title in a language, where the player has it; else its name."""
        table = self.root / f"player/words.{language}.json"
        english = self.root / "player/src/sentences.js"
        if table.exists():
            titles = failure.read_json(table, "the player's sentences")
        else:
            titles = dict(re.findall(r"'(level\.\w+)':\s*'([^'\n]*)'",
                                     english.read_text(encoding="utf-8"))) \
                if english.exists() else {}
        return titles.get(f"level.{name}", name.replace("_", " "))

    def with_levels(self, text: str, note: str, at: str) -> str:
        """The text with the levels that its comments <!-- watch: NAME... --> name. Without the
        player, or without JavaScript, the picture above the comment stands alone."""
        player = os.path.relpath("player/levels.html", os.path.dirname(at) or ".")
        words, language = (WORDS["watch"], "zh-CN") if note.endswith(CHINESE) else \
            ("Be the scheduler: {level}", "en")

        def boxes(match: re.Match) -> str:
            for name in match[1].split():
                if self.level_names and name not in self.level_names:
                    line = text.count("\n", 0, match.start()) + 1
                    raise Failure(f"{note}:{line}: the player has no level '{name}'; expected one "
                                  f"of {', '.join(sorted(self.level_names))}")
            titles = {name: words.format(level=self.level_title(name, language))
                      for name in match[1].split() if self.level_names}
            return "".join(
                f'<details class="watch"><summary>{title}</summary>'
                f'<iframe src="{player}?lang={language}#{name}" loading="lazy" '
                f'title="{title}"></iframe></details>\n' for name, title in titles.items())
        text = re.sub(r"<!-- watch: ([\w ]+?) -->\n", boxes, text)
        title = WORDS["runs"] if language == "zh-CN" else "Watch it run: three recorded runs"

        def runs(match: re.Match) -> str:
            path = self.runs_page(f"{match[1]}.{match[2]}", language)
            src = os.path.relpath(path, os.path.dirname(at) or ".")
            return (f'<details class="watch"><summary>{title}</summary>'
                    f'<iframe src="{src}?lang={language}" loading="lazy" '
                    f'title="{title}"></iframe></details>\n') if path else ""
        return re.sub(r"<!-- runs: (\w+) (\w+) -->\n", runs, text)

    def runs_page(self, name: str, language: str) -> str:
        """Makes the page of the recorded runs in player/runs/NAME, a list of seeds to choose from;
        where it is below src/public. "" without the player."""
        bundle = self.root / "player/bundle.py"
        if not bundle.exists():
            return ""
        traces = sorted((self.root / "player/runs" / name).glob("seed*.json"))
        if not traces:
            raise Failure(f"player/runs/{name}: expected recorded runs; player/runs/record.py "
                          "records them")
        path = f"player/runs/{name}{'' if language == 'en' else '.' + language}.html"
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "page.html"
            copies = [pathlib.Path(shutil.copy(trace, folder)) for trace in traces]
            messages.speak(language)
            for copy in copies:
                reports.translate_trace(str(copy))
            messages.speak("en")
            subprocess.run([sys.executable, bundle, *copies, "--page", place], check=True,
                           stdout=subprocess.DEVNULL)
            self.write(f"public/{path}", place.read_text(encoding="utf-8"))
        return path

    def chinese_page(self, page_path: str) -> None:
        """A translation: below zh/, with a line where the English is newer, and without its
        marks."""
        at = self.page_of(page_path)
        english = page_path.removesuffix(CHINESE) + ".md"
        original = self.text.get(english)
        text = self.text[page_path]
        if original is None:  # the comments of a source, which then follows with them
            english = page_path.removesuffix(CHINESE) + ".cu"
            if english not in self.sources:
                raise Failure(f"{page_path}: there is neither {english.removesuffix('.cu')}.md nor "
                              f"{english} beside it")
            source = self.read(english)
            original = overlay.as_page(source)
            text += f"\n```cpp\n{overlay.applied(source, text)}```\n"
        if english == "README.md":
            text = self.with_doors(text, tuple(WORDS["doors"]))
        text = re.sub(r"^( *```+ *\w+)[ \t]+\S.*$", r"\1", text, flags=re.MULTILINE)
        text = self.new_links(self.with_charts(text, page_path), page_path, at)
        text = self.with_levels(text, page_path, at)
        old = set(translation.outdated(original, self.text[page_path]))
        to = self.html_link(english, at)

        def notice(match: re.Match) -> str:
            if match["place"] not in old:
                return match[0]
            place = f"#{match['place']}" if english.endswith(".md") else ""
            words = WORDS["outdated"].format(link=to + place)
            return f'{match[0]}\n\n<p class="outdated">{words}</p>'
        text = re.sub(r'<a id="(?P<place>[^"]+)"></a>\n\n#+ [^\n]*', notice, text)
        where = f'<a href="{to}" lang="en">English</a>' if english != "README.md" else ""
        step = next((s for s in self.steps if self.is_step(s, english)), None)
        if step:
            where = WORDS["step"].format(number=step.number, count=len(self.steps),
                                         minutes=step.minutes) + " &middot; " + where
        self.write(at, front_matter({"where": where, **self.chinese_neighbors(english)}) + text)

    def chinese_neighbors(self, english: str) -> dict:
        """The steps before and after that of a translated page, as the side bar has them."""
        if english == "README.md":
            return {"prev": False, "next": self.chinese_step(self.steps[1])}
        for number, step in enumerate(self.steps):
            if self.is_step(step, english):
                before, after = self.steps[:number][-1:], self.steps[number + 1:][:1]
                return {"prev": self.chinese_step(before[0]) if before else False,
                        "next": self.chinese_step(after[0]) if after else False}
        return {"prev": False, "next": False}

    def chinese_step(self, step: way.Step) -> dict:
        """The translation of a step's page, or its English page."""
        there = step.page.partition("#")[0].removesuffix(".md") + CHINESE
        if there in self.text:
            return {"text": re.sub(r"^\d+\. ", "", page.title(self.text[there])),
                    "link": self.url(there)}
        return {"text": WORDS["steps"].get(step.name, step.name) + WORDS["in English"],
                "link": self.url(step.page)}

    def html_link(self, note: str, at: str) -> str:
        """A link from the page `at` to that of a note, for HTML."""
        to = os.path.relpath(self.page_of(note), os.path.dirname(at) or ".")
        return re.sub(r"\.md$", ".html", to)

    def chinese_sidebar(self) -> list[dict]:
        """The way, with English pages where there is no translation; the other translations."""
        shown = set()
        items = []
        for step in self.steps:
            shown.add(step.page.partition("#")[0].removesuffix(".md") + CHINESE)
            named = self.chinese_step(step)
            items.append({**named, "text": f"{step.number}. {named['text']}"})
        rest = [{"text": page.title(self.text[note]), "link": self.url(note)}
                for note in self.chinese
                if note not in shown
                and not note.endswith(("/hints" + CHINESE, "/messages" + CHINESE))]
        return [{"text": WORDS["the way"], "items": items},
                *[{"text": WORDS["others"], "items": rest}] * bool(rest)]

    def with_doors(self, text: str, heads: tuple[str, ...] = DOORS) -> str:
        """The start page: its table of doors as three boxes, and below it the steps of the way."""
        table = re.search(rf"^\| {heads[0]} \| {heads[1]} \|\n(?:\|.*\n)+", text, re.MULTILINE)
        if not table:
            raise Failure(f"README.md: expected a table with the columns '{heads[0]}' and "
                          f"'{heads[1]}'")
        doors = "".join(f'<div class="door">\n\n{you}\n\n{door}\n\n</div>\n'
                        for you, door in page.table_rows(table[0])[1:])
        if heads != DOORS:  # the way of a translation is in the side bar
            return (f'{text[:table.start()]}<div class="doors">\n{doors}</div>\n'
                    f"{text[table.end():]}")
        total = way.in_hours(sum(step.minutes for step in self.steps))
        listed = "".join(f"{step.number}. [{step.name}]({step.page}), {step.minutes} min\n"
                         for step in self.steps)
        rest = text[table.end():]
        before, found, after = rest.partition("\n## ")
        return (text[:table.start()] + f'<div class="doors">\n{doors}</div>\n' + before +
                f'\n<div class="the-way">\n\n**[The way](docs/way.md)**, {total} of reading:\n\n'
                f"{listed}\n</div>\n" + found + after)

    def where(self, note: str) -> str:
        """The line above the title: which step of the way, its minutes, the hours up to it."""
        done = 0
        total = sum(step.minutes for step in self.steps)
        for step in self.steps:
            done += step.minutes
            if self.is_step(step, note):
                exercises = f" &middot; exercises {step.exercises}" if step.exercises else ""
                if exercises and step.exercises.isdigit():
                    exercises = exercises.replace("exercises", "exercise")
                return (f"Step {step.number} of {len(self.steps)} &middot; {step.minutes} min"
                        f"{exercises} &middot; after it, {way.in_hours(done)} of "
                        f"{way.in_hours(total)} are done")
        for step in self.side_ways:
            if self.is_step(step, note):
                return f"A side way, after step {step.number} &middot; {step.minutes} min"
        return ""

    @staticmethod
    def is_step(step: way.Step, note: str) -> bool:
        return step.page.partition("#")[0] == note and "#" not in step.page

    def neighbors(self, note: str) -> dict:
        """The pages before and after on the way; of a page beside a chapter, the chapter."""
        for number, step in enumerate(self.steps):
            if self.is_step(step, note):
                before = self.steps[number - 1] if number else None
                after = self.steps[number + 1] if number + 1 < len(self.steps) else None
                return {"prev": self.link_to_step(before), "next": self.link_to_step(after)}
        if note == "README.md":
            return {"prev": False, "next": self.link_to_step(self.steps[1])}
        chapter = note.split("/")[0] + "/README.md"
        if chapter != note and chapter in self.text:
            return {"prev": {"text": page.title(self.text[chapter]), "link": self.url(chapter)},
                    "next": False}
        return {"prev": False, "next": False}

    def link_to_step(self, step: way.Step | None) -> dict | bool:
        return {"text": step.name, "link": self.url(step.page)} if step else False

    def url(self, path: str) -> str:
        """A link from the site's root, as the generator's configuration takes it."""
        path, _, place = path.partition("#")
        return "/" + re.sub(r"(^|/)index\.md$|\.md$", r"\1", self.page_of(path)) + \
            (f"#{place}" if place else "")

    def source_page(self, path: str) -> None:
        at = self.page_of(path)
        text = self.read(path)
        ticks = sources.fence(text)
        parts = [front_matter({"outline": False, "search": False, "prev": False, "next": False,
                               "pageClass": "source", "aside": False, "sidebar": False,
                               "where": self.place_of_source(path, at)}),
                 f"# {path}\n"]
        said = self.mentions.get(path, [])
        whole = [mention for mention in said if mention.is_whole] or said[:1]
        shown, elsewhere = [], []
        for mention in said:
            note = os.path.relpath(self.page_of(mention.note), os.path.dirname(at))
            name = page.title(self.text[mention.note])
            link = f"[{name}]({note})" if mention.title == name else \
                f"[{name}: {mention.title}]({note}#{mention.place})"
            (shown if mention in whole else elsewhere).append(link)
            if mention in whole:
                prose = re.sub(r"^( *```+ *\w+)[ \t]+\S.*$", r"\1", mention.text,
                               flags=re.MULTILINE)
                prose = self.new_links(prose, mention.note, at)
                parts.append(f'<div class="prose">\n\nFrom {link}:\n\n{prose}\n\n</div>\n')
        others = [link for link in dict.fromkeys(elsewhere) if link not in shown]
        if others:
            parts.append("Also named in " + "; ".join(others) + ".\n")
        before = sources.file_before(self.root, path)
        if before and before != path:
            to = os.path.relpath(self.page_of(before), os.path.dirname(at))
            changes = sources.difference(self.read(before), text, before, path)
            if changes:
                inner = sources.fence(changes)
                parts.append(f"<details open><summary>What has changed against <code>{before}"
                             f"</code></summary>\n\n[{before}]({to})\n\n{inner}diff\n{changes}\n"
                             f"{inner}\n\n</details>\n")
            else:
                parts.append(f"The variant before it is [{before}]({to}). The two have little in "
                             "common, so no difference is shown.\n")
        parts.append(f"{ticks}{sources.language(path, text)} source\n{text.rstrip()}\n{ticks}\n")
        self.write(at, "\n".join(parts))

    def concepts_page(self) -> None:
        """The index of concepts, which no file of the project holds."""
        chapters = {f.split("/")[0] for f in self.sources if f.endswith("/variants.cuh")}
        notes = {n: t for n, t in self.text.items()
                 if n in self.notes and not n.endswith(("/hints.md", "/messages.md"))}
        shown = {path: self.read(path) for path in self.sources
                 if concepts.is_shown(path, chapters)}
        found = concepts.of_sources(notes, shown, self.steps)
        if concepts.GLOSSARY in self.text:
            terms = glossary.terms(self.text[concepts.GLOSSARY])
            found |= concepts.of_glossary(notes, terms, self.steps)
        text = self.new_links(concepts.as_page(found), "concepts.md", "concepts.md")
        self.write("concepts.md",
                   front_matter({"aside": False, "prev": False, "next": False,
                                 "pageClass": "concepts"}) + text)

    def place_of_source(self, path: str, at: str) -> str:
        """The chapter that a source belongs to, as a link."""
        folder = os.path.dirname(path)
        while folder and f"{folder}/README.md" not in self.text:
            folder = os.path.dirname(folder)
        note = f"{folder}/README.md" if folder else "README.md"
        to = os.path.relpath(self.page_of(note), os.path.dirname(at))
        to = re.sub(r"\.md$", ".html", to)
        return f'A source file of <a href="{to}">{folder or "the project"}</a>'

    def sidebar(self) -> list[dict]:
        """The way, the side ways, then all other pages by their folder."""
        shown = {way.WAY}

        def item(step: way.Step, label: str) -> dict:
            shown.add(step.page.partition("#")[0])
            return {"text": f'{label}{step.name}<span class="minutes">{step.minutes} min</span>',
                    "link": self.url(step.page)}
        way_page = self.url(way.WAY)
        groups = [{"text": "The way", "link": way_page,
                   "items": [item(s, f"{s.number}. ") for s in self.steps]},
                  {"text": "Side ways", "link": way_page + "#side-ways", "collapsed": True,
                   "items": [item(s, "") for s in self.side_ways]}]
        folders: dict[str, list[dict]] = {
            "Look up": [{"text": "Index of concepts", "link": "/concepts"}]}
        for note in LOOK_UP:
            if note in self.text:
                shown.add(note)
                folders["Look up"].append({"text": page.title(self.text[note]),
                                           "link": self.url(note)})
        for note in self.notes:
            if note not in shown and not note.endswith("/hints.md"):
                group = note.split("/")[0] if "/" in note else "The project"
                folders.setdefault(group, []).append(
                    {"text": short_title(page.title(self.text[note]), group),
                     "link": self.url(note)})
        order = ["Look up", "The project", "basics", "exercises", "docs"]
        for group in sorted(folders, key=lambda name: (order + [name]).index(name)):
            # With a link, the group's name is no button around the button that unfolds it.
            groups.append({"text": group, "link": folders[group][0]["link"], "collapsed": True,
                           "items": folders[group]})
        return groups

    def lay(self) -> None:
        for note in self.notes:
            self.note_page(note)
        for note in self.chinese:
            self.chinese_page(note)
        self.concepts_page()
        done: set[str] = set()
        while todo := sorted(self.sources - done):
            for path in todo:
                self.source_page(path)
            done |= set(todo)
        if self.problems:
            raise Failure("links that lead nowhere: " + "; ".join(self.problems))
        sidebars = {"": self.sidebar()}
        if "README" + CHINESE in self.text:  # where the switch of the language leads
            sidebars |= {"zh": self.chinese_sidebar(), "words": WORDS}
        failure.write_text(self.out / "sidebar.json", json.dumps(sidebars))
        for place in (self.out / "src").rglob("*"):
            if place.is_file() and str(place.relative_to(self.out / "src")) not in self.written:
                place.unlink()


def short_title(text: str, folder: str) -> str:
    """A page's title without the name of the folder that it is listed in."""
    text = text.removeprefix(folder + ": ")
    return text[:1].upper() + text[1:] if not text.startswith(folder) else text


def whole_times(text: str) -> str:
    """The text with blanks that do not break in those cells of tables that hold nothing but a time,
    such as 3 h 20 min: else a narrow column has the number and its unit below each other."""
    return re.sub(r"(?<=\| )(?:\d+ h )?\d+ min(?= \|)",
                  lambda match: match[0].replace(" ", "\u00a0"), text)


def front_matter(values: dict) -> str:
    """What the generator reads at the head of a page; JSON is YAML."""
    lines = [f"{key}: {json.dumps(value)}" for key, value in values.items() if value != ""]
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n\n" if lines else ""


def main() -> int:
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 2
    out = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else ROOT / "build/book").absolute()
    out.mkdir(parents=True, exist_ok=True)
    book = Book(ROOT, out)
    book.lay()
    print(f"{len(book.notes)} notes, {len(book.chinese)} in Chinese, {len(book.sources)} files "
          f"as pages, in {out}")
    return 0


if __name__ == "__main__":
    failure.end(main)
