# The quick suite, which is what CTest runs by default, and the thorough one.
#
#   cmake --preset cpu -DTHOROUGH=ON    builds and runs all tests, as scripts/test --thorough does
#
# thorough_only([TESTS <test>...] [TARGETS <target>...])
#   Takes tests that take long out of the quick suite, where CTest names them as disabled, and their
#   targets out of its build, where they can still be built by name. The tests get the label
#   thorough, so that the test preset quick leaves them out of any build.
#
# stands_for_thorough(<name>)
#   Names a test binary that the quick suite does not build: a disabled test.
#
# Any test may do more, such as other seeds or sizes, where the environment has THOROUGH=1. CTest
# sets that for all tests of the thorough suite.
option(THOROUGH "Build and run the thorough tests too" OFF)

function(thorough_only)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" "TESTS;TARGETS")
  if(ARG_TESTS)
    set_property(TEST ${ARG_TESTS} APPEND PROPERTY LABELS thorough)
  endif()
  if(NOT THOROUGH)
    if(ARG_TESTS)
      set_tests_properties(${ARG_TESTS} PROPERTIES DISABLED TRUE)
    endif()
    if(ARG_TARGETS)
      set_target_properties(${ARG_TARGETS} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endif()
endfunction()

function(stands_for_thorough name)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E false)
  set_tests_properties(${name} PROPERTIES DISABLED TRUE LABELS thorough)
endfunction()

if(THOROUGH)
  file(WRITE ${CMAKE_BINARY_DIR}/thorough_environment.cmake "set(ENV{THOROUGH} 1)\n")
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/thorough_environment.cmake)
endif()
