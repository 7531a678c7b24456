// A flag without release: __nv_atomic_store_n is an atomic, and orders nothing else.
// race: status 66, "DATA RACE", "a release"
#define ORDER_OF_FLAG __NV_ATOMIC_RELAXED
#include "nv_atomics.cu"
