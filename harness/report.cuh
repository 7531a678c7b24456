// What a run of a table has shown: on the terminal, as JSON, and as the program's exit status.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "common/error.cuh"
#include "common/messages.hpp"
#include "harness/command_line.hpp"
#include "harness/json.hpp"
#include "harness/output_files.hpp"
#include "harness/statistics.hpp"
#include "harness/variant.cuh"

namespace harness {

// A row of the table.
struct Row {
    std::string name;
    std::string idea;
    std::string kind;  // name_of(Kind), or "cpu"
    Level level = Level::lesson;
    bool right = true;    // its check must hold
    std::string skipped;  // why it did not run, or empty
    int block_size = 0;   // threads per block that were really used; 0: the variant has no blocks
    bool block_is_fixed = false;
    Verdict verdict;
    std::string remark;
    std::vector<double> samples_ms;

    bool ran() const { return skipped.empty(); }
    bool has_result() const { return ran() && right && verdict.holds(); }
};

// All that one run of a program shows.
struct Report {
    std::string program;
    std::string input;  // the input in words: "104857600 random bytes, seed 1"
    std::size_t input_bytes = 0;
    int name_width = 22;       // of the terminal table's first column
    double plain_read_ms = 0;  // 0: not measured (the CPU device, or no input)
    std::vector<Row> rows;
    Json extra;  // what a chapter adds
};

// Does the check of every right variant that ran hold?
inline bool all_hold(const Report& report) {
    return std::all_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
        return !row.ran() || !row.right || row.verdict.holds();
    });
}

