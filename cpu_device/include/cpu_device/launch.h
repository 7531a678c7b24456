// What the rewriter's rewrites turn into.
//
//   k<<<c>>>(args)        Launch([&](const auto& end, auto&&... a)
//                                    -> decltype(k(pass<decltype(a)>(a)...)) {
//                             k(pass<decltype(a)>(a)...), end();
//                         }, "k", c)(args)
//   __shared__ float s[8] typedef float type[8]; type& s = shared<type>([] {}, "s")
#pragma once

#include <setjmp.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cpu_device/host_api.h"
#include "cpu_device/runtime.h"

namespace cpu_device {

// CUDA copies an argument once, on the host, and then its bits to every thread: no constructor and
// no destructor of a class runs on the device.

namespace types {
// The bits of an object. Passed and returned in memory, as is every class that has a copy
// constructor or a destructor of its own.
template <typename T>
struct Bits {
    alignas(T) char bytes[sizeof(T)];

    explicit Bits(const void* from) { __builtin_memcpy(bytes, from, sizeof bytes); }
    Bits(const Bits&) = delete;
    ~Bits() {}

    static Bits of(const void* object) { return Bits(object); }
};

// What becomes of nullptr as an argument: a null pointer of which the compiler does not know that
// it is one. It would leave out an access through it.
struct Null {
    template <typename T>
    operator T*() const {
        T* pointer = nullptr;
        asm("" : "+r"(pointer));
        return pointer;
    }
    operator std::nullptr_t() const { return nullptr; }
};

// The literal 0 as an argument: an int, or what else a parameter takes for it.
struct Zero : Null {
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
    operator T() const {
        return 0;
    }
};
}  // namespace types

// For a kernel's parameter: Arg = T& gives the object itself, Arg = T&& its bits as a new object.
// A function that returns a Bits<T> is one that returns a T, for the processor if not for C++
// (Itanium C++ ABI, section 3.1.3).
template <typename Arg, typename T = std::remove_cv_t<std::remove_reference_t<Arg>>>
std::conditional_t<std::is_same_v<T, std::nullptr_t>, Null,
                   std::conditional_t<std::is_lvalue_reference_v<Arg>, Arg, T>>
pass([[maybe_unused]] std::remove_reference_t<Arg>& object) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
        return {};
    } else if constexpr (std::is_lvalue_reference_v<Arg> || std::is_trivially_copyable_v<T>) {
        return object;
    } else {
        const auto function = reinterpret_cast<void (*)()>(&Bits<T>::of);
        return reinterpret_cast<T (*)(const void*)>(function)(&object);
    }
}

// An argument of a launch, for a parameter. A class that lies in memory is copied by a variable's
// start value: race mode sees that load, and not the one of an argument.
template <typename Parameter, typename Arg>
decltype(auto) as_parameter(std::remove_reference_t<Arg>& arg) {
    if constexpr (std::is_class_v<Parameter> && std::is_trivially_copyable_v<Parameter> &&
                  std::is_copy_constructible_v<Parameter>) {
        Parameter copy(arg);
        return copy;
    } else {
        return static_cast<std::conditional_t<std::is_reference_v<Parameter>, Parameter, Arg&&>>(
            arg);
    }
}

namespace types {
// What a thread does after its kernel. The caller of a function destroys its parameters; a jump
// does not let it.
struct Return {
    void operator()() const {}
};
struct Jump {
    jmp_buf& to;
    void operator()() const { longjmp(to, 1); }
};
}  // namespace types

#ifdef CPU_DEVICE_RACE  // which chooses anew after every thread
template <typename Thread>
void thread_loop(const void* closure) {
    Thread thread = *static_cast<const Thread*>(closure);
    thread();
}
#else
#ifdef __SANITIZE_ADDRESS__
// With it, the frames of inlined functions would fill a thread's stack. And g++ 12's check for null
// of a thread-local variable uses the flags of an `add`, of which the linker makes a `lea`.
#define CPU_DEVICE_FLATTEN __attribute__((no_sanitize("null")))
#else
#define CPU_DEVICE_FLATTEN __attribute__((flatten))
#endif
// Runs threads of a block. The kernel is inlined into this loop (`flatten`): where no thread waits,
// little more is left than the loop that one would write by hand. No store of the kernel can reach
// the copy of the closure, so its arguments stay in registers. The store to threadIdx is volatile
// for the watchdog, which sees by it that another thread runs.
template <typename Thread>
CPU_DEVICE_FLATTEN void thread_loop(const void* closure) {
    Thread thread = *static_cast<const Thread*>(closure);
    do {
        unsigned x = threadIdx.x;
        do {
            const_cast<volatile unsigned&>(threadIdx.x) = x;
            thread();
        } while (++x < row_end);
    } while (next_thread());
}
#undef CPU_DEVICE_FLATTEN
#endif

