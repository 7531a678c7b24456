#!/bin/sh
# A chapter's lesson is one sitting: its README.md has at most 1,800 words.
set -eu
cd "$(dirname "$0")/.."
status=0 lessons=0
for table in */variants.cuh; do
    lesson=${table%/*}/README.md
    words=$(wc -w <"$lesson")
    lessons=$((lessons + 1))
    [ "$words" -le 1800 ] || { echo "$lesson: $words words, expected at most 1800"; status=1; }
done
echo "$lessons lessons"
[ "$lessons" -ge 7 ] && exit $status
