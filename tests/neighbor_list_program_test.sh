#!/usr/bin/env bash
# What neighbor_list promises beyond the command line that all examples share: its default input,
# the file that it writes, lists that have no room, and the picture of the bonds.
# Usage: neighbor_list_program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"

expect 2 'expected a length' --cutoff -1
expect 2 'expected a length' --cutoff nan
expect 2 '--max-neighbors' --max-neighbors 0
expect 2 'excludes' --input xy.txt --n 5
expect 2 'excludes' --input xy.txt --random

need_device
[ ! -e neighbor.txt ] || fail "made-up atoms left a file that nobody asked for"

# The sheet in data/ is found from any directory, and every variant writes the same bytes.
expect 0 '^pairs of neighbours: ' --repeats 1 --variant cell_list
cp neighbor.txt expected.txt
for variant in $("$program" --list | awk '$2 == "right" { print $1 }'); do
    for precision in float double; do
        expect 0 "^$variant .*ok" --repeats 1 --variant "$variant" --precision "$precision" \
            --output "$variant.txt"
        cmp -s "$variant.txt" expected.txt || fail "$variant, $precision: writes another file"
    done
done

# Four atoms, each near all others, and one apart.
printf '0 0\n1 0\n0 1\n1 1\n-9 9\n' >five.txt
expect 0 '^atoms with 3: 4' --input five.txt --repeats 1 --max-neighbors 4
printf '3 1 2 3 NaN\n3 0 2 3 NaN\n3 0 1 3 NaN\n3 0 1 2 NaN\n0 NaN NaN NaN NaN\n' >five_expected.txt
cmp neighbor.txt five_expected.txt || fail "the file of five atoms is not as expected"
expect 0 '^atoms with 2: 4' --input five.txt --repeats 1 --cutoff 1.2

# No room: every variant counts on, fails its check, and says who needs how much. The other variants
# run all the same, the table is written, and the old file stays.
lack='WRONG: atom 0 has 3 neighbours, more than the 2 .*--max-neighbors 3 would'
for variant in $("$program" --list | awk '$2 == "right" { print $1 }'); do
    echo old >kept.txt
    expect 1 "^$variant .*$lack" --input five.txt --repeats 1 --max-neighbors 2 \
        --variant "$variant" --output kept.txt
    grep -q '^kept.txt: not written' output ||
        fail "$variant: nothing says that no file was written"
    [ "$(cat kept.txt)" = old ] || fail "$variant: the old file is gone"
done
for atoms in '--input five.txt' '--n 300' '--n 300 --random'; do
    rm -f table.json kept.txt
    # shellcheck disable=SC2086  # two or three words
    expect 1 'WRONG: atom [0-9]+ has [0-9]+ neighbours, more than the 2 ' $atoms --repeats 1 \
        --max-neighbors 2 --json table.json --output kept.txt
    right=$("$program" --list | awk '$2 == "right"' | wc -l)
    failed=$(grep -cE 'WRONG: atom [0-9]+ has [0-9]+ neighbours|skipped' output)
    [ "$failed" = "$right" ] || fail "$atoms: $failed of $right variants say that room is missing"
    in_table=$(grep -c '"holds": false' table.json)
    [ "$in_table" = "$right" ] || fail "$atoms: $in_table of $right variants in the JSON"
    [ ! -e kept.txt ] || fail "$atoms: a list without room was written"
done
expect 1 'WRONG: atom [0-9]+ has' --n 300 --repeats 1 --max-neighbors 2
if grep -q 'not written' output; then
    fail "made-up atoms: the program speaks of a file that nobody asked for"
fi
rm -f neighbor.txt
expect 0 '^wrong_layout .*wrong, as announced' --repeats 1 --variant wrong_layout
[ ! -e neighbor.txt ] || fail "a wrong variant left a file that nobody asked for"
(cd /proc && "$program" --n 100 --repeats 1 --variant atomic >"$scratch/output" 2>&1) ||
    fail "made-up atoms: the file that nobody asked for must not need a place: $(cat output)"

# Files that are not as they should be.
printf '1 2\n3\n' >bad.txt
expect 1 'bad.txt:2: 1 number; expected 2 finite numbers a line' --input bad.txt
printf '1 2\n\n3 inf\n' >bad.txt
expect 1 "bad.txt:3: 'inf' is not finite" --input bad.txt
: >empty.txt
expect 0 'input: 0 atoms' --input empty.txt --repeats 1
[ -f neighbor.txt ] && [ ! -s neighbor.txt ] || fail "no atoms: expected an empty file"

# The picture: as many bonds as the program found pairs. Needs a Python with matplotlib.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import matplotlib' 2>/dev/null; then
        pairs=$("$program" --repeats 1 --variant cell_list | sed -n 's/^pairs of neighbours: //p')
        "$python" "$root/scripts/plot" bonds "$root/data/xy.txt" neighbor.txt bonds.svg \
            >output 2>&1 || fail "scripts/plot: $(cat output)"
        grep -q " $pairs bonds drawn" output || fail "scripts/plot: expected $pairs bonds"
        [ -s bonds.svg ] || fail "scripts/plot drew nothing"
        echo '1 1 NaN' >wrong.txt
        "$python" "$root/scripts/plot" bonds five.txt wrong.txt wrong.svg >output 2>&1 &&
            fail "scripts/plot took a list of another sheet"
        grep -q '^error: wrong.txt' output || fail "scripts/plot: no clear error: $(cat output)"
        [ ! -e wrong.svg ] || fail "scripts/plot left half a picture"
        break
    fi
done

say_and_exit
