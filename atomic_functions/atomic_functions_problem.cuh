// The tour's problem: many threads share a word, each of them changes it once by some function, and
// each keeps the old value that the function returned. The final value alone shows little (two
// wrong additions can cancel); together with all old values it must tell a story in which the
// threads came one after another.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "atomic_functions/atomic_functions_cpu.hpp"
#include "atomic_functions/atomic_functions_operands.hpp"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/variant.cuh"

// Numbers that make up a T. Adding a float2 adds two floats, each atomically; the pair as a whole
// is not one step.
template <typename T>
struct Parts {
    using type = T;
};
template <>
struct Parts<float2> {
    using type = float;
};
template <>
struct Parts<float4> {
    using type = float;
};
template <>
struct Parts<__half2> {
    using type = __half;
};
template <>
struct Parts<__nv_bfloat162> {
    using type = __nv_bfloat16;
};
template <>
struct Parts<ulonglong2> {  // as a 128-bit word
    using type = unsigned long long;
};

template <typename Part, typename T>
Part part_of(const T& value, std::size_t k) {
    Part part{};
    std::memcpy(static_cast<void*>(&part), reinterpret_cast<const char*>(&value) + k * sizeof(Part),
                sizeof(Part));
    return part;
}

template <typename T>
std::string text_of(const T& value) {
    if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else if constexpr (sizeof(T) == 16) {
        const auto high = part_of<unsigned long long>(value, 1);
        const auto low = part_of<unsigned long long>(value, 0);
        return format("0x%016llx'%016llx", high, low);
    } else if constexpr (std::is_same_v<T, double>) {
        return format("%.12g", value);
    } else {
        return format("%.7g", static_cast<double>(static_cast<float>(value)));
    }
}

inline std::string times(std::size_t count) {
    return count == 1 ? "once" : (count == 2 ? "twice" : std::to_string(count) + " times");
}

// What the threads of one launch did to the words that they shared.
class History {
  public:
    virtual ~History() = default;
    virtual void poison() = 0;
    virtual Verdict check() const = 0;
    // "thread old" lines, and how each word ended.
    virtual void write(std::ostream& out) const = 0;
};

// What one step of Function (a struct with name and next, as in atomic_functions_cpu.hpp) changes
// as a whole in a T: a part, when parts are added; else all of it.
template <typename Function, typename T>
using StepOf = std::conditional_t<std::is_base_of_v<Add, Function>, typename Parts<T>::type, T>;

// The words, operands and old values of threads that apply some function to words of type T, a
// Checked of it in each step.
template <typename T, typename Checked>
class HistoryOf : public History {
  public:
    using Next = Checked (*)(Checked old, Checked value, Checked compare);

    // `threads` threads; the first `threads_a_word` of them share word 0, the next ones word 1, ...
    // `next` is the function; `adds`: its results are sums.
    HistoryOf(Next next, bool adds, std::size_t threads, std::size_t threads_a_word,
              std::size_t words, const Operands& operands)
        : next_(next), adds_(adds), draw_(operands.draw), threads_a_word_(threads_a_word) {
        Generator generator(operands.seed);
        h_first_ = values(operands, words, generator);
        h_values_ = values(operands, threads, generator);
        for (std::size_t i = 0; i < threads; ++i) {
            // Half of the comparisons look for the word's first value, the others for one that a
            // thread may leave.
            const bool look_for_first = uniform_below(generator, 2) == 0;
            h_compares_.push_back(look_for_first ? h_first_[word_of(i)]
                                                 : h_values_[uniform_below(generator, threads)]);
        }
        if (draw_ == Draw::ones || draw_ == Draw::given) {
            h_first_.assign(words, T{});
            h_compares_.assign(threads, T{});
        }
        first_ = DeviceArray<T>(h_first_);
        values_ = DeviceArray<T>(h_values_);
        compares_ = DeviceArray<T>(h_compares_);
        words_ = DeviceArray<T>(words);
        olds_ = DeviceArray<T>(threads);
        poison();
    }

    // What the launchers use.
    T* d_words() { return words_.data(); }
    const T* d_values() const { return values_.data(); }
    const T* d_compares() const { return compares_.data(); }
    T* d_olds() { return olds_.data(); }
    void set_words() {  // queues the start: every word gets its first value
        CHECK(cudaMemcpyAsync(words_.data(), first_.data(), words_.bytes(),
                              cudaMemcpyDeviceToDevice));
    }

    // Was it made for this?
    bool is_for(Next next, std::size_t words, Draw draw) const {
        return next == next_ && words == h_first_.size() && draw == draw_;
    }

    std::vector<T> h_words() const { return words_.to_host(); }
    std::vector<T> h_olds() const { return olds_.to_host(); }

    void poison() override {
        words_.poison();
        olds_.poison();
    }

    Verdict check() const override {
        const std::vector<T> h_words = words_.to_host();
        const std::vector<T> h_olds = olds_.to_host();
        for (std::size_t w = 0; w < h_words.size(); ++w) {
            for (std::size_t k = 0; k < sizeof(T) / sizeof(Checked); ++k) {
                const Verdict verdict = check_word(w, k, h_words[w], h_olds);
                if (!verdict.holds()) {
                    return verdict;
                }
            }
        }
        return {Outcome::ok, h_words.size() == 1 ? "x = " + text(h_words[0])
                                                 : std::to_string(h_words.size()) + " words"};
    }

