#!/usr/bin/env bash
# What holds for a run of every example; what is refused is in bad_input/.
# Usage: command_line_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"

expect 0 '^Example:' --help
expect 0 '^[a-z_0-9]+ +right ' --list
"$program" --list >list

need_device

first=$(awk '$2 == "right" { print $1; exit }' list)
expect 0 "^$first .*(ok|no bound)" --n 1000 --repeats 1 --variant "$first"
expect 0 '^input: (a plate of )?0 ' --n 0 --repeats 1
expect 0 '^input: (a plate of )?1 ' --n 1 --repeats 1
# On one GPU: the time of several is not that of one device.
gpu=${CUDA_VISIBLE_DEVICES:-0}
CPU_DEVICES=1 CUDA_VISIBLE_DEVICES=${gpu%%,*} \
    expect 0 '^input: ' --n 1000 --repeats 2 --queued --json table.json
grep -q '"queued": true' table.json || fail "--queued has no effect"
expect 0 '^input: ' --n 1000 --repeats 1 --block 100 --json table.json
grep -q "\"program\": \"$name\"" table.json || fail "no JSON"
grep -q '"queued": false' table.json || fail "--queued holds where it is not given"
# 0: the CPU has no blocks.
awk '/"block_size":/ { used = $2 + 0; rows += used == 100 }
     /"block_is_fixed": false/ && used != 0 && used != 100 { others = 1 }
     END { exit others || !rows }' table.json || fail "--block 100: another size of the blocks"
case $name in
neighbor_list | mutex_dot) printf '1 2\n3 4\n5 6\n' >three.txt ;;  # two columns
histogram) printf 'abc' >three.txt ;;
*) printf '1\n2\n3\n' >three.txt ;;
esac
expect 0 '^input: ' --input three.txt --repeats 1 --json table.json
grep -q '"n": 3,' table.json || fail "--json: not the n of the input file"

# Wrong variants run when asked for, say what they are, and leave the exit status alone; but they
# are no result to be written.
wrong=$(awk '$2 == "race" || $2 == "unsynchronized" { print $1; exit }' list)
if [ -n "$wrong" ]; then
    expect 1 'wrong.txt: not written' --n 100 --repeats 1 --variant "$wrong" --output wrong.txt
    [ ! -e wrong.txt ] || fail "a wrong variant left its output"
fi
for wrong in $(awk '$2 == "wrong_result" { print $1 }' list); do
    expect 0 "^$wrong .*wrong, as announced" --n 1000 --random --repeats 1 --variant "$wrong"
done
for wrong in $(awk '$2 == "race" || $2 == "unsynchronized" { print $1 }' list); do
    expect 0 \
        "^$wrong .*(wrong, as announced|right this time|skipped: (a GPU may never end|needs two GPUs))" \
        --n 1000 --repeats 1 --variant "$wrong"
done
say_and_exit
