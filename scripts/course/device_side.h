// The keywords and names of CUDA that kernels use, for clang's check of what runs where: see
// host_or_device.py. Nothing here is ever run.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
        : x(a), y(b), z(c) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;
#define BYTES_UP_TO_16(bytes) (bytes < 16 ? bytes : 16)
#define VECTORS_OF(T, name)                                 \
    struct name##1 {                                        \
        T x;                                                \
    };                                                      \
    struct alignas(BYTES_UP_TO_16(2 * sizeof(T))) name##2 { \
        T x, y;                                             \
    };                                                      \
    struct alignas(BYTES_UP_TO_16(4 * sizeof(T))) name##4 { \
        T x, y, z, w;                                       \
    };                                                      \
    __host__ __device__ name##1 make_##name##1(T);          \
    __host__ __device__ name##2 make_##name##2(T, T);       \
    __host__ __device__ name##4 make_##name##4(T, T, T, T); \
    __host__ __device__ struct name##3 make_##name##3(T, T, T);
#define VECTORS(T, name) \
    VECTORS_OF(T, name)  \
    struct name##3 {     \
        T x, y, z;       \
    };
VECTORS(signed char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(unsigned short, ushort)
VECTORS(int, int)
VECTORS_OF(unsigned, uint)
VECTORS(long, long)
VECTORS(unsigned long, ulong)
VECTORS(long long, longlong)
VECTORS(unsigned long long, ulonglong)
VECTORS(float, float)
VECTORS(double, double)
#undef VECTORS
#undef VECTORS_OF
#undef BYTES_UP_TO_16
using cudaStream_t = struct CUstream_st*;
enum cudaError { cudaSuccess = 0 };
using cudaError_t = cudaError;
int cudaConfigureCall(dim3, dim3, unsigned long = 0, cudaStream_t = nullptr);
int __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, cudaStream_t = nullptr);
int cudaLaunchKernel(const void*, dim3, dim3, void**, unsigned long, cudaStream_t);

// Any arguments: whether they fit is g++'s to say.
template <typename T, typename... Rest>
__device__ T device_side_atomic(T* address, Rest...);
#define atomicAdd device_side_atomic
#define atomicSub device_side_atomic
#define atomicExch device_side_atomic
#define atomicMin device_side_atomic
#define atomicMax device_side_atomic
#define atomicCAS device_side_atomic
#define atomicInc device_side_atomic
#define atomicDec device_side_atomic
#define atomicAnd device_side_atomic
#define atomicOr device_side_atomic
#define atomicXor device_side_atomic
#define atomicAdd_block device_side_atomic
#define atomicSub_block device_side_atomic
#define atomicExch_block device_side_atomic
#define atomicMin_block device_side_atomic
#define atomicMax_block device_side_atomic
#define atomicCAS_block device_side_atomic
#define atomicInc_block device_side_atomic
#define atomicDec_block device_side_atomic
#define atomicAnd_block device_side_atomic
#define atomicOr_block device_side_atomic
#define atomicXor_block device_side_atomic
#define atomicAdd_system device_side_atomic
#define atomicSub_system device_side_atomic
#define atomicExch_system device_side_atomic
#define atomicMin_system device_side_atomic
#define atomicMax_system device_side_atomic
#define atomicCAS_system device_side_atomic
#define atomicInc_system device_side_atomic
#define atomicDec_system device_side_atomic
#define atomicAnd_system device_side_atomic
#define atomicOr_system device_side_atomic
#define atomicXor_system device_side_atomic
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = ~0u);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned);
__device__ unsigned __ballot_sync(unsigned, int);
__device__ unsigned __activemask();
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ unsigned __brev(unsigned);
__device__ int __float_as_int(float);
__device__ unsigned __float_as_uint(float);
__device__ float __int_as_float(int);
__device__ float __uint_as_float(unsigned);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
template <typename T>
__device__ T __ldg(const T*);
template <typename T, typename... Rest>
__device__ T __shfl_sync(unsigned, T, Rest...);
template <typename T, typename... Rest>
__device__ T __shfl_down_sync(unsigned, T, Rest...);
template <typename T, typename... Rest>
__device__ T __shfl_up_sync(unsigned, T, Rest...);
template <typename T, typename... Rest>
__device__ T __shfl_xor_sync(unsigned, T, Rest...);
template <typename T>
__device__ T min(T, T);
template <typename T>
__device__ T max(T, T);
extern "C" __device__ int printf(const char*, ...);

namespace cuda {
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
template <typename T, thread_scope = thread_scope_system>
struct atomic_ref {
    __device__ atomic_ref(T&);
    template <typename... Any>
    __device__ T load(Any...) const;
    template <typename... Any>
    __device__ void store(T, Any...) const;
    template <typename... Any>
    __device__ T exchange(T, Any...) const;
    template <typename... Any>
    __device__ T fetch_add(T, Any...) const;
    template <typename... Any>
    __device__ T fetch_max(T, Any...) const;
    template <typename... Any>
    __device__ bool compare_exchange_weak(T&, T, Any...) const;
    template <typename... Any>
    __device__ bool compare_exchange_strong(T&, T, Any...) const;

  private:
    T* address;
};
__device__ void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
}  // namespace cuda