    void write(std::ostream& out) const override {
        const std::vector<T> h_words = words_.to_host();
        const std::vector<T> h_olds = olds_.to_host();
        out << "# thread, and the old value that it was given\n";
        for (std::size_t i = 0; i < h_olds.size(); ++i) {
            out << i << ' ' << text(h_olds[i]) << '\n';
        }
        for (const T& word : h_words) {
            out << "# at the end: " << text(word) << '\n';
        }
    }

  private:
    static std::vector<T> values(const Operands& operands, std::size_t n, Generator& generator) {
        using Part = typename Parts<T>::type;
        const std::vector<Part> parts =
            draw_many<Part>(operands, n * sizeof(T) / sizeof(Part), generator);
        std::vector<T> values(n);
        if (n > 0) {
            std::memcpy(static_cast<void*>(values.data()), parts.data(), n * sizeof(T));
        }
        return values;
    }

    std::size_t word_of(std::size_t thread) const { return thread / threads_a_word_; }

    static std::string text(const T& value) {
        std::string all;
        for (std::size_t k = 0; k < sizeof(T) / sizeof(Checked); ++k) {
            all += (k == 0 ? "" : " ") + text_of(part_of<Checked>(value, k));
        }
        return all;
    }

    // Values are compared bit for bit, so that -0 is not 0. Only the sums that are NaN count as one
    // value: which NaN an addition makes differs between processors.
    Bits key(const Checked& value) const {
        if constexpr (!std::is_integral_v<Checked> && sizeof(Checked) < 16) {
            if (adds_ && std::isnan(static_cast<float>(value))) {
                return {~std::uint64_t{0}, ~std::uint64_t{0}};
            }
        }
        return as_bits(value);
    }

    // Part k of word w: is there an order of the threads' steps from its first to its last value?
    Verdict check_word(std::size_t w, std::size_t k, const T& last,
                       const std::vector<T>& h_olds) const {
        const auto part = [k](const T& value) { return part_of<Checked>(value, k); };
        std::vector<Step> steps;
        std::vector<Checked> seen{part(h_first_[w]), part(last)};  // to find a value for its key
        const std::size_t begin = std::min(w * threads_a_word_, h_olds.size());
        const std::size_t end = begin + std::min(threads_a_word_, h_olds.size() - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const Checked old = part(h_olds[i]);
            const Checked next = next_(old, part(h_values_[i]), part(h_compares_[i]));
            steps.push_back({key(old), key(next)});
            seen.push_back(old);
            seen.push_back(next);
        }
        const SerialOrder order = serial_order(key(seen[0]), steps, key(seen[1]));
        if (order.exists) {
            return {Outcome::ok, ""};
        }
        std::string text = h_first_.size() == 1 ? "x" : "word " + std::to_string(w);
        text += " = " + text_of(seen[1]) + "; the value ";
        for (const Checked& value : seen) {
            if (key(value) == order.value) {
                text += text_of(value);
                break;
            }
        }
        if (order.found == order.stood) {
            return {Outcome::wrong, text + " was found, but no thread can have come to it"};
        }
        return {Outcome::wrong, text + " stood there " + times(order.stood) + " and was found " +
                                    times(order.found)};
    }

    Next next_;
    bool adds_;
    Draw draw_;
    std::size_t threads_a_word_;
    std::vector<T> h_first_;
    std::vector<T> h_values_;
    std::vector<T> h_compares_;
    DeviceArray<T> first_;
    DeviceArray<T> values_;
    DeviceArray<T> compares_;
    DeviceArray<T> words_;
    DeviceArray<T> olds_;
};

// `n` threads in blocks of `block_size`, each of which changes a word once.
class WordProblem : public Problem {
  public:
    WordProblem(std::size_t threads, int threads_a_block, Operands brought)
        : n(threads),
          block_size(threads_a_block),
          grid_size(blocks_to_cover(threads, threads_a_block)),
          operands(std::move(brought)),
          mutex_(1) {}

    const std::size_t n;
    const int block_size;
    const int grid_size;
    const Operands operands;

    int* d_mutex() { return mutex_.data(); }

    // The words and old values for threads that apply Function to a T: one word for all of them, or
    // one for each block. They are made when a variant first asks for them, in a run that is not
    // timed.
    template <typename Function, typename T>
    auto& history(bool word_per_block, const Operands& brought) {
        using Kept = HistoryOf<T, StepOf<Function, T>>;
        const typename Kept::Next next = Function::next;
        const std::size_t words = word_per_block ? static_cast<std::size_t>(grid_size) : 1;
        const std::size_t threads_a_word =
            word_per_block ? static_cast<std::size_t>(block_size) : std::max<std::size_t>(n, 1);
        auto* history = dynamic_cast<Kept*>(history_.get());
        if (history == nullptr || !history->is_for(next, words, brought.draw)) {
            auto made = std::make_unique<Kept>(next, std::is_base_of_v<Add, Function>, n,
                                               threads_a_word, words, brought);
            history = made.get();
            history_ = std::move(made);
        }
        return *history;
    }

    // The word of the first part: it counts the threads from 0.
    HistoryOf<int, int>& counter() { return history<Add, int>(false, Operands{}); }

    std::vector<Span> inputs() const override { return {}; }  // nothing large to read
    void poison() override {
        if (history_ != nullptr) {
            history_->poison();
        }
    }
    Verdict check() override { return history_->check(); }
    void write(std::ostream& out) const { history_->write(out); }

  private:
    std::unique_ptr<History> history_;
    DeviceArray<int> mutex_;
};
