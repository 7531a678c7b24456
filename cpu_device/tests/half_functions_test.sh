#!/usr/bin/env bash
# half_functions_test.sh COMPILE REWRITE COMPILER FLAGS...
#
# half_functions.txt lists the functions of half, half2, bfloat16 and bfloat162 that the toolkit's
# headers declare. The CPU device must have each of them, with these types: a caller is made for
# each and compiled. Where a toolkit is installed (CUDA_PATH, else /usr/local/cuda), its headers
# must declare no other function.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
list=$here/half_functions.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Every declaration of a header as RESULT NAME(TYPES). Not the shuffles without _sync, which no GPU
# since compute capability 7.0 has.
declared_in() {
    g++ -E -P -w -fpreprocessed -dD "$1" |
        grep -E '^__CUDA_(HOSTDEVICE_)?(FP16|BF16)_DECL__ ' |
        grep -Ev 'DEPRECATED|__shfl(_up|_down|_xor)?\(' |
        sed -E 's/^[A-Z_0-9]+ //; s/ = warpSize//; s/\bconst\b//g; s/;.*//; s/ +/ /g
                s/\b(short|long long|unsigned short) int\b/\1/g; s/\bunsigned int\b/unsigned/g
                s/ ?\* ?/* /g; s/ ([a-zA-Z0-9_]+)(,|\))/\2/g; s/\( /(/g; s/\*( |$)/*\1/g' |
        sed -E 's/, +/, /g; s/ +\)/)/g; s/\* \)/*)/g; s/\* ,/*,/g
                s/\bunsigned long long int\b/unsigned long long/g'
}

if [ "${1:-}" = --write ]; then
    for header in cuda_fp16.h cuda_bf16.h; do
        declared_in "${CUDA_PATH:-/usr/local/cuda}/include/$header"
    done | LC_ALL=C sort -u >"$list"
    exit
fi

# A caller of each: TYPE f1(T0 p0, ...) { return NAME(p0, ...); }
{
    echo '#include <cuda_bf16.h>'
    echo '#include <cuda_fp16.h>'
    awk '{
        open = index($0, "(")
        head = substr($0, 1, open - 1)
        types = substr($0, open + 1, length($0) - open - 1)
        name = head
        sub(/.* /, "", name)
        result = substr(head, 1, length(head) - length(name))
        count = split(types, type, /, /)
        parameters = arguments = ""
        for (i = 1; i <= count; ++i) {
            comma = i > 1 ? ", " : ""
            parameters = parameters comma type[i] " p" i
            arguments = arguments comma "p" i
        }
        printf "__device__ %sf%d(%s) { return %s(%s); }\n", result, NR, parameters, name, arguments
    }' "$list"
} >"$folder/callers.cu"
count=$(wc -l <"$list")
[ "$count" -ge 400 ] || { echo "the list holds $count functions only"; exit 1; }
if ! "$@" -c "$folder/callers.cu" -o "$folder/callers.o" >"$folder/log" 2>&1; then
    grep -m 20 error "$folder/log"
    exit 1
fi
echo "$count functions are there"

toolkit=${CUDA_PATH:-/usr/local/cuda}/include
if [ -f "$toolkit/cuda_fp16.h" ]; then
    for header in cuda_fp16.h cuda_bf16.h; do
        declared_in "$toolkit/$header"
    done | LC_ALL=C sort -u >"$folder/declared"
    if ! LC_ALL=C comm -23 "$folder/declared" "$list" | grep . >"$folder/unlisted"; then
        echo "the toolkit in $toolkit has no other"
    else
        echo "not in $list, but in $toolkit:"
        cat "$folder/unlisted"
        exit 1
    fi
fi
