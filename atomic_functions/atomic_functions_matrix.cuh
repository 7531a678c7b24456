// Every function on every type at every scope, checked, and shown as one matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "atomic_functions/atomic_functions_all.cuh"
#include "common/command_line.hpp"
#include "common/harness.cuh"

struct FunctionVerdict {
    FunctionRow row;
    std::string skipped;  // why it did not run, or empty
    Verdict verdict;
    std::size_t histories = 0;  // how many were checked

    bool holds() const { return !skipped.empty() || verdict.holds(); }
};

// Runs every row on every kind of operands, with n threads; with 10,000 where n is more: enough for
// a check, which compares every old value of every row.
inline std::vector<FunctionVerdict> check_all_functions(std::size_t n, const Options& options) {
    n = std::min<std::size_t>(n, 10000);
    const harness_detail::Progress progress("all functions");
    std::vector<FunctionVerdict> verdicts;
    for (const FunctionRow& row : function_rows()) {
        FunctionVerdict result{row, "", {Outcome::ok, ""}, 0};
        for (const Draw draw : {Draw::ones, Draw::small, Draw::random, Draw::edges}) {
            WordProblem problem(n, options.block_size, {draw, options.seed, {}});
            result.skipped = why_unavailable(row.variant, problem);
            if (result.skipped.empty() && result.verdict.holds()) {
                result.verdict = run_and_check(row.variant, problem);
                ++result.histories;
            }
        }
        verdicts.push_back(result);
    }
    return verdicts;
}

inline bool all_hold(const std::vector<FunctionVerdict>& verdicts) {
    return std::all_of(verdicts.begin(), verdicts.end(),
                       [](const FunctionVerdict& result) { return result.holds(); });
}

// A line for each type, a column for each function; then what is wrong, in words.
inline void print_matrix(const std::vector<FunctionVerdict>& verdicts) {
    std::map<std::pair<std::string, std::string>, std::string> cells;  // by type and function
    std::size_t histories = 0;
    for (const FunctionVerdict& result : verdicts) {
        std::string& cell = cells[{result.row.type, result.row.function}];
        if (!result.skipped.empty()) {
            cell = "9.0";
        } else if (!result.verdict.holds() || cell == "WRONG") {
            cell = "WRONG";
        } else {
            constexpr char letters[] = {'d', 'b', 's'};
            cell += letters[static_cast<int>(result.row.scope)];
        }
        histories += result.histories;
    }

    std::printf(
        "\natomic functions; right at d: device, b: block, s: system scope; -: not declared;\n"
        "9.0: needs compute capability 9.0 or newer\n\n%-10s",
        "");
    for (const std::string& function : function_names()) {
        std::printf(" %5s", function.c_str());
    }
    for (const std::string& type : type_names()) {
        std::printf("\n%-10s", type.c_str());
        for (const std::string& function : function_names()) {
            const auto cell = cells.find({type, function});
            std::printf(" %5s", cell == cells.end() ? "-" : cell->second.c_str());
        }
    }
    std::printf("\n\nchecked: %zu histories\n", histories);
    for (const FunctionVerdict& result : verdicts) {
        if (!result.holds()) {
            std::printf("%s: WRONG: %s\n", result.row.variant.name.c_str(),
                        result.verdict.detail.c_str());
        }
    }
}

inline nlohmann::ordered_json to_json(const std::vector<FunctionVerdict>& verdicts) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const FunctionVerdict& result : verdicts) {
        rows.push_back({{"name", result.row.variant.name},
                        {"skipped", result.skipped},
                        {"holds", result.skipped.empty() && result.verdict.holds()},
                        {"check", result.verdict.detail}});
    }
    return rows;
}
