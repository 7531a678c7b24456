#include "race/trace_words.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <set>

#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// A value, as exact as its type needs; none if it was never written.
std::optional<std::string> exact_text(std::uint64_t value, unsigned bytes, Element::Kind kind) {
    const std::string text = value_text(value, bytes, kind);
    if (text == never_written) {
        return {};
    }
    if (kind != Element::floating || (bytes != 4 && bytes != 8)) {
        return text;
    }
    char buffer[40];
    float small = 0;
    double large = 0;
    std::memcpy(&small, &value, sizeof small);
    std::memcpy(&large, &value, sizeof large);
    std::snprintf(buffer, sizeof buffer, bytes == 4 ? "%.9g" : "%.17g",
                  bytes == 4 ? static_cast<double>(small) : large);
    return buffer;
}

std::uint64_t low_bytes(std::uint64_t value, unsigned bytes) {
    return bytes < 8 ? value & ((std::uint64_t{1} << 8 * bytes) - 1) : value;
}

// `value` with some of its bytes replaced.
std::uint64_t with_bytes(std::uint64_t value, unsigned first, unsigned bytes, std::uint64_t by) {
    const std::uint64_t mask = low_bytes(~std::uint64_t{0}, bytes) << 8 * first;
    return (value & ~mask) | (by << 8 * first & mask);
}

const Piece* piece_at(const Detail& detail) {
    return detail.begin < reserved_bytes && detail.piece == nullptr ? piece_near(detail.begin)
                                                                    : detail.piece;
}

// Of the type with this name. A template's parameter is the type of what the kernel's parameters of
// that type point to.
Element element_of(const std::string& type, const std::vector<Argument>& arguments,
                   const Declarations& declarations) {
    Element element = declarations.element_of_type(type);
    for (const Argument& argument : arguments) {
        const Piece* const piece = element.bytes == 0 && argument.type == type && !type.empty()
                                       ? piece_near(argument.offset)
                                       : nullptr;
        if (piece != nullptr && piece->element.kind != Element::unknown) {
            element = piece->element;
        }
    }
    return element;
}

// Gives a word a short name. `what` is what a report calls it: a word that the program gives no
// name has its beginning, as long as that is its own.
void name_word(TraceWord& word, const Piece* piece, const std::vector<TraceWord>& others,
               const std::vector<Argument>& arguments, const DynamicShared& dynamic,
               const Declarations& declarations) {
    // The element with this name, of an array of so many bytes from byte `begin` on. Of one whose
    // elements are no numbers, the member, which has a type; else the byte that it is at.
    const auto name_element = [&](const std::string& array, std::size_t begin, std::size_t bytes,
                                  Element element, const auto& members) {
        const std::size_t size = element.bytes;
        const bool has_parts = size > word.bytes && element.kind == Element::unknown;
        const std::size_t at = word.begin - begin;
        const std::size_t stride = has_parts ? size : word.bytes;
        word.name = array + (bytes <= stride ? "" : "[" + std::to_string(at / stride) + "]");
        if (!has_parts) {
            return;
        }
        for (const Member& member : members(size)) {
            if (member.offset == at % size && member.bytes == word.bytes) {
                word.name += "." + member.name;
                word.type = member.kind;
                return;
            }
        }
        word.name += "+" + std::to_string(at % size);
    };
    word.memory = is_shared(word.begin)         ? "shared"
                  : word.begin < reserved_bytes ? "global"
                                                : "variable";
    word.name = word.what.substr(0, word.what.find(" of " + std::to_string(word.bytes) + " byte"));
    const bool is_taken = std::any_of(others.begin(), others.end(), [&](const TraceWord& other) {
        return other.name == word.name && other.what != word.what;
    });
    if (is_taken) {
        word.name = word.what;
    }
    const std::string variable = "the variable ";
    if (piece == nullptr) {
        if (word.what.compare(0, variable.size(), variable) == 0) {
            word.name = word.what.substr(variable.size());
        }
    } else if (piece->name != nullptr && !piece->is_dynamic()) {
        name_element(piece->name, piece->begin, piece->bytes, piece->element,
                     [&](std::size_t size) { return declarations.members_of(piece->name, size); });
    } else if (piece->is_dynamic()) {
        const Element element = element_of(dynamic.type, arguments, declarations);
        if (!dynamic.name.empty()) {
            word.type = element.bytes == word.bytes ? element.kind : Element::unknown;
            name_element(dynamic.name, piece->begin, piece->bytes, element, [&](std::size_t size) {
                return declarations.members_of_type(dynamic.type, size);
            });
        }
    } else {
        for (const Argument& argument : arguments) {
            const bool is_there = argument.offset >= piece->begin && argument.offset <= word.begin;
            if (is_there && word.begin < piece->begin + piece->bytes && !argument.name.empty()) {
                const Element declared =
                    argument.at ? element_of(argument.type, arguments, declarations) : Element{};
                const Element element =
                    declared.bytes > 0 || argument.bytes > 0 ? declared : piece->element;
                if (declared.bytes == word.bytes) {
                    word.type = declared.kind;
                }
                name_element(argument.name, argument.offset,
                             std::numeric_limits<std::size_t>::max(), element,
                             [&](std::size_t size) {
                                 return declarations.members_of_type(argument.type, size);
                             });
            }
        }
    }
}

}  // namespace

