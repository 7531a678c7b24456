#!/usr/bin/env bash
# Built by nvcc and without a GPU, every test that needs one must count as skipped: none passed, none
# forgotten. Which ones need one is known from a second run, in which REQUIRE_GPU turns each skip
# into a failure. Usage: skipped_count_test.sh BUILD_DIRECTORY
set -u
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count() { cat "$scratch/$2"* | grep -cE "$1"; }

# run NAME: the cases of GoogleTest's binaries, and the programs, which CTest knows, without those
# tests that compile for a long time first.
run() {
    local binary
    for binary in "$build"/bin/*_test; do
        "$binary" --gtest_output="json:$scratch/$1.$(basename "$binary")" >/dev/null 2>&1
    done
    ctest --test-dir "$build" -L '^gpu$' -E one_line_build -O "$scratch/$1" -j 2 >/dev/null 2>&1
}
unset REQUIRE_GPU
run plain
REQUIRE_GPU=1 run required
skipped=$(count '"result": "SKIPPED"|[*]{3}Skipped' plain)
required=$(count '"failures": \[|[*]{3}Failed' required)
failed=$(count '"failures": \[|[*]{3}Failed' plain)
echo "tests that need a GPU: $required; skipped without one: $skipped; failed without one: $failed"
[ "$required" -gt 1000 ] && [ "$skipped" = "$required" ] && [ "$failed" = 0 ]
