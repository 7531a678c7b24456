// cuBLAS on a BLAS of the system, by its C interface (CBLAS), which is loaded when it is needed.
#include "cublasLt.h"
#include "cublasXt.h"
#include "cublas_v2.h"

#include <dlfcn.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "cpu_device/small_float.h"
#include "host_api.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace cpu_device {
namespace {

// --- the BLAS -------------------------------------------------------------------------------

void* open_blas() {
    for (const char* name : {"libopenblas.so.0", "libblas.so.3"}) {
        void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library != nullptr && dlsym(library, "cblas_sgemm") != nullptr) {
            return library;
        }
    }
    std::fprintf(stderr,
                 "CPU device: cuBLAS works on a BLAS of the system, and there is none. On Debian "
                 "and Ubuntu: apt-get install libopenblas-dev\n");
    std::exit(1);
}

template <typename Function>
Function* blas(const char* name) {
    static void* const library = open_blas();
    void* const found = dlsym(library, name);
    if (found == nullptr) {
        fail("the BLAS of the system has no %s", name);
    }
    return reinterpret_cast<Function*>(found);
}

// CBLAS's numbers.
constexpr int columns_first = 102;
int operation(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? 111 : 112;
}
int triangle(cublasFillMode_t uplo) {
    return uplo == CUBLAS_FILL_MODE_UPPER ? 121 : 122;
}
int diagonal(cublasDiagType_t diag) {
    return diag == CUBLAS_DIAG_UNIT ? 132 : 131;
}

