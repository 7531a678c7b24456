#!/usr/bin/env bash
# What the scripts do before and around a build: in awkward folders, through links, two at once, with
# packages missing. Nothing is built: the scripts are copied to a project of their own, where cmake
# and the tools that install are small programs of this test.
set -u
unset WARNINGS_AS_ERRORS PRESET THOROUGH  # those of the caller
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0 cases=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS WORDS COMMAND...: the command ends with STATUS and says WORDS.
expect() {
    local status=$1 words=$2 got=0
    shift 2
    cases=$((cases + 1))
    timeout 60 "$@" >"$scratch/output" 2>&1 </dev/null || got=$?
    [ $got = "$status" ] && grep -qF -- "$words" "$scratch/output" && return
    fail "$*: status $got, expected $status and '$words'; output:"
    cat "$scratch/output"
}

project="$scratch/"$'\xc3\x9c'"bung #1, it's (a) test/project"  # an umlaut, in UTF-8
mkdir -p "$project/basics" bin
cp -r "$root/scripts" "$project"
cp "$root/basics/CMakeLists.txt" "$project/basics"
cp "$root/CMakePresets.json" "$project"
# make PROGRAM: writes the standard input as a script bin/PROGRAM.
make() {
    { echo '#!/bin/bash'; cat; } >"bin/$1"
    chmod +x "bin/$1"
}
export LOG=$scratch/log PATH=$scratch/bin:$PATH
# Builds programs that say their name and arguments. Fails where two build one preset at once.
make cmake <<'END'
if [ "$1" = --version ]; then
    echo "cmake version ${CMAKE_VERSION:-3.25.0}"
    exit
fi
if [ "$1" = --preset ]; then
    mkdir -p "build/$2"
    case " $* " in *" --fresh "*) rm -f "build/$2/CMakeCache.txt"; echo fresh >>"$LOG" ;; esac
    [ -e "build/$2/CMakeCache.txt" ] ||
        printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\n' "$PWD" \
            "$PWD/build/$2" >"build/$2/CMakeCache.txt"
    touch "build/$2/CMakeCache.txt" "build/$2/build.ninja"
    echo "configured in $PWD with $*" >>"$LOG"
    exit
fi
preset=$3
mkdir "build/$preset/under way" || { echo "two builds at once"; exit 1; }
sleep "${BUILD_SECONDS:-0}"
mkdir -p "build/$preset/bin"
shift 4
for target; do
    echo "[1/1] Building $target"
    printf '#!/bin/sh\necho "%s ran: $*"; [ "${BROKEN:-}" != %s ]\n' "$target" "$target" \
        >"build/$preset/bin/$target"
    chmod +x "build/$preset/bin/$target"
done
rmdir "build/$preset/under way"
END
make dpkg-query <<<'echo "install ok installed"'
make nvidia-smi <<<'exit 1'

run=$project/scripts/run
expect 0 'histogram ran: --n 5' "$run" histogram --n 5
# What is configured stays so, until the presets, the options or a hand change it.
configured() { grep -c "configured in .* --preset cpu" "$LOG"; }
PRESET=cpu expect 0 'histogram ran: --n 6' "$run" histogram --n 6
[ "$(configured)" = 1 ] || fail "an unchanged build is configured again"
echo >>"$project/CMakePresets.json"
PRESET=cpu expect 0 'histogram ran: --n 7' "$run" histogram --n 7
sleep 0.01
touch "$project/build/cpu/CMakeCache.txt"
PRESET=cpu expect 0 'histogram ran: --n 8' "$run" histogram --n 8
WARNINGS_AS_ERRORS=1 PRESET=cpu expect 0 'histogram ran: --n 9' "$run" histogram --n 9
[ "$(configured)" = 4 ] || fail "a changed build is not configured again: $(cat "$LOG")"
expect 0 'and every check held (preset cpu)' "$run"
# A program that fails is named at the end, after those that follow it have run.
BROKEN=histogram expect 1 'failed: histogram' "$run"
grep -q 'grid_barrier ran' output || fail "scripts/run stops at a program that fails"
expect 0 'histogram ran' sh "$run" histogram --list
expect 0 'Runs an example' sh "$project/scripts/race" --help
expect 0 'scripts/test --thorough' sh "$project/scripts/test" --help
ln -s "$run" link
expect 0 'histogram ran' ./link histogram --list
cd "$project" || exit 1
CDPATH=.:/ expect 0 'histogram ran' scripts/run histogram --list
cd "$scratch" || exit 1
[ "$(find "$scratch" -name build | wc -l)" = 1 ] || fail "CDPATH: a build elsewhere"

# What the quick suite leaves out it names and counts; what was skipped CTest names.
make ctest <<'END'
echo "[ctest] THOROUGH=${THOROUGH:-} $*" >>"$LOG"
mkdir -p "$2/Testing/Temporary"
printf '[combinations] 5\n[race suite] right 3\n[race suite] wrong 3\n' \
    >"$2/Testing/Temporary/LastTest.log"
