"""The measured figures in the notes, between their markers: those of results/h200.json, or of the
example's own results, in <example>/times.md; what scripts/mutate and tests/faults_test.sh saw, in
docs/.

The pictures are those that scripts/plot makes of the same results; they must be of the same commit.
"""
import os.path
import pathlib
import textwrap

import failure
from failure import Failure
from pictures.charts import in_words

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "h200.json"
PICTURES = ROOT / "results" / "h200"
OTHER_RESULTS = {"several_gpus": ROOT / "results" / "two_h200.json",
                 "scan": ROOT / "results" / "two_h200.json",
                 "reduce_atomic": ROOT / "results" / "reduce_atomic_h200.json"}
SWEPT = ("sizes", "contention", "blocks")  # runs that are pictures only
CHARTS = {  # the pictures that scripts/plot draws of an example: what is added to its name
    "": "times of the variants",
    "_all": "times of all variants",
    "_sizes": "times against the number of elements",
    "_contention": "times against the share of equal bytes",
    "_blocks": "times against the number of blocks",
}
PART = " with its part"  # ends the title of a run on one GPU that has its part of the input alone
BEGIN = "<!-- figures begin -->\n"
END = "<!-- figures end -->\n"


def table(run, queued):
    """One run as a Markdown table; beside it the times of `queued`, the same with the work queued
    before the GPU begins, or None."""
    data = run["table"]
    plain = data["plain_read_ms"]
    alone = queued["table"] if queued else {"plain_read_ms": 0, "variants": []}
    alone_ms = {row["name"]: row["median_ms"] for row in alone["variants"]
                if not row["skipped"] and row["kind"] != "cpu"}
    lines = [f"{run['title']} (`{' '.join([data['program'], *run['flags']])}`):", ""]
    if plain:
        queued_plain = alone["plain_read_ms"]
        alone_too = f"; {in_words(queued_plain)} ms on the device alone" if queued_plain else ""
        lines += [f"A plain read of the input takes {in_words(plain)} ms{alone_too}.", ""]
    heads = ["variant", "median ms", "spread", *(["of plain read"] if plain else []), "times CPU"]
    heads += ["device alone, ms"] if queued else []
    rows = []
    cpu_ms = None
    for row in data["variants"]:
        if row["skipped"]:
            cells = [f"`{row['name']}`", row["skipped"], *[""] * (3 if plain else 2)]
        else:
            on_cpu = row["kind"] == "cpu"
            if on_cpu:
                if plain and cpu_ms:  # the second one begins the rows of the search: other input
                    plain = data["extra"]["search_plain_read_ms"]
                cpu_ms = row["median_ms"]
            cells = [f"`{row['name']}`", in_words(row["median_ms"]),
                     f"{100 * row['spread']:.1f} %"]
            if plain:
                cells.append("" if on_cpu else f"{100 * plain / row['median_ms']:.1f} %")
            cells.append(in_words(cpu_ms / row["median_ms"]) if cpu_ms else "")
        if queued:
            cells.append(in_words(alone_ms[row['name']]) if row["name"] in alone_ms else "")
        rows.append(cells)
    lines += ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]
    return lines + [""]


def without_content(flags):
    """The flags but for --content and its value."""
    return tuple(flag for before, flag in zip(["", *flags], flags)
                 if "--content" not in (before, flag))


def common_words(titles):
    """The words that all titles begin with."""
    return os.path.commonprefix([title.replace(",", "").split() for title in titles])


