#!/usr/bin/env bash
# notebook_test.sh: notebooks/start.ipynb runs from the first cell to the last, and its cells show
# what their text says. Skipped where nbconvert or the kernel of Python is not installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3  # the one that Debian's packages belong to
"$python" -c 'import nbconvert, ipykernel' 2>/dev/null ||
    { echo "nbconvert or ipykernel is not installed (jupyter-nbconvert, python3-ipykernel)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root/notebooks"
HOME=$folder "$python" -m nbconvert --to notebook --execute --ExecutePreprocessor.timeout=900 \
    --output-dir "$folder" --output done start.ipynb >"$folder/log" 2>&1 ||
    { tail -n 30 "$folder/log"; exit 1; }
"$python" - "$folder/done.ipynb" <<'TEXT'
import json
import sys

shown = []
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    for output in cell.get("outputs", []):
        shown.append("".join(output.get("text", output.get("data", {}).get("image/svg+xml", ""))))
everything = "\n".join(shown)
for wanted in ("Which accesses of lost_update meet", "DATA RACE in kernel count_lost_update",
               "DATA RACE in kernel largest", "<svg", "Is the line still `++*d_count`", "Solved."):
    if wanted not in everything:
        sys.exit(f"no cell shows '{wanted}'")
TEXT
