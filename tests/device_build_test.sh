#!/usr/bin/env bash
# cpu_device/build, started by several processes at once in one folder, as the tests of CTest start
# it: one of them empties the folder while the others begin, and no start may fail. The tool cmake
# is a small program of this test, so that a start takes no time; mkdir takes longer than it does, so
# that the starts meet.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$(dirname "${BASH_SOURCE[0]}")/../cpu_device/build"
unset CXX
mkdir bin
export PATH=$scratch/bin:$PATH LOG=$scratch/log
cat >bin/cmake <<'END_OF_SCRIPT'
#!/bin/sh
case $1 in
-S) echo cache >"$4/CMakeCache.txt" ;;
--build) [ -e "$2/CMakeCache.txt" ] && [ -e "$2/built" ] && echo built >>"$LOG" ;;
esac
END_OF_SCRIPT
cat >bin/mkdir <<END_OF_SCRIPT
#!/bin/sh
$(command -v mkdir) "\$@" && sleep 0.0\$((\$\$ % 9))
END_OF_SCRIPT
chmod +x bin/*

# starts FOLDER: four starts at once in it.
starts() {
    local numbers=() start
    for start in 1 2 3 4; do
        "$program" "$1" cpu >"output.$start" 2>&1 </dev/null &
        numbers+=($!)
    done
    for start in 1 2 3 4; do
        wait "${numbers[start - 1]}" || fail "turn $turn in $1: $(cat "output.$start")"
    done
}
turns=5
for ((turn = 1; turn <= turns && failures == 0; ++turn)); do
    starts "new_$turn/device"
    echo "in another place by default" >new_1/device/built
    starts new_1/device
done
[ "$(wc -l <"$LOG")" = $((8 * turns)) ] || fail "not every start has built: $(wc -l <"$LOG")"
[ ! -e new_1/device/device.lock ] && [ -e new_1/device.lock ] || fail "the lock is not beside it"

# Through a link, and from the folder itself.
ln -s new_1 link
(cd new_1 && "$program" device configure) || fail "a name without a folder"
"$program" link/device/ configure || fail "a name that ends with a slash"
say_and_exit
