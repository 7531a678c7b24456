#!/usr/bin/env bash
# What only hash_table's command line has. Usage: hash_table_program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"

# A wrong command line is refused before any device is asked for.
expect 2 '^--buckets: .*1 to' --buckets 0
expect 2 '^--buckets: .*1 to' --buckets -5
expect 2 '^--distinct: ' --distinct some
expect 2 '^--n: .*4294967280' --n 4294967281
printf '5\n' >one.txt
expect 2 '--distinct.* excludes|excludes --distinct' --input one.txt --distinct 5
expect 2 '--n excludes|excludes --n' --input one.txt --n 5

need_device
grep -q '^by hand, in one function:  100 entries in 1024 chains' output || fail "by hand"

# Keys from a file: the smallest, the largest, and one twice. All of them are found again.
printf '0\n4294967295\n7\n\n7\n' >keys.txt
expect 0 '^input: 4 keys from keys.txt; 3 buckets' --input keys.txt --buckets 3 --repeats 1 \
    --output lengths.txt --json table.json
printf '0 2\n1 2\n2 0\n' >expected.txt
cmp lengths.txt expected.txt || fail "--output: lengths.txt is not what was expected"
grep -q '"n": 4,' table.json || fail "--json: n is not the number of keys in the file"
grep -q '"name": "warp_turns"' table.json || fail "--json: a build is missing"
grep -q '"name": "find_open"' table.json || fail "--json: a search is missing"
grep -q '^find_chained .*ok: 4 found, 0 absent' output || fail "find_chained"

# What is no key names its place, and a result that was there stays.
printf '1\n2\n-5\n' >bad.txt
expect 1 'bad.txt:3: .-5. is not a number' --input bad.txt --output lengths.txt
printf '1\n4294967296\n' >bad.txt
expect 1 'bad.txt:2: .4294967296. is out of range' --input bad.txt --output lengths.txt
expect 1 'missing/lengths.txt: cannot be created' --n 100 --repeats 1 --output missing/lengths.txt
expect 1 'lengths.txt: not written' --n 100 --repeats 1 --variant find_open --output lengths.txt
cmp lengths.txt expected.txt || fail "lengths.txt was changed"

# No keys, few different ones, one bucket, more buckets than keys; refused by name, not by failing.
expect 0 '^splice .*ok: 0 entries' --n 0 --repeats 1
expect 0 '^each_thread .*ok: 3000 entries in 1 chains of 3000 to 3000' --n 3000 --buckets 1 \
    --repeats 1
expect 0 '^lock_free_push .*chains of 0 to 3000' --n 3000 --distinct 1 --buckets 100K --repeats 1
expect 0 '^splice +skipped: needs 8 bytes' --n 3000 --buckets 100K --repeats 1
expect 0 '^open_addressing +skipped: keys repeat too often' --n 200K --distinct 1 --repeats 1 \
    --variant splice_push --variant open_addressing

# Wrong variants leave the status alone.
expect 0 '^values_never_copied .*wrong, as announced' --n 1000 --variant values_never_copied
expect 0 '^no_lock .*(right this time|wrong, as announced)' --n 1000 --variant no_lock
say_and_exit
