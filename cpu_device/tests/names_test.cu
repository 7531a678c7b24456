// Names of CUDA that have no test of a subject of their own: constants have CUDA's numbers, and
// functions do what they say. The same on a GPU and on the CPU device.
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <gtest/gtest.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cmath>

// After cuda::std is there, which must not hide std in it.
#include <cuda/atomic>

#include "device_test.cuh"

namespace {

// --- constants --------------------------------------------------------------------------------

static_assert(CUDA_VERSION >= 11000, "");
static_assert(cudaMemcpyHostToHost == 0 && cudaInvalidDeviceId == -2 && cudaCpuDeviceId == -1, "");
static_assert(cudaMemAdviseSetPreferredLocation == 3 && cudaMemAdviseUnsetPreferredLocation == 4 &&
                  cudaMemAdviseSetAccessedBy == 5 && cudaMemAdviseUnsetAccessedBy == 6,
              "");
static_assert(cudaMemLocationTypeInvalid == 0, "");
static_assert(cudaHostAllocDefault == 0 && cudaHostAllocPortable == 1 && cudaHostAllocMapped == 2 &&
                  cudaHostAllocWriteCombined == 4,
              "");
static_assert(cudaHostRegisterPortable == 1 && cudaHostRegisterReadOnly == 8, "");
static_assert(cudaMemAttachGlobal == 1 && cudaMemAttachHost == 2 && cudaMemAttachSingle == 4, "");
static_assert(cudaComputeModeDefault == 0 && cudaComputeModeExclusive == 1 &&
                  cudaComputeModeProhibited == 2 && cudaComputeModeExclusiveProcess == 3,
              "");
static_assert(cudaFuncCachePreferEqual == 3 && cudaSharedMemBankSizeDefault == 0 &&
                  cudaSharedMemBankSizeFourByte == 1 && cudaSharedMemBankSizeEightByte == 2,
              "");
static_assert(cudaDeviceScheduleAuto == 0 && cudaDeviceScheduleSpin == 1 &&
                  cudaDeviceScheduleYield == 2 && cudaDeviceScheduleBlockingSync == 4 &&
                  cudaDeviceMapHost == 8,
              "");
static_assert(cudaOccupancyDisableCachingOverride == 1, "");
static_assert(cudaEventDefault == 0 && cudaEventBlockingSync == 1 && cudaEventDisableTiming == 2,
              "");
static_assert(cudaChannelFormatKindNone == 3 && cudaArrayDefault == 0, "");
static_assert(cudaFilterModePoint == 0 && cudaResourceTypeMipmappedArray == 1, "");
static_assert(cuda::thread_scope_thread == 10, "");

class Names : public DeviceTest {
  protected:
    void allocate() override {
        ASSERT_EQ(cudaMallocManaged(&out_, 256 * sizeof(float)), cudaSuccess);
        for (int i = 0; i < 256; ++i) {
            out_[i] = -1;
        }
    }
    void release() override { EXPECT_EQ(cudaFree(out_), cudaSuccess); }
    float* out_ = nullptr;
};

__global__ void math_constants(float* out) {
    out[0] = CUDART_INF_F;
    out[1] = CUDART_NAN_F;
    out[2] = CUDART_PI_F;
    out[3] = static_cast<float>(CUDART_INF);
    out[4] = static_cast<float>(CUDART_NAN);
    out[5] = static_cast<float>(CUDART_PI - 3.14159265358979);
}
static_assert(CUDART_PIO2_F == 1.570796327f && CUDART_SQRT_TWO == 1.4142135623730951, "");
static_assert(CUDART_L2E_F * CUDART_LN2_F > 0.9999f && CUDART_TWO_TO_23_F == 8388608, "");
TEST_F(Names, OfMathConstants) {
    math_constants<<<1, 1>>>(out_);
    wait();
    EXPECT_TRUE(std::isinf(out_[0]) && std::isinf(out_[3]));
    EXPECT_TRUE(std::isnan(out_[1]) && std::isnan(out_[4]));
    EXPECT_EQ(out_[2], 3.14159274f);
    EXPECT_NEAR(out_[5], 3.2e-15f, 1e-15f);
}

__global__ void products_of_halves(int* out) {
    out[0] = __dp2a_lo(0x0002fffd, 0x7f80fe05, 100);  // -3 * 5 + 2 * -2
    out[1] = __dp2a_hi(0x0002fffd, 0x7f80fe05, 100);  // -3 * -128 + 2 * 127
    out[2] = static_cast<int>(__dp2a_lo(0x00020003u, 0x01020304u, 7u));
    out[3] = static_cast<int>(fdividef(7.0f, 2.0f) * 10);
    out[4] = __dp2a_lo(make_short2(-3, 2), make_char4(5, -2, -128, 127), 100);
    out[5] = __dp2a_hi(make_short2(-3, 2), make_char4(5, -2, -128, 127), 100);
    out[6] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, -2, -128, 127), 100);
    out[7] = static_cast<int>(__dp2a_hi(make_ushort2(3, 2), make_uchar4(4, 3, 2, 255), 7u));
}
__global__ void spaces(const int* global, int* out) {
    __shared__ int s_x;
    int local = 0;
    int* where[] = {&s_x, &local};
    out[0] = static_cast<int>((__isShared(&s_x) != 0) + 2 * (__isShared(global) != 0));
    out[1] = static_cast<int>((__isGlobal(global) != 0) + 2 * (__isGlobal(where[0]) != 0) +
                              4 * (__isGlobal(where[1]) != 0));
    out[2] = static_cast<int>((__isLocal(where[1]) != 0) + 2 * (__isLocal(where[0]) != 0));
    *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(where[0]))) = 5;
    out[3] = s_x;
    out[4] = __cvta_generic_to_shared(where[0]) < (std::size_t{1} << 32);
}
// The stacks of a block's threads lie close together, and may lie close to global memory.
__global__ void stacks(int** where, int* out) {
    int mine = 0;
    where[threadIdx.x] = &mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = static_cast<int>((__isLocal(where[0]) != 0) + 2 * (__isLocal(where[1]) != 0));
    }
    __syncthreads();
}
TEST_F(Names, OfIntrinsics) {
    int* const out = reinterpret_cast<int*>(out_);
    products_of_halves<<<1, 1>>>(out);
    spaces<<<1, 1>>>(out, out + 8);
    wait();
    const int expected[] = {81, 738, 7 + 3 * 4 + 2 * 3, 35, 81, 738, -783, 523};
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(out[i], expected[i]) << i;
    }
    int** where = nullptr;
    ASSERT_EQ(cudaMallocManaged(&where, 2 * sizeof *where), cudaSuccess);
    stacks<<<1, 2>>>(where, out + 13);
    wait();
    cudaFree(where);
