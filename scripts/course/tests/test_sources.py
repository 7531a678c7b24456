from __future__ import annotations

import os
import tempfile
import unittest

from course import messages, sources


class ReadWords(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        for name in ("a.cu", "b.cpp", "-x.cu", ".cu"):
            with open(name, "w", encoding="ascii"):
                pass

    def read(self, text: str) -> sources.Words:
        return sources.read_words("run", text.split())

    def stop(self, text: str) -> str:
        with self.assertRaises(messages.Stop) as stopped:
            self.read(text)
        self.assertEqual(stopped.exception.status, 2)
        return stopped.exception.sentence

    def test_sorts_words(self) -> None:
        words = self.read("a.cu b.cpp -I include -DN=1000 -lm -std=c++20 in.txt --verbose -DM")
        self.assertEqual(words.sources, ["a.cu", "b.cpp"])
        self.assertEqual(words.options, ["-I", "include", "-DN=1000", "-std=c++20"])
        self.assertEqual(words.libraries, ["-lm"])
        self.assertEqual(words.arguments, ["in.txt", "--verbose", "-DM"])
        self.assertEqual(words.device, "")
        self.assertEqual(words.race.seeds, 0)

    def test_values_in_the_next_word(self) -> None:
        words = self.read("-I x -D A -U B -include h.h -isystem s -std c++20 -L d -l m a.cu")
        self.assertEqual(words.options, ["-I", "x", "-D", "A", "-U", "B", "-include", "h.h",
                                         "-isystem", "s", "-std=c++20"])
        self.assertEqual(words.libraries, ["-Ld", "-lm"])
        self.assertEqual(self.read("a.cu --std c++17").options, ["-std=c++17"])
        self.assertEqual(self.read("a.cu --std=c++17").options, ["-std=c++17"])
        for flag in ("-I", "-D", "-U", "-L", "-l", "-include", "-isystem", "-std", "-Xcompiler",
                     "--compiler-options"):
            self.assertEqual(self.stop(f"a.cu {flag}"), f"{flag}: expected a word after it")

    def test_joined_options(self) -> None:
        words = self.read("-O -O0 -O3 -Os -Ofast -g -Iinclude -UX -Llib a.cu")
        self.assertEqual(words.options, ["-O", "-O0", "-O3", "-Os", "-Ofast", "-g", "-Iinclude",
                                         "-UX"])
        self.assertEqual(words.libraries, ["-Llib"])

    def test_words_for_the_hosts_compiler(self) -> None:
        for given in ("-Xcompiler -Wall,-g", "--compiler-options -Wall,-g", "-Xcompiler=-Wall,-g",
                      "--compiler-options=-Wall,-g"):
            self.assertEqual(self.read(f"{given} a.cu").options, ["-Xcompiler=-Wall,-g"])

    def test_default_stream(self) -> None:
        for given in ("-default-stream per-thread", "--default-stream=per-thread"):
            self.assertEqual(self.read(f"a.cu {given} 3").options,
                             ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"])
            self.assertEqual(self.read(f"a.cu {given} 3").arguments, ["3"])
        self.assertEqual(self.read("a.cu --default-stream legacy").options, [])
        for given in ("--default-stream=x", "--default-stream"):
            self.assertIn("expected legacy, null or per-thread", self.stop(f"a.cu {given}"))

    def test_flags_of_nvcc(self) -> None:
        words = self.read("-arch sm_80 -lineinfo a.cu --extended-lambda -G --expt-relaxed-constexpr "
                          "-gencode=arch=x --maxrregcount 32 --use_fast_math -m64 3")
        self.assertEqual(words.nvcc_only, ["-arch", "sm_80", "-lineinfo", "--extended-lambda", "-G",
                                           "--expt-relaxed-constexpr", "-gencode=arch=x",
                                           "--maxrregcount", "32", "--use_fast_math", "-m64"])
        self.assertEqual(words.arguments, ["3"])
        self.assertEqual(words.libraries, [])

    def test_families_only_before_the_first_file(self) -> None:
        self.assertEqual(self.read("-fopenmp -march=native -Wall -g3 -w -pthread a.cu").options,
                         ["-fopenmp", "-march=native", "-Wall", "-g3", "-w", "-pthread"])
        for flag in ("-fopenmp", "-march=native", "-Wall", "-g3", "-w", "-pthread"):
            self.assertEqual(self.read(f"a.cu {flag}").arguments, [flag])
        for flag in ("-f", "-m", "-W"):
            self.assertIn("there is no flag", self.stop(f"{flag} a.cu"))

    def test_two_dashes_begin_the_arguments(self) -> None:
        self.assertEqual(self.read("a.cu -- -DX b.cpp").arguments, ["-DX", "b.cpp"])
        self.assertEqual(self.read("a.cu 1 -- 2").arguments, ["1", "--", "2"])

    def test_devices_and_seeds(self) -> None:
        self.assertEqual(self.read("--cpu a.cu").device, "cpu")
        self.assertEqual(self.read("a.cu --asan").device, "asan")
        words = sources.read_words("race", "a.cu --seeds 12 x".split())
        self.assertEqual((words.race.seeds, words.arguments), (12, ["x"]))
        self.assertEqual(sources.read_words("annotate", ["a.cu", "--seeds", "3"]).race.seeds, 3)
        with self.assertRaises(messages.Stop):
            sources.read_words("annotate", ["a.cu", "--show"])
        for flags in ("--seeds 2", "--trace t", "--show"):
            self.assertEqual(self.stop(f"a.cu {flags}"), f"scripts/run takes no {flags.split()[0]}; "
                                                         "scripts/race does")

    def test_seeds(self) -> None:
        self.assertEqual(sources.seeds_of("1"), 1)
        self.assertEqual(sources.seeds_of("999999"), 999999)
        for word in ("", "0", "01", "-1", "1.5", "1000000", "x", "\u0663"):
            with self.assertRaises(messages.Stop):
                sources.seeds_of(word)
        self.assertEqual(self.stop("a.cu --seeds"), "--seeds: expected a number from 1, got ''")

    def test_wrong_words(self) -> None:
        self.assertEqual(self.stop("missing.cu"), "there is no file missing.cu")
        self.assertEqual(self.stop("--nonsense a.cu"),
                         "there is no flag '--nonsense'; see scripts/run --help")
        self.assertIn("before 'word'", self.stop("-O2 word"))
        self.assertIn("expected a source file", self.stop("-O2"))

    def test_what_is_own(self) -> None:
        for word in ("a.cu", "a.cpp", "a.cc", "a.cxx", ".cu", "-O2", "--cpu"):
            self.assertTrue(sources.is_own(word), word)
        for word in ("histogram", "-", "", "a.c", "a.cu.txt"):
            self.assertFalse(sources.is_own(word), word)


if __name__ == "__main__":
    unittest.main()
