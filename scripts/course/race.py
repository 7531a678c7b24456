"""scripts/race: runs a program with several seeds in race mode, and shows what is reported."""
from __future__ import annotations

import os
import shutil
import sys
import time
from shlex import join

from course import (build, command, device, messages, processes, reports, sources, stale, story,
                    tour)
from course.messages import Stop, counted, fail, say, text, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPORTED = 66  # the status of a program of which race mode has reported something
WRONG_USAGE = 2
MEBIBYTES = 32  # that one run may print
SEEDS, TOUR_SEEDS = 8, 3
SOON = 3  # seconds, after which a page gets no more seeds
OUTCOMES_SECONDS = "10"  # of CPU time, if RACE_OUTCOMES does not say how many


class Request:
    """What the command line asks for."""

    def __init__(self) -> None:
        self.mode = "one"  # or own, tour, enumerate, levels
        self.outcomes = False
        self.folder = ""  # for the levels
        self.name = ""
        self.variant = ""
        self.flags = sources.RaceFlags()
        self.bin = ""
        self.typed: list[str] = []  # the whole command line
        self.words = sources.Words()


def read_request(words: list[str]) -> Request:
    asked = Request()
    asked.typed = words
    words = list(words)
    while words:
        word = words[0]
        taken = asked.flags.take(word, words[1] if len(words) > 1 else None)
        if taken:
            del words[:taken]
            continue
        if word == "--bin":
            folder = words[1] if len(words) > 1 else ""
            if not os.path.isdir(folder):
                wrong_usage("bin", word=folder)
            asked.bin = os.path.abspath(folder)
            words.pop(0)
        elif word in ("--tour", "--enumerate", "--levels"):
            if asked.mode != "one":
                wrong_usage("one mode")
            asked.mode = word[2:]
            if asked.mode == "levels":
                if len(words) < 2:
                    wrong_usage("word missing", flag=word)
                asked.folder = os.path.abspath(words.pop(1))
        elif word == "--outcomes":
            asked.outcomes = True
        elif word in ("-h", "--help"):  # after --lang, say
            command.show_help("race")
            raise Stop(0)
        elif asked.mode == "one" and not asked.name and (
                sources.is_own(word) or word in device.basics()):
            _read_own(asked, words)
            break
        elif word.startswith("-"):
            wrong_usage("no flag", flag=word, command="race")
        elif not asked.name:
            asked.name = word
        elif not asked.variant:
            asked.variant = word
        else:
            wrong_usage("one variant", first=asked.variant, second=word)
        words.pop(0)
    _check(asked)
    asked.flags.seeds = asked.flags.seeds or (TOUR_SEEDS if asked.mode == "tour" else SEEDS)
    return asked


def _read_own(asked: Request, words: list[str]) -> None:
    if words[0] in device.basics():
        os.chdir(device.ROOT)
        words = [f"basics/{words[0]}.cu", *words[1:]]
    asked.mode = "own"
    asked.words = sources.read_words("race", words)
    asked.flags = asked.flags.joined(asked.words.race)
    if asked.words.device:
        wrong_usage("race takes no device", command="race", device=asked.words.device)


def _check(asked: Request) -> None:
    if asked.mode in ("tour", "enumerate", "levels") and asked.name:
        wrong_usage("mode alone", mode=asked.mode, name=asked.name)
    if asked.outcomes and asked.mode != "own":
        wrong_usage("outcomes of a file")
    if asked.mode in ("tour", "levels") and (asked.flags.trace or asked.flags.page):
        wrong_usage("flag of one run", mode=asked.mode)
    if asked.mode == "one" and asked.name not in device.EXAMPLES:
        if asked.name:
            wrong_usage("no example", name=asked.name, names=" ".join(device.EXAMPLES))
        command.show_help("race", sys.stderr)
        wrong_usage("nothing to run")
    if asked.mode in ("one", "own") and not asked.outcomes:
        story.most_seconds()  # a wrong setting is refused before anything runs


