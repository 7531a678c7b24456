# Sourced by the scripts beside it: what has to be there, which preset fits this machine, building.
# Needs bash. Sets `root`, the project's root; callers keep their own working directory, so that
# files named on a command line are found.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What the CPU device, the programs and the tests are built with, as Debian's and Ubuntu's packages.
packages=(g++ cmake ninja-build libgtest-dev libgmock-dev libcli11-dev nlohmann-json3-dev
          libboost-context-dev)

# Installs what is missing, or prints the one line that does.
ensure_packages() {
    command -v dpkg-query >/dev/null || return 0  # not Debian or Ubuntu: CMake names what it misses
    local missing=() package
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local install="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" = 0 ]; then
        say "installing: ${missing[*]}"
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2 ||
            fail "could not install; by hand: $install"
    elif sudo -n true 2>/dev/null; then
        say "installing: ${missing[*]}"
        sudo sh -c "$install" >&2 || fail "could not install; by hand: sudo sh -c '$install'"
    else
        fail "missing: ${missing[*]}
Install them with this line, then run again:
    sudo sh -c '$install'"
    fi
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
        echo "$PRESET"
    elif have_nvcc && have_gpu; then
        echo cuda
    else
        echo cpu
    fi
}

# build PRESET [TARGET...]: configures and builds; the log is shown only where something fails.
build() {
    local preset=$1
    shift
    local log=$root/build/$preset.log targets=()
    [ $# -eq 0 ] || targets=(--target "$@")
    mkdir -p "$root/build"
    say "building preset '$preset' in build/$preset ..."
    # A folder that was copied or moved holds a build of another place: begin anew. The same folder
    # by another name, through a link, is no other place.
    local cache=$root/build/$preset/CMakeCache.txt built_for fresh=()
    if [ -e "$cache" ]; then
        built_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
        [ "$built_for" -ef "$root" ] || fresh=(--fresh)
    fi
    if ! (cd "$root" && cmake --preset "$preset" "${fresh[@]}" &&
          cmake --build --preset "$preset" "${targets[@]}") \
        >"$log" 2>&1; then
        grep -v '^\[[0-9]*/[0-9]*\] Building' "$log" | tail -n 60 >&2
        fail "building preset '$preset' failed; the whole log: $log"
    fi
}

examples=(atomic_functions reduce_atomic histogram neighbor_list hash_table mutex_dot)
