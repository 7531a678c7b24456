#include "race/sentences.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

// Words in braces are filled in. Line breaks and indentation belong to the language.
struct Row {
    const char* key;
    const char* english;
};

constexpr Row table[] = {
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
    {"advice.one line of a block",
     "Both write, so in any order one value is lost: if both are wanted,"},
    {"advice.one line of a block.cure",
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
    // --- single accesses
    {"memory.access", "  {place}: {thread} {does} {bytes} bytes of {kind of memory} memory:\n"},
    {"memory.where", "  {where}.\n"},
    {"memory.unwritten shared",
     "  Nothing has written there, and fresh memory holds anything. Set it first,\n"
     "  by the threads of the block, with a barrier after that.\n"},
    {"memory.unwritten global",
     "  Nothing has written there, and fresh memory holds anything. Set it first,\n"
     "  by cudaMemset or by the threads themselves, with a barrier after that.\n"},
    {"memory.freed", "  Memory must not be freed while a kernel still uses it.\n"},
    {"memory.dynamic shared",
     "  Its size in bytes is the third argument of the launch: {bytes} here.\n"},
    {"memory.outside",
     "  A thread whose index lies beyond the array must leave it alone: does a\n"
     "  condition such as i < n stand before the access?\n"},
    {"memory.foreign",
     "  {place}: {thread} uses an address of another block's shared memory:\n  {where}.\n"
     "  Each block has its own: the same address means another variable there. Blocks share\n"
     "  global memory only.\n"},
    {"memory.read-only load",
     "  {load}: a load by __ldg, which is for memory that no thread writes in this kernel\n"
     "  {write}: {writer} writes there\n  The memory is {where}.\n"
     "  The load may give an old value, whatever orders the two. Read it without __ldg.\n"},
    {"memory.texture",
     "  {load}: a texture is read, which is for memory that no thread writes in this kernel\n"
     "  {write}: {writer} writes there\n  The memory is {where}.\n"
     "  The load may give an old value, whatever orders the two. Read it by a pointer.\n"},
    {"memory.unset",
     "  {place}: {thread} stores the value of a variable that it has\n"
     "  never set, to {where}.\n"
     "  A local variable holds anything at first; here its bytes are 0xfe.\n"},
    {"memory.index",
     "  {place}: {thread} uses index {index} of an array of type\n"
     "  {array}, whose first index is 0.\n"},
    {"memory.misaligned",
     "  {place}: {thread} uses a type whose address must be a\n"
     "  multiple of {wanted}; this one is {beyond} beyond:\n"},
    {"memory.misaligned.cure",
     "  A GPU ends the kernel there. Go element by element up to the next multiple, and\n"
     "  take the wide accesses from there on.\n"},
    {"memory.none",
     "  {place}: {thread} accesses address {address},\n"
     "  where there is no memory at all. Has the index or the pointer been set?\n"},
    {"memory.stack",
     "  {place}: {thread} needs more than {kib} KiB for its local variables and calls.\n"},
    {"memory.local",
     "  {place}: {thread} accesses a local variable of {owner}.\n"
     "  A local variable belongs to one thread: for the others its address means something else.\n"
     "  Share values in shared or global memory, or by a shuffle.\n"},
    {"memory.null", "  {place}: {thread} accesses memory through a pointer that is null\n"},
    {"memory.shared read",
     "  {place}: {thread} reads by an atomic\n  {where},\n  which {writer} has changed at "
     "{write}.\n"
     "  Each is one step, but nothing orders the two, nor what comes before and after them.\n"
     "  A barrier between the steps does.\n"},
    // --- barriers, warps, copies
    {"barrier.rule",
     "  A __syncthreads() may stand in a branch or a loop only if all threads of the block take\n"
     "  it, and equally often. Let all of them come to it, and put the condition around the work:\n"
     "  if (tid < d) { ... } __syncthreads();\n"},
    {"barrier.times",
     "  {place}: {thread} comes to this __syncthreads() the {times}. time, and {other} the "
     "{other times}.\n"},
    {"barrier.calls",
     "  {place}: {thread} comes to this __syncthreads() by the call at {call},\n"
     "  and {other} by the one at {other call}.\n"},
    {"barrier.passed",
     "  {place}: {thread} has passed this __syncthreads() {times},\n"
     "  and {other} {other times}. Both have ended.\n"},
    {"barrier.since Volta",
     "  (Since Volta a GPU does not wait for threads that have ended, so the results\n"
     "  may be right there.)\n"},
    {"times.once", "once"},
    {"times.many", "{times} times"},
    {"warp.shuffle",
     "  {place}: {thread} asks for the value of lane {lane} of its warp,\n"
     "  which takes no part: it is not in the mask {mask}, or has ended.\n"
     "  What it gets is undefined. All lanes that are read must be in the mask, and call\n"
     "  the function.\n"},
    {"warp.no mask", "  The mask is 0: it names no lane.\n"},
    {"warp.divergent",
     "  Every lane in a mask must call the same warp function with the same mask, and its own\n"
     "  lane must be in it.\n"},
    {"warp.tile",
     "  {place}: {thread} divides a block of {threads} threads into tiles of {size}.\n"
     "  CUDA wants the size of the block to be a multiple of the tile's. Here the last\n"
     "  tile is not whole.\n"},
    // --- the shortest story of a race
    {"story.title", "  The shortest story of it that was found:\n"},
    {"story.reads", "    {number}. {thread} reads {value} from {word}   ({place})\n"},
    {"story.writes", "    {number}. {thread} writes {value} to {word}   ({place})\n"},
    {"story.updates",
     "    {number}. {thread} changes {word} from {before} to {value} in one step   ({place})\n"},
    {"story.calls", "    {number}. {thread} passes {name}   ({place})\n"},
    {"story.others", "    {number}. other threads change {word} to {value}\n"},
    {"story.left out", "    {count} more steps are left out.\n"},
    // --- waiting without end
    {"stuck.who", "  {what} Who waits where:\n"},
    {"stuck.none can go on", "No thread can go on: each waits for others that do not come."},
    {"stuck.in vain", "Every thread waits in vain for a word to change."},
    {"stuck.all that can run", "Every thread that can run waits in vain for a word to change."},
    {"stuck.reads", "Threads read on and on, and none writes."},
    {"stuck.circle", "Each thread waits for a word that another one of them has changed last."},
    {"stuck.word", "  {place}: {thread} waits for {where}, which holds {value}; {last}\n"},
    {"stuck.word.many",
     "  {place}: {thread} and {count} more wait for {where}, which holds {value}; {last}\n"},
    {"stuck.more", "  And {count} more words are waited for.\n"},
    {"stuck.meeting",
     "  {place}: {count} threads of block {block} wait in a barrier for {other}, which is at "
     "{load}\n"},
    {"stuck.barrier",
     "  They wait at a cuda::barrier, at which {arrived} of {expected} threads have arrived.\n"},
    {"stuck.unchanged", "no thread of this launch has changed it"},
    {"stuck.changed", "{thread} has changed it last, at {place}"},
    {"stuck.changed.waits", "{thread} has changed it last, at {place}, and waits as well"},
    {"stuck.changed.ended", "{thread} has changed it last, at {place}, and has ended"},
    {"stuck.endless loop",
     "  {place}: {thread} has run for {seconds} s of CPU time without an access to memory that\n"
     "  threads share, and without ending. Does the loop's condition ever become false?\n"
     "  It may run for half of CPU_DEVICE_DEADLOCK_SECONDS.\n"},
    {"large.blocks",
     "  {blocks} blocks have not started: race mode holds {resident} of this size at a time, and "
     "all\n  of those wait. If they wait for the others, launch fewer blocks, or smaller ones.\n"},
    {"large.threads",
     "  It has {blocks} blocks of {threads} threads; race mode numbers 4 billion threads.\n"},
    // --- streams, devices and the host
    {"streams.first", "  {place}: {who} {does} a word of global memory\n"},
    {"streams.second", "  {place}: {who} {does} the same word\n"},
    {"streams.in", "  The first is in {stream};\n  the second in {other stream}.\n"},
    {"streams.launched in",
     "  The first is in {stream}, launched at {launch};\n  the second in {other stream}.\n"},
    {"streams.unordered",
     "  Nothing orders the two: on a GPU either may run first, or both at once.\n"},
    {"streams.atomics",
     "  Both are atomic, but not for each other: an atomic of block scope is one step for\n"
     "  its own block only, and two atomics must be of the same bytes.\n"},
    {"streams.unordered.cure",
     "  An event orders them, recorded after the first (cudaEventRecord) and awaited before\n"
     "  the second (cudaStreamWaitEvent); or one stream for both; or the host waits between.\n"},
    {"streams.non-blocking",
     "  (Made with cudaStreamNonBlocking, stream {number} and the default stream do not wait for "
     "each other.)\n"},
    {"streams.default stream",
     "  ({function} is work of the default stream; {function}Async takes a stream.)\n"},
    {"devices.scope",
     "  Both are atomic, but {which} of system scope: such an atomic is one step for the threads "
     "of\n  its own device only.\n"},
    {"devices.scope.cure",
     "  Between devices, take system scope: atomicAdd_system in place of atomicAdd, and\n"
     "  so on, or cuda::thread_scope_system.\n"},
    {"devices.scope on the way",
     "  An atomic leads from the first to the second, but it or a fence beside it is of\n"
     "  device scope or narrower, and orders nothing for the threads of another device.\n"},
    {"devices.scope on the way.cure",
     "  System scope would put the two in order: __threadfence_system() in place of\n"
     "  __threadfence(), atomicExch_system in place of atomicExch, and so on, and\n"
     "  cuda::thread_scope_system, from the first device to the second.\n"},
    {"devices.streams",
     "  Kernels of two devices wait for each other in no stream, not even in the default one.\n"},
    {"devices.peer", "  {place}: {thread}, on device {device}, {does} memory of device {owner}\n"},
    {"devices.no access",
     "  Device {device} has no access to it: on a GPU the kernel would fail here, and the next "
     "call\n  that waits for it would return cudaErrorIllegalAddress.\n"},
    {"devices.no access.cure",
     "  While device {device} is the current one (cudaSetDevice), "
     "cudaDeviceEnablePeerAccess({owner}, 0) gives it\n  access. cudaMemcpyPeer needs none.\n"},
    {"copies.unwritten",
     "  {place}: {function} copies {bytes} bytes to the host, of which none has been written:\n"
     "  they begin at byte {begin} of the {all} allocated at {allocated}.\n"
     "  Has the kernel written to another array, or not run at all?\n"},
    {"copies.unwritten read",
     "  {place}: {function} reads {bytes} bytes, of which none has been written:\n"
     "  they begin at byte {begin} of the {all} allocated at {allocated}.\n"
     "  Has the kernel written to another array, or not run at all?\n"},
    {"host.access",
     "  {place}: the host {does} memory of the device. On a GPU the program would end here.\n"},
    {"host.access.cure", "  Let a kernel do this, or copy the data to the host by cudaMemcpy.\n"},
    {"host.first", "  {place}: {who} {does} a word of memory that the host shares\n"},
    {"host.second", "  {place}: the host {does} the same word\n"},
    {"host.stream", "  The first is in {stream}.\n"},
    {"host.unordered",
     "  The host has not waited for it: on a GPU the two may happen in either order, or at "
     "once.\n"},
    {"host.unordered.cure",
     "  Let the host wait before its access: by cudaDeviceSynchronize, by\n"
     "  cudaStreamSynchronize for this stream, or by cudaEventSynchronize for an event\n"
     "  that was recorded after it. A query counts when it returns cudaSuccess.\n"},
    {"host.pointer",
     "  Argument {number} points to memory of the host. A kernel can use what cudaMalloc gives,\n"
     "  or what the host and the device share (cudaMallocManaged, cudaMallocHost).\n"},
};

}  // namespace

