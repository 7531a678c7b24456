// Faults on demand, for tests. CPU_DEVICE_FAIL="call 12" makes the twelfth call of the CUDA API
// fail (a launch is one too), "call 12 cudaErrorNoDevice" with that error, "allocation 3" the third
// allocation of device memory, and "thread 2" the second OS thread that is started and all later
// ones.
#pragma once

namespace cpu_device {

enum class Fault { call, allocation, thread };

// Counts this one, and says whether it is to fail. `name`: of the call, for a line on stderr.
bool must_fail(Fault kind, const char* name);

// The error that the call is to fail with: a cudaError_t, which this header need not know.
int wished_error();

}  // namespace cpu_device
