#!/usr/bin/env bash
# action_test.sh: the line that action.yml runs, over a folder with a race, a clean program and one
# that does not compile: an annotation at each line that it is about.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() { echo "FAILED: $1"; cat "$folder/out"; exit 1; }

mkdir "$folder/src"
program() {  # FILE LINE: a program whose kernel has LINE as its fourth line
    printf '%s\n' '#include <cstdio>' '' '__global__ void count(int* d_x) {' "    $2" '}' \
        'int main() {' '    int* d_x;' '    cudaMalloc(&d_x, 4);' '    cudaMemset(d_x, 0, 4);' \
        '    count<<<2, 32>>>(d_x);' '    cudaFree(d_x);' '}' >"$folder/src/$1"
}
program race.cu '*d_x = *d_x + 1;'
program clean.cu 'atomicAdd(d_x, ADDEND);'
program broken.cu 'atomicAdd(d_x, 1)'
line=$(sed -n "s/^      run: '\(.*\)'\$/\1/p" "$root/action.yml")
[ -n "$line" ] || { echo "FAILED: action.yml has no line to run"; exit 1; }
cd "$folder"
run() {  # FILES: with the status in $status
    status=0
    GITHUB_ACTION_PATH=$root FILES=$1 OPTIONS=-DADDEND=1 ARGUMENTS='' SEEDS=2 \
        bash -c "$line" >"$folder/out" 2>"$folder/err" || status=$?
}
run 'src/*.cu'
[ $status = 66 ] || failed "status $status, expected 66"
grep -q '^::error file=src/race.cu,line=4,title=DATA RACE in kernel count' out ||
    failed "no annotation at the line of the race"
grep -q '^::error file=src/broken.cu,title=does not compile::' out ||
    failed "no annotation of the file that does not compile"
! grep -q 'clean.cu' out || failed "an annotation of the clean program"
run src/clean.cu
if [ $status != 0 ] || [ -s out ]; then failed "the clean program: status $status"; fi
