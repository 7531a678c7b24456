from __future__ import annotations

import os
import time
import unittest

from course import tokens


class Words(unittest.TestCase):
    def test_comments_without_an_end(self) -> None:
        """Each to the end of the file, so that many of them take no time."""
        begin = time.process_time()
        self.assert_words("a\n/* b\n" + "/* " * 33000, "1:a")
        self.assertLess(time.process_time() - begin, 2)

    @unittest.skipUnless(os.environ.get("THOROUGH"), "takes seconds")
    def test_no_text_takes_long(self) -> None:
        """Of the longest file that is looked at."""
        for part in ("'\\", "\"\\", "u8'\\'", "'\\\n", "\\\n", "a\\ \n", "\\ ", "L", "R\"", "''",
                     "1'", "/*/", "//\n", "'a", "e+"):
            begin = time.process_time()
            for text in (part * (100_000 // len(part)), "a" * 50_000 + part * 1000):
                list(tokens.tokens(text))
            self.assertLess(time.process_time() - begin, 2, part)

    def test_quotes_without_an_end(self) -> None:
        """Each to the end of its line, as for g++, which begins no comment in it."""
        self.assert_words("a ' /* b\nc */ d", "1:a 2:c 2:d")
        self.assert_words("a \" // b ' c\nd", "1:a 2:d")
        self.assert_words("a '\\' b\nc L\" d", "1:a 2:c 2:L")
        self.assert_words("a '' b '' c", "1:a 1:b 1:c")

    def assert_words(self, text: str, expected: str) -> None:
        self.assertEqual(" ".join(f"{line}:{word}" for word, line in tokens.words(text)), expected,
                         text)

    def test_of_the_code_alone(self) -> None:
        self.assert_words("int a; // b\nc /* d\n */ e \"f\" 'g'", "1:int 1:a 2:c 3:e")
        self.assert_words("a \"\\\" b\" c '\\'' d", "1:a 1:c 1:d")
        self.assert_words("\"//\" a /* // */ b", "1:a 1:b")

    def test_of_headers(self) -> None:
        self.assert_words('#include "common/lock.cuh"\n# include <cuda/atomic>\nf("a")',
                          "1:include 1:common 1:lock 1:cuh 2:include 2:cuda 2:atomic 3:f")

    def test_quotes_beside_numbers(self) -> None:
        self.assert_words("1'000'000 a 0x1p-3'f b", "1:a 1:b")
        self.assert_words("1'\"' a '\"'", "1:a")
        self.assert_words("1'.\"' a '\"'", "1:a")
        self.assert_words("'a'1'b \"'\" c \"'\"", "1:c")

    def test_over_two_lines(self) -> None:
        self.assert_words('#define A "b\\ \n" c\nd', "1:define 1:A 2:c 3:d")
        self.assert_words("// a \\\nb\nc", "3:c")
        self.assert_words("// a \\ \0\nb\nc", "3:c")  # for g++ 12 a NUL is a space
        self.assert_words("int \\\na; b\\\nc d", "1:int 2:a 2:bc 3:d")


if __name__ == "__main__":
    unittest.main()
