#!/usr/bin/env bash
# What scripts/plot draws of scripts/bench's file and of a program's own, and what it says of files
# that are neither. The bonds are skipped (77) where no Python has matplotlib.
# Usage: plot_test.sh BIN_DIRECTORY
set -u
own_python=$(command -v python3)  # which may have matplotlib
PATH=/usr/bin:$PATH  # a python3 before the system's may be a wrapper that is slow to start
bin=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "no Python 3"; exit 77; }
python=python3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# plot STATUS PATTERN ARGUMENTS...
plot() {
    local status=$1 pattern=$2 got
    shift 2
    "$python" "$root/scripts/plot" "$@" >output 2>&1
    got=$?
    if [ $got != "$status" ] || ! grep -qE -- "$pattern" output || grep -q Traceback output; then
        fail "plot $*: status $got, expected $status and '$pattern'; output: $(head -n 20 output)"
    fi
}
shows() {
    local file=$1 text
    shift
    [ -s "$file" ] || { fail "there is no $file"; return; }
    [ "$(stat -c %s "$file")" -lt 60000 ] || fail "$file has 60,000 bytes or more"
    for text; do
        grep -qF -- ">$text</text>" "$file" || fail "$file does not show '$text'"
    done
}

# A file of scripts/bench. The lesson's variants have a picture of their own.
row() {
    printf '{"name": "%s", "level": "%s", "skipped": "%s", "median_ms": %s, "spread": 0}' "$@"
}
device='"device": {"name": "Some GPU", "cuda_runtime": 13000}'
table() {
    printf '{"program": "sum", "n": %s, "plain_read_ms": 0.0947, "queued": false, "extra": %s, ' \
        "$1" "$2"
    printf '"variants": [%s, %s, %s]}' "$(row slow lesson '' 175.582)" "$(row fast record '' "$3")" \
        "$(row absent lesson 'needs more' 0)"
}
sweep='{"sweep": {"grid_sizes": [1, 64], "ms": {"slow": [9.5, 0.5], "fast": [1.5, 0.25]}}}'
run() { printf '{"title": "%s", "flags": ["--contention", "0.5"], "table": %s}' "$1" "$2"; }
cat >bench.json <<END
{$device, "driver": "1.2", "date": "2026-01-01", "commit": "abc123", "runs": [
$(run 'all of it' "$(table 1000 null 0.0942)"), $(run 'once more' "$(table 1000 null 0.03 | sed 's/175.582/0.5/; s/0.0947/0.02/')"),
$(run sizes "$(table 1000 null 0.5)"),
$(run sizes "$(table 1000000 null 0.75)"), $(run contention "$(table 1000 null 0.5)"),
$(run blocks "$(table 1000 "$sweep" 0.5)")]}
END
plot 0 'pictures/sum.svg: 2 panels, commit abc123' results bench.json pictures
shows pictures/sum.svg slow 176 'all of it' 0.0947 'plain read of the input' \
    'sum (Some GPU, driver 1.2, 2026-01-01, commit abc123)'
grep -q '>fast<' pictures/sum.svg && fail "the lesson's picture shows a variant of the record"
shows pictures/sum_all.svg slow 176 fast 0.0942
grep -q '>absent<' pictures/sum_all.svg && fail "a variant that did not run has a dot"
# All panels share one axis: a dot farther to the right is a longer time, in whichever panel.
"$python" - pictures/sum_all.svg <<'END' || fail "dots of two panels are not on one axis"
import re, sys
text = open(sys.argv[1]).read()
dots = re.findall(r'<circle cx="([0-9.]+)".*\n.*>([0-9.]+)</text>', text)
places = {float(ms): float(x) for x, ms in dots}
assert sorted(places) == [0.02, 0.03, 0.0942, 0.0947, 0.5, 176], dots
assert sorted(places, key=places.get) == sorted(places), dots
assert places[0.5] - places[0.02] > 0.5 * (places[176] - places[0.5]), "not logarithmic"
END
shows pictures/sum_sizes.svg slow fast 1K 1M 'plain read'
shows pictures/sum_contention.svg slow fast
shows pictures/sum_blocks.svg slow fast 1 64
cp -r pictures before
plot 0 '' results bench.json pictures
diff -r before pictures || fail "the same file gives other pictures"

# A program's own file, with a sweep and without; a wrong variant is marked.
"$bin/histogram" --n 5000 --sweep --repeats 1 --json own.json >output 2>&1 || fail "$(cat output)"
plot 0 'own/histogram_blocks.svg: 1 panels$' results own.json own
shows own/histogram.svg global shared
shows own/histogram_blocks.svg global shared 'number of blocks'
"$bin/reduce_atomic" --n 5000 --repeats 1 --variant no_guard --json own.json >output 2>&1 ||
    fail "$(cat output)"
plot 0 'own/reduce_atomic.svg' results own.json own
grep -q ' wrong</text>' own/reduce_atomic.svg || fail "nothing says that no_guard is wrong"

# Files that are something else.
plot 1 '^error: missing.json: No such file' results missing.json pictures
echo 'no json' >other.json
plot 1 '^error: other.json: .*expected a file that scripts/bench or a program' results other.json own
echo '{"variants": []}' >other.json
plot 1 "^error: other.json: 'input' is missing" results other.json own
sed 's/"n": 1000,//' bench.json >other.json
plot 1 "^error: other.json: runs\[0\]: table: 'n' is missing" results other.json own
sed 's/: \[9.5, 0.5\]/: [9.5]/' bench.json >other.json
plot 1 '^error: other.json: slow: 1 times for 2 numbers of blocks' results other.json own
{ echo "{$device, \"input\": \"some\", "; table 1000 null 1 | cut -c 2-; } |
    sed 's/"skipped": ""/"skipped": "no GPU"/g' >other.json
plot 1 '^error: other.json: no variant ran' results other.json own
plot 1 '^error: .*(own|Not a directory|exists)' results bench.json other.json

# The picture of the bonds; a list of another sheet leaves nothing behind.
for candidate in "${own_python:-none}" /usr/bin/python3 none; do
    "$candidate" -c 'import matplotlib' 2>/dev/null && python=$candidate && break
done
[ "$candidate" != none ] || { echo "no Python with matplotlib"; exit $((failures > 0 ? 1 : 77)); }
printf '0 0\n1 0\n0 1\n1 1\n-9 9\n' >five.txt
printf '3 1 2 3\n3 0 2 3\n3 0 1 3\n3 0 1 2\n0 NaN\n' >lists.txt
plot 0 '5 atoms, 6 bonds drawn' bonds five.txt lists.txt bonds.svg
[ -s bonds.svg ] || fail "no picture of the bonds"
echo '1 1' >lists.txt
plot 1 '^error: lists.txt: 1 atoms' bonds five.txt lists.txt other.svg
[ ! -e other.svg ] || fail "half a picture was left"

[ $failures = 0 ] && echo "plot: all held"
exit $((failures > 0))
