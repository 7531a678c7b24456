// Faults on demand, for tests. CPU_DEVICE_FAIL="call 12" makes the twelfth call of the CUDA API
// fail (a launch is one too), "allocation 3" the third allocation of device memory, and "thread 2"
// the second OS thread that is started and all later ones.
#pragma once

namespace cpu_device {

enum class Fault { call, allocation, thread };

// Counts this one, and says whether it is to fail. `name`: of the call, for a line on stderr.
bool must_fail(Fault kind, const char* name);

}  // namespace cpu_device
