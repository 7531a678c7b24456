#!/usr/bin/env bash
# A program as anybody builds it, by nvcc alone. The line at the head of its .cu file works as it
# stands there, in the file's folder; and so does nvcc with the file's name and no flag, from
# another folder. Neither reads a header of a package, which may be installed or not. A lesson reads
# no header of numbers of 16 bits: with them, libcu++ takes a third longer. One that uses libcu++
# does without <algorithm> and <random>, too, which take a sixth. Without a GPU, for which
# -arch=native fails, -arch=sm_75 takes its place. What is built is run; where that needs a GPU and
# there is none, the test is skipped (77) after the build.
# Usage: one_line_build_test.sh NVCC ROOT SOURCE
set -eu
nvcc=$1
root=$2
source=$3
folder=$root/$(dirname "$source")
name=$(basename "$source" .cu)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
line=$(sed -n 's|^// *\(nvcc .*\)$|\1|p' "$root/$source" | head -n 1)
[ -n "$line" ] || { echo "$source has no line that begins with nvcc"; exit 1; }
echo "$line"
[[ $line == "nvcc -O3 -arch=native $name.cu -o "* ]] ||
    { echo "expected: nvcc -O3 -arch=native $name.cu -o PROGRAM"; exit 1; }
line=${line#nvcc }
read -ra arguments <<<"${line% -o *}"
nvidia-smi -L 2>/dev/null | grep -q '^GPU 0:' ||
    arguments=("${arguments[@]/-arch=native/-arch=sm_75}")

cd "$folder"
"$nvcc" "${arguments[@]}" -o "$scratch/$name"
cd "$scratch"
"$nvcc" "$folder/$name.cu"

if [ "$name" = "$(basename "$folder")" ]; then  # a chapter: the lesson takes no flags
    "$nvcc" -M "$folder/$name.cu" >headers
    grep -q cuda_runtime.h headers || { echo "nvcc -M names no headers"; exit 1; }
    ! grep cuda_fp16 headers || { echo "the lesson reads this header"; exit 1; }
    if grep -q cuda/std/atomic headers; then
        ! grep bits/stl_algo.h headers || { echo "the lesson reads <algorithm> or <random>"; exit 1; }
    fi
    status=0
    ./a.out --list 2>message || status=$?
    if [ "$status" != 2 ] || ! grep -q 'scripts/run' message; then
        echo "--list: status $status, expected 2 and the words scripts/run; message:"
        cat message
        exit 1
    fi
fi
# A chapter's program runs where it was built: its input is beside that folder. Not optimized, it
# says so and does not time the CPU.
if [ "$name" = "$(basename "$folder")" ]; then
    cd "$folder"
    if "$scratch/$name" >"$scratch/optimized" && "$scratch/a.out" >"$scratch/plain"; then
        ! grep 'not timed' "$scratch/optimized" || { echo "-O3: the CPU is not timed"; exit 1; }
        grep -q 'built without optimization' "$scratch/plain" ||
            { echo "no -O3, and not said"; exit 1; }
        ! grep '^cpu .*[0-9] ms' "$scratch/plain" || { echo "no -O3, but timed"; exit 1; }
    fi
fi
"$scratch/$name"
