# Sourced by the scripts beside it: what has to be there, which preset fits this machine, building.
# Needs bash. Sets `root`, the project's root; callers keep their own working directory, so that
# files named on a command line are found.
set +aC -euo pipefail +o posix  # also where the environment has SHELLOPTS or POSIXLY_CORRECT
unset CDPATH  # with it, cd may go elsewhere and print where
unset -f cd

# The folder's own name, not that of a link to it, which may be gone when the build is used again.
root=$(cd -P -- "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)

say() { printf '%s\n' "$*" >&2 || true; }  # it may be closed
fail() { say "$*"; exit 1; }
wrong_usage() { say "$*"; exit 2; }

# in_words KEY FORMAT WORDS...: the sentence FORMAT, or that of the same key in the language of the
# learner. The programs in course/ name that in SPEAKS; else the locale does.
declare -A words=()
speaks_chinese() {
    local locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
    case ${locale%%.*} in
    '' | C | POSIX) locale= ;;
    *) locale=${LANGUAGE:-$locale} ;;
    esac
    [[ ${SPEAKS:-${locale%%:*}} =~ ^[zZ][hH]([-_.@]|$) ]]
}
# shellcheck source=/dev/null
! speaks_chinese || source "$root/scripts/course/words.zh-CN.sh"
# shellcheck disable=SC2059
in_words() { printf "${words[$1]:-$2}" "${@:3}"; }

# usage: the comment at the head of the script that was called.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$(readlink -f "$0")" || exit 1; }

# The chapters' programs, in the order of the lessons; scripts/course/device.py reads these lines too.
examples=(
    atomic_functions reduce_atomic histogram neighbor_list hash_table mutex_dot grid_barrier scan
    several_gpus)
presets=(cpu cuda race asan nvcc)

# is_one_of WORD WORDS...: is WORD, as a whole, among WORDS?
is_one_of() {
    local word=$1 other
    shift
    for other in "$@"; do
        [ "$word" != "$other" ] || return 0
    done
    return 1
}

# What the CPU device, the programs and the tests are built with, as Debian's and Ubuntu's packages.
# Some tests need Python 3 too.
packages=(g++ cmake ninja-build libgtest-dev libgmock-dev python3)
case $(uname -m) in x86_64 | aarch64) ;; *) packages+=(libboost-context-dev) ;; esac
own_packages=(g++ cmake make)  # for own files and exercises: no GoogleTest
grade_packages=(clang)  # and bubblewrap, for the sandbox of scripts/grade
thorough_packages=(
    ccache  # for the tests that build copies of the project
    clang libclang-rt-dev  # with libFuzzer, for tests/fuzz
    bubblewrap)  # for tests/grade
# For tests/grade too. Debian 13 does not have it: the tests of similar answers are skipped.
grep -qs '^VERSION_CODENAME=trixie' /etc/os-release || thorough_packages+=(similarity-tester)

# lock NAME WHAT: waits for other scripts that hold the lock build/NAME.lock. Sets `locked`, which
# unlock() takes. Says WHAT it waits for. The lock ends with the process, however that ends.
lock() {
    { mkdir -p "$(dirname "$root/build/$1")" && exec {locked}>>"$root/build/$1.lock"; } ||
        fail "cannot write in $root/build: expected a folder in which user" \
            "$(id -un 2>/dev/null || true) may write, on a disk that has room"
    command -v flock >/dev/null || return 0
    if ! flock -n "$locked"; then
        say "$(in_words waiting 'waiting for another process that %s ...' "$2")"
        flock "$locked"
    fi
}
unlock() { exec {locked}>&-; }

