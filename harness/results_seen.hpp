// ResultsSeen: how many different results the runs of a variant have given. A sum of floats depends
// on the order of its terms, and the order on the threads.
#pragma once

#include <cstddef>
#include <cstring>
#include <set>
#include <string>

namespace harness {

class ResultsSeen {
  public:
    void clear() {
        results_.clear();
        runs_ = 0;
    }
    template <typename T>
    void add(T result) {
        std::string bits(sizeof(T), '\0');  // as bits, so that one NaN equals itself
        std::memcpy(bits.data(), &result, sizeof(T));
        results_.insert(bits);
        ++runs_;
    }
    std::size_t different() const { return results_.size(); }
    // To follow the last result: ", the same in 20 runs", or nothing after one run.
    std::string text() const {
        if (runs_ < 2) {
            return "";
        }
        const std::string in_runs = " in " + std::to_string(runs_) + " runs";
        return results_.size() == 1
                   ? ", the same" + in_runs
                   : ", " + std::to_string(results_.size()) + " different" + in_runs;
    }

  private:
    std::set<std::string> results_;
    int runs_ = 0;
};

}  // namespace harness
