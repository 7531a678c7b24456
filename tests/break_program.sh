#!/usr/bin/env bash
# Writes copies of SOURCE, each of which one line of EDITS has broken on purpose: the K-th line that
# begins with s, a substitution of sed that must change exactly one line, makes PREFIX_K.cu.new.
# Compiler messages name SOURCE.
# Usage: break_program.sh SOURCE EDITS PREFIX
set -eu
source=$1
k=0
rm -f "$3"_*.cu.new
while IFS= read -r edit || [ -n "$edit" ]; do
    [ "${edit:0:1}" = s ] || continue
    k=$((k + 1))
    copy=$3_$k.cu.new
    {
        printf '#line 1 "%s"\n' "$source"
        sed -e "$edit" "$source"
    } >"$copy"
    changed=$(tail -n +2 "$copy" | diff "$source" - | grep -c '^>' || true)
    if [ "$changed" != 1 ]; then
        rm -f "$copy"
        echo "$2: '$edit' changes $changed lines of $source, expected 1" >&2
        exit 1
    fi
done <"$2"
