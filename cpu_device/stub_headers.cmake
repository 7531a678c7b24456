# Headers of CUDA for which one line is enough: other names of a header that is here, and headers of
# what the CPU device does not have. They are written into the folder CPU_DEVICE_STUB_HEADERS. A
# real header of the same name, in include, is found first.
set(CPU_DEVICE_STUB_HEADERS ${CMAKE_BINARY_DIR}/cpu_device/stub_headers)

# Each is another name of <header>.
function(other_names header)
  foreach(name IN LISTS ARGN)
    file(CONFIGURE OUTPUT ${CPU_DEVICE_STUB_HEADERS}/${name} @ONLY
      CONTENT "// -*- C++ -*-\n#pragma once\n#include <${header}>\n")
  endforeach()
endfunction()

# Including one of them ends the compilation with <message>.
function(headers_without message)
  foreach(name IN LISTS ARGN)
    file(CONFIGURE OUTPUT ${CPU_DEVICE_STUB_HEADERS}/${name} @ONLY
      CONTENT "// -*- C++ -*-\n#error \"${message}\"\n")
  endforeach()
endfunction()

other_names(cuda_runtime.h
  builtin_types.h
  channel_descriptor.h
  common_functions.h
  crt/common_functions.h
  crt/device_functions.h
  crt/host_config.h
  crt/host_defines.h
  crt/host_runtime.h
  crt/math_functions.h
  cuda_device_runtime_api.h
  cuda_runtime_api.h
  cuda_surface_types.h
  cuda_occupancy.h
  cuda_texture_types.h
  device_atomic_functions.h
  device_double_functions.h
  device_functions.h
  device_functions.hpp
  device_launch_parameters.h
  device_types.h
  driver_functions.h
  driver_types.h
  host_config.h
  host_defines.h
  math_functions.h
  math_functions.hpp
  sm_20_atomic_functions.h
  sm_20_intrinsics.h
  sm_30_intrinsics.h
  sm_32_atomic_functions.h
  sm_32_intrinsics.h
  sm_35_atomic_functions.h
  sm_35_intrinsics.h
  sm_60_atomic_functions.h
  sm_61_intrinsics.h
  surface_functions.h
  surface_indirect_functions.h
  surface_types.h
  texture_fetch_functions.h
  texture_indirect_functions.h
  texture_types.h
  vector_functions.h
  vector_types.h)
other_names(cassert cuda/std/cassert)
other_names(cfloat cuda/std/cfloat)
other_names(climits cuda/std/climits)
other_names(initializer_list cuda/std/initializer_list)
other_names(cuda/atomic cuda/std/atomic)
other_names(cuda/std/bit cuda/bit)
other_names(cuda/std/functional cuda/functional)
other_names(cuda/std/numeric cuda/numeric)
other_names(cuda/std/type_traits cuda/type_traits)
other_names(cuda_bf16.h cuda_bf16.hpp)
other_names(cuda_fp16.h cuda_fp16.hpp)
other_names(cuda_fp8.h cuda_fp8.hpp)
other_names(cublas_v2.h cublas_api.h)
# Many sources include it and use nothing of it; what they use is refused by its name.
other_names(cufft.h cufftXt.h)
other_names(curand_kernel.h
  curand_discrete.h curand_globals.h curand_lognormal.h curand_mrg32k3a.h curand_normal.h
  curand_philox4x32_x.h curand_poisson.h curand_precalc.h curand_uniform.h)
other_names(nvtx3/nvToolsExt.h nvToolsExt.h)

headers_without("The mbarrier primitives: the CPU device does not have them; cuda/barrier is there"
  cuda_awbarrier.h cuda_awbarrier_helpers.h cuda_awbarrier_primitives.h)
headers_without("CUB: the CPU device does not have it" cub/cub.cuh)
headers_without("This part of cuBLAS: the CPU device does not have it; cublas_v2.h is there"
  cublas.h)
headers_without("cuDNN: the CPU device does not have it" cudnn.h)
headers_without("This part of cuFFT: the CPU device does not have it; cufft.h is there" cufftw.h)
headers_without("cuSOLVER: the CPU device does not have it" 
  cusolverDn.h cusolverMg.h cusolverRf.h cusolverSp.h cusolver_common.h)
headers_without("cuSPARSE: the CPU device does not have it" cusparse.h cusparse_v2.h)
headers_without("EGL: the CPU device does not have it" cudaEGL.h cuda_egl_interop.h)
headers_without("NCCL: the CPU device does not have it" nccl.h)
headers_without("NPP: the CPU device does not have it" npp.h nppi.h nppcore.h npps.h nppdefs.h)
headers_without("NVML: the CPU device does not have it" nvml.h)
headers_without("NVRTC: the CPU device does not have it" nvrtc.h)
headers_without("OpenGL: the CPU device does not have it" cudaGL.h cuda_gl_interop.h)
headers_without("Tensor cores: the CPU device does not have them" mma.h)
