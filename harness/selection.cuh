// Which variants of a table run: those that the command line names, or the right ones of a level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/messages.hpp"
#include "harness/command_line.hpp"
#include "harness/variant.cuh"

namespace harness {

// The width of a column for the variants' names.
template <typename P>
int name_width(const std::vector<Variant<P>>& variants) {
    std::size_t width = 22;
    for (const Variant<P>& variant : variants) {
        width = std::max(width, variant.name.size());
    }
    return static_cast<int>(width);
}

// Prints the table of variants for --list: name, kind, level, file, and idea.
template <typename P>
void print_list(const std::vector<Variant<P>>& variants) {
    const int width = name_width(variants);
    for (const Variant<P>& variant : variants) {
        const std::string instead = variant.instead.empty() ? "" : "; right: " + variant.instead;
        std::printf("%-*s %-14s %-6s  %-28s  %s%s\n", width, variant.name.c_str(),
                    name_of(variant.kind), name_of(variant.level),
                    variant.source.empty() ? "-" : variant.source.c_str(), variant.idea.c_str(),
                    instead.c_str());
    }
}

// Ends the program, as for any wrong command line, where --variant names no variant of these
// tables, or where --block is given with a named variant that fixes its block.
template <typename... P>
void check_names(const CommandLine& line, const std::vector<Variant<P>>&... tables) {
    for (const std::string& name : line.options.variants) {
        bool found = false;
        std::string all;
        const auto look = [&](const auto& variants) {
            for (const auto& variant : variants) {
                all += (all.empty() ? "" : ", ") + variant.name;
                if (variant.name != name) {
                    continue;
                }
                found = true;
                if (line.given("--block") && variant.block_is_fixed) {
                    line.fail("--block: variant '" + name + "' works with blocks of " +
                              std::to_string(variant.block_size) + " threads only");
                }
            }
        };
        (look(tables), ...);
        if (!found) {
            if (all.size() > 400) {
                all = "those that --list shows";
            }
            line.fail("--variant: there is no variant " + common::in_quotes(name) +
                      "; expected one of " + all);
        }
    }
}

// The variants of one table that the options ask for, in the table's order: those named by
// --variant; else the right ones of the lesson; with --all those of the record too.
template <typename P>
std::vector<Variant<P>> selected_from(const std::vector<Variant<P>>& variants,
                                      const Options& options) {
    const std::vector<std::string>& names = options.variants;
    std::vector<Variant<P>> selected;
    for (const Variant<P>& variant : variants) {
        const bool named = std::find(names.begin(), names.end(), variant.name) != names.end();
        const bool shown =
            is_right(variant.kind) && (options.all || variant.level == Level::lesson);
        if (names.empty() ? shown : named) {
            selected.push_back(variant);
        }
    }
    return selected;
}

// Both: for a program with one table.
template <typename P>
std::vector<Variant<P>> select(const std::vector<Variant<P>>& variants, const CommandLine& line) {
    check_names(line, variants);
    return selected_from(variants, line.options);
}

// --small is for race mode, where every access is checked: as few elements as the selected variants
// need to do all that is their own, in several blocks of two warps, with random content.
template <typename... P>
void apply_small(CommandLine& line, const std::vector<Variant<P>>&... selected) {
    line.options.n = 0;
    const auto look = [&](const auto& variants) {
        for (const auto& variant : variants) {
            line.options.n = std::max<std::uint64_t>(line.options.n, variant.smallest_n);
        }
    };
    (look(selected), ...);
    line.options.block_size = line.given("--block") ? line.options.block_size : 64;
    line.options.random = true;
    line.options.repeats = 1;
}

}  // namespace harness
