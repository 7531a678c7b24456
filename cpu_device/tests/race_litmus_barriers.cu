// Barriers of a block and of a warp: who must come to them, how often, and what they order.
#include "race_litmus.cuh"

namespace {

// --- who comes to a __syncthreads(), and how often
// -------------------------------------------------

// The sum of a block's numbers. Wrong where the barrier stands in the branch: fewer threads come to
// it in each round, and the others have ended.
template <bool in_branch>
__global__ void tree(int*, int* d_y) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) {
            s_x[threadIdx.x] += s_x[threadIdx.x + d];
            if (in_branch) {
                __syncthreads();
            }
        }
        if (!in_branch) {
            __syncthreads();
        }
    }
    if (threadIdx.x == 0) {
        d_y[blockIdx.x] = s_x[0];
    }
}
// Wrong where half of the block leaves out a round, since from then on it is one round ahead. Right
// where the whole block does.
template <bool all>
__global__ void leave_out_a_round(int*, int* d_y) {
    __shared__ int s_x[64];
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        if (round == 1 && (all || threadIdx.x < 32)) {
            continue;
        }
        s_x[threadIdx.x] = round;
        __syncthreads();
        sum += s_x[63 - threadIdx.x];
        __syncthreads();
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// One barrier in the text, in a lambda. Wrong where two calls lead to it from two branches.
enum class Calls { two_branches, one_call, uniform_branch, in_a_loop };
template <Calls calls>
__global__ void barrier_in_a_lambda(int*, int* d_y) {
    __shared__ int s_x[64];
    const auto exchange = [&](int value) {
        s_x[threadIdx.x] = value;
        __syncthreads();
        return s_x[63 - threadIdx.x];
    };
    int result = 0;
    if (calls == Calls::two_branches) {
        result = threadIdx.x < 32 ? exchange(1) : exchange(2);
    } else if (calls == Calls::uniform_branch) {
        result = blockIdx.x % 2 == 0 ? exchange(1) : exchange(2);
    } else {
        for (int round = 0; round < (calls == Calls::in_a_loop ? 3 : 1); ++round) {
            result += exchange(threadIdx.x < 32 ? 1 : 2);
            __syncthreads();
        }
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = result;
}
__device__ void meet() {
    __syncthreads();
}
// The same with a function.
template <bool both_at_one_line>
__global__ void barrier_in_a_function(int*, int*) {
    if (both_at_one_line) {
        meet();
    } else if (threadIdx.x < 32) {
        meet();
    } else {
        meet();
    }
}
enum class Rounds { by_warp, by_block, until_return, until_all_agree };
template <Rounds rounds>
__global__ void barrier_in_rounds(int*, int* d_y) {
    const unsigned uneven = rounds == Rounds::by_block ? blockIdx.x : threadIdx.x / 32;
    if (rounds == Rounds::until_all_agree) {  // right: every thread gets the same answer
        unsigned round = 0;
        while (__syncthreads_or(round < uneven) != 0) {
            ++round;
        }
        d_y[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(round);
        return;
    }
    for (unsigned i = 0; i < 3; ++i) {
        if (i > uneven) {
            if (rounds == Rounds::until_return) {
                return;
            }
            break;
        }
        __syncthreads();
    }
}
// Right: a thread that has nothing to do may end before a barrier to which it would not have come.
template <bool after_the_first>
__global__ void end_early(int*, int*) {
    if (after_the_first) {
        __syncthreads();
    }
    if (threadIdx.x >= 20) {
        return;
    }
    __syncthreads();
}
// Wrong: two barriers, although both count.
__global__ void count_in_two_branches(int*, int* d_y) {
    int count = 0;
    if (threadIdx.x % 2 == 0) {
        count = __syncthreads_count(1);
    } else {
        count = __syncthreads_count(0);
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
// Right: two barriers at one line, one after the other.
__global__ void two_barriers_at_one_line(int*, int* d_y) {
    __shared__ int s_x;
    int* const d_own = d_y + threadIdx.x * 4 + blockIdx.x;
    // clang-format off
    if (threadIdx.x == 0) { s_x = 1; } __syncthreads(); *d_own = s_x; __syncthreads();
    // clang-format on
    if (threadIdx.x == 1) {
        s_x = 2;
    }
}

// --- what a __syncthreads() orders
// -----------------------------------------------------------------

// Thread 0 says whether to go on. Racy without a second barrier: thread 0 may write the next answer
// before all have read the last one. Some may then leave the loop a round before the others.
template <bool second_barrier>
__global__ void loop_until_told(int*, int* d_y) {
    __shared__ bool s_done;
    int round = 0;
    for (;; ++round) {
        if (threadIdx.x == 0) {
            s_done = round == 2;
        }
        __syncthreads();
        if (s_done) {
            break;
        }
        if (second_barrier) {
            __syncthreads();
        }
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = round;
}
// Tiles go through one buffer or through two. One buffer needs a second barrier, two do not.
template <int buffers, bool second_barrier>
__global__ void tiles(int* d_x, int* d_y) {
    __shared__ int s_tile[2][64];
    int sum = 0;
    for (int tile = 0; tile < 4; ++tile) {
        int* const s_x = s_tile[tile % buffers];
        s_x[threadIdx.x] = d_x[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += s_x[63 - threadIdx.x];
        if (second_barrier) {
            __syncthreads();
        }
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// A running sum in place. Racy with one barrier per round: a thread may write what another one has
// still to read.
template <bool second_barrier>
__global__ void scan_in_place(int*, int* d_y) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        const int left = threadIdx.x >= d ? s_x[threadIdx.x - d] : 0;
        if (second_barrier) {
            __syncthreads();
        }
        s_x[threadIdx.x] += left;
        __syncthreads();
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[threadIdx.x];
}
// A barrier orders global memory too, for the threads of the block. Not for those of others.
template <bool own_block>
__global__ void global_through_a_barrier(int*, int* d_y) {
    const unsigned first = blockIdx.x * blockDim.x;
    d_y[first + threadIdx.x] = 1;
    __syncthreads();
    const unsigned from = own_block ? first : (first + blockDim.x) % (gridDim.x * blockDim.x);
    const int value = d_y[from + 63 - threadIdx.x];
    __syncthreads();
    if (value == 7) {
        d_y[300] = 1;
    }
}
// An update before the barrier, a plain read after it; or both on one side.
template <bool between>
__global__ void count_then_barrier(int*, int* d_y) {
    __shared__ int s_count;
    if (threadIdx.x == 0) {
        s_count = 0;
    }
    __syncthreads();
    if (between) {
        atomicAdd(&s_count, 1);
        __syncthreads();
    } else {
        __syncthreads();
        atomicAdd(&s_count, 1);
    }
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_count;
}

// --- warps -------------------------------------------------------------------------------------

enum class From {
    lane_20,
    lane_3,
    ended,
    down_full,
    down_half,
    xor_in_half,
    xor_other_half,
    butterfly,
    width_16,
    leader
};
// A shuffle gives what a lane of its mask has given. In a shuffle down of half a warp the last
// lanes read beyond the mask, and no lane uses that.
template <From from>
__global__ void shuffles(int*, int* d_y) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int value = lane;
    if (from == From::lane_20 || from == From::lane_3) {
        if (lane < 16) {
            value = __shfl_sync(0xffffu, value, from == From::lane_20 ? 20 : 3);
        }
    } else if (from == From::ended) {
        if (lane >= 16) {
            return;
        }
        value = __shfl_sync(0xffffffffu, value, 31);
    } else if (from == From::down_full) {
        for (unsigned d = 16; d > 0; d /= 2) {
            value += __shfl_down_sync(0xffffffffu, value, d);
        }
    } else if (from == From::down_half) {
        for (unsigned d = 8; d > 0 && lane < 16; d /= 2) {
            value += __shfl_down_sync(0xffffu, value, d);
        }
    } else if (from == From::xor_in_half || from == From::xor_other_half) {
        if (lane < 16) {
            value = __shfl_xor_sync(0xffffu, value, from == From::xor_in_half ? 5 : 17);
        }
    } else if (from == From::butterfly) {  // of the lanes that there are
        if (lane >= 14) {
            return;
        }
        for (int d = 16; d > 0; d /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, value, d);
            value += (lane ^ d) < 14 ? other : 0;
        }
    } else if (from == From::width_16) {
        value = __shfl_sync(0xffffffffu, value, 15, 16);
    } else {
        const unsigned group = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
        value = __shfl_sync(group, value, lane % 2);
    }
    if (lane == 0) {
        d_y[blockIdx.x * 2 + threadIdx.x / 32] = value;
    }
}
enum class Group { matched, reader_outside, vote, whole };
// The lanes of a group share a word. Clean if those who write and read are in one __syncwarp().
template <Group group>
__global__ void groups_of_lanes(int*, int* d_y) {
    __shared__ int s_x[64];
    const unsigned warp_begin = threadIdx.x / 32 * 32;
    const unsigned lane = threadIdx.x % 32;
    const unsigned mask = __match_any_sync(0xffffffffu, lane % 4);
    s_x[threadIdx.x] = static_cast<int>(lane);
    if (group == Group::vote) {
        __any_sync(mask, 1);
    } else if (group == Group::whole) {
        __syncwarp();
    } else {
        __syncwarp(mask);
    }
    const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1;
    const unsigned from = group == Group::matched || group == Group::vote ? leader : leader ^ 1;
    d_y[blockIdx.x * blockDim.x + threadIdx.x] = s_x[warp_begin + from];
}
// Each warp sums up with __syncwarp(); only a __syncthreads() lets one warp read the other's sum.
template <bool block_barrier>
__global__ void two_warps(int*, int* d_y) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        if (threadIdx.x % 32 < d) {
            s_x[threadIdx.x] += s_x[threadIdx.x + d];
        }
        __syncwarp();
    }
    if (block_barrier) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    if (threadIdx.x == 0) {
        d_y[blockIdx.x] = s_x[0] + s_x[32];
    }
}

}  // namespace

std::vector<Litmus> litmus_of_barriers() {
    return {
        {"tree_with_the_barrier_in_the_branch", tree<true>, barrier},
        {"tree_with_the_barrier_after_the_branch", tree<false>, clean},
        {"half_a_block_leaves_out_a_round", leave_out_a_round<false>, barrier},
        {"the_block_leaves_out_a_round", leave_out_a_round<true>, clean},
        {"lambda_called_in_two_branches", barrier_in_a_lambda<Calls::two_branches>, barrier},
        {"lambda_called_once", barrier_in_a_lambda<Calls::one_call>, clean},
        {"lambda_called_in_a_uniform_branch", barrier_in_a_lambda<Calls::uniform_branch>, clean},
        {"lambda_called_in_a_loop", barrier_in_a_lambda<Calls::in_a_loop>, clean},
        {"function_called_in_two_branches", barrier_in_a_function<false>, barrier},
        {"function_called_once", barrier_in_a_function<true>, clean},
        {"rounds_by_warp", barrier_in_rounds<Rounds::by_warp>, barrier},
        {"rounds_by_block", barrier_in_rounds<Rounds::by_block>, clean},
        {"rounds_until_a_return", barrier_in_rounds<Rounds::until_return>, barrier},
        {"rounds_until_all_agree", barrier_in_rounds<Rounds::until_all_agree>, clean},
        {"end_before_any_barrier", end_early<false>, clean},
        {"end_after_the_first_barrier", end_early<true>, clean},
        {"count_in_two_branches", count_in_two_branches, barrier},
        {"two_barriers_at_one_line", two_barriers_at_one_line, clean},
        {"loop_until_told", loop_until_told<true>, clean},
        {"loop_until_told_with_one_barrier", loop_until_told<false>, race, 4, 64, barrier},
        {"tiles_in_one_buffer", tiles<1, true>, clean},
        {"tiles_in_one_buffer_with_one_barrier", tiles<1, false>, race},
        {"tiles_in_two_buffers_with_one_barrier", tiles<2, false>, clean},
        {"scan_in_place", scan_in_place<true>, clean},
        {"scan_in_place_with_one_barrier", scan_in_place<false>, race},
        {"global_memory_through_a_barrier", global_through_a_barrier<true>, clean},
        {"global_memory_of_another_block", global_through_a_barrier<false>, race},
        {"count_before_the_barrier", count_then_barrier<true>, clean},
        {"count_after_the_barrier", count_then_barrier<false>, race},
        {"shuffle_from_a_lane_outside", shuffles<From::lane_20>, shuffle},
        {"shuffle_from_a_lane_inside", shuffles<From::lane_3>, clean},
        {"shuffle_from_a_lane_that_has_ended", shuffles<From::ended>, shuffle},
        {"shuffle_down", shuffles<From::down_full>, clean},
        {"shuffle_down_in_half_a_warp", shuffles<From::down_half>, clean},
        {"shuffle_xor_in_half_a_warp", shuffles<From::xor_in_half>, clean},
        {"shuffle_xor_with_the_other_half", shuffles<From::xor_other_half>, shuffle},
        {"shuffle_xor_in_a_part_of_a_warp", shuffles<From::butterfly>, clean},
        {"shuffle_in_segments", shuffles<From::width_16>, clean},
        {"shuffle_from_the_leader", shuffles<From::leader>, clean},
        {"syncwarp_of_matched_lanes", groups_of_lanes<Group::matched>, clean},
        {"syncwarp_without_the_writer", groups_of_lanes<Group::reader_outside>, race},
        {"vote_of_matched_lanes", groups_of_lanes<Group::vote>, race},
        {"syncwarp_of_the_whole_warp", groups_of_lanes<Group::whole>, clean},
        {"syncwarp_between_two_warps", two_warps<false>, race},
        {"syncthreads_between_two_warps", two_warps<true>, clean},
    };
}
