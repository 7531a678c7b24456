#!/usr/bin/env bash
# Writes a copy of SOURCE that one line of EDITS has broken on purpose: the K-th line that begins
# with s, a substitution of sed that must change exactly one line. Compiler messages name SOURCE.
# Usage: break_program.sh SOURCE EDITS K OUTPUT
set -eu
source=$1
edit=$(grep '^s' "$2" | sed -n "$3p")
{
    printf '#line 1 "%s"\n' "$source"
    sed -e "$edit" "$source"
} >"$4"
changed=$(diff "$source" <(tail -n +2 "$4") | grep -c '^>' || true)
if [ "$changed" != 1 ]; then
    rm -f "$4"
    echo "$2: '$edit' changes $changed lines of $source, expected 1" >&2
    exit 1
fi
