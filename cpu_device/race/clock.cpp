#include "race/clock.hpp"

namespace cpu_device::race {

void VectorClock::set_at(std::size_t place, std::uint32_t time) {
    const bool is_latest = root_ && root_->line && root_->line->latest == root_->number;
    Root& root = root_.own();
    if (!is_latest) {
        root.line = Ref<Line>(new Line);
    }
    root.number = ++root.line->latest;
    const std::size_t part = place / (width * width);
    if (part >= root.parts.size()) {
        root.parts.resize(part + 1);
    }
    root.parts[part].own().leaves[place / width % width].own().times[place % width] = time;
}

VectorClock VectorClock::marks_only() const {
    VectorClock marks;
    if (root_ && !root_->parts.empty()) {
        marks.root_ = Ref<Root>(new Root);
        marks.root_->parts.push_back(root_->parts[0]);
    }
    return marks;
}

bool VectorClock::has_slots() const {
    if (root_) {
        for (std::size_t part = parts_of_marks; part < root_->parts.size(); ++part) {
            if (root_->parts[part]) {
                return true;
            }
        }
    }
    return false;
}

VectorClock::Joined VectorClock::join(Ref<Leaf>& mine, const Ref<Leaf>& theirs) {
    if (mine == theirs || !theirs) {
        return {true, mine == theirs};
    }
    if (!mine) {
        mine = theirs;
        return {false, true};
    }
    Leaf later;
    std::uint32_t not_mine = 0;
    std::uint32_t not_theirs = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const std::uint32_t a = mine->times[i];
        const std::uint32_t b = theirs->times[i];
        later.times[i] = a > b ? a : b;
        not_mine |= later.times[i] ^ a;
        not_theirs |= later.times[i] ^ b;
    }
    if (not_theirs == 0) {
        mine = theirs;
    } else if (not_mine != 0) {
        mine = Ref<Leaf>(new Leaf(later));
    }
    return {not_mine == 0, not_theirs == 0};
}

VectorClock::Joined VectorClock::join(Ref<Part>& mine, const Ref<Part>& theirs) {
    if (mine == theirs || !theirs) {
        return {true, mine == theirs};
    }
    if (!mine) {
        mine = theirs;
        return {false, true};
    }
    Joined all{true, true};
    Ref<Part> result = mine;
    for (std::size_t i = 0; i < width; ++i) {
        if (result->leaves[i] == theirs->leaves[i]) {
            continue;
        }
        Ref<Leaf> leaf = result->leaves[i];
        const Joined one = join(leaf, theirs->leaves[i]);
        all.theirs = all.theirs && one.theirs;
        if (!one.mine) {
            all.mine = false;
            result.own().leaves[i] = std::move(leaf);
        }
    }
    mine = all.theirs ? theirs : std::move(result);
    return all;
}

void VectorClock::join(const VectorClock& other) {
    if (!other.root_ || root_ == other.root_) {
        return;
    }
    if (!root_) {
        root_ = other.root_;
        return;
    }
    if (root_->line && root_->line == other.root_->line) {
        if (root_->number < other.root_->number) {
            root_ = other.root_;
        }
        return;
    }
    Joined all{true, root_->parts.size() <= other.root_->parts.size()};
    Ref<Root> result = root_;
    for (std::size_t i = 0; i < other.root_->parts.size(); ++i) {
        Ref<Part> part = i < result->parts.size() ? result->parts[i] : Ref<Part>();
        const Joined one = join(part, other.root_->parts[i]);
        all.theirs = all.theirs && one.theirs;
        if (!one.mine) {
            all.mine = false;
            Root& changed = result.own();
            if (i >= changed.parts.size()) {
                changed.parts.resize(i + 1);
            }
            changed.parts[i] = std::move(part);
        }
    }
    if (all.theirs) {
        root_ = other.root_;
    } else if (!all.mine) {
        result->line = {};  // it has two that it comes from
        root_ = std::move(result);
    }
}

}  // namespace cpu_device::race
