#!/usr/bin/env python3
"""Writes a trace of every kind of report, and the trees of all orders, and reads them back.

    trace_test.py runs BIN FOLDER   BIN: the folder of the race build's programs. FOLDER keeps a
                                    trace of each kind; without THOROUGH=1 every fourth program runs
    trace_test.py variants BIN FOLDER   the same of every wrong variant; a trace costs 2 s at most
    trace_test.py exercises FOLDER  the same of the given file of every exercise, if it compiles
    trace_test.py reads FOLDER      the page's own model reads all traces in FOLDER
    trace_test.py pages FOLDER      a page of all traces in FOLDER, opened in a headless Chromium
    trace_test.py trees BIN
    trace_test.py structs FOLDER    members of structs and dynamic shared memory have names, types
    trace_test.py executions FOLDER   the trees of all executions of docs/outcomes, in FOLDER

Each trace must be as player/trace.schema.json says (checked where Python has jsonschema), its
indices must lead somewhere, and its values must be those that one gets by applying the steps in
their order, as docs/trace.md says.
"""

import functools
import json
import math
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
        check(write["word"] == word and write["after"] == step["got"] and write["kind"] != "load",
              "it reads another write")


def check_run(trace: dict) -> None:
    steps = trace["steps"]
    check(0 < len(steps) <= MOST_STEPS, f"{len(steps)} steps")
    for word in trace["words"]:  # one way to name a place: the program's, or the report's
        check(" " not in word["name"] or word["name"] in word["what"],
              f"no report says {word['name']}: {word['what']}")
        twin = [one["what"] for one in trace["words"] if one["name"] == word["name"]]
        check(" " not in word["name"] or set(twin) == {word["what"]},
              f"{word['name']} is the name of {twin}")
    launched = {step["launch"] for step in steps if step["kind"] == "launch"}
    threads = sum(math.prod(trace["launches"][one]["grid"] + trace["launches"][one]["block"])
                  for one in launched)
    shown = sum(thread["kind"] == "kernel" for thread in trace["threads"])
    check(shown + trace["left_out"]["threads"] == threads,
          f"{trace['left_out']['text']} The launches that are shown have {threads} threads")
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
        steps = [nodes[child]["step"] for child in node["next"]]
        who = [(step["thread"], step.get("got"), step.get("reads")) for step in steps]
        check(len(set(who)) == len(who), "a thread can go on in two ways that look alike")
        newest = [step["thread"] for step in steps if not step.get("stale")]
        check(sorted(newest) == sorted(set(newest)), "two ways of a thread are no old values")
        check(None not in newest, "something that is no thread goes on")
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
        check(trace["arguments"] == [str(word) for word in command[1:]],
              f"it was not called with {trace['arguments']}")
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
    thorough = "THOROUGH" in os.environ
    for program in ("faults", "race_report_cases"):
        names = subprocess.run([binaries / program, "--list"], check=True, capture_output=True,
                               text=True).stdout.split()
        for name in names if thorough else names[::4]:
            path = folder / f"{name}.json"
            trace = traced([binaries / program, name], path)[0]
            if name == "never_ends":  # a thread that waits makes one step of the trace
                check_row(trace)
            kinds = {report["kind"] for report in trace["reports"]}
            if kinds <= seen:
                path.unlink()  # a page of it would show no other kind
            seen |= kinds
    known = kinds_in_readme() | kinds_in_sources()
    missing = known - seen if thorough else set()
    if missing or seen - known:
        raise SystemExit(f"no trace of {sorted(missing)}; not in the README: "
                         f"{sorted(seen - known)}")
    print(f"{len(seen)} kinds of reports were written and read back")


WRONG = ("wrong_result", "race", "unsynchronized", "deadlock", "no_access")
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
    if len(costs) < 33:
        raise SystemExit(f"{len(costs)} wrong variants, expected 33 or more")
    for name, cost in costs.items():
        print(f"{name:44} {cost:6.2f} s more with a trace")
    print(f"{len(costs)} wrong variants")


