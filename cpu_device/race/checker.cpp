#include "race/checker.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "cpu_device/race.h"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/streams.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

std::uint64_t accesses_checked = 0;

std::uint32_t threads_per_block = 1;  // of the launch

// What is kept of an access: one cache line holds two.
struct Kept {
    std::uint64_t where;  // the pointer, and in the upper 16 bits the line
    std::uint32_t slot, time, moment, chain, link;
    std::uint8_t bytes = 0;  // 0: no access
    std::uint8_t mask : 4;
    Access::Kind kind : 2;
    bool atomic : 1;
    bool is_volatile : 1;
    Scope scope;

    Kept() = default;
    explicit Kept(const Access& access)
        : where(packed(access.where)),
          slot(access.slot),
          time(access.time),
          moment(access.moment),
          chain(access.chain),
          link(access.link),
          bytes(access.bytes),
          mask(access.mask & 0xfu),
          kind(access.kind),
          atomic(access.atomic),
          is_volatile(access.is_volatile),
          scope(access.scope) {}

    static std::uint64_t packed(const Where& where) {
        return static_cast<std::uint64_t>(where.line) << 48 |
               reinterpret_cast<std::uintptr_t>(where.at);
    }
    static Where place(std::uint64_t packed) {
        return {reinterpret_cast<const void*>(packed << 16 >> 16), static_cast<int>(packed >> 48)};
    }
    Access access() const {
        Access whole{};
        whole.slot = slot;
        whole.time = time;
        whole.moment = moment;
        whole.block = slot / threads_per_block;
        whole.thread = static_cast<std::uint16_t>(slot % threads_per_block);
        whole.kind = kind;
        whole.atomic = atomic;
        whole.scope = scope;
        whole.is_volatile = is_volatile;
        whole.bytes = bytes;
        whole.mask = mask;
        whole.chain = chain;
        whole.link = link;
        whole.where = place(where);
        return whole;
    }
    bool wide() const { return atomic && scope >= Scope::device; }
};
static_assert(sizeof(Kept) == 32, "half a cache line");

// Two atomics of one size that include each other's threads: they do not race.
bool both_atomic(const Kept& a, const Kept& b) {
    if (!a.atomic || !b.atomic || a.bytes != b.bytes || a.mask != b.mask) {
        return false;
    }
    const Scope narrower = std::min(a.scope, b.scope);
    return narrower >= Scope::device || a.slot == b.slot ||
           (narrower >= Scope::block && a.slot / threads_per_block == b.slot / threads_per_block);
}

// Accesses to one word that have to be kept, the latest last. Most words have one at most.
class AccessList {
  public:
    Kept* begin() { return more_ == nullptr ? &one_ : more_->all.data(); }
    Kept* end() { return begin() + size(); }
    const Kept* begin() const { return more_ == nullptr ? &one_ : more_->all.data(); }
    const Kept* end() const { return begin() + size(); }
    std::size_t size() const {
        return more_ == nullptr ? (one_.bytes != 0 ? 1 : 0) : more_->all.size();
    }
    bool empty() const { return size() == 0; }
    // Are all of them wide atomics of one size?
    bool counting() const {
        return more_ == nullptr ? one_.wide() && !one_.is_volatile : more_->counting;
    }

    void clear() {
        one_.bytes = 0;
        more_ = nullptr;
    }
    void add(const Kept& access) {
        if (empty()) {
            clear();
            one_ = access;
            return;
        }
        if (more_ == nullptr) {
            more_ = std::make_unique<Many>();
            more_->counting = one_.wide() && !one_.is_volatile;
            more_->all.push_back(one_);
        }
        more_->counting = more_->counting && access.wide() && !access.is_volatile &&
                          both_atomic(more_->all.front(), access);
        more_->all.push_back(access);
        if (!more_->place_of_slot.empty()) {
            more_->note_place(more_->all.size() - 1);
        }
    }
    // A thread's own access of the same kind, the latest that is kept.
    Kept* of_same_kind(const Kept& access) {
        const auto is_it = [&](const Kept& other) {
            return other.slot == access.slot && other.mask == access.mask &&
                   other.bytes == access.bytes && other.atomic == access.atomic &&
                   other.scope == access.scope;
        };
        if (size() > 16) {  // many threads read one word: do not search
            Many& many = *more_;
            if (many.place_of_slot.empty()) {
                for (std::size_t i = 0; i < many.all.size(); ++i) {
                    many.note_place(i);
                }
            }
            const std::size_t place =
                access.slot < many.place_of_slot.size() ? many.place_of_slot[access.slot] : 0;
            if (place == 0 || is_it(many.all[place - 1])) {
                return place == 0 ? nullptr : &many.all[place - 1];
            }
        }
        for (Kept* one = end(); one != begin(); --one) {
            if (is_it(one[-1])) {
                return one - 1;
            }
        }
        return nullptr;
    }
    template <typename Condition>
    void drop_if(Condition condition) {
        if (more_ == nullptr) {
            if (!empty() && condition(one_)) {
                one_.bytes = 0;
            }
            return;
        }
        std::vector<Kept>& all = more_->all;
        const auto kept = std::remove_if(all.begin(), all.end(), condition);
        if (kept == all.begin()) {
            clear();
        } else if (kept != all.end()) {
            all.erase(kept, all.end());
            more_->place_of_slot.clear();
        }
    }

