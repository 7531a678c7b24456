// What the checks of all exercises share. The check of one exercise is the file check.cpp beside
// it. It declares the function that the learner's file must have, and defines `exercise`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "cpu_device/race/include/cpu_device/counts.h"

namespace exercises {

using common::DeviceArray;
using cpu_device::race::Counts;

// Ends the check. `kind` chooses the advice: a heading of messages.md. `text` says what was found,
// in whole sentences.
struct Wrong {
    std::string kind, text;
    bool of_any_case = false;  // not a matter of one size and block
};

// How large the input is, and how many threads a block has.
struct Case {
    int n, block_size;
};

struct Exercise {
    // Runs the learner's function once and compares its result: throws Wrong.
    std::function<void(int n, int block_size)> run;
    // What `run` checks, as a row of the verdict.
    std::string what = "right for all sizes and blocks";
    std::vector<int> sizes = {0, 1, 31, 33, 1000, 1009};
    // More cases are drawn anew at each check, between the smallest and the largest of these.
    // The sizes of blocks are then multiples of 32 if all of these are; if all are powers of two,
    // they are some of these.
    std::vector<int> block_sizes = {32, 100, 1024};
    // No thread may do more than this share of all work, from 1,000 elements on (or with the
    // largest size): else one thread does the work of all. 1: any.
    double max_share = 1.0 / 8;
    // What a run may cost, of the largest sizes, and of at least half of the largest one if it is
    // drawn or one that looks for races: throws Wrong("count"). Counted by race mode, so not on a
    // GPU. `counted` is its row of the verdict.
    std::function<void(const Counts&, int n, int block_size)> count = {};
    std::string counted = "";
    // In which cases, and with how many orders of the threads, race mode looks for races. With each
    // fifth order it does so in a drawn case, too.
    std::vector<Case> race_cases = {{33, 32}, {200, 64}};
    int seeds = 20;
    // How often one run may start a kernel, from 1,000 elements on, unless max_share is 1. Between
    // two launches everything is in order, so a second one would leave out what most exercises are
    // about.
    int max_launches = 1;
    // So many GPUs are needed. The CPU device has as many.
    int devices = 1;
    // Threads wait for others: then race mode also makes the one slow for which all wait.
    bool waits = false;
    // Blocks wait for other blocks, however many there are: they may start in any order, also where
    // not all of them find a place at a time.
    bool blocks_wait = false;
    // A word of shared memory must not be read by an atomic that nothing orders after the others.
    bool orders_shared_reads = false;
    // A run of n elements in which others are always first before the thread that has the element
    // `own`: see with_rivals. Throws Wrong.
    std::function<void(int n, int own, int block_size)> run_with_rivals = {};
    // If not "": threads do this one after another, in no order that the answer chooses. `run`
    // tells the order by note_order().
    std::string come_in_any_order = "";
    // A grid that is drawn has no more blocks.
    int most_blocks = std::numeric_limits<int>::max();
    // How many elements there are to work on.
    std::function<int(int n)> elements = [](int n) { return n; };
    // Two warps must work at least; and no block may do most of the work, if the elements are
    // enough for more than two blocks.
    bool needs_many_threads = true;
    // One lane may do the work of its warp: then one for 32 elements is enough.
    bool lane_may_serve_warp = false;
};
extern const Exercise exercise;  // that of the learner

// An exercise with one lock for which all threads wait, so 300 of them are enough. Nothing else may
// be atomic. `what`: as in Exercise.
Exercise with_one_lock(const std::function<void(int n, int block_size)>& run,
                       const std::string& what = "right for all sizes (up to 300) and blocks");

// An array of a GPU that the learner's function only reads.
class AnyInput {
  public:
    AnyInput(const AnyInput&) = delete;
    AnyInput& operator=(const AnyInput&) = delete;
    virtual void expect_same() const = 0;

