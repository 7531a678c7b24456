# add_broken_versions(<test> <target> <source> <edits> <labels> <status> <text>...)
#
# Adds the programs <target>_broken_<k>, each a copy of <source> that the k-th line of <edits> has
# broken on purpose, and the tests <test>.broken_<k>: it must end with <status> and say each <text>.
# Sets broken_versions: how many there are.
function(add_broken_versions test target source edits labels)
  set(tests ${PROJECT_SOURCE_DIR}/tests)
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
  get_filename_component(folder ${source} DIRECTORY)
  set(broken ${CMAKE_CURRENT_BINARY_DIR}/${target}_broken)
  execute_process(COMMAND ${tests}/break_program.sh ${source} ${edits} ${broken}
    COMMAND_ERROR_IS_FATAL ANY)
  foreach(k RANGE 1 ${count})
    configure_file(${broken}_${k}.cu.new ${broken}_${k}.cu COPYONLY)  # leaves the same text alone
    add_device_executable(${target}_broken_${k} ${broken}_${k}.cu)
    # The copy lies in another folder, and includes relative to the source's.
    target_include_directories(${target}_broken_${k} PRIVATE ${folder})
    target_compile_options(${target}_broken_${k} PRIVATE -w)  # such as: variable never used
    set_target_properties(${target}_broken_${k} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    add_test(NAME ${test}.broken_${k}
      COMMAND ${tests}/must_find_wrong.sh $<TARGET_FILE:${target}_broken_${k}> ${ARGN})
    set_tests_properties(${test}.broken_${k} PROPERTIES LABELS "${labels}" TIMEOUT 300)
  endforeach()
  set(broken_versions ${count} PARENT_SCOPE)
endfunction()

# The status and the words of a program that sees that it is wrong.
set(says_wrong 1 WRONG)
if(CMAKE_CXX_FLAGS MATCHES "sanitize")  # which may find it first
  set(says_wrong 1 "WRONG\\|ERROR: AddressSanitizer\\|runtime error:")
endif()