  private:
    struct Many {
        std::vector<Kept> all;
        std::vector<std::uint32_t> place_of_slot;  // place + 1 in `all`; empty while that is short
        bool counting;

        void note_place(std::size_t place) {
            const std::size_t slot = all[place].slot;
            if (place_of_slot.size() <= slot) {
                place_of_slot.resize(slot + 1, 0);
            }
            place_of_slot[slot] = static_cast<std::uint32_t>(place + 1);
        }
    };
    Kept one_;
    std::unique_ptr<Many> more_;
};

// An atomic object. Order is kept for each of them: two bytes of one word are two objects.
struct ObjectState {
    std::size_t begin, bytes;
    std::uint32_t chain, link;
    Location location;  // what atomics have left here
};
std::deque<ObjectState>& objects = *new std::deque<ObjectState>;

// The objects that touch a word, as lists.
struct InWord {
    Object object;
    std::uint32_t next;  // index + 1 in objects_in_words; 0 ends the list
};
std::vector<InWord>& objects_in_words = *new std::vector<InWord>;

struct WordState {
    std::size_t number;
    AccessList writes, reads;
    std::uint32_t objects;     // index + 1 in objects_in_words
    std::uint8_t written;      // the bytes that a thread has written in this launch
    bool read_only;            // is in read_only_words
    std::uint64_t last_step;   // its number in `steps`, from 1
    std::uint64_t changed_at;  // where the last write was that was not of the same value: packed,
    std::uint32_t changed_by;  // and by which slot
};

// The states of words, in pieces that stay where they are. word_notes holds index + 1.
constexpr std::size_t words_per_piece = 1024;
std::vector<std::unique_ptr<WordState[]>>& words = *new std::vector<std::unique_ptr<WordState[]>>;
std::size_t words_used = 0;

WordState& word_state(std::size_t index) {
    return words[index / words_per_piece][index % words_per_piece];
}

WordState& state_of(std::size_t number) {
    std::uint32_t& note = word_notes[number];
    if (note == 0) {
        if (words_used == words.size() * words_per_piece) {
            words.push_back(std::make_unique<WordState[]>(words_per_piece));
        }
        WordState& fresh = word_state(words_used);
        fresh.number = number;
        fresh.writes.clear();
        fresh.reads.clear();
        fresh.objects = 0;
        fresh.written = 0;
        fresh.read_only = false;
        fresh.last_step = 0;
        fresh.changed_at = 0;
        note = static_cast<std::uint32_t>(++words_used);
    }
    return word_state(note - 1);
}

template <typename Function>
void for_each_object(const WordState& word, Function function) {
    for (std::uint32_t at = word.objects; at != 0; at = objects_in_words[at - 1].next) {
        function(objects_in_words[at - 1].object);
    }
}

// The object at this place, which is new if it was never used as one.
Object object_at(std::size_t begin, std::size_t bytes) {
    auto found = static_cast<Object>(objects.size());
    for_each_object(state_of(begin / 4), [&](Object object) {
        if (objects[object].begin == begin && objects[object].bytes == bytes) {
            found = object;
        }
    });
    if (found == objects.size()) {
        objects.push_back({begin, bytes, 0, 0, {}});
        for (std::size_t word = begin / 4; word <= (begin + bytes - 1) / 4; ++word) {
            WordState& state = state_of(word);
            objects_in_words.push_back({found, state.objects});
            state.objects = static_cast<std::uint32_t>(objects_in_words.size());
        }
    }
    return found;
}

