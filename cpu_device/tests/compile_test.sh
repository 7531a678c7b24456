#!/bin/sh
# compile_test.sh COMPILE REWRITE COMPILER INCLUDE_DIR STUB_DIR
#
# The CPU device's compile script on sources that it must refuse: every failing step ends with a
# non-zero status, an error that names the original file and line, and no object file. And on one
# that it must accept: the dependency file is complete.
set -eu

compile=$1
rewrite=$2
compiler=$3
include_dir=$4
stub_dir=$5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
cases=0

# attempt NAME: compiles source.cu to NAME.o; status and messages are left in $status and log.
attempt() {
    cases=$((cases + 1))
    status=0
    "$compile" "$rewrite" "$compiler" -isystem "$include_dir" -isystem "$stub_dir" \
        -x c++ -std=c++17 -DNUMBER='"a b"' -MD -MT "$1.o" -MF "$1.d" -o "$1.o" -c source.cu \
        >log 2>&1 || status=$?
}

# expect_error NAME PATTERN: source.cu is refused with a message that matches.
expect_error() {
    attempt "$1"
    if [ $status -eq 0 ] || [ -e "$1.o" ] || ! grep -q "$2" log; then
        echo "FAILED $1: status $status, expected a message like '$2', got:"
        cat log
        failures=$((failures + 1))
    fi
}

printf '#include "nowhere.h"\n' >source.cu
expect_error missing_include 'source.cu:1:.*nowhere.h'

printf '__global__ void k(int* x) {\n    x = 1;\n}\n' >source.cu
expect_error compile_error 'source.cu:2:.*int'

printf '__global__ void k(int* x) {}\nvoid f() {\n    int n = 0;\n    k<<<1, 1>>>(n);\n}\n' \
    >source.cu
expect_error wrong_argument 'source.cu:4'

printf 'void f() {\n    __shared__ int s_x = 1;\n}\n' >source.cu
expect_error shared_with_a_value 'source.cu:2: error: a __shared__ variable cannot have an initial'

printf '#include <string>\nvoid f() {\n    __shared__ std::string s_x[2];\n}\n' >source.cu
expect_error shared_with_a_constructor 'a __shared__ variable cannot have a constructor'

printf '__global__ void k() {}\nvoid f() {\n    k<<<1, 1;\n}\n' >source.cu
expect_error launch_without_end 'source.cu:3: error: <<< without >>>('

printf '__global__ void k() {}\nvoid f() {\n    <<<1, 1>>>();\n}\n' >source.cu
expect_error launch_without_a_kernel 'source.cu:3: error: <<< without a kernel'

printf '__global__ void k() {}\nvoid f() {\n    k<<<1, (1>>>();\n}\n' >source.cu
expect_error launch_with_an_open_parenthesis 'source.cu:[1-3]: error: '

# What is not there is named in one sentence, at its line.
printf '\nint main() {\n    cudaGraph_t graph;\n    cudaGraphCreate(&graph, 0);\n}\n' >source.cu
expect_error graphs 'source.cu:3: error: cudaGraph_t belongs to CUDA graphs, which the CPU device'

printf '__global__ void k(float* x) {\n    x[0] = tex2DLod<float>(0ull, 0, 0, 0);\n}\n' >source.cu
expect_error mipmap 'source.cu:2: error: tex2DLod belongs to textures with mipmaps, which'

printf 'texture<float> rows;\n' >source.cu
expect_error texture_reference 'source.cu:1: error: texture belongs to texture references (CUDA 12'

printf 'int main() {\n    cuInit(0);\n}\n' >source.cu
expect_error driver 'source.cu:2: error: cuInit belongs to the driver API, which the CPU device'

printf 'int main() {\n    return cudaNothing(1);\n}\n' >source.cu
expect_error unknown 'source.cu:2: error: the CPU device does not have cudaNothing'

printf '__global__ void k(int* x) {\n    x[0] = __shfl_down(x[0], 1);\n}\n' >source.cu
expect_error without_sync 'source.cu:2: error: __shfl_down is of a time .* use __shfl_down_sync'

printf '__global__ void k(int* x) {\n' >source.cu
printf '    asm volatile("ld.weak.gpu.s32 %%0, [%%1];" : "=r"(x[0]) : "l"(x));\n}\n' >>source.cu
expect_error ptx 'source.cu:2: error: inline PTX, which the CPU device does not have: "ld.weak.gpu'

# Where a register is of another size or kind than the instruction takes, or is none to write to.
for line in '"mov.b32 %%0, %%1;" : "=r"(x) : "l"(y)' '"mov.u32 %%0, %%1;" : "=f"(z) : "r"(x)' \
    '"mov.u32 %%0, %%1;" : "=r"(x) : "f"(z)' '"mov.f32 %%0, 1;" : "=f"(z)' \
    '"mov.u32 %%0, %%clock64;" : "=r"(x)' '"ld.global.cg.u64 %%0, [%%1];" : "=r"(x) : "l"(y)' \
    '"ld.global.cg.u16 %%0, [%%1];" : "=f"(z) : "l"(y)' \
    '"ld.global.cg.u32 %%0, [%%1];" : "=r"(x) : "r"(x)' \
    '"atom.exch.b64 %%0, [%%1], %%2;" : "=r"(x) : "l"(y), "r"(x)' \
    '"popc.b64 %%0, %%1;" : "=l"(y) : "l"(y)' '"mov.u32 %%0, %%1;" :: "r"(x), "r"(x)'; do
    printf "void k() {\n    asm volatile($line);\n}\n" >source.cu
    cases=$((cases + 1))
    if "$rewrite" source.cu /dev/null 2>log || ! grep -q '2: error: inline PTX, which the CPU' log; then
        echo "FAILED ptx_register $line, got:"
        cat log
        failures=$((failures + 1))
    fi
