#!/usr/bin/env python3
"""Tests of what the book is laid out by: page.py, way.py, sources.py, lay.py and links.py."""
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import textwrap
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import concepts  # noqa: E402
import lay  # noqa: E402
import links  # noqa: E402
import page  # noqa: E402
import sources  # noqa: E402
import translation  # noqa: E402
import way  # noqa: E402
from failure import Failure  # noqa: E402

WAY = textwrap.dedent("""\
    # A way

    ## The way

    | step | what | exercises | time | after it you can |
    |---|---|---|---|---|
    | 1 | the [first ten minutes](../README.md#first) |  | 10 min | run |
    | 2 | [chapter](../chapter/README.md) | 1 to 3 | 50 min | add |
    | 3 | [more](../chapter/more.md), much | 4 | 1 h 20 min | lock |

    ## Side ways

    | after step | what | time | after it you can |
    |---|---|---|---|
    | 2 | [a side](side.md) | 15 min | see |
    """)
CHAPTER = textwrap.dedent("""\
    # The chapter

    See [more](more.md#a-place), the [folder](../chapter), `[no](link.md)` and
    <a href="../README.md#first">the first page</a>.

    ![a picture](pictures/p.svg)

    ## 1. One

    [1_one.cuh](1_one.cuh)

    The first variant.

    ```cpp 1_one.cuh
    [x](y.md)
    ```

    ## Others

    A [wrong one](wrong_two.cuh) loses an update.

    | table | [wrong_two.cuh](wrong_two.cuh) |

    It is measured by [a script](../tool.py).
    """)
FILES = {
    "README.md": "# The project\n\n| you | your door |\n|---|---|\n"
                 "| **new** | [here](chapter/README.md), go |\n\n## First\n\nText.\n",
    "docs/way.md": WAY,
    "docs/side.md": "# A side\n",
    "chapter/README.md": CHAPTER,
    "chapter/more.md": "# More\n\n## A place\n\n## A place\n\n[second](#a-place-1)\n",
    "chapter/1_one.cuh": "// one\nint a;\nint b;\nint c;\n",
    "chapter/2_two.cuh": "// two\nint a;\nint b;\nint c;\n",
    "chapter/wrong_two.cuh": "// wrong\nint a;\nint b;\nint c;\n",
    "chapter/variants.cuh": 'row<f>("one", "an idea").from("1_one.cuh"),\n'
                            'Row{"two", "an idea", x}.from("2_two.cuh"),\n'
                            'Row{"bad", "an idea", x}.from("wrong_two.cuh").instead_of("two")\n',
    "chapter/pictures/p.svg": "<svg/>\n",
    "tool.py": "#!/usr/bin/env python3\nprint(1)\n",
}