// An access that is no atomic access to these objects has written over them.
void overwrite_objects(Clocks& me, const WordState& word, std::size_t begin, std::size_t bytes,
                       Object except) {
    for_each_object(word, [&](Object number) {
        ObjectState& object = objects[number];
        const std::size_t first = std::max(begin, object.begin);
        const bool overlap = first < std::min(begin + bytes, object.begin + object.bytes);
        if (number != except && overlap && first / 4 == word.number) {  // once, if there are more
            ++object.chain;
            object.link = 0;
            overwritten(me, number, object.location);
        }
    });
}

// The last steps of all threads, for the reports: those on one word are linked.
struct Step {
    Access access;
    std::uint64_t previous;  // step on this word
};
constexpr std::size_t steps_kept = 1 << 16;
constexpr std::size_t most_steps = 200;  // for a report: those of other threads among them
std::vector<Step>& steps = *new std::vector<Step>;
std::uint64_t step_count = 0;

void note_step(WordState& word, const Access& access) {
    steps[step_count % steps_kept] = {access, word.last_step};
    word.last_step = ++step_count;
}

std::vector<Access> last_steps(const WordState& word) {
    std::vector<Access> found;
    std::uint64_t number = word.last_step;
    while (number != 0 && step_count - number < steps_kept && found.size() < most_steps) {
        const Step& step = steps[(number - 1) % steps_kept];
        found.push_back(step.access);
        number = step.previous;
    }
    std::reverse(found.begin(), found.end());
    return found;
}

// PTX: an atomic write is ordered before what follows an operation that read it, directly or
// through an unbroken chain of read-modify-writes. So the last of many blocks may reset a counter
// that all have increased, although relaxed increments order nothing else.
bool read_before(const Kept& earlier, const WordState& word, const Clocks& me) {
    if (!earlier.atomic || earlier.kind == Access::read) {
        return false;
    }
    const auto has_read_it = [&](const Kept& access) {
        return access.atomic && access.kind != Access::write && access.chain == earlier.chain &&
               access.link >= earlier.link && me.knows(access.slot, access.time) &&
               both_atomic(access, earlier);
    };
    return std::any_of(word.writes.begin(), word.writes.end(), has_read_it) ||
           std::any_of(word.reads.begin(), word.reads.end(), has_read_it);
}

void check_against(const AccessList& accesses, const WordState& word, const Kept& now,
                   const Access& whole, const Clocks& me) {
    if (accesses.counting() && !accesses.empty() && both_atomic(*accesses.begin(), now)) {
        return;  // a counter of many threads
    }
    for (const Kept* access = accesses.end(); access != accesses.begin(); --access) {
        const Kept& earlier = access[-1];  // the latest first
        if ((earlier.mask & now.mask) == 0 || me.knows(earlier.slot, earlier.time)) {
            continue;
        }
        const bool may_meet =
            both_atomic(earlier, now) && !(earlier.is_volatile && now.is_volatile);
        if (!may_meet && !read_before(earlier, word, me)) {
            const Access first = earlier.access();
            if (!is_known(first, whole)) {
                report_race(first, whole, me, word.number, last_steps(word));
            }
            return;
        }
    }
}

// Keeps `now`, and drops the accesses that it stands for: what comes after `now` comes after them
// as well, or they have just been reported.
void keep(WordState& word, const Kept& now, const Clocks& me) {
    if (now.kind == Access::read) {
        // What has been read in another chain counts as long as the write that began it does.
        const auto counts_still = [&](const Kept& read) {
            return read.atomic && read.chain != now.chain &&
                   std::any_of(word.writes.begin(), word.writes.end(), [&](const Kept& write) {
                       return write.atomic && write.chain == read.chain && both_atomic(write, read);
                   });
        };
        Kept* const known = word.reads.of_same_kind(now);
        if (known != nullptr && !counts_still(*known)) {
            *known = now;
            return;
        }
        if (known != nullptr) {
            word.reads.drop_if([&](const Kept& other) {
                return other.slot == now.slot && other.atomic && other.mask == now.mask &&
                       other.bytes == now.bytes && other.scope == now.scope && !counts_still(other);
            });
        }
        word.reads.add(now);
        return;
    }
    const auto stands_for = [&](const Kept& earlier) {
        if (!now.atomic) {
            return (earlier.mask & ~now.mask) == 0;
        }
        const bool narrower = earlier.scope < now.scope;  // other blocks race with it alone
        return both_atomic(earlier, now) && !narrower &&
               (me.knows(earlier.slot, earlier.time) ||
                (now.kind == Access::update && earlier.chain == now.chain));
    };
    word.writes.drop_if(stands_for);
    if (!now.atomic) {
        word.reads.drop_if(stands_for);
    }
    word.writes.add(now);
}

