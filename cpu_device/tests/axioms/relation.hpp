// Relations between the events of an execution, as rows of bits. Part of axioms.cpp.
#pragma once

#include <array>
#include <cstdint>

namespace axioms {

constexpr unsigned max_events = 64;
using Set = std::uint64_t;

inline Set bit(unsigned i) {
    return Set{1} << i;
}

struct Relation {
    std::array<Set, max_events> row{};  // row[a] has b: a is related to b

    bool has(unsigned a, unsigned b) const { return (row[a] >> b & 1) != 0; }
    void add(unsigned a, unsigned b) { row[a] |= bit(b); }
    Relation& operator|=(const Relation& other) {
        for (unsigned a = 0; a < max_events; ++a) {
            row[a] |= other.row[a];
        }
        return *this;
    }
    void close(unsigned count) {  // transitively
        for (unsigned via = 0; via < count; ++via) {
            for (unsigned a = 0; a < count; ++a) {
                row[a] |= has(a, via) ? row[via] : 0;
            }
        }
    }
    bool is_cyclic(unsigned count) const {
        Relation closed = *this;
        closed.close(count);
        for (unsigned a = 0; a < count; ++a) {
            if (closed.has(a, a)) {
                return true;
            }
        }
        return false;
    }
};

}  // namespace axioms
