#!/usr/bin/env bash
# What scripts/book --serve shows while one writes: an edit of a note; it goes on after a mistake,
# which it names. In a copy of the project. Ends with 77, which CTest calls skipped, where book.site
# has not installed the site generator.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "error: $*; the log:"; tail -n 30 "$copy/log"; exit 1; }
for command in python3 node npm curl git; do
    command -v "$command" >/dev/null || skip "$command is missing"
done
git -C "$root" rev-parse >/dev/null 2>&1 || skip "this is no clone"
modules=$root/build/book/node_modules
cmp -s "$root/book/package-lock.json" "$modules/.package-lock.of-this-build" ||
    skip "scripts/book has not installed the site generator"

copy=$(mktemp -d "$root/build/serve.XXXXXX")
job=
trap '[ -z "$job" ] || kill -- -"$job" 2>/dev/null || true; wait; rm -rf "$copy"' EXIT
git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$copy")
mkdir -p "$copy/build/book"
cp -al "$modules" "$copy/build/book/"
set -m  # a process group of its own, as the terminal's Ctrl-C reaches
"$copy/scripts/book" --serve >"$copy/log" 2>&1 </dev/null &
job=$!
set +m

# within SECONDS COMMAND...: tries it until it succeeds.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] && kill -0 "$job" 2>/dev/null || return 1
        sleep 0.5
    done
}
# Without the colours: the port is another one where 5173 is taken.
address() {
    url=$(sed 's/\x1b\[[0-9;]*m//g' "$copy/log" | grep -o 'http://localhost:[0-9]*') && [ "$url" ]
}
shows() { curl -sf "$url/histogram/index.md" | grep -q "$1"; }
says() { grep -q "$1" "$copy/log"; }

within 120 address || fail "it does not start"
within 60 shows "how often each value occurs" || fail "it does not show the note"
note=$copy/histogram/README.md
printf '\nfirst_edit\n' >>"$note"
within 60 shows first_edit || fail "it does not show an edit"
printf '\n[a link](nowhere.md)\n' >>"$note"
within 60 says "histogram/README.md:.*nowhere.md" || fail "it does not name a dead link"
sed -i '$d' "$note"
printf '\nsecond_edit\n' >>"$note"
within 60 shows second_edit || fail "it does not show an edit after a mistake"
echo "two edits shown, a dead link named"