// Race mode wants to know what a kernel can reach. These do not depend on the kernel, so that all
// launches share them.
template <typename Parameter, typename Arg>
void look_at([[maybe_unused]] const LaunchConfig& config, [[maybe_unused]] unsigned number,
             [[maybe_unused]] Arg& arg) {
    if constexpr (std::is_convertible_v<Arg&, const volatile void*>) {
        Pointee pointee;
        if constexpr (std::is_pointer_v<Arg>) {
            pointee = Pointee::of(arg);
        }
        launched_with(config, number,
                      const_cast<const void*>(static_cast<const volatile void*>(arg)), pointee);
    } else if constexpr (std::is_reference_v<Parameter> && std::is_copy_constructible_v<Arg>) {
        launched_with(config, number, __builtin_addressof(arg), {});
    }
#ifdef CPU_DEVICE_RACE
    if constexpr (std::is_class_v<Arg> && std::is_trivially_copyable_v<Arg>) {
        launched_with_object(number, __builtin_addressof(arg), sizeof arg);
    }
#endif
}

namespace types {
// Each launch makes a class of this template, so it has few functions: most of the time to compile
// a program with many kernels is theirs.
template <typename Kernel>
class Launch {
  public:
    Launch(Kernel kernel, const char* name, dim3 grid, dim3 block, std::size_t dynamic_shared = 0,
           cudaStream_t stream = nullptr, Place place = {})
        : kernel_(kernel), config_{name, grid, block, dynamic_shared, stream, place} {}

    // A launch copies its arguments once, before any thread runs.
    template <typename... Args>
    void operator()(Args&&... args) const {
        if constexpr ((std::is_same_v<Args, Zero> || ...) &&
                      std::is_invocable_v<Kernel, Return, IntForZero<Args>...>) {
            start(static_cast<IntForZero<Args>>(args)...);
        } else {
            start(std::forward<Args>(args)...);
        }
    }

  private:
    template <typename Arg>
    using IntForZero = std::conditional_t<std::is_same_v<Arg, Zero>, int, Arg&&>;

    template <typename... Args>
    void start(Args&&... args) const {
        constexpr bool takes_values = std::is_invocable_v<Kernel, Return, Value<Args>...>;
        if constexpr (takes_values) {
            run<Value<Args>...>(as_parameter<Value<Args>, Args>(args)...);
        } else if constexpr (std::is_invocable_v<Kernel, Return, Args&...>) {
            run_with_references(std::index_sequence_for<Args...>(), std::forward<Args>(args)...);
        } else {
            kernel_(Return(), args...);  // the compiler says why it cannot be called
        }
    }

    // An argument that cannot be copied may still turn into what the kernel takes; it stays where
    // it is.
    template <typename Arg>
    using Value = std::conditional_t<std::is_copy_constructible_v<std::decay_t<Arg>>,
                                     std::decay_t<Arg>, Arg&>;

    // What the kernel gets for one of its arguments: a value where it takes one, else, for a
    // parameter T&, the object itself.
    template <std::size_t number, typename Numbers, typename... Args>
    struct Parameter;
    template <std::size_t number, std::size_t... numbers, typename... Args>
    struct Parameter<number, std::index_sequence<numbers...>, Args...> {
        using Arg = std::tuple_element_t<number, std::tuple<Args...>>;
        using type = std::conditional_t<
            std::is_invocable_v<Kernel, Return,
                                std::conditional_t<numbers == number, Value<Args>, Args&>...>,
            Value<Arg>, Arg&>;
    };
    template <std::size_t... numbers, typename... Args>
    void run_with_references(std::index_sequence<numbers...> all, Args&&... args) const {
        run<typename Parameter<numbers, decltype(all), Args...>::type...>(
            as_parameter<typename Parameter<numbers, decltype(all), Args...>::type, Args&>(
                args)...);
    }

    template <typename... Parameters>
    void run(Parameters... args) const {
        [[maybe_unused]] unsigned number = 0;
        (cpu_device::look_at<Parameters>(config_, ++number, args), ...);
        if constexpr (((!std::is_reference_v<Parameters> &&
                        std::is_trivially_copyable_v<Parameters>)&&...)) {
            const auto thread = [kernel = kernel_, args...]() mutable {
                kernel(Return(), static_cast<Parameters&&>(args)...);
            };
            launch(config_, thread_loop<std::decay_t<decltype(thread)>>, &thread);
        } else if constexpr ((std::is_trivially_destructible_v<Parameters> && ...)) {
            const auto thread = [&] { kernel_(Return(), static_cast<Parameters&&>(args)...); };
            launch(config_, thread_loop<std::decay_t<decltype(thread)>>, &thread);
        } else {
            const auto thread = [&] {
                jmp_buf end;
                if (setjmp(end) == 0) {
                    kernel_(Jump{end}, static_cast<Parameters&&>(args)...);
                }
            };
            launch(config_, thread_loop<std::decay_t<decltype(thread)>>, &thread);
        }
    }