class InProject(unittest.TestCase):
    """A small project in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "project"
        for name, text in FILES.items():
            self.put(name, text)
        self.out = pathlib.Path(folder.name) / "out"

    def put(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def lay(self) -> lay.Book:
        book = lay.Book(self.root, self.out)
        book.lay()
        return book

    def text(self, path: str) -> str:
        return (self.out / "src" / path).read_text(encoding="utf-8")


class Pages(unittest.TestCase):
    def test_headings_have_the_places_that_github_gives_them(self):
        text = "# `a_b`: [c](d.md), e!\n\n```\n# no heading\n```\n\n## Same\n## Same\n"
        self.assertEqual([h.place for h in page.headings(text)], ["a_b-c-e", "same", "same-1"])

    def test_links_in_code_are_left_alone(self):
        text = "[a](b) `[c](d)` <!-- [e](f) -->\n```\n[g](h)\n```\n"
        seen = []
        changed = page.replace_links(text, lambda target, *_: seen.append(target) or "NEW")
        self.assertEqual(seen, ["b"])
        self.assertEqual(changed, text.replace("(b)", "(NEW)"))

    def test_a_table_is_read_with_its_heads(self):
        self.assertEqual(page.table_rows("text\n| a | b |\n|---|---|\n| 1 | x \\| y |\n\n| z |\n"),
                         [["a", "b"], ["1", "x \\| y"]])

    def test_paragraphs_keep_code_whole(self):
        self.assertEqual(page.paragraphs("a\nb\n\n<!-- run: x -->\n```\nc\n\nd\n```\n<!-- end -->"),
                         ["a\nb", "```\nc\n\nd\n```"])


class Way(unittest.TestCase):
    def test_steps_have_page_exercises_and_minutes(self):
        steps = way.steps(WAY, "the-way")
        self.assertEqual([s.page for s in steps],
                         ["README.md#first", "chapter/README.md", "chapter/more.md"])
        self.assertEqual([s.minutes for s in steps], [10, 50, 80])
        self.assertEqual(steps[2].name, "more, much")
        self.assertEqual(way.in_hours(sum(s.minutes for s in steps)), "2 h 20 min")

    def test_a_step_without_link_or_time_is_named(self):
        with self.assertRaisesRegex(Failure, "step 2: expected a link"):
            way.steps(WAY.replace("[chapter](../chapter/README.md)", "chapter"), "the-way")
        with self.assertRaisesRegex(Failure, "'an hour': expected a time"):
            way.steps(WAY.replace("50 min", "an hour"), "the-way")


class Sources(InProject):
    def test_each_variant_is_compared_with_the_one_before_and_a_wrong_one_with_the_right(self):
        before = {name: sources.file_before(self.root, f"chapter/{name}")
                  for name in ("1_one.cuh", "2_two.cuh", "wrong_two.cuh", "variants.cuh")}
        self.assertEqual(before, {"1_one.cuh": "", "2_two.cuh": "chapter/1_one.cuh",
                                  "wrong_two.cuh": "chapter/2_two.cuh", "variants.cuh": ""})

    def test_files_with_little_in_common_are_not_compared(self):
        self.assertEqual(sources.difference("a\nb\nc\n", "d\ne\nf\n", "x", "y"), "")

    def test_prose_is_the_section_about_a_source_or_the_paragraph_that_names_it(self):
        found = sources.mentions("chapter/README.md", CHAPTER)
        one, = found["chapter/1_one.cuh"]
        self.assertTrue(one.is_whole)
        self.assertTrue(one.text.startswith("The first variant."))
        wrong, = found["chapter/wrong_two.cuh"]
        self.assertFalse(wrong.is_whole)
        self.assertEqual(wrong.text, "A [wrong one](wrong_two.cuh) loses an update.")
        two, = sources.mentions("a/b.md", "# B\n\nThe file [c](c.cuh) says:\n\n```\nx\n\ny\n```\n\n"
                                "More.\n")["a/c.cuh"]
        self.assertEqual(two.text, "The file [c](c.cuh) says:\n\n```\nx\n\ny\n```")


class Layout(InProject):
    def test_links_lead_to_the_pages(self):
        self.lay()
        text = self.text("chapter/index.md")
        for link in ("[more](more.md#a-place)", "[folder](index.md)", "`[no](link.md)`",
                     'href="../index.html#first"', "](/pictures/chapter/pictures/p.svg)",
                     "](../source/chapter/1_one.cuh.md)", "](../source/tool.py.md)",
                     "```cpp\n[x](y.md)\n"):
            self.assertIn(link, text)
        self.assertTrue((self.out / "src/public/pictures/chapter/pictures/p.svg").exists())

    def test_a_source_page_has_its_prose_its_difference_and_the_file(self):
        self.lay()
        text = self.text("source/chapter/wrong_two.cuh.md")
        self.assertIn("A [wrong one](wrong_two.cuh.md) loses an update.", text)
        self.assertIn("```diff\n--- chapter/2_two.cuh\n+++ chapter/wrong_two.cuh\n", text)
        self.assertIn("-// two\n+// wrong\n int a;", text)
        self.assertIn("```cuda source\n// wrong\nint a;", text)

    def test_the_line_above_the_title_says_which_step_it_is(self):
        self.lay()
        self.assertIn("Step 2 of 3 &middot; 50 min &middot; exercises 1 to 3 &middot; after it, "
                      "1 h of 2 h 20 min are done", self.text("chapter/index.md"))
        self.assertIn("exercise 4", self.text("chapter/more.md"))
        self.assertIn("A side way, after step 2", self.text("docs/side.md"))

    def test_the_start_page_has_the_doors_and_the_way(self):
        self.lay()
        text = self.text("index.md")
        self.assertIn('<div class="door">\n\n**new**\n\n[here](chapter/index.md), go\n\n</div>',
                      text)
        self.assertIn("1. [the first ten minutes](index.md#first), 10 min\n", text)
        self.assertLess(text.index("3. [more, much](chapter/more.md), 80 min"),
                        text.index("## First"))
        self.put("README.md", "# The project\n\n## First\n")
        with self.assertRaisesRegex(Failure, "README.md: expected a table"):
            self.lay()

    def test_a_time_in_a_table_stays_on_one_line(self):
        self.assertEqual(lay.whole_times("| 1 | 3 h 20 min | in 5 min | 5 min |"),
                         "| 1 | 3\u00a0h\u00a020\u00a0min | in 5 min | 5\u00a0min |")

    def test_a_level_of_the_player_stands_below_its_picture(self):
        self.put("docs/side.md", "# A side\n\n<!-- watch: lost -->\n")
        self.lay()
        self.assertNotIn("iframe", self.text("docs/side.md"))
        self.put("player/levels/levels.json", '[{"name": "lost"}]')
        self.put("player/bundle.py", "import sys, pathlib\nf = pathlib.Path(sys.argv[2])\n"
                 "f.mkdir(parents=True, exist_ok=True)\n(f / 'levels.html').write_text('x')\n")
        self.lay()
        self.assertIn('<iframe src="../player/levels.html?lang=en#lost"', self.text("docs/side.md"))
        self.assertIn(": lost</summary>", self.text("docs/side.md"))
        self.put("player/src/sentences.js", "x = { 'level.lost': 'An update', };\n")
        shutil.rmtree(self.out)
        self.lay()
        self.assertIn(": An update</summary>", self.text("docs/side.md"))
        self.put("docs/side.zh-CN.md", "# B\n\n<!-- watch: lost -->\n")
        self.put("player/words.zh-CN.json", '{"level.lost": "\\u5931"}')
        shutil.rmtree(self.out)
        self.lay()
        self.assertIn('<iframe src="../../player/levels.html?lang=zh-CN#lost"',
                      self.text("zh/docs/side.md"))
        self.assertIn("\u5931</summary>", self.text("zh/docs/side.md"))
        (self.root / "docs/side.zh-CN.md").unlink()
        self.put("docs/side.md", "# A side\n\n<!-- watch: won -->\n")
        shutil.rmtree(self.out)
        with self.assertRaisesRegex(Failure, "side.md:3: the player has no level 'won'"):
            self.lay()

    def test_a_chart_is_a_part_of_its_page(self):
        self.put("results/h/a.svg", "<svg><title>x</title>\n\n</svg>\n")
        self.put("docs/side.md", "# A side\n\n![a chart](../results/h/a.svg)\n")
        self.lay()
        self.assertIn('<div class="chart" v-pre>\n<svg><title>x</title>\n</svg>\n</div>',
                      self.text("docs/side.md"))

    def test_a_translation_says_where_its_english_is_newer(self):
        english = "# A side\n\nText.\n"
        mark = translation.hash_of(english)
        self.put("docs/side.md", english)
        self.put("docs/side.zh-CN.md", f'<!-- en: {mark} -->\n<a id="a-side"></a>\n\n# B\n\nC.\n')
        self.lay()
        self.assertNotIn('class="outdated"', self.text("zh/docs/side.md"))
        self.assertIn('<a href="../zh/docs/side.html" lang="zh-CN">',
                      self.text("docs/side.md").replace('\\"', '"'))
        self.put("docs/side.md", english + "More.\n")
        self.lay()
        self.assertIn('<p class="outdated">', self.text("zh/docs/side.md"))
        self.assertIn("../../docs/side.html#a-side", self.text("zh/docs/side.md"))

    def test_a_translation_has_the_steps_before_and_after_it(self):
        self.put("chapter/README.zh-CN.md", "# 2. B\n")
        self.put("chapter/more.zh-CN.md", "# C\n")
        self.put("docs/side.zh-CN.md", "# D\n")
        self.lay()
        text = self.text("zh/chapter/index.md")
        first = f"the first ten minutes{lay.WORDS['in English']}"
        self.assertIn(f'prev: {json.dumps({"text": first, "link": "/#first"})}\n', text)
        self.assertIn('next: {"text": "C", "link": "/zh/chapter/more"}\n', text)
        self.assertIn('prev: {"text": "B", "link": "/zh/chapter/"}\nnext: false\n',
                      self.text("zh/chapter/more.md"))
        self.assertIn("prev: false\nnext: false\n", self.text("zh/docs/side.md"))

    def test_a_term_without_a_link_to_it_is_found_by_its_name(self):
        texts = {"basics/glossary.md": "", "a.md": "Two spin\nlocks.", "b.md": "`spin lock`",
                 "c.md": "[It](basics/glossary.md#spin)", "d.md": "A mutex, then."}
        found = concepts.of_glossary(texts, {"spin lock": "spin", "mutex": "mutex", "tree": "tree",
                                             "poison": "poison"}, [])
        self.assertEqual([c.used for c in found["Locks"]], [["d.md"], ["c.md"]])
        del texts["c.md"]
        found = concepts.of_glossary(texts, {"spin lock": "spin", "tree": "t", "poison": "p"}, [])
        self.assertEqual([c.used for c in found["Locks"]], [["a.md"]])

    def test_recorded_runs_are_a_page_of_the_player_in_each_language(self):
        shutil.copytree(lay.ROOT / "player", self.root / "player",
                        ignore=shutil.ignore_patterns("*.md", "tests"))
        run = "<!-- runs: atomic_functions lost_update -->\n"
        self.put("docs/side.md", f"# A side\n\n{run}")
        self.put("docs/side.zh-CN.md", f"# B\n\n{run}")
        self.lay()
        for page_path, ending, words in (("docs/side.md", "", "Nothing orders the two"),
                                         ("zh/docs/side.md", ".zh-CN", "\\u6ca1\\u6709\\u540c\\u6b65")):
            name = f"player/runs/atomic_functions.lost_update{ending}.html"
            self.assertIn(f"../{name}?lang=", self.text(page_path))
            self.assertIn(words, self.text(f"public/{name}"))
        # What has not changed is not written again: a page that one looks at would be loaded again.
        written = [place for place in (self.out / "src").rglob("*") if place.is_file()]
        for place in written:
            os.utime(place, (1, 1))
        self.lay()
        self.assertEqual([p for p in written if p.stat().st_mtime != 1], [])
        self.put("docs/side.md", "# A side\n\n<!-- runs: chapter one -->\n")
        with self.assertRaisesRegex(Failure, "player/runs/chapter.one: expected recorded runs"):
            self.lay()

    def test_a_translation_of_comments_shows_the_source_with_them(self):
        self.put("chapter/1_one.cu", "// One\n//\n// Text.\nint a;\n")
        mark = translation.hash_of("# One\n\nText.\n")
        self.put("chapter/1_one.zh-CN.md",
                 f'<!-- en: {mark} -->\n<a id="one"></a>\n\n# B\n\nC.\n')
        self.lay()
        text = self.text("zh/chapter/1_one.md")
        self.assertIn("```cpp\n// B\n//\n// C.\nint a;\n```\n", text)
        self.assertIn("../../source/chapter/1_one.cu.html", text)
        self.assertNotIn('class="outdated"', text)
        (self.root / "chapter/1_one.cu").unlink()
        with self.assertRaisesRegex(Failure, "there is neither chapter/1_one.md nor"):
            self.lay()

    def test_a_link_of_a_translation_leads_to_a_translation_but_for_its_own_english(self):
        self.put("docs/side.zh-CN.md", "# B\n\n[English](side.md), [one](more.md), "
                 "[two](../chapter/more.md)\n")
        self.put("docs/side.md", "# A side\n\n[Chinese](side.zh-CN.md)\n")
        self.put("docs/more.md", "# More\n")
        self.put("docs/more.zh-CN.md", "# C\n")
        self.lay()
        self.assertIn("[English](../../docs/side.md), [one](more.md), "
                      "[two](../../chapter/more.md)", self.text("zh/docs/side.md"))
        self.assertIn("[Chinese](../zh/docs/side.md)", self.text("docs/side.md"))

    def test_a_dead_link_is_named_with_its_line(self):
        self.put("chapter/more.md", "# More\n\n## A place\n\n[x](gone.md)\n")
        with self.assertRaisesRegex(Failure, r"chapter/more.md:5: \(gone.md\): there is no"):
            self.lay()

    def test_braces_that_the_generator_would_run_are_refused(self):
        self.put("docs/side.md", "# A side\n\n`{{` is code, {{ x }} is not\n")
        with self.assertRaisesRegex(Failure, "docs/side.md: holds {{ outside of code"):
            self.lay()

    def test_markdown_that_html_would_show_as_it_stands_is_refused(self):
        self.put("docs/side.md", "# A side\n\n<details><summary>A</summary>\n\n`x`\n</details>\n")
        self.lay()
        self.put("docs/side.md", "# A side\n\n<details><summary>A</summary>\n`x`\n</details>\n")
        with self.assertRaisesRegex(Failure, "docs/side.md:4: in HTML"):
            self.lay()

    def test_what_is_no_page_any_more_goes(self):
        self.lay()
        (self.root / "chapter/2_two.cuh").unlink()
        self.put("chapter/variants.cuh", "")
        self.lay()
        self.assertFalse((self.out / "src/source/chapter/2_two.cuh.md").exists())
        self.assertTrue((self.out / "src/source/chapter/1_one.cuh.md").exists())


class TheWayInChinese(unittest.TestCase):
    def test_each_step_without_a_translation_has_a_name(self):
        steps = way.steps((lay.ROOT / way.WAY).read_text(encoding="utf-8"), "the-way")
        chinese = {step.name: step.page.partition("#")[0].replace(".md", lay.CHINESE)
                   for step in steps}
        without = {name for name, page in chinese.items() if not (lay.ROOT / page).exists()}
        self.assertEqual(set(lay.WORDS["steps"]), without)


class Links(unittest.TestCase):
    def check(self, **pages: str) -> tuple[list[str], int, int]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                place = pathlib.Path(folder) / (name.replace("__", "/") + ".html")
                place.parent.mkdir(exist_ok=True)
                place.write_text(text)
            return links.problems(folder)

    def test_good_links_are_counted(self):
        found, pages, count = self.check(
            index='<p id="x"></p><a href="/a/b.html#y">1</a><a href="#x">2</a><a href="a/">3</a>'
                  '<a href="https://example.org/none">4</a>',
            a__index="", a__b='<a id="y" href="../index#x"></a><iframe src="../index?z=1#w">')
        self.assertEqual((found, pages, count), ([], 3, 5))

    def test_each_kind_of_dead_link_is_found(self):
        found, _, _ = self.check(index='<a href="none.html"></a><a href="#none"></a>'
                                       '<img src="none.svg"><a href="/other#none"></a>', other="")
        self.assertEqual(len(found), 4)
        self.assertIn("index.html: (#none): index.html has no id 'none'", found)

    def test_the_command_ends_with_1_where_a_link_is_dead(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "index.html").write_text('<a href="none.html"></a>')
            sys.argv[1:] = [folder]
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(links.main(), 1)


if __name__ == "__main__":
    unittest.main()
