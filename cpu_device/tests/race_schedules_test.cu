// Faults that show only if one thread is far ahead of the others or far behind. Threads that take
// turns by chance alone hardly ever come to that, so most seeds give turns in another way.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "cpu_device/race.h"
#include "race_litmus.cuh"
#include "support.cuh"

namespace {

// Of 128 threads the very first one draws the last ticket.
__global__ void last_ticket(int* d_x, int*) {
    const int ticket = atomicAdd(d_x, 1);
    if (ticket == 0) {
        d_x[1] = 1;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && ticket == 127) {
        d_x[1] = 2;
    }
}
// The reader gives up too early: after 20 looks at the flag.
__global__ void poll_a_while(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_x + 1, 1, release);
    } else if (first_of(1)) {
        for (int look = 0; look < 20 && DeviceAtomic(d_x[1]).load(acquire) == 0; ++look) {
            __nanosleep(32);
        }
        d_y[0] = d_x[0];
    }
}
// Each takes the lock at its left, then the one at its right. If all have the first, none gets the
// second.
__global__ void three_in_a_ring(int* d_x, int*) {
    if (threadIdx.x == 0 && blockIdx.x < 3) {
        lock(d_x[blockIdx.x]);
        lock(d_x[(blockIdx.x + 1) % 3]);
        unlock(d_x[(blockIdx.x + 1) % 3]);
        unlock(d_x[blockIdx.x]);
    }
}

// Who holds the lock waits for all lanes of its warp, while the other warps look at the lock, and
// at other words in between.
__global__ void lock_for_each_warp(int* d_x, int* d_y) {
    if (threadIdx.x % 32 == 0) {
        int sum = 0;
        while (atomicCAS(d_x, 0, 1) != 0) {
            for (int i = 0; i < 100; ++i) {
                sum += d_y[i];
            }
        }
        __threadfence();
    }
    __syncwarp();
    atomicAdd(d_x + 1, 1);
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        unlock(d_x[0]);
    }
}

// How the kernel ends with this seed, in a process of its own.
int status_of(void (*kernel)(int*, int*), int seed, int blocks) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        cpu_device::race::be_quiet(true);
        std::freopen("/dev/null", "w", stderr);
        int* const d_x = new_words(256);
        CHECK(cudaMemset(d_x, 0, 256 * sizeof(int)));
        cpu_device::race::set_seed(seed);
        kernel<<<blocks, 64>>>(d_x, d_x + 128);
        _exit(cpu_device::race::reports() > 0 ? 66 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RaceSchedules, FindInTenOfFiftySeedsWhatChanceAloneHardlyFinds) {
    const std::map<std::string, void (*)(int*, int*)> kernels = {
        {"last_ticket", last_ticket},
        {"poll_a_while", poll_a_while},
        {"three_in_a_ring", three_in_a_ring}};
    for (const auto& [name, kernel] : kernels) {
        int found = 0;
        std::string seeds;
        for (int seed = 1; seed <= 50; ++seed) {
            const int status = status_of(kernel, seed, kernel == three_in_a_ring ? 3 : 2);
            EXPECT_TRUE(status == 0 || status == 66) << status;
            found += status == 66;
            seeds += status == 66 ? " " + std::to_string(seed) : "";
        }
        std::printf("[race schedules] %s: found with %d of 50 seeds:%s\n", name.c_str(), found,
                    seeds.c_str());
        EXPECT_GE(found, 10) << name;
    }
}

// While a slow thread is kept from running, no word changes: on a slow machine for longer than
// until threads that only read are taken for a deadlock.
TEST(RaceSchedules, DoNotTakeASlowThreadForADeadlock) {
    setenv("CPU_DEVICE_DEADLOCK_SECONDS", "0.01", 1);
    cpu_device::race::make_last_slow(true);
    for (int seed = 1; seed <= 8; ++seed) {
        EXPECT_EQ(status_of(lock_for_each_warp, seed, 8), 0) << seed;
    }
    cpu_device::race::make_last_slow(false);
    unsetenv("CPU_DEVICE_DEADLOCK_SECONDS");
}

}  // namespace
