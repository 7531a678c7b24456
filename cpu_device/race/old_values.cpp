#include "race/old_values.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cpu_device/race.h"
#include "race/memory.hpp"
#include "race/outcome_plan.hpp"
#include "race/plan.hpp"
#include "race/run.hpp"
#include "race/stale_values.hpp"
#include "race/views.hpp"
#include "system.hpp"

namespace cpu_device::race {

OldValues old_values = OldValues::off;

namespace {

constexpr std::size_t stores_kept = 16;  // of a word, where the seed draws

struct ChosenStore {
    Object object = no_object;
    std::size_t offset = 0, bytes = 0;
    std::size_t index = 0;  // of the store
    std::size_t made = 0;   // of the access's own store; 0: none
    AtomicKind kind{};
    bool checked = false;  // the access has been found to be one of memory that is there
};
ChosenStore& chosen = *new ChosenStore;
SeqCstFences& fences = *new SeqCstFences;
std::uint64_t random_state = 0;
bool takes_oldest = false;       // wherever a load can, it reads the oldest store
std::uint64_t loads = 0;         // that have read old values, since the program began or has asked
std::uint64_t loads_before = 0;  // this launch
constexpr std::uint64_t sure_loads = 1000;  // of a launch; from there on, draws decide

// What the environment says, until the program says something else.
struct Wanted {
    const char* const values = std::getenv("RACE_OLD_VALUES");  // null: as the seed has it
    bool by_program = false;
    std::uint64_t most_loads =
        whole_number_from_environment("RACE_OLD_LOADS", UINT64_MAX, 0, UINT64_MAX);
    bool tells = std::getenv("RACE_TELL_OLD_LOAD") != nullptr;

