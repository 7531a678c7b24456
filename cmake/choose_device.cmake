# Chooses what the kernels run on, and sets up its compiler.
#
#   DEVICE=auto   cuda where nvcc and a GPU are there, else cpu
#   DEVICE=cuda   nvcc; without a GPU the programs build, say that they need one, and exit with 77
#   DEVICE=cpu    the CPU device (cpu_device): g++ alone, no CUDA Toolkit
#   DEVICE=race   the CPU device one step at a time, accesses checked for data races
set(DEVICE auto CACHE STRING "What the kernels run on: auto, cuda, cpu or race")
set_property(CACHE DEVICE PROPERTY STRINGS auto cuda cpu race)
option(COMPILE_ONLY "With DEVICE=cuda: only see that nvcc takes it all; nothing is optimized" OFF)

# A toolkit that its own installer put in place is often not on the PATH.
find_program(NVCC nvcc PATHS ENV CUDACXX /usr/local/cuda/bin /opt/cuda/bin)
mark_as_advanced(NVCC)
find_program(NVIDIA_SMI nvidia-smi PATHS /usr/lib/wsl/lib)
mark_as_advanced(NVIDIA_SMI)
set(gpus "")
if(NVIDIA_SMI)
  execute_process(COMMAND ${NVIDIA_SMI} -L OUTPUT_VARIABLE gpus ERROR_QUIET)
endif()
if(gpus MATCHES "GPU 0:")
  set(HAVE_GPU ON)
else()
  set(HAVE_GPU OFF)
endif()

if(DEVICE STREQUAL "auto")
  if(NVCC AND HAVE_GPU)
    set(DEVICE cuda)
  else()
    set(DEVICE cpu)
  endif()
  message(STATUS "DEVICE=auto: the kernels will run on '${DEVICE}'")
endif()

if(DEVICE STREQUAL "cuda")
  if(NOT NVCC)
    message(FATAL_ERROR
      "DEVICE=cuda needs nvcc of the CUDA Toolkit, and found none on the PATH or in "
      "/usr/local/cuda. "
      "Without a toolkit, use DEVICE=cpu.")
  endif()
  if(NOT DEFINED CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${NVCC})
  endif()
  if(COMPILE_ONLY)
    # The newest kind of GPU that the sources ask for; add_example() adds the oldest.
    set(CMAKE_CUDA_ARCHITECTURES 90-real)
    set(CMAKE_CUDA_FLAGS_RELEASE "-O0 -DNDEBUG")  # of the code for the CPU; it takes half the time
  elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(HAVE_GPU)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      # Machine code for 7.5 and 9.0, and the intermediate code of both, which the driver compiles
      # for every GPU from 7.5 on.
      set(CMAKE_CUDA_ARCHITECTURES 75 90)
    endif()
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  if(architectures STREQUAL "native")
    set(architectures ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
  endif()
  foreach(architecture IN LISTS architectures)
    string(REGEX MATCH "^[0-9]+" number "${architecture}")
    if(number AND number LESS 75)
      message(FATAL_ERROR
        "CMAKE_CUDA_ARCHITECTURES=${architecture}: compute capability 7.5 or newer is needed.")
    endif()
  endforeach()
elseif(DEVICE STREQUAL "cpu" OR DEVICE STREQUAL "race")
  include(cpu_device/cpu_device.cmake)
else()
  message(FATAL_ERROR "DEVICE=${DEVICE}: expected auto, cuda, cpu or race.")
endif()
