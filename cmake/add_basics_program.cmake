# add_basics_program(<name>)
#
# Adds the program <name> from the one file basics/<name>.cu, and its tests:
#
#   basics.<name>                 it runs, and what it checks holds
#   basics.<name>.broken_<k>      it sees that it is wrong when it is broken on purpose, by the k-th
#                                 line of tests/basics/<name>.sed (on the CPU device only); in
#                                 race mode, a race is reported when it is broken by the k-th line
#                                 of tests/basics/<name>_race.sed, if there is such a file
#   basics.<name>.one_line_build  the nvcc line at the head of the file works as it stands there
function(add_basics_program name)
  set(source ${PROJECT_SOURCE_DIR}/basics/${name}.cu)
  set(labels "basics;gpu;program")
  add_device_executable(${name} ${source})
  set(skip_without_gpu ${PROJECT_SOURCE_DIR}/tests/skip_without_gpu.sh)
  add_test(NAME basics.${name} COMMAND ${skip_without_gpu} $<TARGET_FILE:${name}>)
  set_tests_properties(basics.${name} PROPERTIES
    LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 300)

  if(DEVICE STREQUAL "cuda")
    add_test(NAME basics.${name}.one_line_build
      COMMAND ${skip_without_gpu} ${PROJECT_SOURCE_DIR}/tests/one_line_build_test.sh
        ${CMAKE_CUDA_COMPILER} ${PROJECT_SOURCE_DIR} ${name} basics/${name}.cu)
    set_tests_properties(basics.${name}.one_line_build PROPERTIES
      LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  endif()

  set(tests ${PROJECT_SOURCE_DIR}/tests/basics)
  if(DEVICE STREQUAL "cpu")
    set(edits ${tests}/${name}.sed)
    set(must_end_with 1 WRONG)
    if(CMAKE_CXX_FLAGS MATCHES "sanitize")  # which may find it first
      set(must_end_with 1 "WRONG\\|ERROR: AddressSanitizer\\|runtime error:")
    endif()
  elseif(DEVICE STREQUAL "race" AND EXISTS ${tests}/${name}_race.sed)
    set(edits ${tests}/${name}_race.sed)
    set(must_end_with 66 "DATA RACE")
  else()
    set(edits "")
  endif()
  if(edits)
    # Written while configuring: no custom command takes a path with a # in it.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${source} ${edits} ${tests}/break_program.sh)
    # No list of the lines: a [ in one of them would join it with those after it.
    file(READ ${edits} text)
    string(REGEX MATCHALL "\ns" starts "\n${text}")
    list(LENGTH starts count)
    if(count EQUAL 0)
      message(FATAL_ERROR "${edits}: expected lines that begin with s, one per broken version")
    endif()
    foreach(k RANGE 1 ${count})
      set(broken ${CMAKE_CURRENT_BINARY_DIR}/${name}_broken_${k})
      execute_process(COMMAND ${tests}/break_program.sh ${source} ${edits} ${k} ${broken}.new
        COMMAND_ERROR_IS_FATAL ANY)
      configure_file(${broken}.new ${broken}.cu COPYONLY)  # leaves the same text as it is
      add_device_executable(${name}_broken_${k} ${broken}.cu)
      target_compile_options(${name}_broken_${k} PRIVATE -w)  # such as: variable never used
      set_target_properties(${name}_broken_${k} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
      add_test(NAME basics.${name}.broken_${k}
        COMMAND ${tests}/must_find_wrong.sh $<TARGET_FILE:${name}_broken_${k}> ${must_end_with})
      set_tests_properties(basics.${name}.broken_${k} PROPERTIES
        LABELS "${labels}" TIMEOUT 300)
      if(DEVICE STREQUAL "race")
        thorough_only(TESTS basics.${name}.broken_${k} TARGETS ${name}_broken_${k})
      endif()
    endforeach()
  endif()
endfunction()
