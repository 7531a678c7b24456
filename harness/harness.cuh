// The harness: runs a chapter's table of variants, checks each against the CPU reference, times it
// and prints the table. Program, test and benchmark use the same table (harness/variant.cuh).
//
// For each variant the harness poisons the output, runs, checks; times repeated runs; looks at the
// results of as many more, where a problem asks for that; then poisons, runs and checks once more,
// so that neither an old answer nor a rare wrong one passes.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/host_memory.hpp"
#include "harness/command_line.hpp"
#include "harness/output_files.hpp"
#include "harness/plain_read.cuh"
#include "harness/repeat.cuh"
#include "harness/report.cuh"
#include "harness/selection.cuh"
#include "harness/statistics.hpp"
#include "harness/variant.cuh"

namespace harness {

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

namespace detail {

inline double time_plain_read(const Problem& problem, int repeats, Start how) {
    common::DeviceArray<unsigned> d_sink(1);
    const std::vector<Problem::Span> inputs = problem.inputs();
    return median(time_repeats(repeats, how, [&] { plain_read(inputs, d_sink.data()); }));
}

// The table's first row: the same problem on one core of the host.
inline Row run_cpu_row(Problem& problem, int repeats) {
    const Progress progress("cpu");
    Row row;
    row.name = "cpu";
    row.idea = "one core of the CPU, plain C++";
    row.kind = "cpu";
    row.samples_ms = time_repeats_on_cpu(repeats, [&] { problem.run_on_cpu(); });
    row.verdict = problem.check_cpu();
    return row;
}

template <typename P>
Row run_row(const Variant<P>& variant, P& problem, const Options& options) {
    Row row;
    row.name = variant.name;
    row.idea = variant.idea;
    row.kind = name_of(variant.kind);
    row.level = variant.level;
    row.right = is_right(variant.kind);
    row.block_is_fixed = variant.block_is_fixed;
    row.skipped = why_skipped(variant, problem);
    if (!row.ran()) {
        return row;
    }
    const Progress progress(variant.name);
    const bool observed = problem.start_observing();
    prepare(variant, problem, options.block_size);
    row.block_size = static_cast<Problem&>(problem).block_size;
    const Verdict before = run_and_check_prepared(variant, problem);
    row.samples_ms = time_repeats(options.repeats, options.queued ? Start::queued : Start::idle,
                                  [&] { variant.run(problem); });
    for (std::size_t i = 0; observed && i < row.samples_ms.size(); ++i) {
        variant.run(problem);
        problem.observe();
    }
    const Verdict after = run_and_check_prepared(variant, problem);
    row.verdict = before.holds() ? after : before;
    row.remark = problem.remark();
    return row;
}

}  // namespace detail

// Fails now if an output could not be written after the work.
inline void check_outputs(const Options& options) {
    for (const std::string& path : {options.output, options.json}) {
        if (!path.empty()) {
            check_can_create(path);
        }
    }
}

// Runs and times the given variants, prints the table as it goes, and returns it. `after_variant`
// is called with a right variant's row after its last check, if that held and while its output
// still stands: room for a chapter to keep the result. A wrong result never replaces a file.
template <typename P, typename AfterVariant>
Report run_table(const std::vector<Variant<P>>& variants, P& problem, const std::string& program,
                 const std::string& input, const Options& options, AfterVariant after_variant) {
    check_outputs(options);
    const cudaDeviceProp device = common::device_properties();
    Report report;
    report.program = program;
    report.input = input;
    report.name_width = name_width(variants);
    for (const Problem::Span& span : problem.inputs()) {
        report.input_bytes += span.bytes;
    }
    if (!common::on_cpu_device && report.input_bytes > 0) {
        report.plain_read_ms = detail::time_plain_read(
            problem, options.repeats, options.queued ? Start::queued : Start::idle);
    }
    const bool has_cpu_row = problem.run_on_cpu();
    detail::print_head(report, device, has_cpu_row);
    const auto add = [&](Row row) {
        report.rows.push_back(std::move(row));
        detail::print_row(report, report.rows.back());
    };
    if (has_cpu_row) {
        add(detail::run_cpu_row(problem, options.repeats));
    }
    for (const Variant<P>& variant : variants) {
        add(detail::run_row(variant, problem, options));
        if (report.rows.back().has_result()) {
            after_variant(report.rows.back());
        }
    }
    return report;
}

template <typename P>
Report run_table(const std::vector<Variant<P>>& variants, P& problem, const std::string& program,
                 const std::string& input, const Options& options) {
    return run_table(variants, problem, program, input, options, [](const Row&) {});
}

// What a program does when it is given flags: --list, or the table of variants, the JSON, and the
// result of the last right variant as --output. `make_problem()` returns a std::unique_ptr to the
// problem that the command line describes, and may throw; it is called only where a device is
// there. `finally(problem, report)` shows what else a chapter has, after the table; false: it was
// wrong.
template <typename P, typename MakeProblem, typename Finally>
int run_example(CommandLine& line, const std::vector<Variant<P>>& variants,
                MakeProblem make_problem, Finally finally) {
    if (line.options.list) {
        print_list(variants);
        return EXIT_SUCCESS;
    }
    const auto selected = select(variants, line);
    if (line.options.small) {
        apply_small(line, selected);
    }
    static_cast<void>(common::device_properties());  // without a device, say so first
    check_outputs(line.options);
    const std::unique_ptr<P> problem = make_problem();
    const auto write_result = [&](const Row&) {
        if (!line.options.output.empty()) {
            write_file(line.options.output, [&](std::ostream& out) { problem->write(out); });
        }
    };
    Report report =
        run_table(selected, *problem, line.program(), problem->input(), line.options, write_result);
    const bool holds = finally(*problem, report);
    const int status = finish(report, line.options);
    return holds ? status : EXIT_FAILURE;
}

template <typename P, typename MakeProblem>
int run_example(CommandLine& line, const std::vector<Variant<P>>& variants,
                MakeProblem make_problem) {
    return run_example(line, variants, make_problem, [](P&, Report&) { return true; });
}

// Runs `body` (a main without its error handling) and turns a failure that it throws into a message
// and status 1.
template <typename Body>
int run_main(Body body) {
    try {
        return body();
    } catch (const std::bad_alloc& error) {
        std::fflush(stdout);
        std::fprintf(stderr,
                     "error: not enough memory on the host: %s; expected a smaller --n or file\n",
                     error.what());
        return EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        std::fprintf(stderr, "error: %s\n", error.what());
        return EXIT_FAILURE;
    }
}

}  // namespace harness
