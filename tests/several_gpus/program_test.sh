#!/usr/bin/env bash
# What only several_gpus' command line has. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

printf '%s\n' 3 1 4 1 5 >numbers.txt
expect 0 '^input: 5 floats from numbers.txt on one GPU' --input numbers.txt --repeats 1 --gpus 1 \
    --output sum.txt --json table.json
[ "$(cat sum.txt)" = 14 ] || fail "--output: not the sum"
grep -q '"gpus": 1' table.json || fail "--json: not the number of GPUs"
printf 'abca' >text.txt
expect 0 '^input: 4 bytes from text.txt' --task histogram --input text.txt --repeats 1 \
    --output counts.txt
for line in '0 0' '97 2' '99 1' '255 0'; do
    grep -qx "$line" counts.txt || fail "--task histogram: no line '$line'"
done
expect 2 '^--gpus: there (is one device|are [0-9]+ devices), and 64 are wanted' --gpus 64

# More items than the host keeps: the GPUs make them. Not on the CPU device, where it takes minutes.
if "$program" --n 1 --repeats 1 --gpus 1 | grep -q '^CPU device'; then
    expect 0 'on 2 GPUs' --n 1000 --repeats 1  # without CPU_DEVICES
    CPU_DEVICES=1 expect 2 \
        '^--gpus: there is one device, and 2 are wanted; CPU_DEVICES=2 before the command' --gpus 2
    CPU_DEVICES=3 expect 0 'on 3 GPUs' --n 1000 --repeats 1
    expect 2 '^--queued: holds back GPU 0 alone.* expected --gpus 1' --queued
    expect 0 'on one GPU' --n 1000 --repeats 1 --queued --gpus 1
    expect 0 '^no_peer_access +skipped: its kernel fails' --n 10 --variant no_peer_access
else
    expect 0 '^host_joins .*ok' --n 300M --repeats 1 --variant host_joins
fi
say_and_exit