printf '1/4 Test #1: one ...   Passed    0.12 sec\n99%% of them\n'
echo 'The following tests did not run:'
printf '\t%s\n' '  2 - slow.one (Disabled)' '  3 - needs.a_gpu (Skipped)' ' 14 - slow.two (Disabled)'
END
scripts_test=$project/scripts/test
: >"$LOG"
expect 0 "2 tests of preset 'cpu': slow.one slow.two" "$scripts_test"
for line in "2 tests of preset 'race'" '- needs.a_gpu (Skipped)' '5 combinations' 'all tests passed'; do
    grep -qF -- "$line" output || fail "scripts/test does not say '$line'"
done
grep -qE 'Disabled|Test #1' output && fail "scripts/test shows lines that are no news"
grep -q 'THOROUGH=OFF' "$LOG" || fail "scripts/test builds the thorough suite"
: >"$LOG"
expect 0 'all tests passed' "$scripts_test" --thorough
grep -q 'DTHOROUGH=ON' "$LOG" && grep -q 'ctest. THOROUGH=1' "$LOG" ||
    fail "scripts/test --thorough does not run the thorough suite"
# A log without a right or without a wrong variant is that of a suite that has not run.
for kind in right wrong; do
    make ctest <<END
mkdir -p "\$2/Testing/Temporary"
echo '[race suite] $kind 3' >"\$2/Testing/Temporary/LastTest.log"
END
    PRESET=race expect 1 "1 $kind variants x 3 seeds" "$scripts_test"
done
make ctest <<<'echo "FAILED: one"; exit 8'
PRESET=race expect 1 'preset race: failed' "$scripts_test"

# A link to the project that is gone, or leads elsewhere, later. Through the link nothing is new.
: >"$LOG"
ln -s "$project" door
expect 0 'histogram ran' door/scripts/run histogram --list
rm door
expect 0 'histogram ran' "$run" histogram --list
grep -q fresh "$LOG" && fail "through a link the build began anew"
# A build by hand through a link that is gone, and a build that came with a copied folder.
cache=$project/build/cpu/CMakeCache.txt
for key in HOME_DIRECTORY CACHEFILE_DIR; do
    sed -i "s|^CMAKE_$key:INTERNAL=.*|CMAKE_$key:INTERNAL=/nowhere|" "$cache"
    : >"$LOG"
    expect 0 'histogram ran' "$run" histogram --list
    grep -q fresh "$LOG" || fail "$key of another place: the build did not begin anew"
done

# Two first builds at once: the second waits, and says so.
rm -rf "$project/build"
: >"$LOG"
BUILD_SECONDS=6 "$run" histogram --list >first 2>&1 &
until [ -d "$project/build/cpu/under way" ]; do sleep 0.05; done
expect 0 "waiting for another process that builds preset 'cpu'" "$run" reduce_atomic --list
wait $! || fail "the first of two builds: $(cat first)"

# Warnings are errors only where that is asked for.
grep -q 'WARNING_AS_ERROR=OFF' "$LOG" || fail "a learner's build stops at a warning"
WARNINGS_AS_ERRORS=1 expect 0 'histogram ran' "$run" histogram --list
grep -q 'WARNING_AS_ERROR=ON' "$LOG" || fail "WARNINGS_AS_ERRORS=1 has no effect"

# A failed build shows its log; a folder that CMake cannot take is named.
BUILD_SECONDS=no expect 0 'histogram ran' "$run" histogram --list
mkdir "$project/build/cpu/under way"
expect 1 'two builds at once' "$run" histogram --list
expect 1 'begin anew: rm -r ' "$run" histogram --list
expect 1 'the whole log: ' "$run" histogram --list
rmdir "$project/build/cpu/under way"
for name in 'a"b' a:b '$(id)'; do
    cp -r "$project" "$name"
    expect 1 "cannot build in the folder $scratch/$name: " "$name/scripts/run" histogram --list
done
make findmnt <<<'echo rw,noexec,relatime'
expect 1 'no program may run from that disk' "$run" histogram --list
rm bin/findmnt
# What is too old, or would be, is named before anything is installed or built.
: >"$LOG"
make g++ <<<'[ "$1" != -dumpfullversion ] || echo 11.4.0'
expect 1 'g++ 11.4.0 is too old: CMake 3.25 and g++ 12 are needed' "$run" histogram --list
rm bin/g++
CMAKE_VERSION=3.22.1 expect 1 'CMake 3.22.1 is too old: ' "$run" histogram --list
touch own.cu
CMAKE_VERSION=3.22.1 expect 1 'CMake 3.22.1 is too old: ' "$run" --cpu own.cu
for system in 'Debian GNU/Linux 11 (bullseye)' 'Ubuntu 22.04.5 LTS'; do
    echo "PRETTY_NAME=\"$system\"" >os-release
    sed "s|/etc/os-release|$scratch/os-release|" "$root/scripts/common.sh" \
        >"$project/scripts/common.sh"
    CXX=missing expect 1 "$system is too old: " "$run" histogram --list
