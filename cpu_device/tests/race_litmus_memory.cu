// Whose memory it is, how long it is, and whether anybody has set it.
#include "race_litmus.cuh"

namespace {

// --- memory of others
// ------------------------------------------------------------------------------

// Block 0 publishes where a shared variable of its own is. Wrong where another block reads there:
// the address means a variable of that block.
template <unsigned reader>
__global__ void publish_shared(int* d_x, int* d_y) {
    __shared__ int s_x;
    if (threadIdx.x == 0) {
        s_x = 42;
    }
    __syncthreads();
    auto& place = *reinterpret_cast<unsigned long long*>(d_x);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> published(place);
    if (first_of(0)) {
        published.store(reinterpret_cast<unsigned long long>(&s_x), release);
        await(d_x + 8, 1);  // the block is there until the other has read
    }
    if (blockIdx.x == reader && threadIdx.x == 32) {
        unsigned long long found = 0;
        while ((found = published.load(acquire)) == 0) {
            __nanosleep(32);
        }
        d_y[0] = *reinterpret_cast<const int*>(found);
        set(d_x + 8, 1);
    }
}
enum class Share { address, value, own_address };
// Thread 0 hands a local variable to the others. Wrong by its address, right by its value.
template <Share share>
__global__ void share_local(int*, int* d_y) {
    __shared__ const int* s_place;
    __shared__ int s_value;
    const int mine = static_cast<int>(threadIdx.x) + 42;
    if (threadIdx.x == 0) {
        s_place = &mine;
        s_value = mine;
    }
    __syncthreads();
    const int* const from = share == Share::own_address ? &mine : s_place;
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = share == Share::value ? s_value : *from;
    __syncthreads();
}

enum class Load { ldg, ldcg, plain };
// What the kernel writes cannot be read by __ldg, even after a barrier: the load may find an old
// value in a cache that is not kept up to date.
template <Load load>
__global__ void load_what_was_written(int*, int* d_y) {
    int* const d_mine = d_y + blockIdx.x * blockDim.x;
    d_mine[threadIdx.x] = 1;
    __syncthreads();
    const int* const from = d_mine + 63 - threadIdx.x;
    const int value = load == Load::ldg ? __ldg(from) : load == Load::ldcg ? __ldcg(from) : *from;
    if (value == 7) {
        d_y[300] = value;
    }
}
// The same the other way round: all have read, then one writes. Right where the output is another
// array.
template <bool in_place>
__global__ void write_what_was_loaded(int* d_x, int* d_y) {
    const unsigned first = blockIdx.x * blockDim.x;
    const int value = __ldg(d_x + first + 63 - threadIdx.x);
    __syncthreads();
    (in_place ? d_x : d_y)[first + threadIdx.x] = value + 1;
}

// --- arrays inside of something
// --------------------------------------------------------------------

struct Particle {
    int position[3];
    int charge;
};
// Wrong where the index runs over the member array, into the member after it.
template <int most>
__global__ void member_array(int* d_x, int* d_y) {
    const auto* const d_particles = reinterpret_cast<const Particle*>(d_x);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int axis = 0; axis < most; ++axis) {
        sum += d_particles[i % 64].position[axis];
    }
    d_y[i] = sum;
}
template <int most>
__global__ void local_array(int* d_x, int* d_y) {
    int values[4];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < most; ++k) {
        values[k] = d_x[(i + static_cast<unsigned>(k)) % 256];
    }
    d_y[i] = values[0] + values[3];
}
// A tile with rows of 8: wrong where a row's end is the next row's begin.
template <unsigned more>
__global__ void row_of_a_tile(int*, int* d_y) {
    __shared__ int s_tile[8][8];
    const unsigned row = threadIdx.x / 8;
    const unsigned column = threadIdx.x % 8;
    s_tile[row][column] = 1;
    __syncthreads();
    const unsigned next = row == 0 ? column + more : column;
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_tile[row][next];
}
// Wrong: a negative index.
__global__ void index_in_front_of_a_shared_array(int*, int* d_y) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncthreads();
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[static_cast<int>(threadIdx.x) - 1];
}

// --- variables that were never set
// ------------------------------------------------------------------

