// Pinned memory in pieces through several streams, with functions of the host in between.
#include <vector>

__global__ void add(int* d_x, int n, int what) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_x[i] += what;
    }
}

void CUDART_CB count_callback(cudaStream_t, cudaError_t status, void* calls) {
    *static_cast<int*>(calls) += status == cudaSuccess ? 1 : 100;
}
void CUDART_CB count_function(void* calls) {
    *static_cast<int*>(calls) += 10;
}

int main() {
    constexpr int pieces = 4, piece = 250;
    std::vector<int> ordinary(pieces * piece, 1);
    int *pinned, *d_x, calls[pieces] = {};
    cudaHostAlloc(&pinned, pieces * piece * sizeof(int), cudaHostAllocPortable);
    cudaMalloc(&d_x, pieces * piece * sizeof(int));
    if (cudaHostRegister(ordinary.data(), ordinary.size() * sizeof(int), cudaHostRegisterDefault) !=
        cudaSuccess) {
        return 1;
    }
    cudaStream_t streams[pieces];
    cudaEvent_t first;
    cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    for (int i = 0; i < pieces; ++i) {
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
        int* const d_piece = d_x + i * piece;
        cudaMemcpyAsync(d_piece, ordinary.data() + i * piece, piece * sizeof(int),
                        cudaMemcpyHostToDevice, streams[i]);
        add<<<(piece + 63) / 64, 64, 0, streams[i]>>>(d_piece, piece, i);
        cudaMemcpyAsync(pinned + i * piece, d_piece, piece * sizeof(int), cudaMemcpyDeviceToHost,
                        streams[i]);
        cudaStreamAddCallback(streams[i], count_callback, &calls[i], 0);
        cudaLaunchHostFunc(streams[i], count_function, &calls[i]);
    }
    cudaEventRecord(first, streams[0]);
    cudaStreamWaitEvent(streams[1], first, 0);
    for (int i = 0; i < pieces; ++i) {
        while (cudaStreamQuery(streams[i]) == cudaErrorNotReady) {
        }
        cudaStreamSynchronize(streams[i]);
        cudaStreamDestroy(streams[i]);
        if (calls[i] != 11) {
            return 2;
        }
    }
    for (int i = 0; i < pieces * piece; ++i) {
        if (pinned[i] != 1 + i / piece) {
            return 3;
        }
    }
    return cudaHostUnregister(ordinary.data()) == cudaSuccess ? 0 : 4;
}
