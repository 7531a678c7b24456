#include "race/advice.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cpu_device/race.h"
#include "race/conditions.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"

namespace cpu_device::race {
namespace {

// A cure is a claim: race_advice_test.cu has a program for each row, and does what the row says.
// What a row says is in the table of sentences: "advice.NAME" what is the matter, and
// "advice.NAME.cure" what would help.
struct Row {
    const char* name;
    bool (*applies)(const Race& race);
    const char* kind;
};

constexpr const char* race_kind = "DATA RACE";
constexpr const char* scope_kind = "SCOPE TOO NARROW";
constexpr const char* lost_kind = "LOST UPDATE";
constexpr const char* stale_kind = "STALE VALUE";

// The first row that applies counts.
constexpr Row rows[] = {
    {"volatile", both_volatile, "VOLATILE WITHOUT ORDER"},
    {"atomics of different bytes", atomics_of_different_bytes, race_kind},
    {"atomics of narrow scope", both_atomic, scope_kind},
    {"different bits", change_different_bits, race_kind},
    {"index without block", forgets_block, race_kind},
    {"update in steps", updates_in_steps, race_kind},
    {"signal of narrow scope", lacks_scope_only, scope_kind},
    {"incomplete signal", lacks_order, race_kind},
    {"plain write beside atomics", writes_beside_atomics, race_kind},
    {"plain read beside atomics", reads_beside_atomics, race_kind},
    {"barrier object", meets_in_object, race_kind},
    {"asynchronous copy", is_copy, race_kind},
    {"same value", write_same_value, race_kind},
    {"writes of one block", two_of_one_block_write, race_kind},
    {"one line of two blocks", one_line_writes, race_kind},
    {"block of one warp", one_warp_block, race_kind},
    {"one warp", one_warp, race_kind},
    {"one block", same_block, race_kind},
    {"not this time", is_ordered_at_other_times, race_kind},
    {"different blocks", any, race_kind},
};

// What a signal lacks: all of these that apply.
constexpr Row parts[] = {
    {"release by the first", lacks_own_release, nullptr},
    {"release by another", lacks_release_of_another, nullptr},
    {"acquire by the second", lacks_own_acquire, nullptr},
    {"acquire where an exchange fails", lacks_acquire_of_exchange, nullptr},
    {"acquire by another", lacks_acquire_of_another, nullptr},
    {"barrier before the signal", lacks_barrier_before_signal, nullptr},
    {"barrier after the answer", lacks_barrier_after_answer, nullptr},
    {"device scope", lacks_device_scope, nullptr},
};

// What would keep an update from being lost: the first that applies.
constexpr Row updates[] = {
    {"update under an incomplete lock", has_signal, lost_kind},
    {"lost update", any, lost_kind},
};

// What would let a read see a write: the first that applies.
constexpr Row stale_values[] = {
    {"stale value by an incomplete signal", has_signal, stale_kind},
    {"stale value", any, stale_kind},
};

// What follows a row: all that apply.
constexpr Row additions[] = {
    {"index or update", forgets_block_in_update, nullptr},
    {"other access atomic", one_of_a_signal_is_atomic, nullptr},
    {"index of one of them", two_lines_write, nullptr},
};

void add(const Row& row, const Race& race, Advice& advice) {
    const Words words{{"thread", std::to_string(race.now.thread)},
                      {"atomic one", race.earlier.atomic ? "first" : "second"},
                      {"signalling thread", std::to_string(race.missing.signalling_thread)},
                      {"answering thread", std::to_string(race.missing.answering_thread)}};
    const std::string key = std::string("advice.") + row.name;
    advice.rows.push_back(row.name);
    advice.text.say(key.c_str(), words).say((key + ".cure").c_str(), words);
}

// A lock or a flag leads from one to the other, and lacks some parts.
void add_signal(const Row& row, const Race& race, Advice& advice) {
    advice.rows.push_back(row.name);
    const Missing& missing = race.missing;
    advice.text.say("signal.reaches",
                    {{"signal", place_of(missing.signal)},
                     {"signalling", name_of(race.earlier.block, missing.signalling_thread)},
                     {"answer", place_of(missing.answer)},
                     {"answering", name_of(race.now.block, missing.answering_thread)}});
    if (missing.answering_thread != race.now.thread && !missing.order.barrier) {
        advice.text.say("signal.passed on", {{"thread", std::to_string(race.now.thread)}});
    }
    advice.text.say("signal.incomplete");
    for (const Row& part : parts) {
        if (part.applies(race)) {
            add(part, race, advice);
        }
    }
    advice.text.drop_last();
}

}  // namespace

void look_for_signal(Race& race, const Clocks& me, Object but) {
    const Access& a = race.earlier;
    race.has_signal =  // from one thread to another
        !a.by_copy && !race.now.by_copy &&
        what_is_missing(a.slot, a.block, a.moment, me, race.missing, but) &&
        (a.block != race.now.block ||
         race.missing.signalling_thread != race.missing.answering_thread);
    race.knows_more = me.past.of(a.slot) > 0;
}

Advice advice_for(const Race& race) {
    const Row& row = *std::find_if(std::begin(rows), std::end(rows),
                                   [&](const Row& one) { return one.applies(race); });
    Advice advice{row.kind, "", {}};
    if (row.applies == lacks_scope_only || row.applies == lacks_order) {
        add_signal(row, race, advice);
    } else {
        add(row, race, advice);
    }
    for (const Row& addition : additions) {
        if (addition.applies(race)) {
            add(addition, race, advice);
        }
    }
    return advice;
}

namespace {

// By a table whose first row is for an incomplete signal.
template <std::size_t count>
Advice advice_by(const Row (&table)[count], const Race& race) {
    const Row& row = *std::find_if(std::begin(table), std::end(table),
                                   [&](const Row& one) { return one.applies(race); });
    Advice advice{row.kind, "  ", {}};
    if (race.has_signal) {
        add_signal(row, race, advice);
    } else {
        add(row, race, advice);
    }
    return advice;
}

}  // namespace

Advice advice_for_lost_update(const Race& race) {
    return advice_by(updates, race);
}

Advice advice_for_stale_value(const Race& race) {
    return advice_by(stale_values, race);
}

std::vector<std::string> advice_rows() {
    std::vector<std::string> names;
    const auto add_all = [&](const auto& table) {
        for (const Row& row : table) {
            names.push_back(row.name);
        }
    };
    add_all(rows);
    add_all(parts);
    add_all(updates);
    add_all(stale_values);
    add_all(additions);
    return names;
}

}  // namespace cpu_device::race