    bool in(std::uint64_t seed) const {
        return by_program ||
               (values != nullptr ? std::strcmp(values, "0") != 0 : seed % old_values_every == 0);
    }
};
Wanted& wanted = *new Wanted;

std::uint64_t draw() {  // splitmix64; its own, so that the order of turns stays the seed's
    std::uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void set_memory(std::size_t offset, std::size_t bytes, std::uint64_t value) {
    std::memcpy(const_cast<char*>(address_of(offset)), &value, bytes);
}

// Counted from the newest one of the stores that the access can take.
std::size_t choose_of(std::size_t count, AtomicKind kind) {
    if (old_values == OldValues::explored) {
        return plan->choose_value(count, kind);
    }
    if (kind != AtomicKind::load || count == 1 || loads == wanted.most_loads) {
        return 0;
    }
    if (takes_oldest) {
        return loads - loads_before < sure_loads || draw() % 2 == 0 ? count - 1 : 0;
    }
    return draw() % 4 == 0 ? 1 + draw() % (count - 1) : 0;
}

}  // namespace

void begin_old_values() {
    if (explores_outcomes()) {
        old_values = OldValues::explored;
    } else {
        const std::uint64_t seed = run.schedule.seed();
        // The views of a launch know nothing of what the kernels of other devices have ordered.
        const bool can = plan == nullptr && !keeps_system_scope;
        old_values = can && wanted.in(seed) ? OldValues::drawn : OldValues::off;
        takes_oldest = wanted.by_program || seed / old_values_every % 2 == 1;
    }
    chosen = {};
    access_is_open = false;
    loads_before = loads;
    fences = {};
    random_state = run.schedule.seed();
}

void show_old_loads(std::uint64_t count, bool tell) {
    loads = loads_before = 0;
    wanted.by_program = count > 0;
    wanted.most_loads = count > 0 ? count : UINT64_MAX;
    wanted.tells = tell;
}

void seq_cst_fence(Clocks& me, Scope scope) {
    if (old_values == OldValues::off) {
        fence(me, Order::seq_cst, scope);
        return;
    }
    if (old_values == OldValues::explored) {
        fences.pass(me, scope);
        return;
    }
    fences.pass(me, scope, me.fences_before);
}

void choose_store(Clocks& me, const volatile void* address, std::size_t bytes, AtomicKind kind,
                  Order order, Scope scope, Where where, const std::uint64_t* compare) {
    if (order == Order::seq_cst && old_values == OldValues::drawn) {
        fences.pass(me, scope, me.fences_before);
    }
    const std::size_t offset = offset_of(address);
    if (offset == unchecked || bytes > sizeof(std::uint64_t) || offset % bytes != 0) {
        return;
    }
    const Object number = history.object_at(offset, bytes);
    ObjectState& object = history.object(number);
    if (object.stores == nullptr) {
        object.stores = std::make_unique<Stores>(value_at(offset, bytes), object.chain, object.link,
                                                 object.version);
    }
    Stores& stores = *object.stores;
    if (old_values == OldValues::drawn) {
        stores.keep(stores_kept);
    }
    const std::size_t oldest = stores.oldest_for(me);
    std::vector<std::size_t> possible;
    for (std::size_t i = stores.size(); i > oldest; --i) {
        const bool fails = compare != nullptr && stores[i - 1].value != *compare;
        if (kind == AtomicKind::load || stores.can_update(i - 1) || fails) {
            possible.push_back(i - 1);
        }
    }
    chosen = {};
    chosen.object = number;
    chosen.offset = offset;
    chosen.bytes = bytes;
    chosen.kind = kind;
    chosen.index = possible[choose_of(possible.size(), kind)];
    if (old_values == OldValues::drawn && kind == AtomicKind::load &&
        chosen.index != possible.front()) {
        // Who has found this already gets the newest one: so that loops end.
        if (run.now.recent_loads().has_read(number, stores[chosen.index].version,
                                            Kept::packed(where))) {
            chosen.index = possible.front();
        } else {
            ++loads;
            run.spins.note_news();
        }
    }
    access_is_open = true;
    set_memory(offset, bytes, stores[chosen.index].value);
}

std::uint32_t version_read(const ObjectState& object) {
    return access_is_open ? (*object.stores)[chosen.index].version : object.version;
}

void enter_chosen_store(const Clocks& me, ObjectState& object, AtomicKind kind, Scope scope) {
    if (!access_is_open) {
        return;
    }
    Stores& stores = *object.stores;
    if (kind == AtomicKind::store) {
        object.location = {};
        object.chain = stores.last_chain();
    } else {
        object.location = stores.read(me, chosen.index, scope);
        object.chain = stores[chosen.index].chain;
        object.link = stores[chosen.index].link;
    }
}

void leave_chosen_store(const Clocks& me, ObjectState& object, AtomicKind kind, Scope scope,
                        Where where, std::uint32_t time) {
    if (!access_is_open) {
        return;
    }
    chosen.checked = true;
    const std::size_t newer = object.stores->size() - 1 - chosen.index;
    if (kind != AtomicKind::load) {
        Store made;
        made.value = value_at(chosen.offset, chosen.bytes);
        made.made = {me.slot, time};
        made.strong = true;
        made.scope = scope;
        made.is_update = kind == AtomicKind::update;
        made.carries = std::move(object.location);
        made.chain = object.chain;
        made.link = object.link;
        made.version = object.version;
        made.where = where;
        object.stores->add(me, chosen.index, std::move(made));
        chosen.made = chosen.index + 1;
    }
    if (wanted.tells && kind == AtomicKind::load && newer > 0 && loads == wanted.most_loads) {
        wanted.tells = false;
        report_stale_value(me, chosen.object, (*object.stores)[object.stores->size() - 1]);
    }
    if (old_values == OldValues::explored) {
        tell_step(me, kind, (*object.stores)[chosen.index].value, newer, where);
    }
}

void finish_chosen_access() {
    access_is_open = false;
    ObjectState& object = history.object(chosen.object);
    if (object.stores == nullptr) {
        return;
    }
    if (!chosen.checked && chosen.kind != AtomicKind::load) {
        object.stores.reset();  // the access was reported; memory is what it has left
        return;
    }
    Stores& stores = *object.stores;
    if (chosen.made != 0) {
        // The store that a volatile access makes comes after the check.
        stores.set_value(chosen.made, value_at(chosen.offset, chosen.bytes));
    }
    set_memory(chosen.offset, chosen.bytes, stores[stores.size() - 1].value);
}

}  // namespace cpu_device::race
