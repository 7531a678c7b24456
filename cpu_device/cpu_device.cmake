# The CPU device: runs the .cu files of a target on a CPU, with g++ alone.
#
#   cpu_device_sources(<target>)
#     Compiles every .cu file that <target> has now for the CPU device, and links its runtime.
#     Defines CPU_DEVICE=1.
#
# Needs g++ 12 or newer and, on other processors than x86-64, Boost.Context.
find_package(Threads REQUIRED)

option(CPU_DEVICE_BOOST "Switch between CUDA threads by Boost.Context on x86-64 too" OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CPU_DEVICE_BOOST)
  set(CPU_DEVICE_SWITCH)
else()
  if(POLICY CMP0167)
    cmake_policy(SET CMP0167 NEW)  # Boost's own package file, as CMake 3.30 and later want it
  endif()
  find_package(Boost 1.66 REQUIRED COMPONENTS context)
  set(CPU_DEVICE_SWITCH Boost::context)
endif()

set(CPU_DEVICE_DIR ${CMAKE_CURRENT_LIST_DIR})
# a * b + c stays two roundings, in kernels and in references alike; fma() is one, as it says.
set(CPU_DEVICE_SOURCE_OPTIONS -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A local array larger than the stack meets the guard page, and does not jump over it.
  list(APPEND CPU_DEVICE_SOURCE_OPTIONS -fstack-clash-protection)
endif()

add_executable(cpu_device_rewrite ${CPU_DEVICE_DIR}/rewrite.cpp)
# A fixed place, since a source file's OBJECT_DEPENDS cannot hold a generator expression.
set(CPU_DEVICE_REWRITE ${CMAKE_BINARY_DIR}/cpu_device/rewrite)
set_target_properties(cpu_device_rewrite PROPERTIES
  OUTPUT_NAME rewrite
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu_device
  CXX_STANDARD 17)

add_library(cpu_device STATIC
  ${CPU_DEVICE_DIR}/warp.cpp
  ${CPU_DEVICE_DIR}/faults.cpp
  ${CPU_DEVICE_DIR}/fiber.cpp
  ${CPU_DEVICE_DIR}/support.cpp
  ${CPU_DEVICE_DIR}/system.cpp
  ${CPU_DEVICE_DIR}/host_api.cpp
  ${CPU_DEVICE_DIR}/memory_api.cpp
  ${CPU_DEVICE_DIR}/pitched_memory.cpp
  ${CPU_DEVICE_DIR}/textures.cpp
  ${CPU_DEVICE_DIR}/device_properties.cpp)
if(DEVICE STREQUAL "race")
  include(${CPU_DEVICE_DIR}/race/race.cmake)
else()
  target_sources(cpu_device PRIVATE
    ${CPU_DEVICE_DIR}/block.cpp
    ${CPU_DEVICE_DIR}/multiprocessor.cpp
    ${CPU_DEVICE_DIR}/deadlock.cpp)
  target_compile_options(cpu_device PRIVATE $<$<CONFIG:Release>:-O3>)  # whatever the kernels have
endif()
target_compile_features(cpu_device PUBLIC cxx_std_17)
target_compile_options(cpu_device PRIVATE -Wall -Wextra)
if(NOT CPU_DEVICE_SWITCH)  # our own pushes: see fiber.hpp
  target_compile_options(cpu_device PRIVATE -mno-red-zone)
endif()
# Not `include` itself in the targets' usual list: CUDA's headers are system headers too.
target_include_directories(cpu_device SYSTEM PUBLIC
  ${CPU_DEVICE_DIR}/include ${CPU_DEVICE_DIR}/missing)
target_link_libraries(cpu_device
  PUBLIC Threads::Threads
  PRIVATE ${CPU_DEVICE_SWITCH} atomic ${CMAKE_DL_LIBS})
if(CPU_DEVICE_BOOST)
  target_compile_definitions(cpu_device PRIVATE CPU_DEVICE_BOOST)
endif()

function(cpu_device_sources target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_dir ${target} SOURCE_DIR)
  set(cu_files)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cu$")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${source_dir} OUTPUT_VARIABLE path)
      list(APPEND cu_files ${path})
    endif()
  endforeach()
  set_source_files_properties(${cu_files} TARGET_DIRECTORY ${target} PROPERTIES
    LANGUAGE CXX
    OBJECT_DEPENDS "${CPU_DEVICE_DIR}/compile;${CPU_DEVICE_REWRITE}")
  set_target_properties(${target} PROPERTIES
    CXX_COMPILER_LAUNCHER "${CPU_DEVICE_DIR}/compile;${CPU_DEVICE_REWRITE}")
  add_dependencies(${target} cpu_device_rewrite)
  target_compile_definitions(${target} PRIVATE CPU_DEVICE=1)
  target_compile_options(${target} PRIVATE
    ${CPU_DEVICE_SOURCE_OPTIONS} ${CPU_DEVICE_CHECKED_OPTIONS})
  target_link_libraries(${target} PRIVATE cpu_device)
endfunction()
