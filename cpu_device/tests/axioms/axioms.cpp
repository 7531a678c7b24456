// Which outcomes may a litmus program have, by PTX's memory model? A litmus program is a few
// threads with a few steps each; litmus/README.md has the text form. This program knows nothing of
// race mode, and shares no line with it: it is what race mode's machine is compared with.
//
// It tries every candidate execution: which store each load reads from (rf), in which order the
// stores of each word stand (co), in which order sequentially consistent fences stand (sc). It
// keeps those that satisfy the axioms of Lustig, Sahasrabuddhe and Giroux, "A Formal Analysis of
// the NVIDIA PTX Memory Consistency Model" (ASPLOS 2019), in the words of the PTX ISA's chapter
// "Memory Consistency Model", and prints the outcomes of those.
//
// Two things are not in PTX. An execution in which program order, rf and synchronization form a
// cycle is left out (load buffering), unless --load-buffering asks for it. And if any execution has
// a data race, the program has the one outcome `race`: PTX orders the stores of a race only in
// part.
//
//     axioms [--load-buffering] < FILE      prints "NAME: OUTCOME ..." for each program
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "axioms_program.hpp"
#include "axioms_trace.hpp"
#include "relation.hpp"

namespace axioms {
namespace {

class Execution {
  public:
    Execution(const Program& program, bool load_buffering)
        : program_(program), load_buffering_(load_buffering) {}

    std::set<std::string> outcomes() {
        const std::set<int> values = values_of(program_);
        std::vector<std::vector<Trace>> traces(program_.threads.size());
        for (unsigned t = 0; t < program_.threads.size(); ++t) {
            traces[t] = traces_of(program_, t, values);
        }
        std::vector<const Trace*> chosen;
        choose_traces(traces, chosen);
        return outcomes_.count("race") != 0 ? std::set<std::string>{"race"} : outcomes_;
    }

  private:
    void choose_traces(const std::vector<std::vector<Trace>>& traces,
                       std::vector<const Trace*>& chosen) {
        if (chosen.size() < traces.size()) {
            for (const Trace& trace : traces[chosen.size()]) {
                chosen.push_back(&trace);
                choose_traces(traces, chosen);
                chosen.pop_back();
            }
            return;
        }
        events_.clear();
        for (const char word : program_.words) {
            Event initial;
            initial.place = word;
            initial.writes = true;
            events_.push_back(initial);
        }
        needs_ = {};
        for (const Trace* const trace : chosen) {
            const auto first = static_cast<unsigned>(events_.size());
            for (const Event& event : trace->events) {
                for (const unsigned place : event.needs) {
                    needs_.add(first + place, static_cast<unsigned>(events_.size()));
                }
                events_.push_back(event);
            }
        }
        count_ = static_cast<unsigned>(events_.size());
        if (count_ > max_events) {
            fail(program_.name, "too many steps");
        }
        registers_.clear();
        for (const Trace* const trace : chosen) {
            registers_.insert(trace->registers.begin(), trace->registers.end());
        }
        set_fixed_relations();
        rf_ = {};
        choose_rf(0);
    }

    bool includes(const Event& one, const Event& other) const {
        return one.scope >= scope_gpu || (one.scope == scope_cta && one.block == other.block) ||
               one.thread == other.thread;
    }
    // Morally strong: of one thread, or both strong, with scopes that include each other's thread.
    bool morally_strong(unsigned a, unsigned b) const {
        const Event& one = events_[a];
        const Event& other = events_[b];
        if (one.thread == -1 || other.thread == -1) {
            return false;
        }
        return one.thread == other.thread ||
               (one.strong && other.strong && includes(one, other) && includes(other, one));
    }

    void set_fixed_relations() {
        po_ = po_loc_ = barriers_ = {};
        for (unsigned a = 0; a < count_; ++a) {
            for (unsigned b = 0; b < count_; ++b) {
                const Event& one = events_[a];
                const Event& other = events_[b];
                const bool same_thread = one.thread == other.thread && one.thread != -1 && a < b;
                if (same_thread || (one.thread == -1 && other.thread != -1)) {
                    po_.add(a, b);  // initial values are before everything
                }
                if (same_thread && one.place != 0 && one.place == other.place) {
                    po_loc_.add(a, b);
                }
                if (one.kind == Event::arrives && other.kind == Event::leaves &&
                    one.block == other.block && one.of_warp == other.of_warp &&
                    one.barrier == other.barrier && (!one.of_warp || one.warp == other.warp)) {
                    barriers_.add(a, b);
                }
            }
        }
    }