    Kernel kernel_;
    LaunchConfig config_;
};

// A kernel by its address, as cudaLaunchKernel takes it, with the name that the rewriter has seen.
template <typename... Parameters>
struct NamedKernel {
    void (*kernel)(Parameters...);
    const char* name;
    Place place;
};
}  // namespace types
template <typename... Parameters>
NamedKernel<Parameters...> named_kernel(void (*kernel)(Parameters...), const char* name,
                                        Place place = {}) {
    return {kernel, name, place};
}
[[gnu::error(
    "the CPU device needs the kernel's own name here: what a void* points to, it cannot "
    "launch")]] NamedKernel<>
named_kernel(const void* kernel, const char* name);

template <std::size_t... number, typename... Parameters>
void launch_by_address(std::index_sequence<number...>, const NamedKernel<Parameters...>& named,
                       dim3 grid, dim3 block, [[maybe_unused]] void** arguments,
                       std::size_t dynamic_shared, cudaStream_t stream, Place place) {
    const auto call = [&](const auto& end,
                          auto&&... a) -> decltype(named.kernel(pass<decltype(a)>(a)...)) {
        named.kernel(pass<decltype(a)>(a)...), end();
    };
    Launch(call, named.name, grid, block, dynamic_shared, stream,
           place)(*static_cast<std::remove_reference_t<Parameters>*>(arguments[number])...);
}

// Every declaration has a lambda type of its own, and so a variable of its own; in a template, one
// for each instance.
template <typename T, typename Declaration>
T& shared(Declaration, const char* name) {
    static_assert(std::is_trivially_default_constructible_v<T>,
                  "a __shared__ variable cannot have a constructor that must run");
    using Element = std::remove_all_extents_t<T>;
    static SharedVariable variable{sizeof(T), 0, sizeof(Element), kind_of_element<Element>};
    return *static_cast<T*>(shared_storage(variable, name));
}

template <typename T>
T& dynamic_shared() {
    return *static_cast<T*>(dynamic_shared_storage());
}

// The same where the declaration is outside of a function. A function of the host may say the name
// for a variable of its own; then this is not used.
template <typename T>
T& dynamic_shared_of_file() {
    alignas(16) static char none[16];
    return *reinterpret_cast<T*>(in_kernel() ? dynamic_shared_storage() : none);
}

// Without `extern`: one variable for all functions of the file.
template <typename T, typename Name>
T& shared_of_file(Name name, const char* text) {
    if (in_kernel()) {
        return shared<T>(name, text);
    }
    alignas(16) static char none[sizeof(T)];
    return *reinterpret_cast<T*>(none);
}

}  // namespace cpu_device

// What the rewriter calls cudaLaunchKernel and cudaLaunchCooperativeKernel.
template <typename... Parameters>
cudaError_t cpu_device_launch_kernel(cpu_device::NamedKernel<Parameters...> kernel, dim3 grid,
                                     dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                                     cudaStream_t stream = nullptr, cpu_device::Place place = {}) {
    cpu_device::launch_by_address(std::index_sequence_for<Parameters...>(), kernel, grid, block,
                                  arguments, dynamic_shared, stream, place);
    return cpu_device::error_of_launch();
}

// All blocks are resident together, so that they can wait for each other.
template <typename... Parameters>
cudaError_t cpu_device_launch_cooperative_kernel(cpu_device::NamedKernel<Parameters...> kernel,
                                                 dim3 grid, dim3 block, void** arguments,
                                                 std::size_t dynamic_shared = 0,
                                                 cudaStream_t stream = nullptr,
                                                 cpu_device::Place place = {}) {
    const cpu_device::CooperativeLaunch one(grid, block, dynamic_shared);
    if (one.refusal() != cudaSuccess) {
        return one.refusal();
    }
    return cpu_device_launch_kernel(kernel, grid, block, arguments, dynamic_shared, stream, place);
}

// What it calls cudaLaunchKernelExC and cudaLaunchKernelEx.
template <typename... Parameters>
cudaError_t cpu_device_launch_kernel_ex_c(const cudaLaunchConfig_t* config,
                                          cpu_device::NamedKernel<Parameters...> kernel,
                                          void** arguments) {
    bool cooperative = false;
    const cudaError_t refusal = cpu_device::look_at_attributes(*config, cooperative, kernel.place);
    if (refusal != cudaSuccess) {
        return refusal;
    }
    const auto launch = cooperative ? cpu_device_launch_cooperative_kernel<Parameters...>
                                    : cpu_device_launch_kernel<Parameters...>;
    return launch(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream, kernel.place);
}
template <typename... Parameters, typename... Args>
cudaError_t cpu_device_launch_kernel_ex(const cudaLaunchConfig_t* config,
                                        cpu_device::NamedKernel<Parameters...> kernel,
                                        Args&&... args) {
    std::tuple<std::remove_cv_t<Parameters>...> values(std::forward<Args>(args)...);
    return std::apply(
        [&](auto&... value) {
            void* pointers[] = {&value..., nullptr};
            return cpu_device_launch_kernel_ex_c(config, kernel, pointers);
        },
        values);
}