constexpr Object no_object = ~Object{0};

// What has been read by __ldg, by the number of the word.
struct ReadOnly {
    std::uint8_t mask;
    Where where;
};
std::unordered_map<std::size_t, ReadOnly>& read_only_words =
    *new std::unordered_map<std::size_t, ReadOnly>;

// The last plain store of 4 or 8 bytes; none if `bytes` is 0.
Access last_store{};
std::size_t last_store_at = 0;

// Puts the (at most 8) bytes of `value`, which belong to `from`, into the 8 bytes from `at` on.
void put(std::uint64_t& into, std::size_t at, std::size_t from, std::uint64_t value,
         std::size_t bytes) {
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 8); ++i) {
        const std::size_t place = from + i - at;  // wraps around for bytes before `at`
        if (place < 8) {
            into = (into & ~(std::uint64_t{0xff} << 8 * place)) | (value >> 8 * i & 0xff)
                                                                      << 8 * place;
        }
    }
}

// `old`: what an atomic has found.
void check_words(Clocks& me, std::size_t begin, std::size_t bytes, Access now, Object object,
                 std::uint64_t old = 0) {
    if (object != no_object) {
        ObjectState& mine = objects[object];
        if (now.kind == Access::write) {
            ++mine.chain;
            mine.link = 0;
        } else if (now.kind == Access::update) {
            ++mine.link;
        }
        now.chain = mine.chain;
        now.link = mine.link;
    }
    for (std::size_t word = begin / 4; word <= (begin + bytes - 1) / 4; ++word) {
        const std::size_t first = word * 4 < begin ? begin - word * 4 : 0;
        const std::size_t end = std::min<std::size_t>(4, begin + bytes - word * 4);
        now.mask = static_cast<std::uint8_t>((0xfu << first) & (0xfu >> (4 - end)));
        WordState& state = state_of(word);
        if (now.kind != Access::read && state.objects != 0) {
            overwrite_objects(me, state, begin, bytes, object);
        }
        now.before = value_at(word * 4, 8);
        if (now.atomic) {  // has been made already
            put(now.before, word * 4, begin, old, bytes);
        }
        const Kept kept(now);
        check_against(state.writes, state, kept, now, me);
        if (now.kind != Access::read) {
            check_against(state.reads, state, kept, now, me);
        }
        keep(state, kept, me);
        if (now.kind != Access::read) {
            state.written |= now.mask;
            if (state.read_only && (read_only_words[word].mask & now.mask) != 0) {
                report_read_only(me, read_only_words[word].where, now.where, now.slot, begin,
                                 bytes);
            }
        }
        if (now.kind != Access::read && (!now.atomic || value_at(begin, bytes) != old)) {
            state.changed_at = kept.where;
            state.changed_by = now.slot;
        }
        note_step(state, now);
    }
}

Access::Kind kind_of(AtomicKind kind) {
    constexpr Access::Kind kinds[] = {Access::read, Access::write, Access::update};
    return kinds[static_cast<int>(kind)];
}

Access access_of(const Clocks& me, Access::Kind kind, bool atomic, Scope scope, std::size_t bytes,
                 Where where, std::uint64_t before) {
    Access access{};
    access.slot = me.slot;
    access.time = me.time;
    access.block = me.block;
    access.moment = moment();
    access.thread = static_cast<std::uint16_t>(me.thread);
    access.kind = kind;
    access.atomic = atomic;
    access.scope = scope;
    access.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(bytes, 255));
    access.where = where;
    access.before = before;
    return access;
}

void atomic_access(Clocks& me, std::size_t offset, std::size_t bytes, AtomicKind kind, Order order,
                   Scope scope, Where where, std::uint64_t before, bool volatile_shared = false) {
    if (order == Order::seq_cst) {
        fence(me, order, scope);
    }
    const Object object = object_at(offset, bytes);
    Location& location = objects[object].location;  // of a deque: it stays where it is
    if (kind != AtomicKind::store) {
        atomic_reads(me, object, location, order, scope);
    }
    Access now = access_of(me, kind_of(kind), true, scope, bytes, where, before);
    now.is_volatile = volatile_shared;
    check_words(me, offset, bytes, now, object, before);
    atomic_is_done(me, object, location, kind, order, scope, where);
}

