// What the rewriter's two rewrites turn into.
//
//   k<<<c>>>(args)        Launch([&](const auto&... a) { k(a...); }, "k", c)(args)
//   __shared__ float s[8] typedef float type[8]; type& s = shared<type>([] {}, "s")
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cpu_device/host_api.h"
#include "cpu_device/runtime.h"

namespace cpu_device {

template <typename Kernel>
class Launch {
  public:
    Launch(Kernel kernel, const char* name, dim3 grid, dim3 block, std::size_t dynamic_shared = 0,
           cudaStream_t stream = nullptr, Place place = {})
        : kernel_(kernel), config_{name, grid, block, dynamic_shared, stream, place} {}

    // A launch copies its arguments once, before any thread runs. (One that cannot be copied may
    // still turn into what the kernel takes; it stays where it is.)
    template <typename... Args>
    void operator()(Args&&... args) const {
        run<Kept<Args>...>(std::forward<Args>(args)...);
    }

  private:
    template <typename Arg>
    using Kept =
        std::conditional_t<std::is_copy_constructible_v<std::decay_t<Arg>>, std::decay_t<Arg>, Arg>;

    template <typename... Args>
    void run(Args... args) const {
        [[maybe_unused]] unsigned number = 0;
        (look_at(++number, args), ...);
        const auto thread = [&] { kernel_(args...); };
        launch(
            config_,
            [](const void* closure) { (*static_cast<const decltype(thread)*>(closure))(); },
            &thread);
    }

    template <typename Arg>
    void look_at([[maybe_unused]] unsigned number, [[maybe_unused]] const Arg& arg) const {
        if constexpr (std::is_convertible_v<Arg, const volatile void*>) {
            launched_with(config_, number,
                          const_cast<const void*>(static_cast<const volatile void*>(arg)));
        }
    }

    Kernel kernel_;
    LaunchConfig config_;
};

// Every declaration has a lambda type of its own, and so a variable of its own; in a template, one
// for each instance.
template <typename T, typename Declaration>
T& shared(Declaration, const char* name) {
    static_assert(std::is_trivially_default_constructible_v<T>,
                  "a __shared__ variable cannot have a constructor that must run");
    static SharedVariable variable{sizeof(T), 0};
    return *static_cast<T*>(shared_storage(variable, name));
}

template <typename T>
T& dynamic_shared() {
    return *static_cast<T*>(dynamic_shared_storage());
}

}  // namespace cpu_device
