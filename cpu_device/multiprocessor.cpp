// Multiprocessor: blocks take turns on an OS thread. And the launch, which gives them out.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "devices.hpp"
#include "first_and_last_blocks.hpp"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device {

namespace {
std::atomic<std::size_t> blocks_at_each_end{0};  // 0: launches run whole
}

void run_only_first_and_last_blocks(std::size_t count) {
    blocks_at_each_end = count;
}

Grid::Grid(const LaunchConfig& config, void (*threads)(const void*), const void* closure)
    : config_(config),
      threads_(threads),
      closure_(closure),
      threads_per_block_(config.block.x * config.block.y * config.block.z),
      blocks_(std::size_t{config.grid.x} * config.grid.y * config.grid.z),
      blocks_per_os_thread_(resident_blocks(threads_per_block_, config.dynamic_shared)) {
    const std::size_t wanted = 2 * blocks_at_each_end;
    if (wanted > 0 && blocks_ > wanted) {
        left_out_ = blocks_ - wanted;
        blocks_ = wanted;
    }
}

// Where there are fewer OS threads than multiprocessors, each holds the blocks of several: a kernel
// whose blocks wait for each other may count on all that the device promises.
void Grid::set_os_threads(std::size_t os_threads) {
    const auto wanted = static_cast<std::size_t>(multiprocessor_count());
    blocks_per_os_thread_ *= (wanted + os_threads - 1) / os_threads;
    taking_part = static_cast<int>(std::min(os_threads, blocks_));
}

void Grid::give_up(unsigned progress) {
    std::uint64_t before = given_up_;
    std::uint64_t after = 0;
    do {
        if (static_cast<int>(progress - static_cast<unsigned>(before >> 32)) < 0) {
            return;  // others have seen a later one
        }
        after = std::uint64_t{progress} << 32 | (given_up_at(progress, before) + 1);
    } while (!given_up_.compare_exchange_weak(before, after));
}

bool Grid::all_gave_up(unsigned progress) const {
    return static_cast<int>(given_up_at(progress, given_up_)) == taking_part &&
           this->progress == progress;
}

std::size_t Grid::blocks_not_started() const {
    const std::size_t next = next_block_.load();
    return next < blocks_ ? blocks_ - next : 0;
}

namespace {
constexpr std::size_t max_unused_blocks = 2;
}

std::unique_ptr<Block> Multiprocessor::new_block() {
    if (unused_.empty()) {
        return std::make_unique<Block>(*this);
    }
    std::unique_ptr<Block> block = std::move(unused_.back());
    unused_.pop_back();
    return block;
}

// Runs the resident blocks in turn. Another block is taken when none is left, or when all of them
// have waited in vain for a whole round: what they wait for may be one that has not started.
void Multiprocessor::run(Grid& grid) noexcept {
    const Watched watched(*this, grid.config());
    multiprocessor_number = grid.next_multiprocessor++;
    running_fiber = &main;
    std::size_t in_vain = 0;  // blocks in a row that got nowhere
    for (;;) {
        if (grid.failed) {
            resident_.clear();
            leave_stuck_state(grid);
            break;
        }
        if (in_vain >= resident_.size()) {
            std::size_t number = 0;
            if (resident_.size() < grid.blocks_per_os_thread() && grid.take_block(number)) {
                resident_.insert(resident_.begin(), new_block());
                resident_.front()->begin(grid, number);
            } else if (resident_.empty()) {
                break;
            } else {
                wait_for_others(grid);
            }
            in_vain = 0;
        }
        std::unique_ptr<Block> block = std::move(resident_.front());
        resident_.erase(resident_.begin());
        const Block::Outcome outcome = block->run();
        if (outcome == Block::Outcome::idle_throughout) {
            ++in_vain;
        } else {
            in_vain = 0;
            leave_stuck_state(grid);
        }
        if (outcome == Block::Outcome::ended) {
            grid.block_ended();
            unused_.push_back(std::move(block));
        } else {
            resident_.push_back(std::move(block));
        }
    }
    // What the next launch may not need, or needs on other OS threads.
    fibers.return_stacks();
    if (unused_.size() > max_unused_blocks) {
        unused_.resize(max_unused_blocks);
    }
    ++grid.progress;
    --grid.taking_part;
}

