# find_nccl()
#
# Sets NCCL to the target nccl where NVIDIA's library for several GPUs is installed, else to nothing:
# then several_gpus' row "nccl" is skipped. NCCL_ROOT: a folder with include/ and lib/ of it, such as
# that of the Python package nvidia-nccl-cu13.
function(find_nccl)
  set(NCCL "" PARENT_SCOPE)
  if(NOT DEVICE STREQUAL "cuda")
    return()
  endif()
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} ENV NCCL_ROOT
    PATH_SUFFIXES lib)
  if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
    message(STATUS "NCCL: not found, so several_gpus' variant nccl is skipped")
    return()
  endif()
  message(STATUS "NCCL: ${NCCL_LIBRARY}")
  add_library(nccl INTERFACE)
  target_include_directories(nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
  target_link_libraries(nccl INTERFACE ${NCCL_LIBRARY})
  target_compile_definitions(nccl INTERFACE WITH_NCCL)
  set(NCCL nccl PARENT_SCOPE)
endfunction()
