#!/usr/bin/env bash
# Counts the programs of programs/, one per feature: all, those that compile and run, and those that
# are refused in words. With a file, it must say the same.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/programs" || exit 1
all=$(ls -- *.cu *.cpp | wc -l)
refused=$(grep -lE '^// expect: does not compile' -- *.cu *.cpp | wc -l)
line="$all small programs, one per feature: $((all - refused)) run, and $refused are refused"
echo "$line"
[ $# = 0 ] || tr -s ' \n' ' ' <"$OLDPWD/$1" | grep -qF "$line" || {
    echo "$1 should say so"
    exit 1
}
