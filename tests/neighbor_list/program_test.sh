#!/usr/bin/env bash
# What neighbor_list promises beyond the command line that all examples share: its lesson, its
# sheet of graphene, the file that it writes, lists that have no room, and the picture of the bonds.
# Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

# The lesson with a file alone. Without a file it is a sample of the notes.
printf '0 0\n1 0\n0 1\n1 1\n-9 9\n' >five.txt
expect 0 '^cpu .* 6 pairs of neighbors' five.txt
for variant in atomic no_atomic; do
    grep -qE "^$variant .* 0 wrong lists: ok" output ||
        fail "the lesson does not say that $variant is ok"
done
: >empty.txt
expect 0 '^cpu .* 0 pairs of neighbors' empty.txt

# The sheet is the same on every machine, to the last of its six digits.
expect 0 'atoms.txt: 21785 atoms of a sheet of graphene' --write-atoms atoms.txt --precision double
sum=$(awk '{ printf "%.6f %.6f\n", $1, $2 }' atoms.txt | sha256sum)
[ "${sum%% *}" = acfb1a600ef17939325be5d723fcfcf0005df2a589189fa2c5ab9188094196c8 ] ||
    fail "the sheet of graphene is another one"
expect 2 'excludes --output' --write-atoms atoms.txt --output atoms.txt

# Every variant writes the same bytes: in the quick suite those of a part of the sheet, since all
# pairs of its atoms take long.
expect 0 '; [0-9]+ pairs of neighbors; ' --repeats 1 --variant cell_list --output expected.txt
pairs=$(sed -n 's/^input: .*; \([0-9]*\) pairs of neighbors; .*/\1/p' output)
input=()
if [ -z "${THOROUGH:-}" ]; then
    head -n 3000 atoms.txt >part.txt
    input=(--input part.txt)
fi
expect 0 ' pairs of neighbors; ' "${input[@]}" --repeats 1 --variant cell_list \
    --output expected_part.txt
for variant in $("$program" --list | awk '$2 == "right" { print $1 }'); do
    expect 0 "^$variant .*ok" "${input[@]}" --repeats 1 --variant "$variant" \
        --output "$variant.txt"
    cmp -s "$variant.txt" expected_part.txt || fail "$variant: writes another file"
done

# Four atoms, each near all others, and one apart.
expect 0 '; atoms with 3: 4' --input five.txt --repeats 1 --max-neighbors 4 --output neighbor.txt
printf '3 1 2 3 NaN\n3 0 2 3 NaN\n3 0 1 3 NaN\n3 0 1 2 NaN\n0 NaN NaN NaN NaN\n' >five_expected.txt
cmp neighbor.txt five_expected.txt || fail "the file of five atoms is not as expected"
expect 0 '; atoms with 2: 4' --input five.txt --repeats 1 --cutoff 1.2

# No room: every variant counts on, fails its check, and says who needs how much. The other variants
# run all the same, the table is written, and the old file stays.
lack='WRONG: atom 0 has 3 neighbors, more than the 2 .*--max-neighbors 3 would'
for variant in $("$program" --list | awk '$2 == "right" { print $1 }'); do
    echo old >kept.txt
    expect 1 "^$variant .*$lack" --input five.txt --repeats 1 --max-neighbors 2 \
        --variant "$variant" --output kept.txt
    grep -q 'kept.txt: not written' output ||
        fail "$variant: nothing says that no file was written"
    [ "$(cat kept.txt)" = old ] || fail "$variant: the old file is gone"
done
for atoms in '--input five.txt' '--n 300' '--n 300 --random'; do
    rm -f table.json kept.txt
    # shellcheck disable=SC2086  # two or three words
    expect 1 'WRONG: atom [0-9]+ has [0-9]+ neighbors, more than the 2 ' $atoms --repeats 1 \
        --all --max-neighbors 2 --json table.json --output kept.txt
    right=$("$program" --list | awk '$2 == "right"' | wc -l)
    failed=$(grep -cE 'WRONG: atom [0-9]+ has [0-9]+ neighbors|skipped' output)
    [ "$failed" = "$right" ] || fail "$atoms: $failed of $right variants say that room is missing"
    in_table=$(grep -c '"holds": false' table.json)
    [ "$in_table" = "$right" ] || fail "$atoms: $in_table of $right variants in the JSON"
    [ ! -e kept.txt ] || fail "$atoms: a list without room was written"
done

expect 0 'input: 0 atoms' --input empty.txt --repeats 1 --all --output neighbor.txt
[ -f neighbor.txt ] && [ ! -s neighbor.txt ] || fail "no atoms: expected an empty file"

# The picture: as many bonds as the program found pairs. Needs a Python with matplotlib.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import matplotlib' 2>/dev/null; then
        "$python" "$root/scripts/plot" bonds atoms.txt expected.txt bonds.svg \
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
