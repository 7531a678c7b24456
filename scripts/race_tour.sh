# Sourced by scripts/race: the tour of the wrong variants. Needs its race_once(), `bin`, `seeds` and
# `output`.

# wrong_variants: a line "EXAMPLE VARIANT KIND COUNTERPART" for each.
wrong_variants() {
    local name
    for name in "${examples[@]}"; do
        "$bin/$name" --list | awk -v example="$name" '
            $2 == "race" || $2 == "unsynchronized" { print example, $1, $2, $NF }
            $2 == "wrong_result" { print example, $1, "result", $NF }'
    done
}

# body_of EXAMPLE NAME: the body of a function of the example, a statement a line, no comments.
body_of() {
    cat "$1"/*.cuh | awk -v head="$2(" '
        inside && /^}/ { exit }
        inside {
            sub(/ *\/\/ .*/, "")
            sub(/^ */, statement == "" ? "" : " ")
            statement = statement $0
            if (statement ~ /[;{}:]$/) { print statement; statement = "" }
        }
        index($0, head) && /^[^ ]/ { found = 1 }  # its head begins at the left
        found && /\{$/ { inside = 1 }'
}

# source_of EXAMPLE VARIANT: the bodies of launch_VARIANT and of the kernel that it launches.
# Nothing where the launcher has another name.
source_of() {
    local launcher kernel
    launcher=$(body_of "$1" "launch_$2")
    kernel=$(grep -oE '[a-z_0-9]+(<[^<>]*>)?<<<' <<<"$launcher" | sed 's|<.*||') || true
    sed "s|${kernel:-<<<}|kernel|" <<<"$launcher"
    [ -z "$kernel" ] || body_of "$1" "$kernel"
}

# The lines that VARIANT marks as its fault, each with its place.
marked_lines() {
    local file
    file=$("$bin/$1" --list | awk -v name="$2" '$1 == name { print $4 }')
    grep -nE "// (race|wrong): $2\$" "$1/$file" |
        sed -E 's|^([0-9]+): *|\1|; s| *// [a-z]+: [a-z_0-9]+$||' |
        sed -E "s|^([0-9]+)|  $1/$file:\1:  |"
}

# Of the reports in $output one: the first that shows a lost update, else the first.
one_report() {
    awk -v RS= '/ in kernel / && first == "" { first = $0 }
                / in kernel / && /is lost/ && lost == "" { lost = $0 }
                END { print lost != "" ? lost : first }' "$output" |
        awk '/^(variant|race mode:|[a-z_]+ +[0-9.]+ +[0-9.]+%)/ { exit }
             { print }'
}

# what_check_said VARIANT: the last column of its row in $output, without the remark on repeats.
what_check_said() {
    awk -v name="$1" '$1 == name && $3 ~ /%$/ {
        sub(/^[^%]*% */, "")
        sub(/; (sum|dot) [^;]*$/, "")
        print
        exit
    }' "$output"
}

# idea_of EXAMPLE VARIANT: what --list says of it.
idea_of() {
    "$bin/$1" --list | awk -v name="$2" '$1 == name {
        sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "")
        sub(/; right: [a-z_0-9]+$/, "")
        print
    }'
}

# Sets `said` and `shown`, what the check and race mode said: with the first seed whose result is
# wrong too, else with the first. Fails if a seed did not find the variant out.
find_out() {
    local name=$1 variant=$2 kind=$3 seed status check expected
    shown= said=
    for ((seed = 1; seed <= seeds; ++seed)); do
        status=0
        race_once "$name" "$variant" "$seed" || status=$?
        check=$(what_check_said "$variant")
        expected=66
        if [ "$kind" = result ]; then  # a race besides is no harm
            expected=none
            [[ $check == wrong* ]] && [ $status = 0 -o $status = 66 ] && expected=$status
        fi
        if [ $status != $expected ]; then
            cat "$output"
            echo "NOT FOUND OUT: $name $variant with seed $seed ended with $status"
            return 1
        fi
        if [ $seed -eq 1 ] || [[ $said != wrong* && $check == wrong* ]]; then
            said=$check shown=$(one_report)
        fi
    done
}

# Sets `said` to what the counterpart's check said. Fails if a seed found something.
is_clean() {
    local seed
    for ((seed = 1; seed <= seeds; ++seed)); do
        if ! race_once "$1" "$2" "$seed" || [[ $(what_check_said "$2") != ok* ]]; then
            cat "$output"
            echo "NOT CLEAN: $1 $2 with seed $seed"
            return 1
        fi
    done
    said=$(what_check_said "$2")
}

# One screen; at most 40 lines of 100 columns.
screen() {
    local name=$1 variant=$2 kind=$3 right=$4 shown said
    idea_of "$name" "$variant"
    marked_lines "$name" "$variant"
    find_out "$name" "$variant" "$kind" || return 1
    [ -z "$shown" ] || printf '%s\n' "$shown"
    if [[ $said == wrong* ]]; then
        echo "Its result is ${said/as announced: is /as announced: }"
    elif [[ $shown == *DATA\ RACE* && $kind == race ]]; then
        echo "Its result was right with every seed, by luck."
    else
        echo "Its result was right with every seed: here all threads take one step at a time, in an"
        echo "order that all see alike. A GPU promises less."
    fi
    echo
    is_clean "$name" "$right" || return 1
    echo "$right is right: $(idea_of "$name" "$right")"
    echo "  No report with any seed, and its result is $said"
    show_difference "$(source_of "$name" "$variant")" "$(source_of "$name" "$right")"
}

# Which lines the second text has in place of the first's, if they are few enough to tell something.
show_difference() {
    [ -n "$1" ] && [ -n "$2" ] || return 0
    diff -b <(echo "$1") <(echo "$2") | awk '
        /^[<>]/ { sub(/^< */, "    - "); sub(/^> */, "    + "); lines[++count] = $0 }
        END { if (count <= 9) for (i = 1; i <= count; ++i) print lines[i] }' || true
}

tour() {
    local number=0 failed=() name variant kind right
    local rows=()
    mapfile -t rows < <(wrong_variants)
    for row in "${rows[@]}"; do
        read -r name variant kind right <<<"$row"
        number=$((number + 1))
        printf '\n=== %d of %d   scripts/race %s %s\n' $number ${#rows[@]} "$name" "$variant"
        # Names of files are clear without their folder here.
        screen "$name" "$variant" "$kind" "$right" > >(sed "s|$name/||g" | fold -s -w 100) ||
            failed+=("$name $variant")
        wait $!
        if [ -t 0 ] && [ -t 1 ] && [ $number -lt ${#rows[@]} ]; then
            read -r -p '--- Enter: the next ' || break
        fi
    done
    echo
    if [ ${#rows[@]} -eq 0 ] || [ ${#failed[@]} -gt 0 ]; then
        say "not as announced: ${failed[*]:-there is no wrong variant}"
        return 1
    fi
    echo "$number wrong variants found out and their right counterparts clean (seeds: $seeds)"
}
