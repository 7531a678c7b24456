# find_package(cpu_device): the installed CPU device, for a project of anybody's. It defines
#
#   cpu_device_sources(<target>)   compiles the .cu files of <target> for the CPU device
#
# and takes the kind of the device from CPU_DEVICE_KIND: cpu, race or asan, as far as installed.
cmake_minimum_required(VERSION 3.25)
if(NOT CMAKE_CXX_COMPILER_LOADED)
  message(FATAL_ERROR "find_package(cpu_device): expected a project with the language CXX")
endif()
include(CMakeFindDependencyMacro)
find_dependency(Threads)

set(CPU_DEVICE_DIR ${CMAKE_CURRENT_LIST_DIR})
set(CPU_DEVICE_REWRITE ${CPU_DEVICE_DIR}/rewrite)
set(CPU_DEVICE_KIND cpu CACHE STRING "Kind of the CPU device: cpu, race or asan")
set_property(CACHE CPU_DEVICE_KIND PROPERTY STRINGS cpu race asan)
include(${CPU_DEVICE_DIR}/sources.cmake)
set(CPU_DEVICE_HOST_OPTIONS ${CPU_DEVICE_HOST_OPTIONS_${CPU_DEVICE_KIND}})
set(CPU_DEVICE_CHECKED_OPTIONS ${CPU_DEVICE_CHECKED_OPTIONS_${CPU_DEVICE_KIND}})

# Imported targets of CMake's packages belong to one directory, so each that looks for the CPU
# device looks for them.
if(EXISTS ${CPU_DEVICE_DIR}/boost)  # its threads are switched by Boost.Context
  find_dependency(Boost 1.66 COMPONENTS context)
endif()

# The target cpu_device: the library of the kind. A function, so that no variable of the caller is
# touched.
function(_cpu_device_import)
  set(library ${CPU_DEVICE_DIR}/${CPU_DEVICE_KIND}/libcpu_device.a)
  if(NOT EXISTS ${library})
    file(GLOB kinds RELATIVE ${CPU_DEVICE_DIR} ${CPU_DEVICE_DIR}/*/libcpu_device.a)
    string(REPLACE "/libcpu_device.a" "" kinds "${kinds}")
    list(JOIN kinds ", " kinds)
    message(FATAL_ERROR
      "CPU_DEVICE_KIND=${CPU_DEVICE_KIND}: expected a kind that is installed in "
      "${CPU_DEVICE_DIR}: ${kinds}")
  endif()
  add_custom_target(cpu_device_rewrite)  # it is there
  add_library(cpu_device STATIC IMPORTED GLOBAL)
  set_target_properties(cpu_device PROPERTIES IMPORTED_LOCATION ${library})
  target_compile_features(cpu_device INTERFACE cxx_std_17)
  target_include_directories(cpu_device SYSTEM INTERFACE
    ${CPU_DEVICE_DIR}/include ${CPU_DEVICE_DIR}/stub_headers)
  if(CPU_DEVICE_KIND STREQUAL "race")
    target_compile_definitions(cpu_device INTERFACE CPU_DEVICE_RACE=1)
  endif()
  separate_arguments(flags UNIX_COMMAND "${CPU_DEVICE_FLAGS_${CPU_DEVICE_KIND}}")
  target_compile_options(cpu_device INTERFACE ${flags})
  target_link_options(cpu_device INTERFACE ${flags})
  target_link_libraries(cpu_device INTERFACE Threads::Threads atomic ${CMAKE_DL_LIBS})
  set(libraries ${CPU_DEVICE_DIR}/${CPU_DEVICE_KIND}/libcpu_device_libraries.a)
  if(EXISTS ${libraries})  # cuBLAS, cuFFT and cuRAND
    target_link_libraries(cpu_device INTERFACE ${libraries} ${library})
  endif()
  if(EXISTS ${CPU_DEVICE_DIR}/boost)
    target_link_libraries(cpu_device INTERFACE Boost::context)
  endif()
endfunction()
if(NOT TARGET cpu_device)
  _cpu_device_import()
endif()
