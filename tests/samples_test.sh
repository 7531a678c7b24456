#!/usr/bin/env bash
# What scripts/samples writes, what it lets differ, and what it says of samples that are wrong.
set -u
PATH=/usr/bin:$PATH  # a python3 before the system's may be a wrapper that is slow to start
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# A program that prints a time, two lines in any order, and its arguments.
mkdir bin
cat >bin/shows <<'END'
#!/bin/sh
echo "took ${TOOK:-1.25} ms on CPU device (${THREADS:-2} threads)"
for word in ${ORDER:-one two}; do echo "block $word"; done
echo "arguments: $*, $WORD"
[ "$1" = race ] || echo left behind >file.txt
[ "$1" != fails ] || exit 3
END
chmod +x bin/shows

# page COMMENT [LINE...]: page.md with one sample; check STATUS PATTERN: what --check makes of it.
page() {
    { echo before; echo "<!-- $1 -->"; shift; printf '%s\n' "$@" '<!-- end -->' after; } >page.md
}
samples() { "$root/scripts/samples" --bin bin "$@" page.md >output 2>&1; }
check() {
    samples --check
    local got=$?
    if [ $got != "$1" ] || ! grep -qE -- "$2" output; then
        fail "$(sed -n 2p page.md): status $got, expected $1 and '$2'; output: $(cat output)"
    fi
}
expect_page() {
    local first=$1
    shift
    { echo before; echo "<!-- $first -->"; printf '%s\n' "$@" '<!-- end -->' after; } >expected.md
    cmp -s page.md expected.md || fail "page.md is not as expected: $(cat page.md)"
}

# Written, then unchanged, then checked for all that matters and nothing else.
text='run: shows a "b  c"'
page "$text"
check 1 'prints something else'
samples || fail "could not write: $(cat output)"
expect_page "$text" '```' 'took 1.25 ms on CPU device (2 threads)' 'block one' 'block two' \
    'arguments: a b  c,' '```'
check 0 '1 samples, 0 differ'
TOOK=2345.5 THREADS=16 check 0 '0 differ'
TOOK=7 check 0 '0 differ'
TOOK=no check 1 'took no ms'
ORDER='two one' check 1 'block two'
cp page.md before.md
if ! TOOK=3.5 samples || ! cmp -s page.md before.md; then fail "a page was written anew for a time"; fi
if [ -e file.txt ] || [ -e "$root/file.txt" ]; then fail "the program left a file behind"; fi

page 'run: $ WORD=hi scripts/run shows; lines: 1,4' '```text' '```'
samples
expect_page 'run: $ WORD=hi scripts/run shows; lines: 1,4' '```text' '$ WORD=hi scripts/run shows' \
    'took 1.25 ms on CPU device (2 threads)' '...' 'arguments: , hi' '```'
page 'run: shows; cut: ^block; exact' '```' 'took 1.25 ms on CPU device (2 threads)' '...' \
    'arguments: , ' '```'
sed -i 's/: , $/: ,/' page.md  # blanks at the end of a line are not kept
check 0 '0 differ'
TOOK=1.5 check 1 'took 1.5 ms'
page 'run: shows; lines: 2-3; unordered' '```' '...' 'block two' 'block one' '...' '```'
check 0 '0 differ'
page 'run: shows; lines: 2; mask: one|two|six' '```' '...' 'block six' '...' '```'
check 0 '0 differ'
page 'run: missing; slow' '```' 'block one' '```'
samples --check --quick
grep -q '^0 samples, 0 differ' output || fail "--quick takes a slow sample: $(cat output)"
check 1 'there is no program'
page 'run: shows fails; status: 3; lines: 2' '```' '...' 'block one' '...' '```'
check 0 '0 differ'

# A learner's folder is shown as that of /home/me.
number=$(find "$root/exercises" -maxdepth 1 -name '[0-9][0-9]_*' | wc -l)
page 'run: scripts/learn list; cut: ^(?!.*your files:)' '```' '...' \
    "0 of $number solved; your files: /home/me/cuda_exercises" '```'
check 0 '0 differ'
# A file of the project is shown by its path in the project.
cat >bin/paths <<END
#!/bin/sh
echo "$root/scan/cpu.hpp:3"
END
chmod +x bin/paths
page 'run: paths' '```' 'scan/cpu.hpp:3' '```'
check 0 '0 differ'

# Each mistake is one sentence that names the file and the line.
page 'rnu: shows'; check 1 "^page.md:3: there is no '<!-- run:'"
page 'run: shows fails'; check 1 "^page.md:2: 'shows fails' ended with 3, expected 0"
page 'run: missing'; check 1 '^page.md:2: there is no program .*bin/missing; build the preset cpu'
page "run: race: shows race"; check 1 'prints something else'
page 'run: race: missing'; check 1 '^page.md:2: .*build the preset race'
page 'run: race:'; check 1 "^page.md:2: expected the name of a program after 'race:'"
page 'run: shows "a'; check 1 '^page.md:2: No closing quotation'
page 'run: ; exact'; check 1 '^page.md:2: expected a command'
page 'run: shows; line: 3'; check 1 "^page.md:2: there is no option 'line'; expected lines"
page 'run: shows; exact: 3'; check 1 "^page.md:2: 'exact: 3': expected exact alone"
page 'run: shows; lines'; check 1 "^page.md:2: 'lines': expected lines: and a value"
page 'run: shows; lines: 3-9'; check 1 "^page.md:2: 'lines: 3-9': expected numbers from 1 to 4"
page 'run: shows; lines: a'; check 1 "^page.md:2: 'lines: a': expected lines: A-B"
page 'run: shows; cut: ['; check 1 "^page.md:2: cut: '\[' is no regular expression"
page 'run: shows' 'some text'; check 1 '^page.md:2: expected one block'
page 'h200: no_such_run'; check 1 '^page.md:2: expected a recorded output in results/h200'
printf '<!-- run: shows -->\n```\n```\n' >page.md; check 1 "^page.md:1: expected '<!-- end -->'"
printf '<!-- end -->\n' >page.md; check 1 "^page.md:1: there is no '<!-- run:'"
rm page.md; check 1 '^page.md: cannot be read'

# The format may be explained in a block of code.
printf '```\n<!-- run: missing -->\n```\n' >page.md; check 0 '^0 samples'

[ $failures = 0 ] && echo "samples: all held"
exit $((failures > 0))
