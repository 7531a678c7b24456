// expect: does not compile "missing_header_mpi.cpp:4: error: mpi.h: MPI, which is no part of CUDA,
//     is not found; -I says where it is"

#include <mpi.h>

int main() {}
