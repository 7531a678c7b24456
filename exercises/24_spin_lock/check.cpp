// The check of 24_spin_lock.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_find_largest(const int* d_x, int n, int* d_lock, int* d_largest, int* d_place,
                         int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 2'000'000'000 : 1000;
    const int highest = 1 + in_turn(4, 2);  // below 0, 0 itself, or above
    const int high = highest == 1 ? -1 : highest == 2 ? 0 : most;
    // Some of these are equal as floats, where they are large.
    const bool are_near = in_turn(4, 3) == 0;
    std::vector<int> x = random_numbers(n, are_near ? high - 1000 : -most, high);
    if (n > 1 && most > 1000) {
        x[n / 2] = std::numeric_limits<int>::min();
    }
    if (n > 0 && high == 0) {
        x[random_numbers(1, 0, n - 1, 4)[0]] = 0;
    }
    if (n > 0 && high > 1000 && in_turn(2, 7) == 0) {  // not always, since it hides all others
        x[random_numbers(1, 0, n - 1, 6)[0]] = std::numeric_limits<int>::max();
    }
    if (n == 1 && in_turn(2, 5) == 0) {
        x[0] = std::numeric_limits<int>::min();
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_lock(std::vector<int>{0});
    const DeviceArray<int> d_largest(std::vector<int>{0}), d_place(std::vector<int>{-1});
    run_with_lock(d_lock.data(), n, block_size, [&] {
        call_answer(launch_find_largest, d_x.data(), n, d_lock.data(), d_largest.data(),
                    d_place.data(), block_size);
    });
    const int place = d_place.to_host()[0];
    if (n == 0) {
        expect_equal("*d_place", place, -1);
        return;
    }
    const int largest = *std::max_element(x.begin(), x.end());
    expect_equal("*d_largest", d_largest.to_host()[0], largest);
    if (place < 0 || place >= n || x[place] != largest) {  // any place of several
        throw Wrong{"value", "*d_place is " + text_of(place) + ": the largest element, " +
                                 text_of(largest) + ", is not there."};
    }
    expect_read_by_several_blocks("*d_place or *d_largest", {d_place.data(), d_largest.data()}, n,
                                  block_size);
    if (n > 1) {  // a lock that is never free again is told by those who wait
        expect_equal("At the end *d_lock", d_lock.to_host()[0], 0);
    }
}

const Exercise exercise = with_one_lock(run);

}  // namespace exercises