#ifdef CPU_DEVICE
    const int of_both_stacks = 1;  // of another thread's stack it says that it is not local
#else
    const int of_both_stacks = 3;  // a GPU has one range of addresses for the stacks of all threads
#endif
    const int expected_of_spaces[] = {1, 1, 1, 5, 1, of_both_stacks};
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(out[8 + i], expected_of_spaces[i]) << i;
    }
}

// --- keywords ---------------------------------------------------------------------------------

struct __builtin_align__(16) Aligned {
    int x;
};
struct __align__(8) AlsoAligned {
    int x;
};
static_assert(alignof(Aligned) == 16 && alignof(AlsoAligned) == 8, "");
__device__ __forceinline__ int twice(int x) {
    return 2 * x;
}
__global__ void __launch_bounds__(64, 1)
    bounded(const __grid_constant__ Aligned value, float* __restrict__ out) {
    out[0] = static_cast<float>(twice(value.x));
}
__global__ void __maxnreg__(64) with_few_registers(float* out) {
    out[1] = 4;
}
TEST_F(Names, OfKeywords) {
    bounded<<<1, 1>>>(Aligned{3}, out_);
    with_few_registers<<<1, 1>>>(out_);
    wait();
    EXPECT_EQ(out_[0], 6);
    EXPECT_EQ(out_[1], 4);
}

