// What the reports say of two accesses that nothing orders, and what would help.
#include "race/sentence_rows.hpp"

namespace cpu_device::race {
namespace {

constexpr SentenceRow rows_of_races[] = {
    // --- data races
    {"race.first", "  {place}: {thread} {does} {element} of {kind of memory} memory\n"},
    {"race.second", "  {place}: {thread} {does} the same {element}\n"},
    {"race.word", "  The {element} is {where}.\n"},
    {"race.words", "  The {element} are {where}.\n"},
    {"race.unordered",
     "  Nothing orders the two: on a GPU they may happen in either order, or at once.\n"},
    {"race.steps", "  What the two did there last, and what others wrote in between:\n"},
    {"race.lost",
     "  An update is lost: {thread} had read {read}, the value has become {found} since, and "
     "{written} is written over it.\n"},
    {"step.reads", "{does} {value}"},
    {"step.writes", "{does} {value}, where {before} was"},
    {"step.updates", "changes {before} to {value} in one atomic step"},
    {"verb.read", "reads"},
    {"verb.write", "writes"},
    {"verb.update", "updates"},
    {"verb.read.atomic", "reads atomically"},
    {"verb.write.atomic", "writes atomically"},
    {"verb.update.atomic", "updates atomically"},
    // --- lost updates
    {"lost.read", "  {place}: {thread} reads {read} from {element} of {kind of memory} memory\n"},
    {"lost.between", "  {place}: {other} writes {between} to the same {same}\n"},
    {"lost.not seen",
     "  {place}: {other} has written {between} there before, which that thread does not see yet\n"},
    {"lost.wiped out", "  {place}: {thread} writes {written}, computed from what it has read\n"},
    {"lost.no race",
     "  Each of these accesses is atomic or volatile, so they are no data race. But what\n"
     "  {other} has written is lost.\n"},
    // --- old values
    {"stale.read",
     "  {place}: {thread} reads {value} from {element} of {kind of memory} memory, an old value\n"},
    {"stale.written",
     "  {place}: {thread} has written {value} there before, which that thread does not see yet\n"},
    {"stale.why",
     "  What the program prints depends on it: had this read got the newest value, in the same\n"
     "  order of steps, the program would print something else, or end with another status.\n"
     "  Both accesses are atomic or volatile, so they are no data race; but nothing lets the one\n"
     "  see the other, and on a GPU the read may get either value.\n"},
    // --- what would help: advice.cpp says when
    {"advice.volatile",
     "Both are volatile: each access is made, in one piece, and nothing more. No fence\n"
     "  in this kernel orders them either, and the threads of a warp need not run in step.\n"},
    {"advice.volatile.cure",
     "  A __syncwarp() between the two would order them, or a __syncthreads(); for a flag,\n"
     "  a fence on both sides of it."},
    {"advice.atomics of different bytes", "Both are atomic, but not of the same bytes."},
    {"advice.atomics of different bytes.cure",
     " Let all atomics on this memory be of one type,\n  at one address."},
    {"advice.atomics of narrow scope",
     "Both are atomic, but one of the scopes does not include the other thread:\n"
     "  an atomic of block scope is one step for the threads of its own block only, and one\n"
     "  of thread scope for its own thread only."},
    {"advice.atomics of narrow scope.cure", " Device scope would do (without _block)."},
    {"advice.different bits",
     "The two change different bits: members of a bit-field, or flags in one byte, share\n"
     "  their memory, and to write one is to write all."},
    {"advice.different bits.cure", " Give each thread a byte of its own."},
    {"advice.index without block", "Both are thread {thread} of their block."},
    {"advice.index without block.cure",
     " Does blockIdx.x stand in the index? As in\n"
     "  i = blockIdx.x * blockDim.x + threadIdx.x"},
    {"advice.update in steps",
     "Reading, changing and writing the word are three steps, and other threads come in\n"
     "  between."},
    {"advice.update in steps.cure",
     " One atomic operation makes them one step: atomicAdd or atomicMax where the\n"
     "  new value is computed from the old one, atomicExch where it replaces it, as a list's\n"
     "  head does, else atomicCAS in a loop. A lock lets one thread at a time do the three."},
    {"advice.lost update",
     "To read the word, to change the value and to write it are three steps, and other\n"
     "  threads come in between."},
    {"advice.lost update.cure",
     " One atomic operation makes them one step: atomicAdd or\n"
     "  atomicMax where the new value is computed from the old one, atomicExch where it replaces\n"
     "  it, else atomicCAS in a loop. Or a lock lets one thread at a time do the three, with a\n"
     "  __threadfence() after it is taken and another one before it is given back."},
    {"advice.stale value", "No atomic leads from the write to the read."},
    {"advice.stale value.cure",
     " Let the writer set a flag after its write, with a\n"
     "  __threadfence() between the two, and the reader wait for the flag and pass a\n"
     "  __threadfence() before it reads. Where each of two threads writes a word and then reads\n"
     "  the other's, both need cuda::atomic_thread_fence(cuda::memory_order_seq_cst) between\n"
     "  the two."},
    {"advice.plain write beside atomics",
     "The plain write wipes out what atomics of other threads have left, whenever it\n"
     "  comes."},
    {"advice.plain write beside atomics.cure",
     " Set the start value before the launch; or make the write atomic too; or\n"
     "  let a launch lie between. A barrier orders the threads of one block only."},
    {"advice.plain read beside atomics", "Only the {atomic one} access is atomic."},
    {"advice.plain read beside atomics.cure",
     " Take the value that an atomic function has returned\n"
     "  instead of reading the word again; or make the other access atomic too, such as\n"
     "  atomicAdd(p, 0), which only reads, or a load of cuda::atomic_ref; or let a launch\n"
     "  lie between. A barrier orders the threads of one block only."},
    {"advice.asynchronous copy",
     "One of the two is a copy of memcpy_async: until the wait for it, its bytes are on\n"
     "  their way."},
    {"advice.asynchronous copy.cure",
     " Wait for this copy, and then let the threads of the block meet, before its\n"
     "  target is used, and before its target or source is written."},
    {"advice.barrier object",
     "Both are threads of one block, which meets in a cuda::barrier; it does not put these\n"
     "  two in order."},
    {"advice.barrier object.cure",
     " Let the first thread arrive after its access, and the second wait for\n"
     "  that phase before its own; a buffer that is used again needs a second barrier, by\n"
     "  which its readers say that it is empty. (A __syncthreads() waits for all threads of\n"
     "  the block: never between two branches.)"},
    {"advice.same value", "Both write the same value, and it is a race all the same:"},
    {"advice.same value.cure",
     " let one thread write it,\n  or make each write atomic (a store of cuda::atomic_ref)."},
    {"advice.writes of one block",
     "Both write, so in any order one value is lost: if both are wanted,"},
    {"advice.writes of one block.cure",
     " the index is\n  at fault, and each needs a place of its own. If they belong to two steps of "
     "the\n  block, a __syncthreads() must stand between the two accesses."},
    {"advice.one line of two blocks",
     "Both write, so in any order one value is lost: if both are wanted,"},
    {"advice.one line of two blocks.cure",
     " the index is\n  at fault, and each needs a place of its own. If one is wanted, let one "
     "thread write."},
    {"advice.block of one warp", "Both are threads of one block:"},
    {"advice.block of one warp.cure",
     " a __syncthreads() between the two accesses\n  would order them. (Even in one warp threads "
     "need not run in step. A __syncwarp() would\n  do for blocks of 32 threads only; "
     "__syncthreads() is right for all sizes.)"},
    {"advice.one warp", "Both are threads of one block:"},
    {"advice.one warp.cure",
     " a __syncthreads() between the two accesses\n  would order them. (Even in one warp threads "
     "need not run in step. If no other warp\n  uses this memory, a __syncwarp() is enough; a "
     "shuffle or a vote is not.)"},
    {"advice.one block", "Both are threads of one block:"},
    {"advice.one block.cure", " a __syncthreads() between the two accesses\n  would order them."},
    {"advice.not this time",
     "Atomics put earlier accesses of the first thread in order before the second thread, but\n"
     "  not this one: the first has not released since, or the second has not acquired that."},
    {"advice.not this time.cure",
     " Let\n  the second wait, before its access, for a release that the first makes after its "
     "own.\n"
     "  Does it wait for the right round, or index?"},
    {"advice.different blocks",
     "The threads are in different blocks, which nothing orders by itself."},
    {"advice.different blocks.cure",
     " An atomic\n  flag with release and acquire, a lock, or two kernels, one after the other,\n"
     "  would order them."},
    {"advice.index or update", "\n  Or are all blocks to change this word?"},
    {"advice.index or update.cure",
     " Then one atomic operation, such as\n  atomicAdd, must read, change and write it."},
    {"advice.other access atomic", "\n  Only the {atomic one} access is atomic."},
    {"advice.other access atomic.cure",
     " If the word itself is the lock, the flag or the\n"
     "  counter, make the other access atomic too."},
    {"advice.index of one of them",
     "\n  Both write, so in any order one value is lost: if both are wanted,"},
    {"advice.index of one of them.cure",
     " the index is\n  at fault, and each needs a place of its own."},
    // --- what a signal lacks
    {"signal.reaches",
     "The atomic at {signal} ({signalling}) reaches the one at {answer}\n  ({answering})"},
    {"signal.passed on", ", and a barrier passes it on to thread {thread}"},
    {"signal.incomplete",
     ", but that orders the two accesses only if all of it is there. Missing:\n"},
    {"advice.release by the first", "    a release by the first:"},
    {"advice.release by the first.cure",
     " a __threadfence() between its access and its atomic,\n"
     "      or memory_order_release for the atomic\n"},
    {"advice.release by another", "    a release by thread {signalling thread}:"},
    {"advice.release by another.cure",
     " a __threadfence() of its own between the barrier and\n"
     "      its atomic, or memory_order_release for the atomic.\n"
     "      A fence of another thread does not count.\n"},
    {"advice.acquire by the second", "    an acquire by the second:"},
    {"advice.acquire by the second.cure",
     " a __threadfence() between its atomic and its access,\n"
     "      or memory_order_acquire for the atomic\n"},
    {"advice.acquire where an exchange fails", "    an acquire by the second:"},
    {"advice.acquire where an exchange fails.cure",
     " a __threadfence() between its atomic and its access,\n"
     "      or memory_order_acquire as the last argument of the compare_exchange too: that is the\n"
     "      order of one that fails, and only reads\n"},
    {"advice.acquire by another", "    an acquire by thread {answering thread}:"},
    {"advice.acquire by another.cure",
     " a __threadfence() of its own between its atomic and\n"
     "      the barrier, or memory_order_acquire for the atomic.\n"
     "      A fence of another thread does not count.\n"},
    {"advice.barrier before the signal", "    a __syncthreads()"},
    {"advice.barrier before the signal.cure",
     " between the first access and the atomic of thread {signalling thread},\n"
     "      in the same block, and before that thread's own fence\n"},
    {"advice.barrier after the answer", "    a __syncthreads()"},
    {"advice.barrier after the answer.cure",
     " between the atomic of thread {answering thread} and the second access,\n"
     "      in the same block, and after that thread's own fence\n"},
    {"advice.device scope", "    device scope:"},
    {"advice.device scope.cure",
     " a fence or an atomic on the way is of a narrower scope, such as\n"
     "      __threadfence_block(), _block, thread_scope_block, thread_scope_thread\n"},
};

}  // namespace

const SentenceRows sentences_of_races{std::begin(rows_of_races), std::end(rows_of_races)};

}  // namespace cpu_device::race
