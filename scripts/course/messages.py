"""All sentences of the commands, by key, and how a command ends with one."""
from __future__ import annotations

import os
import re
import sys
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

MESSAGES = {
    # Words of a command line.
    "no file": "there is no file {file}",
    "word missing": "{flag}: expected a word after it",
    "default stream": "{flag}: expected legacy, null or per-thread, got '{word}'",
    "no flag": "there is no flag '{flag}'; see scripts/{command} --help",
    "no source": "expected a source file (.cu, .cpp, .cc, .cxx); see scripts/{command} --help",
    "source first": "expected a source file (.cu, .cpp, .cc, .cxx) before '{word}'",
    "seeds": "--seeds: expected a number from 1, got '{word}'",
    "nothing to run": "expected an example or a source file; see above",
    "bin": "--bin: expected a directory, got '{word}'",
    "no program in bin": "--bin: there is no program {program}",
    "no example": "there is no example '{name}'; expected one of: {names}, or a .cu file",
    "one variant": "one variant at a time, got '{first}' and '{second}'; see scripts/race --help",
    "no source file": "expected a source file or --, got '{word}'",
    "one mode": "--tour, --enumerate and --levels: expected only one of them",
    "outcomes of a file": "--outcomes: expected a source file (.cu) after it",
    "mode alone": "--{mode} takes no example, got '{name}'; see scripts/race --help",
    "flag of race": "scripts/{command} takes no {flag}; scripts/race does",
    "flag of one run": "--{mode} takes no --trace and no --show; they show one run of one program",
    "race takes no device": "scripts/{command} takes no --{device}; scripts/run does",
    # Building.
    "ignored by g++": "ignored, since only nvcc knows it: {words}",
    "old standard": "ignored, since C++17 is needed here: {option}",
    "does not compile": "{source} does not compile: see above",
    "no room to compile": "cannot compile {source}: there is no room in {place}",
    "does not link": "{sources}: the program cannot be linked: see above",
    "no nvcc": "there is no nvcc: install the CUDA Toolkit, or take the CPU device by --cpu",
    "cannot write in": "cannot write in {folder}: expected a folder in which user {user} may "
                       "write, on a disk that has room",
    "waiting": "waiting for another process that {what} ...",
    # Running.
    "cannot read": "cannot read {file}: {why}",
    "cannot write": "cannot write {file}: {why}",
    "no plain file": "expected a file, and found something else: {file}",
    "cannot start": "cannot run {program}: {why}",
    "ended by a signal": "the program was ended by the signal {signal}; this may name the line:",
    "after a deadlock": "    scripts/race{call}    (after a deadlock)",
    "under asan": "    scripts/run --asan{call}",
    "annotated": "{file}: {found}",
    "printed too much": "seed {seed} has printed more than {mebibytes} MiB, and was ended",
    "all ran": "all {basics} programs of basics/ and {examples} examples ran, and every check held "
               "(preset {preset})",
    "some failed": "failed: {names}",
    # The check of an exercise.
    "compiles": "it compiles",
    "compiles for a GPU": "it compiles for a GPU",
    "solved": "Solved.",
    "machine": "Your file cannot be checked, and this is not a mistake of yours.",
    "no answer": "there is no file {file}",
    "too long": "{file} has more than {bytes} bytes: is it the right file?",
    "compiler's time": "The compiler did not end within {seconds} seconds of processor time.",
    "compiler's output": "The compiler has printed more than {kibibytes} KiB.",
    "compiler's signal": "The compiler was ended by signal {number}.",
    "compiler's memory": "The compiler needed more memory than a check lets it have.",
    # scripts/learn.
    "in": "--in: expected a folder",
    "lang": "--lang: expected one of: {known}",
    "one command": "one command at a time, got '{first}' and '{second}'",
    "one exercise": "one exercise at a time, got '{first}' and '{second}'",
    "basics": "basics {number}",
    "others": "others",
    "no exercise": "there is no exercise '{word}'; scripts/learn list names them all",
    "tasks": "--tasks: expected numbers or names of exercises, as in 2,12-15,spin_lock, or all; "
             "got '{word}'",
    "in the terminal": "{word} is for the terminal of scripts/learn, which starts without a "
                       "command",
    "explain what": "explain: expected a word of the glossary, as in: explain scope",
    "no term": "the glossary has no '{word}'.",
    "similar": " It has: {words}.",
    "no command": "there is no command '{word}' and no such exercise; \"help\" names the commands",
    "cannot write in the folder": "cannot write in the folder {folder}: choose another by --in "
                                  "FOLDER",
    "title": "{number} of {all}: {title}   ({file})",
    "solved in": "{solved} ({seconds} s) {tail}",
    "not yet": "Not yet: {kind}.",
    "row yes": "yes",
    "row NO": "NO",
    "solution and next": "\"{solution}\" shows ours, \"{next}\" goes on.",
    "that was the last": "That was the last one: you have solved all {all}.",
    "all solved": "you have solved all exercises",
    "last of the chosen": """\
These were all tasks that you have chosen. "list" names them; scripts/learn --tasks all goes on with
the other exercises.""",
    "last page": """\
You can now find a race in a report, and say what order it lacks; you can choose between an atomic,
a lock, a barrier, and doing without; and you can write the lock. What next?

  - Your own kernel: scripts/race my_program.cu looks for its races. See docs/your_own_kernel.md.
  - Real faults of published programs, each beside its cure: docs/found/README.md.
  - How fast the chapters' kernels can get, and why: the folder fast/ of each chapter.
  - "list" names the exercises. "next 18" goes to one that you want to see again.""",
    "more lines": "    ... {number} lines more: type \"more\"",
    "no more lines": "there is no more to show",
    "printed": "Your code has printed {number} lines. The first ones:",
    "warns": "The compiler warns:",
    "hint": "Hint {number} of {all} for {name}:",
    "no hint yet": "you have asked for no hint for {name} yet: \"{hint}\" shows the first",
    "no more hints": "You have seen all three hints for {name}: \"{hints}\" shows them again, "
                     "\"{solution}\" shows ours.",
    "not solved yet": "You have not solved it yet. \"{hint}\" helps; ask for the solution again to "
                      "see it.",
    "our solution": "--- our solution of {name}; yours may be another",
    "kept": "your file is kept as {file}",
    "as at the beginning": "{file} is as it was at the beginning",
    "of": "{done} of {all}",
    "in English": "{title}",
    "in English from here": "",
    "summary": "{solved} of {all} solved; your files: {folder}",
    "open": """\
=== {number} of {all}: {title}
Edit this file; the task stands at its head:
    {file}""",
    "checking": "checking {file} ...",
    "type help": "Type \"help\" for the commands.",
    "help": """\
  hint          a hint; there are three, and the third tells nearly all
  hints         the hints that you have seen
  check         checks your file now; it is also checked whenever you save it
  show          checks your file, and shows that run as a page: step by step, in a browser
  more          what did not fit on the screen
  task          what is to do
  explain WORD  a word of a report, from the glossary: explain scope
  next          the next exercise; "12", "next 12" or "next spin_lock" goes to that one
  list          all exercises, and which you have solved
  reset         begins this exercise anew, and keeps your file by another name
  solution      our solution: once yours is right, or if you ask twice
  quit          ends; the next start goes on here""",
    "show says how": "\"{show}\" makes a page of this run, for a browser: step by step.",
    "no run to show": "There is no run to show. {why}",
    "run as a page": "the run as a page, to be opened in a browser: {file}",
    "no GPU": "--gpu: there is no GPU with the CUDA Toolkit on this machine",
    "on the GPU": "On the GPU:",
    "sanitizer": "compute-sanitizer has found a fault.",
    "sanitizer's time": "compute-sanitizer did not end within five minutes.",
    # scripts/grade.
    "no submissions": "expected a folder with a folder for each student; see scripts/grade --help",
    "no folder of submissions": "there is no folder {folder}: expected one with a folder for each "
                                "student",
    "out": "--out: expected a folder for the report; see scripts/grade --help",
    "report inside": "--out: {folder} is among the submissions; choose a folder beside them",
    "at once": "-j: expected a number from 1 to {most}, got '{word}'",
    "one folder": "one folder of submissions at a time, got '{first}' and '{second}'",
    "no clang": "grade needs clang, which knows what of a file runs on a GPU; there is no clang++",
    "no headers for clang": "clang does not read a header of the standard library that g++ has: {why}. "
                            "The library of another version of g++ may be missing, whose newest one "
                            "clang looks for.",
    "no use of nvcc": "nvcc compiles nothing here, so it does not look at the files: {why}",
    "clang reads nothing": "clang cannot read the copy of a file: {said}",
    "no sandbox": """\
there can be no sandbox on this machine: {why}
grade runs strangers' code, so it stops here. Allow user namespaces, take another machine, or grade
as the root of a machine. --trust grades without walls: only for files that you have read.""",
    "another grader": "another grade works in {folder}: wait for its end, or choose another folder",
    "own solution": "this machine cannot check {task}: the project's own solution fails. {why}",
    "own solution inside": "{task} cannot be checked in the sandbox: the project's own solution fails "
                           "there. Of this machine's programs it has those in /usr alone, so a "
                           "compiler elsewhere (CXX names it) is not found. {why}",
    "grading": "{what}: {done} of {all} checked ({seconds} s)",
    "grading interrupted": "interrupted; the same command goes on, with what {folder} has",
    "graded": "{solved} of {answers} of {students} solved; the tables: {folder}",
    "some not checked": "{answers} could not be checked, and this is not the students' "
                        "mistake; the same command tries them again",
    "no student": "{name} is {what}, not a student's folder",
    "not a name": "{name} is no student's, by its name: it was not looked at",
    "no task": "{name} is {what} whose name is no task's: it was not checked.",
    "which task": "Is it {task}.cu? Then give it that name.",
    "other task": "{name} is none of the tasks that were asked for: it was not checked.",
    "folder inside": "{name} is a folder: what is in it was not checked. Put its files beside it.",
    "archive": "{name} is an archive: it was not checked. Unpack it into this folder.",
    "not handed in": "not handed in",
    "too many names": "there are {number} names in this folder; the first {most} were looked at",
    "unreadable folder": "this folder cannot be read: {why}",
    "answer is": "expected a file, found {what}",
    "answer unreadable": "the file cannot be read: {why}",
    "like ours": "it is like our solution to {percent} %",
    "our comment": "it has a comment of our solution: {comment}",
    "too short to compare": "too short to compare, since honest answers may be the same, with "
                            "fewer than {tokens} tokens beside those of the given file: {tasks}",
    "no sim": "sim_c is not installed (package similarity-tester): similarity was not looked for",
    "sim failed": "sim_c failed: similarity was not looked for",
    "alike": "in {task} most answers are alike, as in any short task: no pair is named",
    "refused text": "Line {line}: {what}.",
    "refused splice": "Line {line}: a line that ends with a backslash, outside of a #define.",
    "refused raw text": "Line {line}: a raw string, {what}...",
    "refused spelling": "Line {line}: an unusual spelling or character, {what}.",
    "refused quote": "Line {line}: a quotation mark, {what}, that is not closed on its line, or "
                     "nothing between two single ones.",
    "refused pasting": "Line {line}: the operator ##, which makes names that no one reads.",
    "refused word": "Line {line}: the word {what}.",
    "refused attribute": "Line {line}: an attribute, {what}.",
    "refused extern": "Line {line}: {what}: of what lies elsewhere, only extern __shared__.",
    "refused namespace": "Line {line}: the namespace {what} is not the answer's to change.",
    "refused directive": "Line {line}: {what}.",
    "refused header": "Line {line}: the header {what}, which is not on the list of those allowed.",
    "refused early": "Code that runs before main or after it: a variable outside of functions "
                     "whose start value is not a constant, say.",
    "refused call": "It uses {what}, which is not on the list of what an answer may call.",
    "refused undefined": "It uses the variable {what}, which it does not define. A static member of "
                         "a class that is an argument of a launch must be constexpr.",
    "refused function": "It has {what}, a function in a namespace that is not the answer's to "
                        "change.",
    "refused replacement": "It has {what}(), a function that the headers or the compiler call: it is "
                           "not the answer's to replace.",
    "refused volatile": "It reads or writes volatile memory, which this exercise does without.",
    "refused pointer": "It calls a function through a pointer.",
    "refused instruction": "Its machine code has {what}, which no compiler makes of an answer.",
    "refused stack": "{what} takes a part of the stack in a way that may reach another thread's. It "
                     "has an array whose size is not a constant, say, or a variable with an "
                     "alignment of more than 4096 bytes.",
    "refused registers": "{what} uses a register that holds a value of the function which calls "
                         "it. No compiler does so here.",
    "refused unset": "It has a variable between a switch and its first label, where no path comes "
                     "along: declare it before the switch.",
    "refused no value": "The variable {what} may be used before it has a value (line {line}, says "
                        "clang). Give it one where it is declared.",
    "refused unread": "clang, which tells code of the host from that of the device, does not come "
                      "to the end of the file: {what}.",
    "refused two-sided": "Line {line}: by __CUDA_ARCH__ this is another declaration for the host than "
                         "for the device.",
    "refused object": "{what} cannot look at what the compiler made of it, within the time, the "
                      "memory and the output that it has. A name or a table is too large, say.",
    "refused unseen": "In {what} there is a load or store that race mode does not see. An object "
                      "of a class, as a whole, is an argument or the result of a call, say: copy "
                      "it first, as in const Pair mine = pairs[i]; f(mine);",
    # What race mode found.
    "count run": "{number} run",
    "count seed": "{number} seed",
    "from the root": ", from the project's root",
    "no trace": "the run has written no trace to {file}: expected a folder in which a file can be "
                "made, and a program that starts a kernel",
    "no player": "a page of a run needs {file}, which is not in this copy of the project",
    "trace written": "seed {seed}, step by step: {file}",
    "page written": "seed {seed} as a page, to be opened in a browser: {file}",
    "trees written": "every order, as trees of steps: {file}",
    "executions written": "every execution, as a tree of steps: {file}",
    "executions as a page": "every execution as a page, to be opened in a browser: {file}",
    "trees as a page": "every order as a page, to be opened in a browser: {file}",
    "how to show": "As a page that plays the run: {command}",
    "story seconds": "RACE_STORY_SECONDS: expected a number of seconds, got '{value}'",
    "found": "found with {found} of {seeds}; seed {seed} again{place}:",
    "no report, but": "no report in {runs}, but seed {seed} ended with {status}; again:",
    "wrong without a race": "no race was reported, but a result is wrong (see WRONG above)",
    "did not run": "{variant} did not run, so nothing is known of it",
    "no race": "no race in {runs} with different turns",
    "wrong as announced": "The result is wrong all the same, as announced: a fault that is no "
                          "race.",
    "tour": "{number} wrong variants found out and their right counterparts clean (seeds: {seeds})",
    "tour screen": "=== {number} of {all}   scripts/race {title}",
    "tour next": "--- Enter: the next ",
    "tour wrong": "Its result is wrong, as announced: is {said}",
    "tour never ends": "It never ends, so there is no result.",
    "tour fails": "On a GPU its kernel fails, so there is no result.",
    "tour luck": "Its result was right with every seed, by luck.",
    "tour in step": "Its result was right with every seed: here all threads take one step at a "
                    "time, in an\norder that all see alike. A GPU promises less.",
    "tour right": "{name} is right: {idea}",
    "tour clean": "  No report with any seed, and its result is {said}",
    "tour failed": "not as announced: {names}",
    "no wrong variant": "not as announced: there is no wrong variant",
}


