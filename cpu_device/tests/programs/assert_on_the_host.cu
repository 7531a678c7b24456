// assert() in host code is C's.
// expect: status 134, "assert_on_the_host.cu:8: int main(): Assertion `argument == 3' failed."
#include <cassert>

int argument = 2;

int main() {
    assert(argument == 3);
}