  protected:
    AnyInput();  // from here on call_answer() looks at it
    ~AnyInput();
};
template <typename T>
class Input : AnyInput {
  public:
    Input(std::string name, const std::vector<T>& values)
        : name_(std::move(name)), values_(values), array_(values) {}
    const T* data() const { return array_.data(); }
    void expect_same() const override;

  private:
    std::string name_;
    std::vector<T> values_;
    DeviceArray<T> array_;
};
void expect_same_inputs();

// So that an argument is converted to the type that a function wants.
template <typename T>
struct SameType {
    using type = T;
};
// Fills the stack below with a pattern, farther than a check goes.
void wipe_stack();
// Lies above the frames of the learner's functions. The grader lets a function read a few hundred
// bytes there, since they may be its arguments: MOST_ABOVE in scripts/course/unseen.py.
struct Gap {
    unsigned char bytes[1024];
    Gap() { std::memset(bytes, 0xfe, sizeof bytes); }
    ~Gap() { asm volatile("" : : "r"(bytes) : "memory"); }  // so that the compiler leaves it
};
// Calls a function of the learner's. Each call goes this way: what functions of the check have left
// on the stack, such as the state of the random numbers, lies where the learner's functions have
// their frames, and from it all data could be told. Throws Wrong("input changed") if the function
// has changed an Input.
template <typename Result, typename... Parameters>
[[gnu::noinline]] Result call_answer(Result (*function)(Parameters...),
                                     typename SameType<Parameters>::type... arguments) {
    const Gap gap;
    wipe_stack();
    if constexpr (std::is_void_v<Result>) {
        function(arguments...);
        expect_same_inputs();
    } else {
        return function(arguments...);
    }
}

// The learner's file, line by line: for exercises whose answer is a mark in it.
std::vector<std::string> source_lines();
// Throws Wrong(`kind`) if the learner's file has one of these words, and not in a comment or
// between quotes.
void refuse(const std::string& kind, const std::vector<std::string>& words);
// Throws Wrong("no loop") if the learner's file has none, and no wait(): for threads that must look
// again and again, where race mode cannot let them look too early.
void expect_loop();

// For kernels of two GPUs. Throws Wrong("waiting host") if the learner's file has a call that waits
// for a GPU, or lets one wait for the other: then nothing is left for the kernels to do.
void refuse_waiting_host();
// Waits for GPUs 0 and 1, and takes back their access to each other's memory. Throws
// Wrong("launch") if a call of the learner's has failed, and Wrong("one GPU") if one of them had
// access that it may not have: all kernels could run there.
void wait_for_two_gpus(bool gpu_0_may, bool gpu_1_may);

// Memory that no thread has written yet holds these bytes in this run: others in the next one of a
// grader's check.
int unwritten_byte();
template <typename T>
DeviceArray<T> output_array(std::size_t size) {
    DeviceArray<T> array(size);
    array.fill_bytes(unwritten_byte());
    return array;
}
template <typename T>
bool is_unwritten(const T& value) {
    unsigned char bytes[sizeof(T)], poison[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    std::memset(poison, unwritten_byte(), sizeof(T));
    return std::memcmp(bytes, poison, sizeof(T)) == 0;
}

// n pseudo-random numbers from `low` to `high`: other ones in each run of a check, and in each
// check the same, but for a grader, who draws them by a secret number.
std::vector<int> random_numbers(std::size_t n, int low, int high, std::uint32_t seed = 1);
// Which kind of data, from 0 to kinds - 1: of as many calls with one seed each gets another one, in
// an order that is drawn as above. So no kind is left out by chance.
int in_turn(int kinds, std::uint32_t seed);

std::string text_of(double value);
template <typename T>
std::string text_of(const T& value) {
    if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else {
        return text_of(static_cast<double>(value));
    }
}

// One value, named `name`.
template <typename T>
void expect_equal(const std::string& name, const T& got, const T& expected) {
    if (is_unwritten(got) && !is_unwritten(expected)) {
        throw Wrong{"never written", name + " was never written."};
    }
    if (!(got == expected)) {
        throw Wrong{"value",
                    name + " is " + text_of(got) + ", expected " + text_of(expected) + "."};
    }
}

template <typename T>
void Input<T>::expect_same() const {
    const std::vector<T> now = array_.to_host();
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!(now[i] == values_[i])) {
            throw Wrong{"input changed", name_ + "[" + std::to_string(i) + "] is " +
                                             text_of(now[i]) + " after the call, and was " +
                                             text_of(values_[i]) + " before it."};
        }
    }
}

