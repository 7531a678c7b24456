// The driver API is not there. Sources include this header for CUDA_VERSION, too.
#pragma once
#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
