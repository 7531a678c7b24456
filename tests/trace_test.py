#!/usr/bin/env python3
"""Writes a trace of every kind of report, and the trees of all orders, and reads them back.

    trace_test.py runs BIN FOLDER   BIN: the folder of the race build's programs. FOLDER keeps a
                                    trace of each kind
    trace_test.py variants BIN FOLDER   the same of every wrong variant; a trace costs 2 s at most
    trace_test.py pages FOLDER      a page of all traces in FOLDER, opened in a headless Chromium
    trace_test.py trees BIN

Each trace must be as player/trace.schema.json says (checked where Python has jsonschema), its
indices must lead somewhere, and its values must be those that one gets by applying the steps in
their order, as docs/trace.md says.
"""

import functools
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "player" / "trace.schema.json").read_text())
MOST_STEPS = 2000


class Wrong(Exception):
    """What a trace says is not so."""


def check(condition: bool, what: str) -> None:
    if not condition:
        raise Wrong(what)


@functools.cache
def validator() -> "jsonschema.protocols.Validator":
    """Of the schema, which is itself checked once."""
    kind = jsonschema.validators.validator_for(SCHEMA)
    kind.check_schema(SCHEMA)
    return kind(SCHEMA)


def read_trace(path: Path) -> dict:
    """The trace in this file, of the form that the schema wants."""
    trace = json.loads(path.read_text())
    if jsonschema is not None:
        validator().validate(trace)
    check(trace["format"] == "race-trace" and trace["version"] == 1, "no trace of version 1")
    return trace


def check_place(place: dict | None, sources: list) -> None:
    if place is not None:
        check(place["source"] < len(sources), "a place names no source")
        ranges = sources[place["source"]]["ranges"]
        held = any(r["first"] <= place["line"] < r["first"] + len(r["lines"]) for r in ranges)
        check(held, f"line {place['line']} of {sources[place['source']]['file']} is not there")


def check_step(step: dict, lists: dict, sources: list, earlier: dict, values: list) -> None:
    """One step after those in `earlier` (by index), where `values` are those of the words."""
    check(step["thread"] is None or step["thread"] < len(lists["threads"]), "no such thread")
    check((step["thread"] is None) == (step["kind"] == "others"), "who has made the step?")
    check_place(step["place"], sources)
    check_place(step.get("called_from"), sources)
    for edge in step.get("edges", []):
        check(edge["from"] in earlier, "an edge from a step that is not earlier")
        check(earlier[edge["from"]]["thread"] != step["thread"], "an edge within a thread")
    if "word" not in step or step.get("fault"):
        return
    word = step["word"]
    check(values[word] == step["before"],
          f"the word holds {values[word]}, and the step finds {step['before']}")
    values[word] = step["after"]
    if step["kind"] == "load" or "times" in step:
        check(step["before"] == step["after"], "a load, or a row of the same, has changed its word")
    check(("got" in step) == (step["kind"] in ("load", "atomic")), "what has the step got?")
    if step.get("reads") is not None:
        write = earlier[step["reads"]]
        check(write["word"] == word and write["after"] == step["got"], "it reads another write")


def check_run(trace: dict) -> None:
    steps = trace["steps"]
    check(0 < len(steps) <= MOST_STEPS, f"{len(steps)} steps")
    values = [word["first"] for word in trace["words"]]
    earlier: dict[int, dict] = {}
    for index, step in enumerate(steps):
        try:
            check_step(step, trace, trace["sources"], earlier, values)
        except Wrong as wrong:
            raise Wrong(f"step {index}: {wrong}") from wrong
        earlier[index] = step
    for index, step in enumerate(steps):
        if step["kind"] == "others" and "count" not in step:
            after = next((one["kind"] for one in steps[index:] if one["kind"] != "others"), "none")
            check(after == "launch", f"step {index}: a change between launches is before {after}")
    for report in trace["reports"]:
        check(all(step < len(steps) for step in report["steps"]), "a report of no step")
        named = [trace["threads"][steps[step]["thread"]]["name"] for step in report["steps"]]
        if report["missing"] is not None:
            check(all(name in report["text"] for name in named), f"the text names not {named}")


