// cuRAND in kernels. The random numbers are not NVIDIA's: see cpu_device/random.h. There are no
// scrambled quasirandom numbers (Sobol), and no MTGP32.
#pragma once

#include "cuda_runtime.h"

#include "cpu_device/random.h"
#include "cpu_device/sobol.h"
#include "curand.h"

namespace cpu_device {
template <int type>
struct RandomState : RandomStream {};
}  // namespace cpu_device

using curandStateXORWOW_t = cpu_device::RandomState<1>;
using curandStateMRG32k3a_t = cpu_device::RandomState<2>;
using curandStatePhilox4_32_10_t = cpu_device::RandomState<3>;
using curandStateXORWOW = curandStateXORWOW_t;
using curandStateMRG32k3a = curandStateMRG32k3a_t;
using curandStatePhilox4_32_10 = curandStatePhilox4_32_10_t;
using curandState_t = curandStateXORWOW_t;
using curandState = curandStateXORWOW_t;

// Streams of different sequences are independent, and so are those of different seeds. `offset`
// words are left out.
template <int type>
void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                 cpu_device::RandomState<type>* state) {
    state->begin(seed, sequence, offset, type);
}
template <int type>
void skipahead(unsigned long long words, cpu_device::RandomState<type>* state) {
    state->position += words;
}
template <int type>
void skipahead_sequence(unsigned long long sequences, cpu_device::RandomState<type>* state) {
    state->subsequence += sequences;
}
template <int type>
void skipahead_subsequence(unsigned long long sequences, cpu_device::RandomState<type>* state) {
    state->subsequence += sequences;
}

template <int type>
unsigned curand(cpu_device::RandomState<type>* state) {
    return state->next();
}
template <int type>
float curand_uniform(cpu_device::RandomState<type>* state) {
    return state->uniform();
}
template <int type>
double curand_uniform_double(cpu_device::RandomState<type>* state) {
    return state->uniform_double();
}
template <int type>
float curand_normal(cpu_device::RandomState<type>* state) {
    return state->next_normal();
}
template <int type>
double curand_normal_double(cpu_device::RandomState<type>* state) {
    return state->next_normal_double();
}
template <int type>
float2 curand_normal2(cpu_device::RandomState<type>* state) {
    const float u = state->uniform(), v = state->uniform();
    float2 pair{};
    cpu_device::RandomStream::two_normals(u, v, &pair.x, &pair.y);
    return pair;
}
template <int type>
double2 curand_normal2_double(cpu_device::RandomState<type>* state) {
    const double u = state->uniform_double(), v = state->uniform_double();
    double2 pair{};
    cpu_device::RandomStream::two_normals(u, v, &pair.x, &pair.y);
    return pair;
}
// e to the power of a normal one.
template <int type>
float curand_log_normal(cpu_device::RandomState<type>* state, float mean, float stddev) {
    return std::exp(mean + stddev * curand_normal(state));
}
template <int type>
double curand_log_normal_double(cpu_device::RandomState<type>* state, double mean, double stddev) {
    return std::exp(mean + stddev * curand_normal_double(state));
}
template <int type>
float2 curand_log_normal2(cpu_device::RandomState<type>* state, float mean, float stddev) {
    const float2 pair = curand_normal2(state);
    return {std::exp(mean + stddev * pair.x), std::exp(mean + stddev * pair.y)};
}
template <int type>
unsigned curand_poisson(cpu_device::RandomState<type>* state, double lambda) {
    return state->poisson(lambda);
}

template <int type>
double2 curand_log_normal2_double(cpu_device::RandomState<type>* state, double mean,
                                  double stddev) {
    const double2 pair = curand_normal2_double(state);
    return {std::exp(mean + stddev * pair.x), std::exp(mean + stddev * pair.y)};
}

// Four (or two) at once: of Philox only.
inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const unsigned x = state->next(), y = state->next(), z = state->next();
    return {x, y, z, state->next()};
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    const float x = state->uniform(), y = state->uniform(), z = state->uniform();
    return {x, y, z, state->uniform()};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const double x = state->uniform_double();
    return {x, state->uniform_double()};
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const float2 a = curand_normal2(state), b = curand_normal2(state);
    return {a.x, a.y, b.x, b.y};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
    const float2 a = curand_log_normal2(state, mean, stddev);
    const float2 b = curand_log_normal2(state, mean, stddev);
    return {a.x, a.y, b.x, b.y};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return {a.x, a.y, b.x, b.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return {a.x, a.y, b.x, b.y};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                         double stddev) {
    const double2 a = curand_log_normal2_double(state, mean, stddev);
    const double2 b = curand_log_normal2_double(state, mean, stddev);
    return {a.x, a.y, b.x, b.y};
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
    const unsigned x = state->poisson(lambda), y = state->poisson(lambda);
    const unsigned z = state->poisson(lambda);
    return {x, y, z, state->poisson(lambda)};
}

// Quasirandom numbers: one dimension, of which curandGetDirectionVectors32 gives the directions.
using curandStateSobol32_t = cpu_device::SobolStream<unsigned>;
using curandStateSobol64_t = cpu_device::SobolStream<unsigned long long>;
using curandStateSobol32 = curandStateSobol32_t;
using curandStateSobol64 = curandStateSobol64_t;

template <typename Word>
void curand_init(const Word* directions, cpu_device::NotDeduced<unsigned long long> offset,
                 cpu_device::SobolStream<Word>* state) {
    state->begin(directions, offset);
}
template <typename Word>
void skipahead(unsigned long long words, cpu_device::SobolStream<Word>* state) {
    state->skip_to(state->position + words);
}
template <typename Word>
Word curand(cpu_device::SobolStream<Word>* state) {
    return state->next();
}
template <typename Word>
float curand_uniform(cpu_device::SobolStream<Word>* state) {
    return state->uniform();
}
template <typename Word>
double curand_uniform_double(cpu_device::SobolStream<Word>* state) {
    return state->uniform_double();
}
// One for each word, by the inverse of the distribution.
template <typename Word>
float curand_normal(cpu_device::SobolStream<Word>* state) {
    return normcdfinvf(state->uniform());
}
template <typename Word>
double curand_normal_double(cpu_device::SobolStream<Word>* state) {
    return normcdfinv(state->uniform_double());
}
template <typename Word>
float curand_log_normal(cpu_device::SobolStream<Word>* state, float mean, float stddev) {
    return std::exp(mean + stddev * curand_normal(state));
}
template <typename Word>
double curand_log_normal_double(cpu_device::SobolStream<Word>* state, double mean, double stddev) {
    return std::exp(mean + stddev * curand_normal_double(state));
}