bool is_operation(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
bool is_triangle(cublasFillMode_t uplo) {
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

// --- a call ---------------------------------------------------------------------------------

struct Product {
    cublasOperation_t transa, transb;
    int m, n, k, lda, ldb, ldc;
};

// What a call reads and writes, checked before it begins, and told to race mode.
class Call {
  public:
    Call(cublasHandle_t handle, const char* name) : handle_(handle), name_(name) {
        if (handle == nullptr) {
            state_ = CUBLAS_STATUS_NOT_INITIALIZED;
        }
    }

    void expect(bool condition) {
        if (!condition && good()) {
            state_ = CUBLAS_STATUS_INVALID_VALUE;
        }
    }
    bool good() const { return state_ == CUBLAS_STATUS_SUCCESS; }
    cublasStatus_t state() const { return state_; }

    // A vector: n elements, inc apart. A matrix: columns of `rows` elements, ld apart.
    template <typename T>
    void reads(const char* what, const T* x, int n, int inc) {
        add_vector({what, x, true, false}, sizeof(T), n, inc);
    }
    template <typename T>
    void writes(const char* what, T* x, int n, int inc) {
        add_vector({what, x, false, true}, sizeof(T), n, inc);
    }
    template <typename T>
    void changes(const char* what, T* x, int n, int inc) {
        add_vector({what, x, true, true}, sizeof(T), n, inc);
    }
    template <typename T>
    void reads(const char* what, const T* A, int rows, int columns, int ld) {
        add_matrix({what, A, true, false}, sizeof(T), rows, columns, ld);
    }
    template <typename T>
    void writes(const char* what, T* A, int rows, int columns, int ld) {
        add_matrix({what, A, false, true}, sizeof(T), rows, columns, ld);
    }
    template <typename T>
    void changes(const char* what, T* A, int rows, int columns, int ld) {
        add_matrix({what, A, true, true}, sizeof(T), rows, columns, ld);
    }
    // y = ... + beta y: where beta is 0, y is not read.
    template <typename T>
    void accumulates(const char* what, T* y, int n, int inc, const T* beta) {
        if (good()) {
            add_vector({what, y, *beta != 0, true}, sizeof(T), n, inc);
        }
    }

    // alpha, beta and the like, which lie where the pointer mode says.
    template <typename T>
    void scalar(const char* what, const T* value) {
        if (good() && handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
            reads(what, value, 1, 1);
        } else {
            expect(value != nullptr);
            is_of_host(what, value);
        }
    }
    template <typename T>
    void result(const char* what, T* value) {
        if (good() && handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
            writes(what, value, 1, 1);
        } else {
            expect(value != nullptr);
            is_of_host(what, value);
            host_waits_ = true;
        }
    }

    template <typename A, typename C, typename Beta>
    void operands(const Product& p, const A* a, const A* b, C* c, const Beta* beta) {
        expect(is_operation(p.transa) && is_operation(p.transb) && p.k >= 0);
        const bool turn_a = p.transa != CUBLAS_OP_N, turn_b = p.transb != CUBLAS_OP_N;
        reads("A", a, turn_a ? p.k : p.m, turn_a ? p.m : p.k, p.lda);
        reads("B", b, turn_b ? p.n : p.k, turn_b ? p.k : p.n, p.ldb);
        if (good()) {
            add_matrix({"C", c, *beta != Beta(0), true}, sizeof(C), p.m, p.n, p.ldc);
        }
    }

    // Nothing was wrong. From here on the operands are read.
    bool may_run() {
#ifdef CPU_DEVICE_RACE
        for (const Operand& operand : operands_) {
            for (std::size_t i = 0; i < operand.pieces && operand.read && good(); ++i) {
                work_in_stream(handle_->stream, name_, nullptr, operand.piece(i), operand.bytes,
                               "reads");
            }
        }
#endif
        return good();
    }
    cublasStatus_t done() {
#ifdef CPU_DEVICE_RACE
        for (const Operand& operand : operands_) {
            for (std::size_t i = 0; i < operand.pieces && operand.written; ++i) {
                host_wrote(operand.piece(i), nullptr, operand.bytes);
                work_in_stream(handle_->stream, name_, operand.piece(i), nullptr, operand.bytes);
            }
        }
#endif
        if (host_waits_) {
            host_follows(handle_->stream);
        }
        return state_;
    }

  private:
    // Pieces of so many bytes each, `apart` bytes apart.
    struct Operand {
        const char* what;
        const void* memory;
        bool read, written;
        std::size_t bytes = 0, pieces = 0, apart = 0;

        char* piece(std::size_t i) const {
            return static_cast<char*>(const_cast<void*>(memory)) + i * apart;
        }
    };

    void add_vector(Operand operand, std::size_t element, int n, int inc) {
        const std::size_t step = static_cast<std::size_t>(inc < 0 ? -std::ptrdiff_t{inc} : inc);
        const auto elements = static_cast<std::size_t>(n < 0 ? 0 : n);
        if (step == 1) {
            add(operand, elements * element, elements > 0 ? 1 : 0, 0);
        } else {
            add(operand, element, step == 0 && elements > 0 ? 1 : elements, step * element);
        }
    }
    void add_matrix(Operand operand, std::size_t element, int rows, int columns, int ld) {
        expect(rows >= 0 && columns >= 0 && ld >= (rows > 1 ? rows : 1));
        if (!good() || rows == 0 || columns == 0) {
            return;
        }
        const std::size_t column = static_cast<std::size_t>(rows) * element;
        const auto count = static_cast<std::size_t>(columns);
        if (ld == rows) {
            add(operand, column * count, 1, 0);
        } else {
            add(operand, column, count, static_cast<std::size_t>(ld) * element);
        }
    }
    void add(Operand operand, std::size_t bytes, std::size_t pieces, std::size_t apart) {
        if (!good() || pieces == 0) {
            return;
        }
        operand.bytes = bytes;
        operand.pieces = pieces;
        operand.apart = apart;
        const std::size_t all = (pieces - 1) * apart + bytes;
        if (!is_device_memory(operand.memory, all)) {
            std::fprintf(stderr, "CPU device: %s: expected %zu bytes of device memory for %s\n",
                         name_, all, operand.what);
            state_ = CUBLAS_STATUS_EXECUTION_FAILED;
            cpu_device::result(cudaErrorIllegalAddress, name_);
        }
        operands_.push_back(operand);
    }
    void is_of_host(const char* what, const void* value) {
        const Allocation there = allocation_from(value);
        if (good() && there.bytes > 0 && !there.host_writes_too()) {
            std::fprintf(stderr,
                         "CPU device: %s: %s lies on the device, and the pointer mode is "
                         "CUBLAS_POINTER_MODE_HOST\n",
                         name_, what);
            state_ = CUBLAS_STATUS_EXECUTION_FAILED;
        }
    }

    cublasHandle_t handle_;
    const char* name_;
    cublasStatus_t state_ = CUBLAS_STATUS_SUCCESS;
    bool host_waits_ = false;
    std::vector<Operand> operands_;
};

}  // namespace
}  // namespace cpu_device

using namespace cpu_device;

// --- the routines of float and double -------------------------------------------------------

#define STRING_(name) #name
#define STRING(name) STRING_(name)

#define T float
#define NAME(name) cublasS##name
#define XT_NAME(name) cublasXtS##name
#define INDEX_NAME(name) cublasIs##name
#define INDEX i
#define BLAS_NAME_(prefix, name) "cblas_" #prefix "s" #name
#define BLAS_NAME(prefix, name) BLAS_NAME_(prefix, name)
#define BLAS(type, prefix, name) blas<type>(BLAS_NAME(prefix, name))
#include "cublas_routines.inc"
#undef T
#undef NAME
#undef XT_NAME
#undef INDEX_NAME
#undef BLAS_NAME_

