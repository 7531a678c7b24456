"""What checks and race mode report, in the chosen language.

Both are programs, and other programs read their reports, so they speak English. Here an English
report is translated for the learner: reports.LANGUAGE.json has "sentences" by the keys of
cpu_device/race/sentences_of_*.cpp; "lines" of the checks (exercises/check.cpp and beside it) and the
headline of a report, by their English; and "parts", which stand in braces in the others, where
"NAME=TEXT" is the text of the braces {NAME} only; "rows", "who" and "waits", which threads wait for
what; and "left out", what a trace says of its own gaps. What the file lacks stays English.
"""
from __future__ import annotations

import ast
import functools
import itertools
import json
import os
import re

from course import device, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TABLE = [os.path.join(device.ROOT, "cpu_device", "race", f"sentences_of_{part}.cpp")
         for part in ("races", "runs")]
FIELD = re.compile(r"\{(\w[\w ]*)\}")
ANY = r"[^\n]+?"
# Of a Chinese sentence: in one line, no blank takes its place.
BREAK = re.compile(r"(?<=[\u3000-\u303f\uff00-\uffef])\n\s*"
                   r"|(?<=[\u4e00-\u9fff])\n\s*(?=[\u3000-\u9fff\uff00-\uffef])")
PLACE = r"(?:an unknown place|[^\s]+:\d+(?:, called from [^\s]+:\d+)?)"
THREAD = r"(?:the copy begun by )?block \d+, thread \d+"
WHAT = {  # a field's text, where the sentence around it is not enough to know its end
    "place": PLACE, "call": PLACE, "other call": PLACE, "signal": PLACE, "answer": PLACE,
    "load": PLACE, "write": PLACE,
    "thread": rf"(?:{THREAD}|\d+)", "other": THREAD, "writer": THREAD,
    "does": "(?:reads|writes to|writes|updates|allocates|frees)(?: atomically)?",
    "kind of memory": "(?:shared|global)",
    "element": r"(?:a word|word|a byte|byte|a float|float|a double|double|\d+ bytes)",
    "where": r"(?:\[\d+\]|\d+ bytes in front|the variable |a variable of the program|the barrier of the grid)[^\n]*?",
    "kind": "[A-Z][A-Z -]+", "last": r"[^\n]+",
    "who": rf"(?:{THREAD} of [^\n]+?|(?!block \d)[\w:]+)",
    # Of a check: what the words before the colon are is said by them.
    "name": r"(?:[^\n:\uff1a]+?|The list, sorted: element \[\d+\]|"
            r"a (?:picture|matrix) of \d+ x \d+ (?:pixels|elements): \S+?)",
    **dict.fromkeys(("count", "launches", "x", "y", "device", "number", "seconds", "line",
                     "n"),
                    r"\d[\d.]*"),
    **dict.fromkeys(("launch", "allocated"), PLACE),
    "variable": r"(?!the\b)[A-Za-z_](?:[\w:]*\w)?", "caller": r"\S+:\d+",
}
WHAT["same"] = WHAT["element"]
WAIT = re.compile(rf"^    threads? +([^\n:]+): ([^\n]+?)(?:, ({PLACE}) in ([^\n]+))?$", re.MULTILINE)


# A report among what a program has printed: its headline, and the lines that are indented.
IN_OUTPUT = re.compile(r"^(?:[A-Z][A-Z -]+ in |TOO LARGE FOR RACE MODE: )[^\n]+\n(?:  [^\n]*\n?)*"
                       r"|^(?:race mode|CPU device): [^\n]+$", re.MULTILINE)


def translated(text: str) -> str:
    """The report in the chosen language, line by line where there is a sentence for it."""
    if not messages.language or not text:
        return text
    for pattern, put in _rules(messages.language):
        text = pattern.sub(put, text)
    return re.sub(r"(?<=\u3002) (?=[\u4e00-\u9fff])", "", text)


def in_output(printed: bytes) -> bytes:
    """What a program has printed, with its reports in the chosen language."""
    if not messages.language:
        return printed
    text = printed.decode(errors="surrogateescape")
    return IN_OUTPUT.sub(lambda report: translated(report[0]), text).encode(
        errors="surrogateescape")


def kind_in_words(kind: str) -> str:
    """The name of a kind of report, in the chosen language alone; "" where there is none."""
    return table(messages.language)["parts"].get(f"kind={kind}", "").partition("\uff08")[0]