// Is the memory there, and was that written which is read? An access that touches some bytes
// that were written passes for a whole: it may be that of a struct with padding.
bool memory_is_there(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                     bool atomic, Where where) {
    const bool reads = kind != Access::write;
    const bool writes = kind != Access::read;
    static constexpr std::uint8_t all_written[16] = {
        written, written, written, written, written, written, written, written,
        written, written, written, written, written, written, written, written};
    if (is_shared(offset) && offset / arena_bytes != me.arena) {
        report_foreign(me, offset, bytes, where);
        return false;
    }
    std::uint8_t* const states = byte_states + offset;
    if (bytes <= sizeof all_written && std::memcmp(states, all_written, bytes) == 0) {
        return true;
    }
    if (std::memchr(states, outside, bytes) != nullptr) {
        report_memory(me, offset, bytes, kind, atomic, outside, where);
        return false;
    }
    if (reads && std::memchr(states, written, bytes) == nullptr) {
        report_memory(me, offset, bytes, kind, atomic, unwritten, where);
    }
    if (writes) {
        std::memset(states, written, bytes);
    }
    return true;
}

// An atomic that never changes a word is a read, also if it is called atomicAdd. By its place.
struct SharedReads {
    std::string text;  // of the first that nothing orders
    bool changes = false;
    std::set<std::pair<std::uint32_t, std::size_t>> open;  // slot and offset
};
bool looks_at_shared_reads = false;
std::map<std::pair<const void*, int>, SharedReads>& shared_reads =
    *new std::map<std::pair<const void*, int>, SharedReads>;

void note_shared_atomic(const Clocks& me, std::size_t offset, const AtomicStep& step,
                        std::uint64_t before, Where where) {
    SharedReads& here = shared_reads[{where.at, where.line}];
    const bool changes = step.kind == AtomicKind::store || value_at(offset, step.bytes) != before;
    here.changes = here.changes || changes;
    if (step.kind != AtomicKind::load) {  // what the thread has read was the first half of this
        for (auto& [place, reads] : shared_reads) {
            if (changes || &reads != &here) {
                reads.open.erase({me.slot, offset});
            }
        }
    }
    if (here.changes) {
        return;
    }
    for (const Kept& write : state_of(offset / 4).writes) {
        if (!write.atomic || write.slot == me.slot || me.knows(write.slot, write.time)) {
            continue;
        }
        here.open.insert({me.slot, offset});
        if (here.text.empty()) {
            const Access first = write.access();
            here.text = "  " + place_of(where) + ": " + name_of(me.block, me.thread) +
                        " reads by an atomic\n  " + describe(offset, step.bytes) + ",\n  which " +
                        name_of(first) + " has changed at " + place_of(first.where) +
                        ".\n  Each is one step, but nothing orders the two, nor what comes before "
                        "and after them.\n  A barrier between the steps does.\n";
        }
        return;
    }
}

void report_shared_reads() {
    for (const auto& [place, reads] : shared_reads) {
        if (!reads.changes && !reads.open.empty() && !has_ordered()) {
            const std::string text = place_of({place.first, place.second});
            report("READ WITHOUT ORDER", "unordered " + text, reads.text);
        }
    }
    shared_reads.clear();
}

// What other streams' work must be compared with: of each word of global memory, the accesses of
// each sort. A read of the same sort as a write comes after it, and need not be kept.
std::vector<Use> uses_of_launch() {
    std::vector<Use> uses;
    const std::size_t most = has_streams() ? words_used : std::min(words_used, most_uses);
    for (std::size_t i = words_used - most; i < words_used; ++i) {
        const WordState& word = word_state(i);
        if (is_shared(word.number * 4)) {
            continue;
        }
        const auto first = static_cast<std::ptrdiff_t>(uses.size());
        for (const AccessList* const list : {&word.writes, &word.reads}) {
            for (const Kept& kept : *list) {
                const Access access = kept.access();
                const auto same_sort = [&](const Use& use) {
                    const Access& other = use.access;
                    return other.wide() == access.wide() && other.bytes == access.bytes &&
                           other.mask == access.mask;
                };
                if (std::none_of(uses.begin() + first, uses.end(), same_sort)) {
                    uses.push_back({word.number, 1, access});
                }
            }
        }
    }
    return uses;
}

}  // namespace