def main(words: list[str]) -> int:
    messages.speak(messages.language_of_the_locale())
    here = os.getcwd()
    asked = read_request(words)
    processes.end_with_signals()
    asked.flags.trace, asked.flags.page = (
        os.path.join(here, path) if path else "" for path in (asked.flags.trace, asked.flags.page))
    if asked.flags.page:
        from course import player  # which imports more than a plain run needs
        player.check()
    if asked.mode == "levels":
        from course import player
        player.write_levels(asked.folder)
        return 0
    if asked.mode == "own":
        program = build.Program(asked.words, "race", os.getcwd()).build()
        if asked.outcomes:
            seconds = os.environ.get("RACE_OUTCOMES") or OUTCOMES_SECONDS
            return all_orders([program, *asked.words.arguments], asked.flags, seconds)
        return race([program, *asked.words.arguments], asked)
    if asked.mode == "one":
        program = _chapter(asked)
        os.chdir(device.ROOT)  # places are named from here
        # With --small the kernels have several blocks and warps, and do all that is their own; a
        # run takes a fraction of a second.
        variant = ["--variant", asked.variant] if asked.variant else []
        return race([program, "--small", *variant], asked)
    programs = _programs(asked)
    os.chdir(device.ROOT)
    if asked.mode == "tour":
        return tour.tour(programs, asked.flags.seeds)
    return all_orders([f"{programs}/interleavings"], asked.flags)


def _chapter(asked: Request) -> str:
    """The path of the program with all variants of one chapter, as seen from the root. It is built
    by itself, as a file of one's own is: a preset would take GoogleTest, and longer."""
    if asked.bin:
        path = f"{_programs(asked)}/{asked.name}"
    else:
        words = sources.Words()
        words.sources = [f"{asked.name}/{asked.name}.cu",
                         os.path.join(device.ROOT, "harness", "harness.cpp")]
        words.options = ["-O0", "-DWITH_FLAGS"]
        folder = os.path.join(device.BUILD, "own", "race", asked.name)
        path = build.Program(words, "race", device.ROOT, folder, long=True).build()
    return os.path.relpath(path, device.ROOT) if path.startswith(device.ROOT + "/") else path


def _programs(asked: Request) -> str:
    """The folder with the programs that are asked for."""
    targets = {"one": [asked.name], "enumerate": ["interleavings"],
               "tour": list(device.EXAMPLES)}[asked.mode]
    programs = asked.bin or device.build_preset("race", *targets)
    for target in targets:
        if not os.access(f"{programs}/{target}", os.X_OK):
            wrong_usage("no program in bin", program=f"{programs}/{target}")
    return programs


def run_seeds(run: Sequence[str], seeds: int, first: int = 1) -> Iterator[processes.Finished]:
    """Runs the command with so many seeds from `first` on, as many at once as there are cores, and
    gives how each has ended, in this order. Stops where one prints without end."""
    def runs() -> Iterator[processes.Run]:
        for seed in range(first, first + seeds):
            yield processes.Run(run, environment={**os.environ, "RACE_SEED": str(seed)},
                                most_printed=MEBIBYTES << 20,
                                on_line=_says_how_long if seed == first else None)
    for seed, finished in enumerate(processes.in_order(runs(), processes.cores()), first):
        if finished.endless:
            for line in finished.out.splitlines()[:20]:
                show(line[:200] + b"\n")
            fail("printed too much", seed=seed, mebibytes=MEBIBYTES)
        yield finished


