#include <cstring>

#include "race/trace_words.hpp"

namespace cpu_device::race {

void find_roles(const std::vector<TraceStep>& steps, std::vector<TraceWord>& words) {
    struct Uses {
        bool plain = false, taken = false, freed = false, counted = false, read = false;
        bool stored = false;
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
        use.stored = use.stored || stores || (exchanges && changes);
        use.read = use.read || (!changes && step.reads);
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Uses& use = uses[i];
        words[i].role = use.plain                ? "data"
                        : use.taken && use.freed ? "lock"
                        : use.counted            ? "counter"
                        : use.stored && use.read ? "flag"
                                                 : "data";
    }
}

}  // namespace cpu_device::race
