#!/usr/bin/env bash
# Every CUDA call of an example fails once: the message names the call and its place, the exit
# status is 1, no output is lost and nothing is left over. The CPU device makes the calls fail
# (CPU_DEVICE_FAIL, cpu_device/faults.hpp). Usage: failing_calls_test.sh PROGRAM
#
# These are the calls of a short run of all variants. The first 40 fail one by one (with THOROUGH
# set, the first 100); of the later ones every n-th, with n growing, since some programs make ten
# thousand.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"
export CPU_DEVICE_THREADS=2
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0  # what ends early frees little
arguments=(--n 200 --repeats 1 --output result --json table.json)

expect 0 '^input: ' "${arguments[@]}"
result_lines=$(wc -l <result)

# fail_at KIND NUMBER [ERROR]: runs the program with this fault. False when there are fewer calls.
fail_at() {
    echo old >result
    echo old >table.json
    CPU_DEVICE_FAIL="$1 $2${3:+ $3}" timeout 300 "$program" "${arguments[@]}" >output 2>errors </dev/null
    status=$?
    what="CPU_DEVICE_FAIL='$1 $2${3:+ $3}' $name ${arguments[*]}: status $status"
    if ! head -n 1 errors | grep -qE "^CPU device: $1 $2 \((.*)\) fails"; then
        [ "$status" = 0 ] || fail "$what with no fault: $(head -n 5 errors)"
        return 1
    fi
    call=$(sed -n "1s/^CPU device: $1 $2 (\(.*\)) fails.*/\1/p" errors)
    [ "$(ls)" = "$files" ] || fail "$what, and left over: $(ls | tr '\n' ' ')"
    if [ "$(cat result)" != old ] && [ "$(wc -l <result)" != "$result_lines" ]; then
        fail "$what, and result holds: $(head -c 200 result)"
    fi
    if [ "$(cat table.json)" != old ] && [ "$(tail -n 1 table.json)" != "}" ]; then
        fail "$what, and table.json holds: $(head -c 200 table.json)"
    fi
}
touch errors
files=$(ls)

# expect_message STATUS PATTERN: of the run that fail_at has made.
expect_message() {
    if [ "$status" != "$1" ] || ! grep -qE -- "$2" errors; then
        fail "$what ($call), expected $1 and '$2':"
        head -n 5 errors
    fi
}

place='^.+\.(cu|cuh|hpp):[0-9]+: '  # the path may have blanks
all=$([ -n "${THOROUGH:-}" ] && echo 100 || echo 40)
next() { echo $(($1 + ($1 < all ? 1 : 7 + $1 / 20))); }

calls=0
number=1
launch=0
while fail_at call "$number"; do
    calls=$((calls + 1))
    case $call in
    cudaFree | cudaFreeHost | cudaEventDestroy | cudaStreamDestroy)
        # In a destructor nothing is checked. The error then shows at the next call that asks for
        # the last error, as it does on a GPU.
        [ "$status" = 0 ] || expect_message 1 "$place" ;;
    'a launch')
        launch=$number
        expect_message 1 "${place}(kernel launch|cudaLaunchCooperativeKernel)"
        ;;
    *) expect_message 1 "$place.*${call%WithFlags}" ;;
    esac
    number=$(next "$number")
done
allocations=0
number=1
while fail_at allocation "$number"; do
    allocations=$((allocations + 1))
    expect_message 1 "${place}cudaMalloc"
    expect_message 1 'cudaErrorMemoryAllocation'
    expect_message 1 '^    [1-9][0-9]* bytes were wanted; [0-9]+ of the device.s [0-9]+ bytes are free'
    number=$(next "$number")
done
# What the machine is the reason of: each has its own message. cudaGetDeviceCount is the first call.
while read -r number error status pattern; do
    fail_at call "$number" "$error"
    expect_message "$status" "$error: "
    expect_message "$status" "$pattern"
done <<END
2 cudaErrorNoDevice 77 ^no CUDA device found
2 cudaErrorInsufficientDriver 1 ^The GPU's driver is too old: it is for CUDA 13.0, and this program
$launch cudaErrorNoKernelImageForDevice 1 ^This program was not compiled for this GPU: .*capability [0-9]
$launch cudaErrorNoKernelImageForDevice 1 ^Build it on this machine, or with -DCMAKE_CUDA_ARCHITECTURES
$launch cudaErrorUnsupportedPtxVersion 1 ^This program was not .*; its driver is too old to translate
$launch cudaErrorMemoryAllocation 1 ^    [0-9]+ of the device.s [0-9]+ bytes are free; expected a smaller
END
fail_at call 1 cudaErrorNoDevice
expect_message 77 '^no CUDA device found'
fail_at call 1 cudaErrorInsufficientDriver
expect_message 1 '^The GPU.s driver is too old'
# With --queued, and only then, a kernel of the harness keeps the device busy before a timed run: one
# of the launches that can fail is there.
launches_of_harness() {
    local number=1 launches=0
    while fail_at call "$number"; do
        grep -q 'harness/repeat.cuh:[0-9]*: kernel launch' errors && launches=$((launches + 1))
        number=$((number + 1))
    done
    echo "$launches"
}
# By the second variant: the first one of grid_barrier makes many launches.
second=$("$program" --list | awk '$2 == "right" && ++rights == 2 { print $1 }')
arguments+=(--variant "$second")
[ "$(launches_of_harness)" = 0 ] || fail "without --queued the device is kept busy"
arguments+=(--queued)
export CPU_DEVICES=1  # the time of several is not that of one device
[ "$(launches_of_harness)" = 1 ] || fail "--queued does not keep the device busy once for one run"
echo "$name: $calls calls and $allocations allocations failed"
[ "$calls" -gt 40 ] && [ "$allocations" -gt 0 ] || fail "too few calls failed"
say_and_exit
