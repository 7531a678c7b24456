// The list of one thread's own atom: what variant 2 does in its loop, as a class for the variants
// that loop in another way.
#pragma once

#include <cuda_runtime.h>

#include "neighbor_list/distance.cuh"
#include "neighbor_list/layout.cuh"

template <typename T>
class OwnList {
  public:
    // The list of atom n1 at (x1, y1), one of N, in the neighbor-major array d_NL.
    __device__ OwnList(int* d_NL, int N, int MN, int n1, T x1, T y1, T cutoff_squared)
        : d_NL_(d_NL), N_(N), MN_(MN), n1_(n1), x1_(x1), y1_(y1), cutoff_squared_(cutoff_squared) {}

    // Adds atom n2 at (x2, y2) to the list if it is a neighbor.
    __device__ void test(int n2, T x2, T y2) {
        if (within_cutoff(x1_, y1_, x2, y2, cutoff_squared_) && n2 != n1_) {
            if (count_ < MN_) {
                d_NL_[neighbor_major(n1_, count_, N_)] = n2;
            }
            ++count_;
        }
    }
    __device__ int count() const { return count_; }

  private:
    int* d_NL_;
    int N_;
    int MN_;
    int n1_;
    T x1_;
    T y1_;
    T cutoff_squared_;
    int count_ = 0;
};
