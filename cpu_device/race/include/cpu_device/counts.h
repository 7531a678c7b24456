// What kernels do to memory, counted: for lessons in which a time would say nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device::race {

// Of all launches since begin_counting(). An access counts as often as the source makes it, also
// where a compiler for a GPU would keep the value in a register. One of more than 16 bytes, such as
// a copy of a class, counts as one for each word: a GPU has none so wide.
struct Counts {
    std::uint64_t launches = 0;
    std::uint64_t blocks = 0, threads = 0;             // of these launches
    std::uint64_t working_threads = 0;                 // that have made an access
    std::uint64_t loads = 0, stores = 0, atomics = 0;  // of global memory
    std::uint64_t atomic_words = 0;  // words of global memory on which these atomics were made
    // Accesses of any memory by a thread that waits: its atomics that left a word as it was on
    // which it had made one before, and the loads between two of these that it made between the two
    // before them, too, with no change of its own since. They are no work.
    std::uint64_t polls = 0;
    std::uint64_t most_atomic_words_of_thread = 0;  // of global memory, within one launch
    std::uint64_t unchanging_atomics = 0;  // of global memory, that left their word as it was
    std::uint64_t shared_loads = 0, shared_stores = 0, shared_atomics = 0;
    // The words of 4 bytes of those shared loads, where another thread has stored the word.
    std::uint64_t shared_words_of_others = 0;
    // Words of global memory that one thread had changed by atomics from 0, and not yet back: the
    // locks that it held at a time.
    std::uint64_t most_words_held = 0;
    std::uint64_t words_taken = 0;  // how often an atomic has changed a word from 0 in this way
    // Loads and stores of any memory, within one launch. Not atomics and other polls: who waits
    // makes many.
    std::uint64_t most_by_one_thread = 0;
    // The work: the words of 4 bytes of all loads and stores but polls, each time anew, and of each
    // thread the different words of its atomics, since who waits looks at one word many times.
    std::uint64_t work = 0;
    std::uint64_t most_work_of_thread = 0, most_work_of_block = 0;  // within one launch
    std::uint64_t barriers = 0;  // of whole blocks: __syncthreads() and its like
    // Threads that had ended when the others of their block met at a barrier, and lanes that had
    // ended when a warp function named them. Since Volta a GPU does not wait for them.
    std::uint64_t absent_threads = 0, absent_lanes = 0;
    // Loads and stores as a warp makes them: the lanes of a warp that come to the same instruction
    // for the k-th time make one request together.
    std::uint64_t shared_requests = 0;  // of shared memory
    std::uint64_t requests = 0;         // of global memory
    std::uint64_t sectors = 0;          // of 32 bytes that these touch; at best 4 for 32 words
    // Passes that the requests of shared memory need beyond those that as many words need which are
    // spread over all 32 banks: words that lie in the same bank are served one after another.
    std::uint64_t bank_conflicts = 0;
    // How often a block has loaded a word of global memory, not by atomics, that another block had
    // changed since this block had last loaded it.
    std::uint64_t news_of_other_blocks = 0;

    std::uint64_t accesses() const {
        return loads + stores + atomics + shared_loads + shared_stores + shared_atomics;
    }
    std::uint64_t accesses_of_work() const { return accesses() - polls; }
};

void begin_counting();
Counts end_counting();
std::uint64_t news_of_other_blocks();  // until now
// From now on only the news of this memory count.
void count_news_of(const void* memory, std::size_t bytes);
// On how many words of this global memory atomics have been made since begin_counting(); 0 after
// end_counting(). updated_words_in: by atomics that read and write in one step.
std::uint64_t atomic_words_in(const void* memory, std::size_t bytes);
std::uint64_t updated_words_in(const void* memory, std::size_t bytes);
// How many words of this global memory several threads, or threads of several blocks, of the last
// launch have read; 0 after end_counting().
std::uint64_t words_of_several_threads_in(const void* memory, std::size_t bytes);
std::uint64_t words_of_several_blocks_in(const void* memory, std::size_t bytes);

}  // namespace cpu_device::race