def check_tree(tree: dict, sources: list) -> None:
    nodes = tree["nodes"]
    check("step" not in nodes[0], "node 0 has a step")
    leaves: Counter = Counter()
    seen = 0
    way = [(0, {}, [word["first"] for word in tree["words"]])]
    while way:
        index, earlier, values = way.pop()
        seen += 1
        node = nodes[index]
        if index:
            check_step(node["step"], tree, sources, earlier, values)
            earlier = {**earlier, index: node["step"]}
        check(("outcome" in node) == (not node["next"]), "an outcome in the middle")
        if not node["next"]:
            leaves[node["outcome"]] += 1
        who = [nodes[child]["step"]["thread"] for child in node["next"]]
        check(len(set(who)) == len(who), "a thread can go on in two ways")
        way += [(child, earlier, list(values)) for child in node["next"]]
    check(seen == len(nodes), "not every node is reached")
    check(sum(leaves.values()) == tree["orders"], "the orders are not the leaves")
    for index, outcome in enumerate(tree["outcomes"]):
        check(leaves[index] == outcome["times"], "an outcome comes as often as its leaves")


def printed_kinds(text: str) -> list[str]:
    """The kinds of the reports that a program has printed."""
    heads = [line.split(" in ")[0] for line in text.splitlines() if " in " in line]
    return sorted(head for head in heads if head.isupper())


def traced(command: list, path: Path) -> tuple[dict, subprocess.CompletedProcess]:
    """The trace of a run with seed 1, which must be as it should, and how the run has ended."""
    path.unlink(missing_ok=True)
    run = subprocess.run(command, capture_output=True, text=True, timeout=100, errors="replace",
                         cwd=ROOT, check=False,
                         env={**os.environ, "RACE_SEED": "1", "RACE_TRACE": str(path)})
    try:
        trace = read_trace(path)
        check_run(trace)
        told = sorted(report["kind"] for report in trace["reports"])
        printed = printed_kinds(run.stderr)
        check(len(told) + trace["left_out"]["reports"] == len(printed) and
              set(told) <= set(printed), f"{printed} were printed, and {told} are told")
        check(trace["outcome"]["status"] == run.returncode,
              f"it ended with {run.returncode}, and not as {trace['outcome']}")
    except (Wrong, OSError, ValueError) as wrong:
        raise SystemExit(f"{' '.join(map(str, command))}: {wrong}\n{run.stderr}") from wrong
    return trace, run


def check_row(trace: dict) -> None:
    times = [step["times"] for step in trace["steps"] if "times" in step]
    if len(trace["steps"]) > 10 or len(times) != 1 or times[0] < 10_000:
        raise SystemExit(f"never_ends: {len(trace['steps'])} steps, rows of {times}")


def check_lost_update(trace: dict, printed: str) -> None:
    """The word begins as the launch has found it, and ends as the program prints it."""
    word = next(i for i, one in enumerate(trace["words"]) if one["name"] == "d_x[0]")
    last = [step for step in trace["steps"] if step.get("word") == word][-1]
    found = re.search(r"wrong, as announced: x = (\d+)", printed)
    if trace["words"][word]["first"] != "0" or found is None or last["after"] != found[1]:
        raise SystemExit(f"lost_update: {trace['words'][word]}, {last}, {printed}")
    launches = sum(step["kind"] == "launch" for step in trace["steps"])
    if launches != 1 or "after the last report" not in trace["left_out"]["text"]:
        raise SystemExit(f"lost_update: {launches} launches, {trace['left_out']}")


def check_between_launches(trace: dict) -> None:
    steps = trace["steps"]
    between = [step for step in steps if step["kind"] == "others" and "count" not in step]
    if not between or len({step["after"] for step in between}) != 1:
        raise SystemExit(f"inc_off_by_one: changed between launches: {between}")


