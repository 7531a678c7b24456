#!/usr/bin/env bash
# programs_test.sh FLAGS_DIR REWRITE [FILE...]
#
# Compiles and runs the programs of programs/, one per feature, as scripts/run and scripts/race do
# with anybody's file. FLAGS_DIR holds what cpu_device_write_flags() has written; REWRITE is the
# tool of that name. EMULATOR in the environment is a command that runs programs of another
# processor. Without FILE: those that say `// quick`, and with THOROUGH=1 all of them. Each must end
# with status 0, unless comments at its head say something else:
#
#   // expect: status 1, "words", "other words"
#   // race: status 66, "words"          what it does in race mode, if that is something else
#   // environment: NAME=value
#   // options: -std=c++20               of the compiler
#   // needs: BLAS                       skipped where the system has none
#   // quick
#
# A line that is too long goes on after `//` and five blanks. Each of the words must be in what the
# compiler or the program prints, in this order or another. A
# program that does not compile (`does not compile` in place of a status) says so with its words in
# the first line (after those of g++ that say in which function and file), and in at most 15 lines.
set -u
flags=$(realpath "$1") rewrite=$(realpath "$2")
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# comment KEY FILE: what stands after `// KEY: `, with the lines that go on with it, as one line.
comment() {
    awk -v key="// $1: " '
        index($0, key) == 1 { on = 1; printf "%s", substr($0, length(key) + 1); next }
        on && sub(/^\/\/     */, "") { printf " %s", $0; next }
        { on = 0 }' "$2"
}

# one FILE FOLDER: prints what is wrong, if anything is.
one() {
    local file=$1 folder=$2 name expectation status words=() word got=0 log compile options=()
    name=$(basename "$file")
    log=$folder/$name.log
    expectation=$(comment expect "$file")
    if grep -q CPU_DEVICE_RACE "$flags/cu_flags" && grep -q '^// race: ' "$file"; then
        expectation=$(comment race "$file")
    fi
    status=0
    [[ ! $expectation =~ ^status\ ([0-9]+) ]] || status=${BASH_REMATCH[1]}
    [[ $expectation != 'does not compile'* ]] || status=no
    mapfile -t words < <(grep -o '"[^"]*"' <<<"$expectation" | sed 's/^"//; s/"$//')
    mapfile -t options < <(sed -n 's,^// options: ,,p' "$file" | tr ' ' '\n')
    mapfile -t environment < <(sed -n 's,^// environment: ,,p' "$file")
    compile=("$(<"$flags/compiler")" -std=gnu++17 -O1 -fcaller-saves "${options[@]}")
    if [[ $name == *.cu ]]; then
        compile=("$here/../compile" "$rewrite" "${compile[@]}" @"$flags/cu_flags")
    else
        compile=("$here/../compile" host "$rewrite" "${compile[@]}" @"$flags/host_flags")
    fi
    if ! (cd "$here/programs" &&
          "${compile[@]}" -c "$name" -o "$folder/$name.o") >"$log" 2>&1; then
        if [ "$status" != no ]; then
            echo "FAILED $name: it does not compile:"
            cat "$log"
            return
        fi
        if [ "$(wc -l <"$log")" -gt 15 ]; then
            echo "FAILED $name: more than 15 lines"
        fi
        grep -vE -m 1 '^In file included|^ +from|: In ' "$log" >"$log.first"
        log=$log.first
    elif [ "$status" = no ]; then
        echo "FAILED $name: it compiles"
        return
    else
        "$(<"$flags/compiler")" "$folder/$name.o" @"$flags/library_flags" @"$flags/link_flags" \
            -o "$folder/$name.out" \
            >>"$log" 2>&1 &&
            env "${environment[@]}" timeout 60 ${EMULATOR:-} "$folder/$name.out" \
                >>"$log" 2>&1 </dev/null ||
            got=$?
        if [ "$got" != "$status" ]; then
            echo "FAILED $name: status $got, expected $status; it printed:"
            head -n 20 "$log"
        fi
    fi
    for word in "${words[@]}"; do
        if ! grep -qF -- "$word" "$log"; then
            echo "FAILED $name: expected the words '$word' in:"
            head -n 20 "$log"
        fi
    done
}

if [ "${1:-}" = --one ]; then  # called by itself, below
    one "$2" "$3" 2>/dev/null
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
files=("$@")
if [ ${#files[@]} = 0 ]; then
    if [ "${THOROUGH:-}" = 1 ]; then
        files=("$here"/programs/*.cu "$here"/programs/*.cpp)
    else
        mapfile -t files < <(grep -l '^// quick$' "$here"/programs/*.cu "$here"/programs/*.cpp)
    fi
fi
if grep -q CPU_DEVICE_RACE "$flags/cu_flags"; then
    mapfile -t files < <(grep -L '^// race: not run' "${files[@]}")
fi
if ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -qE 'lib(openblas[.]so[.]0|blas[.]so[.]3)'; then
    while read -r file; do
        echo "skipped $(basename "$file"): it needs a BLAS (apt-get install libopenblas-dev)"
    done < <(grep -l '^// needs: BLAS$' "${files[@]}")
    mapfile -t files < <(grep -L '^// needs: BLAS$' "${files[@]}")
fi
# No program's dump of its memory is of use here.
ulimit -c 0
printf '%s\0' "${files[@]}" |
    xargs -0 -P "$(nproc)" -I '{}' "$here/programs_test.sh" "$flags" "$rewrite" --one '{}' "$folder" \
        >"$folder/failures" || exit 1
cat "$folder/failures"
echo "${#files[@]} programs, $(grep -c ^FAILED "$folder/failures") failures"
[ ${#files[@]} -gt 0 ] && ! [ -s "$folder/failures" ]