# check_versions: fails where CMake or g++ is too old, or is not there and the system has none that
# is new enough. Of another compiler, such as clang, nothing is known.
check_versions() {
    local cxx cmake least system
    read -r -a cxx <<<"${CXX:-g++}"
    cmake=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p') || true
    at_least 3.25 "CMake $cmake"
    at_least 12 "g++ $("${cxx[@]}" -dumpfullversion 2>/dev/null || true)"
    if [ -z "$cmake" ] || ! command -v "${cxx[0]}" >/dev/null; then
        for least in "Debian GNU/Linux 12" "Ubuntu 24.04"; do
            system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null) || true
            [[ $system != "${least% *}"* ]] || at_least "${least##* }" "$system"
        done
    fi
}
# at_least VERSION FOUND: FOUND is a name and a version; without a number it is not known.
at_least() {
    local found=${2#"${2%%[0-9]*}"}
    [ -z "$found" ] || printf '%s\n' "$1" "$found" | sort -VC ||
        fail "$2 is too old: CMake 3.25 and g++ 12 are needed, as Debian 12 and Ubuntu 24.04 have" \
            "them, or newer ones"
}

# ensure_packages [PACKAGE...]: installs what is missing, or prints the one line that does. Without
# names, the packages of the whole project: all scripts that build it have the same line.
ensure_packages() {
    [ $# -gt 0 ] || set -- "${packages[@]}"
    check_versions
    command -v dpkg-query >/dev/null || return 0  # not Debian or Ubuntu: CMake names what it misses
    lock packages "installs packages"
    local missing=() package install universe=
    for package; do
        [ "$package" = python3 ] && command -v python3 >/dev/null && continue  # not only Debian's
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        ! grep -qs '^ID=ubuntu' /etc/os-release ||
            universe=" (all are in Ubuntu's components main and universe)"
        install="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        if [ "$(id -u)" = 0 ]; then
            say "$(in_words installing 'installing: %s' "${missing[*]}")"
            { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
                --no-install-recommends "${missing[@]}"; } </dev/null >&2 ||
                fail "$(in_words 'could not install' 'could not install; by hand: %s' \
                    "$install$universe")"
        elif sudo -n true 2>/dev/null; then
            say "$(in_words installing 'installing: %s' "${missing[*]}")"
            sudo DEBIAN_FRONTEND=noninteractive sh -c "$install" </dev/null >&2 ||
                fail "$(in_words 'could not install' 'could not install; by hand: %s' \
                    "sudo sh -c '$install'$universe")"
        elif command -v sudo >/dev/null; then
            fail "$(in_words missing 'missing: %s
Install them with this line, then run again:
    %s' "${missing[*]}" "sudo sh -c '$install'")"
        else
            fail "$(in_words 'missing, no sudo' 'missing: %s
Install them as root with this line, then run again:
    %s' "${missing[*]}" "$install")"
        fi
    fi
    unlock
}

find_nvcc() {
    command -v "${CUDACXX:-nvcc}" || command -v /usr/local/cuda/bin/nvcc ||
        command -v /opt/cuda/bin/nvcc
}
have_nvcc() { find_nvcc >/dev/null; }
have_gpu() {
    local smi
    smi=$(command -v nvidia-smi || echo /usr/lib/wsl/lib/nvidia-smi)
    "$smi" -L 2>/dev/null | grep -q '^GPU 0:'
}

# PRESET from the environment, else cuda where nvcc and a GPU are there, else cpu.
choose_preset() {
    if [ -n "${PRESET:-}" ]; then
        is_one_of "$PRESET" "${presets[@]}" ||
            wrong_usage "there is no preset '$PRESET'; expected PRESET to be one of: ${presets[*]}"
        echo "$PRESET"
    elif have_nvcc && have_gpu; then
        echo cuda
    else
        echo cpu
    fi
}

# check_root: fails where CMake and make cannot work in the project's folder.
check_root() {
    local build=$root
    case $root in *[\"\\\;:$'\n']* | *'$('*)
        fail "cannot build in the folder $root: CMake and make take no name with a \", a ;, a :," \
            "a \\, a \$( or a line break in it. Rename the folder, or copy it to another place."
    esac
    [ ! -e "$root/build" ] || build=$root/build
    case ,$(findmnt -n -o OPTIONS -T "$build" 2>/dev/null || true), in *,noexec,*)
        fail "cannot build in $build: no program may run from that disk, which is mounted with" \
            "noexec. Copy the project to another one."
    esac
}

# show_progress WHAT [FIRST]: copies the standard input to the standard output without the lines by which
# Ninja ("[3/40] ..."), make ("[ 7%] ...") and CTest ("3/40 Test ...") count, and shows the count on
# the standard error: in one line where that is a terminal, else in a line for every 30 seconds.
# FIRST stands in place of the count before there is one.
show_progress() {
    local what=$1 line now count=${2:+ $2} next=$((SECONDS + 30)) begin=$SECONDS status period=30
    local step='^(\[([0-9]+/[0-9]+|[ 0-9]+%)\]| *([0-9]+/[0-9]+) Test +#.* (Passed|\*\*\*Skipped))'
    [ ! -t 2 ] || period=1
    while true; do
        status=0
        IFS= read -r -t $period line || status=$?
        if [[ $line =~ $step ]]; then
            count=${BASH_REMATCH[2]:-${BASH_REMATCH[3]}}
            count=" ${count/\// of }"
        elif [ $status -eq 0 ] && ! [[ $line =~ ^\ *Start\ +[0-9]+: ]]; then
            [ ! -t 2 ] || printf '\r\e[K' >&2
            printf '%s\n' "$line"
        fi
        now=$count
        [ ! -s "${COMPILING:-}" ] || now="$count, compiling $(<"$COMPILING")"
        if [ -t 2 ]; then
            printf '\r\e[K%s:%s (%d s)' "$what" "$now" $((SECONDS - begin)) >&2
        elif [ $SECONDS -ge $next ]; then
            say "$what:$now ($((SECONDS - begin)) s)"
            next=$((SECONDS + 30))
        fi
        [ $status -eq 0 ] || [ $status -gt 128 ] || break  # above 128: no line within the period
    done
    [ ! -t 2 ] || printf '\r\e[K' >&2
}

# build PRESET [TARGET...]: configures with the options in the array `cmake_options` and builds; the
# log is shown only where something fails. WARNINGS_AS_ERRORS=1 makes a warning an error.
cmake_options=()
build() {
    local preset=$1
    shift
    local log=$root/build/$preset.log targets=() begin=$SECONDS
    local -x COMPILING=$root/build/$preset.compiling  # there cpu_device/compile names its file
    [ $# -eq 0 ] || targets=(--target "$@")
    check_root
    lock "$preset" "builds preset '$preset' in this folder"
    say "$(in_words 'building preset' "building preset '%s' in build/%s ..." "$preset" "$preset")"
    rm -f "$COMPILING"
    # A folder that was copied or moved holds a build of another place: begin anew. The same folder
    # by another name, through a link, is no other place as long as there is that link.
    local cache=$root/build/$preset/CMakeCache.txt built_for fresh=()
    if [ -e "$cache" ]; then
        while IFS= read -r built_for; do
            [ "$built_for" -ef "$root" ] || [ "$built_for" -ef "$root/build/$preset" ] ||
                fresh=(--fresh)
        done < <(sed -n 's/^CMAKE_\(HOME_DIRECTORY\|CACHEFILE_DIR\):INTERNAL=//p' "$cache")
    fi
    local warnings=OFF configure=configure
    [ -z "${WARNINGS_AS_ERRORS:-}" ] || warnings=ON
    local options=(-DCMAKE_COMPILE_WARNING_AS_ERROR=$warnings "${cmake_options[@]}") configured_for
    configured_for=$(cksum <"$root/CMakePresets.json"; echo "${options[@]}"
        stat -c %Y /var/lib/dpkg/status 2>/dev/null) || true
    # What CMake would find again: Ninja sees to a changed CMakeLists.txt. A cache that is newer was
    # configured by hand. nvcc may compile for another GPU than before.
    local stamp=${cache%/*}/configured_for
    [ "$preset" = cuda ] || [ ${#fresh[@]} -gt 0 ] || [ ! "$stamp" -nt "$cache" ] ||
        [ ! -e "${cache%/*}/build.ninja" ] || [ "$(<"$stamp")" != "$configured_for" ] || configure=
    if ! (cd "$root" && { [ -z "$configure" ] ||
              cmake --preset "$preset" "${fresh[@]}" "${options[@]}"; } &&
          cmake --build --preset "$preset" "${targets[@]}") 2>&1 |
        tee "$log" |
        show_progress "$(in_words building "building preset '%s'" "$preset")" \
            ${configure:+configuring} >/dev/null; then
        rm -f "$stamp"
        grep -v '^\[[0-9]*/[0-9]*\] Building' "$log" | tail -n 60 >&2
        grep -q '^FAILED: ' "$log" ||
            say "If files of the build are damaged, begin anew: rm -r$(printf ' %q' "${cache%/*}")"
        fail "$(in_words 'build failed' "building preset '%s' failed; the whole log: %s" \
            "$preset" "$log")"
    fi
    printf '%s\n' "$configured_for" >"$stamp"
    unlock
    [ $((SECONDS - begin)) -lt 10 ] || say "$(in_words built "preset '%s' is built (%s s)" \
        "$preset" $((SECONDS - begin)))"
}

# build_with_packages PRESET TARGET...: build() with what it needs.
build_with_packages() {
    ensure_packages
    build "$@"
}

# prepare_own_file: fails where no program can be built here, and installs what own files need.
# Ninja will do for make.
prepare_own_file() {
    local cxx needed=("${own_packages[@]}")
    check_root
    check_versions
    read -r -a cxx <<<"${CXX:-g++}"  # it may be "ccache g++"
    ! is_one_of libboost-context-dev "${packages[@]}" || needed+=(libboost-context-dev)
    command -v "${cxx[0]}" >/dev/null && command -v cmake >/dev/null && [ ${#needed[@]} = 3 ] &&
        { command -v make || command -v ninja; } >/dev/null || ensure_packages "${needed[@]}"
}

# ensure_graders_packages [PACKAGE...]: what scripts/grade needs, and these.
ensure_graders_packages() {
    check_root
    ensure_packages "${own_packages[@]}" "${grade_packages[@]}" "$@"
}

# build_device KIND: builds the CPU device of that kind in build/device.
build_device() {
    local log=$root/build/device.$1.log what
    what=$(in_words 'building device' 'building the CPU device (%s)' "$1")
    say "$(in_words 'building device once' "$what, once ..." "$1")"
    "$root/cpu_device/build" "$root/build/device" "$1" 2>&1 | tee "$log" |
        show_progress "$what" >/dev/null || {
        tail -n 40 "$log" >&2
        fail "$(in_words 'device failed' \
            'building the CPU device failed; the whole log: %s' "$log")"
    }
}