TEST_F(Names, OfLaunchBoundsThatAreExceeded) {
    out_[0] = 1;
    bounded<<<1, dim3(13, 5)>>>(Aligned{3}, out_);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    wait();
    EXPECT_EQ(out_[0], 1);
}

// --- loads and stores with a hint, fences, atomics ----------------------------------------------

__global__ void with_hints(const int* in, int* out) {
    out[0] = __ldg(in) + __ldca(in + 1) + __ldcg(in + 2) + __ldcs(in + 3) + __ldlu(in + 4) +
             __ldcv(in + 5);
    __stwb(out + 1, 1);
    __stcg(out + 2, 2);
    __stcs(out + 3, 3);
    __stwt(out + 4, 4);
    __threadfence_system();
    out[5] = atomicExch_block(out + 1, 10) + atomicExch_system(out + 2, 20);
    out[6] = static_cast<int>(__brevll(1ull) >> 60);
}
TEST_F(Names, OfLoadsAndStoresWithAHint) {
    int* in = nullptr;
    ASSERT_EQ(cudaMallocManaged(&in, 32 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 8; ++i) {
        in[i] = 1 << i;
    }
    int* const out = in + 16;
    with_hints<<<1, 1>>>(in, out);
    wait();
    EXPECT_EQ(out[0], 63);
    EXPECT_EQ(out[1], 10);
    EXPECT_EQ(out[2], 20);
    EXPECT_EQ(out[3], 3);
    EXPECT_EQ(out[4], 4);
    EXPECT_EQ(out[5], 3);
    EXPECT_EQ(out[6], 8);
    EXPECT_EQ(cudaFree(in), cudaSuccess);
}

__device__ cuda::std::atomic_int d_int;
__device__ cuda::std::atomic_uint d_uint;
__device__ cuda::std::atomic_llong d_llong;
__device__ cuda::std::atomic_ullong d_ullong;
__device__ cuda::std::atomic_flag d_flag;
__global__ void standard_atomics(float* out) {
    d_int.store(1);
    d_uint.store(2);
    d_llong.store(3);
    d_ullong.store(4, cuda::std::memory_order_release);
    out[0] = static_cast<float>(d_int.load() + static_cast<int>(d_uint.load()));
    out[1] = static_cast<float>(d_llong.load() +
                                static_cast<long long>(d_ullong.load(cuda::memory_order_consume)));
    // What it was and is: no, no, yes, yes, no.
    out[2] = d_flag.test() ? 10000.0f : 0.0f;
    out[2] += d_flag.test_and_set(cuda::std::memory_order_acquire) ? 1000.0f : 0.0f;
    out[2] += d_flag.test_and_set() ? 100.0f : 0.0f;
    d_flag.wait(false);
    out[2] += d_flag.test(cuda::std::memory_order_relaxed) ? 10.0f : 0.0f;
    d_flag.clear(cuda::std::memory_order_release);
    out[2] += d_flag.test() ? 1.0f : 0.0f;
}
TEST_F(Names, OfStandardAtomics) {
    standard_atomics<<<1, 1>>>(out_);
    wait();
    EXPECT_EQ(out_[0], 3);
    EXPECT_EQ(out_[1], 7);
    EXPECT_EQ(out_[2], 110);
}

// --- the standard library, in a kernel --------------------------------------------------------

static_assert(cuda::std::numeric_limits<cuda::std::int16_t>::max() == 32767, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int>, "");
static_assert(cuda::std::is_trivially_copyable_v<cuda::std::array<int, 3>>, "");
static_assert(cuda::std::popcount(0xf0u) == 4 && cuda::std::has_single_bit(64u), "");
static_assert(cuda::std::countl_zero(cuda::std::uint8_t{1}) == 7, "");
static_assert(cuda::std::countr_zero(cuda::std::uint16_t{0}) == 16, "");
static_assert(cuda::std::countl_one(0xc0000000u) == 2 && cuda::std::countr_one(7ull) == 3, "");
static_assert(cuda::std::bit_width(0u) == 0 && cuda::std::bit_width(1ull << 40) == 41, "");
static_assert(cuda::std::bit_floor(100u) == 64 && cuda::std::bit_ceil(100u) == 128, "");
static_assert(cuda::std::bit_floor(0u) == 0 && cuda::std::bit_ceil(0u) == 1, "");
static_assert(cuda::std::bit_ceil(cuda::std::uint8_t{65}) == 128, "");
static_assert(cuda::std::rotl(0x80000001u, 4) == 0x18 && cuda::std::rotr(1u, 1) == 1u << 31, "");
static_assert(cuda::std::rotl(5u, -32) == 5 && cuda::std::rotl(2u, -1) == 1, "");

__global__ void standard_library(const int* in, cuda::std::size_t n, int* out) {
    const cuda::std::span<const int> numbers(in, n);
    int sum = 0;
    for (const int number : numbers.subspan(1)) {
        sum += number;
    }
    *out++ = sum;
    *out++ = numbers.front() * 100 + numbers.back() * 10 + numbers.last(2)[0];
    cuda::std::array<int, 4> four{4, 3, 2, 1};
    const cuda::std::span<int, 4> view(four);
    view[2] = 7;
    *out++ = four[2] + static_cast<int>(cuda::std::span(four).first<3>().size_bytes());
    *out++ = cuda::std::accumulate(four.begin(), four.end(), 0);
    *out++ = static_cast<int>(cuda::std::bit_cast<unsigned>(1.0f) >> 23);
    auto [quotient, remainder] = cuda::std::make_pair(17 / 5, 17 % 5);
    cuda::std::swap(quotient, remainder);
    *out++ = quotient * 10 + cuda::std::exchange(remainder, 0);
    const cuda::std::tuple<int, float> both(2, 0.5f);
    *out++ = static_cast<int>(cuda::std::get<0>(both) / cuda::std::get<1>(both));
    cuda::std::optional<int> maybe;
    *out = maybe.value_or(5);
    maybe = 6;
    *out++ += *maybe;
    *out++ = cuda::std::max(3, cuda::std::min(8, 9)) + cuda::std::plus<>()(1, 2);
    *out++ = static_cast<int>(cuda::std::sqrt(49.0f) + cuda::std::abs(-2.0));
    const cuda::std::complex<float> z(3, 4);
    *out++ = static_cast<int>(cuda::std::norm(z) + (z * z).imag());
    *out++ = cuda::std::gcd(12, 18);
    cuda::std::atomic_ref<int>(*out).store(3);
    cuda::std::atomic_ref<int>(*out++).fetch_add(4, cuda::std::memory_order_relaxed);
    cuda::atomic<int, cuda::thread_scope_thread> counter(2);
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*out++);
    word = ++counter;
    word.fetch_add(counter);
    word += counter;
    *out++ = cuda::ceil_div(9, 4) * 100 + cuda::round_up(9, 4) + cuda::round_down(9, 4);
}
TEST_F(Names, OfTheStandardLibrary) {
    int* in = nullptr;
    ASSERT_EQ(cudaMallocManaged(&in, 32 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 5; ++i) {
        in[i] = i + 1;
    }
    int* const out = in + 16;
    standard_library<<<1, 1>>>(in, 5, out);
    wait();
    const int expected[] = {14, 154, 7 + 12, 4 + 3 + 7 + 1, 127, 23, 4, 11, 11, 9, 25 + 24, 6,
                            7,  9,   320};
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        EXPECT_EQ(out[i], expected[i]) << "number " << i;
    }
    EXPECT_EQ(cudaFree(in), cudaSuccess);
}

