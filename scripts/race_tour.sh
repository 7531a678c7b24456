# Sourced by scripts/race: the tour of the wrong variants. Needs its run_seeds(), `bin`, `seeds` and
# `out`.

# row_of EXAMPLE VARIANT: sets kind, file, idea and right to what --list says of it.
row_of() {
    read -r _ kind _ file idea < <("$bin/$1" --list | awk -v name="$2" '$1 == name')
    right=${idea##*; right: } idea=${idea%; right: *}
}

# what_check_said VARIANT FILE: the last column of its row, without the remark on repeats.
what_check_said() {
    awk -v name="$1" '$1 == name && $3 ~ /%$/ {
        sub(/^[^%]*% */, "")
        sub(/; (sum|dot) [^;]*$/, "")
        print
        exit
    }' "$2"
}

# one_report FILE: the first report that shows a lost update, else the first. Of one on threads that
# never end, only the first lines. awk reads its input to the end: a closed pipe would be an error.
one_report() {
    awk -v RS= '/ in kernel |(^|\n)TOO LARGE / && first == "" { first = $0 }
                / in kernel / && /is lost/ && lost == "" { lost = $0 }
                END { print lost != "" ? lost : first }' "$1" |
        awk '/^(variant|race mode:|[a-z_0-9]+ +[0-9.]+ +[0-9.]+%)/ { over = 1 }
             /^(DEADLOCK|TOO LARGE) / { max = 8 }
             max && NR > max && !over { print "  ..."; over = 1 }
             !over'
}

# as_announced EXAMPLE VARIANT KIND: runs the variant with every seed. Sets `said` and `shown`, what
# the check and race mode said: with the first seed whose result is wrong too, else with the first.
# Fails with a seed whose run is not as the kind says.
as_announced() {
    local seed status check
    said= shown=
    run_seeds "$bin/$1" --small --variant "$2"
    for ((seed = 1; seed <= seeds; ++seed)); do
        status=$(<"$out/$seed.status") check=$(what_check_said "$2" "$out/$seed")
        case $3:$status:$check in
        right:0:ok* | race:66:* | unsynchronized:66:* | deadlock:6[67]:) ;;
        wrong_result:0:wrong*) ;;
        wrong_result:66:wrong*) ;;  # a race in addition is no harm
        *)
            cat "$out/$seed"
            [ "$3" = right ] && printf 'NOT CLEAN: ' || printf 'NOT FOUND OUT: '
            echo "$1 $2 with seed $seed ended with $status"
            return 1
            ;;
        esac
        if [ $seed = 1 ] || [[ $said != wrong* && $check == wrong* ]]; then
            said=$check shown=$(one_report "$out/$seed")
        fi
    done
}

# One screen; at most 40 lines of 100 columns.
screen() {
    local name=$1 variant=$2 kind file idea right shown said counterpart wrong
    row_of "$name" "$variant"
    counterpart=$right wrong=$name/$file
    echo "$idea"
    grep -nHE "// (race|wrong): $variant\$" "$wrong" |
        sed -E 's|^([^:]*:[0-9]+:) *|  \1  |; s| *// [a-z]+: [a-z_0-9]+$||'
    as_announced "$name" "$variant" "$kind" || return 1
    [ -z "$shown" ] || printf '%s\n' "${shown//"$name/"/}"  # clear without the folder, and shorter
    if [[ $said == wrong* ]]; then
        echo "Its result is ${said/as announced: is /as announced: }"
    elif [ "$kind" = deadlock ]; then
        echo "It never ends, so there is no result."
    elif [[ $shown == *DATA\ RACE* && $kind == race ]]; then
        echo "Its result was right with every seed, by luck."
    else
        echo "Its result was right with every seed: here all threads take one step at a time, in an"
        echo "order that all see alike. A GPU promises less."
    fi
    echo
    row_of "$name" "$counterpart"
    as_announced "$name" "$counterpart" right || return 1
    echo "$counterpart is right: $idea"
    echo "  No report with any seed, and its result is $said"
    echo "  diff $wrong $name/$file"
}

tour() {
    local number=0 failed=() rows=() name variant
    mapfile -t rows < <(for name in "${examples[@]}"; do
        "$bin/$name" --list | awk -v name="$name" '
            $2 ~ /^(wrong_result|race|unsynchronized|deadlock)$/ { print name, $1 }'
    done)
    for row in "${rows[@]}"; do
        read -r name variant <<<"$row"
        number=$((number + 1))
        printf '\n=== %d of %d   scripts/race %s\n' $number ${#rows[@]} "$row"
        screen "$name" "$variant" | fold -s -w 100 || failed+=("$row")
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
