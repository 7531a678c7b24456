// nvcc compiles a file twice: for the host, and for the device with __CUDA_ARCH__ defined. Here is
// one program that holds both.
#pragma once

#include <string>
#include <vector>

// One text from those of the two passes, in which the marks __device__ and __host__ are still
// there:
//   - a function of the device alone is as the device's pass has it, one of the host alone, or
//     without a mark, as the host's pass has it;
//   - a function of both that differs has both bodies, and asks where it runs;
//   - a constant or a type that both passes declare, differently, is there twice: what device
//     functions say gets another name.
// Its line markers are right. What cannot be done so, as two layouts of one class, adds a note, one
// for each file at most: there the device's text holds for the host, too.
std::string merge_passes(std::string host, std::string device, std::vector<std::string>& notes);