def trace_of_exercise(name: str, folder: Path) -> tuple[str, float, float]:
    """Checks the given file of an exercise without a trace and with one, in a process of its own.
    Returns why there is no run, or "", and the seconds of CPU time of both."""
    from course import exercises
    from course.check import check_exercise
    path = folder / f"{name}.json"
    path.unlink(missing_ok=True)
    seconds = []
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / f"{name}.cu"
        file.write_text(Path(exercises.given_file(name)).read_text())
        for trace in ("", "", str(path)):  # the first one compiles
            begin = seconds_of_children()
            verdict = check_exercise(name, file, Path(scratch) / "build", trace=trace)
            seconds.append(seconds_of_children() - begin)
            if not verdict.rows or verdict.rows[0][1] == "NO":
                return verdict.kind, 0, 0  # it does not compile
    try:
        trace = read_trace(path)
        if not trace["steps"] and not verdict.has_report:
            path.unlink()
            return verdict.kind, 0, 0  # the check runs nothing of it
        check_run(trace)
        told = [report["kind"] for report in trace["reports"]]
        texts = [report["text"] for report in trace["reports"]] + \
            [word["what"] for word in trace["words"]]
        check(not any("allocated at" in text and "check.cpp" in text for text in texts),
              "it names lines of the check, which the learner has not read")
        if verdict.has_report:
            check(verdict.kind.upper() in told, f"{verdict.kind} is not among {told}")
    except (Wrong, OSError, ValueError) as wrong:
        raise SystemExit(f"exercise {name}: {wrong} ({verdict.sentence})") from wrong
    return "", seconds[1], seconds[2]


