// Sum and histogram on several GPUs as the harness sees them: the memory of all variants, the
// references, and the check.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "harness/check.hpp"
#include "harness/compensated_sum.hpp"
#include "harness/poison.cuh"
#include "harness/variant.cuh"
#include "several_gpus/cpu.hpp"
#include "several_gpus/parts.cuh"
#include "several_gpus/slot.cuh"
#include "several_gpus/task.cuh"

// Writes items first ... first + n - 1 of the made-up input.
template <typename Item>
__global__ void make_up_items(Item* d_x, std::size_t first, std::size_t n) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        d_x[i] = static_cast<Item>(made_up_item(first + i));
    }
}

// How often each value is among the first n made-up items.
inline std::vector<unsigned long long> made_up_counts(std::size_t n) {
    std::vector<unsigned long long> counts(256, 0);
    for (std::size_t i = 0; i < n; ++i) {
        ++counts[made_up_item(i)];
    }
    return counts;
}

// Words in pinned memory of the host.
template <typename T>
class PinnedArray {
  public:
    explicit PinnedArray(std::size_t size) : size_(size) {
        // Unified addressing makes what any GPU pins usable for all of them.
        const std::size_t bytes = size * sizeof(T);
        common::exit_on_cuda_error(cudaMallocHost(reinterpret_cast<void**>(&data_), bytes),
                                   "cudaMallocHost(&data_, bytes)", __FILE__, __LINE__, bytes);
    }
    ~PinnedArray() { static_cast<void>(cudaFreeHost(data_)); }
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;

