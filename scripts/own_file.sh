# Sourced by scripts/run and scripts/race, after common.sh: compiles .cu files of anybody's, by g++
# for the CPU device or by nvcc. What is built is kept in build/own/, and is built anew only when
# one of the files has changed that it was made of.

# is_own WORD: does it name a source file, or an option of a compiler?
is_own() { [[ $1 == *.@(cu|cpp|cc|cxx) || $1 == -?* ]]; }

# read_own WORDS...: sorts them into `sources`, `options` and `libraries` for the compiler and
# `arguments` for the program. The first word that is none of these, or a --, begins the arguments.
# Sets `device` to cpu or asan if that is asked for, and `seeds`. nvcc gets all options; of those
# that it alone knows, `nvcc_only`, g++ gets none.
read_own() {
    sources=() options=() libraries=() arguments=() nvcc_only=()
    local taken source_files="a source file (.cu, .cpp, .cc, .cxx)"
    while [ $# -gt 0 ]; do
        taken=1
        case $1 in
        --)
            shift
            break
            ;;
        --cpu | --asan) device=${1#--} ;;
        --seeds) take_seeds "${2:-}" && taken=2 ;;
        *.cu | *.cpp | *.cc | *.cxx)
            [ -f "$1" ] || wrong_usage "there is no file $1"
            sources+=("$1")
            ;;
        -[IDUL] | -include | -isystem | -std | --std | -l)
            [ $# -gt 1 ] || wrong_usage "$1: expected a word after it"
            case $1 in
            -[lL]) libraries+=("$1$2") ;;
            *std) options+=("-std=$2") ;;
            *) options+=("$1" "$2") ;;
            esac
            taken=2
            ;;
        -lineinfo) nvcc_only+=("$1") ;;  # no library
        -default-stream | --default-stream | -default-stream=* | --default-stream=*)
            [[ $1 != *=* ]] || set -- "$1" "${1#*=}" "${@:2}"
            taken=2
            [[ ${2:-} =~ ^(legacy|null|per-thread)$ ]] ||
                wrong_usage "$1: expected legacy, null or per-thread"
            [ "$2" != per-thread ] || options+=(-DCUDA_API_PER_THREAD_DEFAULT_STREAM)
            ;;
        -[lL]*) libraries+=("$1") ;;
        -std=* | --std=*) options+=("-${1##*-}") ;;
        -[IDU]* | -O | -O[0123s] | -Ofast | -g) options+=("$1") ;;
        -Xcompiler | --compiler-options)
            [ $# -gt 1 ] || wrong_usage "$1: expected a word after it"
            options+=("-Xcompiler=$2")
            taken=2
            ;;
        -Xcompiler=* | --compiler-options=*) options+=("-Xcompiler=${1#*=}") ;;
        *)
            if known_to_nvcc_only "$1"; then
                nvcc_only+=("$1")
            elif known_to_nvcc_only "$1=" && [ $# -gt 1 ]; then  # its value is the next word
                nvcc_only+=("$1" "$2")
                taken=2
            elif [ ${#sources[@]} -gt 0 ]; then
                break
            else
                case $1 in  # families in which a program's own flags may well lie
                -[fmW]?* | -g?* | -w | -pthread | -pedantic) options+=("$1") ;;
                -*) wrong_usage "there is no flag '$1'; see scripts/$(basename "$0") --help" ;;
                *) wrong_usage "expected $source_files before '$1'" ;;
                esac
            fi
            ;;
        esac
        shift $taken
    done
    [ ${#sources[@]} -gt 0 ] ||
        wrong_usage "expected $source_files; see scripts/$(basename "$0") --help"
    arguments=("$@")
}

# known_to_nvcc_only FLAG: nvcc takes its flags with one - or with two.
known_to_nvcc_only() {
    case ${1/#--/-} in
    -generate-line-info | -G | -device-debug | -extended-lambda | -expt-* | \
        -use_fast_math | -res-usage | -resource-usage | -restrict | -dlto | -m64) ;;
    -arch=* | -gpu-architecture=* | -code=* | -gpu-code=* | -gencode=* | -generate-code=* | \
        -maxrregcount=* | -Xptxas=* | -ptxas-options=* | -Xcudafe=* | -diag-suppress=* | \
        -cudart=* | -ccbin=* | -threads=* | -rdc=* | \
        -relocatable-device-code=* | -ftz=* | -prec-div=* | -prec-sqrt=* | -fmad=*) ;;
    *) return 1 ;;
    esac
}

