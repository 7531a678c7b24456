#!/usr/bin/env bash
# Which tool finds which of the faults planted in faults.cu: as faults.txt says, and no other.
#
#   faults_test.sh PROGRAM race        PROGRAM is the race build, which checks itself
#   faults_test.sh PROGRAM sanitizer   the four tools of compute-sanitizer, on a GPU
#
# Ends with 77 (skipped) without a GPU, or with REQUIRE_GPU set, 1; with 77 also where there is no
# compute-sanitizer.
set -uo pipefail

program=$(realpath "$1")
table=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/faults.txt
case $2 in
race) tools=(race) ;;
sanitizer)
    tools=(memcheck racecheck initcheck synccheck)
    sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU 0:'; then
        echo "no GPU"
        [ -z "${REQUIRE_GPU:-}" ] || exit 1
        exit 77
    fi
    "$program" nothing || exit 1
    # A virtual machine may forbid what the tool needs; then nothing can be said.
    if ! "$sanitizer" "$program" nothing >/dev/null 2>&1; then
        echo "compute-sanitizer is not there, or does not run here"
        exit 77
    fi
    ;;
esac

# found TOOL FAULT: does the tool report it?
found() {
    local status=0
    if [ "$1" = race ]; then
        timeout 60 "$program" "$2" >output 2>&1 || status=$?
        case $status in
        66) return 0 ;;
        0 | 1) return 1 ;;
        *) cat output; echo "$2 ended with $status"; exit 1 ;;
        esac
    else
        timeout 60 "$sanitizer" --tool "$1" --error-exitcode 9 "$program" "$2" >output 2>&1 ||
            status=$?
        grep -q '^========= COMPUTE-SANITIZER' output || { cat output; exit 1; }
        # Not by the status, nor by the number of errors: a fault may end the program, or show as an
        # error of the next call, without the tool having named it.
        case $1 in
        memcheck) grep -Eq "^========= (Invalid __|Illegal instruction)" output && return 0 ;;
        racecheck) grep -Eq 'RACECHECK SUMMARY: [1-9]' output && return 0 ;;
        initcheck) grep -q '^========= Uninitialized' output && return 0 ;;
        synccheck) grep -Eq '^========= (Barrier error|Divergent)' output && return 0 ;;
        esac
    fi
    return 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0 rows=0
read -r _ columns < <(grep -v '^#' "$table")
while read -r fault verdicts; do
    rows=$((rows + 1))
    set -- $verdicts
    for column in $columns; do
        expected=$1
        shift
        [[ " ${tools[*]} " == *" $column "* ]] || continue
        actual=no
        found "$column" "$fault" && actual=yes
        if [ "$actual" != "$expected" ]; then
            echo "$fault under $column: expected $expected, got $actual"
            cat output
            failures=$((failures + 1))
        fi
    done
done < <(grep -v '^#' "$table" | tail -n +2)
[ "$rows" = "$("$program" --list | wc -l)" ] || {
    echo "faults.txt has $rows faults, the program another number"
    failures=$((failures + 1))
}
echo "$rows faults, ${#tools[@]} tools, $failures surprises"
[ "$failures" = 0 ]
