#!/usr/bin/env bash
# The one nvcc line at the head of an example's .cu file must work as it stands there, from the
# project's root. Without a GPU, for which -arch=native fails, it is tried with -arch=sm_75.
# Usage: one_line_build_test.sh NVCC ROOT EXAMPLE [SOURCE]
# SOURCE is another .cu file than EXAMPLE/EXAMPLE.cu: a program that has no --list. It is run as it
# is, and the test is skipped (77) after the build if that needs a GPU and there is none.
set -eu
nvcc=$1
root=$2
name=$3
source=${4:-$name/$name.cu}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
line=$(sed -n 's|^// *\(nvcc .*\)$|\1|p' "$root/$source" | head -n 1)
[ -n "$line" ] || { echo "$source has no line that begins with nvcc"; exit 1; }
echo "$line"
[[ $line == *" -o "* ]] || { echo "the line has no -o"; exit 1; }
line=${line#nvcc }
read -ra arguments <<<"${line% -o *}"
nvidia-smi -L 2>/dev/null | grep -q '^GPU 0:' ||
    arguments=("${arguments[@]/-arch=native/-arch=sm_75}")
cd "$root"
"$nvcc" "${arguments[@]}" -o "$scratch/$name"
if [ $# -lt 4 ]; then
    "$scratch/$name" --list
else
    "$scratch/$name"
fi