done
cp "$root/scripts/common.sh" "$project/scripts"
[ ! -s "$LOG" ] || fail "a system that is too old: $(cat "$LOG")"
# Where the rest of a script cannot be read, it ends there; a function cd of the caller is no cd.
cases=$((cases + 1))
if (ulimit -n 4; exec "$run" histogram) >output 2>&1 || grep -q 'histogram ran' output; then
    fail "without file descriptors: $(cat output)"
fi
expect 0 'histogram ran' bash -c 'cd() { echo no; }; export -f cd; "$1" histogram --n 1' bash "$run"

# What the programs print must arrive.
cases=$((cases + 1))
"$run" >/dev/full 2>output && fail "the standard output is full, and scripts/run ends with 0"

# The profiler's command line, by an ncu that prints it.
mkdir "$project/histogram" "$project/common" programs
cp "$root"/histogram/*.cuh "$project/histogram"
printf '#!/bin/sh\necho "%s"\necho "%s"\n' 'shared right lesson 2_shared.cuh x' \
    'no_merge_barrier race lesson wrong_no_merge_barrier.cuh x' >programs/histogram
chmod +x programs/histogram
make ncu <<<'echo "ncu $*"'
profile=$project/scripts/profile
expect 0 'regex:^(histogram_shared)$ --launch-count 1' "$profile" --bin programs histogram shared
expect 0 'programs/histogram --variant no_merge_barrier --repeats 1 --n 1K' \
    "$profile" --bin programs histogram no_merge_barrier --n 1K
[ "$(grep -o '[a-z0-9]*__[a-z_]*[.]' output | wc -l)" = 5 ] || fail "no five figures: $(cat output)"
expect 2 "'nonsense' is no variant of histogram" "$profile" --bin programs histogram nonsense
expect 2 'expected EXAMPLE VARIANT' "$profile" histogram
expect 1 'needs a GPU' "$profile" histogram shared
rm bin/ncu
PATH=$PATH:/usr/local/cuda/bin:/opt/cuda/bin command -v ncu >/dev/null ||
    expect 1 'needs the command ncu: install Nsight Compute' "$profile" histogram shared

# Packages that are missing: the line that installs them names sudo only where it is there.
make dpkg-query <<<'[ "${*: -1}" = cmake ] || echo "install ok installed"'
make id <<<'[ "$*" = -u ] && echo 1000 || exec /usr/bin/id "$@"'
only=$scratch/only  # the commands of this system but sudo
mkdir "$only"
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = sudo ] || [ -e "$only/${tool##*/}" ] || ln -s "$tool" "$only/${tool##*/}"
done
PATH=$scratch/bin:$only expect 1 'Install them as root with this line' "$run" histogram --list
line=$(tail -n 1 output)
[ "${line#    apt-get update && apt-get install}" != "$line" ] || fail "no sudo here: '$line'"
# Without Python, the line names it beside what else is missing.
sed 's|/usr/bin/python3|/missing|' "$root/scripts/course/start" >"$project/scripts/course/start"
make dpkg-query <<<'[[ ${*: -1} = @(cmake|python3) ]] || echo "install ok installed"'
mkdir no_python
find "$only" -maxdepth 1 ! -name '*python3*' -exec ln -s -t no_python {} + 2>/dev/null
for command in run learn; do
    PATH=$scratch/bin:$scratch/no_python expect 1 'missing: cmake python3' \
        "$project/scripts/$command" list
done
cp "$root/scripts/course/start" "$project/scripts/course"
make dpkg-query <<<'[ "${*: -1}" = cmake ] || echo "install ok installed"'
make sudo <<<'exit 1'
expect 1 "    sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends cmake'" \
    "$run" histogram --list
# In a Chinese locale it says so in Chinese: "missing" is the row of scripts/course/words.zh-CN.sh.
LC_ALL=zh_CN.UTF-8 expect 1 $'\xe7\xbc\xba\xe5\xb0\x91\xef\xbc\x9acmake' "$run" histogram --list
LC_ALL=zh_CN.UTF-8 LANGUAGE=en expect 1 'missing: cmake' "$run" histogram --list
make sudo <<<'[ "$1" != -n ] || exit 0; echo "sudo: $*"'
expect 0 'sudo: DEBIAN_FRONTEND=noninteractive sh -c apt-get update' "$run" histogram --list

echo "$cases cases, $failures failures"
[ $failures = 0 ]
