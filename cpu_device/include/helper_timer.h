// What NVIDIA's samples expect of their helper_timer.h: stopwatches of the host, in milliseconds.
#pragma once

#include <chrono>

class StopWatchInterface {
    using Clock = std::chrono::steady_clock;

  public:
    void start() {
        begin_ = Clock::now();
        running_ = true;
    }
    void stop() {
        total_ += since_start();
        running_ = false;
        ++sessions_;
    }
    // A watch that runs goes on, from now.
    void reset() {
        total_ = 0;
        sessions_ = 0;
        begin_ = Clock::now();
    }
    // Of all sessions together, the one that runs included.
    float getTime() { return total_ + (running_ ? since_start() : 0); }
    float getAverageTime() { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0; }

  private:
    float since_start() const {
        return std::chrono::duration<float, std::milli>(Clock::now() - begin_).count();
    }
    Clock::time_point begin_{};
    float total_ = 0;
    int sessions_ = 0;
    bool running_ = false;
};

// All return false for a watch that was not created.
inline bool sdkCreateTimer(StopWatchInterface** watch) {
    *watch = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** watch) {
    delete *watch;
    *watch = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** watch) {
    if (*watch != nullptr) {
        (*watch)->start();
    }
    return *watch != nullptr;
}
inline bool sdkStopTimer(StopWatchInterface** watch) {
    if (*watch != nullptr) {
        (*watch)->stop();
    }
    return *watch != nullptr;
}
inline bool sdkResetTimer(StopWatchInterface** watch) {
    if (*watch != nullptr) {
        (*watch)->reset();
    }
    return *watch != nullptr;
}
inline float sdkGetTimerValue(StopWatchInterface** watch) {
    return *watch != nullptr ? (*watch)->getTime() : 0;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** watch) {
    return *watch != nullptr ? (*watch)->getAverageTime() : 0;
}
