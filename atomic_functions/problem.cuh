// The chapter's problem as the harness sees it: many threads share a word, each of them changes it
// once by some function, and each keeps the old value that the function returned. The final value
// alone shows little, since two wrong additions can cancel. The check asks whether the threads can
// have come one after the other, with these old values and this final value
// (more/serial_order.hpp).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "atomic_functions/cpu.hpp"
#include "atomic_functions/more/operation.cuh"
#include "atomic_functions/more/serial_order.hpp"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "harness/poison.cuh"
#include "harness/variant.cuh"

// A number of times in words, for messages.
inline std::string count_in_words(std::size_t count) {
    return count == 1 ? "once" : (count == 2 ? "twice" : std::to_string(count) + " times");
}

class SharedWordProblem : public harness::Problem {
  public:
    // n threads. `operands`: what they add, exchange, compare with, where a variant asks for that;
    // `words`: what the operands are.
    explicit SharedWordProblem(std::size_t n, Operands operands = {}, const std::string& words = "")
        : n_(n), operands_(std::move(operands)), input_words_(words), mutex_(1) {}

    // What the table's rows use.
    std::size_t n() const { return n_; }
    const Operands& operands() const { return operands_; }
    Scope scope() const { return scope_; }
    int* d_mutex() { return mutex_.data(); }

    // Makes the memory for n threads that apply an operation with these operands: all of them to
    // one word, or at block scope each block to a word of its own. A row's prepare step calls it.
    void reserve(const Operation& operation, Scope scope, const Operands& operands) {
        counts_ = false;
        operation_ = operation;
        scope_ = scope;
        const bool word_per_block = scope == Scope::block;
        const std::size_t grid_size = common::blocks_to_cover(n_, block_size);
        const std::size_t words = word_per_block ? grid_size : 1;
        threads_per_word_ = word_per_block ? block_size : std::max<std::size_t>(n_, 1);
        harness::Generator generator(operands.seed);
        h_first_ = operation.draw(operands, words, generator);
        h_values_ = operation.draw(operands, n_, generator);
        if (operands.kind == OperandKind::ones || operands.kind == OperandKind::given) {
            h_first_.assign(words * operation.bytes, 0);
            h_compares_.assign(n_ * operation.bytes, 0);
        } else {
            draw_compares(generator);
        }
        first_ = Bytes(h_first_);
        values_ = Bytes(h_values_);
        compares_ = Bytes(h_compares_);
        words_ = Bytes(h_first_.size());
        olds_ = Bytes(h_values_.size());
        poison();
    }
    // The same for the variants that count: every thread adds 1 to a word that starts at 0.
    void reserve_counter() {
        reserve(operation<Add, int>(), Scope::device, Operands{});
        counts_ = true;
    }

    // The arrays of a reserved operation on a T.
    template <typename T>
    T* d_words() {
        return reinterpret_cast<T*>(words_.data());
    }
    template <typename T>
    const T* d_values() const {
        return reinterpret_cast<const T*>(values_.data());
    }
    template <typename T>
    const T* d_compares() const {
        return reinterpret_cast<const T*>(compares_.data());
    }
    template <typename T>
    T* d_olds() {
        return reinterpret_cast<T*>(olds_.data());
    }
    // Queues the start: every word gets its first value.
    void set_words() {
        CHECK(cudaMemcpyAsync(words_.data(), first_.data(), first_.bytes(),
                              cudaMemcpyDeviceToDevice));
    }

    // What the tests ask for. counts(): it is reserved for counting.
    bool counts() const { return counts_; }
    template <typename T>
    std::vector<T> h_words() const {
        return as_values<T>(words_.to_host());
    }
    template <typename T>
    std::vector<T> h_olds() const {
        return as_values<T>(olds_.to_host());
    }

    std::string input() const override { return std::to_string(n_) + " threads; " + input_words_; }
    std::vector<Span> inputs() const override { return {}; }  // nothing large to read
    bool run_on_cpu() override {
        h_cpu_olds_.resize(n_);
        cpu_count_ = count_cpu(n_, h_cpu_olds_.data());
        return true;
    }
    harness::Verdict check_cpu() override {
        const bool right = cpu_count_ == static_cast<int>(n_) && different_olds(h_cpu_olds_) == n_;
        return {right ? harness::Outcome::ok : harness::Outcome::wrong,
                "x = " + std::to_string(cpu_count_)};
    }
    void poison() override {
        harness::poison(words_);
        harness::poison(olds_);
    }
    harness::Verdict check(double) override {
        const std::vector<unsigned char> h_words = words_.to_host();
        const std::vector<unsigned char> h_olds = olds_.to_host();
        const std::size_t words = h_words.size() / operation_.bytes;
        for (std::size_t w = 0; w < words; ++w) {
            for (std::size_t k = 0; k < operation_.bytes / operation_.unit_bytes; ++k) {
                const harness::Verdict verdict = check_unit(w, k, h_words, h_olds);
                if (!verdict.holds()) {
                    return verdict;
                }
            }
        }
        return {harness::Outcome::ok,
                words == 1 ? "x = " + text(h_words, 0) : std::to_string(words) + " words"};
    }
    void write(std::ostream& out) const override {
        const std::vector<unsigned char> h_words = words_.to_host();
        const std::vector<unsigned char> h_olds = olds_.to_host();
        out << "# thread, and its old value\n";
        for (std::size_t i = 0; i < n_; ++i) {
            out << i << ' ' << text(h_olds, i) << '\n';
        }
        for (std::size_t w = 0; w < h_words.size() / operation_.bytes; ++w) {
            out << "# at the end: " << text(h_words, w) << '\n';
        }
    }

