// cuRAND, called from the host.
#include "curand.h"

#include <cstdio>

#include "cpu_device/random.h"
#include "host_api.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

struct curandGenerator_st {
    curandRngType_t type;
    bool for_host;
    cudaStream_t stream;
    cpu_device::RandomStream words;

    void begin(std::uint64_t seed, std::uint64_t offset) {
        // Each type has its own stream; none has a type of the states in kernels.
        words.begin(seed, 0, offset, static_cast<std::uint32_t>(type) % 100 + 16);
    }
};

namespace {

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool for_host) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT:
            type = CURAND_RNG_PSEUDO_XORWOW;
            break;
        case CURAND_RNG_PSEUDO_XORWOW:
        case CURAND_RNG_PSEUDO_MRG32K3A:
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937:
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
            break;
        default:
            std::fprintf(stderr,
                         "CPU device: curandCreateGenerator: quasirandom numbers (Sobol) are not "
                         "there; take a CURAND_RNG_PSEUDO_... type\n");
            return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new curandGenerator_st{type, for_host, nullptr, {}};
    (*generator)->begin(0, 0);
    return CURAND_STATUS_SUCCESS;
}

// Fills the memory with `count` values of make().
template <typename T, typename Make>
curandStatus_t generate(curandGenerator_t generator, const char* name, T* output, std::size_t count,
                        bool in_pairs, Make make) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (in_pairs && count % 2 != 0) {
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    const std::size_t bytes = count * sizeof(T);
    if (bytes == 0) {
        return CURAND_STATUS_SUCCESS;
    }
    if (!generator->for_host && !cpu_device::is_device_memory(output, bytes)) {
        std::fprintf(stderr, "CPU device: %s: expected %zu bytes of device memory\n", name, bytes);
        cpu_device::result(cudaErrorIllegalAddress, name);
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
    for (std::size_t i = 0; i < count; ++i) {
        output[i] = make(generator->words);
    }
    if (!generator->for_host) {
        cpu_device::host_wrote(output, nullptr, bytes);
        cpu_device::work_in_stream(generator->stream, name, output, nullptr, bytes);
    }
    return CURAND_STATUS_SUCCESS;
}

using Stream = cpu_device::RandomStream;

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
             : type == MINOR_VERSION ? CURAND_VER_MINOR
                                     : 0;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    generator->begin(seed, 0);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    generator->begin(generator->words.seed, offset);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](Stream& words) { return words.next(); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](Stream& words) { return words.next64(); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](Stream& words) { return words.uniform(); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](Stream& words) { return words.uniform_double(); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](Stream& words) { return mean + stddev * words.next_normal(); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](Stream& words) { return mean + stddev * words.next_normal_double(); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](Stream& words) { return std::exp(mean + stddev * words.next_normal()); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double stddev) {
    return generate(generator, __func__, output, count, true, [=](Stream& words) {
        return std::exp(mean + stddev * words.next_normal_double());
    });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t count,
                                     double lambda) {
    if (!(lambda > 0)) {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    return generate(generator, __func__, output, count, false,
                    [=](Stream& words) { return words.poisson(lambda); });
}