done
printf '__global__ void k(unsigned x, unsigned char y) {\n' >source.cu
printf '    asm volatile("mov.u32 %%0, %%1;" : "=r"(x) : "r"(y));\n}\n' >>source.cu
expect_error ptx_constraint 'an operand of inline PTX is of another size or kind than its constraint'

printf '__global__ void child() {}\ntemplate <typename T>\n__global__ void parent(T* x) {\n' \
    >source.cu
printf '    if (x) {\n        child<<<1, 1>>>();\n    }\n}\n' >>source.cu
expect_error launch_from_a_kernel \
    'source.cu:5: error: a launch from a kernel (dynamic parallelism), which the CPU device'

printf 'int main() {\n    void* kernel = nullptr;\n' >source.cu
printf '    return cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr);\n}\n' >>source.cu
expect_error kernel_without_a_type 'source.cu:3:.*needs the kernel.s own name here'

for header in cublas.h cusparse.h mma.h cub/cub.cuh; do
    printf '\n#include <%s>\n' $header >source.cu
    expect_error "header_${header##*/}" 'the CPU device does not have'
done

# A source's own names may look like CUDA's.
printf 'enum { cudaMine, cudaYours };\ntypedef int cudaOwn_t;\nvoid cudaDo(cudaOwn_t) {}\n' >source.cu
printf 'struct cudaThing { int texture; bool f() { return texture < 3; } };\n' >>source.cu
printf 'int main() { cudaDo(cudaMine); asm("nop # a.b"); return cudaYours; }\n' >>source.cu
attempt own_names
if [ $status -ne 0 ]; then
    echo "FAILED own_names: status $status:"
    cat log
    failures=$((failures + 1))
fi

printf '#include "other.h"\n__global__ void k(const char* s) {}\n' >source.cu
printf 'void f() { k<<<1, 1>>>(NUMBER); }\n' >>source.cu
printf '// a header\n' >other.h
attempt accepted
for file in source.cu other.h cuda_runtime.h; do
    if [ $status -ne 0 ] || ! [ -s accepted.o ] || ! grep -q "^accepted.o:" accepted.d ||
        ! grep -q "$file" accepted.d; then
        echo "FAILED accepted: status $status, $file is not in the dependency file, or no object:"
        cat log accepted.d
        failures=$((failures + 1))
    fi
done

# What precompiled headers declare is known from the list beside them, which is made of their text.
printf '# 1 "cuda.h" 1 3\nint cudaOne(int); int other; int __half_two(int);\n' >headers.text
"$rewrite" headers.text headers.names names
printf '#pragma GCC pch_preprocess "%s/headers.gch"\nint f() { return cudaOne(__half_two(1)); }\n' \
    "$work" >known.text
sed 's/cudaOne/cudaTwo/' known.text >unknown.text
cases=$((cases + 2))
if [ "$(tr '\n' ' ' <headers.names)" != '__half_two cudaOne ' ] ||
    ! "$rewrite" known.text known.out || ! cmp -s known.text known.out ||
    "$rewrite" unknown.text unknown.out 2>log ||
    ! grep -q 'error: the CPU device does not have cudaTwo' log; then
    echo "FAILED precompiled: names are '$(cat headers.names)', message:"
    cat log
    failures=$((failures + 1))
fi

# As `make -j` calls it for six sources, where there are two CPUs: two compilers at a time.
mkdir bin
printf '#!/bin/sh\necho 2\n' >bin/nproc
printf '#!/bin/sh\necho 1 >>calls; "%s" "$@"; status=$?; sleep 0.1; echo -1 >>calls; exit $status\n' \
    "$compiler" >bin/counted
chmod +x bin/nproc bin/counted
cp "$rewrite" bin/rewrite
cases=$((cases + 6))
for k in 1 2 3 4 5 6; do
    PATH=$work/bin:$PATH MAKEFLAGS="s -j" "$compile" bin/rewrite bin/counted -isystem "$include_dir" \
        -isystem "$stub_dir" -x c++ -std=c++17 -DNUMBER='""' -o "turn$k.o" -c source.cu &
done
wait
at_once=$(awk '{ sum += $1; if (sum > most) most = sum } END { print most }' calls)
if [ "$at_once" -gt 2 ] || [ "$(ls turn?.o | wc -l)" -ne 6 ]; then
    echo "FAILED: $at_once compilers at once, expected 2; made: $(ls turn?.o)"
    failures=$((failures + 1))
fi

if ls ./*.ii >/dev/null 2>&1; then
    echo "FAILED: intermediate files are left:"
    ls ./*.ii
    failures=$((failures + 1))
fi

echo "$cases sources, $failures failures"
[ $failures -eq 0 ]
