#!/usr/bin/env python3
"""Tests of translation.py: each kind of difference is found, a good translation has none, and the
translations of the project hold."""
import contextlib
import html
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import translation  # noqa: E402
from failure import Failure  # noqa: E402

ENGLISH = """\
# Threads

A [warp](glossary.md#warp) has 32 threads, `warpSize` of them. See [more](b.md#x).

![how](pictures/p.svg)

## A table

| a | b |
|---|---|
| 1 | 2.5 |

<!-- run: program -->
```
x = 1
```
<!-- end -->
"""
CHINESE = """\
<!-- en: {0} -->
<a id="threads"></a>

# 线程

一个[线程束](glossary.zh-CN.md#warp)有 32 个线程，即 `warpSize` 个。参见[另一页](b.md#x)。

![说明](pictures/p.svg)

<!-- en: {1} -->
<a id="a-table"></a>

## 一张表

| 甲 | 乙 |
|---|---|
| 1 | 2.5 |

<!-- run: program -->
```
x = 1
```
<!-- end -->
""".format(*(translation.hash_of(s.text) for s in translation.sections(ENGLISH)))
TERMS = [translation.Term("warp", ("线程束",), ("线束",), True),
         translation.Term("thread", ("线程",), (), True)]


class Differences(unittest.TestCase):
    def found(self, old: str, new: str) -> str:
        self.assertIn(old, CHINESE)
        return "\n".join(": ".join(one) for one in translation.differences(
            ENGLISH, CHINESE.replace(old, new), TERMS))

    def test_a_good_translation_has_none(self):
        self.assertEqual(translation.differences(ENGLISH, CHINESE, TERMS), [])
        self.assertEqual(translation.outdated(ENGLISH, CHINESE), [])

    def test_each_change_is_found(self):
        for old, new, expected in (
                ("32 个", "31 个", "threads: numbers: missing: 32; not in the English: 31"),
                ("2.5", "2.6", "a-table: numbers: missing: 2.5"),
                ("## 一张表", "### 一张表", "headings: expected ## #a-table, found ### #a-table"),
                ('id="a-table"', 'id="table"', "headings: expected ## #a-table, found ## #table"),
                ("b.md#x", "b.md#y", "links: missing: b.md#x; not in the English: b.md#y"),
                ("p.svg", "q.svg", "links: missing: pictures/p.svg"),
                ("x = 1", "x = 2", "code: the blocks differ, first at 'x = 1'"),
                ("run: program", "run: other", "code: the blocks differ"),
                ("`warpSize`", "warpSize", "code in the text: missing: warpSize"),
                ("| 1 | 2.5 |", "| 1 2.5 |", "tables: expected the columns [(2, 2, 2)]"),
                ("[线程束]", "[线束]", "terms: '线束' for warp"),
                ("[线程束]", "[warp]", "terms: the English has 'warp', expected 线程束"),
                ("一个[线程束]", "一个*线程*[线程束]", "signs: '*线程*' in italics"),
                ("参见", '参见 "这里" ', "signs: '\"这里\""),
                ("参见", "**参见。**这里", "**参见。**这' is not shown as bold"),
                ('<a id="a-table"></a>', "", "expected above its heading the two lines")):
            with self.subTest(new=new):
                self.assertIn(expected, self.found(old, new))

    def test_what_a_list_says_of_its_lines_is_translated(self):
        english = """# A

```sh
scripts/run x   # runs it
```

```text
a.cu        the program
            in one file
b.hpp       more
```

    scripts/run x --all    # everything
"""
        chinese = f"<!-- en: {translation.hash_of(english)} -->\n<a id=\"a\"></a>\n\n" + \
            english.replace("# A", "# 甲", 1).replace("runs it", "运行它").replace(
                "the program", "程序，").replace("in one file", "只有一个文件").replace(
                "more", "其他").replace("everything", "全部")
        self.assertEqual(translation.differences(english, chinese, []), [])
        for old, new in (("run x   #", "run y   #"), ("a.cu", "c.cu"), ("--all", "--table"),
                         ("b.hpp       其他\n", "")):
            with self.subTest(changed=old):
                self.assertIn(old, chinese)
                self.assertTrue(translation.differences(english, chinese.replace(old, new), []))

    def test_a_translation_may_lead_to_more_translations_and_to_no_other_page(self):
        more = CHINESE.replace("参见", "参见[课](01_threads.zh-CN.md)和")
        self.assertEqual(translation.differences(ENGLISH, more, []), [])
        other = more.replace("01_threads.zh-CN", "01_threads")
        self.assertTrue(translation.differences(ENGLISH, other, []))

    def test_numbers_are_compared_by_what_they_mean(self):
        numbers = [translation.numbers(text) for text in ("10 million and 3", "1000 万，3", "10 万，3")]
        self.assertEqual(numbers[0], numbers[1])
        self.assertNotEqual(numbers[0], numbers[2])

    def test_signs_that_are_right(self):
        for text in ("**参见：** 这里", "**参见**：这里", "用 `*p` 和 2 * 3 * 4", "“这里”（**那里**）。",
                     "* 一项\n* 又一项"):
            with self.subTest(text=text):
                self.assertEqual(list(translation.wrong_signs(translation.words(text))), [])

    def test_a_term_of_two_words_is_found_with_a_hyphen_and_across_two_lines(self):
        term = [translation.Term("shared memory", ("共享内存",), (), True)]
        for english in ("shared memory", "Shared\nmemory", "shared-memory"):
            self.assertEqual(len(list(translation.wrong_terms(english, "内存", term))), 1, english)
            self.assertEqual(list(translation.wrong_terms(english, "共享内存", term)), [])

    def test_a_heading_that_is_missing_is_found(self):
        cut = CHINESE[:CHINESE.index("<!-- en:", 10)]
        self.assertIn("headings: expected ## #a-table, found none",
                      str(translation.differences(ENGLISH, cut, TERMS)))