// All values of an array: names the first that differs, and says how many do.
template <typename T>
void expect_equal(const std::string& name, const std::vector<T>& got,
                  const std::vector<T>& expected) {
    std::size_t first = expected.size(), wrong = 0;
    for (std::size_t i = expected.size(); i-- > 0;) {
        if (!(got[i] == expected[i])) {
            first = i;
            ++wrong;
        }
    }
    if (wrong == 0) {
        return;
    }
    const std::string element = name + "[" + std::to_string(first) + "]";
    const std::string count = " (" + std::to_string(wrong) + " of " +
                              std::to_string(expected.size()) +
                              (wrong == 1 ? " is wrong)" : " are wrong)");
    if (is_unwritten(got[first])) {
        throw Wrong{"never written", element + " was never written" + count + "."};
    }
    throw Wrong{"value", element + " is " + text_of(got[first]) + ", expected " +
                             text_of(expected[first]) + count + "."};
}

// The same where any order of the elements is right.
void expect_in_any_order(const std::string& name, std::vector<int> got, std::vector<int> expected);

// Where a thread stands in the grid, as in blockIdx.x * blockDim.x + threadIdx.x.
struct Place {
    std::size_t x, y;
};
// Runs `run`, which launches a kernel, and keeps which threads write the elements of an array.
// expect() throws Wrong("order of the threads") if one of them is written by another thread than
// that at `place(k)`; `name(k)` is the element's name. One thread that writes them all is let
// through, since another row says so. On a GPU nothing is looked at.
class Writers {
  public:
    template <typename T>
    Writers(const DeviceArray<T>& array, std::size_t size, const std::function<void()>& run)
        : Writers(array.data(), sizeof(T), size, run) {}
    void expect(const std::function<Place(std::size_t)>& place,
                const std::function<std::string(std::size_t)>& name) const;

  private:
    Writers(const void* begin, std::size_t element_bytes, std::size_t size,
            const std::function<void()>& run);

    std::map<std::size_t, Place> of_element_;
    bool several_ = false;
};

// Runs `run`, which launches a kernel, and keeps which threads change memory of the device. On a
// GPU nothing is looked at.
class Watched {
  public:
    explicit Watched(const std::function<void()>& run);
    struct Change {
        std::uintptr_t address;
        std::size_t bytes;
        int thread;           // counted through the grid
        unsigned block;       // the same
        std::uint32_t value;  // that an atomic has left; 0 of a store
        bool is_at(const void* memory, std::size_t size) const;
    };
    // In their order.
    const std::vector<Change>& changes() const { return changes_; }
    // Of these bytes.
    std::vector<Change> changes_at(const void* memory, std::size_t bytes) const;

  private:
    std::vector<Change> changes_;
};

// Throws Wrong("count") if `counted` is more than `max`. `what`: "atomics in global memory", say.
void expect_at_most(const std::string& what, std::uint64_t counted, std::uint64_t max);

// Throws Wrong("not the last") if a block stores the result, a word, though another one changes the
// count after its own last change of it: the result is to come from the block that counts last.
void expect_by_last_block(const Watched& watched, const void* count, const void* result);
// Throws Wrong("not the last") if blocks have loaded fewer words that other blocks have changed.
// Who gets the sums of the others in another way needs no order.
void expect_news_of_others(const Counts& counts, std::uint64_t least);

