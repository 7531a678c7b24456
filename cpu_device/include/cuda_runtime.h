// The CUDA runtime as the CPU device has it. Every .cu file is compiled with this header included
// first, as nvcc does with its own.
#pragma once

#ifdef CPU_DEVICE_COUNTS_PRINTS
#include "cpu_device/race_print.h"
#endif

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <new>
#include <utility>

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race_heap.h"
#include "cpu_device/race_string.h"
#endif

#include "cpu_device/keywords.h"
#include "cpu_device/vector_types.h"

#include "cpu_device/runtime.h"

#include "cpu_device/arithmetic.h"
#include "cpu_device/atomic_functions.h"
#include "cpu_device/device_functions.h"
#include "cpu_device/host_api.h"
#include "cpu_device/lanes_of_a_word.h"
#include "cpu_device/launch.h"
#include "cpu_device/memory_pools.h"
#include "cpu_device/nv_atomic.h"
#include "cpu_device/old_names.h"
#include "cpu_device/pitched_memory.h"
#include "cpu_device/ptx.h"
#include "cpu_device/textures.h"
