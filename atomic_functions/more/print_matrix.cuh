// What the flag --matrix does: check every function on every type at every scope, and print them as
// one matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "atomic_functions/more/matrix.cuh"
#include "harness/harness.cuh"

// Runs every row on every kind of operands, with n threads, or with 10,000 where n is more: enough
// for a check that compares every old value.
inline harness::Report check_matrix(std::size_t n, std::uint64_t seed, int block_size) {
    const harness::Progress progress("all functions");
    n = std::min<std::size_t>(n, 10000);
    harness::Report report;
    report.program = "atomic_functions";
    report.input =
        std::to_string(n) + " threads; four kinds of operands, seed " + std::to_string(seed);
    for (const harness::Variant<SharedWordProblem>& variant : matrix_variants()) {
        harness::Row row;
        row.name = variant.name;
        row.idea = variant.idea;
        row.kind = harness::name_of(variant.kind);
        row.skipped = harness::why_skipped(variant, SharedWordProblem(1));
        for (const OperandKind kind :
             {OperandKind::ones, OperandKind::small, OperandKind::random, OperandKind::edges}) {
            if (!row.ran() || (kind != OperandKind::ones && !row.verdict.holds())) {
                break;
            }
            SharedWordProblem problem(n, {kind, seed, {}});
            row.verdict = harness::run_and_check(variant, problem, block_size);
            row.block_size = static_cast<harness::Problem&>(problem).block_size;
        }
        report.rows.push_back(row);
    }
    return report;
}

// A line per type and a column per function; then what is wrong, in words.
inline void print_matrix(const harness::Report& report) {
    std::vector<std::string> functions;
    std::vector<std::string> types;
    std::map<std::pair<std::string, std::string>, std::string> cells;  // by type and function
    const auto add = [](std::vector<std::string>& names, const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
        return name;
    };
    for (const harness::Row& row : report.rows) {  // "min_longlong_block": function, type, scope
        const std::size_t first = row.name.find('_');
        const std::size_t second = row.name.find('_', first + 1);
        const std::string function = add(functions, row.name.substr(0, first));
        const std::string type = add(types, row.name.substr(first + 1, second - first - 1));
        std::string& cell = cells[{type, function}];
        if (!row.ran()) {
            cell = "9.0";
        } else if (!row.verdict.holds() || cell == "WRONG") {
            cell = "WRONG";
        } else {
            cell += second == std::string::npos ? 'd' : row.name[second + 1];
        }
    }
    std::printf(
        "%s\n\nright at d: device, b: block, s: system scope; -: not declared;\n"
        "9.0: needs compute capability 9.0 or newer\n\n%-10s",
        report.input.c_str(), "");
    for (const std::string& function : functions) {
        std::printf(" %5s", function.c_str());
    }
    for (const std::string& type : types) {
        std::printf("\n%-10s", type.c_str());
        for (const std::string& function : functions) {
            const auto cell = cells.find({type, function});
            std::printf(" %5s", cell == cells.end() ? "-" : cell->second.c_str());
        }
    }
    std::printf("\n");
    for (const harness::Row& row : report.rows) {
        if (row.ran() && !row.verdict.holds()) {
            std::printf("%s: WRONG: %s\n", row.name.c_str(), row.verdict.detail.c_str());
        }
    }
}
