// Constant memory: fast if all lanes of a warp read the same word, slow if each reads another one.
// Notes: basics/09_constant_memory.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 09_constant_memory.cu -o constant_memory
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"

constexpr int polynomials = 32, terms = 8;

// One row per polynomial; element k of a row belongs to x to the power of k. Kernels only read it.
__constant__ float c_terms[polynomials][terms];

// Thread i takes the polynomial (i / group) % 32: so `group` neighboring threads take the same
// one.
__host__ __device__ int polynomial_of(int i, int group) {
    return i / group % polynomials;
}

__global__ void evaluate(const float* d_x, float* d_y, int n, int group) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int polynomial = polynomial_of(i, group);
        float y = 0;
        for (int k = terms - 1; k >= 0; --k) {
            y = y * d_x[i] + c_terms[polynomial][k];
        }
        d_y[i] = y;
    }
}

// The value of a polynomial, term by term.
float evaluate_on_cpu(const float* row, float x) {
    float y = 0, power = 1;
    for (int k = 0; k < terms; ++k) {
        y += row[k] * power;
        power *= x;
    }
    return y;
}

// How many different words the first warp reads in one step of the loop: one turn for each.
std::size_t count_words(int group) {
    std::set<int> words;
    for (int lane = 0; lane < 32; ++lane) {
        words.insert(polynomial_of(lane, group) * terms);
    }
    return words.size();
}

int main() {
    // 1. The input: from -3 to 3. All values are small integers, so all results are exact.
    const int n = common::on_cpu_device ? 20'000 : 10'000'000;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = i % 7 - 3;
    }
    float *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    CHECK(cudaMalloc(&d_y, n * sizeof(float)));
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    int wrong = 0;
    for (const int group : {32, 8, 1}) {
        // 2. The host writes other polynomials for each group.
        std::vector<float> all_terms(polynomials * terms);
        for (int i = 0; i < polynomials * terms; ++i) {
            all_terms[i] = i * (group + 5) % 11 - 5;
        }
        CHECK(cudaMemcpyToSymbol(c_terms, all_terms.data(), sizeof c_terms));

        // 3. The first run warms up; the time is that of the second.
        double ms = 0;
        for (int run = 0; run < 2; ++run) {
            CHECK(cudaMemset(d_y, 0xff, n * sizeof(float)));  // all NaN: not written
            common::GpuTimer timer;
            timer.start();
            evaluate<<<(n + 255) / 256, 256>>>(d_x, d_y, n, group);
            CHECK_LAUNCH();
            ms = timer.stop_ms();
        }
        CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
        int wrong_here = 0;
        for (int i = 0; i < n; ++i) {
            const float* row = &all_terms[polynomial_of(i, group) * terms];
            wrong_here += y[i] != evaluate_on_cpu(row, x[i]);
        }
        const std::string time = common::on_cpu_device ? "" : ", " + std::to_string(ms) + " ms";
        std::printf("groups of %2d threads: %2zu different words per step, %d values wrong%s\n",
                    group, count_words(group), wrong_here, time.c_str());
        wrong += wrong_here;
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    std::printf(wrong == 0 ? "all values are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