std::string sentence(const char* key, const Words& words) {
    const Row* const row = std::find_if(std::begin(table), std::end(table), [&](const Row& one) {
        return std::strcmp(one.key, key) == 0;
    });
    if (row == std::end(table)) {
        fail("race mode has no sentence '%s'", key);
    }
    std::string text = row->english;
    for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
        const auto word = std::find_if(words.begin(), words.end(), [&](const Word& one) {
            return text.compare(at + 1, std::strlen(one.first), one.first) == 0 &&
                   text[at + 1 + std::strlen(one.first)] == '}';
        });
        if (word == words.end()) {
            ++at;  // braces of code
        } else {
            text.replace(at, std::strlen(word->first) + 2, word->second);
            at += word->second.size();
        }
    }
    return text;
}

Text& Text::say(const char* key, const Words& words) {
    const std::string text = sentence(key, words);
    all_ += text;
    std::string line;
    for (const char c : text) {
        const bool is_blank = c == '\n' || c == ' ';
        if (!is_blank) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    said_.emplace_back(key, line);
    return *this;
}

Text& Text::operator+=(const Text& more) {
    all_ += more.all_;
    said_.insert(said_.end(), more.said_.begin(), more.said_.end());
    return *this;
}

std::vector<std::string> sentence_keys() {
    std::vector<std::string> keys;
    std::transform(std::begin(table), std::end(table), std::back_inserter(keys),
                   [](const Row& row) { return row.key; });
    return keys;
}

}  // namespace cpu_device::race
