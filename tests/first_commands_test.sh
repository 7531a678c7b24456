#!/usr/bin/env bash
# The first five commands of a learner, in a copy of the project: no source of the CPU device may be
# compiled twice for the same kind of device, whichever command needs it. A compiler that writes
# down its calls counts.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/run"
unset WARNINGS_AS_ERRORS PRESET CXX CXXFLAGS
project=$scratch/project
mkdir -p "$project" bin home
(cd "$root" && tar -c --exclude=./build --exclude=./.git .) | tar -xC "$project"
export LOG=$scratch/log CXX=$scratch/bin/logged_cxx HOME=$scratch/home
cat >"$CXX" <<'END_OF_SCRIPT'
#!/bin/bash
kind=other
for word; do
    case $word in
    -DCPU_DEVICE_RACE=1) kind=race ;;
    -fsanitize=address*) kind=asan ;;
    esac
    case $word in
    */cpu_device/*.cpp) sources=$word ;;
    *.cxx) sources=$(sed -n 's,^#include "\(.*/cpu_device/.*[.]cpp\)"$,\1,p' "$word") ;;
    esac
    [ "$word" != -c ] || compiles=yes
done
[ -z "${compiles:-}" ] || for source in ${sources:-}; do
    echo "$kind ${source##*/cpu_device/}"
done >>"$LOG"
exec ${sources:+$CACHED} g++ "$@"
END_OF_SCRIPT
chmod +x "$CXX"
compile_device_once "$project"
cp "$root/docs/your_own_kernel.cu" my.cu

program=$project/scripts/run
expect 0 'atomic_add .*ok' --cpu "$project/atomic_functions/atomic_functions.cu" 10000
PRESET=cpu expect 0 'atomic_add .*ok' atomic_functions 10000
[ ! -e "$project/build/cpu" ] || fail "the lesson alone builds the preset cpu"
expect 0 right --cpu my.cu
PRESET=cpu expect 0 wrong_lost_update.cuh atomic_functions --list
program=$project/scripts/race
expect 66 'DATA RACE' atomic_functions lost_update --seeds 2
expect 0 'no race' my.cu --seeds 1
program=$project/scripts/learn
expect 1 'it compiles' --in "$scratch/exercises" check 1

[ "$(grep -c '^other block.cpp$' "$LOG")" = 1 ] && grep -q '^race race/report.cpp$' "$LOG" ||
    fail "not every device was compiled: $(sort "$LOG" | uniq -c)"
twice=$(sort "$LOG" | uniq -d)
[ -z "$twice" ] || fail "compiled twice: $twice"
say_and_exit