#define T double
#define NAME(name) cublasD##name
#define XT_NAME(name) cublasXtD##name
#define INDEX_NAME(name) cublasId##name
#define BLAS_NAME_(prefix, name) "cblas_" #prefix "d" #name
#include "cublas_routines.inc"
#undef T
#undef NAME
#undef XT_NAME
#undef INDEX_NAME
#undef BLAS_NAME_

// --- products of other types ----------------------------------------------------------------

namespace cpu_device {
namespace {

std::size_t bytes_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_8I:
            return 1;
        case CUDA_R_16F:
        case CUDA_R_16BF:
            return 2;
        case CUDA_R_32F:
        case CUDA_R_32I:
            return 4;
        case CUDA_R_64F:
            return 8;
        default:
            return 0;
    }
}

// One element as a float. It is copied first: half's own functions may be those that the linker
// took from a program of race mode, which would report that the host reads memory of the device.
template <typename T>
float element_of(const void* memory, std::size_t i) {
    T value;
    std::memcpy(&value, static_cast<const char*>(memory) + i * sizeof(T), sizeof(T));
    return value;
}
float element(const void* memory, cudaDataType type, std::size_t i) {
    switch (type) {
        case CUDA_R_8I:
            return element_of<std::int8_t>(memory, i);
        case CUDA_R_16F:
            return element_of<__half>(memory, i);
        case CUDA_R_16BF:
            return element_of<__nv_bfloat16>(memory, i);
        default:
            return element_of<float>(memory, i);
    }
}
template <typename T>
void set_element_of(void* memory, std::size_t i, float value) {
    const T rounded = value;
    std::memcpy(static_cast<char*>(memory) + i * sizeof(T), &rounded, sizeof(T));
}
void set_element(void* memory, cudaDataType type, std::size_t i, float value) {
    switch (type) {
        case CUDA_R_16F:
            set_element_of<__half>(memory, i, value);
            break;
        case CUDA_R_16BF:
            set_element_of<__nv_bfloat16>(memory, i, value);
            break;
        default:
            set_element_of<float>(memory, i, value);
    }
}

// The matrix as floats, its columns without a gap.
std::vector<float> floats_of(const void* A, cudaDataType type, int rows, int columns, int ld) {
    std::vector<float> all(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
            all[i + j * static_cast<std::size_t>(rows)] =
                element(A, type, i + j * static_cast<std::size_t>(ld));
        }
    }
    return all;
}

void* at(const void* memory, cudaDataType type, long long index) {
    return static_cast<char*>(const_cast<void*>(memory)) +
           index * static_cast<long long>(bytes_of(type));
}

struct Batches {
    int count;
    long long strideA, strideB, strideC;
};

// What cublasLt does with a product: into which matrix it goes, and what is done to it before.
struct Epilogue {
    void* D;
    int ldd;
    long long strideD;
    bool relu, gelu, slope_of_gelu;
    const void* bias;  // null: none
    cudaDataType bias_type;
    void* aux;  // the matrix before GELU, of the type of D; null: none
    int aux_ld;
};

// GELU by tanh, as cublasLt has it, and its slope.
float gelu(float x) {
    return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}
