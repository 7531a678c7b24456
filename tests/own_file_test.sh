#!/usr/bin/env bash
# scripts/run and scripts/race with files that belong to no chapter. They run in a copy of the
# project, whose compiler writes down that it was called. With make there, Ninja must not be called.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/run"
unset WARNINGS_AS_ERRORS PRESET CXX
project="$scratch/"$'\xc3\x9c'"bung #1 (a), it's"  # an umlaut, in UTF-8
mkdir -p "$project" bin home "my files/more"
cp -r "$root"/{scripts,cpu_device,common,basics,docs} "$project"
# make PROGRAM: writes the standard input as a script bin/PROGRAM.
make() {
    { echo '#!/bin/bash'; cat; } >"bin/$1"
    chmod +x "bin/$1"
}
export LOG=$scratch/log
make logged_cxx <<'END_OF_SCRIPT'
echo "$*" >>"$LOG"
[ -z "${SLOW:-}" ] || exec sleep 20
case "$*" in
*.cxx | */cpu_device/*.cpp) exec $CACHED g++ "$@" ;;
esac
exec g++ "$@"
END_OF_SCRIPT
compile_device_once "$project"
make ninja <<<'echo "ninja $*" >>"$LOG"; exit 1'
export CXX=$scratch/bin/logged_cxx PATH=$scratch/bin:$PATH
run=$project/scripts/run race=$project/scripts/race
export RACE_STORY_SECONDS=0  # another test looks for stories
cd "my files" || exit 1

# compiled / not_compiled: did a compiler run since the last call of these?
compiled() { [ -s "$LOG" ] || fail "$1: no compiler ran"; clear_log; }
not_compiled() { [ ! -s "$LOG" ] || fail "$1: the compiler ran: $(cat "$LOG")"; clear_log; }
clear_log() { cat "$LOG" >>"$LOG.all" 2>/dev/null; : >"$LOG"; }

# --- scripts/run ----------------------------------------------------------------------------------
cat >'two words.cu' <<'END_OF_SOURCE'
#include <cstdio>
#include <cstdlib>
#include "more/number.h"
#ifndef EXTRA
#define EXTRA 0
#endif
__global__ void store(int* d_x, int value) { *d_x = value; }
int main(int argc, char** argv) {
    int x, *d_x;
    cudaMalloc(&d_x, sizeof x);
    store<<<1, 1>>>(d_x, NUMBER + EXTRA);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    std::printf("stored %d, got", x);
    for (int i = 1; i < argc; ++i) {
        std::printf(" [%s]", argv[i]);
    }
    std::printf("\n");
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
END_OF_SOURCE
echo '#define NUMBER 40' >more/number.h
program=$run
expect 0 'building the CPU device \(cpu\), once' --cpu 'two words.cu'
compiled "the first run"
expect 0 '^stored 40, got$' --cpu 'two words.cu'
not_compiled "an unchanged file"
grep -q building output && fail "the CPU device is built twice"
# It starts at once: the median of the CPU times of five starts, the program's own milliseconds
# included. On a busy machine the time of the clock would say nothing.
TIMEFORMAT='%3U %3S'
for ((i = 0; i < 5; ++i)); do
    { time "$run" --cpu 'two words.cu' >output 2>&1; } 2>&1 | awk '{ print int(($1 + $2) * 1000) }'
done | sort -n >starts
median=$(sed -n 3p starts)
echo "start of an unchanged file: $median ms of CPU time, the median of" $(<starts)
[ "$median" -le 500 ] || fail "an unchanged file takes $median ms to start; expected at most 500"
expect 7 '^stored 40, got \[7\] \[a b\] \[-x\]$' --cpu 'two words.cu' 7 'a b' -x
expect 0 '^stored 40, got \[-DEXTRA=1\]$' --cpu 'two words.cu' -- -DEXTRA=1
not_compiled "other arguments"
expect 0 '^stored 42, got$' --cpu 'two words.cu' -DEXTRA=2
compiled "a definition"
echo '#define NUMBER 50' >more/number.h
expect 0 '^stored 50, got$' --cpu 'two words.cu'
compiled "a changed header"
cp 'two words.cu' '#1 $HOME "it'"'"'s".cu'
expect 0 '^stored 50, got$' --cpu '#1 $HOME "it'"'"'s".cu'
clear_log
expect 0 '^stored 50, got$' --cpu '#1 $HOME "it'"'"'s".cu'
not_compiled "an unchanged file with an awkward name"
cd more || exit 1
expect 0 '^stored 50, got$' --cpu '../two words.cu'
cd .. || exit 1
clear_log
touch "$project/cpu_device/compile"
expect 0 '^stored 50, got$' --cpu 'two words.cu'
compiled "a changed CPU device"

expect 0 "ignored, since only nvcc knows it: -arch sm_80 -lineinfo --extended-lambda" \
    --cpu -arch sm_80 -lineinfo 'two words.cu' --extended-lambda
expect 3 '^stored 50, got \[3\]$' --cpu -arch sm_80 -lineinfo 'two words.cu' --extended-lambda 3
cat >per_thread.cu <<'EOF'
#include <cstdio>
int main() {
    std::puts("begins");
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    return 5;
#endif
}
EOF
expect 5 '^begins$' --cpu per_thread.cu --default-stream=per-thread 3
expect 2 "there is no flag '--nonsense'; see scripts/run --help" --nonsense 'two words.cu'
expect 2 'there is no file missing.cu' missing.cu
expect 2 "-I: expected a word after it" 'two words.cu' -I
expect 2 "expected a source file .* before 'histogram'" -O2 histogram
expect 2 "scripts/run takes no --seeds" 'two words.cu' --seeds 2
echo 'int main() { return nothing; }' >wrong.cu
expect 1 '^wrong.cu:1:.*nothing' --cpu wrong.cu
expect 1 'wrong.cu does not compile' --cpu wrong.cu
# Ended while it compiles, by Ctrl-C or otherwise: nothing is said of the file.
for signal in 'INT 130' 'TERM 143' 'HUP 129'; do
    SLOW=1 timeout --preserve-status -s ${signal% *} 1 "$run" --cpu wrong.cu >output 2>&1
    [ $? = ${signal#* } ] || fail "${signal% *}: expected status ${signal#* }: $(cat output)"
    ! grep 'does not compile' output || fail "${signal% *} while it compiles"
done
# No room for the compiler's files.
if unshare -rm mount -t tmpfs none "$scratch/home" 2>/dev/null; then
    program=unshare
    expect 1 "cannot compile wrong.cu: there is no room in $scratch/home" -rm bash -c \
        'mount -t tmpfs -o size=8k none "$1" && TMPDIR=$1 exec "$2" --cpu wrong.cu' \
        bash "$scratch/home" "$run"
    program=$run
else
    echo "skipped: a full TMPDIR: mount is not allowed"
fi
echo 'int other(); int main() { return other(); }' >alone.cu
expect 1 'the program cannot be linked' --cpu alone.cu
echo 'int main() { puts("ran"); return 9; }' | cat <(echo '#include <cstdio>') - >alone.cu
expect 9 '^ran$' --cpu alone.cu

# A program that was cut short is made anew; a compiler may be two words.
for program in "$project"/build/own/cpu/alone-*/alone; do
    truncate -s 1000 "$program"
