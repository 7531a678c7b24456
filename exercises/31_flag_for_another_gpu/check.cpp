// The check of 31_flag_for_another_gpu.cu; check.hpp says what it is made of.
#include <algorithm>
#include <set>

#include "common/error.cuh"
#include "exercises/check.hpp"

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race.h"
#endif

void launch_both(const int* d_x, int n, int* squares, int* flags, int* d_y, int block_size);

namespace exercises {

namespace {

// Words in pinned memory.
class PinnedArray {
  public:
    explicit PinnedArray(std::size_t size, int byte) {
        CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_),
                             std::max(size, std::size_t{1}) * sizeof(int)));
        std::memset(data_, byte, size * sizeof(int));
    }
    ~PinnedArray() { static_cast<void>(cudaFreeHost(data_)); }
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;
    int* data() const { return data_; }

  private:
    int* data_ = nullptr;
};

// In pinned memory the atomics of two GPUs are one step only where the host's are, which a device
// tells as cudaDevAttrHostNativeAtomicSupported. Elsewhere an addition of 0 may write an old 0
// back.
void refuse_read_modify_write() {
    std::vector<std::string> words = {"exchange", "compare_exchange_weak",
                                      "compare_exchange_strong"};
    for (const char* const name :
         {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"}) {
        for (const char* const scope : {"", "_system", "_block"}) {
            words.push_back(std::string("atomic") + name + scope);
        }
    }
    for (const char* const name : {"add", "sub", "min", "max", "and", "or", "xor"}) {
        words.push_back(std::string("fetch_") + name);
    }
    refuse("read-modify-write", words);
}

// Runs `run`, which launches a kernel whose loads find this flag late, in some runs very late.
std::size_t threads_that_give_up(const int* flag, const std::function<void()>& run) {
#ifdef CPU_DEVICE_RACE
    const auto looks_in_vain =
        static_cast<unsigned>(in_turn(4, 3) == 0 ? random_numbers(1, 20'000, 100'000, 4)[0]
                                                 : random_numbers(1, 100, 300, 4)[0]);
    cpu_device::race::let_store_be_late(flag, looks_in_vain);
    run();
    const std::size_t found = cpu_device::race::threads_without_store();
    cpu_device::race::let_store_be_late(nullptr, 0);
    return found;
#else
    static_cast<void>(flag);
    run();
    return 0;
#endif
}

// Race mode runs all of `square` first, and so it would see the last change of a flag alone.
void expect_flags_after_squares(const Watched& watched, const PinnedArray& squares,
                                const PinnedArray& flags, int n, int block_size) {
    std::set<int> raised;
    for (const Watched::Change& change : watched.changes()) {
        const auto index_in = [&](const PinnedArray& words) {
            return static_cast<int>(
                (change.address - reinterpret_cast<std::uintptr_t>(words.data())) / sizeof(int));
        };
        const int i = index_in(squares);
        if (change.is_at(flags.data(), (n + block_size - 1) / block_size * sizeof(int))) {
            raised.insert(index_in(flags));
        } else if (change.is_at(squares.data(), n * sizeof(int)) &&
                   raised.count(i / block_size) > 0) {
            throw Wrong{"data race", "squares[" + text_of(i) + "] is changed after flags[" +
                                         text_of(i / block_size) +
                                         "] has been set: another GPU may read it too early."};
        }
    }
}

void run(int n, int block_size) {
    refuse("volatile", {"volatile"});
    refuse_read_modify_write();
    refuse_waiting_host();
    expect_loop();
    // In some runs as large as the squares allow.
    const int most = in_turn(2, 9) == 0 ? 46'340 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected_squares, expected;
    for (const int value : x) {
        expected_squares.push_back(value * value);
        expected.push_back(value * value + 1);
    }
    const int blocks = (n + block_size - 1) / block_size;
    const PinnedArray squares(n, unwritten_byte()), flags(blocks, 0);
    const DeviceArray<int> d_x(x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    const DeviceArray<int> d_y = output_array<int>(n);
    CHECK(cudaDeviceSynchronize());
    // Race mode runs `square` first, so one flag seems to come late.
    const int late = random_numbers(1, 0, std::max(blocks, 1) - 1, 2)[0];
    const std::size_t gave_up = threads_that_give_up(flags.data() + late, [&] {
        const Watched watched([&] {
            call_answer(launch_both, d_x.data(), n, squares.data(), flags.data(), d_y.data(),
                        block_size);
            wait_for_two_gpus(false, false);
        });
        expect_flags_after_squares(watched, squares, flags, n, block_size);
    });
    // Atomics on them make no report where a flag is missing.
    refuse_atomics_on("data", "squares: the flags put it in order", squares.data(),
                      n * sizeof(int));
    refuse_updates_on("read-modify-write", "flags", flags.data(), blocks * sizeof(int));
    if (gave_up > 0) {
#ifdef CPU_DEVICE_RACE
        cpu_device::race::forget();  // the races that follow from it
#endif
        throw Wrong{"gives up", "flags[" + text_of(late) + "] came late, and " + text_of(gave_up) +
                                    (gave_up == 1 ? " thread" : " threads") +
                                    " of `add_one` went on without it."};
    }
    expect_equal("d_y", d_y.to_host(), expected);
    expect_equal("squares", std::vector<int>(squares.data(), squares.data() + n), expected_squares);
    expect_equal("flags", std::vector<int>(flags.data(), flags.data() + blocks),
                 std::vector<int>(blocks, 1));
}

Exercise made() {
    Exercise exercise = {run};
    exercise.devices = 2;
    exercise.max_launches = 2;
    return exercise;
}

}  // namespace

const Exercise exercise = made();

}  // namespace exercises
