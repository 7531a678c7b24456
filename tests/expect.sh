# Sourced by the tests of programs: "source .../expect.sh PROGRAM". They work in an empty folder,
# and a failure does not end them.
set -u
export LC_ALL=C  # the commands speak the language of the locale
program=$(realpath "$1")
name=$(basename "$program")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

# compile_device_once PROJECT: what one copy of the project has compiled of the CPU device serves for
# the next copy, where there is ccache. A compiler then begins with `exec $CACHED g++`.
compile_device_once() {
    export CACHED CCACHE_DIR=$root/build/ccache CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1
    CACHED=$(type -P ccache) || true
    # In a rule of make it cannot replace a path that make wants escaped: those serve nobody else.
    [[ $1 =~ ^[A-Za-z0-9_./-]+$ ]] || export CCACHE_READONLY=1
}

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS PATTERN ARGUMENTS...: runs the program; its status must be STATUS and its output
# (both streams), which stays in the file `output`, must hold the extended regular expression
# PATTERN.
expect() {
    local status=$1 pattern=$2 got
    shift 2
    timeout 300 "$program" "$@" >output 2>&1 </dev/null
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" output; then
        fail "$name $*: status $got, expected $status and output with '$pattern'; output:"
        head -n 20 output
    fi
}

# Ends the test where the program needs a GPU and there is none: with 77 (skipped), or with 1 where
# REQUIRE_GPU is set or something has failed before.
need_device() {
    timeout 300 "$program" --n 100 --repeats 1 >output 2>&1
    [ $? = 77 ] || return 0
    expect 77 'no CUDA device found' --n 100
    [ "$failures" = 0 ] && [ -z "${REQUIRE_GPU:-}" ] && exit 77
    exit 1
}

# The end of every test.
say_and_exit() {
    [ "$failures" = 0 ] && echo "$name: all held"
    exit $((failures > 0))
}