def contents_table(runs):
    """Runs that differ in nothing but their content as one Markdown table: a column per content."""
    words = common_words([run["title"] for run in runs])
    heads = [" ".join(run["title"].replace(",", "").split()[len(words):]) for run in runs]
    data = runs[0]["table"]
    flags = [" ".join([data["program"], *runs[0]["flags"]])]
    flags += [" ".join(flag for flag in run["flags"] if flag not in runs[0]["flags"])
              for run in runs[1:]]
    lines = [f"{' '.join(words)} (`{flags[0]}`, and with "
             + ", ".join(f"`{flag}`" for flag in flags[1:]) + "), median ms:", ""]
    rows = [["variant", *heads], ["---"] * (len(runs) + 1),
            ["plain read", *(in_words(run['table']['plain_read_ms']) for run in runs)]]
    times = [{row["name"]: row["skipped"] or in_words(row["median_ms"])
              for row in run["table"]["variants"]} for run in runs]
    rows += [[f"`{name}`", *(column.get(name, "") for column in times)]
             for name in dict.fromkeys(name for column in times for name in column)]
    return lines + ["| " + " | ".join(cells) + " |" for cells in rows] + [""]


def gpus_table(title, runs):
    """Runs on one GPU and on several, by the end of their titles, as one Markdown table. Where one
    GPU was measured with its part alone too, a last column says how fast all could be at most."""
    several = max(runs.values(), key=lambda run: run["table"]["extra"]["gpus"])
    data = several["table"]
    lines = [f"{title} (`{' '.join([data['program'], *several['flags']])}`), median ms:", ""]
    heads = sorted(runs, key=lambda head: (runs[head]["table"]["extra"]["gpus"], head))
    times = {head: {"plain read": table["plain_read_ms"],
                    **{row["name"]: row["median_ms"] for row in table["variants"]
                       if not row["skipped"] and row["kind"] != "cpu"}}
             for head, table in ((head, runs[head]["table"]) for head in heads)}
    one = times["1 GPU"]
    columns = [times[heads[-1]], *(times[head] for head in heads if head.endswith(PART))]
    rows = [["variant", *heads, *["times as fast", "at most"][:len(columns)]],
            ["---"] * (1 + len(heads) + len(columns))]
    rows += [[name if name == "plain read" else f"`{name}`",
              *(in_words(column[name]) for column in times.values()),
              *(f"{one[name] / column[name]:.3f}" for column in columns)] for name in one]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return lines + [""]


def figures(results, example):
    """All that the notes of an example show."""
    device = results["device"]
    runtime = device["cuda_runtime"]
    lines = [f"Measured on an {device['name']}, driver {results['driver']}, CUDA "
             f"{runtime // 1000}.{runtime % 1000 // 10}, {results['date']}, at commit "
             f"{results['commit']}. All results checked before and after the timing."
             + (f" {results['note']}" if "note" in results else "")]
    runs = [run for run in results["runs"]
            if run["table"]["program"] == example and run["title"] not in SWEPT]
    queued = {run["title"]: run for run in runs if run["table"]["queued"]}
    groups = {}
    by_gpus = {}
    for run in runs:
        title, comma, head = run["title"].rpartition(", ")
        if comma and head.partition(" ")[2] in ("GPU", "GPUs", "GPU" + PART):
            by_gpus.setdefault(title, {})[head] = run
        elif not run["table"]["queued"]:
            groups.setdefault(without_content(run["flags"]), []).append(run)
    if queued:
        column = ("The last column" if all(len(group) == 1 for group in groups.values()) else
                  "The column `device alone, ms`")
        lines[0] += (" A time begins when the host starts the work on an "
                     "[idle](../basics/glossary.md#idle) GPU, and ends when the GPU is done. So it "
                     f"includes a few microseconds of the host. {column} leaves them out. It is "
                     "from a second run of all variants or of some, with `--queued`.")
    lines[0] = textwrap.fill(lines[0], 100) if by_gpus else lines[0]
    lines.append("")
    for title, runs in by_gpus.items():
        lines += gpus_table(title, runs)
    for group in groups.values():
        lines += (contents_table(group) if len(group) > 1 else
                  table(group[0], queued.get(group[0]["title"])))
    for part, what in CHARTS.items():
        if (PICTURES / f"{example}{part}.svg").exists():
            lines += [f"![{what}](../results/h200/{example}{part}.svg)", ""]
    return "\n".join(lines)


