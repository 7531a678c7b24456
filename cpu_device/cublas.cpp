// cuBLAS on a BLAS of the system, by its C interface (CBLAS), which is loaded when it is needed.
#include "cublasLt.h"
#include "cublas_v2.h"

#include <dlfcn.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
#define INDEX_NAME(name) cublasIs##name
#define INDEX i
#define BLAS_NAME_(prefix, name) "cblas_" #prefix "s" #name
#define BLAS_NAME(prefix, name) BLAS_NAME_(prefix, name)
#define BLAS(type, prefix, name) blas<type>(BLAS_NAME(prefix, name))
#include "cublas_routines.inc"
#undef T
#undef NAME
#undef INDEX_NAME
#undef BLAS_NAME_

#define T double
#define NAME(name) cublasD##name
#define INDEX_NAME(name) cublasId##name
#define BLAS_NAME_(prefix, name) "cblas_" #prefix "d" #name
#include "cublas_routines.inc"
#undef T
#undef NAME
#undef INDEX_NAME
#undef BLAS_NAME_

// --- products of other types ----------------------------------------------------------------

namespace cpu_device {
namespace {

std::size_t bytes_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F:
        case CUDA_R_16BF:
            return 2;
        case CUDA_R_32F:
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

cublasStatus_t product(cublasHandle_t handle, const char* name, const Product& p, const void* alpha,
                       const void* A, cudaDataType a_type, const void* B, cudaDataType b_type,
                       const void* beta, void* C, cudaDataType c_type, cublasComputeType_t compute,
                       const Batches& batches) {
    const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const cudaDataType scale = in_double ? CUDA_R_64F : in_half ? CUDA_R_16F : CUDA_R_32F;
    const bool known =
        !in_int && a_type == b_type && bytes_of(a_type) > 0 &&
        (in_double || in_half ? a_type == scale && c_type == scale
                              : a_type != CUDA_R_64F && (c_type == a_type || c_type == CUDA_R_32F));
    if (handle != nullptr && !known) {
        return CUBLAS_STATUS_NOT_SUPPORTED;
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
            call.operands(p, static_cast<const decltype(in)*>(a),
                          static_cast<const decltype(in)*>(b), static_cast<decltype(out)*>(c),
                          &beta_value);
        };
        // Only the sizes of the elements count here.
        if (a_type == CUDA_R_32F) {
            add(float{}, float{});
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
        for (std::size_t j = 0; j < static_cast<std::size_t>(p.n); ++j) {
            for (std::size_t row = 0; row < static_cast<std::size_t>(p.m); ++row) {
                set_element(C_i, c_type, row + j * static_cast<std::size_t>(p.ldc),
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
struct cublasLtContext {};
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *handle = new cublasLtContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    if (handle == nullptr) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    host_follows_all();
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
size_t cublasLtGetVersion() {
    return CUBLAS_VERSION;
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
