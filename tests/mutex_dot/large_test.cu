// Every variant of mutex_dot on more elements than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "mutex_dot/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

constexpr int block_size = 256;

// `more` and then some elements. On the CPU device, so many more that they are a whole number of
// strides (of 640 blocks of 256 threads) and of tiles, less 7: then the last elements fall to the
// last block in every variant.
constexpr std::size_t above(std::size_t more) {
    constexpr std::size_t stride_and_tiles = 5 << 22;
    return common::on_cpu_device ? (more / stride_and_tiles + 1) * stride_and_tiles - 7 : more + 17;
}

// A launcher that leaves the dot product in d_dot or returns it.
template <typename T>
struct Launcher {
    std::string name;
    std::function<T()> dot;
};

template <typename T>
T sum_of(const MutexSum<T>& guarded) {
    return guarded.sum;
}
template <typename T>
T sum_of(const OneWordSum<T>& guarded) {
    return guarded.word.sum;
}

template <typename T>
class LargeDot : public LargeTest {
  protected:
    // Runs one variant, or "all" right ones.
    void multiply(const std::string& variant, std::size_t n) {
        constexpr std::size_t count = 100;
        LargeArray<T> a(n + count);
        SKIP_WITHOUT(a);
        LargeArray<T> b(n + count);
        SKIP_WITHOUT(b);
        // Positive, so that none that is missing makes up for one that is there twice.
        std::vector<T> some(count);
        std::iota(some.begin(), some.end(), T(1));
        const std::vector<T> factors(count, T(3));
        T expected = 6 * std::accumulate(some.begin(), some.end(), T(0));
        for (const std::size_t first : {std::size_t{0}, n - count, n}) {  // none from n on counts
            a.put(first, some);
            b.put(first, factors);
        }
        if (!common::on_cpu_device) {  // the block that they fall to does not run there
            a.put((std::size_t{1} << 31) - 50, some);
            b.put((std::size_t{1} << 31) - 50, factors);
            expected += expected / 2;
        }

        dot_ = DeviceArray<T>(1);
        d_a_ = a.data();
        d_b_ = b.data();
        const int blocks = dot_blocks(n, block_size);
        const DeviceArray<T> partial(std::vector<T>(max_dot_blocks, 0));
        std::vector<T> h_partial(max_dot_blocks);
        const DeviceArray<int> mutex(1);
        const DeviceArray<common::TicketLock> ticket_lock(1);
        // Where two blocks run, all the others have finished already.
        const unsigned have_finished = common::on_cpu_device ? blocks - 2 : 0;
        const DeviceArray<unsigned> finished(std::vector<unsigned>{have_finished});
        T* const d_dot = dot_.data();
        const auto in_dot = [&](auto launch) {
            return [this, launch] {
                launch();
                return dot_.to_host()[0];
            };
        };
        const std::vector<Launcher<T>> launchers{
            {"host_finish",
             [&] {
                 return launch_host_finish(d_a_, d_b_, n, partial.data(), h_partial.data(),
                                           block_size);
             }},
            {"mutex",
             in_dot([&] { launch_mutex(d_a_, d_b_, n, mutex.data(), d_dot, block_size); })},
            {"mutex_classic",
             in_dot([&] { launch_mutex_classic(d_a_, d_b_, n, mutex.data(), d_dot, block_size); })},
            {"ticket_lock", in_dot([&] {
                 launch_ticket_lock(d_a_, d_b_, n, ticket_lock.data(), d_dot, block_size);
             })},
            {"atomic_add", in_dot([&] { launch_atomic_add(d_a_, d_b_, n, d_dot, block_size); })},
            {"last_block", in_dot([&] {
                 launch_last_block(d_a_, d_b_, n, partial.data(), finished.data(), d_dot,
                                   block_size);
             })},
            {"vectorized", in_dot([&] { launch_vectorized(d_a_, d_b_, n, d_dot, 512); })},
            {"two_level_mutex", [&] { return dot_by_mutexes<MutexSum<T>>(n, 2); }},
            {"one_word_mutex", [&] { return dot_by_mutexes<OneWordSum<T>>(n, 2); }},
            {"mutex_tree", [&] { return dot_by_mutexes<OneWordSum<T>>(n, 4); }},
#ifndef CPU_DEVICE
            {"cublas", in_dot([&] { launch_cublas(d_a_, d_b_, n, d_dot); })},
#endif
        };
        std::vector<std::string> names;
        const FirstAndLastBlocks only;
        for (const Launcher<T>& launcher : launchers) {
            names.push_back(launcher.name);
            const bool wanted = variant == "all" || variant == launcher.name;
            // Double needs compute capability 9.0 there.
            const bool in_one_word =
                launcher.name == "one_word_mutex" || launcher.name == "mutex_tree";
            if (!wanted || (in_one_word && !skip_reason_one_word(DotProblem<T>({}, {})).empty())) {
                continue;
            }
            CHECK(cudaMemset(d_dot, harness::poison_byte, sizeof(T)));
            EXPECT_EQ(launcher.dot(), expected) << launcher.name;
            count_combination();
        }
        expect_all_right_variants(dot_variants<T>(), names);
    }

  private:
    // Where two of all blocks run, none is the last one that a mutex waits for: the sum is what all
    // mutexes hold.
    template <typename Guarded>
    T dot_by_mutexes(std::size_t n, int levels) {
        constexpr int threads = 1024;
        const MutexTree tree = mutex_tree<T>(n, threads, levels);
        DeviceArray<Guarded> guarded(tree.mutexes);
        guarded.fill_bytes(0);
        launch_mutex_tree(d_a_, d_b_, n, tree, guarded.data(), dot_.data(), threads);
        if (!common::on_cpu_device) {
            return dot_.to_host()[0];
        }
        T sum = 0;
        for (const Guarded& held : guarded.to_host()) {
            sum += sum_of(held);
        }
        return sum;
    }

    const T* d_a_ = nullptr;
    const T* d_b_ = nullptr;
    DeviceArray<T> dot_;
};

using LargeDotFloat = LargeDot<float>;
using LargeDotDouble = LargeDot<double>;

TEST_F(LargeDotFloat, BeyondAnInt) {
    multiply("all", above(std::size_t{1} << 32));
}

// The kernels differ in the type alone, and this takes as long again.
TEST_F(LargeDotDouble, BeyondAnInt) {
    const bool thorough = !common::on_cpu_device || std::getenv("THOROUGH") != nullptr;
    multiply(thorough ? "all" : "vectorized", above(std::size_t{1} << 32));
}

// The same for the numbers of the vectors of 16 bytes.
TEST_F(LargeDotFloat, VectorsBeyondAnInt) {
    multiply("vectorized", above(std::size_t{common::elements_per_vector<float>} << 32));
}

}  // namespace