def faults():
    """Which tool finds which planted fault: tests/faults.txt, which faults_test.sh checks."""
    rows = [line.split() for line in (ROOT / "tests" / "faults.txt").read_text().splitlines()
            if not line.startswith("#")]
    rows.insert(1, ["---"] * len(rows[0]))
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def mutants():
    """What the last whole run of scripts/mutate saw."""
    path = ROOT / "results" / "mutants.json"
    what = "the figures that scripts/mutate wrote"
    results = failure.read_json(path, what)
    counts = {"generated": int, "killed": int, "explained": int}
    failure.check_shape(results, {**counts, "by_kind": dict, "by_killer": dict, "date": str,
                                  "commit": str}, path, what)
    for kind, row in results["by_kind"].items():
        failure.check_shape(row, counts, f"{path}: {kind}", what)
    if not results["generated"] or not results["by_killer"]:
        raise Failure(f"{path}: holds no mutants; expected {what}")
    if results["killed"] + results["explained"] != results["generated"]:
        raise Failure(f"{path}: some mutants are neither killed nor explained; run scripts/mutate")
    killers = " and ".join([", ".join(f"{count} by {killer}" for killer, count in
                                      list(results["by_killer"].items())[:-1]),
                            "{1} by {0}".format(*list(results["by_killer"].items())[-1])])
    text = (f"The last whole run was on {results['date']}, at commit {results['commit']}. "
            f"Of {results['generated']} mutants {results['explained']} "
            f"({100 * results['explained'] / results['generated']:.1f} %) change nothing that "
            "anyone could notice; `tests/mutants/equivalent.txt` says why of each. The other "
            f"{results['killed']} are all killed: {killers}.")
    lines = [textwrap.fill(text, 100), "",
             "| change | mutants | killed | change nothing |", "|---|---|---|---|"]
    lines += [f"| {kind} | {row['generated']} | {row['killed']} | {row['explained']} |"
              for kind, row in results["by_kind"].items()]
    return "\n".join(lines) + "\n"


def between(text, begin, end, content, notes):
    """The text with `content` in place of what stands between the two markers."""
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise Failure(f"{notes}: expected the lines {begin.strip()} and {end.strip()}")
    return before + begin + content + end + after


def pages_as_written():
    """Each page that has figures, its text, and its text with the figures of the results."""
    results = failure.read_results(RESULTS)
    for notes in sorted(ROOT.glob("*/times.md")):
        text = notes.read_text(encoding="utf-8")
        if BEGIN in text:
            example = notes.parent.name
            measured = (failure.read_results(OTHER_RESULTS[example]) if example in OTHER_RESULTS
                        else results)
            yield notes, text, between(text, BEGIN, END, figures(measured, example), notes)
    for name, content in (("faults", faults()), ("mutants", mutants())):
        notes = ROOT / "docs" / f"{name}.md"
        text = notes.read_text(encoding="utf-8")
        begin, end = f"<!-- {name} begin -->\n", f"<!-- {name} end -->\n"
        yield notes, text, between(text, begin, end, content, notes)


def write(_):
    for notes, text, written in pages_as_written():
        if written != text:
            failure.write_text(notes, written)


def commit_of(picture):
    """At which commit the example of the picture was measured."""
    found = [path for example, path in OTHER_RESULTS.items() if picture.name.startswith(example)]
    return failure.read_results(found[0] if found else RESULTS)["commit"]


def check(root, _):
    stale_pictures = [picture.name for picture in sorted(PICTURES.glob("*.svg"))
                      if commit_of(picture) not in picture.read_text()]
    if stale_pictures:
        print("pictures are not of their results (run scripts/plot results FILE.json results/h200):",
              *stale_pictures)
    stale = [str(notes.relative_to(root)) for notes, text, written in pages_as_written()
             if written != text]
    if stale:
        print("figures differ from those in results (run scripts/notes write):", *stale)
    return not stale_pictures and not stale
