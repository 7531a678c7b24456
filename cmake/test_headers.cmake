# precompile_test_headers(<target>)
#
# The .cu files of <target>, a test or a program with flags, get the headers of GoogleTest and of the
# standard library and cuda_runtime.h as g++ has compiled them once for all: half of the time that a
# small test takes, and a third of a program's.
# Where an include is missing in a source, a build by nvcc shows it, which has no such headers. (Not
# by CMake's REUSE_FROM: compile_commands.json would then name a file that clang's tools do not
# read.)
function(precompile_test_headers target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR
     CMAKE_CONFIGURATION_TYPES)
    return()
  endif()
  if(NOT TARGET test_headers)
    set(source ${CMAKE_BINARY_DIR}/generated/test_headers.cpp)
    file(WRITE ${source}.new "// The precompiled headers belong to this file.\n")
    configure_file(${source}.new ${source} COPYONLY)  # leaves the same text as it is
    add_library(test_headers OBJECT EXCLUDE_FROM_ALL ${source})
    set_target_properties(test_headers PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(test_headers PRIVATE common GTest::gtest_main cpu_device)
    # All that changes what a header means, as `compile` and cpu_device_sources() have it.
    target_compile_definitions(test_headers PRIVATE CPU_DEVICE=1 CPU_DEVICE_REWRITES)
    target_compile_options(test_headers PRIVATE ${CPU_DEVICE_SOURCE_OPTIONS}
      ${CPU_DEVICE_HOST_OPTIONS} ${CPU_DEVICE_CHECKED_OPTIONS})
    target_precompile_headers(test_headers PRIVATE
      <gtest/gtest.h> <algorithm> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <fstream>
      <functional> <map> <memory> <random> <sstream> <stdexcept> <string> <type_traits> <utility>
      <vector> <cuda_runtime.h>)
  endif()
  get_target_property(folder test_headers BINARY_DIR)
  set(headers ${folder}/CMakeFiles/test_headers.dir/cmake_pch.hxx)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY
    OBJECT_DEPENDS ${headers}.gch)
  add_dependencies(${target} test_headers)
  # A program does not link GoogleTest. But g++ takes the compiled headers only where it has the same
  # options and macros, and else their text; `compile` reads that, too.
  foreach(what IN ITEMS OPTIONS DEFINITIONS)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_${what}
      $<TARGET_PROPERTY:GTest::gtest_main,INTERFACE_COMPILE_${what}>)
  endforeach()
  target_include_directories(${target} SYSTEM PRIVATE
    $<TARGET_PROPERTY:GTest::gtest_main,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
    "${CPU_DEVICE_DIR}/compile;with;${headers};${CPU_DEVICE_REWRITE}")
endfunction()
