"""Tries mutants of host code. Each job has a copy of the project, a tree, in which it puts one
mutant after the other, builds what the mutant's file is part of, and runs the tests of that."""
import collections
import functools
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

import failure
import host
import python

SURVIVED = "SURVIVED"
NO_CPP = "no C++"
# For one test, of which none takes half as long on an idle machine.
CPU_SECONDS = 300
WALL_SECONDS = 1200
LINES_SHOWN = 30  # of what a trial says that fails without any mutant
# Their number changes how some grids are divided, and no result.
ENVIRONMENT = {**os.environ, "CPU_DEVICE_THREADS": "4"}
ENVIRONMENT.pop("THOROUGH", None)

# Tests of times, and those that repeat others.
UNFIT = r"os_threads|lesson_times|[.]speed$"

RUNNING = set()

Trial = collections.namedtuple("Trial", "name preset targets command")


def project_files(root):
    """All files of the project, by their names in it."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and
                            name != "__pycache__" and (folder, name) != (str(root), "build"))
        found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files)
                  if not name.startswith(".")]
    return found


def state_of(root):
    """A name for the texts that the tests are made of."""
    state = hashlib.sha256()
    for name in project_files(root):
        if not name.endswith((".md", ".svg", ".png")) or name.startswith("exercises/"):
            state.update(name.encode() + b"\0" + (root / name).read_bytes())
    return state.hexdigest()


@functools.lru_cache(maxsize=None)
def files_of(root, source):
    """The file and all that it includes of the project, with what the .cpp files beside these
    headers define."""
    found = {source}
    defined = os.path.splitext(source)[0] + ".cpp"
    if source.endswith(".hpp") and (root / defined).is_file():
        found |= {defined}
    for name in re.findall(r'^#include "(.*)"', (root / source).read_text("ascii"), re.M):
        for beside in (name, os.path.normpath(os.path.join(os.path.dirname(source), name))):
            if (root / beside).is_file() and beside not in found:
                found |= files_of(root, beside)
                break
    return frozenset(found)


def run(command, seconds=WALL_SECONDS, **options):
    """(status, output); ends the command's children with it."""
    limited = ["sh", "-c", f'ulimit -t {CPU_SECONDS}; exec "$@"', "sh", *map(str, command)]
    process = subprocess.Popen(limited, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace",
                               env=ENVIRONMENT, start_new_session=True, **options)
    RUNNING.add(process.pid)
    try:
        said = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0] + "\nno end"
    finally:
        RUNNING.discard(process.pid)
    return process.returncode, said


