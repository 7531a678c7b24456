#!/usr/bin/env bash
# install_test.sh BUILD: the CPU device, built in BUILD and installed, is found by another project:
# find_package(cpu_device) and cpu_device_sources() compile its .cu file, for each kind and in two
# folders, beside a .cpp file, which race mode does not check.
set -euo pipefail
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() { echo "FAILED: $1"; cat "$folder/log"; exit 1; }

for kind in cpu race asan; do
    "$(dirname "$0")/../cpu_device/build" "$build" $kind >"$folder/log" 2>&1 || failed "build $kind"
done
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" 2>&1 || failed "cmake --install"
mkdir "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(count LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory(more)  # whose imported targets this folder does not see
foreach(mine IN ITEMS library kinds flags sources options)
  set(${mine} mine)
endforeach()
find_package(cpu_device 1.0 REQUIRED)
foreach(mine IN ITEMS library kinds flags sources options)
  if(NOT ${mine} STREQUAL "mine")
    message(FATAL_ERROR "find_package has changed the variable ${mine}")
  endif()
endforeach()
add_executable(count status.cpp count.cu)
cpu_device_sources(count)
TEXT
mkdir "$folder/project/more"
cat >"$folder/project/more/CMakeLists.txt" <<'TEXT'
find_package(cpu_device 1.0 REQUIRED)
add_executable(count_again ../count.cu ../status.cpp)
cpu_device_sources(count_again)
TEXT
echo 'int status_of(int x) { return x != 64; }' >"$folder/project/status.cpp"
cat >"$folder/project/count.cu" <<'TEXT'
#include <cstdio>
int status_of(int x);
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
    return status_of(x);
}
TEXT

# configured KIND [OPTION...], built KIND [OPTION...]: the program for the CPU device of that kind.
configured() {
    local kind=$1
    shift
    rm -rf "$folder/build"
    cmake -S "$folder/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" \
        -DCPU_DEVICE_KIND="$kind" "$@" >"$folder/log" 2>&1
}
built() { configured "$@" && cmake --build "$folder/build" >>"$folder/log" 2>&1; }
for kind in cpu race asan; do
    built $kind || failed "build for $kind"
    for program in count more/count_again; do
        [ "$("$folder/build/$program" 2>"$folder/log")" = 64 ] || failed "$program on $kind"
    done
    if [ $kind = race ]; then
        grep -F '"command"' "$folder/build/compile_commands.json" >"$folder/log"
        [ "$(grep -c 'fsanitize=thread.*count.cu' "$folder/log")" = 2 ] ||
            failed "count.cu is not checked in race mode"
        ! grep -q 'fsanitize=thread.*status.cpp' "$folder/log" ||
            failed "status.cpp, which has no kernel, is compiled as one"
    fi
done
# As on a processor whose threads are switched by Boost.Context, with a package in its place.
mkdir "$folder/prefix/lib/cmake/Boost-1.99"
cat >"$folder/prefix/lib/cmake/Boost-1.99/BoostConfig.cmake" <<'TEXT'
add_library(Boost::context INTERFACE IMPORTED)
set(Boost_context_FOUND ON)
TEXT
cat >"$folder/prefix/lib/cmake/Boost-1.99/BoostConfigVersion.cmake" <<'TEXT'
set(PACKAGE_VERSION 1.99)
set(PACKAGE_VERSION_COMPATIBLE ON)
TEXT
touch "$folder/prefix/lib/cmake/cpu_device/boost"
configured cpu || failed "Boost.Context is not found in both folders"
rm -r "$folder/prefix/lib/cmake/cpu_device/boost" "$folder/prefix/lib/cmake/Boost-1.99"
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