def test_runs(binaries: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    seen: set[str] = set()
    for program in ("faults", "race_report_cases"):
        names = subprocess.run([binaries / program, "--list"], check=True, capture_output=True,
                               text=True).stdout.split()
        for name in names:
            path = folder / f"{name}.json"
            trace = traced([binaries / program, name], path)[0]
            if name == "never_ends":  # a thread that waits makes one step of the trace
                check_row(trace)
            kinds = {report["kind"] for report in trace["reports"]}
            if kinds <= seen:
                path.unlink()  # a page of it would show no other kind
            seen |= kinds
    known = kinds_in_readme() | kinds_in_sources()
    if seen != known:
        raise SystemExit(f"no trace of {sorted(known - seen)}; not in the README: "
                         f"{sorted(seen - known)}")
    print(f"{len(seen)} kinds of reports were written and read back")


WRONG = ("wrong_result", "race", "unsynchronized", "deadlock")
REPORTED = 66
TOO_LARGE = 67  # the status of a run that race mode cannot hold: it has no trace
MOST_SECONDS = 2.0  # of CPU time that a trace costs


def seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_variants(binaries: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    costs = {}
    for table in sorted(ROOT.glob("*/variants.cuh")):
        program = table.parent.name
        listed = subprocess.run([binaries / program, "--list"], check=True, capture_output=True,
                                text=True).stdout
        for row in map(str.split, listed.splitlines()):
            if len(row) < 2 or row[1] not in WRONG:
                continue
            command = [binaries / program, "--small", "--variant", row[0]]
            begin = seconds_of_children()
            run = subprocess.run(command, capture_output=True, timeout=100, cwd=ROOT, check=False,
                                 env={**os.environ, "RACE_SEED": "1"})
            if run.returncode == TOO_LARGE:
                continue
            plain = seconds_of_children()
            trace, run = traced(command, folder / f"{program} {row[0]}.json")
            if (program, row[0]) == ("atomic_functions", "lost_update"):
                check_lost_update(trace, run.stdout)
            if (program, row[0]) == ("atomic_functions", "inc_off_by_one"):  # it sets its word
                check_between_launches(trace)
            cost = seconds_of_children() - plain - (plain - begin)
            costs[f"{program} {row[0]}"] = cost
            if cost > MOST_SECONDS:
                raise SystemExit(f"{program} {row[0]}: its trace costs {cost:.1f} s of CPU time")
            if run.returncode == REPORTED and not trace["reports"]:
                raise SystemExit(f"{program} {row[0]}: its trace has none of its reports: "
                                 f"{trace['left_out']['text']}")
            if not trace["steps"]:
                raise SystemExit(f"{program} {row[0]}: its trace has no step")
    if len(costs) < 19:
        raise SystemExit(f"{len(costs)} wrong variants, expected 19 or more")
    most = max(costs, key=costs.get)
    print(f"{len(costs)} wrong variants; of {most} the trace costs most: {costs[most]:.2f} s")


def test_pages(folder: Path) -> int:
    """One page of all traces in the folder; the status of the browser's test."""
    traces = sorted(folder.rglob("*.json"))
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "runs.html"
        subprocess.run([sys.executable, ROOT / "player" / "bundle.py", *traces, "--page", page],
                       check=True)
        return subprocess.run([ROOT / "player" / "tests" / "run", "opens"], check=False,
                              env={**os.environ, "PAGE": str(page)}).returncode


def test_trees(binaries: Path, scratch: Path) -> None:
    path = scratch / "trees.json"
    printed = subprocess.run([binaries / "interleavings"], check=True, capture_output=True,
                             text=True, cwd=ROOT, env={**os.environ, "RACE_TREE": str(path)}).stdout
    trace = read_trace(path)
    for tree in trace["trees"]:
        try:
            check_tree(tree, trace["sources"])
        except Wrong as wrong:
            raise SystemExit(f"{tree['name']}: {wrong}") from wrong
        head = f"{tree['name']}: {tree['orders']} orders\n"
        if head not in printed:
            raise SystemExit(f"the program has not printed '{head}'")
    two = trace["trees"][0]
    times = {outcome["lines"][0]: outcome["times"] for outcome in two["outcomes"]}
    if two["orders"] != 6 or times != {"x = 1": 4, "x = 2": 2}:
        raise SystemExit(f"lost_update: {two['orders']} orders, {times}")


def kinds_in_readme() -> set[str]:
    """Those of the table in race/README.md."""
    text = (ROOT / "cpu_device" / "race" / "README.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return {kind for kind in (row.split("`")[1] for row in rows) if kind.isupper()}


def kinds_in_sources() -> set[str]:
    """The strings of several words in capitals, such as "DATA RACE", in the sources of race mode."""
    sources = (ROOT / "cpu_device" / "race").glob("*.cpp")
    return {kind for source in sources
            for kind in re.findall(r'"([A-Z][A-Z-]*(?: [A-Z-]+)+)"', source.read_text())}


def main() -> None:
    what, *folders = sys.argv[1:]
    paths = [Path(folder).resolve() for folder in folders]
    if what == "runs":
        test_runs(*paths)
    elif what == "variants":
        test_variants(*paths)
    elif what == "pages":
        sys.exit(test_pages(*paths))
    elif what == "trees":
        with tempfile.TemporaryDirectory() as scratch:
            test_trees(*paths, Path(scratch))
    else:
        raise SystemExit(f"expected runs, variants, pages or trees, got {what}")
    if jsonschema is None:
        print("no jsonschema for Python: the schema itself was not checked")


if __name__ == "__main__":
    main()