// --- 16 bits ----------------------------------------------------------------------------------

__global__ void half_functions(float* out) {
    const __half a = __float2half(1.5f);
    const __half b = __float2half_rn(-0.25f);
    out[0] = __half2float(__hsub(a, b));
    out[1] = __half2float(__hmul(a, b));
    out[2] = __half2float(__hadd(a, b));
    const __half2 pair = __hadd2(__halves2half2(a, b), __floats2half2_rn(1.0f, 2.0f));
    const float2 both = __half22float2(pair);
    out[3] = both.x;
    out[4] = both.y;
    out[5] = __low2float(pair);
    out[6] = __high2float(pair);
    out[7] = __heq(a, a) && !__heq(a, b) ? 1.0f : 0.0f;
    out[8] = __hisnan(__float2half(CUDART_NAN_F)) && !__hisnan(a) ? 1.0f : 0.0f;
    out[9] = static_cast<float>(__half_as_ushort(a));
    out[10] = __half2float(__ushort_as_half(0xc000));
}
__global__ void bfloat16_functions(float* out) {
    const nv_bfloat16 a = __float2bfloat16(1.5f);
    const __nv_bfloat16 b = __float2bfloat16_rn(-0.25f);
    out[0] = __bfloat162float(__hsub(a, b));
    out[1] = __bfloat162float(__hmul(a, b));
    out[2] = __bfloat162float(__hadd(a, b));
    const nv_bfloat162 pair = __hadd2(__halves2bfloat162(a, b), __floats2bfloat162_rn(1.0f, 2.0f));
    const float2 both = __bfloat1622float2(pair);
    out[3] = both.x;
    out[4] = both.y;
    out[5] = __low2float(pair);
    out[6] = __high2float(pair);
    out[7] = __heq(a, a) && !__heq(a, b) ? 1.0f : 0.0f;
    out[8] = __hisnan(__float2bfloat16(CUDART_NAN_F)) && !__hisnan(a) ? 1.0f : 0.0f;
    out[9] = static_cast<float>(__bfloat16_as_ushort(a));
    out[10] = __bfloat162float(__ushort_as_bfloat16(0xc000));
}
TEST_F(Names, OfFunctionsOf16Bits) {
    const float expected[] = {1.75f, -0.375f, 1.25f, 2.5f, 1.75f, 2.5f, 1.75f, 1, 1};
    half_functions<<<1, 1>>>(out_);
    bfloat16_functions<<<1, 1>>>(out_ + 16);
    wait();
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(out_[i], expected[i]) << i;
        EXPECT_EQ(out_[16 + i], expected[i]) << i;
    }
    EXPECT_EQ(out_[9], 0x3e00);
    EXPECT_EQ(out_[10], -2);
    EXPECT_EQ(out_[16 + 9], 0x3fc0);
    EXPECT_EQ(out_[16 + 10], -2);
}

