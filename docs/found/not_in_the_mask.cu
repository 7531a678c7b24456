// A warp asks whether all lanes but lane 0 have a number other than 0. Lane 0 is not in the mask,
// and calls the function all the same.
//
// Found in: the programs of Fan's book CUDA Programming, warp.cu of chapter 11, until pull request
// 51 (December 2025). Readers got other results than the book prints (issue 44).
// Teaches: who calls a function with a mask must be in the mask.
//
//     scripts/race docs/found/not_in_the_mask.cu             # DIVERGENT WARP FUNCTION
//     scripts/race docs/found/not_in_the_mask.cu -DFIXED     # clean
#include <algorithm>
#include <cstdio>

#include "../../common/error.cuh"

__global__ void ask(int* d_answers) {
    const unsigned all_but_first = 0xfffffffe;
    const int lane = threadIdx.x;
#ifdef FIXED
    if (lane > 0) {
        d_answers[lane] = __all_sync(all_but_first, lane);
    }
#else
    d_answers[lane] = __all_sync(all_but_first, lane);
#endif
}

int main() {
    int answers[32], *d_answers;
    CHECK(cudaMalloc(&d_answers, sizeof answers));
    CHECK(cudaMemset(d_answers, 0, sizeof answers));
    ask<<<1, 32>>>(d_answers);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(answers, d_answers, sizeof answers, cudaMemcpyDeviceToHost));
    const auto told = std::count(answers + 1, answers + 32, 1);
    std::printf("%td of 31 lanes are told 1\n", told);
    return told == 31 ? 0 : 1;
}
