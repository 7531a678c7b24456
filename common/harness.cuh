// The harness: runs an example's table of variants, checks each against the CPU reference, times it
// and prints the table. Example, test and benchmark use the same table.
//
// An example gives a problem and a table of variants (common/variant.cuh). For each variant the
// harness poisons the output, runs, checks; times repeated runs; looks at the results of as many
// more, where a problem asks for that; then poisons, runs and checks once more, so that neither a
// stale answer nor a rare one passes.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/check.hpp"
#include "common/command_line.hpp"
#include "common/device.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/files.hpp"
#include "common/plain_read.cuh"
#include "common/timer.cuh"
#include "common/variant.cuh"

inline double median(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Half the distance between the quartiles, as a share of the median: how far a typical sample lies
// from it. Outliers, such as the first run after a clock change, do not count.
inline double spread(std::vector<double> values) {
    const double middle = median(values);
    if (values.size() < 4 || middle == 0) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t quarter = values.size() / 4;
    return (values[values.size() - 1 - quarter] - values[quarter]) / 2 / middle;
}

// Times of repeated calls of `run` in milliseconds, after one call that is not counted. `repeats`
// calls; or, where it is 0, at most 20 within about a second, but at least 3. `how`: see GpuTimer.
//
// Nothing but the wait for a run's end lies between it and the next. To copy four bytes of the
// result there, outside of the timing, made each run on an idle H200 seem two microseconds longer.
template <typename Run>
std::vector<double> time_repeats(int repeats, Start how, Run run) {
    constexpr int most = 20;
    constexpr int least = 3;
    constexpr std::chrono::seconds budget{1};
    GpuTimer timer;
    std::vector<double> samples_ms;
    run();
    CHECK(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    const int limit = repeats > 0 ? repeats : most;
    for (int i = 0; i < limit; ++i) {
        if (repeats == 0 && i >= least && std::chrono::steady_clock::now() - start > budget) {
            break;
        }
        timer.start(how);
        run();
        samples_ms.push_back(timer.stop_ms());
    }
    return samples_ms;
}

// A row of the table.
struct Row {
    std::string name;
    std::string idea;
    Kind kind = Kind::right;
    std::string skipped;  // why it did not run, or empty
    Verdict verdict;
    std::string remark;
    std::vector<double> samples_ms;
};

// All that one run of an example shows, on the terminal and as JSON.
struct Report {
    std::string program;
    std::string input;  // the input in words: "104857600 random bytes, seed 1"
    std::size_t input_bytes = 0;
    double plain_read_ms = 0;  // 0: not measured (the CPU device, or no input)
    std::vector<Row> rows;
    nlohmann::ordered_json extra;  // what an example adds
};

// Does every right variant's check hold?
inline bool all_hold(const Report& report) {
    return std::all_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
        return !row.skipped.empty() || !is_right(row.kind) || row.verdict.holds();
    });
}