take_seeds() {
    [[ $1 =~ ^[1-9][0-9]{0,5}$ ]] || wrong_usage "--seeds: expected a number from 1, got '$1'"
    seeds=$1
}

# unchanged FILE: is FILE there, and is all that it was made of as it was then?
unchanged() {
    local inputs state
    [ -e "$1.state" ] && mapfile -d '' -t inputs <"$1.inputs" &&
        state=$(state_of "$1" "${inputs[@]}") && [ "$state" = "$(<"$1.state")" ]
}
# state_of FILE...: fails if one is missing. In a copy of the project, the copy's own files count.
state_of() {
    echo "in $root by ${CXX:-g++}"
    stat -L -c '%n %s %y' -- "$@" 2>/dev/null
}

# made FILE INPUT...: FILE is made of these, unless one of them is newer than the file `begin`: then
# it is not known which text of it the compiler has read.
made() {
    local file=$1 input
    shift
    printf '%s\0' "$@" >"$file.inputs"
    rm -f "$file.state"
    for input; do
        [ ! "$input" -nt "$begin" ] || return 0
    done
    state_of "$file" "$@" >"$file.state" || rm -f "$file.state"
}

# The files of the CPU device, of which all that it runs is made.
device_files() { find "$root/cpu_device" -name tests -prune -o -type f ! -name '*.md' -print0; }