class Tree:
    """A copy of the project at `root`, with builds of its own."""

    def __init__(self, root, path, threads):
        self.root, self.path, self.threads = root, path, threads
        self.said = ""  # by the last trial
        names = project_files(root)
        for name in names:
            copy = path / name
            if not copy.exists() or copy.read_bytes() != (root / name).read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / name, copy)
                shutil.copymode(root / name, copy)
        for name in set(project_files(path)) - set(names):
            (path / name).unlink()

    @functools.lru_cache(maxsize=None)
    def configured(self, preset):
        status, said = run(["cmake", "--preset", preset], cwd=self.path)
        if status != 0:
            raise failure.Failure(f"cmake --preset {preset} failed:\n{said[-3000:]}")

    @functools.lru_cache(maxsize=None)
    def programs(self, preset):
        """The sources of the test binaries and programs of a preset, by target."""
        self.configured(preset)
        status, said = run(["ninja", "-C", f"build/{preset}", "-t", "compdb"], cwd=self.path)
        if status != 0:
            raise failure.Failure(f"ninja -t compdb failed: {said[:200]}")
        sources = {}
        for entry in json.loads(said[said.index("["):]):
            target = re.search(r"CMakeFiles/(\w+)\.dir/", entry.get("output", ""))
            if target and entry["file"].startswith(f"{self.path}/"):
                source = entry["file"][len(f"{self.path}/"):]
                if not source.startswith("build/"):  # a lesson that is broken on purpose
                    sources.setdefault(target[1], []).append(source)
        return sources

    @functools.lru_cache(maxsize=None)
    def ctests(self, preset):
        """The tests that are no cases of a test binary: (name, command)."""
        self.configured(preset)
        status, said = run(["ctest", "--test-dir", f"build/{preset}", "--show-only=json-v1"],
                           cwd=self.path)
        if status != 0:
            raise failure.Failure(f"ctest --show-only failed: {said[:200]}")
        return [(test["name"], test["command"]) for test in json.loads(said[said.index("{"):])
                ["tests"] if "command" in test and not re.search(UNFIT, test["name"])]

    def build(self, trial):
        if not trial.targets:
            return True
        self.configured(trial.preset)
        status, _ = run(["cmake", "--build", "--preset", trial.preset, "-j", str(self.threads),
                         "--target", *trial.targets], seconds=10 * WALL_SECONDS, cwd=self.path)
        return status == 0

    @functools.lru_cache(maxsize=None)
    def confinement(self):
        """The command by which a test can write in this tree only. A mutant of what writes files
        may remove any, as root /dev/null too."""
        words = ("bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev",
                 "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--bind", self.path, self.path)
        if shutil.which("bwrap") and run((*words, "true"))[0] == 0:
            return words
        print("mutate: without bubblewrap, mutants can change files of this machine",
              file=sys.stderr)
        return ()

    def passes(self, trial):
        folder = self.path / "build" / "scratch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        status, self.said = run((*self.confinement(), *trial.command), cwd=folder)
        return status == 0

    def including(self, file, preset):
        """The trials of a preset whose programs include the file, those of the fewest files
        first."""
        found = []
        for target, sources in self.programs(preset).items():
            files = set().union(*(files_of(self.root, source) for source in sources))
            if file not in files or target.endswith("_lesson"):
                continue
            program = f"{self.path}/build/{preset}/bin/{target}"
            if target.endswith("_test"):
                trials = [Trial(target, preset, (target,), (program, "--gtest_fail_fast"))]
            else:
                trials = [self.of_command(preset, name, command)
                          for name, command in self.ctests(preset)
                          if program in command or name == f"bad_input.{target}"]
            found += [(len(files), trial) for trial in trials]
        return [trial for _, trial in sorted(found, key=lambda pair: pair[0])]

    def of_command(self, preset, name, command):
        folder = f"{self.path}/build/{preset}/"
        known = self.programs(preset)
        targets = [os.path.basename(word) for word in command if word.startswith(folder) and
                   os.path.basename(word) in known]
        targets += [command[-1]] if command[-1] in known else []
        return Trial(name, preset, tuple(targets), tuple(command))

    def trials(self, mutant):
        """What is tried, one after the other, until the mutant is killed."""
        area = host.area_of(mutant.file)
        if area == "reports":
            names = ["race_reports_test", "race_advice_test", "race_test", "race_streams_test",
                     "race_devices_test", "race_host_test", "race_groups_test",
                     "race_schedules_test", "interleavings_test"]
            binaries = [Trial(name, "race", (name,),
                              (f"{self.path}/build/race/bin/{name}", "--gtest_fail_fast"))
                        for name in names if name in self.programs("race")]
            words = Trial("race.reports_word_for_word", "race", ("race_report_cases", "faults"),
                          (f"{self.path}/tests/reports_test.sh", f"{self.path}/build/race/bin"))
            return [words] + binaries
        if area == "commands":
            return self.of_the_commands(mutant)
        if area == "graders":
            return self.of_a_grader(mutant)
        return self.including(mutant.file, "cpu")

    def of_the_commands(self, mutant):
        """The unit tests, those of the mutant's module first; then the quick test of the doors."""
        module = re.sub(r".*/(\w+)\.py$", r"\1", mutant.file)
        folder = self.path / "scripts" / "course" / "tests"
        files = sorted(folder.glob("test_*.py"),
                       key=lambda file: (file.stem != f"test_{module}",
                                         f"import {module}" not in file.read_text("utf-8") and
                                         f" {module}" not in file.read_text("utf-8"), file.stem))
        # Without compiled modules, so that none is of an earlier mutant.
        python = ("env", "PYTHONDONTWRITEBYTECODE=1", f"PYTHONPATH={self.path}/scripts", "python3",
                  "-m", "unittest", "--failfast")
        return [*(Trial(f"course {file.stem}", "cpu", (), (*python, f"course.tests.{file.stem}"))
                  for file in files),
                Trial("scripts.doors", "cpu", (), (f"{self.path}/tests/doors_test.sh",))]

    def of_a_grader(self, mutant):
        """The exercises whose check is the mutant's file, each with its likeliest wrong answers;
        then all its wrong answers, and the cheats and the right answers of tests/grade/. All of
        these compile the tree's own checks. Of the engine that all exercises share: those exercises
        first whose checks call the function with the mutant, as far as its name is found; then all
        answers of those if they are few, else some cheats of each kind."""
        checks = {path.parent.name: path.read_text("ascii")
                  for path in sorted((self.root / "exercises").glob("*/check.cpp"))}
        exercise = re.match(r"exercises/(\d\d_\w+)/", mutant.file)
        if exercise:
            names = callers = [exercise[1]]
        else:
            words = self.function_with(mutant)
            callers = [name for name in checks if any(word in checks[name] for word in words)]
            names = sorted(checks, key=lambda name: name not in callers)
        few = callers if len(callers) <= 3 else []
        test = f"{self.path}/tests/exercises_test.sh"
        answers = ("python3", f"{self.path}/tests/grade/answers_test.py",
                   *(("--of", *few) if few else ()))
        return [*(Trial(name, "race", (), (test, name)) for name in names),
                *(Trial(f"{name}, all", "race", (), ("env", "EVERY_ANSWER=1", test, name))
                  for name in few),
                Trial(f"answers of {', '.join(few)}" if few else "answers", "race", (), answers)]

    def function_with(self, mutant):
        """The name of the function that has the mutant, with that of its class."""
        lines = (self.root / mutant.file).read_text("ascii").split("\n")[:mutant.number]
        head = next((line for line in reversed(lines) if re.match(r"[A-Za-z].*\(", line)), "")
        called = re.search(r"(?:(\w+)::)?(\w+)\(", head)
        return [word for word in (called.groups() if called else ()) if word]