TraceWords::TraceWords(const Tracing& traced, const Story& story, TraceLists& lists,
                       const TraceLaunch& launch, const Declarations& declarations)
    : tracing_(traced),
      story_(story),
      lists_(lists),
      arguments_(launch.arguments),
      dynamic_(dynamic_shared_in(declarations.text(), launch.kernel)),
      declarations_(declarations) {
    for (const std::uint64_t number : story_.steps) {
        if (tracing_.detail(number).kind == StepKind::access) {
            for (const Range& range : ranges_of(number)) {
                cells_[range.first / 8].push_back(range);
            }
        }
    }
    for (auto& [cell, ranges] : cells_) {
        // As large as a type can be, and joined where they overlap.
        for (bool changed = true; changed;) {
            changed = false;
            for (Range& range : ranges) {
                std::size_t bytes = 1;
                while (range.first / bytes * bytes + bytes < range.second) {
                    bytes *= 2;
                }
                range = {range.first / bytes * bytes, range.first / bytes * bytes + bytes};
            }
            std::sort(ranges.begin(), ranges.end());
            for (std::size_t i = 1; i < ranges.size(); ++i) {
                if (ranges[i].first < ranges[i - 1].second) {
                    ranges[i - 1].second = std::max(ranges[i - 1].second, ranges[i].second);
                    ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i--));
                    changed = true;
                }
            }
        }
    }
}

// The pieces of an access that begin in the word of this step: by the elements of the array, where
// they are known, else as large as the access.
std::vector<TraceWords::Range> TraceWords::ranges_of(std::uint64_t number) const {
    const Detail& detail = tracing_.detail(number);
    const std::size_t end = detail.begin + detail.bytes;
    const Piece* const piece = piece_at(detail);
    const std::size_t of_type = piece != nullptr ? piece->element.bytes : 0;
    const bool is_size = detail.bytes == 1 || detail.bytes == 2 || detail.bytes == 8;
    const bool by_type = (of_type == 2 || of_type == 4 || of_type == 8) &&
                         detail.bytes % of_type == 0 && detail.bytes <= 16;
    const std::size_t size = by_type ? of_type : is_size ? detail.bytes : 4;
    std::vector<Range> ranges;
    for (std::size_t begin = std::max(detail.begin, detail.word * 4);
         begin < std::min(end, detail.word * 4 + 4);) {
        const std::size_t left = (begin - detail.begin) % size;
        const std::size_t next = std::min({begin - left + size, end, begin / 8 * 8 + 8});
        if (left == 0 || begin % 8 == 0 || size < 8) {
            ranges.push_back({begin, next});
        }
        begin = next;
    }
    return ranges;
}

std::size_t TraceWords::index_of(Range range, std::size_t owner, const Piece* piece) {
    const std::vector<Range>& cell = cells_[range.first / 8];
    const Range whole = *std::find_if(cell.begin(), cell.end(), [&](const Range& one) {
        return one.first <= range.first && range.first < one.second;
    });
    TraceWord word{};
    word.begin = whole.first;
    word.bytes = static_cast<unsigned>(whole.second - whole.first);
    word.owner = owner;
    word.what = piece != nullptr ? describe(*piece, word.begin, word.bytes)
                                 : describe(word.begin, word.bytes);
    const auto found =
        std::find_if(lists_.words.begin(), lists_.words.end(), [&](const TraceWord& one) {
            return one.begin == word.begin && one.bytes == word.bytes && one.owner == owner &&
                   one.what == word.what;
        });
    const std::size_t index = static_cast<std::size_t>(found - lists_.words.begin());
    if (found == lists_.words.end()) {
        const bool is_typed = piece != nullptr && piece->element.bytes == word.bytes;
        word.type = is_typed ? piece->element.kind : Element::unknown;
        name_word(word, piece, lists_.words, arguments_, dynamic_, declarations_);
        lists_.words.push_back(word);
    }
    return index;
}

// How many writes to the word that are not told come before this step and after the last one that
// is told, and what the first such step has found.
std::pair<std::size_t, std::uint64_t> TraceWords::left_out_before(std::uint64_t number) {
    std::size_t changes = 0;
    std::uint64_t found = tracing_.step(number).access.before;
    for (std::uint64_t other = tracing_.step(number).previous;
         other != 0 && tracing_.holds(other) &&
         !std::binary_search(story_.steps.begin(), story_.steps.end(), other);
         other = tracing_.step(other).previous) {
        changes += tracing_.has_changed(other) ? 1 : 0;
        found = tracing_.step(other).access.before;
    }
    return {changes, found};
}