def translate_trace(file: str) -> None:
    """The reports of a run, in its trace, which a page shows: there, a sentence is one line. The
    places of words that have no name are those of the reports."""
    if not messages.language:
        return
    with open(file, encoding="utf-8") as trace:
        run = json.load(trace)
    ours = english()
    run["left_out"]["text"] = _said_in(run["left_out"]["text"], _pieces("left out"))
    for word in run["words"]:
        if word["name"].startswith("["):
            word["name"] = _placed(word["name"])
        word["what"] = _placed(word["what"])
    for report in run["reports"]:
        report["text"] = translated(report["text"])
        headline = translated(f"{report['kind']} in {report['where']}")
        kind, colon, where = headline.partition("\uff1a")
        if colon:
            report["kind"], report["where"] = kind, where
        for sentence in itertools.chain(report["sentences"],
                                        (report["missing"] or {"cures": ()})["cures"]):
            before = ours[sentence["key"]]
            blanks = before[:len(before) - len(before.lstrip())]
            text = translated(blanks + sentence["text"]).strip()
            sentence["text"] = re.sub(r"\s+", " ", BREAK.sub("", text))
    for thread in run.get("threads", ()):
        if thread["kind"] in ("stream", "copy"):  # the page knows the names of the others
            thread["name"] = next((put(found) for pattern, put in _pieces("parts")
                                   if (found := pattern.fullmatch(thread["name"]))), thread["name"])
    with open(file, "w", encoding="utf-8") as trace:
        json.dump(run, trace)


@functools.cache
def _places() -> list[Rule]:
    """Where a word is: the longest first, since a shorter one may be a piece of it."""
    parts = table(messages.language)["parts"]
    return [_rule(key, parts[key], {}, whole=False)
            for key in sorted(parts, key=len, reverse=True)
            if "element" in key or key.startswith((" allocated", " and freed", " of the dynamic"))]


def _placed(text: str) -> str:
    return _said_in(text, [*_places(), _caller(table(messages.language)["rows"], {})])


def english() -> dict[str, str]:
    """The sentences of race mode by their keys, as the table of its source has them."""
    text = ""
    for part in TABLE:
        with open(part, encoding="utf-8") as file:
            text += file.read()
    rows = re.findall(r'^    \{"([^"]+)",\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)\}', text, re.M)
    return {key: ast.literal_eval(f"({strings})") for key, strings in rows}


