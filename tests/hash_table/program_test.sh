#!/usr/bin/env bash
# What only hash_table's command line has. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

# Keys from a file: the smallest, the largest, and one twice. All of them are found again.
printf '0\n4294967295\n7\n\n7\n' >keys.txt
expect 0 '^input: 4 keys from keys.txt; 3 buckets' --input keys.txt --buckets 3 --repeats 1 --all \
    --output lengths.txt --json table.json
printf '0 2\n1 2\n2 0\n' >expected.txt
cmp lengths.txt expected.txt || fail "--output: lengths.txt is not what was expected"
grep -q '"n": 4,' table.json || fail "--json: n is not the number of keys in the file"
# Both tables are there, with every row that --list shows, and a row for the CPU in each.
grep -q '^input: a search for each of 4 keys from keys.txt' output || fail "no second table"
[ "$(grep -c '^cpu ' output)" = 2 ] || fail "the CPU has no row in each table"
"$program" --list | awk '$2 == "right" { print $1 }' >right.txt
printf 'cpu\nfind_on_cpu\n' >>right.txt
while read -r row; do
    grep -q "\"name\": \"$row\"" table.json || fail "--json: no row $row"
    [ "$row" = find_on_cpu ] || grep -qE "^$row +[0-9.]+ .*ok: 4 |^$row +skipped: " output ||
        fail "no right row $row"
done <right.txt

# A search leaves no table to be written, and a result that was there stays.
find=$(awk '/^find_/' right.txt | head -n 1)
expect 1 'lengths.txt: not written' --n 100 --repeats 1 --variant "$find" --output lengths.txt
cmp lengths.txt expected.txt || fail "lengths.txt was changed"
grep -q '; 1024 buckets' output && fail "a build was run beside --variant $find"

# No keys, few different ones, one bucket, more buckets than keys; refused by name, not by failing.
expect 0 'ok: 0 entries' --n 0 --repeats 1 --all
expect 0 'ok: 3000 entries in 1 chains of 3000 to 3000' --n 3000 --buckets 1 --repeats 1
expect 0 'chains of 0 to 3000' --n 3000 --distinct 1 --buckets 100K --repeats 1
expect 0 'skipped: needs 8 bytes of shared memory per bucket' --n 3000 --buckets 100K --repeats 1 \
    --all
expect 0 'skipped: keys repeat too often' --n 200K --distinct 1 --repeats 1 --all

# The lesson, without flags: the check of each line holds.
"$program" 3000 >output || fail "$name 3000 ended with $?"
[ "$(grep -c 'every key in its chain, with its value: ok' output)" = 3 ] || fail "$name 3000"
expect 2 'expected one size from 0 to 4294967280' 5G
say_and_exit
