#!/usr/bin/env python3
"""Plants faults in race mode's memory model, one at a time: the litmus programs must notice each.

    litmus_mutants.py AXIOMS COMPILER

AXIOMS is the program made of axioms.cpp. Each fault is a text in a source of race mode, and what is
put in its place; the driver machine.cpp is linked with the changed source, and litmus_test.py must
end with 1. Ends with 1 if a fault is not noticed, or if its text is not found once.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DEVICE = HERE.parent.parent
SOURCES = ["race/views.cpp", "race/order.cpp", "race/clock.cpp"]
DRIVER = ["tests/axioms/machine.cpp", "tests/axioms/machine_text.cpp"]

# Source, what is wrong, text, the text in its place.
FAULTS = [
    ("race/views.cpp", "loads read the newest store only",
     "while (index > 0 && !knows(me, stores_[index])) {", "while (false) {"),
    ("race/views.cpp", "who has read a store tells no one of it",
     "from.seen.push_back({me.slot, me.time});", ""),
    ("race/views.cpp", "an update does not go on with what a release has left",
     "made.carries = read(me, index, scope);", "read(me, index, scope);"),
    ("race/views.cpp", "scopes too narrow for each other carry order all the same",
     "(store.strong && scope >= needed && store.scope >= needed)", "store.strong"),
    ("race/views.cpp", "two updates may read one store",
     "stores_[index].is_updated = store.is_update;", ""),
    ("race/views.cpp", "each store is the newest",
     "stores_.begin() + static_cast<std::ptrdiff_t>(index) + 1", "stores_.end()"),
    ("race/views.cpp", "a seq_cst fence does not know those before it",
     "        knowledge.join(known_.device);\n", ""),
    ("race/views.cpp", "seq_cst fences of one block are in no order",
     "        knowledge.join(known_.in_block[me.block]);\n", ""),
    ("race/views.cpp", "a seq_cst fence of block scope is known to other blocks",
     "    if (scope >= Scope::device) {\n        known_.device.join(me.fenced_device);",
     "    if (scope >= Scope::block) {\n        known_.device.join(me.fenced_block);"),
    ("race/order.cpp", "a fence of block scope acquires from other blocks",
     "        if (wide) {\n            me.past.join(me.read_device);\n        }",
     "        me.past.join(me.read_device);"),
    ("race/order.cpp", "a fence of block scope releases to other blocks",
     "        if (wide) {\n            me.fenced_device = me.past;\n        }",
     "        me.fenced_device = me.past;"),
    ("race/order.cpp", "a fence releases nothing",
     "publish(me.fenced_block, me.fenced_device);", ""),
    ("race/order.cpp", "a release ends with the next store of its thread",
     "publish(released->in_block, released->device);", ""),
    ("race/order.cpp", "an acquire does not stand for loads before it",
     "me.past.join(read->in_block);", ""),
    ("race/order.cpp", "each load acquires",
     "    if (!acquires) {", "    if (false) {"),
    ("race/order.cpp", "each store releases",
     "        if (releases) {", "        if (true) {"),
    ("race/order.cpp", "a barrier orders nothing",
     "        thread->past = past;\n", ""),
]


def compile_source(compiler: str, source: pathlib.Path, to: pathlib.Path) -> None:
    subprocess.run([compiler, "-std=c++17", "-O1", "-DCPU_DEVICE_RACE=1", f"-I{DEVICE}",
                    f"-I{DEVICE}/include", f"-I{DEVICE}/race/include", "-c", str(source), "-o",
                    str(to)], check=True)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: litmus_mutants.py AXIOMS COMPILER", file=sys.stderr)
        return 2
    axioms, compiler = arguments
    survived = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        objects = {}
        for source in [*SOURCES, *DRIVER]:
            objects[source] = folder / (pathlib.Path(source).name + ".o")
            compile_source(compiler, DEVICE / source, objects[source])
        for source, what, text, other in FAULTS:
            whole = (DEVICE / source).read_text()
            if whole.count(text) != 1:
                print(f"{source}: '{text}' is there {whole.count(text)} times, not once")
                survived += 1
                continue
            changed = folder / "changed.cpp"
            changed.write_text(whole.replace(text, other))
            compile_source(compiler, changed, folder / "changed.o")
            linked = [path for key, path in objects.items() if key != source]
            machine = folder / "machine"
            subprocess.run([compiler, *map(str, linked), str(folder / "changed.o"), "-o",
                            str(machine)], check=True)
            test = subprocess.run([sys.executable, str(HERE / "litmus_test.py"), axioms,
                                   str(machine), "--only-machine"], capture_output=True,
                                  text=True, check=False, timeout=300)
            last = test.stdout.splitlines()[-1] if test.stdout else test.stderr.strip()
            print(f"{'noticed' if test.returncode == 1 else 'NOT NOTICED'}: {what}: {last}")
            survived += test.returncode != 1
    print(f"{len(FAULTS)} faults, {survived} not noticed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
