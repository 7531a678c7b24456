// __CUDA_ARCH__ is 900 in kernels and device functions, and not defined in host code. Every form in
// which programs ask for it.
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "cuda_arch.h"

// Around a body.
__global__ void around(int* x) {
#if __CUDA_ARCH__ >= 700
    x[threadIdx.x] = 1;
#endif
}

// In one, where the host's version would not even compile.
__global__ void inside(int* x) {
    int one = 0;
#ifdef __CUDA_ARCH__
    one = __CUDA_ARCH__ / 900;
#else
    one = nothing_that_there_is;
#endif
    x[threadIdx.x] = one;
}

// As a plain number.
__global__ void number(int* x) {
    if (__CUDA_ARCH__ >= 800)
        x[threadIdx.x] = 1;
}

// In a function for both.
__host__ __device__ int where() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    return 1;
#elif !defined(__CUDA_ARCH__)
    return 2;
#else
    return 3;
#endif
}
__host__ __device__ constexpr int where_constant(int x) {
#ifndef __CUDA_ARCH__
    return 2 * x;
#else
    return x;
#endif
}
static_assert(where_constant(1) == 2, "");

// Only one of two functions is there.
#if __CUDA_ARCH__ >= 700
__device__ int one_of_two() {
    return 1;
}
#elif defined(__CUDA_ARCH__)
__device__ int one_of_two() {
    return 2;
}
#endif
#ifdef __CUDA_ARCH__
__device__ int own_for_each() {
    return 1;
}
#else
int own_for_each() {
    return 2;
}
#endif

// The mark stands at the declaration alone.
__device__ int marked_before(int* x, int number);
int marked_before(int*, int) {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

// The function that older GPUs need must not clash with CUDA's own.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* a, double b) {
    return *a += b;
}
#endif

// In a macro.
#if defined(__CUDA_ARCH__)
#define WHERE 1
#define BOTH __device__
#else
#define WHERE 2
#define BOTH __host__
#endif
__global__ void by_macro(int* x) {
    x[threadIdx.x] = WHERE;
}
BOTH int marked_by_macro() {
    return WHERE;
}

// Constants, tables and types.
#if __CUDA_ARCH__ >= 800
constexpr int tile = 1, unused = 5;
using Word = int;
#else
constexpr int tile = 2, unused = 6;
using Word = char;
#endif
constexpr int tiles = 10 * tile;
const int table[] = {WHERE, WHERE + 10};
enum { place = WHERE };
__constant__ int d_constant = WHERE;
namespace nested {
static const int deep = WHERE;
}
__global__ void constants(int* x) {
    const bool all = tile == 1 && unused == 5 && tiles == 10 && table[1] == 11 && place == 1 &&
                     sizeof(Word) == sizeof(int) && d_constant == 1 && nested::deep == 1;
    x[threadIdx.x] = all ? 1 : 0;
}
bool constants_of_host() {
    return tile == 2 && unused == 6 && tiles == 20 && table[1] == 12 && place == 2 &&
           sizeof(Word) == 1 && nested::deep == 2;
}

// In classes and templates, with constructors.
struct Point {
    int x;
    __host__ __device__ Point() : x{2} {
#ifdef __CUDA_ARCH__
        x = 1;
#endif
    }
    __host__ __device__ int get() const {
        return WHERE;
    }
    __device__ int of_device() const;
    __device__ int marked_in_class() const;
    __host__ __device__ friend int operator+(const Point&, int) {
        return WHERE;
    }
};
__device__ int Point::of_device() const {
    return WHERE;
}
int Point::marked_in_class() const {
    return WHERE;
}
template <typename T>
__host__ __device__ T value() {
    return static_cast<T>(WHERE);
}
__global__ void members(int* x) {
    const Point p;
    x[threadIdx.x] = p.x == 1 && p.get() == 1 && p.of_device() == 1 && p.marked_in_class() == 1 &&
                     (p + 1) == 1 && value<int>() == 1;
}

// As libraries ask, at run time.
#ifdef __CUDA_ARCH__
#define LIBRARY_ARCH __CUDA_ARCH__
#else
#define LIBRARY_ARCH 0
#endif
__host__ __device__ int library() {
    if (LIBRARY_ARCH == 0) {
        return 2;
    } else {
        return 1;
    }
}

__global__ void functions(int* x) {
    bool all = where() == 1 && where_constant(3) == 3 && one_of_two() == 1 && library() == 1;
    all = all && own_for_each() == 1 && marked_by_macro() == 1 && in_header() == 1;
    all = all && marked_before(x, 0) == 1 && header_constant == 1 && device_in_header() == 1;
    x[threadIdx.x] = all ? 1 : 0;
}

template <typename F>
__global__ void apply(int* x, F f) {
    x[threadIdx.x] = f();
}

int failures = 0;
void check(const char* name, bool right) {
    if (!right) {
        std::printf("wrong: %s\n", name);
        ++failures;
    }
}

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    const auto ones = [&](const char* name) {
        check(name, cudaDeviceSynchronize() == cudaSuccess);
        bool all = true;
        for (int i = 0; i < 32; ++i) {
            all = all && x[i] == 1;
            x[i] = 0;
        }
        check(name, all);
    };
    around<<<1, 32>>>(x);
    ones("around");
    inside<<<1, 32>>>(x);
    ones("inside");
    number<<<1, 32>>>(x);
    ones("number");
    by_macro<<<1, 32>>>(x);
    ones("by_macro");
    constants<<<1, 32>>>(x);
    ones("constants");
    members<<<1, 32>>>(x);
    ones("members");
    functions<<<1, 32>>>(x);
    ones("functions");
    of_header<<<1, 32>>>(x);
    ones("of_header");
    apply<<<1, 32>>>(x, [] __device__() { return WHERE; });
    ones("device lambda");
    apply<<<1, 32>>>(x, [=] __host__ __device__() -> int { return WHERE; });
    ones("lambda for both");
    const auto both = [] __host__ __device__() { return WHERE; };
    check("lambda on the host", both() == 2);
    check("host", where() == 2 && own_for_each() == 2 && marked_by_macro() == 2);
    check("library", library() == 2 && value<int>() == 2);
    check("header on the host", in_header() == 2 && header_constant == 2);
    check("constants of the host", constants_of_host());
    const Point p;
    check("members on the host", p.x == 2 && p.get() == 2 && (p + 1) == 2);
#ifdef __CUDA_ARCH__
    check("host code sees __CUDA_ARCH__", false);
#endif
    check("line", __LINE__ == 239);
    check("list", __CUDA_ARCH_LIST__ == 900);
    return failures;
}