# own_tools: installs what own_runtime needs: no GoogleTest or JSON, and Ninja will do for make.
own_tools() {
    local cxx needed=(g++ cmake make)
    check_versions
    read -r -a cxx <<<"${CXX:-g++}"  # it may be "ccache g++"
    ! is_one_of libboost-context-dev "${packages[@]}" || needed+=(libboost-context-dev)
    command -v "${cxx[0]}" >/dev/null && command -v cmake >/dev/null && [ ${#needed[@]} = 3 ] &&
        { command -v make || command -v ninja; } >/dev/null || ensure_packages "${needed[@]}"
}

# own_runtime: the folder `runtime` holds the CPU device for `device`, as cpu_device/CMakeLists.txt
# says. It is built once, here or by a preset.
own_runtime() {
    local log=$root/build/device.$device.log files begin=$root/build/device.$device.begin
    runtime=$root/build/device/$device
    ! unchanged "$runtime/libcpu_device.a" || return 0
    : >"$begin"
    say "building the CPU device ($device), once ..."
    if ! "$root/cpu_device/build" "$root/build/device" "$device" 2>&1 | tee "$log" |
        show_progress "building the CPU device ($device)" >/dev/null; then
        tail -n 40 "$log" >&2
        fail "building the CPU device failed; the whole log: $log"
    fi
    mapfile -d '' -t files < <(device_files)
    made "$runtime/libcpu_device.a" "${files[@]}"
}

# not_compiled STATUS: ends the script where a source could not be compiled.
not_compiled() {
    local place
    [ "$1" -le 128 ] || exit "$1"  # Ctrl-C, say
    for place in "${TMPDIR:-/tmp}" "$folder"; do
        { head -c 1000000 /dev/zero >"$place/room.$$"; } 2>/dev/null ||
            { rm -f "$place/room.$$" && fail "cannot compile $source: there is no room in $place"; }
        rm -f "$place/room.$$"
    done
    fail "$source does not compile: see above"
}

# own_object: for own_program, compiles `source` to `object` by `compile`, if something has changed.
own_object() {
    ! unchanged "$object" || return 0
    local locked
    lock "${object#"$root/build/"}" "compiles $source"
    if ! unchanged "$object"; then
        "${compile[@]}" -MD -MT o -MF "$object.d" -c "$source" -o "$object" || not_compiled $?
        # A rule as make has it: \ before a blank or the end of a line, $$ for $.
        rule=$(<"$object.d")
        read -d '' -a inputs <<<"${rule#*:}" || true
        made "$object" "${inputs[@]//\$\$/\$}" "${files[@]}"
    fi
    unlock
}

# own_program: compiles the sources for `device` and sets `program`.
own_program() {
    local key name=${sources[0]##*/}
    name=${name%.*}
    name=${name//[^A-Za-z0-9_-]/_}
    name=${name:0:100}
    name=${name:-program}
    key=$(printf '%s\0' "$PWD" "${options[@]}" "${nvcc_only[@]}" "${libraries[@]}" -- \
        "${sources[@]}" | sha256sum)
    local folder=$root/build/own/$device/$name-${key:0:12}
    program=$folder/$name
    # Whether a library has changed is not known here: with libraries, the linker runs each time.
    local linked=${#libraries[@]}
    [ $linked -gt 0 ] || ! unchanged "$program" || return 0
    check_root
    [ "$device" = cuda ] || own_tools
    local locked
    lock "own/$device/${folder##*/}" "compiles this file"
    if [ $linked = 0 ] && unchanged "$program"; then  # the other process has made it
        unlock
        return
    fi
    mkdir -p "$folder"
    local begin=$folder/begin runtime source object number=0 inputs=() objects=() files=() all=()
    local compile_cu=() compile_host=() compile=() link=() flags=() option split rule compiler=()
    : >"$begin"
    if [ "$device" = cuda ]; then
        flags=("${options[@]}" "${nvcc_only[@]}")  # nvcc takes none of them twice
        [[ " ${flags[*]}" == *\ @(-arch|-gencode|--gpu-arch|--generate-code)* ]] || ! have_gpu ||
            flags+=(-arch=native)
        [[ " ${flags[*]}" == *\ -std=* ]] || flags+=(-std=c++17)
        [[ " ${flags[*]}" == *\ -O* ]] || flags+=(-O3)
        compile_cu=("$(find_nvcc)" "${flags[@]}" -I"$root")
        compile_host=("${compile_cu[@]}")
        link=("$(find_nvcc)" "${flags[@]}")
        files=("${compile_cu[0]}")
    else
        if [ ${#nvcc_only[@]} -gt 0 ]; then
            say "ignored, since only nvcc knows it: ${nvcc_only[*]}"
        fi
        own_runtime
        : >"$begin"  # after the headers that the build of the runtime has written
        for option in "${options[@]}"; do
            case $option in
            -std=*03 | -std=*11 | -std=*14) say "ignored, since C++17 is needed here: $option" ;;
            -Xcompiler=*)
                IFS=, read -r -a split <<<"${option#*=}"
                flags+=("${split[@]}")
                ;;
            *) flags+=("$option") ;;
            esac
        done
        mapfile -t compiler < <(grep . "$runtime/compiler")
        compile_host=("${compiler[@]}" -std=gnu++17 -O1 -fcaller-saves "${flags[@]}")
        # Last the flags that no other may replace: race mode needs -O0.
        compile_cu=("$root/cpu_device/compile" "$root/build/device/rewrite" "${compile_host[@]}"
                    @"$runtime/cu_flags" -idirafter "$root")
        link=("${compiler[@]}" "${flags[@]}")  # -fopenmp, say
        compile_host=("$root/cpu_device/compile" host "$root/build/device/rewrite"
                      "${compile_host[@]}" @"$runtime/host_flags" -idirafter "$root")
        local all_libraries=("${libraries[@]}")
        libraries=()
        for option in "${all_libraries[@]}"; do
            case $option in
            -lcublas | -lcurand | -lcudart | -lcudart_static) ;;  # parts of the CPU device
            *) libraries+=("$option") ;;
            esac
        done
        libraries+=(@"$runtime/link_flags")
        mapfile -d '' -t files < <(device_files)
    fi
    for source in "${sources[@]}"; do
        object=$folder/$((number++)).o
        # Of a function that several objects have the linker takes the first: the checked one.
        if [[ $source == *.cu ]]; then
            compile=("${compile_cu[@]}") objects=("$object" "${objects[@]}")
        else
            compile=("${compile_host[@]}")
            # What all exercises share is compiled once for all of them.
            if [ "$source" = "$root/exercises/check.cpp" ]; then
                key=$(printf '%s\0' "${compile[@]}" | sha256sum)
                object=$root/build/own/$device/check-${key:0:12}.o
            fi
            objects+=("$object")
        fi
        own_object
        mapfile -d '' -t inputs <"$object.inputs"
        all+=("${inputs[@]}")
    done
    "${link[@]}" -o "$program" "${objects[@]}" "${libraries[@]}" ||
        fail "${sources[*]}: the program cannot be linked: see above"
    made "$program" "${all[@]}"
    unlock
}
