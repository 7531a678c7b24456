// Programs whose shared data are volatile or relaxed atomics, so that no two accesses race, and
// that are right or wrong all the same: two threads with a lock, a flag, a message or a counter, in
// a warp, in a block, or in two blocks, and a fence between that is right, too narrow, or missing
// on one side. volatile_shapes_test.py runs them all.
//
//   volatile_shapes NAME     runs one, prints what it leaves, and ends with 1 if that is wrong
//   volatile_shapes --seeds N
//                            runs them all, N times 8 seeds each, and ends with 1 if one is judged
//                            wrong: a fault must show in each 8 seeds, as a report of its kind or,
//                            where that is STALE VALUE, as a wrong result
//   volatile_shapes --list   each name, and the kind of report that race mode shall make, or
//   "clean"
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <string>
#include <vector>

#include "cpu_device/race.h"
#include "support.cuh"

namespace {

enum class Near { warp, block, grid };     // where the two threads are
enum class Fence { none, narrow, right };  // for this place
constexpr int rounds = 4;                  // of each thread

// 0 for the first of the two threads, 1 for the second, -1 for all others.
template <Near near>
__device__ int role() {
    if (near == Near::grid) {
        return threadIdx.x == 0 && blockIdx.x < 2 ? static_cast<int>(blockIdx.x) : -1;
    }
    constexpr unsigned second = near == Near::warp ? 1 : 32;
    return blockIdx.x != 0 ? -1 : threadIdx.x == 0 ? 0 : threadIdx.x == second ? 1 : -1;
}

template <Near near, Fence fence>
__device__ void pass() {
    if (fence == Fence::none) {
        return;
    }
    const bool is_right = fence == Fence::right;
    if (near == Near::grid && is_right) {
        __threadfence();
    } else if (near == Near::grid || is_right) {
        __threadfence_block();
    } else {
        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_thread);
    }
}

// Each kernel gets words that are 0.
constexpr int words = 256;
constexpr int data = 32;  // the first word of the data; the one at 0 is the lock or the flag

// A lock around a volatile sum.
template <Near near, Fence taken, Fence given_back>
__global__ void lock_shape(int* d_x) {
    volatile int* const d_sum = d_x + data;
    if (role<near>() < 0) {
        return;
    }
    for (int round = 0; round < rounds; ++round) {
        while (atomicCAS(d_x, 0, 1) != 0) {
            __nanosleep(32);
        }
        pass<near, taken>();
        *d_sum = *d_sum + 1;
        pass<near, given_back>();
        atomicExch(d_x, 0);
    }
}

// A volatile flag says whose turn it is to add to a volatile sum.
template <Near near, Fence awaited, Fence set>
__global__ void flag_shape(int* d_x) {
    volatile int* const d_turn = d_x;
    volatile int* const d_sum = d_x + data;
    const int me = role<near>();
    if (me < 0) {
        return;
    }
    for (int round = 0; round < rounds; ++round) {
        while (*d_turn != me) {
            __nanosleep(32);
        }
        pass<near, awaited>();
        const int sum = *d_sum;
        *d_sum = sum + 1;
        pass<near, set>();
        *d_turn = 1 - me;
    }
}

// Three volatile words, and an atomic that says that they are there.
template <Near near, Fence received, Fence sent>
__global__ void message_shape(int* d_x) {
    volatile int* const d_message = d_x + data;
    const int me = role<near>();
    if (me == 0) {
        for (int i = 0; i < 3; ++i) {
            d_message[i] = 42 + i;
        }
        pass<near, sent>();
        atomicExch(d_x, 1);
    } else if (me == 1) {
        while (atomicAdd(d_x, 0) == 0) {
            __nanosleep(32);
        }
        pass<near, received>();
        int sum = 0;
        for (int i = 0; i < 3; ++i) {
            sum += d_message[i];
        }
        d_x[data + 8] = sum;
    }
}

enum class Count { volatile_steps, relaxed_steps, atomic, own };
// Both count.
template <Near near, Count count>
__global__ void counter_shape(int* d_x) {
    const int me = role<near>();
    if (me < 0) {
        return;
    }
    volatile int* const d_count = d_x + data + (count == Count::own ? me : 0);
    cuda::atomic_ref<int, cuda::thread_scope_device> counter(d_x[data]);
    for (int round = 0; round < rounds; ++round) {
        if (count == Count::atomic) {
            atomicAdd(d_x + data, 1);
        } else if (count == Count::relaxed_steps) {
            const int old = counter.load(cuda::memory_order_relaxed);
            counter.store(old + 1, cuda::memory_order_relaxed);
        } else {
            *d_count = *d_count + 1;
        }
    }
}

struct Shape {
    std::string name;
    void (*kernel)(int*);
    const char* kind;
    int word, expected;  // the right value of a word
};

