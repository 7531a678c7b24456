// On the CPU device these tests have two devices.
#pragma once

#include "several_gpus/parts.cuh"

[[maybe_unused]] static const bool devices_are_asked_for = (take_two_cpu_devices(), true);