namespace harness_detail {

// What the table's last column says.
inline std::string conclusion(const Row& row) {
    if (!row.skipped.empty()) {
        return "skipped: " + row.skipped;
    }
    const Verdict& verdict = row.verdict;
    if (!is_right(row.kind)) {
        return verdict.holds() ? "right this time" : "wrong, as announced: " + verdict.detail;
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

inline void print_head(const Report& report, const cudaDeviceProp& device) {
    if (on_cpu_device) {
        std::printf("%s: the same kernels, emulated.\n", device.name);
        std::printf("Times are those of the emulation: good for nothing but patience.\n");
    } else {
        std::printf("%s, compute capability %d.%d, %d SMs, %d MiB L2", device.name, device.major,
                    device.minor, device.multiProcessorCount, device.l2CacheSize >> 20);
        if (report.plain_read_ms > 0) {
            const double gb_per_s =
                static_cast<double>(report.input_bytes) / report.plain_read_ms / 1e6;
            std::printf("; a plain read of this input takes %.4f ms (%.0f GB/s)",
                        report.plain_read_ms, gb_per_s);
        }
        std::printf("\n");
        if (report.input_bytes > 0 &&
            report.input_bytes < static_cast<std::size_t>(device.l2CacheSize)) {
            std::printf("The input fits in the L2 cache: repeated runs read it from there.\n");
        }
    }
    std::printf("input: %s\n\n", report.input.c_str());
    if (on_cpu_device) {
        std::printf("%-20s %12s %8s   %s\n", "variant", "emulation ms", "spread", "check");
    } else {
        std::printf("%-20s %10s %8s %9s %14s %9s   %s\n", "variant", "median ms", "spread", "GB/s",
                    "of plain read", "speed-up", "check");
    }
}

inline void print_row(const Report& report, const Row& row, double first_ms) {
    std::string last = conclusion(row);
    if (!row.remark.empty()) {
        last += "; " + row.remark;
    }
    const double ms = median(row.samples_ms);
    const std::string noise = format("%.1f%%", 100 * spread(row.samples_ms));
    if (!row.skipped.empty()) {
        std::printf("%-20s   %s\n", row.name.c_str(), last.c_str());
    } else if (on_cpu_device) {
        std::printf("%-20s %12.3f %8s   %s\n", row.name.c_str(), ms, noise.c_str(), last.c_str());
    } else {
        const double gb_per_s = static_cast<double>(report.input_bytes) / ms / 1e6;
        const std::string rate = report.input_bytes > 0 ? format("%.1f", gb_per_s) : "-";
        const std::string share =
            report.plain_read_ms > 0 ? format("%.1f %%", 100 * report.plain_read_ms / ms) : "-";
        std::printf("%-20s %10.4f %8s %9s %14s %9.1f   %s\n", row.name.c_str(), ms, noise.c_str(),
                    rate.c_str(), share.c_str(), first_ms / ms, last.c_str());
    }
    std::fflush(stdout);
}

inline nlohmann::ordered_json to_json(const Report& report, const Options& options,
                                      const cudaDeviceProp& device) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Row& row : report.rows) {
        rows.push_back({{"name", row.name},
                        {"idea", row.idea},
                        {"kind", name_of(row.kind)},
                        {"skipped", row.skipped},
                        {"holds", row.skipped.empty() && row.verdict.holds()},
                        {"check", conclusion(row)},
                        {"remark", row.remark},
                        {"median_ms", median(row.samples_ms)},
                        {"spread", spread(row.samples_ms)},
                        {"samples_ms", row.samples_ms}});
    }
    int runtime = 0;
    int driver = 0;
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    return {{"program", report.program},
            {"device",
             {{"name", device.name},
              {"emulated", on_cpu_device},
              {"compute_capability", format("%d.%d", device.major, device.minor)},
              {"multiprocessors", device.multiProcessorCount},
              {"l2_bytes", device.l2CacheSize},
              {"cuda_runtime", runtime},
              {"cuda_driver", driver}}},
            {"input", report.input},
            {"input_bytes", report.input_bytes},
            {"n", options.n},
            {"seed", options.seed},
            {"block_size", options.block_size},
            {"precision", options.precision},
            {"queued", options.queued},
            {"plain_read_ms", report.plain_read_ms},
            {"extra", report.extra},
            {"variants", std::move(rows)}};
}

// Shows on a terminal what is being run, and takes the line away again.
class Progress {
  public:
    explicit Progress(const std::string& name) : shown_(isatty(STDERR_FILENO) != 0) {
        if (shown_) {
            std::fprintf(stderr, "running %s ...", name.c_str());
        }
    }
    ~Progress() {
        if (shown_) {
            std::fprintf(stderr, "\r\033[K");
        }
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

  private:
    bool shown_;
};

inline double time_plain_read(const Problem& problem, int repeats, Start how) {
    DeviceArray<unsigned> d_sink(1);
    const std::vector<Problem::Span> inputs = problem.inputs();
    const auto samples_ms = time_repeats(repeats, how, [&] { plain_read(inputs, d_sink.data()); });
    return median(samples_ms);
}

}  // namespace harness_detail

// Prints the table of variants for --list.
template <typename P>
void print_list(const std::vector<Variant<P>>& variants) {
    for (const Variant<P>& variant : variants) {
        const std::string instead = variant.instead.empty() ? "" : "; right: " + variant.instead;
        std::printf("%-20s %-13s %s%s\n", variant.name.c_str(), name_of(variant.kind),
                    variant.idea.c_str(), instead.c_str());
    }
}

// The variants that the command line asks for: those named, in the table's order, else all right
// ones. An unknown name is a wrong command line.
template <typename P>
std::vector<Variant<P>> select(const std::vector<Variant<P>>& variants, const CommandLine& line) {
    const std::vector<std::string>& names = line.options.variants;
    for (const std::string& name : names) {
        const bool known = std::any_of(variants.begin(), variants.end(),
                                       [&](const auto& variant) { return variant.name == name; });
        if (!known) {
            std::string all;
            for (const Variant<P>& variant : variants) {
                all += (all.empty() ? "" : ", ") + variant.name;
            }
            line.fail("--variant: there is no variant '" + name + "'; expected one of " + all);
        }
    }
    std::vector<Variant<P>> selected;
    for (const Variant<P>& variant : variants) {
        const bool named = std::find(names.begin(), names.end(), variant.name) != names.end();
        if (names.empty() ? is_right(variant.kind) : named) {
            selected.push_back(variant);
        }
    }
    return selected;
}

// Runs and times the given variants, prints the table as it goes, and returns it. `after_variant`
// is called with a right variant's row after its last check, if that held and while its output
// still stands: room for an example to keep the result. A wrong result never replaces a file.
template <typename P, typename AfterVariant>
Report run_table(const std::vector<Variant<P>>& variants, P& problem, const std::string& program,
                 const std::string& input, const Options& options, AfterVariant after_variant) {
    for (const std::string& path : {options.output, options.json}) {
        if (!path.empty()) {
            check_can_create(path);
        }
    }
    const cudaDeviceProp device = device_properties();
    const Start how = options.queued ? Start::queued : Start::idle;
    Report report;
    report.program = program;
    report.input = input;
    for (const Problem::Span& span : problem.inputs()) {
        report.input_bytes += span.bytes;
    }
    if (!on_cpu_device && report.input_bytes > 0) {
        report.plain_read_ms = harness_detail::time_plain_read(problem, options.repeats, how);
    }
    harness_detail::print_head(report, device);

    double first_ms = 0;
    for (const Variant<P>& variant : variants) {
        Row row;
        row.name = variant.name;
        row.idea = variant.idea;
        row.kind = variant.kind;
        row.skipped = why_unavailable(variant, problem);
        if (row.skipped.empty()) {
            const harness_detail::Progress progress(variant.name);
            const bool observed = problem.start_observing();
            const Verdict before = run_and_check(variant, problem);
            row.samples_ms = time_repeats(options.repeats, how, [&] { variant.run(problem); });
            for (std::size_t i = 0; observed && i < row.samples_ms.size(); ++i) {
                variant.run(problem);
                problem.observe();
            }
            const Verdict after = run_and_check(variant, problem);
            row.verdict = before.holds() ? after : before;
            row.remark = problem.remark();
            if (first_ms == 0) {
                first_ms = median(row.samples_ms);
            }
        }
        harness_detail::print_row(report, row, first_ms);
        if (row.skipped.empty() && is_right(row.kind) && row.verdict.holds()) {
            after_variant(row);
        }
        report.rows.push_back(std::move(row));
    }
    return report;
}

template <typename P>
Report run_table(const std::vector<Variant<P>>& variants, P& problem, const std::string& program,
                 const std::string& input, const Options& options) {
    return run_table(variants, problem, program, input, options, [](const Row&) {});
}

// Writes the JSON where it is asked for, and returns the program's exit status.
inline int finish(const Report& report, const Options& options) {
    if (!options.json.empty()) {
        const auto json = harness_detail::to_json(report, options, device_properties());
        write_file(options.json, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    }
    const bool has_result = std::any_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
        return row.skipped.empty() && is_right(row.kind) && row.verdict.holds();
    });
    if (!options.output.empty() && !has_result) {
        std::fprintf(stderr, "%s: not written: no right variant ran and held its check\n",
                     options.output.c_str());
        return EXIT_FAILURE;
    }
    return all_hold(report) ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Runs `body` (an example's main without its error handling) and turns a failure that it throws
// into a message and status 1.
template <typename Body>
int run_main(Body body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        std::fflush(stdout);
        std::fprintf(stderr, "error: not enough memory on the host; expected a smaller --n\n");
        return EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        std::fprintf(stderr, "error: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
