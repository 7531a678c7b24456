# How a source is compiled for the CPU device: the same in this project and in another one that has
# found the installed device (config.cmake). Needs CPU_DEVICE_DIR, the folder of the script
# `compile`; CPU_DEVICE_REWRITE, the tool `rewrite`; CPU_DEVICE_HOST_OPTIONS and
# CPU_DEVICE_CHECKED_OPTIONS, those of the lists below that belong to the device's kind; and the
# targets cpu_device and cpu_device_rewrite.

# a * b + c stays two roundings, in kernels and in references alike; fma() is one, as it says.
# -fno-delete-null-pointer-checks: a kernel's access through a null pointer stays one, and fails.
set(CPU_DEVICE_SOURCE_OPTIONS -ffp-contract=off -fno-delete-null-pointer-checks)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A local array larger than the stack meets the guard page, and does not jump over it.
  list(APPEND CPU_DEVICE_SOURCE_OPTIONS -fstack-clash-protection)
endif()

# What each kind of device adds to all flags, of the compiler and of the linker ...
set(CPU_DEVICE_FLAGS_cpu)
set(CPU_DEVICE_FLAGS_race)
set(CPU_DEVICE_FLAGS_asan "-fsanitize=address,undefined -fno-sanitize-recover=all")
# ... to those of each source that sees CUDA's headers: g++ 12 looks for these three warnings in a
# pass that fails where new and delete have symbols of another name (race_heap.h) ...
set(CPU_DEVICE_HOST_OPTIONS_race
  -Wno-free-nonheap-object -Wno-mismatched-dealloc -Wno-mismatched-new-delete)
# ... and to those of a .cu file. -O0: the optimiser would merge two accesses of a line into one.
# -Wno-tsan: fences are known here. alignment, bounds: which address a type wants, and how long an
# array in a struct or on the stack is, is known to the compiler only. shift-exponent: a shift by the
# width of the type or more is 0 on a GPU, and another one here. float-cast-overflow: nor do
# processors agree on a float that an integer type does not have. pattern: a local variable that was
# never set holds 0xfe bytes.
set(CPU_DEVICE_CHECKED_OPTIONS_race
  -fsanitize=thread,alignment,bounds,shift-exponent,float-cast-overflow
  -ftrivial-auto-var-init=pattern -Wuninitialized
  --param=tsan-distinguish-volatile=1 -Wno-tsan -g1 -O0
  -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)

# cpu_device_sources(<target>): compiles every .cu file that <target> has now for the CPU device,
# and links its runtime. Defines CPU_DEVICE=1.
function(cpu_device_sources target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_dir ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cu$")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${source_dir} OUTPUT_VARIABLE path)
      # A property of the file: two targets of a folder may share it.
      get_property(is_known SOURCE ${path} TARGET_DIRECTORY ${target} PROPERTY CPU_DEVICE_SOURCE)
      if(NOT is_known)
        set_property(SOURCE ${path} TARGET_DIRECTORY ${target} PROPERTY CPU_DEVICE_SOURCE ON)
        set_property(SOURCE ${path} TARGET_DIRECTORY ${target} APPEND PROPERTY
          COMPILE_OPTIONS ${CPU_DEVICE_CHECKED_OPTIONS})
        set_property(SOURCE ${path} TARGET_DIRECTORY ${target} APPEND PROPERTY
          OBJECT_DEPENDS ${CPU_DEVICE_DIR}/compile ${CPU_DEVICE_REWRITE})
        set_property(SOURCE ${path} TARGET_DIRECTORY ${target} PROPERTY LANGUAGE CXX)
      endif()
    endif()
  endforeach()
  # Of a function that several objects have the linker takes the first: the checked one.
  set(others ${sources})
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  list(FILTER others EXCLUDE REGEX "\\.cu$")
  set_property(TARGET ${target} PROPERTY SOURCES ${sources} ${others})
  set_target_properties(${target} PROPERTIES
    CXX_COMPILER_LAUNCHER "${CPU_DEVICE_DIR}/compile;${CPU_DEVICE_REWRITE}")
  add_dependencies(${target} cpu_device_rewrite)
  target_compile_definitions(${target} PRIVATE CPU_DEVICE=1)
  target_compile_options(${target} PRIVATE
    ${CPU_DEVICE_SOURCE_OPTIONS} ${CPU_DEVICE_HOST_OPTIONS})
  target_link_libraries(${target} PRIVATE cpu_device)
endfunction()
