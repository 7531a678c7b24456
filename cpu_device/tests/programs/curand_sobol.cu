// Quasirandom numbers are refused, in words.
// expect: status 3, "quasirandom numbers (Sobol) are not there"
#include <curand.h>

int main() {
    curandGenerator_t generator;
    return curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR
               ? 3
               : 1;
}
