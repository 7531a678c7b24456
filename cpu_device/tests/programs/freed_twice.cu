// A second cudaFree() of the same memory returns an error, and race mode tells it.
// race: status 66, "USE AFTER FREE", "freed_twice.cu:10: frees memory that has been freed already:",
//     "freed_twice.cu:7 and freed since"
// quick
int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 4);
    cudaFree(d_x);

    return cudaFree(d_x) == cudaErrorInvalidValue ? 0 : 1;
}
