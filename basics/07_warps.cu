// Warps: 32 threads that are issued together, and how they exchange values without shared memory.
// Notes: basics/07_warps.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 07_warps.cu -o warps
#include <cstdio>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"

constexpr unsigned all_lanes = 0xffffffff;  // a mask: bit k stands for lane k

// The sum of a warp's 32 numbers in 5 steps. Each lane stores what it holds after each step.
__global__ void show_warp_sum(const int* d_x, int* d_rows) {
    const int lane = threadIdx.x;
    int mine = d_x[lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(all_lanes, mine, offset);  // what lane + offset holds
        d_rows[lane] = mine;
        d_rows += 32;  // the next row
    }
}

// The odd numbers of a warp, moved together, each minus the first of them.
__global__ void collect_odd(const int* d_x, int* d_odd) {
    const int lane = threadIdx.x, mine = d_x[lane];
    const bool odd = mine % 2 == 1;
    const unsigned mask = __ballot_sync(all_lanes, odd);  // bit k is what lane k says
    if (odd) {
        const int place = __popc(mask & ((1u << lane) - 1));  // how many odd lanes come before
        const int leader = __ffs(mask) - 1;                   // the first odd lane
        d_odd[place] = mine - __shfl_sync(mask, mine, leader);
    }
}

// The numbers of a warp in reverse order, by way of shared memory.
__global__ void reverse(const int* d_x, int* d_reversed) {
    __shared__ int s_x[32];
    const int lane = threadIdx.x;
    s_x[lane] = d_x[lane];
    __syncwarp();  // lane 31 - lane has stored its number
    d_reversed[lane] = s_x[31 - lane];
}

// A branch with work on both sides.
__host__ __device__ int branch(bool first_side, int value) {
    if (first_side) {
        for (int k = 0; k < 200; ++k)
            value = (value * 5 + 1) % 1009;
    } else {
        for (int k = 0; k < 200; ++k)
            value = (value * 3 + 2) % 1013;
    }
    return value;
}

// Groups of threads take the two sides in turn: first side, second side, first side, ...
__global__ void diverge(int group, int* d_values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    d_values[i] = branch(i / group % 2 == 0, i % 1000);
}

int main() {
    const int n = common::on_cpu_device ? 1 << 12 : 1 << 24;  // threads at the branch
    bool ok = true;
    std::vector<int> x(32), out(n);
    for (int i = 0; i < 32; ++i) {
        x[i] = i * (i + 1) / 2 % 32;  // each of 0 to 31 once
    }
    int *d_x, *d_out;
    CHECK(cudaMalloc(&d_x, 32 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), 32 * sizeof(int), cudaMemcpyHostToDevice));

    // 1. The odd numbers less the first of them, which is 1, and all numbers in reverse order.
    collect_odd<<<1, 32>>>(d_x, d_out);
    reverse<<<1, 32>>>(d_x, d_out + 16);  // 16 of the 32 numbers are odd
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(out.data(), d_out, 48 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int lane = 0, place = 0; lane < 32; ++lane) {
        ok = ok && out[16 + lane] == x[31 - lane];
        if (x[lane] % 2 == 1) {
            ok = ok && out[place++] == x[lane] - 1;
        }
    }

    // 2. The sum of 32 numbers, beside the same steps on the CPU.
    show_warp_sum<<<1, 32>>>(d_x, d_out);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(out.data(), d_out, 5 * 32 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int row = 0, left = 16; row < 5; ++row, left /= 2) {
        std::printf("offset %2d:", left);
        for (int lane = 0; lane < left; ++lane) {
            x[lane] += x[lane + left];
            std::printf("%4d", out[32 * row + lane]);
            ok = ok && out[32 * row + lane] == x[lane];
        }
        std::printf("\n");
    }

    // 3. The branch: lanes of a warp take different sides, or whole warps do.
    for (const int group : {1, 32}) {
        common::GpuTimer timer;
        timer.start();
        diverge<<<n / 256, 256>>>(group, d_out);
        CHECK_LAUNCH();
        const double ms = timer.stop_ms();
        CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i += 101) {  // a sample of both sides
            ok = ok && out[i] == branch(i / group % 2 == 0, i % 1000);
        }
        if (!common::on_cpu_device) {
            std::printf("groups of %2d threads: %.3f ms\n", group, ms);
        }
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_out));
    std::printf(ok ? "ok\n" : "WRONG\n");
    return ok ? 0 : 1;
}
