#include <algorithm>
#include <cstring>
#include <set>

#include "race/trace_words.hpp"

namespace cpu_device::race {

void find_roles(const std::vector<TraceStep>& steps, std::vector<TraceWord>& words) {
    struct Uses {
        bool plain = false, taken = false, freed = false, counted = false;
        std::set<std::size_t> storing, reading;  // threads
    };
    std::vector<Uses> uses(words.size());
    for (const TraceStep& step : steps) {
        if (step.word == none || step.thread == none) {
            continue;
        }
        Uses& use = uses[step.word];
        const bool is_atomic = step.order != nullptr || step.is_volatile;
        const bool exchanges = step.function.find("CAS") != std::string::npos ||
                               step.function.find("xch") != std::string::npos ||
                               step.function.find("exchange") != std::string::npos ||
                               step.function.find("test_and_set") != std::string::npos;
        const bool changes = step.before != step.after;
        const bool stores = std::strcmp(step.kind, "store") == 0;
        use.plain = use.plain || !is_atomic;
        use.taken = use.taken || (exchanges && changes && step.before == "0");
        use.freed = use.freed || ((exchanges || stores) && changes && step.after == "0");
        use.counted = use.counted || (!stores && !exchanges && changes);
        if (stores || (exchanges && changes)) {
            use.storing.insert(step.thread);
        } else if (step.reads) {
            use.reading.insert(step.thread);
        }
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Uses& use = uses[i];
        const bool is_watched =
            std::any_of(use.reading.begin(), use.reading.end(),
                        [&](std::size_t thread) { return use.storing.count(thread) == 0; });
        words[i].role = use.plain                            ? "data"
                        : use.taken && use.freed             ? "lock"
                        : use.counted                        ? "counter"
                        : !use.storing.empty() && is_watched ? "flag"
                                                             : "data";
    }
}

}  // namespace cpu_device::race