class Age(unittest.TestCase):
    def test_a_changed_paragraph_makes_its_section_outdated_and_is_no_difference(self):
        changed = ENGLISH.replace("A [warp]", "Each [warp]")
        self.assertEqual(translation.outdated(changed, CHINESE), ["threads"])
        self.assertEqual(translation.differences(changed, CHINESE, TERMS), [])

    def test_another_line_break_or_another_output_is_no_change(self):
        self.assertEqual(translation.outdated(ENGLISH.replace("32 threads", "32\nthreads"),
                                              CHINESE), [])
        self.assertEqual(translation.outdated(ENGLISH.replace("x = 1", "x = 2"), CHINESE), [])

    def test_accept_takes_one_section(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            changed = ENGLISH.replace("A [warp]", "Each [warp]").replace("2.5", "3.5")
            (root / "a.md").write_text(changed.replace("| a |", "| A |"), encoding="utf-8")
            page = root / "a.zh-CN.md"
            page.write_text(CHINESE, encoding="utf-8")
            with self.assertRaisesRegex(Failure, "expected one section"):
                translation.accept(root, "a.zh-CN.md")
            with self.assertRaisesRegex(Failure, "has no heading #none; expected one of #threads"):
                translation.accept(root, "a.zh-CN.md#none")
            with self.assertRaisesRegex(Failure, "there is no b.md|expected the name of a page"):
                translation.accept(root, "b.zh-CN.md#threads")
            translation.accept(root, "a.zh-CN.md#threads")
            self.assertEqual(translation.outdated((root / "a.md").read_text(encoding="utf-8"),
                                                  page.read_text(encoding="utf-8")), ["a-table"])


class Terms(unittest.TestCase):
    def read(self, text: str) -> list[translation.Term]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/terms.md").write_text(text, encoding="utf-8")
            return translation.terms(root)

    def test_the_table_is_read(self):
        term, = self.read("| English | 中文 | not | needed |\n|---|---|---|---|\n"
                          "| warp | 线程束 | 线束、经线 | yes |\n")
        self.assertEqual(term, translation.Term("warp", ("线程束",), ("线束", "经线"), True))
        term, = self.read("| English | 中文 | not | needed |\n|---|---|---|---|\n"
                          "| CPU device | CPU 设备、设备 |  |  |\n")
        self.assertEqual(term.chinese, ("CPU 设备", "设备"))

    def test_a_term_is_decided_once(self):
        with self.assertRaisesRegex(Failure, "'warp' is decided twice"):
            self.read("| English | 中文 | not | needed |\n|---|---|---|---|\n"
                      "| warp | 线程束 |  |  |\n| warp | 线束 |  |  |\n")
        with self.assertRaisesRegex(Failure, "expected a table of four columns"):
            self.read("| English | 中文 |\n|---|---|\n| warp | 线程束 |\n")


def run(*pages: str) -> tuple[int, str]:
    """The status of the command, and what it prints."""
    sys.argv[1:] = pages
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        return translation.main(), said.getvalue()


class TheProject(unittest.TestCase):
    def test_its_translations_hold(self):
        status, said = run()
        self.assertEqual(status, 0, said)

    def test_each_page_is_red_for_a_changed_number_heading_link_and_term(self):
        """By the command, on a copy of the page and its English beside each other."""
        changes = {"numbers": (r"(?<![-\w#/.])\d+(?![-\w/.:])", "7777"),
                   "headings": (r"^#", "##"), "links": (r"\]\((?=[^)\s])", "](x/"),
                   "terms": ("线程", "执行绪")}
        pages = translation.pairs(translation.ROOT, [])
        self.assertGreaterEqual(len(pages), 12)
        for english, page in pages:
            text = page.read_text(encoding="utf-8")
            for what, (old, new) in changes.items():
                at = re.search(old, translation.blank_code(text), re.MULTILINE)
                if not at:  # the texts of the exercises have no links
                    self.assertEqual((what, english.parts[-3]), ("links", "exercises"))
                    continue
                changed = text[:at.start()] + new + text[at.end():]
                with self.subTest(page=page.name, what=what), \
                        tempfile.TemporaryDirectory() as folder:
                    copy = pathlib.Path(folder) / page.name
                    copy.write_text(changed, encoding="utf-8")
                    shutil.copy(english, folder)
                    status, said = run(str(copy))
                    self.assertEqual(status, 1)
                    self.assertIn(f": {what}: ", said)
                    copy.write_text(text, encoding="utf-8")
                    self.assertEqual(run(str(copy))[0], 0)

    def test_the_first_terms_have_their_english_in_brackets(self):
        for _, page in translation.pairs(translation.ROOT, []):
            prose = translation.words(page.read_text(encoding="utf-8"))
            prose = re.sub(r"^#.*$|\]\(\)", "", prose, flags=re.MULTILINE)
            for chinese, english in (("线程束", "warp"), ("线程块", "block"), ("通道", "lane"),
                                     ("线程(?![块束])", "thread"), ("核函数", "kernel"),
                                     ("作用域", "scope")):
                with self.subTest(page=str(page.relative_to(translation.ROOT)), term=english):
                    if re.search(chinese, prose):
                        self.assertRegex(prose, rf"{chinese}[*]*（{english}")

    def test_the_tables_of_words_have_no_wrong_term(self):
        table = translation.terms(translation.ROOT)
        for name in ("book/words", "player/words", "scripts/course/words",
                     "scripts/course/reports", "scripts/course/titles", "scripts/course/kinds",
                     "scripts/pictures/words"):
            words = translation.ROOT / f"{name}.zh-CN.json"
            for key, sentence in json.loads(words.read_text(encoding="utf-8")).items():
                with self.subTest(words=name, key=key):
                    self.assertEqual(list(translation.wrong_terms("", str(sentence), table)), [])

    def test_the_words_of_pictures_and_reports_hold_with_the_english(self):
        pictures = json.loads((translation.ROOT / "scripts/pictures/words.zh-CN.json").read_text(
            encoding="utf-8"))
        reports = json.loads((translation.ROOT / "scripts/course/reports.zh-CN.json").read_text(
            encoding="utf-8"))
        table = translation.terms(translation.ROOT)
        titles = json.loads((translation.ROOT / "scripts/course/titles.zh-CN.json").read_text(
            encoding="utf-8"))
        for words in (*pictures.values(), reports["lines"], reports["waits"], titles):
            for english, chinese in words.items():
                with self.subTest(english=english):
                    said = re.sub(r"\{[^}]*\}", "", english)
                    self.assertEqual(list(translation.wrong_terms(said, chinese, table)), [])
                    self.assertFalse(translation.numbers(english) - translation.numbers(chinese))

    def test_a_chinese_chart_has_the_words_of_the_table(self):
        pictures = json.loads((translation.ROOT / "scripts/pictures/words.zh-CN.json").read_text(
            encoding="utf-8"))
        charts = [name for name in pictures if name.startswith("results/")]
        self.assertTrue(charts)
        for name in charts:
            chart = translation.ROOT / name.replace(".svg", ".zh-CN.svg")
            drawn = html.unescape(chart.read_text(encoding="ascii"))
            for word in pictures[name].values():
                with self.subTest(chart=name):
                    self.assertIn(word, drawn)

    def test_each_term_of_the_glossary_is_that_of_the_table(self):
        page = translation.ROOT / "basics/glossary.zh-CN.md"
        pairs = re.findall(r"\*\*([^*]+)\*\*（([^）]+)）", page.read_text(encoding="utf-8"))
        self.assertGreater(len(pairs), 100)
        table = {term.english: term.chinese for term in translation.terms(translation.ROOT)}
        for chinese, english in pairs:
            english = re.sub(r" \([A-Z]+\)", "", english)
            with self.subTest(english=english):
                self.assertIn(chinese, table.get(english, ()))


if __name__ == "__main__":
    unittest.main()