def test_exercises(folder: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    from concurrent.futures import ProcessPoolExecutor

    from course import device, exercises
    folder.mkdir(parents=True, exist_ok=True)
    device.build_runtime("race")
    names = exercises.names()
    with ProcessPoolExecutor(2) as both:
        rows = list(both.map(trace_of_exercise, names, [folder] * len(names)))
    runs = 0
    for name, (why, plain, with_trace) in zip(names, rows):
        print(f"{name:24} " + (f"no run: {why}" if why else
                               f"{plain:5.2f} s, with a trace {with_trace:5.2f} s"))
        runs += not why
        if with_trace - plain > MOST_SECONDS:
            raise SystemExit(f"{name}: its trace costs {with_trace - plain:.1f} s of CPU time")
    if runs < 20:
        raise SystemExit(f"{runs} given files have a run, expected 20 or more")
    print(f"{runs} of {len(names)} given files have a run, and each has a trace")


def test_reads(folder: Path) -> int:
    """The status of the test in which the page's own model reads all traces in the folder."""
    return subprocess.run([ROOT / "player" / "tests" / "run", "reads"], check=False,
                          env={**os.environ, "TRACES": str(folder)}).returncode


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


# Two threads take two locks, each in its own order, and may both wait without end.
TWO_LOCKS = """\
#include <cuda_runtime.h>
#include <cstdio>

__global__ void kernel(int* d_locks, int* d_done) {
    const unsigned me = blockIdx.x;
    while (atomicCAS(&d_locks[me], 0, 1) != 0) {
    }
    while (atomicCAS(&d_locks[1 - me], 0, 1) != 0) {
    }
    atomicAdd(d_done, 1);
    atomicExch(&d_locks[1 - me], 0);
    atomicExch(&d_locks[me], 0);
}

int main() {
    int* d_words;
    int done = 0;
    cudaMalloc(&d_words, 3 * sizeof(int));
    cudaMemset(d_words, 0, 3 * sizeof(int));
    kernel<<<2, 1>>>(d_words, d_words + 2);
    cudaMemcpy(&done, d_words + 2, sizeof done, cudaMemcpyDeviceToHost);
    std::printf("done %d\\n", done);
    return 0;
}
"""

# The second thread waits for the first one's __syncwarp() if it comes last.
TWO_BARRIERS = """#include <cuda_runtime.h>

#include <cstdio>

__global__ void kernel(int* d_word) {
    if (threadIdx.x == 0 || atomicAdd(d_word, 0) == 0) {
        atomicExch(d_word, 1);
        __syncthreads();
    } else {
        __syncwarp(3);
    }
}

int main() {
    int* d_word;
    cudaMalloc(&d_word, sizeof(int));
    cudaMemset(d_word, 0, sizeof(int));
    kernel<<<1, 2>>>(d_word);
    std::printf("status %d\\n", cudaDeviceSynchronize());
    return 0;
}
"""


def tree_of_executions(source: Path, folder: Path) -> tuple[dict, str]:
    """The tree of all executions of a program, which must be as it should, and what is printed."""
    path = folder / f"{source.stem}.json"
    path.unlink(missing_ok=True)
    run = subprocess.run([ROOT / "scripts" / "race", "--outcomes", source, "--trace", path],
                         cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{source}: ended with {run.returncode}\n{run.stderr}")
    try:
        trace = read_trace(path)
        (tree,) = trace["trees"]
        check_tree(tree, trace["sources"])
        check(tree["complete"], "not all executions are there")
        # Between the lines `outcome N, in ...` and `  one of them:` stands what the program prints.
        printed = re.findall(r"\noutcome \d+, in [^:\n]*(:?)[^\n]*\n(.*?)  (?:this|one of)",
                             run.stdout, re.DOTALL)
        ends = [(one["lines"] + [f"(ended with status {status})" for status in
                                 [one.get("status")] if status is not None],
                 one.get("only_stale", False)) for one in tree["outcomes"]]
        check(sorted((text.splitlines(), mark == ":") for mark, text in printed) == sorted(ends),
              f"the outcomes of the tree are {tree['outcomes']}")
    except Wrong as wrong:
        raise SystemExit(f"{source}: {wrong}\n{run.stdout}") from wrong
    return tree, run.stdout


def test_executions(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    trees = {source.stem: tree_of_executions(source, folder)[0]
             for source in sorted((ROOT / "docs" / "outcomes").glob("*.cu"))}
    # Two stores and two loads have six orders. In the one with both stores first each load has two
    # values: 4. With the first store before the second load, 2 for each of four orders; and 1.
    # One store and two loads of one word: 3 where the store is first, since a new value is not
    # followed by the old one; then 2; then 1.
    for name, orders in (("1_message", 13), ("6_one_word", 6)):
        if trees[name]["orders"] != orders:
            raise SystemExit(f"{name}: {trees[name]['orders']} orders, expected {orders}")
    # Two threads add to the one word, each by a load and a store: it is no flag.
    roles = {name: trees[name]["words"][0]["role"] for name in ("1_message", "5_volatile_counter")}
    if roles != {"1_message": "flag", "5_volatile_counter": "data"}:
        raise SystemExit(f"roles: {roles}")
    message = trees["1_message"]
    stale = [node["step"] for node in message["nodes"][1:] if node["step"].get("stale")]
    words = {word["name"]: word for word in message["words"]}
    if set(words) != {"d_words[0]", "d_words[32]"} or len(message["launches"]) != 1:
        raise SystemExit(f"1_message: {words}, {message['launches']}")
    if not stale or any(step["got"] != "0" or step["reads"] is not None for step in stale):
        raise SystemExit(f"1_message: the old values are {stale}")
    fences = [node["step"] for node in trees["2_message_fences"]["nodes"][1:]
              if node["step"]["kind"] == "fence"]
    ordered = [edge["kind"] for step in fences for edge in step.get("edges", [])]
    if not fences or set(ordered) != {"release-acquire"}:
        raise SystemExit(f"2_message_fences: {len(fences)} fences, edges {set(ordered)}")

    for name, text in (("two_locks", TWO_LOCKS), ("two_barriers", TWO_BARRIERS)):
        source = folder / f"{name}.cu"
        source.write_text(text)
        tree = trees[name] = tree_of_executions(source, folder)[0]
        stuck = [index for index, one in enumerate(tree["outcomes"]) if one.get("stuck")]
        ends = [node for node in tree["nodes"] if node.get("waiting")]
        if len(stuck) != 1 or len(tree["outcomes"]) != 2 or not ends or any(
                sorted(node["waiting"]) != [0, 1] or node["outcome"] != stuck[0] for node in ends):
            raise SystemExit(f"{name}: {tree['outcomes']}, {ends}")
    alone = folder / "no_tree.cu"
    alone.write_text(TWO_LOCKS.replace("<<<2, 1>>>", "<<<1, 1>>>").replace("1 - me", "1"))
    run = subprocess.run([ROOT / "scripts" / "race", "--outcomes", alone, "--trace",
                          "no_tree.json"], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 1 or "there is no tree: no threads share a word" not in \
            run.stdout + run.stderr:
        raise SystemExit(f"no_tree: ended with {run.returncode}, {run.stdout}{run.stderr}")
    (folder / "no_tree.json").unlink()
    orders = {name: tree["orders"] for name, tree in trees.items()}
    print(f"the trees of {len(orders)} programs hold {orders} orders")


# The members of two structs, one of them in a file of its own, and of two others that a trace does
# not know: they have a bit field and a function. Of these a word has the number of its byte. Block
# 1 has a `mine` of its own, and a `tile`.
STRUCTS = """#include <cstdio>

#include "particle.cuh"

struct Bin {
    int count;    // of the particles
    float sum, weights[2];
};
struct Flags {
    unsigned seen : 1;
    float limit;
};

struct Node {
    int key, count;
    __device__ int sum() const { return key + count; }
};

__global__ void first(Node* d_x) {
    __shared__ unsigned long long s_pair;
    unsigned* const halves = reinterpret_cast<unsigned*>(&s_pair);
    halves[0] = 1;
    halves[1] = 2;
    d_x->count = halves[1];
}
__global__ void second(const float2* d_x) {}

__global__ void fill(const Particle* particles, Bin* bins, Flags* flags,
                     const float2* pairs) {
    __shared__ Bin mine[2];
    const unsigned i = threadIdx.x;
    mine[i].count = -1;
    mine[i].weights[1] = particles[i].x;
    if (i == 1) bins->sum = mine[0].weights[1];  // a barrier is missing
    flags[i].limit = pairs[i].y;
}

__global__ void mean(double* d_mean) {
    extern __shared__ double tile[];
    tile[threadIdx.x] = threadIdx.x + 1.5;
    if (threadIdx.x == 1) *d_mean = (tile[0] + tile[1]) / 2;  // here too
}

int main() {
    const Particle host[2] = {{7, 1.5f, nullptr}, {8, -2.5f, nullptr}};
    Particle* particles;
    Bin* bins;
    Flags* flags;
    cudaMalloc(&particles, sizeof host);
    cudaMalloc(&bins, sizeof(Bin));
    cudaMalloc(&flags, 2 * sizeof(Flags));
    float2* pairs;
    cudaMalloc(&pairs, 2 * sizeof(float2));
    cudaMemset(pairs, 0, 2 * sizeof(float2));
    cudaMemcpy(particles, host, sizeof host, cudaMemcpyHostToDevice);
    first<<<1, 1>>>(reinterpret_cast<Node*>(pairs));
    second<<<1, 1>>>(pairs);
    fill<<<2, 2>>>(particles, bins, flags, pairs);
    mean<<<2, 2, 2 * sizeof(double)>>>(reinterpret_cast<double*>(pairs));
    cudaDeviceSynchronize();
    std::printf("done\\n");
}
"""
PARTICLE = """#pragma once
#include <cuda_runtime.h>
#include <cstdint>
struct Particle {
    std::uint8_t kind = 0;
    /* its place; in metres */ double x;
    const Particle* next;
};
"""


def test_structs(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    source, path = folder / "structs.cu", folder / "structs.json"
    source.write_text(STRUCTS)
    (folder / "particle.cuh").write_text(PARTICLE)
    path.unlink(missing_ok=True)
    run = subprocess.run([ROOT / "scripts" / "race", source, "--trace", path], cwd=ROOT,
                         capture_output=True, text=True, check=False)
    if run.returncode != REPORTED:
        raise SystemExit(f"structs: ended with {run.returncode}\n{run.stdout}{run.stderr}")
    trace = read_trace(path)
    check_run(trace)
    words = {(word["name"], word.get("block")): word for word in trace["words"]}
    names = {name for name, _ in words}
    expected = {"mine[0].weights[1]", "particles[0].x", "bins[0].sum", "pairs[1].y", "tile[1]"}
    typed = {name: word["type"] for (name, _), word in words.items()}
    if not expected <= names or {typed[name] for name in expected} != {"float"}:
        raise SystemExit(f"structs: {sorted(names)}, expected {expected}, as floats")
    if words["particles[0].x", None]["first"] != "1.5":
        raise SystemExit(f"structs: {words['particles[0].x', None]}")
    counts = [word for (name, _), word in words.items() if name == "mine[0].count"]
    steps = [step for step in trace["steps"] if step["kind"] == "store" and
             trace["words"][step["word"]] in counts]
    if not steps or any(step["after"] != "-1" for step in steps):
        raise SystemExit(f"structs: counts {counts}, written by {steps}")
    if {block for name, block in words if name.startswith(("mine", "tile"))} - {0, 1}:
        raise SystemExit(f"structs: the blocks of mine in {list(words)}")
    tile = [trace["steps"][step]["after"] for report in trace["reports"] for step in report["steps"]
            if trace["words"][trace["steps"][step]["word"]]["name"] == "tile[0]"]
    texts = [report["text"] for report in trace["reports"]
             if "dynamic shared memory" in report["text"]]
    if set(tile) != {"1.5"} or {"writes 1.5, where" in text for text in texts} != {True}:
        raise SystemExit(f"structs: of tile[0] {tile}, in {sorted(names)}, and {texts}")
    flags = {name for name in names if name.startswith("flags")}
    if flags != {"flags[0]+4", "flags[1]+4"} or typed["flags[1]+4"] != "unknown":
        raise SystemExit(f"structs: of Flags {typed}")
    of_first = {name for name in names if name.startswith(("d_x", "s_pair"))}
    if of_first != {"d_x[0]+4", "s_pair[0]", "s_pair[1]"}:
        raise SystemExit(f"structs: of the kernel `first` {of_first}")
    print(f"structs: {sorted(names)}")


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
    elif what == "exercises":
        test_exercises(*paths)
    elif what == "reads":
        sys.exit(test_reads(*paths))
    elif what == "structs":
        test_structs(*paths)
    elif what == "executions":
        test_executions(*paths)
    elif what == "trees":
        with tempfile.TemporaryDirectory() as scratch:
            test_trees(*paths, Path(scratch))
    else:
        raise SystemExit("expected runs, variants, exercises, structs, executions, reads, pages "
                         f"or trees, got {what}")
    if jsonschema is None:
        print("no jsonschema for Python: the schema itself was not checked")


if __name__ == "__main__":
    main()
