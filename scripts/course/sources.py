"""What the words of a command line are that names a program's source files."""
from __future__ import annotations

import os

from course import messages
from course.messages import wrong_usage

SOURCE_ENDINGS = (".cu", ".cpp", ".cc", ".cxx")
# Flags of nvcc that g++ does not know: alone, and with a value (after a = or in the next word).
NVCC_FLAGS = frozenset(
    "generate-line-info G device-debug extended-lambda use_fast_math res-usage resource-usage "
    "restrict dlto m64 lineinfo".split())
NVCC_FLAGS_WITH_VALUE = frozenset(
    "arch gpu-architecture code gpu-code gencode generate-code maxrregcount Xptxas ptxas-options "
    "Xcudafe diag-suppress cudart ccbin threads rdc relocatable-device-code ftz "
    "prec-div prec-sqrt fmad".split())
OPTIMIZATION = frozenset("-O -O0 -O1 -O2 -O3 -Os -Ofast -g".split())
WITH_NEXT_WORD = frozenset("-I -D -U -L -include -isystem -std --std -l".split())
# Which flags of race mode the commands take.
FLAGS_OF = {"race": ("--seeds", "--trace", "--show", "--lang"), "annotate": ("--seeds",)}
DEFAULT_PAGE = "race.html"
HOST_COMPILER = ("-Xcompiler", "--compiler-options")


class RaceFlags:
    """The flags of scripts/race that may stand among the words of a program: how many `seeds`, the
    file for the `trace` of a run, and the `page` that plays it. 0 or "" is what is not asked for;
    the page is DEFAULT_PAGE where it is asked for without a name. --lang is done at once."""

    def __init__(self) -> None:
        self.seeds = 0
        self.trace = ""
        self.page = ""

    def take(self, word: str, following: str | None) -> int:
        """How many words were taken: 0 if the word is no such flag."""
        if word == "--seeds":
            self.seeds = seeds_of(following or "")
            return 2
        if word == "--lang":
            language = messages.language_called(following or "")
            if not language:
                wrong_usage("lang", known=", ".join(messages.LANGUAGES))
            messages.speak(language)  # at once: also what is wrong with the rest
            return 2
        if word == "--trace":
            if not following:
                wrong_usage("word missing", flag=word)
            self.trace = following
            return 2
        if word == "--show":
            if following and following.endswith(".html"):
                self.page = following
                return 2
            self.page = DEFAULT_PAGE
            return 1
        return 0

    def joined(self, later: RaceFlags) -> RaceFlags:
        """These, and of `later` what it asks for."""
        both = RaceFlags()
        both.seeds = later.seeds or self.seeds
        both.trace = later.trace or self.trace
        both.page = later.page or self.page
        return both


class Words:
    """`sources`, `options` and `libraries` for the compiler, and `arguments` for the program. nvcc
    gets all options; g++ gets none of `nvcc_only`. `device` is cpu or asan if that is asked for,
    else ""; `race` holds the flags of scripts/race."""

    def __init__(self) -> None:
        self.sources: list[str] = []
        self.options: list[str] = []
        self.libraries: list[str] = []
        self.nvcc_only: list[str] = []
        self.arguments: list[str] = []
        self.device = ""
        self.race = RaceFlags()


def is_source(word: str) -> bool:
    return word.endswith(SOURCE_ENDINGS)


def is_own(word: str) -> bool:
    """Does the word begin a program of one's own: a source file, or an option of a compiler?"""
    return is_source(word) or (word.startswith("-") and len(word) > 1)


def seeds_of(word: str) -> int:
    if word.isascii() and word.isdigit() and word[0] != "0" and len(word) <= 6:
        return int(word)
    wrong_usage("seeds", word=word)


def read_words(command: str, given: list[str]) -> Words:
    """Sorts the words of scripts/COMMAND. The first word that belongs to no compiler, or a --,
    begins the program's own arguments. Stops with status 2 where one is wrong."""
    words = Words()
    at = 0
    while at < len(given):
        word = given[at]
        following = given[at + 1] if at + 1 < len(given) else None
        if word == "--":
            at += 1
            break
        taken = _take(command, words, word, following)
        if taken == 0:
            break
        at += taken
    if not words.sources:
        wrong_usage("no source", command=command)
    words.arguments = given[at:]
    return words


def _take(command: str, words: Words, word: str, following: str | None) -> int:
    """Puts the word where it belongs. Returns how many words were taken: 0 if the program's own
    arguments begin here."""
    taken = words.race.take(word, following)
    if taken:
        if word not in FLAGS_OF.get(command, ()):
            wrong_usage("flag of race", flag=word, command=command)
        return taken
    if word in ("--cpu", "--asan"):
        words.device = word[2:]
    elif is_source(word):
        if not os.path.isfile(word):
            wrong_usage("no file", file=word)
        words.sources.append(word)
    elif word in WITH_NEXT_WORD or word in HOST_COMPILER:
        if following is None:
            wrong_usage("word missing", flag=word)
        if word in ("-l", "-L"):
            words.libraries.append(word + following)
        elif word in HOST_COMPILER:
            words.options.append("-Xcompiler=" + following)
        elif word.endswith("std"):
            words.options.append("-std=" + following)
        else:
            words.options += [word, following]
        return 2
    elif _nvcc_flag(word.partition("=")[0]) == "default-stream":
        return _take_default_stream(words, word, following)
    elif _nvcc_flag(word) in NVCC_FLAGS or _nvcc_flag(word).startswith("expt-"):
        words.nvcc_only.append(word)
    elif word[:2] in ("-l", "-L"):
        words.libraries.append(word)
    elif word.startswith(("-std=", "--std=")):
        words.options.append("-std=" + word.partition("=")[2])
    elif word.startswith(tuple(flag + "=" for flag in HOST_COMPILER)):
        words.options.append("-Xcompiler=" + word.partition("=")[2])
    elif word[:2] in ("-I", "-D", "-U") or word in OPTIMIZATION:
        words.options.append(word)
    elif "=" in word and _nvcc_flag(word.partition("=")[0]) in NVCC_FLAGS_WITH_VALUE:
        words.nvcc_only.append(word)
    elif _nvcc_flag(word) in NVCC_FLAGS_WITH_VALUE and following is not None:
        words.nvcc_only += [word, following]
        return 2
    elif words.sources:
        return 0
    # Families in which flags of the program itself may well lie: only before the first file.
    elif word in ("-w", "-pthread", "-pedantic") or (
            word[:2] in ("-f", "-m", "-W", "-g") and len(word) > 2):
        words.options.append(word)
    elif word.startswith("-"):
        wrong_usage("no flag", flag=word, command=command)
    else:
        wrong_usage("source first", word=word)
    return 1


def _take_default_stream(words: Words, word: str, following: str | None) -> int:
    """nvcc defines a macro for its --default-stream=per-thread; g++ gets the macro itself."""
    flag, is_one_word, stream = word.partition("=")
    stream = stream if is_one_word else following or ""
    if stream not in ("legacy", "null", "per-thread"):
        wrong_usage("default stream", flag=flag, word=stream)
    if stream == "per-thread":
        words.options.append("-DCUDA_API_PER_THREAD_DEFAULT_STREAM")
    return 1 if is_one_word else 2


def _nvcc_flag(word: str) -> str:
    """The flag without its dashes, of which nvcc takes one or two; "" if it is none."""
    if word.startswith("-"):
        return word[2:] if word.startswith("--") else word[1:]
    return ""
