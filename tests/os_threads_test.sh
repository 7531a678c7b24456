#!/usr/bin/env bash
# An example on the CPU device with many OS threads, with fewer than it wants, and with little
# memory. Usage: os_threads_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"
n=20000
[ "$name" != neighbor_list ] || n=5000  # some of its variants look at all pairs
arguments=(--n $n --repeats 1)

for threads in 64 256; do
    CPU_DEVICE_THREADS=$threads expect 0 '^input: ' "${arguments[@]}"
done
for threads in 0 257 1.5 1e2 -1 +4 010x ' 4' 99999999999999999999 ''; do
    CPU_DEVICE_THREADS=$threads expect 2 \
        '^CPU_DEVICE_THREADS=.*: expected a whole number from 1 to 256' "${arguments[@]}"
done

# The system starts no further OS thread: the first of them, the second, one in the middle.
for first in 1 2 9; do
    CPU_DEVICE_THREADS=16 CPU_DEVICE_FAIL="thread $first" \
        expect 0 "^CPU device: thread $first \(the start of an OS thread\) fails" "${arguments[@]}"
    grep -q '^input: ' output || fail "CPU_DEVICE_FAIL='thread $first': no table"
done
# The same by the system's own limit, which does not hold for root. Another user may be kept out of
# a folder above this one, or of /.
user=()
if [ "$(id -u)" = 0 ]; then
    user=(setpriv --reuid=54321 --regid=54321 --clear-groups)
    chmod a+rx "$scratch"
fi
cp "$program" program && chmod a+rx program
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0  # for that it starts a process
if ! "${user[@]}" test -x "$scratch/program" 2>/dev/null; then
    echo "[skipped part] $name: ulimit -u 1, since another user cannot run a program in $scratch"
elif CPU_DEVICE_THREADS=16 "${user[@]}" timeout 300 bash -c 'ulimit -u 1; exec "$@"' bash \
    ./program "${arguments[@]}" >output 2>&1; then
    grep -q '^input: ' output || fail "ulimit -u 1: no table"
else
    fail "ulimit -u 1: status $?: $(head -n 5 output)"
fi

# Little memory: the run succeeds, or says in a sentence what was wanted. AddressSanitizer reserves
# more than any limit allows.
if ! grep -q __asan_init "$program"; then
    refused=0
    for megabytes in 20 30 50 75 100 200 400; do
        for threads in 2 64; do
            for length in 1000 ${THOROUGH:+$n}; do
                (
                    ulimit -v $((megabytes * 1000)) -c 0
                    CPU_DEVICE_THREADS=$threads timeout 300 "$program" --n $length --repeats 1 \
                        >output 2>errors
                )
                status=$?
                [ "$status" = 0 ] && continue
                refused=$((refused + 1))
                if [ "$status" != 1 ] || ! grep -qE '^error: not enough memory|cudaErrorMemoryAll' \
                    errors || [ "$(wc -l <errors)" -gt 3 ]; then
                    fail "ulimit -v ${megabytes}000, $threads OS threads, --n $length: status $status:" \
                        "$(head -n 5 errors)"
                fi
            done
        done
    done
    [ "$refused" -gt 0 ] || fail "ulimit -v: memory was never short"
fi
say_and_exit
