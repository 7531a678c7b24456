"""What scripts/mutate says of outcomes, and its status. The mutants are its own; nothing is
compiled, since the outcomes are those of this test."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import types

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "scripts" / "mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)
failures = 0


def expect(what, got, expected):
    global failures
    if got != expected:
        print(f"FAILED: {what}: {got!r}, expected {expected!r}")
        failures += 1


EVERY = mutate.generator.generate(ROOT)
EXPLAINED = mutate.read_equivalent(EVERY + mutate.host.generate(ROOT))
mutate.read_equivalent = lambda every: EXPLAINED


def run(mutants, outcomes):
    """The status and the last line of a run in which the mutants, which are of one folder, have
    these outcomes."""
    chosen = mutants[0].folder
    # With one of another folder it is no run of all mutants, which would write the results.
    other = next(mutant for mutant in EVERY if mutant.folder != chosen)
    mutate.generator.generate = lambda root: [*mutants, other]
    mutate.MutantRunner = lambda folder: types.SimpleNamespace(
        outcome=lambda mutant, folder: outcomes[mutants.index(mutant)])
    sys.argv = ["mutate", chosen, "--jobs", "1"]
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        mutate.KEPT = pathlib.Path(folder)
        status = mutate.main()
    return status, said.getvalue().splitlines()[-1]


PLAIN = [mutant for mutant in EVERY
         if mutant not in EXPLAINED and mutant.folder == EVERY[0].folder][:3]
KILLED, SURVIVED, NO_CPP = "wrong result", mutate.SURVIVED, mutate.NO_CPP
expect("all are killed", run(PLAIN, [KILLED] * 3),
       (0, "mutants: 3 generated, 3 killed (100.0 %), 0 explained, 0 survive"))
expect("one survives", run(PLAIN, [KILLED, SURVIVED, KILLED]),
       (1, "mutants: 3 generated, 2 killed (66.7 %), 0 explained, 1 survive"))
expect("one is no C++", run(PLAIN, [KILLED, NO_CPP, KILLED]),
       (0, "mutants: 2 generated, 2 killed (100.0 %), 0 explained, 0 survive"))
known = list(EXPLAINED)[:1]
expect("an explained one survives", run(known, [SURVIVED]),
       (0, "mutants: 1 generated, 0 killed (0.0 %), 1 explained, 0 survive"))
expect("an explained one is killed", run(known, [KILLED])[0], 1)

# Host code: what is drawn depends on the seed, and one in twenty may survive.
HOST = mutate.host.generate(ROOT)
expect("a seed draws the same", mutate.drawn(HOST, 20, 3), mutate.drawn(HOST, 20, 3))
expect("another seed draws others", mutate.drawn(HOST, 20, 3) == mutate.drawn(HOST, 20, 4), False)
expect("the draw does not depend on those that are not drawn",
       mutate.drawn(mutate.drawn(HOST, 40, 3), 20, 3), mutate.drawn(HOST, 20, 3))
expect("each is generated once", len(set(HOST)), len(HOST))
expect("what all graders share is theirs", mutate.host.area_of("exercises/check.hpp"), "graders")
expect("every area is mutated", {mutate.host.area_of(mutant.file) for mutant in HOST},
       set(mutate.host.AREAS))
for survivors, expected in ((1, 0), (2, 1)):
    twenty = dict(zip(HOST, [SURVIVED] * survivors + [KILLED] * (20 - survivors)))
    with contextlib.redirect_stdout(io.StringIO()):
        expect(f"{survivors} of 20 survive", mutate.judge_host(twenty, {}, None), expected)

# Those of host code that have a reason are tried where that is asked for.
WITH_REASON = next(mutant for mutant in HOST if mutant in EXPLAINED)
mutate.host.generate = lambda root: [HOST[0], WITH_REASON]
for words, expected in (([], [HOST[0]]), (["--explained"], [HOST[0], WITH_REASON])):
    tried = []
    judged = {}
    mutate.trees.Runner = lambda root, kept, jobs: types.SimpleNamespace(
        try_all=lambda mutants, say: tried.extend(mutants) or dict.fromkeys(mutants, KILLED))
    mutate.judge_host = lambda outcomes, explained, drawn_by: judged.update(outcomes) or 0
    sys.argv = ["mutate", "--host", *words]
    with tempfile.TemporaryDirectory() as folder:
        mutate.KEPT = pathlib.Path(folder)
        expect(f"the status with {words}", mutate.main(), 0)
    expect(f"what is tried with {words}", tried, expected)
    expect(f"what is judged with {words}", judged,
           {HOST[0]: KILLED, WITH_REASON: KILLED if words else SURVIVED})

# Each rule finds what it is for, and nothing in comments and strings.
for line, kind, to in (
        ("    if (a < b) {", "condition negated", "    if (!(a < b)) {"),
        ("    if (a < b) {", "comparison changed", "    if (a <= b) {"),
        ("    return a && b;", "&& by ||", "    return a || b;"),
        ("    return a && b;", "answer fixed", "    return true;"),
        ("    x = a + 2;", "arithmetic changed", "    x = a - 2;"),
        ("    x = a + 2;", "constant changed", "    x = a + 3;"),
        ("    x = 0.5 * a;", "constant changed", "    x = 10 * 0.5 * a;"),
        ("    f(true);", "true by false", "    f(false);"),
        ("    f(a);", "statement dropped", ""),
        ("void f(int a) {", "early return", "void f(int a) { return;"),
        ('    f("a barrier is");', "word changed", '    f("a nothing is");')):
    rules = {**mutate.host.RULES, **mutate.host.WORDS}[kind]
    made = [to for rule in rules for to in rule(line, mutate.host.masked(line))]
    expect(f"{kind} in '{line}'", to in made, True)
hidden = '    f("x < 1 && true");  // y < 2'
expect("a string and a comment", [to for kind, rules in mutate.host.RULES.items() for rule in rules
                                  for to in rule(hidden[:22], mutate.host.masked(hidden))], [""])

# What the program says, by whether it compiles and how it ends.
program = types.SimpleNamespace(target="some_probe", make=lambda folder, key: False)
expect("a program that does not compile", mutate.Program.outcome(program, None, None), NO_CPP)
program.make = lambda folder, key: True
for status, outcome in ((0, SURVIVED), (1, "wrong result"), (66, "race mode's report"),
                        (-6, "crash")):
    mutate.run = lambda command, **options: types.SimpleNamespace(returncode=status)
    expect(f"a probe that ends with {status}", mutate.Program.outcome(program, None, None), outcome)
sys.exit(1 if failures else 0)