float slope_of_gelu(float x) {
    const float t = std::tanh(0.7978845608f * (x + 0.044715f * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
}

// In a batch's result c of m rows without a gap.
void apply(const Epilogue& epilogue, std::vector<float>& c, const Product& p, cudaDataType type) {
    const auto m = static_cast<std::size_t>(p.m), n = static_cast<std::size_t>(p.n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < m; ++i) {
            float& x = c[i + j * m];
            const std::size_t in_aux = i + j * static_cast<std::size_t>(epilogue.aux_ld);
            if (epilogue.bias != nullptr) {
                x += element(epilogue.bias, epilogue.bias_type, i);
            }
            if (epilogue.slope_of_gelu) {
                x *= slope_of_gelu(element(epilogue.aux, type, in_aux));
            } else if (epilogue.aux != nullptr) {
                set_element(epilogue.aux, type, in_aux, x);
            }
            if (epilogue.gelu) {
                x = gelu(x);
            } else if (epilogue.relu && !(x > 0)) {
                x = 0;
            }
        }
    }
}

// Of int8, in int. Sums of as many products as an array can hold are exact in double. A sum that is
// too large loses its upper bits.
cublasStatus_t product_of_ints(cublasHandle_t handle, const char* name, const Product& p,
                               const int* alpha, const std::int8_t* A, const std::int8_t* B,
                               const int* beta, std::int32_t* C, const Batches& batches) {
    Call call(handle, name);
    call.scalar("alpha", alpha);
    call.scalar("beta", beta);
    call.expect(batches.count >= 0);
    for (int i = 0; i < batches.count && call.good(); ++i) {
        call.operands(p, A + i * batches.strideA, B + i * batches.strideB, C + i * batches.strideC,
                      beta);
    }
    if (!call.may_run()) {
        return call.state();
    }
    const auto numbers = [](const std::int8_t* matrix, bool turned, int rows, int columns, int ld) {
        if (turned) {
            std::swap(rows, columns);
        }
        std::vector<double> all;
        for (std::ptrdiff_t j = 0; j < columns; ++j) {
            all.insert(all.end(), matrix + j * ld, matrix + j * ld + rows);
        }
        return all;
    };
    const auto one = [](int rows) { return rows > 1 ? rows : 1; };
    const bool turn_a = p.transa != CUBLAS_OP_N, turn_b = p.transb != CUBLAS_OP_N;
    std::vector<double> sums(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n));
    for (int i = 0; i < batches.count; ++i) {
        const std::vector<double> a = numbers(A + i * batches.strideA, turn_a, p.m, p.k, p.lda);
        const std::vector<double> b = numbers(B + i * batches.strideB, turn_b, p.k, p.n, p.ldb);
        cublasDproduct(p.transa, p.transb, p.m, p.n, p.k, 1, a.data(), one(turn_a ? p.k : p.m),
                       b.data(), one(turn_b ? p.n : p.k), 0, sums.data(), one(p.m));
        for (std::ptrdiff_t j = 0; j < p.n; ++j) {
            for (std::ptrdiff_t row = 0; row < p.m; ++row) {
                std::int32_t& c = C[i * batches.strideC + row + j * p.ldc];
                const auto sum =
                    static_cast<std::int64_t>(sums[static_cast<std::size_t>(row + j * p.m)]);
                const std::uint32_t before =
                    *beta == 0 ? 0
                               : static_cast<std::uint32_t>(*beta) * static_cast<std::uint32_t>(c);
                c = static_cast<std::int32_t>(
                    static_cast<std::uint32_t>(*alpha) * static_cast<std::uint32_t>(sum) + before);
            }
        }
    }
    return call.done();
}

