// cuRAND, called from the host.
#include "curand.h"

#include <cstdio>
#include <type_traits>

#include "cpu_device/random.h"
#include "cpu_device/sobol.h"
#include "host_api.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

struct curandGenerator_st {
    curandRngType_t type;
    bool for_host;
    cudaStream_t stream;
    cpu_device::RandomStream words;
    unsigned dimensions = 1;          // of quasirandom numbers,
    unsigned long long position = 0;  // and how many of each were made

    bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }

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
        case CURAND_RNG_QUASI_DEFAULT:
            type = CURAND_RNG_QUASI_SOBOL32;
            break;
        case CURAND_RNG_QUASI_SOBOL32:
        case CURAND_RNG_QUASI_SOBOL64:
        case CURAND_RNG_PSEUDO_XORWOW:
        case CURAND_RNG_PSEUDO_MRG32K3A:
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937:
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
            break;
        default:
            std::fprintf(stderr,
                         "CPU device: curandCreateGenerator: scrambled quasirandom numbers are not "
                         "there; take CURAND_RNG_QUASI_SOBOL32 or a CURAND_RNG_PSEUDO_... type\n");
            return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new curandGenerator_st{type, for_host, nullptr, {}, 1, 0};
    (*generator)->begin(0, 0);
    return CURAND_STATUS_SUCCESS;
}

// What make() asks of a stream of words, from one of the dimensions.
template <typename Word>
struct Quasi : cpu_device::SobolStream<Word> {
    Word next64() { return this->next(); }
    float next_normal() { return normcdfinvf(this->uniform()); }
    double next_normal_double() { return normcdfinv(this->uniform_double()); }
    unsigned poisson(double) { return 0; }  // refused before
};

// One dimension after the other, with as many values of each.
template <typename Word, typename T, typename Make>
void fill_by_dimensions(curandGenerator_t generator, T* output, std::size_t count, Make make) {
    const std::size_t each = count / generator->dimensions;
    for (unsigned dimension = 0; dimension < generator->dimensions; ++dimension) {
        Word directions[cpu_device::word_bits<Word>];
        cpu_device::sobol_directions(static_cast<int>(dimension), directions);
        Quasi<Word> words;
        words.begin(directions, generator->position);
        for (std::size_t i = 0; i < each; ++i) {
            output[dimension * each + i] = make(words);
        }
    }
    generator->position += each;
}

// Fills the memory with `count` values of make().
template <typename T, typename Make>
curandStatus_t generate(curandGenerator_t generator, const char* name, T* output, std::size_t count,
                        bool in_pairs, Make make) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (generator->is_quasi() ? count % generator->dimensions != 0 : in_pairs && count % 2 != 0) {
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    constexpr bool takes_32 = sizeof(T) == 4;
    if (std::is_integral_v<T> && generator->is_quasi() &&
        takes_32 != (generator->type == CURAND_RNG_QUASI_SOBOL32)) {
        return CURAND_STATUS_TYPE_ERROR;
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
    if (generator->type == CURAND_RNG_QUASI_SOBOL32) {
        fill_by_dimensions<unsigned>(generator, output, count, make);
    } else if (generator->type == CURAND_RNG_QUASI_SOBOL64) {
        fill_by_dimensions<unsigned long long>(generator, output, count, make);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            output[i] = make(generator->words);
        }
    }
    if (!generator->for_host) {
        cpu_device::host_wrote(output, nullptr, bytes);
        cpu_device::work_in_stream(generator->stream, name, output, nullptr, bytes);
    }
    return CURAND_STATUS_SUCCESS;
}

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
    generator->position = offset / generator->dimensions;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions) {
    if (generator == nullptr) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (!generator->is_quasi()) {
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (dimensions < 1 || dimensions > cpu_device::sobol_dimensions) {
        std::fprintf(stderr, "CPU device: %s: the CPU device has %d dimensions of Sobol\n",
                     __func__, cpu_device::sobol_dimensions);
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

namespace {
template <typename Word>
curandStatus_t directions(Word (**vectors)[cpu_device::word_bits<Word>],
                          curandDirectionVectorSet_t set, curandDirectionVectorSet_t there) {
    static Word all[cpu_device::sobol_dimensions][cpu_device::word_bits<Word>];
    static const bool made = [] {
        for (int dimension = 0; dimension < cpu_device::sobol_dimensions; ++dimension) {
            cpu_device::sobol_directions(dimension, all[dimension]);
        }
        return true;
    }();
    static_cast<void>(made);
    *vectors = all;
    return set == there ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
}  // namespace

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors,
                                           curandDirectionVectorSet_t set) {
    return directions<unsigned>(vectors, set, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors,
                                           curandDirectionVectorSet_t set) {
    return directions<unsigned long long>(vectors, set, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](auto& words) { return words.next(); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](auto& words) { return words.next64(); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](auto& words) { return words.uniform(); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count) {
    return generate(generator, __func__, output, count, false,
                    [](auto& words) { return words.uniform_double(); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](auto& words) { return mean + stddev * words.next_normal(); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](auto& words) { return mean + stddev * words.next_normal_double(); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float stddev) {
    return generate(generator, __func__, output, count, true,
                    [=](auto& words) { return std::exp(mean + stddev * words.next_normal()); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double stddev) {
    return generate(generator, __func__, output, count, true, [=](auto& words) {
        return std::exp(mean + stddev * words.next_normal_double());
    });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t count,
                                     double lambda) {
    if (!(lambda > 0)) {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    if (generator != nullptr && generator->is_quasi()) {
        return CURAND_STATUS_TYPE_ERROR;
    }
    return generate(generator, __func__, output, count, false,
                    [=](auto& words) { return words.poisson(lambda); });
}
