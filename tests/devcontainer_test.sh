#!/usr/bin/env bash
# devcontainer_test.sh: the container's configuration names what is there; and after the lines that
# make the container ready, in a copy of the project, the first report of a race comes without
# building a device.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/race"
unset WARNINGS_AS_ERRORS PRESET CXX CXXFLAGS
project=$scratch/project
mkdir -p "$project" bin
(cd "$root" && tar -c --exclude=./build --exclude=./.git .) | tar -xC "$project"
compile_device_once "$project"
printf '#!/bin/sh\nexec $CACHED g++ "$@"\n' >bin/cached_cxx
chmod +x bin/cached_cxx
export CXX=$scratch/bin/cached_cxx

prepare=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["onCreateCommand"])' \
    "$project/.devcontainer/devcontainer.json")
[ -x "$project/$prepare" ] || fail "devcontainer.json names '$prepare', which cannot be run"
"$project/$prepare" >output 2>&1 </dev/null || {
    fail "$prepare ended with $?; output:"
    tail -n 20 output
}

printf '%s\n' '__global__ void count(int* d_x) {' '    *d_x = *d_x + 1;' '}' 'int main() {' \
    '    int* d_x;' '    cudaMalloc(&d_x, 4);' '    cudaMemset(d_x, 0, 4);' \
    '    count<<<2, 32>>>(d_x);' '    cudaFree(d_x);' '}' >my.cu
program=$project/scripts/race
expect 66 'DATA RACE in kernel count' my.cu
! grep 'building the CPU device' output || fail "the device was not there yet"
say_and_exit