cublasStatus_t product(cublasHandle_t handle, const char* name, const Product& p, const void* alpha,
                       const void* A, cudaDataType a_type, const void* B, cudaDataType b_type,
                       const void* beta, void* C, cudaDataType c_type, cublasComputeType_t compute,
                       const Batches& batches, const Epilogue* epilogue = nullptr) {
    const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const cudaDataType scale = in_double ? CUDA_R_64F : in_half ? CUDA_R_16F : CUDA_R_32F;
    const auto is_exact = [&](cudaDataType in, cudaDataType out) {
        return a_type == in && c_type == out;
    };
    const bool known =
        a_type == b_type &&
        (in_double || in_half ? is_exact(scale, scale)
         : in_int             ? is_exact(CUDA_R_8I, CUDA_R_32I)
                  : is_exact(CUDA_R_32F, CUDA_R_32F) || is_exact(CUDA_R_8I, CUDA_R_32F) ||
                        (bytes_of(a_type) == 2 && (c_type == a_type || c_type == CUDA_R_32F)));
    // cuBLAS multiplies int8 in pieces of four.
    const bool in_pieces = a_type != CUDA_R_8I || (p.lda % 4 == 0 && p.ldb % 4 == 0);
    const bool plain = epilogue == nullptr ||
                       (epilogue->D == C && epilogue->ldd == p.ldc && !epilogue->gelu &&
                        !epilogue->relu && !epilogue->slope_of_gelu && epilogue->bias == nullptr);
    if (handle != nullptr && (!known || !in_pieces || (!plain && (in_double || in_int)))) {
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (in_int) {
        return product_of_ints(handle, name, p, static_cast<const int*>(alpha),
                               static_cast<const std::int8_t*>(A),
                               static_cast<const std::int8_t*>(B), static_cast<const int*>(beta),
                               static_cast<std::int32_t*>(C), batches);
    }
    if (in_double) {
        return cublasDgemmStridedBatched(
            handle, p.transa, p.transb, p.m, p.n, p.k, static_cast<const double*>(alpha),
            static_cast<const double*>(A), p.lda, batches.strideA, static_cast<const double*>(B),
            p.ldb, batches.strideB, static_cast<const double*>(beta), static_cast<double*>(C),
            p.ldc, batches.strideC, batches.count);
    }
    Call call(handle, name);
    if (in_half) {
        call.scalar("alpha", static_cast<const __half*>(alpha));
        call.scalar("beta", static_cast<const __half*>(beta));
    } else {
        call.scalar("alpha", static_cast<const float*>(alpha));
        call.scalar("beta", static_cast<const float*>(beta));
    }
    call.expect(batches.count >= 0);
    if (!call.good()) {
        return call.state();
    }
    const float alpha_value = element(alpha, scale, 0), beta_value = element(beta, scale, 0);
    for (int i = 0; i < batches.count && call.good(); ++i) {
        const void* const a = at(A, a_type, i * batches.strideA);
        const void* const b = at(B, b_type, i * batches.strideB);
        void* const c = at(C, c_type, i * batches.strideC);
        const auto add = [&](auto in, auto out) {
            const auto* const a_in = static_cast<const decltype(in)*>(a);
            const auto* const b_in = static_cast<const decltype(in)*>(b);
            auto* const c_out = static_cast<decltype(out)*>(c);
            if (epilogue == nullptr) {
                call.operands(p, a_in, b_in, c_out, &beta_value);
                return;
            }
            const bool in_place = epilogue->D == C;
            const float no_beta = 0;
            Product into_d = p;
            into_d.ldc = epilogue->ldd;
            if (!in_place && beta_value != 0) {
                call.reads("C", c_out, p.m, p.n, p.ldc);
            }
            auto* const d =
                static_cast<decltype(out)*>(at(epilogue->D, c_type, i * epilogue->strideD));
            call.operands(into_d, a_in, b_in, d, in_place ? &beta_value : &no_beta);
            if (epilogue->bias != nullptr && epilogue->bias_type == CUDA_R_32F) {
                call.reads("bias", static_cast<const float*>(epilogue->bias), p.m, 1);
            } else if (epilogue->bias != nullptr) {
                call.reads("bias", static_cast<const std::uint16_t*>(epilogue->bias), p.m, 1);
            }
            auto* const aux = static_cast<decltype(out)*>(epilogue->aux);
            if (epilogue->slope_of_gelu) {
                call.reads("aux", aux, p.m, p.n, epilogue->aux_ld);
            } else if (aux != nullptr) {
                call.writes("aux", aux, p.m, p.n, epilogue->aux_ld);
            }
        };
        // Only the sizes of the elements count here.
        if (a_type == CUDA_R_32F) {
            add(float{}, float{});
        } else if (a_type == CUDA_R_8I) {
            add(std::int8_t{}, float{});
        } else if (c_type == CUDA_R_32F) {
            add(std::uint16_t{}, float{});
        } else {
            add(std::uint16_t{}, std::uint16_t{});
        }
    }
    if (!call.may_run()) {
        return call.state();
    }
    const bool turn_a = p.transa != CUBLAS_OP_N, turn_b = p.transb != CUBLAS_OP_N;
    const int a_rows = turn_a ? p.k : p.m, b_rows = turn_b ? p.n : p.k;
    for (int i = 0; i < batches.count; ++i) {
        const std::vector<float> a = floats_of(at(A, a_type, i * batches.strideA), a_type, a_rows,
                                               turn_a ? p.m : p.k, p.lda);
        const std::vector<float> b = floats_of(at(B, b_type, i * batches.strideB), b_type, b_rows,
                                               turn_b ? p.k : p.n, p.ldb);
        void* const C_i = at(C, c_type, i * batches.strideC);
        std::vector<float> c(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n));
        if (beta_value != 0) {
            c = floats_of(C_i, c_type, p.m, p.n, p.ldc);
        }
        const auto one = [](int rows) { return rows > 1 ? rows : 1; };
        cublasSproduct(p.transa, p.transb, p.m, p.n, p.k, alpha_value, a.data(), one(a_rows),
                       b.data(), one(b_rows), beta_value, c.data(), one(p.m));
        if (epilogue != nullptr) {
            apply(*epilogue, c, p, c_type);
        }
        void* const to = epilogue == nullptr ? C_i : at(epilogue->D, c_type, i * epilogue->strideD);
        const int to_ld = epilogue == nullptr ? p.ldc : epilogue->ldd;
        for (std::size_t j = 0; j < static_cast<std::size_t>(p.n); ++j) {
            for (std::size_t row = 0; row < static_cast<std::size_t>(p.m); ++row) {
                set_element(to, c_type, row + j * static_cast<std::size_t>(to_ld),
                            c[row + j * static_cast<std::size_t>(p.m)]);
            }
        }
    }
    return call.done();
}

}  // namespace
}  // namespace cpu_device

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType a_type, int lda, const void* B,
                            cudaDataType b_type, int ldb, const void* beta, void* C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t) {
    return product(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, a_type, B,
                   b_type, beta, C, c_type, compute, {1, 0, 0, 0});
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType a_type,
                                          int lda, long long strideA, const void* B,
                                          cudaDataType b_type, int ldb, long long strideB,
                                          const void* beta, void* C, cudaDataType c_type, int ldc,
                                          long long strideC, int batches,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
    return product(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, a_type, B,
                   b_type, beta, C, c_type, compute, {batches, strideA, strideB, strideC});
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType a_type, int lda, const void* B,
                             cudaDataType b_type, int ldb, const float* beta, void* C,
                             cudaDataType c_type, int ldc) {
    return product(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, a_type, B,
                   b_type, beta, C, c_type, CUBLAS_COMPUTE_32F, {1, 0, 0, 0});
}
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc) {
    return product(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, CUDA_R_16F,
                   B, CUDA_R_16F, beta, C, CUDA_R_16F, CUBLAS_COMPUTE_16F, {1, 0, 0, 0});
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long strideA, const __half* B, int ldb,
                                         long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int batches) {
    return product(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, CUDA_R_16F,
                   B, CUDA_R_16F, beta, C, CUDA_R_16F, CUBLAS_COMPUTE_16F,
                   {batches, strideA, strideB, strideC});
}

