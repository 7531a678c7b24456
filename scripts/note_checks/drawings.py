"""The explanatory pictures of the notes, as SVG. Each is a function in scripts/pictures/, whose
docstring is the name of the file. The charts of what was measured are scripts/plot's.
"""
import pathlib

import failure
from failure import Failure
from pictures import (atomic_functions, basics, grid_barrier, hash_table,
                      histogram, ideas, mutex_dot, neighbor_list, reduce_atomic, scan,
                      several_gpus, svg)

MODULES = (basics, ideas, atomic_functions, reduce_atomic, histogram, neighbor_list, hash_table,
           mutex_dot, grid_barrier, scan, several_gpus)


WORDS = pathlib.Path(__file__).resolve().parent.parent / "pictures/words.zh-CN.json"


def drawn():
    """(path from the project's root, SVG text) of every picture, in English; and in Chinese where
    pictures/words.zh-CN.json has its texts, as X.zh-CN.svg."""
    chinese = failure.read_json(WORDS, "the Chinese words of the pictures")
    for module in MODULES:
        for draw in vars(module).values():
            if getattr(draw, "__module__", None) == module.__name__ and \
                    (draw.__doc__ or "").endswith(".svg"):
                yield draw.__doc__, draw().svg()
                if draw.__doc__ in chinese:
                    with svg.language(chinese.pop(draw.__doc__)):
                        yield draw.__doc__.replace(".svg", ".zh-CN.svg"), draw().svg()
    chinese = [name for name in chinese if not name.startswith("results/")]  # by scripts/plot
    if chinese:
        raise Failure(f"{WORDS}: there is no picture {min(chinese)}")


def differing(root):
    """The files, by their names in the project, that are not as drawn, each with what is drawn;
    None for one that no function draws."""
    pictures = dict(drawn())
    there = {str(path.relative_to(root)) for path in root.glob("*/pictures/*.svg")}
    return {name: pictures.get(name) for name in sorted(there | pictures.keys())
            if name not in there or (root / name).read_text(encoding="ascii") != pictures.get(name)}


def write(root):
    for name, svg in differing(root).items():
        if svg is None:
            raise Failure(f"{name}: no function draws it, so remove it")
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(svg, encoding="ascii")


def check(root, _):
    differ = differing(root)
    if differ:
        print("not what is drawn (run scripts/notes write, or remove the file):", *differ)
    return not differ
