// What a launch does with its arguments. The same on a GPU and on the CPU device.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "device_test.cuh"

namespace {

int copies = 0;  // made on the host
int destroyed = 0;

// A class with a copy constructor and a destructor, as a lock has one that frees its word.
class Counted {
  public:
    explicit Counted(int* word) : word_(word) {}
    __host__ __device__ Counted(const Counted& other) : word_(other.word_) {
#ifndef __CUDA_ARCH__
        ++copies;
#endif
    }
    __host__ __device__ ~Counted() {
#ifndef __CUDA_ARCH__
        ++destroyed;
#endif
    }
    __device__ void add(int value) {
        atomicAdd(word_, value);
        word_ = nullptr;  // of this thread's own object
    }

  private:
    int* word_;
};

__global__ void add_through_object(Counted counted, double value) {
    counted.add(static_cast<int>(value));
}
template <typename T>
__global__ void add_twice(T counted, T other) {
    counted.add(1);
    other.add(10);
}

class Launch : public DeviceTest {
  protected:
    void allocate() override {
        ASSERT_EQ(cudaMallocManaged(&word_, sizeof(int)), cudaSuccess);
        *word_ = 0;
        copies = destroyed = 0;
    }
    void release() override { EXPECT_EQ(cudaFree(word_), cudaSuccess); }

    int* word_ = nullptr;
};

TEST_F(Launch, CopiesAClassOnceAndItsBitsToEachThread) {
    const Counted counted(word_);
    add_through_object<<<3, 64>>>(counted, 2);
    wait();
    EXPECT_EQ(*word_, 3 * 64 * 2);
    EXPECT_EQ(copies, 1);
    EXPECT_EQ(destroyed, 1);
    add_twice<<<1, 32>>>(counted, counted);
    wait();
    EXPECT_EQ(*word_, 3 * 64 * 2 + 32 * 11);
    EXPECT_EQ(copies, 3);
    EXPECT_EQ(destroyed, 3);
}

__global__ void barrier_with_object(Counted counted, int* d_out) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) {
        s_sum = 0;
    }
    __syncthreads();
    atomicAdd(&s_sum, static_cast<int>(threadIdx.x));
    __syncthreads();
    if (threadIdx.x % 2 == 0) {
        return;
    }
    counted.add(s_sum);
    if (threadIdx.x == 1) {
        d_out[blockIdx.x] = s_sum;
    }
}

TEST_F(Launch, ThreadsWithAnObjectMayWait) {
    int* sums = nullptr;
    ASSERT_EQ(cudaMallocManaged(&sums, 4 * sizeof(int)), cudaSuccess);
    {
        const Counted counted(word_);
        barrier_with_object<<<4, 64>>>(counted, sums);
    }
    wait();
    EXPECT_EQ(*word_, 4 * 32 * 2016);
    for (int block = 0; block < 4; ++block) {
        EXPECT_EQ(sums[block], 2016);
    }
    ASSERT_EQ(cudaFree(sums), cudaSuccess);
}

// A reference is the address of the object, which must be one that the device can reach.
struct Element {
    int key;
    float value;
};
__managed__ Element element;

__global__ void by_reference(Element& e, int times, const float& factor) {
    atomicAdd(&e.key, times);
    if (threadIdx.x == 0) {
        e.value *= factor;
    }
}
template <typename T>
__global__ void by_reference_of_any(T& x) {
    atomicAdd(&x, 1);
}

TEST_F(Launch, AReferenceParameterIsTheObjectItself) {
    float* factor = nullptr;
    ASSERT_EQ(cudaMallocManaged(&factor, sizeof(float)), cudaSuccess);
    *factor = 3;
    element = {5, 1.5f};
    by_reference<<<1, 32>>>(element, 2, *factor);
    wait();
    EXPECT_EQ(element.key, 5 + 32 * 2);
    EXPECT_EQ(element.value, 4.5f);
    by_reference_of_any<<<2, 32>>>(*word_);
    wait();
    EXPECT_EQ(*word_, 64);
    ASSERT_EQ(cudaFree(factor), cudaSuccess);
}

// As formatters that do not know CUDA write it.
template <int value>
__global__ void add_value(int* d_word) {
    atomicAdd(d_word, value);
}
TEST_F(Launch, MayBeWrittenWithBlanks) {
    // clang-format off
    add_value<1> << <2, 8 >> > (word_);
    add_value<2> << < dim3(2), 1 << 3 >> >(word_);
    add_value<(3 > 1)> <<< 2, 8 >>> (word_);
    // clang-format on
    wait();
    EXPECT_EQ(*word_, 16 + 32 + 16);
}

__global__ void takes_zeros(const int* none, double* nothing, float x, int* d_word) {
    *d_word = none == nullptr && nothing == nullptr && x == 0 ? 1 : 2;
}
template <typename T>
__global__ void takes_any(T x, int* d_word) {
    *d_word = sizeof x + x;
}
TEST_F(Launch, ZeroIsANumberOrANullPointer) {
    takes_zeros<<<1, 1>>>(0, NULL, 0, word_);
    wait();
    EXPECT_EQ(*word_, 1);
    takes_zeros<<<1, 1>>>(nullptr, 0, 0, word_);
    wait();
    EXPECT_EQ(*word_, 1);
    takes_any<<<1, 1>>>(0, word_);
    wait();
    EXPECT_EQ(*word_, static_cast<int>(sizeof(int)));
}
TEST_F(Launch, AFlagThatIsZeroIsTheDefaultStream) {
    add_value<5><<<2, 1, 0, cudaStreamDefault>>>(word_);
    wait();
    EXPECT_EQ(*word_, 10);
}

// --- dynamic shared memory that is declared outside of any function ------------------------------

extern __shared__ int s_of_file[];
struct Holder {
    int s_of_file;
};

__device__ int sum_of_file(int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += s_of_file[i];
    }
    return sum;
}
template <typename T>
__global__ void fill_of_file(T* out) {
    T* const s_values = reinterpret_cast<T*>(s_of_file);
    s_values[threadIdx.x] = static_cast<T>(threadIdx.x + blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        Holder holder{1};
        out[blockIdx.x] = sum_of_file(static_cast<int>(blockDim.x)) + holder.s_of_file;
    }
}
__global__ void own_name(int* out) {
    const int s_of_file = 5;
    out[0] = s_of_file;
}
int host_function(int s_of_file) {
    return s_of_file + 1;
}
// A member's name asks for no shared memory, which no constant could be made of.
constexpr int twice_the_member(const Holder* holder) {
    return holder->s_of_file + (*holder).s_of_file;
}
constexpr Holder constant_holder{3};
static_assert(twice_the_member(&constant_holder) == 6, "");
TEST_F(Launch, DynamicSharedMemoryMayBeDeclaredForTheFile) {
    int* sums = nullptr;
    ASSERT_EQ(cudaMallocManaged(&sums, 3 * sizeof(int)), cudaSuccess);
    fill_of_file<<<3, 32, 32 * sizeof(int)>>>(sums);
    wait();
    for (int block = 0; block < 3; ++block) {
        EXPECT_EQ(sums[block], 496 + 32 * block + 1);
    }
    own_name<<<1, 1>>>(sums);
    wait();
    EXPECT_EQ(sums[0], 5);
    int s_of_file = 6;
    EXPECT_EQ(host_function(s_of_file), 7);
    ASSERT_EQ(cudaFree(sums), cudaSuccess);
}

}  // namespace
