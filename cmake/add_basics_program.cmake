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
  if(DEVICE STREQUAL "race")
    thorough_only(TESTS basics.${name} TARGETS ${name})
  endif()

  if(DEVICE STREQUAL "cuda")
    add_test(NAME basics.${name}.one_line_build
      COMMAND ${skip_without_gpu} ${PROJECT_SOURCE_DIR}/tests/one_line_build_test.sh
        ${CMAKE_CUDA_COMPILER} ${PROJECT_SOURCE_DIR} basics/${name}.cu)
    set_tests_properties(basics.${name}.one_line_build PROPERTIES
      LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  endif()

  set(tests ${PROJECT_SOURCE_DIR}/tests/basics)
  if(DEVICE STREQUAL "cpu")
    set(edits ${tests}/${name}.sed)
    set(must_end_with ${says_wrong})
  elseif(DEVICE STREQUAL "race" AND EXISTS ${tests}/${name}_race.sed)
    set(edits ${tests}/${name}_race.sed)
    set(must_end_with 66 "DATA RACE")
  else()
    set(edits "")
  endif()
  if(edits)
    add_broken_versions(basics.${name} ${name} ${source} ${edits} "${labels}" ${must_end_with})
    foreach(k RANGE 1 ${broken_versions})
      thorough_only(TESTS basics.${name}.broken_${k} TARGETS ${name}_broken_${k})
    endforeach()
  endif()
endfunction()