// All resident blocks spin, and no further block can start: only another multiprocessor can change
// what they wait for. It is a deadlock when none has got anywhere for a while, and each has tried
// all its threads again since then: time alone says little where the system gives an OS thread no
// CPU for so long.
void Multiprocessor::wait_for_others(Grid& grid) {
    if (!stuck_) {
        stuck_ = true;
        fruitless_rounds_ = 0;
        see_progress(++grid.progress);  // until now this one got on: the others' time starts anew
        ++grid.stuck;
    }
    constexpr unsigned quick_rounds = 200;
    if (++fruitless_rounds_ < quick_rounds) {
        sched_yield();
    } else {
        usleep(20);
    }
    const bool all_stuck = grid.stuck == grid.taking_part;  // read before `progress`: see above
    const unsigned progress = grid.progress;
    if (progress != progress_seen_) {
        see_progress(progress);
    } else {
        ++rounds_since_progress_;
    }
    constexpr unsigned enough_rounds = 16;  // a loop may look at several words in turn
    if (all_stuck && !gave_up_ && rounds_since_progress_ >= enough_rounds &&
        seconds_now() - stuck_since_ > deadlock_seconds()) {
        gave_up_ = true;
        grid.give_up(progress);
    }
    if (fruitless_rounds_ >= quick_rounds && grid.all_gave_up(progress)) {
        grid.deadlocked = true;
    }
    if (grid.deadlocked) {
        report_deadlock(grid);
    }
}

void Multiprocessor::see_progress(unsigned progress) {
    progress_seen_ = progress;
    rounds_since_progress_ = 0;
    stuck_since_ = seconds_now();
    gave_up_ = false;
}

void Multiprocessor::leave_stuck_state(Grid& grid) {
    if (stuck_) {
        stuck_ = false;
        --grid.stuck;
        ++grid.progress;
    }
}

namespace {

// The OS threads beside the caller's own. They sleep between launches. There are fewer than wanted
// where the system does not give so many.
class Helpers {
  public:
    Helpers() {
        while (
            count_ + 1 < static_cast<std::size_t>(multiprocessor_count()) &&
            start_os_thread([](void* self) { return static_cast<Helpers*>(self)->work(); }, this)) {
            ++count_;
        }
    }
    std::size_t count() const { return count_; }

    // Lets up to `wanted` helpers join the grid.
    void invite(Grid& grid, std::size_t wanted) {
        const std::lock_guard<std::mutex> lock(mutex_);
        grid_ = &grid;
        places_ = wanted;
        for (std::size_t i = 0; i < wanted; ++i) {
            wake_.notify_one();
        }
    }
    // Lets no further helper join, and waits for those who have.
    void dismiss() {
        std::unique_lock<std::mutex> lock(mutex_);
        // Those that have not come yet take no part: those that have must not wait for them.
        grid_->taking_part -= static_cast<int>(places_);
        ++grid_->progress;
        places_ = 0;
        left_.wait(lock, [this] { return working_ == 0; });
        grid_ = nullptr;
    }

  private:
    [[noreturn]] void* work() {
        Multiprocessor multiprocessor;
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return places_ > 0; });
            --places_;
            ++working_;
            Grid& grid = *grid_;
            lock.unlock();
            multiprocessor.run(grid);
            lock.lock();
            if (--working_ == 0) {
                left_.notify_all();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, left_;
    Grid* grid_ = nullptr;
    std::size_t count_ = 0;
    std::size_t places_ = 0;
    std::size_t working_ = 0;
};

Helpers* helpers = nullptr;  // never deleted: they sleep until the program ends
std::mutex one_launch_at_a_time;

}  // namespace

void launched_with(const LaunchConfig&, unsigned, const void*, Pointee) {}

void launch(const LaunchConfig& config, void (*threads)(const void*), const void* closure) {
    if (!acceptable(config)) {
        return;
    }
    const std::lock_guard<std::mutex> lock(one_launch_at_a_time);
    static thread_local Multiprocessor multiprocessor;
    const LaunchOnDevice here;
    Grid grid(config, threads, closure);
    const std::size_t useful = std::min<std::size_t>(multiprocessor_count(), grid.blocks());
    if (useful > 1) {
        if (helpers == nullptr) {
            // A child made by fork() has no helpers: it starts with none, and makes its own.
            static const int registered =
                pthread_atfork(nullptr, nullptr, [] { helpers = nullptr; });
            static_cast<void>(registered);
            helpers = new Helpers;
        }
        grid.set_os_threads(1 + helpers->count());
        helpers->invite(grid, static_cast<std::size_t>(grid.taking_part) - 1);
    }
    multiprocessor.run(grid);
    if (useful > 1) {
        helpers->dismiss();
    }
    look_at_launch_bounds(config);
}

}  // namespace cpu_device