done
program=$run
expect 9 '^ran$' --cpu alone.cu
CXX="env $CXX" expect 9 '^ran$' --cpu alone.cu
clear_log

# Two files, a folder of headers, a library, another standard, a word for the host's compiler.
cat >main.cu <<'END_OF_SOURCE'
#include <cstdio>
#include "number.h"
double root_of(double x);
template <typename T> concept Any = true;
__global__ void nothing() {}
int main() {
    nothing<<<1, 1>>>();
    std::printf("%.1f %d %d\n", root_of(NUMBER + 14.0), HOST, sizeof(long double) == 16);
}
END_OF_SOURCE
printf '#include <cmath>\ndouble root_of(double x) { return std::sqrt(x); }\n' >root.cpp
two=(main.cu root.cpp -I more -std=c++20 -lm -Xcompiler -DHOST=6,-Wall)
expect 0 '^8.0 6 1$' --cpu "${two[@]}"
clear_log
touch root.cpp
expect 0 '^8.0 6 1$' --cpu "${two[@]}"
grep -q main.cu "$LOG" && fail "main.cu was compiled since root.cpp has changed"
compiled "a changed root.cpp"

# From here on without make: there Ninja will do. (Race mode has not been built yet.)
mkdir "$scratch/no_make"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]:1}"; do  # without the Ninja of above
    find -L "$folder" -maxdepth 1 -type f -executable ! -name '*make' \
        -exec ln -s -t "$scratch/no_make" {} + 2>/dev/null