// --- the host ---------------------------------------------------------------------------------

TEST_F(Names, OfEventsWithoutTimes) {
    cudaEvent_t start{};
    cudaEvent_t stop{};
    ASSERT_EQ(cudaEventCreateWithFlags(&start, cudaEventDisableTiming), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&stop, cudaEventDefault | cudaEventBlockingSync),
              cudaSuccess);
    ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
    ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
    float milliseconds = 0;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
    static_cast<void>(cudaGetLastError());
    EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
}

TEST_F(Names, OfSettings) {
    EXPECT_EQ(
        cudaFuncSetAttribute(math_constants, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
        cudaSuccess);
    EXPECT_NE(cudaDeviceDisablePeerAccess(0), cudaSuccess);
    static_cast<void>(cudaGetLastError());
#ifdef __NVCC__
#pragma nv_diag_suppress 1444  // CUDA 13 would rather not have it used
#endif
    cudaSharedMemConfig config{};
    EXPECT_EQ(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetSharedMemConfig(&config), cudaSuccess);
    EXPECT_EQ(config, cudaSharedMemBankSizeFourByte);
}

TEST_F(Names, OfRangesForAProfiler) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff00ff00;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "a range";
    nvtxRangePushEx(&attributes);
    nvtxRangePop();
    nvtxRangePush("a range in it");
    nvtxRangePop();
    nvtxMarkA("a mark");
    const nvtxRangeId_t range = nvtxRangeStartA("another range");
    nvtxRangeEnd(range);
}

// Last in its file: what the device had is gone.
class NamesAtTheEnd : public DeviceTest {};
TEST_F(NamesAtTheEnd, OfReset) {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleAuto), cudaSuccess);
    void* pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

}  // namespace
