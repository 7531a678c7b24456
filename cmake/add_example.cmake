# add_example(<name> [CUDA_LIBRARIES <library>...])
#
# Adds the chapter <name>: the program from <name>/<name>.cu, with its flags (WITH_FLAGS), and its
# test from tests/<name>/test.cu, whose cases become CTest tests "<name>.<case>" with the label gpu;
# further tests/<name>/<topic>_test.cu become "<name>_<topic>.<case>". CUDA_LIBRARIES are linked in
# CUDA builds only. Copies of the lesson that tests/<name>/lesson.sed breaks on purpose must see
# that they are wrong: the tests "<name>.lesson.broken_<k>". Race mode is too slow for these tests'
# sizes; it has tests/<name>/race_test.cu.
function(add_example name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "CUDA_LIBRARIES")
  add_device_executable(${name} ${PROJECT_SOURCE_DIR}/${name}/${name}.cu)
  target_compile_definitions(${name} PRIVATE WITH_FLAGS)
  # Not in race mode, where scripts/race builds one program alone: the headers would take longer
  # than what they save.
  if(DEVICE MATCHES "cpu|asan")
    precompile_test_headers(${name})
  endif()
  if(COMPILE_ONLY)  # all kernels are in this program
    set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "75-virtual;90-real")
  endif()
  set(tests ${PROJECT_SOURCE_DIR}/tests/${name})
  if(DEVICE STREQUAL "race")
    if(NOT TARGET race_suite)
      add_library(race_suite STATIC ${PROJECT_SOURCE_DIR}/tests/race_suite.cpp)
      target_link_libraries(race_suite PRIVATE common GTest::gtest cpu_device)
    endif()
    add_device_test(${name}_race_test ${tests}/race_test.cu)
    # A library, since its objects come last: of a function that several objects have the linker
    # takes the first, which must be the checked one.
    target_link_libraries(${name}_race_test PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,race_suite>)
    if(THOROUGH)
      target_compile_definitions(${name}_race_test PRIVATE THOROUGH)
    endif()
    thorough_only(TARGETS ${name})  # for scripts/race, which builds it
    return()
  endif()
  add_device_test(${name}_test ${tests}/test.cu)
  if(DEVICE STREQUAL "cuda")
    target_link_libraries(${name} PRIVATE ${ARG_CUDA_LIBRARIES})
    target_link_libraries(${name}_test PRIVATE ${ARG_CUDA_LIBRARIES})
  endif()
  file(GLOB topics CONFIGURE_DEPENDS RELATIVE ${tests} ${tests}/*_test.cu)
  list(FILTER topics EXCLUDE REGEX "race_test")
  foreach(topic IN LISTS topics)
    get_filename_component(topic ${topic} NAME_WE)
    if(DEVICE STREQUAL "cpu" AND topic STREQUAL "partition_test" AND NOT THOROUGH)
      stands_for_thorough(${name}_partition)  # the variants that use it are in ${name}_test
      continue()
    endif()
    add_device_test(${name}_${topic} ${tests}/${topic}.cu)
    if(DEVICE STREQUAL "cuda")
      target_link_libraries(${name}_${topic} PRIVATE ${ARG_CUDA_LIBRARIES})
    endif()
  endforeach()
  add_test(NAME ${name}.command_line
    COMMAND ${PROJECT_SOURCE_DIR}/tests/command_line_test.sh $<TARGET_FILE:${name}>)
  set_tests_properties(${name}.command_line PROPERTIES
    LABELS "${name};gpu;program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${name}/flags.cuh)
    # The lesson, as the program and as a build that has nothing but the lesson.
    add_device_executable(${name}_lesson ${PROJECT_SOURCE_DIR}/${name}/${name}.cu)
    add_test(NAME ${name}.lesson
      COMMAND ${PROJECT_SOURCE_DIR}/tests/lesson_test.sh
        $<TARGET_FILE:${name}> $<TARGET_FILE:${name}_lesson>)
    set_tests_properties(${name}.lesson PROPERTIES
      LABELS "${name};gpu;program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
  if(EXISTS ${tests}/program_test.sh)  # options that only it has
    add_test(NAME ${name}.program COMMAND ${tests}/program_test.sh $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.program PROPERTIES
      LABELS "${name};gpu;program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
  if(DEVICE STREQUAL "cpu")
    foreach(test IN ITEMS os_threads failing_calls)
      add_test(NAME ${name}.${test}
        COMMAND ${PROJECT_SOURCE_DIR}/tests/${test}_test.sh $<TARGET_FILE:${name}>)
      set_tests_properties(${name}.${test} PROPERTIES LABELS "${name};program" TIMEOUT 600)
    endforeach()
    # The lesson must see that it is wrong when it is broken on purpose.
    set(labels "${name};gpu;program")
    add_broken_versions(${name}.lesson ${name}_lesson ${PROJECT_SOURCE_DIR}/${name}/${name}.cu
      ${tests}/lesson.sed "${labels}" ${says_wrong})
    foreach(k RANGE 1 ${broken_versions})
      thorough_only(TESTS ${name}.lesson.broken_${k} TARGETS ${name}_lesson_broken_${k})
    endforeach()
    # The samples in the notes run the lessons too: one chapter stands for the lesson's own build.
    if(NOT name STREQUAL "reduce_atomic")
      thorough_only(TESTS ${name}.lesson TARGETS ${name}_lesson)
    endif()
    if(NOT name MATCHES "^(reduce_atomic|hash_table)$")  # two chapters stand for all
      thorough_only(TESTS ${name}.os_threads)
    endif()
    # Nearly all calls that fail are those of common/ and harness/: one chapter stands for all.
    if(NOT name STREQUAL "reduce_atomic")
      thorough_only(TESTS ${name}.failing_calls)
    endif()
    # How the program itself fares with so many threads, os_threads_test.sh says.
    set(some_cases *block32*:*block1024*)
    test_on_many_os_threads(${name} 64 ${some_cases} ${name}_test)
    if(name MATCHES "^(mutex_dot|grid_barrier|scan)$")  # where threads wait for one another
      test_on_many_os_threads(${name} 256 ${some_cases} ${name}_test)
    endif()
  endif()
  if(DEVICE STREQUAL "cuda")
    add_test(NAME ${name}.one_line_build
      COMMAND ${PROJECT_SOURCE_DIR}/tests/skip_without_gpu.sh
        ${PROJECT_SOURCE_DIR}/tests/one_line_build_test.sh
        ${CMAKE_CUDA_COMPILER} ${PROJECT_SOURCE_DIR} ${name}/${name}.cu)
    set_tests_properties(${name}.one_line_build PROPERTIES
      LABELS "${name};program" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
endfunction()

# test_on_many_os_threads(<name> <threads> <filter> <target>...)
#
# Runs the cases of each test binary that GoogleTest's filter takes, in one process, on so many OS
# threads: the thorough tests "<name>.<target>_on_<threads>_os_threads". 64 are more than most
# machines have CPUs. 256, the most there can be, are for the tests in which threads wait for one
# another. What another number of OS threads may break is not a matter of the block's size.
function(test_on_many_os_threads name threads filter)
  foreach(target IN LISTS ARGN)
    set(test ${name}.${target}_on_${threads}_os_threads)
    add_test(NAME ${test} COMMAND ${target} --gtest_filter=${filter})
    set_tests_properties(${test} PROPERTIES
      LABELS "${name};program" TIMEOUT 1800 ENVIRONMENT CPU_DEVICE_THREADS=${threads}
      FAIL_REGULAR_EXPRESSION "Running 0 tests")
    thorough_only(TESTS ${test})
  endforeach()
endfunction()

# An executable from .cu files, for the chosen device.
function(add_device_executable target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE common)
  if(NOT DEVICE STREQUAL "cuda")
    cpu_device_sources(${target})
  endif()
endfunction()

# A GoogleTest binary from .cu files: a test of CTest for each case, in race mode's quick suite one
# for the binary. A case ends as skipped when there is no GPU to run it.
function(add_device_test target)
  add_device_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE GTest::gtest_main)
  if(NOT DEVICE STREQUAL "cuda")
    precompile_test_headers(${target})
  endif()
  string(REGEX REPLACE "_test$" "" name ${target})
  if(COMPILE_ONLY)
    return()  # the test skips.are_counted runs it whole
  endif()
  if(DEVICE STREQUAL "race" AND NOT THOROUGH)
    # All cases in one process: each of its own would ask addr2line for the same lines anew, which
    # takes more time than the cases. The longest go first.
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES LABELS gpu TIMEOUT 600 COST 10)
    return()
  endif()
  gtest_discover_tests(${target}
    TEST_PREFIX "${name}."
    DISCOVERY_MODE PRE_TEST  # listed when CTest runs: the build machine needs no GPU
    NO_PRETTY_VALUES         # printed values hold the bytes of pointers, which change
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS gpu TIMEOUT 600)
endfunction()
