# add_mpi_program(<name> <chapter>)
#
# Adds the program <name> from <chapter>/<name>.cu and the thorough test <chapter>.mpi, which is
# skipped where CMake finds no MPI.
function(add_mpi_program name chapter)
  # If MPI has been removed since the last time, FindMPI.cmake would fail on what it remembers.
  if(MPI_CXX_HEADER_DIR AND NOT EXISTS "${MPI_CXX_HEADER_DIR}")
    get_cmake_property(remembered CACHE_VARIABLES)
    list(FILTER remembered INCLUDE REGEX "^MPI(EXEC_|_CXX_|_mpi_|_RESULT_)")
    foreach(variable IN LISTS remembered)
      unset(${variable} CACHE)
    endforeach()
  endif()
  find_package(MPI COMPONENTS CXX QUIET)
  set(run "")
  set(labels ${chapter} program)
  if(MPI_CXX_FOUND)
    list(APPEND labels gpu)
    add_device_executable(${name} ${PROJECT_SOURCE_DIR}/${chapter}/${name}.cu)
    target_link_libraries(${name} PRIVATE MPI::MPI_CXX)
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX)
    set(run ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:${name}>)
  else()
    message(STATUS "MPI: not found, so ${name} is not built")
  endif()
  add_test(NAME ${chapter}.mpi
    COMMAND ${PROJECT_SOURCE_DIR}/tests/${chapter}/mpi_test.sh ${run})
  set_tests_properties(${chapter}.mpi PROPERTIES
    LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  thorough_only(TESTS ${chapter}.mpi)
  if(MPI_CXX_FOUND)
    thorough_only(TARGETS ${name})
  endif()
endfunction()
