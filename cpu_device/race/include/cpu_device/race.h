// Race mode's own interface: for tests, and for programs that check themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace cpu_device::race {

// The order of turns from here on: equal seeds give equal runs. RACE_SEED sets the first one.
void set_seed(std::uint64_t seed);
// A thread for which all others wait, as one that holds a lock, lets them look thousands of times
// before it goes on: so a loop that waits for a while only does not wait long enough.
void make_last_slow(bool slow);
// From here on at most so many blocks of a launch have a place at a time, as on a small GPU; 0: as
// many as race mode has room for.
void set_room_for_blocks(std::size_t blocks);
// Reports, too, where an atomic reads a word of shared memory that an atomic of another thread has
// changed, and nothing orders the two: no barrier between them, and in the whole launch no fence,
// release or acquire. Not a read after which the thread changes the word itself. In general such
// reads may be right; where steps follow each other they are not.
void look_at_shared_reads(bool look);
// Before each of the next `times` compare-and-swaps of `thread`, counted through the grid, on this
// word, another thread seems to have changed it: `change` gets the old value and returns the new
// one. 0 times: no more of this.
void let_others_be_first(const volatile void* word, unsigned times, unsigned thread = 0,
                         std::function<std::uint32_t(std::uint32_t)> change = {});
// The next `times` atomic loads of this word by kernels find 0, whatever is there: so the store for
// which they wait comes late. 0 times: no more of this.
void let_store_be_late(const volatile void* word, unsigned times);
// Of the threads that have made such loads, those that have not found anything else later, nor have
// met a thread that has, at a barrier or in a function of the warp.
std::size_t threads_without_store();
// From here on changes() lists who has changed these bytes, by atomics or by stores, in their
// order.
struct Change {
    unsigned thread;   // counted through the grid
    unsigned block;    // the same
    std::size_t x, y;  // the thread's place in the grid, as in blockIdx * blockDim + ...
    const volatile void* address;
    std::size_t bytes;
    std::uint32_t value;  // that an atomic has left; 0 of a store
};
void watch_changes(const volatile void* memory, std::size_t bytes = 1);
const std::vector<Change>& changes();
// A compare_exchange_weak on memory of the device now and then fails without a reason, as C++ lets
// it do.
void let_weak_fail(bool fail);

// From here on `count` loads may read old values, with each seed and wherever they can; 0: as the
// seed has it. `tell`: the last of them is reported as a STALE VALUE.
void show_old_loads(std::uint64_t count, bool tell = false);

// The reports since the program began, or since forget(). A pair of places is reported once.
unsigned reports();
std::string reports_text();
// The rows of the table of advice (advice.cpp), by name; and those that the reports go by.
std::vector<std::string> advice_rows();
std::set<std::string> advice_given();
// From here on as if nothing had been reported yet.
void forget();
// Accesses to global and shared memory that were checked since the program began.
std::uint64_t accesses();
// Reports are kept for reports_text() and not printed.
void be_quiet(bool quiet);

// From here on as if these bytes were never written of device memory, which are all alike.
void forget_writes(const void* memory, std::size_t bytes);

// For graders, whose program has a stranger's source file in it. From here on, instrumented sources
// may access memory of the device, their own variables and constants, and what their functions,
// which lie in `code`, have on the stack, their return addresses excepted. The host may not read a
// variable that a kernel has written. Any other access ends the program with a report. The first of
// these functions that the checking program calls gets so many words of arguments on the stack. On
// x86-64 only; elsewhere nothing is confined.
struct Span {
    const void* begin;
    const void* end;
};
void confine(const Span& code, const std::vector<Span>& variables, unsigned stack_arguments);
// The same for an address that such a source has given to a function of the host, which a kernel
// must not call. `frame`: __builtin_frame_address(0) of that function.
void expect_own(const volatile void* address, std::size_t bytes, void* const* frame);
// The same where there is no address: no kernel of such a source may call it.
void expect_host(void* const* frame);
// The same for a text that such a source has given to a function of any kind: it counts as loads of
// that source, up to the 0 at its end. Returns a copy: while it looks, other threads may run.
std::string own_text(const char* text, void* const* frame);

// Ends the program with the same report, where such a source has called a function so that it would
// reach other memory. `said`: how.
void refuse_call(void* const* frame, const char* said);

// A step of one thread, in the order in which they were made.
struct Step {
    unsigned thread;               // counted through the grid
    char kind;                     // 'R' reads, 'W' writes, 'U' updates: both in one atomic step
    const volatile void* address;  // a compare-and-swap that fails only reads
};

// Tries every order in which threads can make their steps on the words that they share, which are
// those that several threads use and one writes. `run` launches one kernel and must do the same
// each time, on the same addresses, started from the same memory; `done` is called after each run
// with the steps that it took. Returns how many orders there are. A thread that waits for a word,
// by __nanosleep or by finding the same twice, goes on when another thread has written it.
//
// Where RACE_TREE=FILE is set, the orders go into that file too, as a tree of this name
// (docs/trace.md). Then `done` says by tell_outcome() what its order has led to.
std::size_t for_each_interleaving(const std::function<void()>& run,
                                  const std::function<void(const std::vector<Step>&)>& done,
                                  const std::string& name = "");
void tell_outcome(const std::vector<std::string>& lines, bool is_right);

}  // namespace cpu_device::race
