#include "race/stale_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "race/advice.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/tracing.hpp"

namespace cpu_device::race {

void report_stale_value(const Clocks& me, Object object, const Store& newest) {
    const ObjectState& state = history.object(object);
    const std::uint64_t last_step = history.state_of(state.begin / 4).last_step;
    const std::vector<Access> steps = record.on_word(last_step);
    const auto write = std::find_if(steps.rbegin(), steps.rend(), [&](const Access& step) {
        return step.slot == newest.made.slot && step.time == newest.made.time &&
               step.kind != Access::read;
    });
    if (write == steps.rend()) {
        return;  // so long ago that it is not kept
    }
    const auto bytes = static_cast<unsigned>(state.bytes);
    Race race{*write, steps.back(), {}, state.begin, bytes, kind_at(state.begin, bytes)};
    look_for_signal(race, me, object);
    const std::string read_place = place_of(race.now.where);
    const std::string write_place = place_of(write->where);
    const std::string what = name_of_element(race.bytes, race.type);
    const std::string bare = what.substr(what.compare(0, 2, "a ") == 0 ? 2 : 0);
    Text out;
    out.say("stale.read", {{"place", read_place},
                           {"thread", name_of(race.now)},
                           {"value", race.text(race.now.before)},
                           {"element", what},
                           {"kind of memory", kind_of_memory(race.offset)}});
    out += read_place == write_place ? "" : source_line(read_place);
    out.say("stale.written", {{"place", write_place},
                              {"thread", name_of(*write)},
                              {"value", value_text(newest.value, race.bytes, race.type)}});
    out += source_line(write_place);
    out.say(bare.back() == 's' ? "race.words" : "race.word",
            {{"element", bare}, {"where", describe(race.offset, race.bytes)}});
    out.say("stale.why");
    const Advice advice = advice_for_stale_value(race);
    note_advice(advice.rows);
    out += advice.text;
    out += "\n";
    if (is_traced()) {
        tracing->about({record.find(*write, last_step), last_step});
    }
    report(advice.kind.c_str(), "stale " + read_place + " " + write_place, out);
}

}  // namespace cpu_device::race
