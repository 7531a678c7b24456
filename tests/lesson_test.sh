#!/usr/bin/env bash
# A chapter's program without flags: the lesson runs, its check holds, and it needs none of what the
# flags need. As the lesson alone, it says who takes flags.
# Usage: lesson_test.sh PROGRAM LESSON_ALONE
lesson=$(realpath "$2")
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"

for program in "$program" "$lesson"; do
    timeout 300 "$program" >output 2>&1 </dev/null
    status=$?
    if [ $status = 77 ] && [ -z "${REQUIRE_GPU:-}" ]; then
        exit 77
    fi
    if [ $status != 0 ] || ! grep -qw ok output; then
        fail "$program: status $status, expected 0 and a check that is ok; output:"
        cat output
    fi
done
"$lesson" --help >output 2>&1
[ $? = 2 ] && grep -q 'scripts/run' output || {
    fail "$lesson --help: expected status 2 and which build has flags; output:"
    cat output
}
say_and_exit
