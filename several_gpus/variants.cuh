// The table of variants of several_gpus: what the program shows, the tests check and the benchmark
// times.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/device.cuh"
#include "harness/variant.cuh"
#include "several_gpus/1_mailbox.cuh"
#include "several_gpus/2_host_joins.cuh"
#include "several_gpus/3_peer_memory.cuh"
#include "several_gpus/4_pinned_memory.cuh"
#include "several_gpus/problem.cuh"
#include "several_gpus/wrong_all_on_gpu_0.cuh"
#include "several_gpus/wrong_device_scope.cuh"
#include "several_gpus/wrong_flag_for_device.cuh"
#include "several_gpus/wrong_no_fence.cuh"
#include "several_gpus/wrong_no_peer_access.cuh"

#ifdef WITH_NCCL
#include "several_gpus/fast/nccl.cuh"
#endif

#ifdef CPU_DEVICE_RACE
constexpr bool in_race_mode = true;
#else
constexpr bool in_race_mode = false;
#endif

// Why a variant cannot run on this problem, or empty.
template <typename Task>
std::string skip_reason_one_gpu(const PartsProblem<Task>& problem) {
    return problem.gpus() > 1       ? ""
           : !common::on_cpu_device ? "needs two GPUs"
                                    : "needs two devices (CPU_DEVICES=2)";
}
// In race mode the second device plays the host.
template <typename Task>
std::string skip_reason_mailbox(const PartsProblem<Task>& problem) {
    return in_race_mode           ? skip_reason_one_gpu(problem)
           : can_start_a_thread() ? ""
                                  : "the system starts no second thread for the host's part";
}
template <typename Task>
std::string skip_reason_peers(const PartsProblem<Task>& problem) {
    return why_no_peer_atomics(problem.gpus());
}
template <typename Task>
std::string skip_reason_device_scope(const PartsProblem<Task>& problem) {
    const std::string reason = skip_reason_one_gpu(problem);
    return reason.empty() ? skip_reason_peers(problem) : reason;
}
// After an access that fails, the program can use its GPUs no more.
template <typename Task>
std::string skip_reason_fails(const PartsProblem<Task>& problem) {
    return in_race_mode ? skip_reason_one_gpu(problem)
                        : "its kernel fails (cudaErrorIllegalAddress); race mode shows where";
}

// Kernels of all GPUs get access to GPU 0's memory.
template <typename Task>
void prepare_peers(PartsProblem<Task>& problem) {
    set_access_to_gpu_0(problem.gpus(), true);
}

#ifndef CPU_DEVICE
template <typename Task>
harness::Variant<PartsProblem<Task>> nccl_row() {
    using P = PartsProblem<Task>;
    harness::Variant<P> row{"nccl", "each GPU its part; ncclAllReduce", harness::Kind::library,
                            nullptr};
#ifdef WITH_NCCL
    row.run = [](P& p) {
        launch_nccl(p.parts(), nccl_communicators(p.gpus()), p.h_result(), p.block_size);
    };
    row.with_prepare([](P& p) { static_cast<void>(nccl_communicators(p.gpus())); });
#else
    row.run = [](P&) {};
    row.with_skip([](const P&) { return std::string("built without NCCL"); });
#endif
    return row.from("fast/nccl.cuh").in_record();
}
#endif

template <typename Task>
std::vector<harness::Variant<PartsProblem<Task>>> parts_variants() {
    using P = PartsProblem<Task>;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr int default_block = 256;
    const auto bound = [](const P& p) { return p.bound(); };
    std::vector<Row> rows{
        Row{"mailbox", "a block on each GPU answers the host's requests, in pinned memory",
            Kind::right,
            [](P& p) { launch_mailbox(p.parts(), p.slots(), p.h_result(), p.block_size); }}
            .from("1_mailbox.cuh")
            .with_skip(skip_reason_mailbox<Task>),
        Row{"host_joins", "each GPU its part; the host adds up the results", Kind::right,
            [](P& p) { launch_host_joins(p.parts(), p.h_result(), p.block_size); }}
            .from("2_host_joins.cuh"),
        Row{"peer_memory", "all GPUs add to words of GPU 0, by atomics of system scope",
            Kind::right, [](P& p) { launch_peer_memory(p.parts(), p.h_result(), p.block_size); }}
            .from("3_peer_memory.cuh")
            .with_prepare(prepare_peers<Task>)
            .with_skip(skip_reason_peers<Task>),
        Row{"pinned_memory", "each GPU adds to words of its own in the host's memory", Kind::right,
            [](P& p) { launch_pinned_memory(p.parts(), p.h_result(), p.block_size); }}
            .from("4_pinned_memory.cuh"),
#ifndef CPU_DEVICE
        nccl_row<Task>(),
#endif
        Row{"no_fence", "the flag of the answer is stored without release", Kind::unsynchronized,
            [](P& p) { launch_no_fence(p.parts(), p.slots(), p.h_result(), p.block_size); }}
            .from("wrong_no_fence.cuh")
            .instead_of("mailbox")
            .with_skip(skip_reason_mailbox<Task>),
        Row{"flag_for_device", "the flag of the answer is released for its own GPU only",
            Kind::unsynchronized,
            [](P& p) { launch_flag_for_device(p.parts(), p.slots(), p.h_result(), p.block_size); }}
            .from("wrong_flag_for_device.cuh")
            .instead_of("mailbox")
            .with_skip(skip_reason_mailbox<Task>),
        Row{"device_scope", "all GPUs add to words of GPU 0, by atomics of device scope",
            Kind::unsynchronized,
            [](P& p) { launch_device_scope(p.parts(), p.h_result(), p.block_size); }}
            .from("wrong_device_scope.cuh")
            .instead_of("peer_memory")
            .with_prepare(prepare_peers<Task>)
            .with_skip(skip_reason_device_scope<Task>),
        Row{"no_peer_access", "GPU 0's memory is used without access", Kind::no_access,
            [](P& p) { launch_no_peer_access(p.parts(), p.h_result(), p.block_size); }}
            .from("wrong_no_peer_access.cuh")
            .instead_of("peer_memory")
            .with_skip(skip_reason_fails<Task>),
        Row{"all_on_gpu_0", "cudaSetDevice is forgotten: all parts are launched on GPU 0",
            Kind::no_access,
            [](P& p) { launch_all_on_gpu_0(p.parts(), p.h_result(), p.block_size); }}
            .from("wrong_all_on_gpu_0.cuh")
            .instead_of("host_joins")
            .with_skip(skip_reason_fails<Task>),
    };
    for (Row& row : rows) {
        row.with_block(default_block).with_smallest_n(600).with_bound(bound);
    }
    return rows;
}