def table(language: str) -> dict[str, dict[str, str]]:
    """The file of a language; empty tables where there is none."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"reports.{language}.json")
    if not os.path.exists(path):
        return {"sentences": {}, "lines": {}, "parts": {}}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


Rule = "tuple[re.Pattern[str], Callable[[re.Match[str]], str]]"


@functools.cache
def _rules(language: str) -> list[Rule]:
    """What to put for what: long sentences first, since a short one may be a piece of them."""
    words = table(language)
    ours = english()
    parts = [(key, *_rule(key, text, {}, whole=False)) for key, text in
             sorted(words["parts"].items(), key=lambda row: -len(FIELD.sub("", row[0])))]
    verbs = {ours[key]: text for key, text in words["sentences"].items() if key.startswith("verb.")}

    # Sentences that stand in a field of others.
    fields: dict[str, Callable[[str, str], str]] = {}
    inner = [_rule(ours[key], text, fields, whole=False) for key, text in words["sentences"].items()
             if key.startswith("times.")]
    lasts = [_rule(ours[key], text, fields, whole=False) for key, text in words["sentences"].items()
             if key == "stuck.unchanged" or key.startswith("stuck.changed")]

    def part(value: str, name: str) -> str:
        """The text of the field `name` in the language."""
        if value in verbs:
            return verbs[value]
        if f"{name}={value}" in words["parts"]:
            return words["parts"][f"{name}={value}"]
        for pattern, put in {"times": inner, "other times": inner, "last": lasts}.get(name, []):
            match = pattern.fullmatch(value)
            if match:
                return put(match)
        if value in words["parts"]:
            return words["parts"][value]
        for _, pattern, put in parts:
            match = pattern.fullmatch(value)
            if match:
                return put(match)
        for key, pattern, put in parts:  # a single word may be a piece of a name
            if len(FIELD.findall(key)) > 1 or key != key.strip():
                value = pattern.sub(put, value)
        return value

    fields[""] = part
    found = [(len(FIELD.sub("", ours[key])), _rule(ours[key], text, fields, whole=True))
             for key, text in words["sentences"].items()
             if not key.startswith(("verb.", "step.", "times."))]
    # What a thread did, below "What the two did there last": the steps' sentences in their lines.
    for key in ("step.writes", "step.updates", "step.reads"):
        found.append((20, _rule("    {thread} " + ours[key] + "   ({place})\n", "    {thread}" +
                                words["sentences"].get(key, ours[key]) + "   ({place})\n", fields,
                                whole=True)))
    found += [(len(FIELD.sub("", line)), _rule(line, text, fields, whole=True, line=True))
              for line, text in words["lines"].items()]
    rules = [rule for _, rule in sorted(found, key=lambda one: -one[0])]
    rows = words["rows"]

    def waiting(match: re.Match[str]) -> str:
        """Of threads that wait: which, what for, and where."""
        what = part(match[2], "")
        what = next((put(found) for pattern, put in _pieces("waits")
                     if (found := pattern.fullmatch(what))), what)
        place = rows[", {place} in {function}"].format(place=match[3], function=match[4]) \
            if match[3] else ""
        who = re.sub(r"(\d+) to (\d+)", _two_neighbors, match[1])
        return rows["    threads {who}: {what}"].format(who=_said_in(who, _pieces("who")),
                                                        what=what) + place
    block = "  block ({block}) of {count} threads:"
    rules += [(WAIT, waiting), _rule(block, rows[block], fields, whole=True)]
    # Last, since the other rules know a place by its English.
    return [*rules, _caller(rows, fields)]


def _caller(rows: dict[str, str], fields: dict[str, Callable[[str, str], str]]) -> Rule:
    caller = ", called from {caller}"
    pattern, put = _rule(caller, rows[caller], fields, whole=False)
    return re.compile(pattern.pattern + r"(?: (?=[\u4e00-\u9fff]))?"), put


def _two_neighbors(match: re.Match[str]) -> str:
    """1 to 2 are two threads, and no row of them."""
    return f"{match[1]}, {match[2]}" if int(match[2]) == int(match[1]) + 1 else match[0]


@functools.cache
def _pieces(name: str) -> list[Rule]:
    """The rules of a table whose texts stand in this order in a line."""
    return [_rule(key, text, {}, whole=False)
            for key, text in table(messages.language)[name].items()]


def _said_in(text: str, rules: list[Rule]) -> str:
    for pattern, put in rules:
        text = pattern.sub(put, text)
    return text


def _rule(before: str, after: str, fields: dict[str, Callable[[str, str], str]], whole: bool,
          line: bool = False) -> Rule:
    """Puts `after` for `before`. `whole`: from the begin of a line where `before` is indented, and
    with or without its line break; `line`: no more than that in a line, but for a case before."""
    names = FIELD.findall(before)
    pieces = FIELD.split(before.removesuffix("\n"))
    pattern = "".join(f"({WHAT.get(piece, ANY)})" if number % 2 else re.escape(piece)
                      for number, piece in enumerate(pieces))
    pattern = re.sub(r"\\\n(?:\\ )*", r"\\s+", pattern)  # a page has a sentence in one line
    pattern = pattern.replace(r"\ bytes", r"\ bytes?")  # there may be one
    if whole and before.startswith(" ") and len(before) - len(before.lstrip(" ")) > 1:
        pattern = "^" + pattern
    if line:
        pattern = r"(?:^|(?<=: )|(?<=\uff1a))" + pattern + "$"
    ends = before.endswith("\n")
    if ends:
        pattern += r"(?:\n|\Z)"

    def put(match: re.Match[str]) -> str:
        part = fields.get("", lambda value, name: value)
        values = {name: part(value, name) for name, value in zip(names, match.groups())}
        text = FIELD.sub(lambda field: values.get(field[1], field[0]), after)
        text = re.sub(r"(?<=[\w)])(?=[\u4e00-\u9fff])(?<![\u4e00-\u9fff])", " ", text)
        text = re.sub(r"(?<=\S) (?=[\uff08\uff0c])"
                      r"|(?<=[\u4e00-\u9fff\uff09]) (?=[\u4e00-\u9fff])", "", text)
        return text.removesuffix("\n") + match[0][len(match[0].rstrip("\n")):] if ends else text
    return re.compile(pattern, re.MULTILINE), put
