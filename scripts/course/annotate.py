"""scripts/annotate: the reports of race mode as annotations of GitHub Actions.

The form of a line is that of GitHub's "Workflow commands": ::error file=F,line=N,title=T::TEXT.
"""
from __future__ import annotations

import contextlib
import copy
import json
import os
import re
import sys
import tempfile

from course import build, processes, race, sources
from course.messages import Stop, counted, say, text, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from course.sources import Words

PLACE = re.compile(r"(?P<file>[^\s].*?):(?P<line>\d+)$")


def data(words: str) -> str:
    """Text of an annotation: one line, in which a % begins a code."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(words: str) -> str:
    """The value of file, line or title, which ends at a comma or a colon."""
    return data(words).replace(":", "%3A").replace(",", "%2C")


def annotation(title: str, sentences: str, file: str, line: str = "") -> str:
    place = f"file={value(file)}" + (f",line={line}" if line else "")
    return f"::error {place},title={value(title)}::{data(sentences)}"


def annotation_of(report: dict, source: str) -> str:
    """A report, as RACE_JSON has it, at its first access; without one, at the launch."""
    for place in [*report["places"], report["where"]]:
        found = PLACE.search(place.rpartition(" launched at ")[2])
        if found:
            return annotation(f"{report['kind']} in {report['where']}", report["text"].strip("\n"),
                              found["file"], found["line"])
    return annotation(f"{report['kind']} in {report['where']}", report["text"].strip("\n"), source)


def same_fault(report: dict) -> tuple:
    """Reports of several seeds that agree in this are of one fault: the threads, the values and
    which access came first differ from seed to seed."""
    return (report["kind"], *sorted(report["places"] or [report["where"]]))


def reports_in(path: str) -> list[dict]:
    """The reports in the file that RACE_JSON names, one a line. A run that was ended may have left
    a part of the last line."""
    reports = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                with contextlib.suppress(json.JSONDecodeError):
                    reports.append(json.loads(line))
    except FileNotFoundError:
        pass
    return reports


def of_program(words: Words, seeds: int) -> tuple[list[str], int]:
    """The annotations of one program, each once, and the status that it gives."""
    source = words.sources[0]
    try:
        program = build.Program(words, "race", os.getcwd()).build()
    except Stop as stop:
        if stop.of_a_signal:
            raise
        return [annotation("does not compile", stop.sentence or source, source)], 1
    found: dict[object, str] = {}  # by what is one fault
    reported = failed = False
    with tempfile.TemporaryDirectory() as folder:
        def run(seed: int) -> processes.Run:
            return processes.Run(
                [program, *words.arguments], most_printed=race.MEBIBYTES << 20,
                environment={**os.environ, "RACE_SEED": str(seed),
                             "RACE_JSON": os.path.join(folder, str(seed))})
        runs = processes.in_order((run(seed) for seed in range(1, seeds + 1)), processes.cores())
        for seed, finished in enumerate(runs, 1):
            reports = reports_in(os.path.join(folder, str(seed)))
            for report in reports:
                found.setdefault(same_fault(report), annotation_of(report, source))
            ended_by_reports = race.has_reported(finished)
            reported = reported or ended_by_reports or bool(reports)
            if finished.endless or (finished.status != 0 and not ended_by_reports):
                failed = True
                status = finished.shell_status
                last = finished.out.decode(errors="replace").strip().split("\n")[-1]
                found.setdefault(status, annotation(f"seed {seed} ended with {status}",
                                                    last or source, source))
    return list(found.values()), race.REPORTED if reported else int(failed)


def main(given: list[str]) -> int:
    words = sources.read_words("annotate", given)
    # A header among the files would begin the programs' arguments, and end the list.
    if words.arguments and given[-len(words.arguments) - 1] != "--":
        wrong_usage("no source file", word=words.arguments[0])
    if words.device:
        wrong_usage("race takes no device", command="annotate", device=words.device)
    processes.end_with_signals()
    statuses = []
    for source in words.sources:
        one = copy.copy(words)
        one.sources = [source]
        annotations, status = of_program(one, words.race.seeds or race.SEEDS)
        print(*annotations, sep="\n", end="\n" if annotations else "")
        sys.stdout.flush()
        say(text("annotated", file=source, found=counted(len(annotations), "annotation")))
        statuses.append(status)
    return race.REPORTED if race.REPORTED in statuses else max(statuses)
