#!/usr/bin/env bash
# In a CUDA build without a GPU every GPU test must count as skipped: none passed, none forgotten.
# The number of GPU tests is known from a second run in which REQUIRE_GPU turns each skip into a
# failure. With a GPU, nothing may be skipped. Usage: skipped_count_test.sh BUILD_DIRECTORY
set -u
build=$1
count() { grep -cE "$1" "$2"; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

list() { ctest --test-dir "$build" -L gpu -O "$scratch/$1" -j 2 >/dev/null 2>&1; }
unset REQUIRE_GPU
list plain
REQUIRE_GPU=1 list required
skipped=$(count '\*\*\*Skipped' "$scratch/plain")
passed=$(count ' Passed ' "$scratch/plain")
required=$(count '\*\*\*Failed' "$scratch/required")
echo "GPU tests: $required; skipped without a GPU: $skipped;" \
    "passed: $passed (those of the reference)"
[ "$required" -gt 100 ] && [ "$skipped" = "$required" ]
