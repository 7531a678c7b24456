// The turns of the threads in a launch: recorded in a run that reports a race, and taken again in a
// later run, all or some of them. So the search for the shortest story of a race (the command
// scripts/race) leaves out what the race does not need: delta debugging (Zeller and Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input", 2002) on the changes of the thread, which
// are few in the end, as in CHESS (Musuvathi and Qadeer, "Iterative Context Bounding", 2007).
//   RACE_TURNS=FILE    the turns are written to the file when the first race is reported
//   RACE_REPLAY=FILE   that launch takes the turns in the file, and the program ends when the two
//                      lines have raced once more, or with the launch
//   RACE_STORY=FILE    what the threads of the race did, in a few lines; with RACE_REPLAY
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "race/race_record.hpp"

namespace cpu_device::race {

// A thread runs until it has made so many accesses since the launch began.
struct Turn {
    std::uint32_t slot, end;
};

class TurnRecord {
  public:
    void begin_launch();
    // The thread is about to make an access.
    void note(std::uint32_t slot);
    std::size_t size() const { return turns_.size(); }
    // The first call writes the file.
    void write(const Race& race);

  private:
    std::uint64_t launches_ = 0;
    std::vector<Turn> turns_;
    std::vector<std::uint32_t> made_;  // accesses, by slot
    bool written_ = false;
};
inline TurnRecord* turn_record = nullptr;  // null: nothing is recorded

// Of each launch, once its threads are known. From the environment, as above.
void begin_turns();
void end_turns();  // of the launch

// The story of this race is looked for: the program ends with it.
bool is_wanted(const Race& race);
// Where RACE_STORY wants the story; null: nowhere.
const char* story_path();

}  // namespace cpu_device::race
