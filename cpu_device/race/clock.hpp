// Vector clocks for many threads, of which most know little of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cpu_device::race {

// A shared object that counts its owners in a plain number: all of it runs on one OS thread at a
// time.
template <typename T>
class Ref {
  public:
    Ref() = default;
    explicit Ref(T* object) : object_(object) { ++object_->owners; }
    Ref(const Ref& other) : object_(other.object_) {
        if (object_ != nullptr) {
            ++object_->owners;
        }
    }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_ != nullptr) {
            give_up();
        }
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    bool operator==(const Ref& other) const { return object_ == other.object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // The object, to be changed: a copy of it if there are other owners.
    T& own() {
        if (object_ == nullptr) {
            *this = Ref(new T);
        } else if (object_->owners > 1) {
            *this = Ref(new T(*object_));
        }
        return *object_;
    }

  private:
    void give_up() {
        // Clang's analyzer does not see that each other owner is counted.
        // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDelete)
        if (--object_->owners == 0) {
            delete object_;
        }
    }

    T* object_ = nullptr;
};

// How many owners a Ref counts; a copy of the object starts anew.
struct Owned {
    std::uint32_t owners = 0;
    Owned() = default;
    Owned(const Owned&) {}
    Owned& operator=(const Owned&) = delete;
};

// For each thread of the launch, by its slot, how far that thread's past is known. Copies share
// their parts until one of them changes: a barrier gives all its threads the same clock.
//
// A clock that is made from another one by set() is its successor, and knows all that the other
// does. To join the two is to take the later one, whatever their size: so it is with a lock that
// goes from thread to thread.
//
// A clock has further places, with numbers of their own, for what launches of other devices have
// left: see race/across_devices.hpp.
class VectorClock {
  public:
    static constexpr std::size_t marks = 64 * 64;
    bool has_mark(std::size_t mark) const {
        return root_ && !root_->parts.empty() && root_->parts[0] && parts_of_marks == 1 &&
               root_->parts[0]->leaves[mark / width] &&
               root_->parts[0]->leaves[mark / width]->times[mark % width] != 0;
    }
    void set_mark(std::size_t mark) { set_at(mark, 1); }
    VectorClock marks_only() const;
    bool has_slots() const;
    static void keep_marks() { parts_of_marks = 1; }  // before there is any clock of a launch

    bool empty() const { return !root_; }
    std::uint32_t of(std::size_t slot) const {
        const Leaf* const leaf = leaf_of(slot / width);
        return leaf == nullptr ? 0 : leaf->times[slot % width];
    }
    // All of these slots up to that time, which is above 0? `slots`: a bit for each of the 64 from
    // `first` on, a multiple of 64; at least one.
    bool knows(std::size_t first, std::uint64_t slots, std::uint32_t time) const {
        const Leaf* const leaf = leaf_of(first / width);
        if (leaf == nullptr) {
            return false;
        }
        for (; slots != 0; slots &= slots - 1) {
            if (leaf->times[__builtin_ctzll(slots)] < time) {
                return false;
            }
        }
        return true;
    }
    void set(std::size_t slot, std::uint32_t time) {
        set_at(slot + parts_of_marks * width * width, time);
    }
    void join(const VectorClock& other);

  private:
    static constexpr std::size_t width = 64;
    static inline std::size_t parts_of_marks = 0;  // in front of those of the slots
    void set_at(std::size_t place, std::uint32_t time);
    struct Leaf : Owned {
        std::uint32_t times[width] = {};
    };
    struct Part : Owned {
        Ref<Leaf> leaves[width];
    };
    struct Line : Owned {  // of clocks, each the successor of the one before
        std::uint64_t latest = 0;
    };
    struct Root : Owned {
        Ref<Line> line;
        std::uint64_t number = 0;  // in the line
        std::vector<Ref<Part>> parts;
    };
    const Leaf* leaf_of(std::size_t base) const {
        const std::size_t part = base / width + parts_of_marks;
        if (!root_ || part >= root_->parts.size() || !root_->parts[part]) {
            return nullptr;
        }
        return root_->parts[part]->leaves[base % width].get();
    }
    struct Joined {
        bool mine, theirs;  // the result is one of the two
    };
    static Joined join(Ref<Leaf>& mine, const Ref<Leaf>& theirs);
    static Joined join(Ref<Part>& mine, const Ref<Part>& theirs);

    Ref<Root> root_;
};

}  // namespace cpu_device::race
