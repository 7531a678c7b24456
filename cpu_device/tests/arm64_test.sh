#!/usr/bin/env bash
# arm64_test.sh REWRITE: compiles the CPU device and race mode for arm64 by Debian's cross compiler,
# and runs the programs of programs/ with them under qemu-user. Race mode must name the lines of
# what it reports. REWRITE is the tool of that name for this machine. Skipped (77), with the names
# of what is missing, where these are not installed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rewrite=$(realpath "$1")
compiler=aarch64-linux-gnu-g++
missing=
command -v $compiler >/dev/null || missing=g++-aarch64-linux-gnu
command -v qemu-aarch64-static >/dev/null || missing="${missing:+$missing }qemu-user-static"
if [ -n "$missing" ]; then
    echo "skipped: not installed here: $missing"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake -S "$here/.." -B "$folder" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=$compiler >"$folder/log" 2>&1 &&
    cmake --build "$folder" --target cpu_device_cpu cpu_device_race --parallel "$(nproc)" \
        >>"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
export EMULATOR="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
# A BLAS and Thrust are this machine's, and alarm() ends an emulated program too early. In race
# mode, which takes many times as long, those are enough of which it has something to report.
mapfile -t programs < <(grep -L -e '^// needs: ' -e thrust/ -e 'alarm(' "$here"/programs/*.c[up]*)
mapfile -t reported < <(grep -l '^// race: status 66' "${programs[@]}")
status=0
"$here/programs_test.sh" "$folder/cpu" "$rewrite" "${programs[@]}" || status=1
"$here/programs_test.sh" "$folder/race" "$rewrite" "${reported[@]}" || status=1
exit $status