// --- the handle -----------------------------------------------------------------------------

const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define CPU_DEVICE_STATE(name, number, text) \
    case name:                               \
        return #name;
        CPU_DEVICE_CUBLAS_STATES(CPU_DEVICE_STATE)
#undef CPU_DEVICE_STATE
    }
    return "unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
#define CPU_DEVICE_STATE(name, number, text) \
    case name:                               \
        return text;
        CPU_DEVICE_CUBLAS_STATES(CPU_DEVICE_STATE)
#undef CPU_DEVICE_STATE
    }
    return "unknown status";
}

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
// The host waits for the device, as CUDA documents it.
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    host_follows_all();
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
    *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : 0;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

// Sets or gets a part of the handle.
#define PART(Name, type, part)                                           \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value) {  \
        if (handle == nullptr) {                                         \
            return CUBLAS_STATUS_NOT_INITIALIZED;                        \
        }                                                                \
        handle->part = value;                                            \
        return CUBLAS_STATUS_SUCCESS;                                    \
    }                                                                    \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, type* value) { \
        if (handle == nullptr) {                                         \
            return CUBLAS_STATUS_NOT_INITIALIZED;                        \
        }                                                                \
        *value = handle->part;                                           \
        return CUBLAS_STATUS_SUCCESS;                                    \
    }
