# add_example(<name> [CUDA_LIBRARIES <library>...])
#
# Adds the example <name>: the program from <name>/<name>.cu, and its test from
# tests/<name>_test.cu, whose cases become CTest tests "<name>.<case>" with the label gpu.
# CUDA_LIBRARIES are linked in CUDA builds only. Race mode is too slow for that test's sizes; it has
# tests/<name>_race_test.cu in its place.
function(add_example name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "CUDA_LIBRARIES")
  add_device_executable(${name} ${PROJECT_SOURCE_DIR}/${name}/${name}.cu)
  if(DEVICE STREQUAL "race")
    add_device_test(${name}_race_test ${PROJECT_SOURCE_DIR}/tests/${name}_race_test.cu)
    return()
  endif()
  add_device_test(${name}_test ${PROJECT_SOURCE_DIR}/tests/${name}_test.cu)
  if(DEVICE STREQUAL "cuda")
    target_link_libraries(${name} PRIVATE ${ARG_CUDA_LIBRARIES})
    target_link_libraries(${name}_test PRIVATE ${ARG_CUDA_LIBRARIES})
  endif()
  add_test(NAME ${name}.command_line
    COMMAND ${PROJECT_SOURCE_DIR}/tests/command_line_test.sh $<TARGET_FILE:${name}>)
  set_tests_properties(${name}.command_line PROPERTIES
    LABELS "${name};gpu;program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${name}_program_test.sh)  # options that only it has
    add_test(NAME ${name}.program
      COMMAND ${PROJECT_SOURCE_DIR}/tests/${name}_program_test.sh $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.program PROPERTIES
      LABELS "${name};gpu;program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
  if(DEVICE STREQUAL "cuda")
    add_test(NAME ${name}.one_line_build
      COMMAND ${PROJECT_SOURCE_DIR}/tests/one_line_build_test.sh
        ${CMAKE_CUDA_COMPILER} ${PROJECT_SOURCE_DIR} ${name})
    set_tests_properties(${name}.one_line_build PROPERTIES LABELS "${name};program" TIMEOUT 600)
  endif()
endfunction()

# An executable from .cu files, for the chosen device.
function(add_device_executable target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE common)
  if(NOT DEVICE STREQUAL "cuda")
    cpu_device_sources(${target})
  endif()
endfunction()

# A GoogleTest binary from .cu files. A case ends as skipped when there is no GPU to run it.
function(add_device_test target)
  add_device_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE GTest::gtest_main)
  string(REGEX REPLACE "_test$" "" name ${target})
  gtest_discover_tests(${target}
    TEST_PREFIX "${name}."
    DISCOVERY_MODE PRE_TEST  # listed when CTest runs: the build machine needs no GPU
    NO_PRETTY_VALUES         # printed values hold the bytes of pointers, which change
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS gpu TIMEOUT 600)
endfunction()