void TraceWords::add_steps(std::vector<TraceStep>& steps, const TraceStep& step,
                           std::uint64_t number) {
    const Detail& detail = tracing_.detail(number);
    const Access& access = tracing_.step(number).access;
    const auto [changes, earlier] = left_out_before(number);
    bool is_first = true;
    for (const Range& range : ranges_of(number)) {
        TraceStep part = step;
        if (!is_first) {
            part.id = new_step_id();
            part.edges.clear();
        }
        is_first = false;
        part.word =
            index_of(range, is_shared(range.first) ? access.block + 1 : 0, piece_at(detail));
        part.bytes = static_cast<unsigned>(range.second - range.first);
        part.first_byte = static_cast<unsigned>(range.first - lists_.words[part.word].begin);
        const std::size_t shift = 8 * (range.first - detail.word * 4);
        part.found = low_bytes(access.before >> shift, part.bytes);
        part.left =
            access.kind == Access::read ? part.found : low_bytes(detail.after >> shift, part.bytes);
        part.reads = access.kind != Access::write;
        part.is_stale = detail.is_stale;
        part.count = changes;  // for replay(), which takes it away
        part.earlier = low_bytes(earlier >> shift, part.bytes);
        steps.push_back(std::move(part));
    }
}

namespace {

// The last of these steps before `end` that has left this value in the word.
std::size_t last_write_of(const std::vector<TraceStep>& steps, std::size_t end, std::size_t word,
                          const std::optional<std::string>& value) {
    for (std::size_t i = std::min(end, steps.size()); i-- > 0;) {
        const TraceStep& step = steps[i];
        if (step.word == word && step.thread != none && std::strcmp(step.kind, "load") != 0 &&
            step.after == value) {
            return i;
        }
    }
    return none;
}

}  // namespace

std::vector<TraceStep> replay(const std::vector<TraceStep>& steps, std::vector<TraceWord>& words) {
    struct Memory {
        std::uint64_t value = 0;
        unsigned known = 0;  // a bit for each byte
        std::size_t written_by = none;
    };
    std::vector<Memory> memory(words.size());
    const auto text = [&](std::size_t word) {
        return exact_text(low_bytes(memory[word].value, words[word].bytes), words[word].bytes,
                          words[word].type);
    };
    const auto has_word = [](const TraceStep& step) { return step.word != none; };
    for (const TraceStep& step : steps) {  // what was there at first
        for (unsigned i = 0; has_word(step) && i < step.bytes; ++i) {
            Memory& here = memory[step.word];
            const unsigned byte = step.first_byte + i;
            if ((here.known >> byte & 1) == 0) {
                here.known |= 1u << byte;
                here.value = with_bytes(here.value, byte, 1, step.earlier >> 8 * i);
            }
        }
    }
    for (std::size_t word = 0; word < words.size(); ++word) {
        words[word].first = text(word);
    }
    std::vector<TraceStep> all;
    // What is not in the record, such as a copy between two launches, has changed words since they
    // were told last: before the launch that begins at `launch`.
    const auto change_before = [&](std::size_t launch) {
        std::set<std::size_t> used;
        for (std::size_t i = launch + 1;
             i < steps.size() && std::strcmp(steps[i].kind, "launch") != 0; ++i) {
            const TraceStep& step = steps[i];
            if (!has_word(step) || !used.insert(step.word).second || step.is_stale) {
                continue;
            }
            Memory& here = memory[step.word];
            TraceStep change;
            change.kind = "others";
            change.word = step.word;
            change.before = text(step.word);
            here.value = with_bytes(here.value, step.first_byte, step.bytes, step.earlier);
            change.after = text(step.word);
            if (change.before != change.after) {
                here.written_by = none;
                all.push_back(std::move(change));
            }
        }
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        TraceStep step = steps[i];
        if (std::strcmp(step.kind, "launch") == 0) {
            change_before(i);
        }
        if (has_word(step) && step.thread == none) {
            Memory& here = memory[step.word];
            step.before = text(step.word);
            here.value = with_bytes(here.value, step.first_byte, step.bytes, step.left);
            here.written_by = none;
            step.after = text(step.word);
            step.reads = step.is_stale = false;
            ++step.count;
            if (step.before == step.after) {
                continue;
            }
        } else if (has_word(step)) {
            Memory& here = memory[step.word];
            const std::uint64_t found =
                with_bytes(here.value, step.first_byte, step.bytes, step.found);
            if (found != here.value && !step.is_stale) {
                TraceStep others;
                others.kind = "others";
                others.word = step.word;
                others.before = text(step.word);
                here.value = found;
                here.written_by = none;
                others.after = text(step.word);
                others.count = std::max<std::size_t>(step.count, 1);
                all.push_back(std::move(others));
            }
            step.before = text(step.word);
            step.read_from = step.reads ? here.written_by : none;
            if (step.is_stale) {
                step.got = exact_text(low_bytes(found, words[step.word].bytes),
                                      words[step.word].bytes, words[step.word].type);
                step.left = here.value >> 8 * step.first_byte;
                step.read_from = last_write_of(all, here.written_by, step.word, step.got);
            }
            here.value = with_bytes(here.value, step.first_byte, step.bytes, step.left);
            step.after = text(step.word);
            step.count = 0;
            const bool writes = std::strcmp(step.kind, "load") != 0;
            if (writes && (!step.reads || step.left != step.found)) {
                here.written_by = all.size();
            }
        }
        all.push_back(std::move(step));
    }
    return all;
}

}  // namespace cpu_device::race
