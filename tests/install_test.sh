#!/usr/bin/env bash
# install_test.sh BUILD: the CPU device, built in BUILD and installed, is found by another project:
# find_package(cpu_device) and cpu_device_sources() compile its .cu file, for each kind.
set -euo pipefail
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() { echo "FAILED: $1"; cat "$folder/log"; exit 1; }

for kind in cpu race; do
    "$(dirname "$0")/../cpu_device/build" "$build" $kind >"$folder/log" 2>&1 || failed "build $kind"
done
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" 2>&1 || failed "cmake --install"
mkdir "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(count LANGUAGES CXX)
find_package(cpu_device 1.0 REQUIRED)
add_executable(count count.cu)
cpu_device_sources(count)
TEXT
cat >"$folder/project/count.cu" <<'TEXT'
#include <cstdio>
__global__ void count(int* d_x) {
#ifdef LOSE
    d_x[0] = d_x[0] + 1;
#else
    atomicAdd(d_x, 1);
#endif
}
int main() {
    int x = 0, *d_x;
    cudaMalloc(&d_x, sizeof x);
    cudaMemset(d_x, 0, sizeof x);
    count<<<2, 32>>>(d_x);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    std::printf("%d\n", x);
    return x != 64;
}
TEXT

# built KIND [OPTION...]: the program for the CPU device of that kind.
built() {
    rm -rf "$folder/build"
    cmake -S "$folder/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" \
        -DCPU_DEVICE_KIND="$@" >"$folder/log" 2>&1 &&
        cmake --build "$folder/build" >>"$folder/log" 2>&1
}
for kind in cpu race; do
    built $kind || failed "build for $kind"
    [ "$("$folder/build/count" 2>"$folder/log")" = 64 ] || failed "count on $kind"
done
built race -DCMAKE_CXX_FLAGS=-DLOSE || failed "build of the lost update"
status=0
"$folder/build/count" >"$folder/log" 2>&1 || status=$?
if [ $status != 66 ] || ! grep -q 'DATA RACE in kernel count' "$folder/log"; then
    failed "the race is not reported: status $status"
fi
if built none || ! grep -q 'CPU_DEVICE_KIND=none: expected a kind that is installed' "$folder/log"
then
    failed "a kind that does not exist is not refused"
fi