class Runner:
    """Tries mutants in as many trees as there are jobs, and keeps what became of them."""

    def __init__(self, root, kept, jobs):
        self.root, self.kept, self.jobs = root, kept, jobs
        self.lock = threading.Lock()
        self.state = state_of(root)
        kept.mkdir(parents=True, exist_ok=True)
        self.path = kept / "host.txt"
        self.path.touch()
        self.known = dict(line.split(" ", 1) for line in self.path.read_text().splitlines())
        self.failed = None

    def key(self, *words):
        return hashlib.sha256("\0".join(words).encode()).hexdigest()

    def keys(self, mutant):
        """Of a mutant that was killed: its own file only. Of one that survives: all files, so that
        it is tried again whenever a test has changed."""
        own = self.key(mutant.file, host.mutated_text(self.root, mutant))
        return own, self.key(own, self.state)

    def note(self, key, outcome):
        with self.lock:
            self.known[key] = outcome
            with self.path.open("a") as file:
                file.write(f"{key} {outcome}\n")

    def outcome(self, mutant, tree):
        if_killed, if_alive = self.keys(mutant)
        for key in (if_killed, if_alive):
            if key in self.known:
                return self.known[key]
        outcome = self.tried(mutant, tree)
        self.note(if_alive if outcome == SURVIVED else if_killed, outcome)
        return outcome

    def tried(self, mutant, tree):
        """Who killed the mutant, or SURVIVED, or NO_CPP."""
        trials = tree.trials(mutant)
        if not trials:
            raise failure.Failure(f"{mutant.file}: no test includes it or calls it")
        copy = tree.path / mutant.file
        text = host.mutated_text(self.root, mutant)
        if mutant.file.endswith(".py") and not python.is_python(text):
            return NO_CPP
        copy.write_text(text, encoding="ascii")
        killer = None
        try:
            for trial in trials:  # ninja makes a program of several trials once
                built = tree.build(trial)
                if not built or not tree.passes(trial):
                    killer = trial
                    break
        finally:
            copy.write_text((self.root / mutant.file).read_text("ascii"), encoding="ascii")
        if killer is None:
            return SURVIVED
        self.verify(killer, tree)
        return killer.name if built else NO_CPP

    def verify(self, trial, tree):
        """Without any mutant, what has failed must pass."""
        key = self.key("verified", trial.name, self.state)
        if key not in self.known:
            if not tree.build(trial):
                raise failure.Failure(f"{trial.name} does not build without any mutant: see "
                                      f"'cmake --build --preset {trial.preset}' in {tree.path}")
            if not tree.passes(trial):
                raise failure.Failure(f"{trial.name} fails without any mutant, in {tree.path}:\n" +
                                      "\n".join(tree.said.splitlines()[-LINES_SHOWN:]))
            self.note(key, "passes")

    def try_all(self, mutants, say):
        """The outcomes, by mutant; say(mutant, outcome) is called for each. A job takes
        neighbors, since they want the same programs, and where it has none left, another's."""
        jobs = max(1, min(self.jobs, len(mutants)))
        left = [collections.deque(mutants[len(mutants) * k // jobs:len(mutants) * (k + 1) // jobs])
                for k in range(jobs)]
        outcomes = {}

        def work(k):
            try:
                tree = Tree(self.root, self.kept / "trees" / str(k),
                            max(1, (os.cpu_count() or 1) // jobs))
                while not self.failed:
                    with self.lock:
                        if left[k]:
                            mutant = left[k].popleft()
                        else:
                            longest = max(left, key=len)
                            if not longest:
                                return
                            mutant = longest.pop()
                    outcome = self.outcome(mutant, tree)
                    with self.lock:
                        outcomes[mutant] = outcome
                        say(mutant, outcome)
            except BaseException as error:  # told by the main thread
                self.failed = self.failed or error

        threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:  # Ctrl-C
            self.failed = error
            for process in list(RUNNING):
                os.killpg(process, signal.SIGKILL)
            raise
        if self.failed:
            raise self.failed
        return {mutant: outcomes[mutant] for mutant in mutants}
