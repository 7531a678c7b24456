#!/usr/bin/env python3
"""Is the table of docs/progress.md what nvcc makes of docs/orders.cu?

    tests/orders_test.py           ends with 1 where it is not, with 77 where there is no nvcc
    tests/orders_test.py --write   writes the table
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE, PAGE = ROOT / "docs/orders.cu", ROOT / "docs/progress.md"
BEGIN, END = "<!-- orders begin -->\n", "<!-- orders end -->\n"
KEPT = re.compile(r"\s+((?:atom|red|fence|membar|bar|barrier|ld\.(?:relaxed|acquire)"
                  r"|st\.(?:relaxed|release))\.[\w.]+)")


def compiled(nvcc: str) -> dict[str, list[str]]:
    """For each kernel its instructions of memory order, in PTX for compute capability 9.0."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "orders.ptx"
        subprocess.run([nvcc, "-std=c++17", "-arch=compute_90", "-ptx", SOURCE, "-o", out],
                       check=True)
        kernels = re.split(r"\.entry (\w+)\(", out.read_text())[1:]
    return {name: KEPT.findall(text) for name, text in zip(kernels[::2], kernels[1::2])}


def table(kernels: dict[str, list[str]]) -> str:
    """The rows of orders.cu, in its order."""
    lines = ["| CUDA C++, with the scope of the device where none is named | PTX |", "|---|---|"]
    for name, statement in re.findall(r"^ROW\((\w+), +(.*)\)$", SOURCE.read_text(), re.M):
        shown = re.sub(r"^\*q = |Device\(\*p\)\.|cuda::(?=memory|thread)", "", statement)
        shown = re.sub(r"^\*q = |Device\(\*p\)\.", "", shown)
        lines.append(f"| `{shown}` | " + ", ".join(f"`{word}`" for word in kernels[name]) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not shutil.which(nvcc):
        print("skipped: there is no nvcc")
        return 77
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    new = table(compiled(nvcc))
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(before + BEGIN + new + END + after, encoding="utf-8")
    elif old != new:
        print(f"{PAGE}: nvcc makes another table (tests/orders_test.py --write):\n{new}")
        return 1
    print(f"{len(new.splitlines()) - 2} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
