#!/usr/bin/env bash
# One exercise: has it all that it needs, do the solution and other right answers pass, and does each
# wrong attempt fail for the reason that it should? Of the wrong ones it takes the first three, which
# are the likeliest; with EVERY_ANSWER set, all. Usage: exercises_test.sh NAME
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/learn"
exercise=$1
given=$root/exercises/$exercise
learners=$scratch/mine
number=${exercise%%_*}

for file in "$exercise.cu" solution.cu check.cpp hints.md attempts.txt; do
    [ -s "$given/$file" ] || fail "exercises/$exercise: there is no $file"
done
[ $failures = 0 ] || say_and_exit
for file in "$given/$exercise.cu" "$given/solution.cu"; do
    [ "$(wc -l <"$file")" -le 60 ] || fail "$file has more than 60 lines"
    head -n 1 "$file" | grep -qE "^// ${number#0}[.] [A-Z]" ||
        fail "$file: expected the first line to be '// ${number#0}. Title'"
done
page=$(sed -n 's|^// Read: \([^ ,;]*\).*|\1|p' "$given/$exercise.cu" | head -n 1)
[ -n "$page" ] && [ -f "$root/$page" ] ||
    fail "$exercise.cu: expected a line '// Read: PAGE', got the page '$page'"
for heading in "Hint 1" "Hint 2" "Hint 3"; do
    grep -qx "## $heading" "$given/hints.md" || fail "hints.md: there is no heading '## $heading'"
done
grep -qF "($exercise/$exercise.cu)" "$root/exercises/README.md" ||
    fail "exercises/README.md does not link to $exercise/$exercise.cu"

# check STATUS NAME: what `scripts/learn check` says of the file, in $scratch/output.
mkdir -p "$learners"
check() {
    timeout 300 "$program" --in "$learners" check "$exercise" >output 2>&1 </dev/null
    local status=$?
    [ $status = "$1" ] || {
        fail "$2 ended with $status, expected $1:"
        cat output
    }
    [ "$(wc -l <output)" -le 60 ] || fail "$2: the verdict has more than 60 lines"
}

attempts=0 left_out=0
most=$([ -n "${EVERY_ANSWER:-}" ] && echo 1000 || echo 3)
while IFS='|' read -r name kind words change; do
    name=${name// /}
    [[ -n $name && $name != \#* ]] || continue
    kind=$(sed 's/^ *//; s/ *$//' <<<"$kind") words=$(sed 's/^ *//; s/ *$//' <<<"$words")
    if [ "$kind" != solved ] && [ $attempts = "$most" ]; then
        left_out=$((left_out + 1))
        continue
    fi
    change=${change# } change=${change//\\x7c/|}
    if [ "$name" = given ]; then
        cp "$given/$exercise.cu" "$learners/$exercise.cu"
    else
        sed "$change" "$given/solution.cu" >"$learners/$exercise.cu" || fail "$name: $change"
        ! cmp -s "$given/solution.cu" "$learners/$exercise.cu" ||
            fail "$name: '$change' changes nothing in the solution"
    fi
    if [ "$kind" = solved ]; then  # another right answer
        check 0 "$name"
        tr '\n' ' ' <output | grep -qF -- "$words" || fail "$name: the verdict does not say '$words'"
        continue
    fi
    check 1 "$name"
    attempts=$((attempts + 1))
    got=$(sed -n "s/^failed $exercise: //p" "$learners/.progress" | tail -n 1)
    [[ -n $got && /$kind/ == */"$got"/* ]] || { fail "$name: the kind is '$got', expected '$kind'"; cat output; }
    tr '\n' ' ' <output | grep -qF -- "$words" || {
        fail "$name: the verdict does not say '$words':"
        cat output
    }
done <"$given/attempts.txt"
[ $left_out = 0 ] || echo "[skipped part] exercise $exercise: $left_out wrong answers"
[ $attempts -ge 3 ] || fail "attempts.txt: expected the given file and two wrong attempts or more"

cp "$given/solution.cu" "$learners/$exercise.cu"
check 0 "the solution"
grep -qE '^ +yes$' output && fail "the verdict has a row without words"
grep -qE '^  (right|each|the two lines) .* yes$' output ||
    fail "the verdict does not say that the results are right"
orders='no race, with [1-9][0-9]* orders of the threads|right in every order of the .*'
grep -qE "^  ($orders|the two lines that race are marked) +yes$" output ||
    fail "the verdict does not say that there is no race, with so many orders"
say_and_exit