  private:
    using Bytes = common::DeviceArray<unsigned char>;

    template <typename T>
    static std::vector<T> as_values(const std::vector<unsigned char>& bytes) {
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!values.empty()) {
            std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
        }
        return values;
    }

    // Half of the comparisons look for the word's first value, the others for one that a thread may
    // leave.
    void draw_compares(harness::Generator& generator) {
        h_compares_.clear();
        for (std::size_t i = 0; i < n_; ++i) {
            const bool first = harness::uniform_below(generator, 2) == 0;
            const std::size_t element =
                first ? i / threads_per_word_ : harness::uniform_below(generator, n_);
            const auto begin = (first ? h_first_ : h_values_).begin() +
                               static_cast<std::ptrdiff_t>(element * operation_.bytes);
            h_compares_.insert(h_compares_.end(), begin,
                               begin + static_cast<std::ptrdiff_t>(operation_.bytes));
        }
    }

    // Unit k of element i.
    Bits unit(const std::vector<unsigned char>& bytes, std::size_t i, std::size_t k) const {
        Bits bits{};
        std::memcpy(bits.data(), bytes.data() + i * operation_.bytes + k * operation_.unit_bytes,
                    operation_.unit_bytes);
        return bits;
    }

    std::string text(const std::vector<unsigned char>& bytes, std::size_t i) const {
        std::string all;
        for (std::size_t k = 0; k < operation_.bytes / operation_.unit_bytes; ++k) {
            all += (k == 0 ? "" : " ") + operation_.text(unit(bytes, i, k));
        }
        return all;
    }

    // Unit k of word w: is there an order of the threads' steps from its first to its last value?
    harness::Verdict check_unit(std::size_t w, std::size_t k,
                                const std::vector<unsigned char>& h_words,
                                const std::vector<unsigned char>& h_olds) const {
        const Bits first = unit(h_first_, w, k);
        const Bits last = unit(h_words, w, k);
        std::vector<Step> steps;
        std::vector<Bits> seen{first, last};  // to find a value for its key
        const std::size_t begin = std::min(w * threads_per_word_, n_);
        const std::size_t end = begin + std::min(threads_per_word_, n_ - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const Bits old = unit(h_olds, i, k);
            const Bits next = operation_.next(old, unit(h_values_, i, k), unit(h_compares_, i, k));
            steps.push_back({operation_.key(old), operation_.key(next)});
            seen.push_back(old);
            seen.push_back(next);
        }
        const SerialOrder order = serial_order(operation_.key(first), steps, operation_.key(last));
        if (order.exists) {
            return {harness::Outcome::ok, ""};
        }
        const Bits value = *std::find_if(seen.begin(), seen.end(), [&](const Bits& bits) {
            return operation_.key(bits) == order.value;
        });
        const std::string words =
            (h_words.size() == operation_.bytes ? "x" : "word " + std::to_string(w)) +
            std::string(" = ") + operation_.text(last) + "; the value " + operation_.text(value);
        if (order.read == order.held) {
            return {harness::Outcome::wrong,
                    words + " was read, but no thread can have written it"};
        }
        return {harness::Outcome::wrong, words + " was read " + count_in_words(order.read) +
                                             ", but the word held it " +
                                             count_in_words(order.held)};
    }

    std::size_t n_;
    Operands operands_;
    std::string input_words_;
    Operation operation_{};
    Scope scope_ = Scope::device;
    bool counts_ = false;
    std::size_t threads_per_word_ = 1;
    std::vector<unsigned char> h_first_;
    std::vector<unsigned char> h_values_;
    std::vector<unsigned char> h_compares_;
    std::vector<int> h_cpu_olds_;
    int cpu_count_ = 0;
    Bytes first_;
    Bytes values_;
    Bytes compares_;
    Bytes words_;
    Bytes olds_;
    common::DeviceArray<int> mutex_;
};
