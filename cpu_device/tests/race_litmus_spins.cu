// Litmus kernels: threads that look at words again and again. Those that look without end are told,
// whatever turns the threads take; those that wait for a thread which comes at last are not,
// although some schedules let it wait for long.
#include "race_litmus.cuh"

namespace {

__device__ bool is_last() {
    return blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
}
__device__ bool is_first() {
    return first_of(0);
}

// --- without end ---

__global__ void spin_volatile(int* d_x, int*) {
    volatile int* const flag = d_x;
    while (*flag == 0) {
    }
}
__global__ void spin_plain(int* d_x, int*) {
    while (*d_x == 0) {
    }
}
__global__ void spin_on_many(int* d_x, int*) {
    int sum = 0;
    while (sum == 0) {
        for (int i = 0; i < 20; ++i) {
            sum += DeviceAtomic(d_x[i]).load(relaxed);
        }
    }
}
__global__ void spin_with_longer_sleeps(int* d_x, int*) {
    for (unsigned nanoseconds = 8; DeviceAtomic(*d_x).load(acquire) == 0;) {
        __nanosleep(nanoseconds);
        nanoseconds = nanoseconds < 256 ? 2 * nanoseconds : 256;
    }
}
__global__ void spin_at_barrier(int* d_x, int*) {
    while (DeviceAtomic(*d_x).load(relaxed) == 0) {
        __syncthreads();
    }
}
__global__ void spin_at_ballot(int* d_x, int*) {
    while (__all_sync(~0u, DeviceAtomic(*d_x).load(relaxed) == 0) != 0) {
    }
}
__global__ void spin_and_store_the_same(int* d_x, int*) {
    volatile int* const flag = d_x;
    while (*flag == 0) {
        flag[1] = 0;
    }
}
// The stack changes with each look.
__global__ void spin_and_count(int* d_x, int* d_y) {
    int looks = 0;
    while (DeviceAtomic(*d_x).load(relaxed) == 0) {
        ++looks;
    }
    d_y[threadIdx.x] = looks;
}
// And each word that it reads has been written since it was read.
__global__ void spin_and_count_the_same(int* d_x, int* d_y) {
    int* const own = d_y + blockIdx.x * blockDim.x + threadIdx.x;
    int looks = 0;
    while (DeviceAtomic(*d_x).load(relaxed) == 0) {
        *own = 1;
        looks += *own;
    }
    *own = looks;
}

// --- not without end ---

// Each look changes a word: the waiting threads never only read.
template <bool (*comes)()>
__global__ void count_looks_in_memory(int* d_x, int* d_y) {
    if (comes()) {
        for (int i = 0; i < 20; ++i) {
            atomicAdd(d_x + 1, 1);
        }
        set(d_x, 1);
        return;
    }
    while (DeviceAtomic(*d_x).load(relaxed) == 0) {
        atomicAdd(d_y, 1);
    }
}
// The thread for which the others wait reads the same words for long.
template <bool (*comes)()>
__global__ void wait_for_one_who_reads(int* d_x, int* d_y) {
    volatile int* const flag = d_x;
    if (comes()) {
        int sum = 0;
        for (int i = 0; i < 500; ++i) {
            sum += d_y[i % 8];
        }
        *flag = 1 + sum;
        return;
    }
    while (*flag == 0) {
    }
}
__global__ void give_up_after_many_looks(int* d_x, int* d_y) {
    int looks = 0;
    while (looks < 300 && DeviceAtomic(*d_x).load(relaxed) == 0) {
        ++looks;
    }
    atomicAdd(d_y, looks);
}
// Memory does not change, but the time does.
__global__ void wait_for_the_time(int* d_x, int* d_y) {
    const long long start = clock64();
    while (DeviceAtomic(*d_x).load(relaxed) == 0 && clock64() - start < 30'000'000) {
    }
    atomicAdd(d_y, 1);
}

}  // namespace

std::vector<Litmus> litmus_of_spins() {
    const auto without_end = [](const char* name, void (*kernel)(int*, int*)) {
        return Litmus{name, kernel, deadlock};
    };
    Litmus counts = without_end("spin_and_count", spin_and_count);
    Litmus counts_the_same = without_end("spin_and_count_the_same", spin_and_count_the_same);
    counts.takes_long = counts_the_same.takes_long = true;
    return {
        without_end("spin_volatile", spin_volatile),
        without_end("spin_plain", spin_plain),
        without_end("spin_on_many", spin_on_many),
        without_end("spin_with_longer_sleeps", spin_with_longer_sleeps),
        without_end("spin_at_barrier", spin_at_barrier),
        without_end("spin_at_ballot", spin_at_ballot),
        without_end("spin_and_store_the_same", spin_and_store_the_same),
        counts,
        counts_the_same,
        {"first_comes_while_looks_are_counted", count_looks_in_memory<is_first>, clean},
        {"last_comes_while_looks_are_counted", count_looks_in_memory<is_last>, clean},
        {"first_reads_for_long", wait_for_one_who_reads<is_first>, clean},
        {"last_reads_for_long", wait_for_one_who_reads<is_last>, clean},
        {"give_up_after_many_looks", give_up_after_many_looks, clean},
        {"wait_for_the_time", wait_for_the_time, clean},
    };
}
