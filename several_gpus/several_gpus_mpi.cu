// The sum with one process per GPU. The processes may run on several hosts: MPI joins their sums.
//
//     mpirun -n 2 several_gpus_mpi [N]       the sum of N numbers (default: 10^8; 10^6 without a
//     GPU)
//
// Each process knows only its own part and its own GPU, so nothing here names another GPU.
#include <cuda_runtime.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/argument.hpp"
#include "common/device.cuh"
#include "common/error.cuh"
#include "several_gpus/2_host_joins.cuh"
#include "several_gpus/cpu.hpp"
#include "several_gpus/task.cuh"

int main(int argc, char** argv) {
    take_two_cpu_devices();
    MPI_Init(&argc, &argv);

    // 1. Which process is this, of how many; and which of those on the same host?
    int rank = 0;
    int processes = 0;
    int rank_on_host = 0;
    MPI_Comm on_host{};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &on_host);
    MPI_Comm_rank(on_host, &rank_on_host);
    MPI_Comm_free(&on_host);

    // 2. Its GPU, and its part of the input. More processes than GPUs share them.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 100000000);
    const int gpus = common::device_count();
    if (gpus == 0) {
        common::exit_without_gpu();
    }
    CHECK(cudaSetDevice(rank_on_host % gpus));
    const std::size_t size = n / processes;
    const std::size_t first = size * rank;
    std::vector<float> h_x(rank < processes - 1 ? size : n - first);
    for (std::size_t i = 0; i < h_x.size(); ++i) {
        h_x[i] = static_cast<float>(made_up_item(first + i));
    }
    Part<Sum> part;
    float* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, std::max<std::size_t>(h_x.size(), 1) * sizeof(float)));
    CHECK(cudaMalloc(&part.d_words, sizeof(double)));
    CHECK(cudaMemcpy(d_x, h_x.data(), h_x.size() * sizeof(float), cudaMemcpyHostToDevice));
    part.n = h_x.size();

    // 3. The sum of the part on the GPU, then the sum of these sums, which each process gets.
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double sum = 0;
    CHECK(cudaMemset(part.d_words, 0, sizeof(double)));
    const int block_size = 256;
    add_to_own_words<Sum><<<blocks_for(add_to_own_words<Sum>, part, block_size), block_size>>>(
        d_x, part.n, part.d_words);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, part.d_words, sizeof(double), cudaMemcpyDeviceToHost));
    double total = 0;
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double ms = 1000 * (MPI_Wtime() - start);

    // 4. The check: whole numbers, so the sum must be equal. Each process checks its own copy.
    double reference = sum_cpu(h_x.data(), h_x.size());
    MPI_Allreduce(MPI_IN_PLACE, &reference, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int right = total == reference ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("%zu floats, %d processes: sum %.0f, %.3f ms   %s\n", n, processes, total, ms,
                    right == 1 ? "ok" : "WRONG");
    }
    CHECK(cudaFree(part.d_words));
    CHECK(cudaFree(d_x));
    MPI_Finalize();
    return right == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
