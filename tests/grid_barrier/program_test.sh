#!/usr/bin/env bash
# What only grid_barrier's command line has. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

# Nine cells in three rows: the one in the middle becomes the mean of 1, 3, 5 and 7.
printf '%s\n' 0 1 0 3 100 5 0 7 0 >plate.txt
expect 0 '^input: a plate of 9 cells, 3 per row, temperatures from plate.txt; 1 steps' \
    --input plate.txt --steps 1 --repeats 1 --output after.txt --json table.json
printf '%s\n' 0 1 0 3 4 5 0 7 0 | cmp - after.txt || fail "--output: not the plate after one step"
grep -q '"steps": 1' table.json || fail "--json: no steps"
grep -q '"name": "grid_section"' table.json || fail "--json: no rows of the second table"
expect 0 '^counter .*ok' --input plate.txt --steps 0 --variant counter --repeats 1 \
    --output after.txt
cmp plate.txt after.txt || fail "--steps 0: the plate has changed"

# Without a barrier's row, the result is the hottest cell.
expect 0 '^grid_section .*ok' --input plate.txt --variant grid_section --repeats 1 \
    --output hottest.txt
echo '100 4' | cmp - hottest.txt || fail "--output: not the hottest cell"

expect 0 '^[|] @ [|]$' --input plate.txt --variant counter --repeats 1 --steps 0 --draw
grep -c '^|.*|$' output | grep -qx 3 || fail "--draw: not three rows"

expect 0 '^counter .*ok' --n 1000 --block 64 --grid 3 --variant counter --repeats 1
expect 1 'wait for each other, and [0-9]+ of them fit on this device; expected a smaller --grid' \
    --n 1000 --grid 10000000 --variant counter --repeats 1

# What never ends is not started on a GPU. The CPU device ends it with a report.
for endless in $("$program" --list | awk '$2 == "deadlock" { print $1 }'); do
    if "$program" --n 1 --repeats 1 --table | grep -q '^CPU device'; then
        CPU_DEVICE_DEADLOCK_SECONDS=0.5 expect 134 'deadlock in kernel heat_' --n 300 --block 64 \
            --repeats 1 --variant "$endless"
    else
        expect 0 "^$endless +skipped: a GPU would never end" --variant "$endless"
    fi
done
say_and_exit
