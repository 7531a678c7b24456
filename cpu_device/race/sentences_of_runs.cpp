// What the reports say of single accesses, barriers, waits, streams, devices and the host.
#include "race/sentence_rows.hpp"

namespace cpu_device::race {
namespace {

constexpr SentenceRow rows_of_runs[] = {
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
    {"memory.freed twice", "  {place}: frees memory that has been freed already:\n"},
    {"memory.freed twice.cure",
     "  The call returns an error, and the program should look at it. Set a pointer to\n"
     "  nullptr when its memory is freed: to free that does nothing.\n"},
    {"memory.never freed", "  {place}: {bytes} bytes are allocated here and never freed.\n"},
    {"memory.never freed, several",
     "  {place}: {bytes} bytes are allocated here, in {times} calls, and never freed.\n"},
    {"memory.never freed.cure",
     "  The end of the program frees them. A program that goes on for long has less and\n"
     "  less memory.\n"},
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
    {"memory.float",
     "  {place}: {thread} converts {value} to the type {type}, which does not\n"
     "  have this number.\n"},
    {"memory.float.cure",
     "  C++ does not say what comes out: a GPU often takes the nearest number of the type,\n"
     "  and other processors another one. Compare before the conversion.\n"},
    {"memory.shift", "  {place}: {thread} shifts a value of {bits} bits by {distance}.\n"},
    {"memory.shift.cure",
     "  C++ does not say what comes out: a GPU shifts all bits out, and other processors\n"
     "  take only a part of the distance. A lane's number is threadIdx.x % warpSize.\n"},
    {"memory.misaligned",
     "  {place}: {thread} uses a type whose address must be a\n"
     "  multiple of {wanted}; this one is {beyond} beyond:\n"},
    {"memory.misaligned.cure",
     "  A GPU ends the kernel there. Go element by element up to the next multiple, and\n"
     "  take the wide accesses from there on.\n"},
    {"memory.not global",
     "  {place}: {thread} uses a load or store with a hint for the cache\n"
     "  (__ldg, __ldcg, __stcg and the like). The address is not one of global memory:\n"},
    {"memory.not global.local", "  a local variable of the thread.\n"},
    {"memory.not global.cure",
     "  These functions are for global memory alone: on a GPU the kernel ends there, or gets\n"
     "  something else. A plain load or store knows by itself where the memory is.\n"},
    {"memory.local atomic",
     "  {place}: {thread} calls an atomic function for a local\n"
     "  variable. No other thread can use that variable.\n"},
    {"memory.local atomic.cure",
     "  atomicAdd() and its kin are for global and shared memory: on a GPU the kernel ends\n"
     "  there. A plain operation does for a local variable.\n"},
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
    {"stuck.reads", "Threads read on and on, and no word changes."},
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
    {"stuck.grid",
     "  {arrived} of {expected} blocks have come to grid.sync(), and block {block} has not.\n"},
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

const SentenceRows sentences_of_runs{std::begin(rows_of_runs), std::end(rows_of_runs)};

}  // namespace cpu_device::race