    void choose_rf(unsigned read) {
        while (read < count_ && !events_[read].reads) {
            ++read;
        }
        if (read == count_) {
            choose_co(0);
            return;
        }
        for (unsigned write = 0; write < count_; ++write) {
            if (write != read && events_[write].writes &&
                events_[write].place == events_[read].place &&
                events_[write].value_written == events_[read].value_read) {
                source_[read] = write;
                rf_.add(write, read);
                choose_rf(read + 1);
                rf_.row[write] &= ~bit(read);
            }
        }
    }

    void choose_co(std::size_t word) {
        if (word == program_.words.size()) {
            choose_sc();
            return;
        }
        std::vector<unsigned>& order = order_[program_.words[word]];
        order.clear();
        for (unsigned e = 0; e < count_; ++e) {
            if (events_[e].writes && events_[e].place == program_.words[word]) {
                order.push_back(e);
            }
        }
        do {
            choose_co(word + 1);
        } while (std::next_permutation(order.begin() + 1, order.end()));  // the initial one stays
    }

    void choose_sc() {
        co_ = fr_ = {};
        for (const auto& [word, order] : order_) {
            for (std::size_t i = 0; i < order.size(); ++i) {
                for (std::size_t j = i + 1; j < order.size(); ++j) {
                    co_.add(order[i], order[j]);
                }
            }
        }
        for (unsigned read = 0; read < count_; ++read) {
            if (events_[read].reads) {
                fr_.row[read] = co_.row[source_[read]] & ~bit(read);
            }
        }
        std::vector<unsigned> fences;
        for (unsigned e = 0; e < count_; ++e) {
            if (events_[e].kind == Event::fence && events_[e].seq_cst) {
                fences.push_back(e);
            }
        }
        do {
            sc_ = {};
            for (std::size_t i = 0; i < fences.size(); ++i) {
                for (std::size_t j = i + 1; j < fences.size(); ++j) {
                    if (morally_strong(fences[i], fences[j])) {
                        sc_.add(fences[i], fences[j]);
                    }
                }
            }
            check();
        } while (std::next_permutation(fences.begin(), fences.end()));
    }

    // Patterns: the first operation and the one that writes, or reads and the last one.
    struct Pattern {
        unsigned access, end;
    };

    Relation synchronizes(const Relation& observes) const {
        std::vector<Pattern> releases, acquires;
        for (unsigned e = 0; e < count_; ++e) {
            const Event& event = events_[e];
            if (event.kind != Event::access || event.thread == -1 || !event.strong) {
                continue;
            }
            if (event.writes) {
                for (unsigned first = 0; first <= e; ++first) {
                    const Event& release = events_[first];
                    if (release.releases && release.thread == event.thread &&
                        (release.kind == Event::fence || release.place == event.place)) {
                        releases.push_back({e, first});
                    }
                }
            }
            if (event.reads) {
                for (unsigned last = e; last < count_; ++last) {
                    const Event& acquire = events_[last];
                    if (acquire.acquires && acquire.thread == event.thread &&
                        (acquire.kind == Event::fence || acquire.place == event.place)) {
                        acquires.push_back({e, last});
                    }
                }
            }
        }
        Relation result;
        for (const Pattern& x : releases) {
            for (const Pattern& y : acquires) {
                if (observes.has(x.access, y.access) && x.end != y.end &&
                    morally_strong(x.end, y.end)) {
                    result.add(x.end, y.end);
                }
            }
        }
        return result;
    }

