"""Mutants written by hand, each with the test that has to see it.

Applies each mutant of tests/mutants/<example>.txt to a copy of the sources, builds that example's
test for the CPU device, and runs the test that the mutant names. The test must pass without the
mutant and fail (or run out of time) with it.
"""
import concurrent.futures
import dataclasses
import pathlib
import queue
import shutil
import subprocess
import sys

import blocks

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # a mutant that hangs is killed too


@dataclasses.dataclass
class Mutant:
    place: str  # of the mutant in its list, for messages
    example: str
    variant: str
    file: str
    test: str
    source: str  # the line to replace, without leading and trailing blanks
    to: str
    at: int  # which occurrence of that line; 0: the only one

    def __str__(self):
        return f"{self.place}: {self.variant}: {self.source} -> {self.to or '(nothing)'}"


def read_list(path):
    """The mutants of one list."""
    mutants = []
    for start, fields in blocks.read(path, {"variant", "file", "test", "from", "to"}, {"at"}):
        mutants.append(Mutant(f"{path.name}:{start}", path.stem, fields["variant"],
                              fields["file"], fields["test"], fields["from"], fields["to"],
                              int(fields.get("at", 0))))
    return mutants


def mutated(mutant):
    """The text of the mutant's file with the mutant applied."""
    lines = (ROOT / mutant.file).read_text(encoding="ascii").split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() == mutant.source]
    if len(places) < max(mutant.at, 1):
        sys.exit(f"{mutant.place}: {mutant.file} holds the line '{mutant.source}' "
                 f"{len(places)} times, expected at least {max(mutant.at, 1)}")
    if len(places) > 1 and mutant.at == 0:
        sys.exit(f"{mutant.place}: {mutant.file} holds the line '{mutant.source}' "
                 f"{len(places)} times; say which by 'at: 1' to 'at: {len(places)}'")
    lines[places[max(mutant.at, 1) - 1]] = mutant.to
    return "\n".join(lines)


class Workshop:
    """A copy of the sources with a build of its own, in which one mutant at a time is tried."""

    def __init__(self, number):
        self.source = ROOT / "build" / "mutants" / f"listed{number}" / "source"
        self.build = self.source.parent / "build"
        if self.source.exists():
            shutil.rmtree(self.source)
        # With new times, so that no object of an earlier run's mutant counts as up to date.
        shutil.copytree(ROOT, self.source, ignore=shutil.ignore_patterns(".*", "build"),
                        copy_function=shutil.copy)
        self.run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "-DDEVICE=cpu",
                  "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]).check_returncode()

    @staticmethod
    def run(command, **options):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", **options)

    def fails(self, example, test):
        """Builds and runs one test; None if it passes, else how it ended."""
        built = self.run(["cmake", "--build", self.build, "--target", f"{example}_test"])
        if built.returncode != 0:
            raise RuntimeError("does not build:\n" + built.stdout[-2000:])
        command = [self.build / "bin" / f"{example}_test", f"--gtest_filter={test}",
                   "--gtest_brief=1"]
        try:
            ran = self.run(command, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"no end within {SECONDS} s"
        if "[==========] 0 tests from" in ran.stdout:
            raise RuntimeError(f"there is no test '{test}'")
        return None if ran.returncode == 0 else f"status {ran.returncode}"

    def try_mutant(self, mutant):
        """How the mutant's test failed, or None if the mutant survived."""
        original = (ROOT / mutant.file).read_text(encoding="ascii")
        copy = self.source / mutant.file
        copy.write_text(mutated(mutant), encoding="ascii")
        try:
            return self.fails(mutant.example, mutant.test)
        finally:
            copy.write_text(original, encoding="ascii")


def lists():
    """The lists, by example."""
    return {path.stem: path for path in sorted((ROOT / "tests" / "mutants").glob("*.txt"))
            if path.stem != "equivalent"}


def read(examples):
    """The mutants of these examples; every one of them applies."""
    mutants = [mutant for example, path in lists().items() if example in examples
               for mutant in read_list(path)]
    for mutant in mutants:
        mutated(mutant)
    return mutants


def run(mutants, jobs):
    """Tries them all; the exit status."""
    workshops = queue.Queue()
    for number in range(min(jobs, len(mutants))):
        workshops.put(Workshop(number))

    def in_a_workshop(job):
        workshop = workshops.get()
        try:
            return job(workshop)
        except RuntimeError as error:
            return error
        finally:
            workshops.put(workshop)

    survivors = []
    with concurrent.futures.ThreadPoolExecutor(workshops.qsize()) as pool:
        tests = sorted({(mutant.example, mutant.test) for mutant in mutants})
        whole = pool.map(lambda t: in_a_workshop(lambda w: w.fails(*t)), tests)
        for (example, test), outcome in zip(tests, whole):
            if outcome is not None:
                sys.exit(f"{example}: {test} fails without any mutant: {outcome}")
        outcomes = pool.map(lambda m: in_a_workshop(lambda w: w.try_mutant(m)), mutants)
        for mutant, outcome in zip(mutants, outcomes):
            killed = isinstance(outcome, str)
            print(f"{'killed  ' if killed else 'SURVIVED'} {mutant.place} {mutant.variant}: "
                  f"{mutant.source} -> {mutant.to or '(nothing)'} "
                  f"[{mutant.test}: {outcome if outcome is not None else 'passed'}]", flush=True)
            if not killed:
                survivors.append(mutant)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    return 1 if survivors else 0