namespace detail {

// What the table's last column says.
inline std::string conclusion(const Report& report, const Row& row) {
    if (!row.ran()) {
        return "skipped: " + row.skipped;
    }
    const Verdict& verdict = row.verdict;
    if (!row.right) {
        return verdict.holds() ? "right this time; scripts/race " + report.program + " " +
                                     row.name + " shows the race"
                               : "wrong, as announced: " + verdict.detail;
    }
    switch (verdict.outcome) {
        case Outcome::ok:
            return verdict.detail.empty() ? "ok" : "ok: " + verdict.detail;
        case Outcome::no_bound:
            return "no bound: " + verdict.detail;
        case Outcome::wrong:
            break;
    }
    return "WRONG: " + verdict.detail;
}

inline double cpu_ms(const Report& report) {
    for (const Row& row : report.rows) {
        if (row.kind == "cpu") {
            return median(row.samples_ms);
        }
    }
    return 0;
}

// A rate or a ratio, with about three digits whatever its size: 0.042, 1.37, 218, 1775.
inline std::string three_digits(double value) {
    return value < 0.1   ? format("%.3f", value)
           : value < 10  ? format("%.2f", value)
           : value < 100 ? format("%.1f", value)
                         : format("%.0f", value);
}

inline void print_head(const Report& report, const cudaDeviceProp& device, bool has_cpu_row) {
    if (common::on_cpu_device) {
        std::printf("%s: the kernels are emulated, so their times say nothing about a GPU.\n",
                    device.name);
    } else {
        std::printf("%s, compute capability %d.%d, %d SMs, %d MiB L2", device.name, device.major,
                    device.minor, device.multiProcessorCount, device.l2CacheSize >> 20);
        if (report.plain_read_ms > 0) {
            std::printf(
                "; a plain read of this input takes %.4f ms (%s GB/s)", report.plain_read_ms,
                three_digits(static_cast<double>(report.input_bytes) / report.plain_read_ms / 1e6)
                    .c_str());
        }
        std::printf("\n");
        if (report.input_bytes > 0 &&
            report.input_bytes < static_cast<std::size_t>(device.l2CacheSize)) {
            std::printf("The input fits in the L2 cache: repeated runs read it from there.\n");
        }
    }
    std::printf("input: %s\n\n", common::visible(report.input, 1000).c_str());
    if (common::on_cpu_device) {
        std::printf("%-*s %12s %8s   %s\n", report.name_width, "variant", "emulation ms", "spread",
                    "check");
        return;
    }
    std::printf("%-*s %10s %8s", report.name_width, "variant", "median ms", "spread");
    if (report.input_bytes > 0) {
        std::printf(" %9s %14s", "GB/s", "of plain read");
    }
    std::printf("%s   check\n", has_cpu_row ? "   times CPU" : "");
}

inline void print_row(const Report& report, const Row& row) {
    std::string last = conclusion(report, row);
    if (row.block_is_fixed && row.ran()) {
        last += "; blocks of " + std::to_string(row.block_size) + " only";
    }
    if (!row.remark.empty()) {
        last += "; " + row.remark;
    }
    std::printf("%-*s", report.name_width, row.name.c_str());
    if (row.ran()) {
        const double ms = median(row.samples_ms);
        const std::string noise = format("%.1f%%", 100 * spread(row.samples_ms));
        std::printf(common::on_cpu_device ? " %12.3f %8s" : " %10.4f %8s", ms, noise.c_str());
        if (!common::on_cpu_device) {
            const bool on_device = row.kind != "cpu";
            if (report.input_bytes > 0) {
                const double rate = static_cast<double>(report.input_bytes) / ms / 1e6;
                std::printf(
                    " %9s %14s", three_digits(rate).c_str(),
                    on_device ? format("%.1f %%", 100 * report.plain_read_ms / ms).c_str() : "");
            }
            if (cpu_ms(report) > 0) {
                std::printf(" %11s", three_digits(cpu_ms(report) / ms).c_str());
            }
        }
    }
    std::printf("   %s\n", last.c_str());
    std::fflush(stdout);
}

inline Json to_json(const Report& report, const Options& options, const cudaDeviceProp& device) {
    Json rows = Json::list();
    for (const Row& row : report.rows) {
        rows.add(Json()
                     .set("name", row.name)
                     .set("idea", row.idea)
                     .set("kind", row.kind)
                     .set("level", name_of(row.level))
                     .set("skipped", row.skipped)
                     .set("block_size", row.block_size)
                     .set("block_is_fixed", row.block_is_fixed)
                     .set("holds", row.ran() && row.verdict.holds())
                     .set("check", conclusion(report, row))
                     .set("remark", row.remark)
                     .set("median_ms", median(row.samples_ms))
                     .set("spread", spread(row.samples_ms))
                     .set("samples_ms", row.samples_ms));
    }
    int runtime = 0;
    int driver = 0;
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    return Json()
        .set("program", report.program)
        .set("device", Json()
                           .set("name", device.name)
                           .set("emulated", common::on_cpu_device)
                           .set("compute_capability", format("%d.%d", device.major, device.minor))
                           .set("multiprocessors", device.multiProcessorCount)
                           .set("l2_bytes", device.l2CacheSize)
                           .set("cuda_runtime", runtime)
                           .set("cuda_driver", driver))
        .set("input", report.input)
        .set("input_bytes", report.input_bytes)
        .set("n", options.n)
        .set("seed", options.seed)
        .set("precision", options.precision)
        .set("queued", options.queued)
        .set("plain_read_ms", report.plain_read_ms)
        .set("extra", report.extra)
        .set("variants", rows);
}

}  // namespace detail

// Writes the JSON where it is asked for, and returns the program's exit status.
inline int finish(const Report& report, const Options& options) {
    if (!options.json.empty()) {
        const Json json = detail::to_json(report, options, common::device_properties());
        write_file(options.json, [&](std::ostream& out) { out << json.text() << '\n'; });
    }
    const bool has_result = std::any_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
        return row.has_result() && row.kind != "cpu";
    });
    if (!options.output.empty() && !has_result) {
        std::fprintf(stderr, "%s: not written: no right variant ran and held its check\n",
                     common::visible(options.output).c_str());
        return EXIT_FAILURE;
    }
    return all_hold(report) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace harness