void check_plain(Clocks& me, std::size_t offset, std::size_t bytes, bool write, bool is_volatile,
                 Where where) {
    ++accesses_checked;
    if (!memory_is_there(me, offset, bytes, write ? Access::write : Access::read, false, where)) {
        return;
    }
    const Access now = access_of(me, write ? Access::write : Access::read, false, Scope::system,
                                 bytes, where, value_at(offset, bytes));
    if (is_volatile) {
        atomic_access(me, offset, bytes, write ? AtomicKind::store : AtomicKind::load,
                      Order::relaxed, Scope::system, where, now.before, is_shared(offset));
    } else {
        check_words(me, offset, bytes, now, no_object);
    }
    if (write && (bytes == 4 || bytes == 8)) {
        last_store = now;
        last_store_at = offset;
    }
}

void look_at_shared_reads(bool look) {
    looks_at_shared_reads = look;
}

void check_atomic(Clocks& me, std::size_t offset, const AtomicStep& step, std::uint64_t before) {
    ++accesses_checked;
    const Where where{step.place.file, step.place.line};
    // Who exchanges may leave the old value alone: then it is a write, as a store is.
    const Access::Kind needs = step.replaces ? Access::write : kind_of(step.kind);
    if (memory_is_there(me, offset, step.bytes, needs, true, where)) {
        if (looks_at_shared_reads && is_shared(offset)) {
            note_shared_atomic(me, offset, step, before, where);
        }
        atomic_access(me, offset, step.bytes, step.kind, step.order, step.scope, where, before);
    }
}

// At the end of the program's variables there may be fewer bytes.
std::uint64_t value_at(std::size_t offset, std::size_t bytes) {
    const std::size_t end = reserved_bytes + (offset < reserved_bytes ? 0 : variables_bytes);
    std::uint64_t value = 0;
    std::memcpy(&value, address_of(offset), std::min({bytes, std::size_t{8}, end - offset}));
    return value;
}

void check_read_only(const Clocks& me, std::size_t offset, std::size_t bytes, Where where) {
    for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
        const std::size_t first = word * 4 < offset ? offset - word * 4 : 0;
        const std::size_t end = std::min<std::size_t>(4, offset + bytes - word * 4);
        const auto mask = static_cast<std::uint8_t>((0xfu << first) & (0xfu >> (4 - end)));
        WordState& state = state_of(word);
        if ((state.written & mask) != 0 && !state.writes.empty()) {
            const Access write = state.writes.end()[-1].access();
            report_read_only(me, where, write.where, write.slot, offset, bytes);
        }
        ReadOnly& known = read_only_words[word];
        known.mask = state.read_only ? known.mask | mask : mask;
        known.where = where;
        state.read_only = true;
    }
}

void look_at_stored_value() {
    if (last_store.bytes != 0) {
        const std::uint64_t unset = last_store.bytes == 4 ? 0xfefefefeu : 0xfefefefefefefefeu;
        if (value_at(last_store_at, last_store.bytes) == unset) {
            report_unset(last_store, last_store_at);
        }
        last_store.bytes = 0;
    }
}

void forget_memory(std::size_t begin, std::size_t bytes) {
    // The words' states stay unused until the launch ends.
    std::memset(word_notes + begin / 4, 0, (bytes + 3) / 4 * sizeof *word_notes);
}

std::optional<Access> last_change(std::size_t offset) {
    const std::uint32_t note = word_notes[offset / 4];
    if (note == 0 || word_state(note - 1).changed_at == 0) {
        return {};
    }
    Kept change{};
    change.slot = word_state(note - 1).changed_by;
    change.where = word_state(note - 1).changed_at;
    return change.access();
}

void begin_launch(const LaunchConfig& config) {
    reserve_memory();
    begin_json();
    threads_per_block = config.block.x * config.block.y * config.block.z;
    steps.resize(steps_kept);
    name_launch(&config);
}

// All of a launch is after what came before it in its stream, and before what comes after it.
void end_launch(const LaunchConfig& config) {
    report_shared_reads();
    print_reports();
    launch_in_stream(config, uses_of_launch());
    for (std::size_t i = 0; i < words_used; ++i) {
        word_notes[word_state(i).number] = 0;
    }
    words_used = 0;
    objects.clear();
    objects_in_words.clear();
    read_only_words.clear();
    words.resize(std::min<std::size_t>(words.size(), 64));  // not all memory is kept
    forget_order();
    name_launch(nullptr);
}

std::uint64_t accesses() {
    return accesses_checked;
}

}  // namespace cpu_device::race