class Stop(Exception):
    """Ends the command with a status; `sentence`, where there is one, says why, and `key` is that
    of the sentence."""

    def __init__(self, status: int, sentence: str = "", key: str = "") -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.key = key

    @property
    def of_a_signal(self) -> bool:
        """Was the command told to end? Then the status is 128 and the signal, as of a shell."""
        return self.status > 128


# English is in MESSAGES; a file words.LANGUAGE.json beside this one has the sentences of another
# language by the same keys. What it lacks is said in English.
LANGUAGES = ("en", "zh-CN")
language = ""  # of LANGUAGES; "" is English
_translated: dict[str, str] = {}


def language_called(word: str) -> str:
    """The language of LANGUAGES that a locale or a learner calls so: zh-CN, zh, zh_SG.UTF-8. "" if
    it is none of them."""
    main = re.split(r"[-_.@]", word)[0].lower()
    return next((one for one in LANGUAGES if one.partition("-")[0] == main), "")


def language_of_the_locale() -> str:
    """The language of LANGUAGES that the locale asks for, as in LANG=zh_CN.UTF-8."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return "en"  # whatever LANGUAGE says, as for other programs
    first = (os.environ.get("LANGUAGE") or locale).partition(":")[0]
    return language_called(first) or "en"


def language_asked_for(words: Sequence[str]) -> str:
    """That of --lang on a command line, else that of the locale."""
    after = dict(zip(words, words[1:])).get("--lang", "")
    return language_called(after) or language_of_the_locale()


def speak(asked: str) -> None:
    """From now on, all sentences are in this language of LANGUAGES."""
    global language, _translated
    language = "" if asked == "en" else asked
    _translated = {}
    if language:
        import json  # only here: most commands start without it
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"words.{language}.json")
        with open(path, encoding="utf-8") as file:
            _translated = json.load(file)


def text(key: str, **fields: object) -> str:
    return _translated.get(key, MESSAGES[key]).format(**fields)


def say(sentence: str) -> None:
    """On the standard error, which may be closed."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        pass


def fail(key: str, **fields: object) -> NoReturn:
    raise Stop(1, text(key, **fields), key)


def wrong_usage(key: str, **fields: object) -> NoReturn:
    raise Stop(2, text(key, **fields), key)


def counted(number: int, noun: str) -> str:
    """"2 runs": in the chosen language if the noun has a row "count NOUN"."""
    if f"count {noun}" in _translated:
        return text(f"count {noun}", number=number)
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