// Wrong where only some threads set it.
template <bool all>
__global__ void local_set_in_a_branch(int*, int* d_y) {
    int value;
    if (all || threadIdx.x % 2 == 0) {
        value = 1;
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
// A sum that starts at nothing. Small numbers vanish beside what a float holds then.
template <bool is_set>
__global__ void float_sum(int* d_x, int* d_y) {
    float sum;
    if (is_set) {
        sum = 0.0f;
    }
    for (int i = 0; i < 4; ++i) {
        sum += static_cast<float>(d_x[i]);
    }
    reinterpret_cast<float*>(d_y)[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// A counter in fresh memory: wrong; set by cudaMemset it is right.
template <int first>
__global__ void count_at(int*, int* d_y) {
    atomicAdd(d_y + first, 1);
}

// --- volatile ------------------------------------------------------------------------------------

enum class Fences { both, none };
// A flag in shared memory that is only volatile. With fences it orders what it announces.
template <Fences fences>
__global__ void volatile_shared_flag(int*, int* d_y) {
    __shared__ volatile int s_flag;
    __shared__ int s_x;
    if (threadIdx.x == 0) {
        s_flag = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fences == Fences::both) {
            s_x = 42;
            __threadfence_block();
        }
        s_flag = 1;
    } else if (threadIdx.x == 32) {
        while (s_flag == 0) {
            __nanosleep(32);
        }
        if (fences == Fences::both) {
            __threadfence_block();
            d_y[blockIdx.x] = s_x;
        }
    }
}
// Updates get lost: to read and to write are two steps.
__global__ void volatile_shared_counter(int*, int* d_y) {
    __shared__ int s_count;
    volatile int* const s_word = &s_count;
    if (threadIdx.x == 0) {
        *s_word = 0;
    }
    __syncthreads();
    *s_word = *s_word + 1;
    __syncthreads();
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_count;
}
// Clean: a barrier orders volatile accesses as all others.
__global__ void volatile_shared_and_barriers(int*, int* d_y) {
    __shared__ volatile int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncthreads();
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[63 - threadIdx.x];
}
// Racy: the other side is not volatile.
__global__ void volatile_on_one_side(int*, int* d_y) {
    __shared__ int s_x;
    volatile int* const s_word = &s_x;
    if (threadIdx.x == 0) {
        s_x = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *s_word = 1;
    } else if (threadIdx.x == 32) {
        d_y[blockIdx.x] = s_x;
    }
}

enum class Steps { compound, increment, two_lines, through_another, atomics, tested, replaced };
// All threads do this to one word at the same time. An update is lost where the new value is
// computed from the old one. The last two only look at the old one.
template <Steps steps>
__global__ void volatile_update(int* d_x, int*) {
    volatile int* const d_word = d_x;
    DeviceAtomic word(*d_x);
    const int mine = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
    if (steps == Steps::compound) {
        *d_word += mine;
    } else if (steps == Steps::increment) {
        ++*d_word;
    } else if (steps == Steps::two_lines) {
        const int old = *d_word;
        *d_word = old + mine;
    } else if (steps == Steps::through_another) {
        const int old = word.load(relaxed);
        int next = old;
        if (next < 1000) {
            next += mine;
        }
        word.store(next,  //
                   relaxed);
    } else if (steps == Steps::atomics) {
        word.store(word.load(acquire) + 1, release);
    } else if (steps == Steps::tested) {
        if (*d_word != 1000)
            *d_word = mine;
    } else {
        const int old = word.load(relaxed);
        if (old < 1000) {
            word.store(mine, relaxed);
        }
    }
}
// One thread counts, the others look: nothing is lost, also not where it sees old values.
__global__ void volatile_progress(int* d_x, int* d_y) {
    volatile int* const d_done = d_x;
    for (int i = 0; i < 8; ++i) {
        if (first_of(0)) {
            *d_done = *d_done + 1;
        } else {
            d_y[blockIdx.x * blockDim.x + threadIdx.x] = *d_done;
        }
    }
}
// A ticket lock gives way by a load and a store: its holder alone makes them.
__global__ void ticket_lock(int* d_x, int*) {
    DeviceAtomic next(d_x[1]), serving(d_x[2]);
    const int ticket = next.fetch_add(1, relaxed);
    while (serving.load(acquire) != ticket) {
        __nanosleep(32);
    }
    d_x[0] += 1;
    serving.store(serving.load(relaxed) + 1, release);
}
// The value that a thread has read before a barrier, it puts back after another one.
__global__ void put_back_between_barriers(int*, int* d_y) {
    __shared__ volatile int s_x;
    int saved = 0;
    if (threadIdx.x == 0) {
        s_x = 7;
        saved = s_x;
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        s_x = 8;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s_x = saved;
        d_y[blockIdx.x] = s_x;
    }
}

// --- whole words, of several sizes and by several threads
// --------------------------------------------------------------------

struct alignas(16) FourWords {
    int words[4];
};
template <typename T>
__device__ T value_of(int number) {
    T value{};
    *reinterpret_cast<int*>(&value) = number;
    return value;
}
// A thread writes by one type, the last part of what its neighbor reads by another one. Right with
// a barrier in between.
template <typename Written, typename Read, bool with_barrier>
__global__ void write_and_read_wide(int*, int* d_y) {
    __shared__ FourWords s_x[64];
    const unsigned t = threadIdx.x;
    s_x[t] = value_of<FourWords>(1);
    __syncthreads();
    constexpr bool is_part = sizeof(Read) > sizeof(Written);
    constexpr std::size_t last = is_part ? sizeof(Read) / sizeof(Written) - 1 : 0;
    reinterpret_cast<Written*>(s_x + t)[last] = value_of<Written>(2);
    if (with_barrier) {
        __syncthreads();
    }
    const Read found = reinterpret_cast<const Read*>(s_x + (t + 1) % 64)[0];
    d_y[blockIdx.x * 64 + t] = *reinterpret_cast<const int*>(&found);
}

// Block 0 writes one word, always before block 1 reads it as a part of more, or writes over it.
// Right where that follows by the flag's order.
template <typename T, unsigned word, bool reads, bool in_order>
__global__ void one_of_several_words(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[64 + word] = 1;
        set(d_x, 1, in_order ? release : relaxed);
    }
    if (first_of(1)) {
        await(d_x, 1, in_order ? acquire : relaxed);
        T* const all = reinterpret_cast<T*>(d_x + 64);
        if (reads) {
            const T found = *all;
            d_y[0] = reinterpret_cast<const int*>(&found)[word];
        } else {
            *all = value_of<T>(3);
        }
    }
}

enum class Then { write, wide_write, atomic, nothing };
enum class Meets { at_a_barrier, all_but_one, nowhere };
// Some threads of a block read a word, each twice, then thread 0 changes it. Right after a barrier
// of all readers. Wrong where another block reads the word, too.
template <unsigned readers, Then then, Meets meets>
__global__ void many_read_one_writes(int* d_x, int* d_y) {
    int* const word = d_x + (meets == Meets::all_but_one ? 0 : blockIdx.x * 4);
    const bool is_other = meets == Meets::all_but_one && blockIdx.x == 1 && threadIdx.x == 5;
    if (is_other || (threadIdx.x < readers && (meets != Meets::all_but_one || blockIdx.x == 0))) {
        const int first = *word;
        const int second = *word;
        d_y[blockIdx.x * 64 + threadIdx.x] = first + second;
    }
    if (meets != Meets::nowhere) {
        __syncthreads();
    }
    if (threadIdx.x == 0 && (meets != Meets::all_but_one || blockIdx.x == 0)) {
        if (then == Then::write) {
            *word = 1;
        } else if (then == Then::wide_write) {
            *reinterpret_cast<FourWords*>(word) = FourWords{{1, 2, 3, 4}};
        } else if (then == Then::atomic) {
            atomicAdd(word, 1);
        }
    }
}
// The word is read in one size by one thread, in another one by others.
template <bool with_barrier>
__global__ void read_in_two_sizes(int* d_x, int* d_y) {
    int* const words = d_x + blockIdx.x * 4;
    const unsigned t = threadIdx.x;
    const int found =
        t % 2 == 0 ? *words : static_cast<int>(*reinterpret_cast<const long long*>(words));
    d_y[blockIdx.x * 64 + t] = found;
    if (with_barrier) {
        __syncthreads();
    }
    if (t == 63) {
        words[1] = 7;
    }
}

}  // namespace

std::vector<Litmus> litmus_of_memory() {
    return {
        {"shared_address_in_another_block", publish_shared<1>, foreign},
        {"shared_address_in_the_same_block", publish_shared<0>, clean},
        {"local_variable_by_its_address", share_local<Share::address>, local},
        {"local_variable_by_its_value", share_local<Share::value>, clean},
        {"local_variable_of_ones_own", share_local<Share::own_address>, clean},
        {"ldg_of_what_was_written", load_what_was_written<Load::ldg>, read_only},
        {"ldcg_of_what_was_written", load_what_was_written<Load::ldcg>, clean},
        {"plain_load_of_what_was_written", load_what_was_written<Load::plain>, clean},
        {"write_what_ldg_has_read", write_what_was_loaded<true>, read_only},
        {"write_beside_what_ldg_has_read", write_what_was_loaded<false>, clean},
        {"member_array_run_over", member_array<4>, bounds},
        {"member_array", member_array<3>, clean},
        {"local_array_run_over", local_array<5>, bounds},
        {"local_array", local_array<4>, clean},
        {"row_of_a_tile_run_over", row_of_a_tile<1>, bounds},
        {"row_of_a_tile", row_of_a_tile<0>, clean},
        {"index_in_front_of_a_shared_array", index_in_front_of_a_shared_array, bounds},
        {"local_set_in_a_branch", local_set_in_a_branch<false>, unset},
        {"local_set_in_all_branches", local_set_in_a_branch<true>, clean},
        {"float_sum_not_set", float_sum<false>, unset},
        {"float_sum_set", float_sum<true>, clean},
        {"count_in_fresh_memory", count_at<256>, fresh},
        {"count_in_memory_that_is_set", count_at<0>, clean},
        {"volatile_shared_flag_with_fences", volatile_shared_flag<Fences::both>, clean},
        {"volatile_shared_flag_without_fences", volatile_shared_flag<Fences::none>, unordered},
        {"volatile_shared_counter", volatile_shared_counter, lost, 4, 64, unordered, false},
        {"volatile_shared_and_barriers", volatile_shared_and_barriers, clean},
        {"volatile_on_one_side", volatile_on_one_side, race},
        {"volatile_compound_update", volatile_update<Steps::compound>, lost, 4, 64, nullptr, false},
        {"volatile_increment", volatile_update<Steps::increment>, lost, 4, 64, nullptr, false},
        {"volatile_two_lines", volatile_update<Steps::two_lines>, lost, 4, 64, nullptr, false},
        {"update_through_another_variable", volatile_update<Steps::through_another>, lost, 4, 64,
         nullptr, false},
        {"update_by_load_and_store", volatile_update<Steps::atomics>, lost, 4, 64, nullptr, false},
        {"volatile_write_after_a_test", volatile_update<Steps::tested>, clean},
        {"relaxed_write_after_a_read", volatile_update<Steps::replaced>, clean},
        {"volatile_progress", volatile_progress, clean},
        {"ticket_lock", ticket_lock, clean, 4, 1},
        {"put_back_between_barriers", put_back_between_barriers, clean},
        {"write_word_read_word_after_a_barrier", write_and_read_wide<int, int, true>, clean},
        {"write_word_read_word", write_and_read_wide<int, int, false>, race},
        {"write_double_read_word_after_a_barrier", write_and_read_wide<double, int, true>, clean},
        {"write_double_read_word", write_and_read_wide<double, int, false>, race},
        {"write_double_read_double_after_a_barrier", write_and_read_wide<double, double, true>,
         clean},
        {"write_double_read_double", write_and_read_wide<double, double, false>, race},
        {"write_four_words_read_word_after_a_barrier", write_and_read_wide<FourWords, int, true>,
         clean},
        {"write_four_words_read_word", write_and_read_wide<FourWords, int, false>, race},
        {"write_four_words_read_double_after_a_barrier",
         write_and_read_wide<FourWords, double, true>, clean},
        {"write_four_words_read_double", write_and_read_wide<FourWords, double, false>, race},
        {"write_four_words_read_four_words_after_a_barrier",
         write_and_read_wide<FourWords, FourWords, true>, clean},
        {"write_four_words_read_four_words", write_and_read_wide<FourWords, FourWords, false>,
         race},
        {"read_double_with_word_1_in_order", one_of_several_words<double, 1, true, true>, clean},
        {"read_double_with_word_1", one_of_several_words<double, 1, true, false>, race},
        {"write_double_with_word_1_in_order", one_of_several_words<double, 1, false, true>, clean},
        {"write_double_with_word_1", one_of_several_words<double, 1, false, false>, race},
        {"read_four_words_with_word_1_in_order", one_of_several_words<FourWords, 1, true, true>,
         clean},
        {"read_four_words_with_word_1", one_of_several_words<FourWords, 1, true, false>, race},
        {"write_four_words_with_word_1_in_order", one_of_several_words<FourWords, 1, false, true>,
         clean},
        {"write_four_words_with_word_1", one_of_several_words<FourWords, 1, false, false>, race},
        {"read_four_words_with_word_3_in_order", one_of_several_words<FourWords, 3, true, true>,
         clean},
        {"read_four_words_with_word_3", one_of_several_words<FourWords, 3, true, false>, race},
        {"write_four_words_with_word_3_in_order", one_of_several_words<FourWords, 3, false, true>,
         clean},
        {"write_four_words_with_word_3", one_of_several_words<FourWords, 3, false, false>, race},
        {"read_word_with_word_0_in_order", one_of_several_words<int, 0, true, true>, clean},
        {"read_word_with_word_0", one_of_several_words<int, 0, true, false>, race},
        {"write_word_with_word_0_in_order", one_of_several_words<int, 0, false, true>, clean},
        {"write_word_with_word_0", one_of_several_words<int, 0, false, false>, race},
        {"2_read_one_writes_after_a_barrier",
         many_read_one_writes<2, Then::write, Meets::at_a_barrier>, clean},
        {"2_read_one_writes", many_read_one_writes<2, Then::write, Meets::nowhere>, race},
        {"2_read_one_writes_but_for_another_block",
         many_read_one_writes<2, Then::write, Meets::all_but_one>, race},
        {"2_read_and_another_block", many_read_one_writes<2, Then::nothing, Meets::all_but_one>,
         clean},
        {"16_read_one_writes_after_a_barrier",
         many_read_one_writes<16, Then::write, Meets::at_a_barrier>, clean},
        {"16_read_one_writes", many_read_one_writes<16, Then::write, Meets::nowhere>, race},
        {"16_read_one_writes_but_for_another_block",
         many_read_one_writes<16, Then::write, Meets::all_but_one>, race},
        {"16_read_and_another_block", many_read_one_writes<16, Then::nothing, Meets::all_but_one>,
         clean},
        {"17_read_one_writes_after_a_barrier",
         many_read_one_writes<17, Then::write, Meets::at_a_barrier>, clean},
        {"17_read_one_writes", many_read_one_writes<17, Then::write, Meets::nowhere>, race},
        {"17_read_one_writes_but_for_another_block",
         many_read_one_writes<17, Then::write, Meets::all_but_one>, race},
        {"17_read_and_another_block", many_read_one_writes<17, Then::nothing, Meets::all_but_one>,
         clean},
        {"64_read_one_writes_after_a_barrier",
         many_read_one_writes<64, Then::write, Meets::at_a_barrier>, clean},
        {"64_read_one_writes", many_read_one_writes<64, Then::write, Meets::nowhere>, race},
        {"64_read_one_writes_but_for_another_block",
         many_read_one_writes<64, Then::write, Meets::all_but_one>, race},
        {"64_read_and_another_block", many_read_one_writes<64, Then::nothing, Meets::all_but_one>,
         clean},
        {"20_read_wide_write_after_a_barrier",
         many_read_one_writes<20, Then::wide_write, Meets::at_a_barrier>, clean},
        {"20_read_wide_write", many_read_one_writes<20, Then::wide_write, Meets::nowhere>, race},
        {"20_read_atomic_after_a_barrier",
         many_read_one_writes<20, Then::atomic, Meets::at_a_barrier>, clean},
        {"20_read_atomic", many_read_one_writes<20, Then::atomic, Meets::nowhere>, race},
        {"read_in_two_sizes_after_a_barrier", read_in_two_sizes<true>, clean},
        {"read_in_two_sizes", read_in_two_sizes<false>, race},
    };
}