done
ln -sf "$(type -P cmake)" "$scratch/no_make"
PATH=$scratch/no_make
rm -r "$project/build/device"

# A launch that will take hours says so, and where it is; race mode's as well.
cat >long.cu <<'END_OF_SOURCE'
__global__ void work(int* d_x) { atomicAdd(d_x + threadIdx.x % 8, 1); }
int main() {
    int* d_x;
    cudaMalloc(&d_x, 32);
    cudaMemset(d_x, 0, 32);
    work<<<dim3(BLOCKS), 256>>>(d_x);
}
END_OF_SOURCE
for command in run race; do
    if [ $command = run ]; then flags=(--cpu -DBLOCKS=1000000000,60000); fi
    if [ $command = race ]; then flags=(--seeds 1 -DBLOCKS=4000000); fi
    : >long  # what the command before has said is not this one's
    setsid "${!command}" "${flags[@]}" long.cu >long 2>&1 &
    said=no
    for ((tenths = 0; tenths < 1800; ++tenths)); do
        kill -0 $! 2>/dev/null || break
        grep -q "kernel work, launched at long.cu:6: .* will take about [0-9]* min" long &&
            said=yes && break
        sleep 0.1
    done
    [ $said = yes ] || fail "$command: a long launch does not say so: $(cat long)"
    kill -- -$! 2>/dev/null
    wait $! 2>/dev/null
done

# A signal ends the program: what to do next.
echo '#include <cstdlib>
int main() { std::abort(); }' >wild.cu
expect 134 'ended by the signal ABRT' --cpu wild.cu 'two words'
grep -qF "scripts/run --asan wild.cu 'two words'" output || fail "no word on --asan: $(cat output)"
grep -q 'Aborted' output && fail "bash speaks, too: $(cat output)"

# Memory that is wanted before main() begins, and is not there.
echo '#include <vector>
std::vector<char> huge(std::size_t{1} << 46);
int main() { return cudaDeviceSynchronize(); }' >huge.cu
expect 1 '^error: not enough memory on the host: ' --cpu huge.cu

if [ -n "${THOROUGH:-}" ]; then
    echo '__global__ void over(int* d_x) { d_x[threadIdx.x] = 1; }
#include <cstdio>
int main() { int* d_x; cudaMalloc(&d_x, 124); over<<<1, 32>>>(d_x); puts("ran"); }' >overrun.cu
    expect 0 '^ran$' --cpu overrun.cu
    expect 1 'heap-buffer-overflow' --asan overrun.cu
    grep -q 'overrun.cu:1' output || fail "--asan does not name the line"
fi