    void check() {
        Relation observes;
        Relation strong_communication = po_loc_;
        for (unsigned a = 0; a < count_; ++a) {
            for (unsigned b = 0; b < count_; ++b) {
                if (morally_strong(a, b)) {
                    if (rf_.has(a, b)) {
                        observes.add(a, b);
                    }
                    if (rf_.has(a, b) || co_.has(a, b) || fr_.has(a, b)) {
                        strong_communication.add(a, b);
                    }
                }
            }
        }
        if (strong_communication.is_cyclic(count_)) {
            return;  // SC per location
        }
        observes.close(count_);  // through read-modify-writes: only these read and write
        Relation base = synchronizes(observes);
        base |= po_;
        base |= barriers_;
        base |= sc_;
        Relation happens = base;
        happens |= rf_;
        Relation thin_air = rf_;
        thin_air |= needs_;
        if (load_buffering_ ? thin_air.is_cyclic(count_) : happens.is_cyclic(count_)) {
            return;  // no thin air; no load buffering
        }
        base.close(count_);
        Relation cause = base;
        for (unsigned a = 0; a < count_; ++a) {
            for (unsigned via = 0; via < count_; ++via) {
                cause.row[a] |= observes.has(a, via) ? base.row[via] : 0;
            }
        }
        if (satisfies_axioms(cause)) {
            outcomes_.insert(has_race(cause) ? "race" : outcome());
        }
    }

    bool satisfies_axioms(const Relation& cause) const {
        for (unsigned a = 0; a < count_; ++a) {
            for (unsigned b = 0; b < count_; ++b) {
                const bool same_word =
                    events_[a].place != 0 && events_[a].place == events_[b].place;
                const bool two_writes = a != b && events_[a].writes && events_[b].writes;
                if (same_word && two_writes && cause.has(a, b) && !co_.has(a, b)) {
                    return false;  // coherence
                }
                if (cause.has(a, b) && sc_.has(b, a)) {
                    return false;  // fence-SC
                }
                if ((rf_.has(a, b) || fr_.has(a, b)) && cause.has(b, a)) {
                    return false;  // causality
                }
                if (events_[a].reads && events_[a].writes && co_.has(source_[a], b) &&
                    co_.has(b, a) && morally_strong(a, b)) {
                    return false;  // atomicity
                }
            }
        }
        return true;
    }

    bool has_race(const Relation& cause) const {
        for (unsigned a = 0; a < count_; ++a) {
            for (unsigned b = a + 1; b < count_; ++b) {
                const bool conflict = events_[a].place != 0 &&
                                      events_[a].place == events_[b].place &&
                                      (events_[a].writes || events_[b].writes);
                if (conflict && events_[a].thread != -1 && !morally_strong(a, b) &&
                    !cause.has(a, b) && !cause.has(b, a)) {
                    return true;
                }
            }
        }
        return false;
    }

    std::string outcome() const {
        std::string text;
        for (const char name : program_.registers) {
            const auto known = registers_.find(name);
            text += known == registers_.end() ? "-" : std::to_string(known->second);
        }
        for (const char word : program_.seen) {
            text += std::to_string(events_[order_.at(word).back()].value_written);
        }
        return text;
    }

    const Program& program_;
    const bool load_buffering_;
    std::vector<Event> events_;
    unsigned count_ = 0;
    std::map<char, int> registers_;
    std::array<unsigned, max_events> source_{};    // of each read
    std::map<char, std::vector<unsigned>> order_;  // co of each word
    Relation po_, po_loc_, barriers_, needs_, rf_, co_, fr_, sc_;
    std::set<std::string> outcomes_;
};

}  // namespace
}  // namespace axioms

int main(int argc, char** argv) {
    using namespace axioms;
    const bool load_buffering = argc == 2 && std::strcmp(argv[1], "--load-buffering") == 0;
    if (argc > 1 && !load_buffering) {
        std::fprintf(stderr, "usage: axioms [--load-buffering] < FILE\n");
        return 2;
    }
    std::string line, header;
    while (std::getline(std::cin, line)) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        if (line[0] != ' ') {
            header = line;
        } else if (!header.empty()) {  // the steps; what else is indented is not for this program
            const Program program = read_program(header, line);
            std::printf("%s:", program.name.c_str());
            for (const std::string& outcome : Execution(program, load_buffering).outcomes()) {
                std::printf(" %s", outcome.c_str());
            }
            std::printf("\n");
            header.clear();
        }
    }
    return 0;
}
