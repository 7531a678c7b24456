#!/usr/bin/env bash
# scripts/learn from the first exercise to the last, as a learner meets it: with the solutions saved
# one by one, in the order of docs/way.md. Those between the first two and the last two were
# solved before, so that it does not check each solution once more; with EVERY_ANSWER set, none was.
# Then its commands, and what it keeps.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/learn"
mkfifo typed
"$program" explain race >output 2>&1 || fail "explain: status $?"  # a bare system has Python now
names=()
for folder in "$root"/exercises/[0-9][0-9]_*/; do
    names+=("$(basename "$folder")")
done
mapfile -t way < <(cd "$root/scripts" && python3 -B -c '
from course import exercises
print(*map(exercises.number_of, exercises.in_order()), sep="\n")')
[ ${#way[@]} = ${#names[@]} ] || fail "the way has ${#way[@]} exercises, expected ${#names[@]}"

# wait_for TEXT: until the session has said it since the last call.
seen=0
wait_for() {
    local waited=0
    until tail -c +$((seen + 1)) said | grep -qF -- "$1"; do
        sleep 0.1
        waited=$((waited + 1))
        [ $waited -lt 1200 ] || { fail "after two minutes it has not said '$1':"; cat said; break; }
    done
    seen=$(stat -c %s said)
}

mkdir mine
middle=("${way[@]:2:${#way[@]}-4}")
[ -z "${EVERY_ANSWER:-}" ] || middle=()
for number in "${middle[@]}"; do
    echo "solved ${names[number - 1]}" >>mine/.progress
done

: >said
"$program" --in mine <typed >said 2>&1 &
session=$!
exec {keyboard}>typed
for number in "${way[@]}"; do
    name=${names[number - 1]}
    [[ " ${middle[*]} " != *" $number "* ]] || continue
    wait_for "=== $number of ${#names[@]}: "
    wait_for "NO"  # the file as it is given
    [ -f "mine/$name.cu" ] || fail "there is no mine/$name.cu"
    sleep 0.01
    cp "$root/exercises/$name/solution.cu" "mine/$name.cu"
    wait_for "Solved. ("
    echo next >&"$keyboard"
    [ $failures = 0 ] || break
done
wait_for "What next?"
grep -q "you have solved all ${#names[@]}" said || fail "the last verdict does not say so"
echo quit >&"$keyboard"
exec {keyboard}>&-
wait $session || fail "the session ended with $?"
expect 0 "^${#names[@]} of ${#names[@]} solved" --in mine list

# The commands, on one exercise of a new learner.
first=${names[0]}
expect 0 "^0 of ${#names[@]} solved" --in new list
expect 1 "ask for the solution again" --in new solution 1
expect 0 "our solution of $first" --in new solution "$first"
expect 0 "Hint 1 of 3" --in new hint
expect 0 "Hint 2 of 3" --in new hint 1
expect 0 "Hint 3 of 3" --in new hint 01
expect 0 "You have seen all three hints" --in new hint "${first#??_}"
grep -q 'Hint . of 3' output && fail "a fourth hint repeats one of the three"
expect 0 "Hint 3 of 3" --in new hints 1
expect 0 "no hint for 02_tail yet" --in new hints 2
expect 0 "^Fence: an instruction" explain fences
expect 0 'atomic_functions/README.md' explain race
expect 1 "the glossary has no 'rase'. It has: race" explain rase
expect 2 "explain: expected a word" explain
echo "// my own" >>"new/$first.cu"
expect 0 "your file is kept as .*kept.1" --in new reset 1
grep -qx "// my own" "new/$first.cu.kept.1" || fail "the learner's own file is lost"
echo "// my other" >>"new/$first.cu"
expect 0 "kept.2" --in new reset 1
cmp -s "new/$first.cu" "$root/exercises/$first/$first.cu" || fail "reset does not begin anew"
expect 1 "it compiles +NO" --in new check 1
sed -n '/Not yet/,$p' output | sed -n 2p | grep -q 'The hole ____ is still there' ||
    fail "the verdict does not come first: $(cat output)"
echo "int main() {" >"new/$first.cu"
expect 1 "The compiler stops at the first line" --in new check 1
echo "void launch_other() {}" >"new/$first.cu"
expect 1 "The check calls a function that is not there" --in new check 1
rm "new/$first.cu"
LC_ALL=C.UTF-8 expect 1 "The hole ____ is still there" --in new check 1  # other quotes by g++

# What a learner prints does not tear the verdict apart; what only the host has is named.
echo '#include <cstdio>' | cat - "$root/exercises/$first/solution.cu" |
    sed 's/^    if (i < n) {/&\n        std::printf("thread %d\\n", i);/' >"new/$first.cu"
expect 0 'Your code has printed [0-9]{4,} lines' --in new check 1
grep -qx '    thread 0' output || fail "the first prints are not shown: $(cat output)"
{ echo '#include <cstdio>'; sed '/^__global__/,/^}/s/^    if (i < n) {/    while (i == 0) {\n        printf("on and on\\n");\n    }\n&/' \
    "$root/exercises/$first/solution.cu"; } >"new/$first.cu"
expect 1 'Your code prints without end' --in new check 1
head -c 100001 /dev/zero >"new/$first.cu"
expect 1 'has more than 100000 bytes' --in new check 1
rm "new/$first.cu"
mkdir "new/$first.cu"
expect 1 'expected a file, and found something else' --in new check 1
rmdir "new/$first.cu"
sed 's/d_x\[i\] + /std::max(d_x[i], 0) + /' "$root/exercises/$first/solution.cu" >"new/$first.cu"
expect 1 'it compiles for a GPU +NO' --in new check 1
grep -q '^[0-9]*: .*std::max' output || fail "the line is not named: $(cat output)"

# A run with a report, as a page.
expect 1 '^"scripts/learn --in new show 12" makes a page of this run' --in new check 12
expect 0 "as a page, .*/new/12_lost_update.html" --in new show 12
grep -q '"kind":"DATA RACE"' new/12_lost_update.html || fail "the page does not hold the race"
# In Chinese, the page has the comments of the learner's file: there, "mend the line that counts".
expect 0 "\.html" --lang zh-CN --in chinese show 12
grep -qF '// \u6539\u6b63\u8ba1\u6570' chinese/12_lost_update.html ||
    fail "the page of a Chinese file lacks its comments"
expect 1 "There is no run to show. The hole ____" --in new show 3

# The GPU's part, as far as a machine without one goes: nvcc compiles the file and its check.
if ! nvidia-smi -L >/dev/null 2>&1; then
    expect 1 "there is no GPU with the CUDA Toolkit" --in mine --gpu check 1
    if command -v nvcc >/dev/null; then
        mkdir bin
        printf '#!/bin/sh\necho "GPU 0: none, in truth"\n' >bin/nvidia-smi
        chmod +x bin/nvidia-smi
        PATH=$PWD/bin:$PATH expect 1 "no CUDA device found" --in mine --gpu check 1
        [ "$(grep -c 'it compiles  *yes' output)" = 2 ] || fail "nvcc fails: $(cat output)"
    fi
fi

# What is typed: a number, a name, a word that is none; and the next start goes on where one was.
typed() { printf '%s\n' "$@" | "$program" --in typed_in >output 2>&1; }
typed 9 foo 'explain fence' task quit || fail "a session ended with $?"
for words in "=== 9 of ${#names[@]}: " "there is no command 'foo'" "Fence: an instruction" "Read: basics/06"; do
    grep -qF -- "$words" output || fail "a session does not say '$words': $(cat output)"
done
typed quit || fail "a session ended with $?"
grep -q "^=== 9 of ${#names[@]}: " output || fail "the second start does not go on at 9: $(cat output)"
expect 0 "Hint 1 of 3 for 09_tree" --in typed_in hint

# What may stand in the place of the list of progress.
mkdir -p odd
mkfifo odd/.progress
timeout 20 "$program" --in odd list >output 2>&1 </dev/null
[ $? = 1 ] && grep -q 'expected a file, and found something else: .*progress' output ||
    fail "a pipe as .progress: $(cat output)"
rm odd/.progress
echo mine >theirs
ln -s ../theirs odd/.progress
expect 1 'cannot write|cannot read' --in odd hint 1
[ "$(cat theirs)" = mine ] || fail "a link as .progress is followed: $(cat theirs)"

# A program that prints without end on either stream is ended.
for stream in stdout stderr; do
    sed "s/^void launch_.*/&\n    for (;;) std::fputs(\"on and on \", $stream);/; 1i #include <cstdio>" \
        "$root/exercises/$first/solution.cu" >"new/$first.cu"
    expect 1 'Your code prints without end' --in new check 1
done
{
    echo 'template <int a, int b> struct A { static constexpr int v = A<a - 1, b>::v + A<a - 1, b + (1 << a)>::v; };'
    echo 'template <int b> struct A<0, b> { static constexpr int v = b; };'
    echo 'constexpr int endless = A<28, 0>::v;'
    cat "$root/exercises/$first/solution.cu"
} >"new/$first.cu"
# Ctrl-C, here while the compiler is at it without end, and what the machine lacks, are no mistakes of
# the learner's.
failed=$(grep -c '^failed' new/.progress)
timeout -s INT --preserve-status 2 "$program" --in new check 1 >output 2>&1 </dev/null
[ $? = 130 ] || fail "Ctrl-C while it compiles: $(cat output)"
program=bash
expect 1 'this is not a mistake of yours' -c 'ulimit -f 1; exec "$@"' bash "$root/scripts/learn" \
    --in new check 1
program=$root/scripts/learn
[ "$(grep -c '^failed' new/.progress)" = "$failed" ] || fail "it is noted as the learner's"

# Wrong words.
expect 2 "there is no exercise 'nothing'" --in new nothing
expect 2 "next is for the terminal" next
expect 2 "there is no flag '--nothing'" --nothing
expect 2 "one command at a time" list check
expect 2 "--in: expected a folder" --in
touch a_file
expect 1 "cannot write in the folder" --in a_file list
say_and_exit