# --- scripts/race ---------------------------------------------------------------------------------
program=$race
cat >add.cu <<'END_OF_SOURCE'
#include <cstdio>
#include <cstring>
__global__ void plain(int* d_x) { *d_x += 1; }
__global__ void atomic(int* d_x) { atomicAdd(d_x, 1); }
__global__ void wait(volatile int* d_x) {  // draws a rare order: the second block first
    if (blockIdx.x == 1) {
        d_x[1] = 1;
    } else if (d_x[1] == 1) {
        d_x[100] = 1;  // there are 16
    }
}
int main(int argc, char** argv) {
    int* d_x;
    cudaMalloc(&d_x, 64);
    cudaMemset(d_x, 0, 64);
    if (argc > 1 && std::strcmp(argv[1], "plain") == 0) {
        plain<<<2, 32>>>(d_x);
    } else if (argc > 1 && std::strcmp(argv[1], "sometimes") == 0) {
        wait<<<2, 1>>>(d_x);
    } else {
        atomic<<<2, 32>>>(d_x);
    }
    std::puts("ran");
    return argc > 2 ? 5 : 0;
}
END_OF_SOURCE
expect 66 'found with 3 of 3 seeds; seed 1 again:' add.cu --seeds 3 plain
grep -q 'DATA RACE in kernel plain, launched at add.cu:' output || fail "no report: $(cat output)"
line=$(grep '^RACE_SEED=' output)
bash -c "$line" >again 2>&1
[ $? = 66 ] && grep -q 'DATA RACE in kernel plain' again || fail "'$line' does not show it again"
expect 66 'found with 2 of 2 seeds' --seeds 2 add.cu plain
# Under a limit of addresses, as login nodes have one; and under one that is too small.
program=bash
limited='ulimit -v $1; shift; exec "$@"'
expect 66 'found with 2 of 2 seeds' -c "$limited" bash 4000000 "$race" --seeds 2 add.cu plain
echo '__global__ void each_its_own() {
    __shared__ unsigned s_x;
    s_x = blockIdx.x;
    __syncthreads();
    if (s_x != blockIdx.x) __trap();
}
int main() { each_its_own<<<1000, 1>>>(); return cudaDeviceSynchronize(); }' >blocks.cu
expect 0 'no race in 2 runs' -c "$limited" bash 4000000 "$race" --seeds 2 blocks.cu
expect 1 '^error: not enough memory: the CPU device needs [0-9]+ bytes for race mode.s notes' \
    -c "$limited" bash 1000000 "$race" --seeds 1 add.cu plain
program=$race
cp add.cu 'two adds.cu'
RACE_JSON=$PWD/json expect 66 'found with 1 of 1 seed;' 'two adds.cu' --seeds 1 plain
grep -q '"places": \["two adds.cu:[0-9]*", "two adds.cu:[0-9]*"\]' json ||
    fail "the JSON lacks the places: $(cut -c1-300 json)"
rm 'two adds.cu'
clear_log
expect 0 'no race in 4 runs with different turns' add.cu --seeds 4 atomic
[ "$(grep -c '^ran$' output)" = 1 ] || fail "what a clean program prints is not there once"
not_compiled "an unchanged file in race mode"
expect 5 'no report in 8 runs, but seed 1 ended with 5' add.cu atomic more
expect 66 'found with [1-9]*[0-9] of 40 seeds; seed [0-9]+ again:' add.cu --seeds 40 sometimes
grep -q 'found with 40 of 40' output && fail "the seeds give no other order"
expect 0 '^8.0 6 1$' "${two[@]}" --seeds 1
cat >large.cu <<'END_OF_SOURCE'
__global__ void large(int* d_x) {
    int a[40000];
    for (int i = 0; i < 40000; ++i) {
        a[i] = threadIdx.x;
    }
    __syncthreads();
    d_x[threadIdx.x] = a[7];
}
int main() {
    int* d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    large<<<1, 64>>>(d_x);
    return cudaDeviceSynchronize();
}
END_OF_SOURCE
expect 66 'large.cu:[0-9]+.* needs more than 128 KiB for its local variables' large.cu --seeds 2

