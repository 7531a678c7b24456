#!/usr/bin/env bash
# missing_blas_test.sh FLAGS_DIR REWRITE
#
# Where the system has no BLAS, programs_test.sh skips by name what needs one, and a program that
# calls cuBLAS ends with 1 and a line that says what to install. Here a BLAS may well be installed:
# an ldconfig that lists nothing and a dlopen() that finds none hide it.
set -u
flags=$(realpath "$1") rewrite=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
programs=$here/programs
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=$(<"$flags/compiler")

fail() { echo "FAILED: $1"; sed 's/^/    /' "$folder/log"; exit 1; }

mkdir "$folder/bin"
printf '#!/bin/sh\n' >"$folder/bin/ldconfig"
chmod +x "$folder/bin/ldconfig"
PATH=$folder/bin:$PATH "$here/programs_test.sh" "$flags" "$rewrite" "$programs/cublas_vectors.cu" \
    "$programs/empty_mask.cu" >"$folder/log" 2>&1 || fail "programs_test.sh ends with $?"
grep -qx 'skipped cublas_vectors.cu: it needs a BLAS (apt-get install libopenblas-dev)' \
    "$folder/log" || fail "cublas_vectors.cu is not skipped by name:"
grep -qx '1 programs, 0 failures' "$folder/log" || fail "empty_mask.cu is not run:"

cat >"$folder/hide.cpp" <<'EOF'
#include <dlfcn.h>
#include <string.h>
extern "C" void* dlopen(const char* name, int flags) {
    using Open = void*(const char*, int);
    static Open* const real = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, "dlopen"));
    return name != nullptr && strstr(name, "blas") != nullptr ? nullptr : real(name, flags);
}
EOF
"$compiler" -shared -fPIC "$folder/hide.cpp" -o "$folder/hide.so" -ldl >"$folder/log" 2>&1 &&
    "$here/../compile" "$rewrite" "$compiler" -std=gnu++17 @"$flags/cu_flags" \
        -c "$programs/cublas_vectors.cu" -o "$folder/vectors.o" >>"$folder/log" 2>&1 &&
    "$compiler" "$folder/vectors.o" @"$flags/library_flags" @"$flags/link_flags" \
        -o "$folder/vectors" \
        >>"$folder/log" 2>&1 || fail "cublas_vectors.cu cannot be built:"
status=0
LD_PRELOAD=$folder/hide.so timeout 60 "$folder/vectors" >"$folder/log" 2>&1 || status=$?
[ $status = 1 ] || fail "without a BLAS: status $status, expected 1:"
grep -q 'works on a BLAS of the system, and there is none.*apt-get install libopenblas-dev' \
    "$folder/log" || fail "the message names no package:"
echo "without a BLAS: skipped by name, and refused in words"
