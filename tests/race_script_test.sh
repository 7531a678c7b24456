#!/usr/bin/env bash
# What scripts/race shows, and how it ends. Usage: race_script_test.sh BIN, the folder of the race
# build's programs.
bin=$(realpath "$1")
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../scripts/race"

expect 66 "An update is lost" atomic_functions lost_update --seeds 2 --bin "$bin"
export RACE_STORY_SECONDS=60  # on a busy machine, too
expect 66 "The shortest story of it that was found" \
    atomic_functions lost_update --seeds 1 --bin "$bin"
export RACE_STORY_SECONDS=0
expect 66 "found with 2 of 2 seeds; seed 1 again, from the project's root:" \
    atomic_functions lost_update --seeds 2 --bin "$bin"
expect 0 "no race in 2 runs" atomic_functions atomic_add --seeds 2 --bin "$bin"
expect 2 "there is no example 'nothing'" nothing --bin "$bin"
expect 2 "there is no variant 'nothing'" atomic_functions nothing --bin "$bin"
expect 2 "--seeds: expected a number from 1, got '0'" atomic_functions --seeds 0
expect 2 "--bin: expected a directory" atomic_functions --bin nothing
expect 2 "scripts/race EXAMPLE"
expect 2 "one variant at a time, got 'lost_update' and 'atomic_add'" \
    atomic_functions lost_update atomic_add
expect 2 "--tour takes no example" --tour atomic_functions
expect 2 "expected only one of them" --tour --enumerate
expect 0 "wrong all the same, as announced" histogram fixed_256 --seeds 1 --bin "$bin"
expect 0 "lost_update, 2 threads: 6 orders" --enumerate --bin "$bin"
for text in "x = 1: 4 times of 6" "x = 2: twice of 6" "lost_update, 3 threads: 90 orders"; do
    grep -qF "$text" output || fail "--enumerate does not say '$text'"
done

expect 0 "every order as a page, .*orders.html" --enumerate --show orders.html --bin "$bin"
grep -qF '"kind":"trees"' orders.html || fail "the page does not hold the orders"
message=$root/docs/outcomes/1_message.cu
expect 0 "every execution as a page, .*message.html" --outcomes "$message" --show message.html
grep -qF '"stale":true' message.html || fail "the page does not hold the old values"
grep -qF "4 different outcomes in 7 executions" output || fail "--outcomes does not print them"

# The tour names each wrong variant, shows a lost update as one, and keeps to its screens.
expect 0 "right counterparts clean" --tour --seeds 1 --bin "$bin"
wrong=0
examples=$(cd "$root" && for table in */*variants.cuh; do dirname "$table"; done)
for example in $examples; do
    while read -r variant; do
        wrong=$((wrong + 1))
        grep -qE "^=== [0-9]+ of [0-9]+ +scripts/race $example $variant\$" output ||
            fail "the tour leaves out $example $variant"
    done < <("$bin/$example" --list |
        awk '$2 ~ /^(wrong_result|race|unsynchronized|deadlock|no_access)$/ { print $1 }')
done
[ $wrong -ge 19 ] || fail "--list names $wrong wrong variants, expected 19 or more"
reports=$(grep -c ' in kernel ' output)
[ "$reports" -ge 12 ] || fail "the tour shows $reports reports, expected 12 or more"
awk '/^=== / { n = 0 } { ++n } n > 40 || length > 100 { exit 1 }' output ||
    fail "a screen of the tour has more than 40 lines or 100 columns"

# A right variant that is called as a wrong one is not found out; a wrong one that is called as a
# right one is not clean. The other examples have nothing to show here.
mkdir programs
for example in $examples; do
    ln -s "$(type -P true)" "programs/$example"
done
# swap FROM TO: a program that runs TO when it is asked for FROM, and calls it FROM. It lists both.
swap() {
    rm -f programs/atomic_functions  # a link to another program
    cat >programs/atomic_functions <<END
#!/usr/bin/env bash
set -o pipefail
[ "\$1" != --list ] || exec "$bin/atomic_functions" --list
"$bin/atomic_functions" "\${@/#$1/$2}" | sed 's/^$2 /$1 /'
END
    chmod +x programs/atomic_functions
}
swap lost_update atomic_add
expect 1 "NOT FOUND OUT: atomic_functions lost_update" --tour --seeds 1 --bin programs
swap atomic_add lost_update
expect 1 "NOT CLEAN: atomic_functions atomic_add" --tour --seeds 1 --bin programs
ln -sf "$(type -P true)" programs/atomic_functions
expect 1 "there is no wrong variant" --tour --seeds 1 --bin programs

say_and_exit