# How a program ends says nothing of races, and neither do the words and the shell around it.
cat >ends.cu <<'END_OF_SOURCE'
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
    if (argc == 1) {
        std::FILE* file = std::fopen("running", "a");
        std::fprintf(file, "%d\n", getpid());
        std::fclose(file);
        while (true) {
            std::puts("and so on");
        }
    }
    std::printf("ends with %s\n", argv[1]);
    return std::atoi(argv[1]);
}
END_OF_SOURCE
expect 66 'no report in 1 run, but seed 1 ended with 66' ends.cu --seeds 1 66
expect 1 'seed 1 has printed more than 32 MiB, and was ended' ends.cu --seeds 2
mapfile -t many < <(seq 30000)
"$race" ends.cu --seeds 2 0 "${many[@]}" >/dev/null 2>&1 || fail "30,000 arguments are too many"
program=env
expect 0 'no race in 2 runs' POSIXLY_CORRECT=1 "$race" ends.cu --seeds 2 0
expect 0 'no race in 2 runs' SHELLOPTS=noclobber:allexport "$race" ends.cu --seeds 2 0
program=$race
TMPDIR=$PWD/nothing expect 0 'no race in 2 runs' ends.cu --seeds 2 0
# Ended from outside, it leaves no run going on. (One that no process has waited for is a zombie, Z.)
for signal in TERM KILL; do
    rm -f running
    TMPDIR=$scratch/home "$race" ends.cu --seeds 2 >/dev/null 2>&1 &
    ended=$!
    for ((i = 0; i < 200; ++i)); do
        [ ! -s running ] || break
        sleep 0.02
    done
    kill -$signal $ended
    wait $ended 2>/dev/null
    [ $? = $((128 + $(kill -l $signal))) ] || fail "scripts/race does not end by $signal"
    [ -s running ] || fail "the program that prints without end has not run"
    sleep 2
    while read -r number; do
        ! grep -qs '^State:[[:space:]]*[RSDTt]' "/proc/$number/status" ||
            fail "$signal: a program goes on when scripts/race has ended"
    done <running
    [ -z "$(ls "$scratch/home")" ] || fail "$signal: left in TMPDIR: $(ls "$scratch/home")"
done
# Without a standard error.
"$race" add.cu --seeds 1 plain >output 2>&-
[ $? = 66 ] || fail "scripts/race without a standard error does not end with 66: $(cat output)"

expect 2 "scripts/race takes no --asan" add.cu --asan
expect 2 "there is no file missing.cu" missing.cu
expect 2 "there is no flag '--nonsense'" --nonsense
expect 2 "there is no flag '-x'" histogram -x
expect 1 'wrong.cu does not compile' wrong.cu

# What the page on one's own kernel shows, and a program of basics/.
for name in sum_in_place last_block sort_in_lockstep; do
    file=$project/docs/found/$name.cu
    expect 66 'DATA RACE in kernel' "$file" --seeds 3
    expect 0 'no race in 3 runs' "$file" -DFIXED --seeds 3
done
expect 0 'no race in 1 run ' "$project/docs/your_own_kernel.cu" --seeds 1
grep -qx right output || fail "the first program of one's own prints something else"
cd "$project" || exit 1
expect 0 'no race in 1 run ' basics/06_shared_memory.cu --seeds 1
clear_log
expect 0 'no race in 1 run ' 06_shared_memory --seeds 1
not_compiled "a program of basics/ by its name"

# Odd names, and inputs that no compiler names: each run has what is there now.
program=$run
cd "$scratch/my files" || exit 1
for name in .cu 'back\slash.cu'; do
    for number in 3 4; do
        echo "#include <cstdio>
int main() { std::puts(\"it is $number\"); }" >"$name"
        expect 0 "it is $number" --cpu "$name"
    done
done
echo '#include <cstdio>
int number();
int main() { std::printf("it is %d\n", number()); }' >with_library.cu
for number in 5 6; do
    echo "int number() { return $number; }" | g++ -x c++ -c - -o number.o
    rm -f libnumber.a
    ar rc libnumber.a number.o
    expect 0 "it is $number" --cpu with_library.cu -L. -lnumber
done
# A copy of the project has a CPU device of its own.
cp -r "$project" "$scratch/copy"
echo '#error of the copy' >>"$scratch/copy/cpu_device/include/cuda_runtime.h"
program=$scratch/copy/scripts/run
expect 1 'error of the copy' --cpu .cu

# The first part was built without Ninja.
clear_log
grep -q ninja "$LOG".all && fail "Ninja was called: $(grep ninja "$LOG".all)"
say_and_exit