// A lock, a flag or a message: the fence right, too narrow, or missing on one side.
template <Near near>
void add_shapes(std::vector<Shape>& shapes, const std::string& place) {
    constexpr const char* lost = "LOST UPDATE";
    constexpr const char* stale = "STALE VALUE";
    constexpr Fence none = Fence::none, narrow = Fence::narrow, right = Fence::right;
    const auto add = [&](const char* what, const char* variant, void (*kernel)(int*),
                         const char* kind, int word, int expected) {
        shapes.push_back(
            {std::string(what) + "_" + place + "_" + variant, kernel, kind, word, expected});
    };
    add("lock", "right", lock_shape<near, right, right>, "clean", data, 2 * rounds);
    add("lock", "narrow", lock_shape<near, narrow, narrow>, lost, data, 2 * rounds);
    add("lock", "no_fence_when_taken", lock_shape<near, none, right>, lost, data, 2 * rounds);
    add("lock", "no_fence_when_given_back", lock_shape<near, right, none>, lost, data, 2 * rounds);
    add("flag", "right", flag_shape<near, right, right>, "clean", data, 2 * rounds);
    add("flag", "narrow", flag_shape<near, narrow, narrow>, lost, data, 2 * rounds);
    add("flag", "no_fence_when_awaited", flag_shape<near, none, right>, lost, data, 2 * rounds);
    add("flag", "no_fence_when_set", flag_shape<near, right, none>, lost, data, 2 * rounds);
    add("message", "right", message_shape<near, right, right>, "clean", data + 8, 129);
    add("message", "narrow", message_shape<near, narrow, narrow>, stale, data + 8, 129);
    add("message", "no_fence_when_received", message_shape<near, none, right>, stale, data + 8,
        129);
    add("message", "no_fence_when_sent", message_shape<near, right, none>, stale, data + 8, 129);
    add("counter", "atomic", counter_shape<near, Count::atomic>, "clean", data, 2 * rounds);
    add("counter", "own", counter_shape<near, Count::own>, "clean", data + 1, rounds);
    add("counter", "volatile", counter_shape<near, Count::volatile_steps>, lost, data, 2 * rounds);
    add("counter", "relaxed", counter_shape<near, Count::relaxed_steps>, lost, data, 2 * rounds);
}

std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    add_shapes<Near::warp>(shapes, "in_a_warp");
    add_shapes<Near::block>(shapes, "in_a_block");
    add_shapes<Near::grid>(shapes, "in_two_blocks");
    return shapes;
}

// What it leaves.
int value_left_by(const Shape& shape) {
    int* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, words * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, words * sizeof(int)));
    shape.kernel<<<2, 64>>>(d_x);
    CHECK_LAUNCH();
    int x[words];
    CHECK(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    return x[shape.word];
}

bool shows_in(const Shape& shape, std::uint64_t first_seed, bool& is_right) {
    bool shown = false;
    const bool is_clean = std::strcmp(shape.kind, "clean") == 0;
    const bool is_stale = std::strcmp(shape.kind, "STALE VALUE") == 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + 8; ++seed) {
        cpu_device::race::forget();
        cpu_device::race::set_seed(seed);
        const bool has_right_value = value_left_by(shape) == shape.expected;
        const unsigned reports = cpu_device::race::reports();
        const std::string text = cpu_device::race::reports_text();
        const bool is_of_kind =
            text.compare(0, std::strlen(shape.kind) + 1, std::string("\n") + shape.kind) == 0;
        const bool may_be = is_clean   ? reports == 0 && has_right_value
                            : is_stale ? reports == 0
                                       : reports == (is_of_kind ? 1 : 0);
        if (!may_be) {
            is_right = false;
            std::printf("%s, seed %llu: %u reports, the value is %sright%s\n", shape.name.c_str(),
                        static_cast<unsigned long long>(seed), reports,
                        has_right_value ? "" : "not ", text.c_str());
        }
        shown = shown || is_of_kind || (is_stale && !has_right_value);
    }
    return shown || is_clean;
}

int check_all(unsigned times) {
    bool is_right = true;
    cpu_device::race::be_quiet(true);
    for (const Shape& shape : all_shapes()) {
        for (unsigned time = 0; time < times; ++time) {
            if (!shows_in(shape, 8 * time + 1, is_right)) {
                std::printf("%s shows with no seed from %u to %u\n", shape.name.c_str(),
                            8 * time + 1, 8 * time + 8);
                is_right = false;
            }
        }
    }
    cpu_device::race::forget();
    return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--seeds") == 0) {
        return check_all(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
    }
    if (argc != 2) {
        std::fprintf(stderr, "usage: volatile_shapes NAME, or --seeds N, or --list\n");
        return 2;
    }
    for (const Shape& shape : all_shapes()) {
        if (std::strcmp(argv[1], "--list") == 0) {
            std::printf("%s %s\n", shape.name.c_str(), shape.kind);
        } else if (shape.name == argv[1]) {
            const int value = value_left_by(shape);
            std::printf("%d\n", value);
            return value == shape.expected ? 0 : 1;
        }
    }
    if (std::strcmp(argv[1], "--list") == 0) {
        return 0;
    }
    std::fprintf(stderr, "there is no shape '%s'; see volatile_shapes --list\n", argv[1]);
    return 2;
}
