# The CPU device: runs the .cu files of a target on a CPU, with g++ alone.
#
#   cpu_device_sources(<target>)
#     Compiles every .cu file that <target> has now for the CPU device, and links its runtime.
#     Defines CPU_DEVICE=1.
#
#   cpu_device_write_flags(<folder> [<library> <kind>])
#     Writes there what a source that belongs to no target is compiled and linked with, for this
#     build's device or for <library>:
#       cu_flags, host_flags   for a .cu file, and for a source without kernels: g++ takes them as
#                              @FILE
#       link_flags             the same for the program
#       library_flags          before these, for a program that calls cuBLAS, cuFFT or cuRAND
#       compiler               the compiler's path
#
# The device is a library and the tool `rewrite`. CPU_DEVICE_BUILD names the folder of a build of
# the CPU device by itself (CMakeLists.txt beside this file) whose last part is the kind: cpu, race
# or asan. All builds of that kind share it, so the presets and the scripts compile each device
# once. Without it, or with other flags or another compiler than that build has, the device is
# compiled as a part of this build.
#
# Needs g++ 12 or newer and, on other processors than x86-64 and arm64, Boost.Context.
find_package(Threads REQUIRED)

option(CPU_DEVICE_BOOST "Switch between CUDA threads by Boost.Context on x86-64 and arm64 too" OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64|arm64" AND NOT CPU_DEVICE_BOOST)
  set(CPU_DEVICE_SWITCH)
else()
  if(POLICY CMP0167)
    cmake_policy(SET CMP0167 NEW)  # Boost's own package file, as CMake 3.30 and later want it
  endif()
  find_package(Boost 1.66 REQUIRED COMPONENTS context)
  set(CPU_DEVICE_SWITCH Boost::context)
endif()

set(CPU_DEVICE_DIR ${CMAKE_CURRENT_LIST_DIR})
set(CPU_DEVICE_BUILD "" CACHE PATH "Folder of a CPU device that several builds share")
include(${CPU_DEVICE_DIR}/sources.cmake)
include(${CPU_DEVICE_DIR}/race/race.cmake)
include(${CPU_DEVICE_DIR}/stub_headers.cmake)
# Little time is spent in these while a kernel runs (unless a trace is wanted): -Og, since -O3 takes
# up to twice as long to compile.
set(CPU_DEVICE_AT_REST devices.cpp faults.cpp memory_api.cpp memory_hints.cpp
  pitched_memory.cpp device_properties.cpp race/advice.cpp race/conditions.cpp race/copies.cpp
  race/counts.cpp race/interleavings.cpp race/launch_trace.cpp race/members.cpp race/missing.cpp
  race/outcome_plan.cpp race/outcomes.cpp race/parameters.cpp race/places.cpp race/report.cpp
  race/report_log.cpp race/report_memory.cpp race/report_streams.cpp race/run.cpp
  race/run_trace.cpp race/sentences.cpp race/sentences_of_races.cpp race/sentences_of_runs.cpp
  race/shared_names.cpp race/shared_reads.cpp race/source_text.cpp race/stale_values.cpp
  race/statements.cpp race/story.cpp race/story_text.cpp race/stream_calls.cpp race/streams.cpp
  race/stuck.cpp race/test_hooks.cpp race/trace.cpp race/trace_roles.cpp race/trace_words.cpp
  race/tracing.cpp race/tree_path.cpp race/tree_trace.cpp race/words.cpp)
list(TRANSFORM CPU_DEVICE_AT_REST PREPEND ${CPU_DEVICE_DIR}/)

# cpu_device_rewrite_tool(<folder>): the target cpu_device_rewrite, which makes <folder>/rewrite.
function(cpu_device_rewrite_tool folder)
  add_executable(cpu_device_rewrite
    ${CPU_DEVICE_DIR}/rewrite.cpp ${CPU_DEVICE_DIR}/tokens.cpp ${CPU_DEVICE_DIR}/two_passes.cpp
    ${CPU_DEVICE_DIR}/ptx.cpp)
  set_target_properties(cpu_device_rewrite PROPERTIES
    OUTPUT_NAME rewrite
    RUNTIME_OUTPUT_DIRECTORY ${folder}
    CXX_STANDARD 17
    UNITY_BUILD ON)  # a third of the time is that of the same headers
  # It reads megabytes for each file, no faster with -O2, which takes half as long again to compile.
  target_compile_options(cpu_device_rewrite PRIVATE -O1)
endfunction()

# Those that this process may use, as the script `build` asks.
execute_process(COMMAND nproc OUTPUT_VARIABLE cores OUTPUT_STRIP_TRAILING_WHITESPACE)

# cpu_device_library(<target> <kind> [<option>...]): the library of the device of that kind, by this
# build, compiled with these options too. Most of the time to compile many small sources is that of
# the same headers and templates: so the compiler takes several sources at once.
function(cpu_device_library target kind)
  set(sources warp.cpp devices.cpp faults.cpp fiber.cpp support.cpp system.cpp host_api.cpp
    memory_api.cpp memory_hints.cpp memory_pools.cpp pitched_memory.cpp textures.cpp
    device_properties.cpp)
  if(kind STREQUAL "race")
    list(APPEND sources ${CPU_DEVICE_RACE_SOURCES})
  else()
    list(APPEND sources block.cpp multiprocessor.cpp deadlock.cpp illegal_address.cpp)
  endif()
  list(TRANSFORM sources PREPEND ${CPU_DEVICE_DIR}/)
  set(at_work ${sources})
  list(REMOVE_ITEM at_work ${CPU_DEVICE_AT_REST})
  list(REMOVE_ITEM sources ${at_work})
  add_library(${target}_at_rest OBJECT EXCLUDE_FROM_ALL ${sources})
  add_library(${target}_at_work OBJECT EXCLUDE_FROM_ALL ${at_work})
  # Of objects alone, so that make compiles the two parts side by side.
  add_library(${target} STATIC
    $<TARGET_OBJECTS:${target}_at_work> $<TARGET_OBJECTS:${target}_at_rest>)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  # Few programs want these, so they are a library of their own. They see CUDA's headers, which give
  # memset, malloc and others a name of race mode's; no other source of the device may.
  add_library(${target}_libraries STATIC EXCLUDE_FROM_ALL
    ${CPU_DEVICE_DIR}/cublas.cpp ${CPU_DEVICE_DIR}/cufft.cpp ${CPU_DEVICE_DIR}/curand.cpp)
  foreach(part IN ITEMS ${target} ${target}_at_work ${target}_at_rest ${target}_libraries)
    # The fewer pieces, the less time in all. More than two cores take two halves of a long part.
    set(batch 0)
    if(cores GREATER 2)
      get_target_property(sources ${part} SOURCES)
      list(FILTER sources INCLUDE REGEX "[.]cpp$")
      list(LENGTH sources count)
      if(count GREATER 16)
        math(EXPR batch "(${count} + 1) / 2")
      endif()
    endif()
    set_target_properties(${part} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    target_compile_features(${part} PUBLIC cxx_std_17)
    target_compile_options(${part} PRIVATE -Wall -Wextra)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # our own pushes: see fiber.hpp
      target_compile_options(${part} PRIVATE -mno-red-zone)
    endif()
    # Not `include` itself in the targets' usual list: CUDA's headers are system headers too.
    target_include_directories(${part} SYSTEM PUBLIC
      ${CPU_DEVICE_DIR}/include ${CPU_DEVICE_STUB_HEADERS})
    target_link_libraries(${part}
      PUBLIC Threads::Threads
      PRIVATE ${CPU_DEVICE_SWITCH} atomic ${CMAKE_DL_LIBS})
    if(CPU_DEVICE_BOOST)
      target_compile_definitions(${part} PRIVATE CPU_DEVICE_BOOST)
    endif()
    if(kind STREQUAL "race")
      cpu_device_race_mode(${part})
    endif()
    # -O3, whatever the kernels have.
    target_compile_options(${part} PRIVATE $<$<CONFIG:Release>:-O3> ${ARGN})
  endforeach()
  target_compile_options(${target}_at_rest PRIVATE -Og -fno-exceptions)
  target_compile_options(${target}_libraries PRIVATE -Og)
endfunction()

# cpu_device_shared(<variable>): sets it to whether CPU_DEVICE_BUILD fits this build. CMake takes no
# file with a # in its name as what a command makes.
function(cpu_device_shared variable)
  set(${variable} OFF PARENT_SCOPE)
  cmake_path(GET CPU_DEVICE_BUILD FILENAME kind)
  cmake_path(GET CPU_DEVICE_BUILD PARENT_PATH folder)
  string(STRIP "${CMAKE_CXX_FLAGS}" flags)
  if(NOT CPU_DEVICE_BUILD OR folder MATCHES "#" OR CPU_DEVICE_BOOST OR CMAKE_CROSSCOMPILING
      OR CMAKE_COMPILE_WARNING_AS_ERROR OR NOT flags STREQUAL "${CPU_DEVICE_FLAGS_${kind}}")
    return()
  endif()
  execute_process(
    COMMAND ${CPU_DEVICE_DIR}/build ${folder} configure keep
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "The CPU device cannot be configured in ${folder}:\n${said}")
  endif()
  file(STRINGS ${CPU_DEVICE_BUILD}/compiler compiler LIMIT_COUNT 1)
  if(compiler STREQUAL CMAKE_CXX_COMPILER)
    set(${variable} ON PARENT_SCOPE)
  endif()
endfunction()

# cpu_device_import(): the targets cpu_device_rewrite and cpu_device of CPU_DEVICE_BUILD. Each build
# looks there first whether something is to be compiled.
function(cpu_device_import)
  cmake_path(GET CPU_DEVICE_BUILD FILENAME kind)
  cmake_path(GET CPU_DEVICE_BUILD PARENT_PATH folder)
  add_custom_target(cpu_device_rewrite
    COMMAND ${CPU_DEVICE_DIR}/build ${folder} rewrite keep
    BYPRODUCTS ${folder}/rewrite COMMENT "Building the tool rewrite" VERBATIM)
  add_custom_target(cpu_device_built
    COMMAND ${CPU_DEVICE_DIR}/build ${folder} ${kind} keep
    BYPRODUCTS ${CPU_DEVICE_BUILD}/libcpu_device.a COMMENT "Building the CPU device" VERBATIM)
  add_dependencies(cpu_device_built cpu_device_rewrite)
  add_custom_target(cpu_device_libraries_built
    COMMAND ${CPU_DEVICE_DIR}/build ${folder} ${kind}_libraries keep
    COMMENT "Building cuBLAS, cuFFT and cuRAND of the CPU device" VERBATIM)
  add_library(cpu_device_libraries STATIC IMPORTED GLOBAL)
  set_target_properties(cpu_device_libraries PROPERTIES
    IMPORTED_LOCATION ${CPU_DEVICE_BUILD}/libcpu_device_libraries.a)
  add_library(cpu_device STATIC IMPORTED GLOBAL)
  # Ninja compiles what uses the device beside the device itself: only the link needs the file, and
  # Ninja knows that it comes from cpu_device_built. make knows targets, not files.
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    add_dependencies(cpu_device cpu_device_built)
  endif()
  set_target_properties(cpu_device PROPERTIES IMPORTED_LOCATION ${CPU_DEVICE_BUILD}/libcpu_device.a)
  target_compile_features(cpu_device INTERFACE cxx_std_17)
  target_include_directories(cpu_device SYSTEM INTERFACE
    ${CPU_DEVICE_DIR}/include ${CPU_DEVICE_STUB_HEADERS})
  if(kind STREQUAL "race")
    target_include_directories(cpu_device INTERFACE ${CPU_DEVICE_DIR}/race/include)
    target_compile_definitions(cpu_device INTERFACE CPU_DEVICE_RACE=1)
  endif()
  target_link_libraries(cpu_device INTERFACE
    Threads::Threads ${CPU_DEVICE_SWITCH} atomic ${CMAKE_DL_LIBS})
endfunction()

set(CPU_DEVICE_HOST_OPTIONS ${CPU_DEVICE_HOST_OPTIONS_${DEVICE}})
set(CPU_DEVICE_CHECKED_OPTIONS ${CPU_DEVICE_CHECKED_OPTIONS_${DEVICE}})
if(NOT CPU_DEVICE_BY_ITSELF)
  cpu_device_shared(shared)
  if(shared)
    cmake_path(GET CPU_DEVICE_BUILD PARENT_PATH CPU_DEVICE_REWRITE)
    string(APPEND CPU_DEVICE_REWRITE /rewrite)
    cpu_device_import()
  else()
    # A fixed place, since a source file's OBJECT_DEPENDS cannot hold a generator expression.
    set(CPU_DEVICE_REWRITE ${CMAKE_BINARY_DIR}/cpu_device/rewrite)
    cpu_device_rewrite_tool(${CMAKE_BINARY_DIR}/cpu_device)
    cpu_device_library(cpu_device ${DEVICE})
    add_library(cpu_device_built INTERFACE)  # a custom target cannot be where a name has a #
    add_dependencies(cpu_device_built cpu_device)
    add_library(cpu_device_libraries_built INTERFACE)
    add_dependencies(cpu_device_libraries_built cpu_device_libraries)
  endif()
endif()

function(cpu_device_write_flags folder)
  set(library cpu_device)
  set(host ${CPU_DEVICE_HOST_OPTIONS})
  set(checked ${CPU_DEVICE_CHECKED_OPTIONS})
  set(flags "${CMAKE_CXX_FLAGS}")
  if(ARGC GREATER 1)
    set(library ${ARGV1})
    set(host ${CPU_DEVICE_HOST_OPTIONS_${ARGV2}})
    set(checked ${CPU_DEVICE_CHECKED_OPTIONS_${ARGV2}})
    string(APPEND flags " ${CPU_DEVICE_FLAGS_${ARGV2}}")
    if(ARGV2 STREQUAL "asan")
      string(APPEND flags " -g")  # so that a report names the line
    endif()
  endif()
  set(includes "$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>")
  set(host_flags "${flags}" ${CPU_DEVICE_SOURCE_OPTIONS} ${host} -DCPU_DEVICE=1
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions}, -D>>"
    "-isystem \"$<JOIN:${includes},\" -isystem \">\"")
  list(JOIN host_flags " " host_flags)
  list(JOIN checked " " checked)
  set(link_flags "${flags} \"$<TARGET_FILE:${library}>\" -pthread -latomic")
  if(CPU_DEVICE_SWITCH)
    string(APPEND link_flags " \"$<TARGET_FILE:${CPU_DEVICE_SWITCH}>\"")
  endif()
  file(GENERATE OUTPUT ${folder}/host_flags CONTENT "${host_flags}\n")
  file(GENERATE OUTPUT ${folder}/cu_flags CONTENT "${host_flags} ${checked}\n")
  file(GENERATE OUTPUT ${folder}/link_flags CONTENT "${link_flags}\n")
  file(GENERATE OUTPUT ${folder}/library_flags
    CONTENT "\"$<TARGET_FILE:${library}_libraries>\"\n")
  # A line for each word: CXX may be "ccache g++".
  separate_arguments(words UNIX_COMMAND "${CMAKE_CXX_COMPILER_ARG1}")
  list(JOIN words "\n" words)
  file(GENERATE OUTPUT ${folder}/compiler CONTENT "${CMAKE_CXX_COMPILER}\n${words}\n")
endfunction()
