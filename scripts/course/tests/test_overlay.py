from __future__ import annotations

import os
import string
import unittest
from unittest import mock

from course import messages, overlay

SOURCE = """\
// 3. A title
//
// Text of two
// lines.
// Read: a.md
int f() {
    // A comment
    // of a block.
    return 1;  // not this one
}
"""
PAGE = """\
<!-- en: 01234567 -->
<a id="3-a-title"></a>

# 3. {title}

{text}

a.md

<!-- en: 01234567 -->
<a id="comment-2"></a>

## 2

{comment}
"""
HAN = "\u5b57"  # one character, two columns wide


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


class Overlay(unittest.TestCase):
    def test_the_comments_as_a_page(self) -> None:
        self.assertEqual(overlay.as_page(SOURCE),
                         "# 3. A title\n\nText of two\nlines.\nRead: a.md\n"
                         "\n## Comment 2\n\nA comment\nof a block.\n")

    def test_the_source_with_the_comments_of_a_page(self) -> None:
        page = PAGE.format(title=HAN, text=HAN * 2, comment=HAN * 3)
        self.assertEqual(overlay.applied(SOURCE, page), f"""\
// 3. {HAN}
//
// {HAN * 2}
//
// a.md
int f() {{
    // {HAN * 3}
    return 1;  // not this one
}}
""")

    def test_a_page_of_another_source_is_refused(self) -> None:
        page = PAGE.format(title=HAN, text=HAN, comment=HAN)
        with self.assertRaisesRegex(ValueError, "expected 1 sections, .* found 2"):
            overlay.applied("// 1. Only one\nint i;\n", page)

    def test_long_lines_are_wrapped(self) -> None:
        self.assertEqual(overlay.wrapped(HAN * 60), [HAN * 48, HAN * 12])
        # A full stop stays at what it ends, an opening bracket at what it begins, a word is one.
        self.assertEqual(overlay.wrapped(HAN * 48 + "\u3002"), [HAN * 47, HAN + "\u3002"])
        self.assertEqual(overlay.wrapped(HAN * 47 + "\uff08" + HAN), [HAN * 47, "\uff08" + HAN])
        self.assertEqual(overlay.wrapped(HAN * 47 + " word " + HAN), [HAN * 47, "word " + HAN])
        self.assertEqual(overlay.wrapped(""), [""])


class Language(unittest.TestCase):
    def test_of_the_locale(self) -> None:
        for set_to, expected in (({"LANG": "zh_CN.UTF-8"}, "zh-CN"), ({"LANG": "de_DE"}, "en"),
                                 ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"), ({}, "en"),
                                 ({"LANG": "zh_CN@pinyin"}, "zh-CN"), ({"LANG": "zh"}, "zh-CN"),
                                 ({"LC_ALL": "zh_SG.UTF-8"}, "zh-CN"),
                                 ({"LANG": "de_DE", "LANGUAGE": "zh_CN:de"}, "zh-CN"),
                                 ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_US"}, "en"),
                                 ({"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, "en")):
            with mock.patch.dict(os.environ, set_to, clear=True):
                self.assertEqual(messages.language_of_the_locale(), expected, set_to)

    def test_each_sentence_has_the_fields_of_the_english_one(self) -> None:
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        for key, sentence in messages._translated.items():
            with self.subTest(key=key):
                self.assertEqual(fields(sentence), fields(messages.MESSAGES[key]))
        messages.speak("en")
        self.assertEqual(messages.text("solved"), "Solved.")


if __name__ == "__main__":
    unittest.main()
