#include "race/record.hpp"

#include <algorithm>

namespace cpu_device::race {

Record& record = *new Record;

void Record::begin_launch() {
    steps_.resize(kept_);
    mask_ = kept_ - 1;
    before_launch_ = count_;
}

std::uint64_t Record::first() const {
    return std::max(before_launch_, count_ - std::min<std::uint64_t>(count_, steps_.size())) + 1;
}

std::vector<Access> Record::on_word(std::uint64_t last) const {
    std::vector<Access> found;
    for (std::uint64_t number = last; number != 0 && found.size() < most_on_word && holds(number);
         number = step(number).previous) {
        found.push_back(step(number).access);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::uint64_t Record::find(const Access& access, std::uint64_t last) const {
    std::uint64_t number = last;
    while (number != 0 && holds(number)) {
        const Access one = step(number).access;
        if (one.slot == access.slot && one.time == access.time && one.kind == access.kind &&
            one.where == access.where) {
            return number;
        }
        number = step(number).previous;
    }
    return 0;
}

}  // namespace cpu_device::race