    T* data() const { return data_; }
    void poison() {
        std::memset(static_cast<void*>(data_), harness::poison_byte, size_ * sizeof(T));
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <typename Task>
class PartsProblem : public harness::Problem {
  public:
    using Item = typename Task::Item;
    using Word = typename Task::Word;
    static constexpr bool is_sum = std::is_same<Task, Sum>::value;

    // h_x: the items; `words`: what they are. The parts are as equal as can be.
    PartsProblem(std::vector<Item> h_x, int gpus, const std::string& words = "")
        : PartsProblem(std::move(h_x), 0, gpus, words) {}
    // The first n made-up items. The GPUs make them, and the host has none: for inputs that are too
    // large for it.
    PartsProblem(std::size_t n, int gpus, const std::string& words = "")
        : PartsProblem({}, n, gpus, words) {}
    ~PartsProblem() override {
        for (const Part<Task>& part : parts_) {
            static_cast<void>(cudaEventDestroy(part.done));
        }
    }

    // What the table's rows use.
    const Parts<Task>& parts() const { return parts_; }
    int gpus() const { return static_cast<int>(parts_.size()); }
    Word* h_result() { return result_.data(); }
    Slot<Task>* slots() { return slots_.data(); }
    // The error of a sum in which each of the items passes through n roundings, and those of the
    // warps, blocks and GPUs. A histogram has none.
    double bound() const {
        return is_sum ? harness::rounding_bound<double>(static_cast<double>(n_) + 4096, magnitudes_)
                      : 0;
    }

    // What the tests ask for.
    std::vector<Word> result() const {
        return std::vector<Word>(result_.data(), result_.data() + Task::words);
    }

    std::string input() const override { return words_; }
    // GPU 0 alone reads for the yardstick: its part.
    std::vector<Span> inputs() const override {
        return {{parts_[0].d_x, parts_[0].n * sizeof(Item)}};
    }
    bool run_on_cpu() override {
        if (h_x_.size() != n_) {
            return false;
        }
        if constexpr (is_sum) {
            cpu_ = {sum_cpu(h_x_.data(), n_)};
        } else {
            cpu_ = histogram_cpu(h_x_.data(), n_);
        }
        return true;
    }
    harness::Verdict check_cpu() override { return compare(cpu_, bound()); }
    void poison() override {
        wait_for_all();
        for (int gpu = 0; gpu < gpus(); ++gpu) {
            CHECK(cudaSetDevice(gpu));
            harness::poison(words_of_gpus_[gpu]);
        }
        wait_for_all();
        words_of_host_.poison();
        result_.poison();
        slots_.poison();
    }
    harness::Verdict check(double bound) override {
        wait_for_all();
        return compare(result(), bound);
    }
    void write(std::ostream& out) const override {
        for (int word = 0; word < Task::words; ++word) {
            out << (is_sum ? "" : std::to_string(word) + " ")
                << harness::format("%.17g\n", static_cast<double>(result_.data()[word]));
        }
    }

  private:
    PartsProblem(std::vector<Item> h_x, std::size_t made_up, int gpus, const std::string& words)
        : n_(h_x.size() + made_up),
          h_x_(std::move(h_x)),
          words_(words),
          parts_(gpus),
          words_of_host_(static_cast<std::size_t>(gpus) * Task::words),
          result_(Task::words),
          slots_(static_cast<std::size_t>(gpus) * slots_per_gpu) {
        for (int gpu = 0; gpu < gpus; ++gpu) {
            CHECK(cudaSetDevice(gpu));
            const std::size_t first = first_of_part(gpu);
            const std::size_t end = first_of_part(gpu + 1);
            inputs_.emplace_back(end - first);
            words_of_gpus_.emplace_back(std::size_t{Task::words});
            Part<Task>& part = parts_[gpu];
            part.d_x = inputs_[gpu].data();
            part.n = end - first;
            part.d_words = words_of_gpus_[gpu].data();
            part.h_words = words_of_host_.data() + static_cast<std::ptrdiff_t>(gpu) * Task::words;
            CHECK(cudaEventCreateWithFlags(&part.done, cudaEventDisableTiming));
            if (part.n == 0) {
                continue;
            }
            if (h_x_.empty()) {
                make_up_items<<<common::blocks_to_fill_device(part.n, 256), 256>>>(
                    inputs_[gpu].data(), first, part.n);
                CHECK_LAUNCH();
            } else {
                CHECK(cudaMemcpy(inputs_[gpu].data(), h_x_.data() + first, part.n * sizeof(Item),
                                 cudaMemcpyHostToDevice));
            }
        }
        wait_for_all();
        make_reference();
    }

    std::size_t first_of_part(std::size_t part) const {
        const std::size_t gpus = parts_.size();
        return n_ / gpus * part + n_ % gpus * part / gpus;
    }

    void wait_for_all() const {
        for (int gpu = gpus() - 1; gpu >= 0; --gpu) {
            CHECK(cudaSetDevice(gpu));
            CHECK(cudaDeviceSynchronize());
        }
    }

    void make_reference() {
        if constexpr (is_sum) {
            harness::CompensatedSum sum;
            const auto add = [&](double item, double times) {
                sum.add(static_cast<long double>(item) * times);
                magnitudes_ += std::isfinite(item) ? std::fabs(item) * times : 0;
            };
            if (h_x_.size() == n_) {
                for (const Item item : h_x_) {
                    add(item, 1);
                }
            } else {
                const std::vector<unsigned long long> counts = made_up_counts(n_);
                for (std::size_t value = 0; value < counts.size(); ++value) {
                    add(static_cast<double>(value), static_cast<double>(counts[value]));
                }
            }
            sum_ = sum.value();
        } else {
            counts_ = h_x_.size() == n_ ? histogram_cpu(h_x_.data(), n_) : made_up_counts(n_);
        }
    }

    harness::Verdict compare(const std::vector<Word>& words, double bound) const {
        if constexpr (is_sum) {
            return harness::check_sum<double>(words[0], sum_, magnitudes_, bound);
        } else {
            static_cast<void>(bound);
            return harness::check_equal(words, counts_, "bin");
        }
    }

    std::size_t n_;
    std::vector<Item> h_x_;
    std::string words_;
    Parts<Task> parts_;
    std::vector<common::DeviceArray<Item>> inputs_;
    std::vector<common::DeviceArray<Word>> words_of_gpus_;
    PinnedArray<Word> words_of_host_;
    PinnedArray<Word> result_;
    PinnedArray<Slot<Task>> slots_;
    long double sum_ = 0;       // the reference of a sum
    double magnitudes_ = 0;     // the sum of the |x_i|, which rounding errors are measured against
    std::vector<Word> counts_;  // the reference of a histogram
    std::vector<Word> cpu_;
};