def show(printed: bytes) -> None:
    """Prints what a program has printed, as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(printed)
    sys.stdout.flush()


def _says_how_long(line: bytes) -> None:
    """A long launch says so at once; that of one run is enough."""
    if b"will take about" in line:
        say(line.decode(errors="replace").rstrip())


def has_reported(finished: processes.Finished) -> bool:
    return finished.status == REPORTED and (
        finished.out.startswith(b"race mode: ") or b"\nrace mode: " in finished.out)


def race(run: Sequence[str], asked: Request) -> int:
    """Runs it with all seeds. Shows the first that reports something, else the run in which an old
    value matters, else the first that fails, else the first; says what was found, and returns the
    status that this gives."""
    own = asked.mode == "own"
    found = 0
    seeds: tuple[list[int], list[int]] = ([], [])  # without a report, with one
    ends: dict[int, stale.End] = {}
    first, shown = 0, processes.Finished()
    for seed, finished in enumerate(run_seeds(run, asked.flags.seeds), 1):
        reported = has_reported(finished)
        found += reported
        seeds[reported].append(seed)
        ends[seed] = stale.end_of(finished)
        if seed == 1 or (reported and found == 1) or \
                (finished.status != 0 and shown.status == 0 and found == 0):
            first, shown = seed, finished
    search = stale.Search(run, MEBIBYTES << 20)
    by_old_value = None if found else search.find(ends)
    # Beside the run that is shown: one more that reports something, and one that does not.
    others = [seed for some in seeds for seed in [one for one in some if one != first][:1]]
    if by_old_value and has_reported(by_old_value[1]):
        found = 1
        first, shown = by_old_value
        others = []  # the settings are of this seed
        run = ["env", *(f"{name}={value}" for name, value in search.settings.items()), *run]
    show(reports.in_output(shown.out))
    if found and not by_old_value:
        told = reports.translated(story.shortest(run, first, MEBIBYTES << 20))
        show(f"\n{told}\n".encode() if told else b"")
    status = shown.shell_status
    runs = counted(asked.flags.seeds, "run")
    if status == 0:
        status = _say_clean(asked, runs, shown.out)
        show_as_asked(run, asked.flags, [first, *others])
        return status
    if found:
        say(text("found", found=found, seeds=counted(asked.flags.seeds, "seed"), seed=first,
                 place="" if own else text("from the root")))
    else:
        if status == WRONG_USAGE and not own:
            return WRONG_USAGE  # there is no such variant
        if status == 1 and not own:
            say(text("wrong without a race"))
        say(text("no report, but", runs=runs, seed=first, status=status))
    say(f"RACE_SEED={first} {join(run)}")
    if not show_as_asked(run, asked.flags, [first, *others]) and found and device.can_show():
        say(text("how to show", command=join(["scripts/race", "--show", *asked.typed])))
    return status


def all_orders(run: Sequence[str], flags: sources.RaceFlags, outcomes_seconds: str = "") -> int:
    """Runs the program that tries every order or, where it has so many seconds for all outcomes,
    any program; the trees of the steps, and the page on which the reader chooses, are written if
    they are asked for."""
    environment = {**os.environ}
    if outcomes_seconds:
        environment["RACE_OUTCOMES"] = outcomes_seconds
    if not flags.trace and not flags.page:
        command.become(run, environment)
    import tempfile

    from course import player
    with tempfile.TemporaryDirectory() as folder:
        trees = flags.trace or os.path.join(folder, "trees.json")
        done = processes.run_one(run, environment={**environment, "RACE_TREE": trees},
                                 most_printed=MEBIBYTES << 20)
        show(done.out)
        if done.status != 0:
            return done.shell_status
        if flags.trace:
            say(text("executions written" if outcomes_seconds else "trees written",
                     file=flags.trace))
        if flags.page:
            player.write_page(trees, flags.page)
            say(text("executions as a page" if outcomes_seconds else "trees as a page",
                     file=flags.page))
    return 0


def show_as_asked(run: Sequence[str], flags: sources.RaceFlags, seeds: Sequence[int]) -> bool:
    """Runs the first seed once more for its trace and the page that plays it, if they are asked
    for. The page has the other seeds too, where that takes little time."""
    if not flags.trace and not flags.page:
        return False
    import tempfile

    from course import player
    begin = time.monotonic()
    seed = seeds[0]
    if flags.trace:
        player.write_trace(run, seed, flags.trace, MEBIBYTES << 20)
        say(text("trace written", seed=seed, file=flags.trace))
    if flags.page:
        with tempfile.TemporaryDirectory() as folder:
            traces = [os.path.join(folder, f"seed{one}.json") for one in seeds]
            if not flags.trace:
                player.write_trace(run, seed, traces[0], MEBIBYTES << 20)
            elif messages.language:  # the file itself stays English
                shutil.copy(flags.trace, traces[0])
            else:
                traces[0] = flags.trace
            written = traces[:1]
            for other, trace in zip(seeds[1:], traces[1:]):
                if time.monotonic() - begin < SOON:
                    try:
                        player.write_trace(run, other, trace, MEBIBYTES << 20)
                        written.append(trace)
                    except Stop:
                        pass  # it has no trace
            for trace in written:
                reports.translate_trace(trace)
            player.write_page(written, flags.page)
        say(text("page written", seed=seed, file=flags.page))
    return True


def _say_clean(asked: Request, runs: str, printed: bytes) -> int:
    lines = printed.decode(errors="replace").split("\n")
    variant = asked.variant
    if variant and any(line.startswith(variant) and
                       line[len(variant):].lstrip().startswith("skipped:") for line in lines):
        fail("did not run", variant=variant)
    print(text("no race", runs=runs))
    if asked.mode == "one" and any(" wrong, as announced" in line for line in lines):
        print(text("wrong as announced"))
    return 0