PART(Stream, cudaStream_t, stream)
PART(PointerMode, cublasPointerMode_t, pointer_mode)
PART(MathMode, cublasMath_t, math_mode)
PART(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
#undef PART

// --- copies ---------------------------------------------------------------------------------

namespace cpu_device {
namespace {
// A matrix of one row is a vector with a step.
cublasStatus_t copy_matrix(int rows, int columns, int element, const void* from, int from_ld,
                           void* to, int to_ld, cudaMemcpyKind kind, cudaStream_t stream,
                           const char* function, Waiting waiting) {
    if (rows < 0 || columns < 0 || element < 1 || from_ld < 1 || to_ld < 1 || from_ld < rows ||
        to_ld < rows) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const auto bytes = [element](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(element);
    };
    if (rows == 0 || columns == 0) {
        return CUBLAS_STATUS_SUCCESS;
    }
    Rows size{bytes(rows), static_cast<std::size_t>(columns), bytes(to_ld), bytes(from_ld)};
    if (to_ld == rows && from_ld == rows) {
        size = {bytes(rows) * static_cast<std::size_t>(columns), 1, 0, 0};
    }
    const cudaError_t error =
        cpu_device::result(copy(to, from, size, kind, stream, function, waiting), function);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
}  // namespace
}  // namespace cpu_device

#define COPIES(Name, kind)                                                                         \
    cublasStatus_t cublas##Name##Matrix(int rows, int columns, int element, const void* A,         \
                                        int lda, void* B, int ldb) {                               \
        return copy_matrix(rows, columns, element, A, lda, B, ldb, kind, nullptr, __func__,        \
                           Waiting::as_documented);                                                \
    }                                                                                              \
    cublasStatus_t cublas##Name##MatrixAsync(int rows, int columns, int element, const void* A,    \
                                             int lda, void* B, int ldb, cudaStream_t stream) {     \
        return copy_matrix(rows, columns, element, A, lda, B, ldb, kind, stream, __func__,         \
                           Waiting::never);                                                        \
    }                                                                                              \
    cublasStatus_t cublas##Name##Vector(int n, int element, const void* x, int incx, void* y,      \
                                        int incy) {                                                \
        const bool whole = incx == 1 && incy == 1;                                                 \
        return copy_matrix(whole ? n : 1, whole ? 1 : n, element, x, whole ? n : incx, y,          \
                           whole ? n : incy, kind, nullptr, __func__, Waiting::as_documented);     \
    }                                                                                              \
    cublasStatus_t cublas##Name##VectorAsync(int n, int element, const void* x, int incx, void* y, \
                                             int incy, cudaStream_t stream) {                      \
        const bool whole = incx == 1 && incy == 1;                                                 \
        return copy_matrix(whole ? n : 1, whole ? 1 : n, element, x, whole ? n : incx, y,          \
                           whole ? n : incy, kind, stream, __func__, Waiting::never);              \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
#undef COPIES

// --- cublasLt -------------------------------------------------------------------------------

struct cublasLtContext {};
struct cublasLtMatmulDescOpaque_t {
    cublasComputeType_t compute;
    cudaDataType scale;
    cublasOperation_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
    cublasLtPointerMode_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    const void* bias = nullptr;
    void* aux = nullptr;
    std::int64_t aux_ld = 0;
    cudaDataType bias_type = static_cast<cudaDataType>(-1);  // that of D
};
struct cublasLtMatrixLayoutOpaque_t {
    cudaDataType type;
    std::uint64_t rows, columns;
    std::int64_t ld;
    std::int32_t batches = 1;
    std::int64_t stride = 0;
    cublasLtOrder_t order = CUBLASLT_ORDER_COL;
};
struct cublasLtMatmulPreferenceOpaque_t {};

namespace cpu_device {
namespace {

// An object of cublasLt's that is made and destroyed by the program.
template <typename Object, typename... Values>
cublasStatus_t make(Object** object, Values... values) {
    if (object == nullptr) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *object = new Object{values...};
    return CUBLAS_STATUS_SUCCESS;
}
template <typename Object>
cublasStatus_t destroy(Object* object) {
    delete object;
    return CUBLAS_STATUS_SUCCESS;
}
template <typename Part>
cublasStatus_t set_part(Part& part, const void* value, std::size_t bytes) {
    if (value == nullptr || bytes != sizeof part) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    std::memcpy(&part, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

// Are the sizes of the matrices those of one product, and is it one that is supported?
cublasStatus_t check_product(const cublasLtMatmulDescOpaque_t& what,
                             const cublasLtMatrixLayoutOpaque_t& A,
                             const cublasLtMatrixLayoutOpaque_t& B,
                             const cublasLtMatrixLayoutOpaque_t& C,
                             const cublasLtMatrixLayoutOpaque_t& D) {
    const bool turn_a = what.transa != CUBLAS_OP_N, turn_b = what.transb != CUBLAS_OP_N;
    const std::uint64_t m = turn_a ? A.columns : A.rows, k = turn_a ? A.rows : A.columns;
    const std::uint64_t n = turn_b ? B.rows : B.columns;
    if (k != (turn_b ? B.columns : B.rows) || D.rows != m || D.columns != n || C.rows != m ||
        C.columns != n || A.batches != D.batches || B.batches != D.batches ||
        C.batches != D.batches) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    for (const cublasLtMatrixLayoutOpaque_t* layout : {&A, &B, &C, &D}) {
        if (layout->order != CUBLASLT_ORDER_COL || layout->columns > __INT_MAX__ ||
            layout->ld > __INT_MAX__ || layout->rows > __INT_MAX__) {
            return CUBLAS_STATUS_NOT_SUPPORTED;
        }
    }
    const bool with_aux = (what.epilogue & 128) != 0 || what.epilogue == CUBLASLT_EPILOGUE_DGELU;
    if (C.type != D.type || what.epilogue >= CUBLASLT_EPILOGUE_BGRADA ||
        (with_aux && D.batches > 1)) {
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    const bool missing = ((what.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 && what.bias == nullptr) ||
                         (with_aux && (what.aux == nullptr || what.aux_ld < std::int64_t(m)));
    return missing ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace cpu_device

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    return make(handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    host_follows_all();
    return destroy(handle);
}
size_t cublasLtGetVersion() {
    return CUBLAS_VERSION;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t compute, cudaDataType scale) {
    return make(description, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
    return destroy(description);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
    switch (description == nullptr ? -1 : static_cast<int>(attribute)) {
        case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
            return set_part(description->compute, value, bytes);
        case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
            return set_part(description->scale, value, bytes);
        case CUBLASLT_MATMUL_DESC_POINTER_MODE:
            return set_part(description->pointer_mode, value, bytes);
        case CUBLASLT_MATMUL_DESC_TRANSA:
            return set_part(description->transa, value, bytes);
        case CUBLASLT_MATMUL_DESC_TRANSB:
            return set_part(description->transb, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE:
            return set_part(description->epilogue, value, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
            return set_part(description->bias, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
            return set_part(description->aux, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
            return set_part(description->aux_ld, value, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
            return set_part(description->bias_type, value, bytes);
        default:
            return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
    return make(layout, type, rows, columns, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    return destroy(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
    switch (layout == nullptr ? -1 : static_cast<int>(attribute)) {
        case CUBLASLT_MATRIX_LAYOUT_TYPE:
            return set_part(layout->type, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_ORDER:
            return set_part(layout->order, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_ROWS:
            return set_part(layout->rows, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_COLS:
            return set_part(layout->columns, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_LD:
            return set_part(layout->ld, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
            return set_part(layout->batches, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
            return set_part(layout->stride, value, bytes);
        default:
            return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return make(preference);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void* value, size_t) {
    return preference == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE
                                                     : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t A,
    cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
    cublasLtMatmulPreference_t, int wanted, cublasLtMatmulHeuristicResult_t results[], int* found) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (description == nullptr || A == nullptr || B == nullptr || C == nullptr || D == nullptr ||
        wanted < 1 || results == nullptr || found == nullptr) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const cublasStatus_t state = check_product(*description, *A, *B, *C, *D);
    *found = state == CUBLAS_STATUS_SUCCESS ? 1 : 0;
    results[0] = {};
    results[0].state = state;
    return state;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void* alpha, const void* A, cublasLtMatrixLayout_t a_layout,
                              const void* B, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* C, cublasLtMatrixLayout_t c_layout, void* D,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (description == nullptr || a_layout == nullptr || b_layout == nullptr ||
        c_layout == nullptr || d_layout == nullptr) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const cublasLtMatmulDescOpaque_t& what = *description;
    const cublasStatus_t state = check_product(what, *a_layout, *b_layout, *c_layout, *d_layout);
    if (state != CUBLAS_STATUS_SUCCESS) {
        return state;
    }
    cublasContext context;
    context.stream = stream;
    context.pointer_mode = what.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE
                               ? CUBLAS_POINTER_MODE_DEVICE
                               : CUBLAS_POINTER_MODE_HOST;
    const auto size = [](auto value) { return static_cast<int>(value); };
    const Product p{what.transa,
                    what.transb,
                    size(d_layout->rows),
                    size(d_layout->columns),
                    size(what.transa == CUBLAS_OP_N ? a_layout->columns : a_layout->rows),
                    size(a_layout->ld),
                    size(b_layout->ld),
                    size(c_layout->ld)};
    const int kind = what.epilogue;
    const bool slope = kind == CUBLASLT_EPILOGUE_DGELU;
    const Epilogue epilogue{
        D,
        size(d_layout->ld),
        d_layout->stride,
        (kind & CUBLASLT_EPILOGUE_RELU) != 0,
        (kind & CUBLASLT_EPILOGUE_GELU) != 0,
        slope,
        (kind & CUBLASLT_EPILOGUE_BIAS) != 0 ? what.bias : nullptr,
        what.bias_type == static_cast<cudaDataType>(-1) ? d_layout->type : what.bias_type,
        slope || (kind & 128) != 0 ? what.aux : nullptr,
        size(what.aux_ld)};
    return product(&context, __func__, p, alpha, A, a_layout->type, B, b_layout->type, beta,
                   const_cast<void*>(C), c_layout->type, what.compute,
                   {d_layout->batches, a_layout->stride, b_layout->stride, c_layout->stride},
                   &epilogue);
}

// --- cublasXt -------------------------------------------------------------------------------

struct cublasXtContext {
    int block = 2048;
};
cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
    return make(handle);
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : destroy(handle);
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    int there = 0;
    cudaGetDeviceCount(&there);
    for (int i = 0; i < count; ++i) {
        if (devices[i] < 0 || devices[i] >= there) {
            return CUBLAS_STATUS_INVALID_VALUE;
        }
    }
    return count < 1 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (block < 1) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    handle->block = block;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* block) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    *block = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}
