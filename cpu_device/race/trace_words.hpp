// Words of a trace: pieces of memory of 1, 2, 4 or 8 bytes, as large as the accesses to them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "race/members.hpp"
#include "race/shared_names.hpp"
#include "race/story.hpp"
#include "race/trace.hpp"

namespace cpu_device::race {

class TraceWords {
  public:
    // By the arguments of `launch` words of global memory are named. `declarations`: of the
    // kernel's file, by which members of structs are, and dynamic shared memory.
    TraceWords(const Tracing& traced, const Story& story, TraceLists& lists,
               const TraceLaunch& launch, const Declarations& declarations);
    // Adds `step`, which is this one of the record, once for each word that it is the first to
    // touch of its access.
    void add_steps(std::vector<TraceStep>& steps, const TraceStep& step, std::uint64_t number);

  private:
    using Range = std::pair<std::size_t, std::size_t>;  // of bytes of memory: begin and end

    std::vector<Range> ranges_of(std::uint64_t number) const;
    std::size_t index_of(Range range, std::size_t owner, const Piece* piece);
    std::pair<std::size_t, std::uint64_t> left_out_before(std::uint64_t number);

    const Tracing& tracing_;
    const Story& story_;
    TraceLists& lists_;
    const std::vector<Argument>& arguments_;
    const DynamicShared dynamic_;
    const Declarations& declarations_;
    std::map<std::size_t, std::vector<Range>> cells_;  // of 8 bytes, by number
};

// Sets `before`, `after` and `read_from` of all steps and `first` of all words, and puts steps in
// between where something that is not among the steps has changed a word.
std::vector<TraceStep> replay(const std::vector<TraceStep>& steps, std::vector<TraceWord>& words);
// By what the steps look like.
void find_roles(const std::vector<TraceStep>& steps, std::vector<TraceWord>& words);

}  // namespace cpu_device::race