// Throws Wrong("quadratic") if the kernel makes more loads from global memory than four of each
// element, and two more of each block: then each block may go through all elements.
void expect_few_loads(const Counts& counts, int n, int block_size);
// Throws Wrong("count") if fewer than `loads` are made from shared memory, or fewer barriers than
// there are blocks' parts of the n elements.
void expect_shared_memory(const Counts& counts, int n, int block_size, int loads);
// Throws Wrong("no atomics") if there are more than eight elements for each thread of a block, and
// fewer than two atomics in global memory were made in each launch: then no two blocks have shared
// a word.
void expect_atomics(const Counts& counts, int n, int block_size);
// Throws Wrong("count") if the atomics of a run were not made on `words` words of global memory.
// `which`: "that of the lock", say. Relaxed atomics on the data would hide a missing order.
void expect_atomic_words(const Counts& counts, std::uint64_t words, const std::string& which);
// Runs `run`, which launches a kernel. A million times, another thread of a larger grid seems to
// have changed the word before the compare-and-swap of `thread`: `change` gets the old value and
// returns the new one. So a loop that gives up after some attempts does. Returns how many times.
int with_rivals(const void* word, int thread,
                const std::function<std::uint32_t(std::uint32_t)>& change,
                const std::function<void()>& run);
// Runs `run`, which launches a kernel, without rivals. Returns the thread that changes the word to
// `value`, the last one if there are several; `otherwise` if there is none, as on a GPU.
int thread_that_leaves(std::uint32_t value, const void* word, const std::function<void()>& run,
                       int otherwise);
// `who`: the threads in the order in which they came: see Exercise::come_in_any_order. A run may
// call this several times.
void note_order(std::vector<int> who);
// Runs `run`, which launches a kernel in which `takers` threads need the lock at `word`: 0 if it is
// free, else 1. Throws Wrong("value") if the word is more than 1 in between, Wrong("count") if it
// changes too seldom; notes the order of those who change it. On a GPU nothing is looked at.
Watched run_with_lock(const void* word, int takers, int block_size,
                      const std::function<void()>& run);
// Throws Wrong("one block") if the elements are enough for more than two blocks, and only one of
// them has changed the word, which a lock protects; or if two blocks have changed the word of the
// lock and not this one. (One may: it may be too many for the elements.) On a GPU nothing is looked
// at.
void expect_from_several_blocks(const Watched& watched, const std::string& name, const void* word,
                                const void* lock, int n, int block_size);
// Throws Wrong("one block") if the elements are enough for more than two blocks, and in a run that
// is being counted not even one of the words has been read by several of them.
void expect_read_by_several_blocks(const std::string& names, const std::vector<const int*>& words,
                                   int n, int block_size);
// Throws Wrong("quadratic") if, in a run that is being counted, several blocks have read the same
// element of an input that they are to share.
void expect_parts_of_blocks(const std::string& name, const void* memory, std::size_t bytes);
// Throws Wrong(`kind`) if a run that is being counted has made an atomic access there.
void refuse_atomics_on(const std::string& kind, const std::string& name, const void* memory,
                       std::size_t bytes);
// The same for atomics that read and write in one step.
void refuse_updates_on(const std::string& kind, const std::string& name, const void* memory,
                       std::size_t bytes);

// For questions. Throws Wrong("answer") if `given` holds a value that is not possible, which it
// names, or lacks one that is, which it does not name.
void expect_answer(const std::vector<int>& given, const std::set<int>& possible);

// Runs `run`, which launches one kernel, in every order of the threads' steps. `result`, called
// after each run, says what came out. Returns all that came out. Races are not reported.
#ifdef CPU_DEVICE_RACE
std::set<int> results_of_all_orders(const std::function<void()>& run,
                                    const std::function<int()>& result);
#endif

}  // namespace exercises
