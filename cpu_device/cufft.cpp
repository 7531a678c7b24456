// cuFFT, by our own transform: n is divided by its prime factors, so it takes n times their sum.
// All is computed in double and rounded once.
#include "cufft.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "host_api.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

namespace cpu_device {
namespace {

struct Complex {
    double re, im;
};

// --- one transform of n numbers -------------------------------------------------------------

class Transform {
  public:
    Transform(std::size_t n, int direction) : roots_(n), spare_(n), values_(n) {
        for (std::size_t i = 0; i < n; ++i) {
            const double angle = 2 * 3.14159265358979323846 * static_cast<double>(i) / double(n);
            roots_[i] = {std::cos(angle), direction * std::sin(angle)};
        }
    }

    // In place; the numbers are `stride` apart.
    void run(Complex* x, std::size_t stride) {
        const std::size_t n = roots_.size();
        for (std::size_t i = 0; i < n; ++i) {
            spare_[i] = x[i * stride];
        }
        part(spare_.data(), 1, values_.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i * stride] = values_[i];
        }
    }

  private:
    // The transform of n of the numbers, which are `stride` apart.
    void part(const Complex* from, std::size_t stride, Complex* to, std::size_t n) {
        if (n == 1) {
            *to = *from;
            return;
        }
        std::size_t p = 2;
        while (n % p != 0) {
            p = p * p > n ? n : p + 1;
        }
        const std::size_t m = n / p, all = roots_.size();
        for (std::size_t r = 0; r < p; ++r) {
            part(from + r * stride, stride * p, to + r * m, m);
        }
        std::vector<Complex> column(p);
        for (std::size_t k = 0; k < m; ++k) {
            for (std::size_t r = 0; r < p; ++r) {
                column[r] = to[r * m + k];
            }
            for (std::size_t q = 0; q < p; ++q) {
                const std::size_t step = (k + q * m) * stride % all;
                Complex sum{0, 0};
                for (std::size_t r = 0, root = 0; r < p; ++r, root += step) {
                    root = root >= all ? root - all : root;
                    const Complex w = roots_[root], x = column[r];
                    sum.re += w.re * x.re - w.im * x.im;
                    sum.im += w.re * x.im + w.im * x.re;
                }
                to[q * m + k] = sum;
            }
        }
    }

    std::vector<Complex> roots_, spare_, values_;
};

// --- a plan ---------------------------------------------------------------------------------

// Where the elements of one side lie.
struct Layout {
    std::vector<std::size_t> dims;  // of the array, for the part of it that is used
    std::size_t stride, distance;

    // Of the row with this number, from which the last dimension counts; `n` are the dimensions.
    std::size_t row(std::size_t number, const std::vector<std::size_t>& n) const {
        std::size_t at = 0, factor = dims.back();
        for (std::size_t d = n.size() - 1; d-- > 0;) {
            at += number % n[d] * factor;
            factor *= dims[d];
            number /= n[d];
        }
        return at * stride;
    }
};

struct Plan {
    bool is_made = false;
    cufftType type{};
    std::vector<std::size_t> n;
    std::size_t batches = 0;
    bool is_plain = true;
    Layout in, out;  // unless it is plain
    cudaStream_t stream = nullptr;
};

std::mutex plans_mutex;
std::map<cufftHandle, std::unique_ptr<Plan>>& plans() {
    static std::map<cufftHandle, std::unique_ptr<Plan>> all;
    return all;
}
Plan* plan_of(cufftHandle handle) {
    const std::lock_guard<std::mutex> lock(plans_mutex);
    const auto found = plans().find(handle);
    return found == plans().end() ? nullptr : found->second.get();
}

bool is_type(cufftType type) {
    const int of_float = type & ~0x40;
    return of_float == CUFFT_R2C || of_float == CUFFT_C2R || of_float == CUFFT_C2C;
}
bool from_real(cufftType type) {
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}
bool to_real(cufftType type) {
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}

cufftResult make(cufftHandle handle, const std::vector<int>& n, const int* inembed, int istride,
                 int idist, const int* onembed, int ostride, int odist, cufftType type, int batch,
                 std::size_t* work) {
    Plan* const plan = plan_of(handle);
    if (plan == nullptr || plan->is_made) {
        return CUFFT_INVALID_PLAN;
    }
    if (!is_type(type)) {
        return CUFFT_INVALID_TYPE;
    }
    if (n.empty() || n.size() > 3 || batch < 1) {
        return n.empty() || n.size() > 3 ? CUFFT_INVALID_VALUE : CUFFT_INVALID_SIZE;
    }
    for (const int size : n) {
        if (size < 1) {
            return CUFFT_INVALID_SIZE;
        }
    }
    plan->type = type;
    plan->n.assign(n.begin(), n.end());
    plan->batches = static_cast<std::size_t>(batch);
    plan->is_plain = inembed == nullptr || onembed == nullptr;
    if (!plan->is_plain) {
        if (istride < 1 || ostride < 1 || idist < 0 || odist < 0) {
            return CUFFT_INVALID_VALUE;
        }
        plan->in = {{inembed, inembed + n.size()},
                    static_cast<std::size_t>(istride),
                    static_cast<std::size_t>(idist)};
        plan->out = {{onembed, onembed + n.size()},
                     static_cast<std::size_t>(ostride),
                     static_cast<std::size_t>(odist)};
    }
    plan->is_made = true;
    if (work != nullptr) {
        *work = 0;
    }
    return CUFFT_SUCCESS;
}

// Elements without a gap, rows of `last`.
Layout plain(const std::vector<std::size_t>& n, std::size_t last) {
    Layout layout{n, 1, last};
    layout.dims.back() = last;
    for (std::size_t d = 0; d + 1 < n.size(); ++d) {
        layout.distance *= n[d];
    }
    return layout;
}

// Pieces of memory that a transform reads or writes, told to race mode.
struct Pieces {
    struct Piece {
        char* begin;
        std::size_t bytes;
    };
    std::vector<Piece> all;

    void add(const void* begin, std::size_t bytes) {
        char* const from = static_cast<char*>(const_cast<void*>(begin));
        if (!all.empty() && all.back().begin + all.back().bytes == from) {
            all.back().bytes += bytes;
        } else {
            all.push_back({from, bytes});
        }
    }
    bool are_of_the_device(const char* name, const char* what) const {
        for (const Piece& piece : all) {
            if (!is_device_memory(piece.begin, piece.bytes)) {
                std::fprintf(stderr, "CPU device: %s: expected %zu bytes of device memory for %s\n",
                             name, piece.bytes, what);
                result(cudaErrorIllegalAddress, name);
                return false;
            }
        }
        return true;
    }
};

// Real is float or double; In and Out are it, or pairs of it.
template <typename Real, typename In, typename Out>
cufftResult run(cufftHandle handle, cufftType type, const In* in, Out* out, int direction,
                const char* name) {
    Plan* const plan = plan_of(handle);
    if (plan == nullptr || !plan->is_made) {
        return CUFFT_INVALID_PLAN;
    }
    if (plan->type != type) {
        return CUFFT_INVALID_TYPE;
    }
    if (in == nullptr || out == nullptr || (direction != 1 && direction != -1)) {
        return CUFFT_INVALID_VALUE;
    }
    const std::vector<std::size_t>& n = plan->n;
    const std::size_t last = n.back(), half = last / 2 + 1;
    const bool in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
    const std::size_t in_used = to_real(type) ? half : last;
    const std::size_t out_used = from_real(type) ? half : last;
    Layout from = plan->in, to = plan->out;
    if (plan->is_plain) {
        from = plain(n, in_place && from_real(type) ? 2 * half : in_used);
        to = plain(n, in_place && to_real(type) ? 2 * half : out_used);
    }
    std::size_t all = 1;
    for (const std::size_t size : n) {
        all *= size;
    }
    const std::size_t rows = all / last;
    Pieces read, written;
    const auto add = [&](Pieces& pieces, const auto* memory, const Layout& layout,
                         std::size_t used) {
        for (std::size_t batch = 0; batch < plan->batches; ++batch) {
            for (std::size_t row = 0; row < rows; ++row) {
                const auto* const begin = memory + batch * layout.distance + layout.row(row, n);
                const bool gaps = layout.stride > 1;
                for (std::size_t i = 0; i < (gaps ? used : 1); ++i) {
                    pieces.add(begin + i * layout.stride, sizeof *memory * (gaps ? 1 : used));
                }
            }
        }
    };
    add(read, in, from, in_used);
    add(written, out, to, out_used);
    if (!read.are_of_the_device(name, "the input") ||
        !written.are_of_the_device(name, "the output")) {
        return CUFFT_EXEC_FAILED;
    }
#ifdef CPU_DEVICE_RACE
    for (const Pieces::Piece& piece : read.all) {
        work_in_stream(plan->stream, name, nullptr, piece.begin, piece.bytes, "reads");
    }
#endif
    std::vector<Transform> transforms;
    for (const std::size_t size : n) {
        transforms.emplace_back(size, direction);
    }
    // In place the array of a batch may be larger than what it was read from: all are read first.
    std::vector<Complex> x(all * plan->batches);
    for (std::size_t i = 0; i < rows * plan->batches; ++i) {
        const In* const begin = in + i / rows * from.distance + from.row(i % rows, n);
        for (std::size_t k = 0; k < in_used; ++k) {
            if constexpr (std::is_same_v<In, Real>) {
                x[i * last + k] = {begin[k * from.stride], 0};
            } else {
                x[i * last + k] = {begin[k * from.stride].x, begin[k * from.stride].y};
            }
        }
    }
    for (std::size_t batch = 0; batch < plan->batches; ++batch) {
        Complex* const values = &x[batch * all];
        // Of real numbers half of the transform is known: the rest is its mirror image.
        for (std::size_t row = 0; row < rows && to_real(type); ++row) {
            std::size_t mirrored = 0, factor = 1, number = row;
            for (std::size_t d = n.size() - 1; d-- > 0;) {
                mirrored += (n[d] - number % n[d]) % n[d] * factor;
                factor *= n[d];
                number /= n[d];
            }
            for (std::size_t k = half; k < last; ++k) {
                const Complex other = values[mirrored * last + last - k];
                values[row * last + k] = {other.re, -other.im};
            }
        }
        std::size_t stride = 1;
        for (std::size_t d = n.size(); d-- > 0; stride *= n[d]) {
            for (std::size_t i = 0; i < all / n[d]; ++i) {
                transforms[d].run(values + i / stride * stride * n[d] + i % stride, stride);
            }
        }
    }
    for (std::size_t i = 0; i < rows * plan->batches; ++i) {
        Out* const begin = out + i / rows * to.distance + to.row(i % rows, n);
        for (std::size_t k = 0; k < out_used; ++k) {
            const Complex value = x[i * last + k];
            if constexpr (std::is_same_v<Out, Real>) {
                begin[k * to.stride] = static_cast<Real>(value.re);
            } else {
                begin[k * to.stride] = {static_cast<Real>(value.re), static_cast<Real>(value.im)};
            }
        }
    }
#ifdef CPU_DEVICE_RACE
    for (const Pieces::Piece& piece : written.all) {
        host_wrote(piece.begin, nullptr, piece.bytes);
        work_in_stream(plan->stream, name, piece.begin, nullptr, piece.bytes);
    }
#endif
    return CUFFT_SUCCESS;
}

// cufftCreate and cufftMakePlan... in one; no plan is left where that fails.
template <typename Make>
cufftResult create_and(cufftHandle* handle, Make make_it) {
    const cufftResult created = cufftCreate(handle);
    if (created != CUFFT_SUCCESS) {
        return created;
    }
    const cufftResult made = make_it(*handle);
    if (made != CUFFT_SUCCESS) {
        cufftDestroy(*handle);
    }
    return made;
}

}  // namespace
}  // namespace cpu_device

using namespace cpu_device;

cufftResult cufftCreate(cufftHandle* handle) {
    if (handle == nullptr) {
        return CUFFT_INVALID_VALUE;
    }
    const std::lock_guard<std::mutex> lock(plans_mutex);
    static cufftHandle last = 0;
    *handle = ++last;
    plans()[*handle] = std::make_unique<Plan>();
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
    const std::lock_guard<std::mutex> lock(plans_mutex);
    return plans().erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* work) {
    return make(handle, {nx}, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* work) {
    return make(handle, {nx, ny}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t* work) {
    return make(handle, {nx, ny, nz}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* work) {
    if (n == nullptr || rank < 1 || rank > 3) {
        return CUFFT_INVALID_VALUE;
    }
    return make(handle, {n, n + rank}, inembed, istride, idist, onembed, ostride, odist, type,
                batch, work);
}
cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
    return create_and(
        handle, [&](cufftHandle made) { return cufftMakePlan1d(made, nx, type, batch, nullptr); });
}
cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
    return create_and(
        handle, [&](cufftHandle made) { return cufftMakePlan2d(made, nx, ny, type, nullptr); });
}
cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
    return create_and(
        handle, [&](cufftHandle made) { return cufftMakePlan3d(made, nx, ny, nz, type, nullptr); });
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride,
                          int idist, int* onembed, int ostride, int odist, cufftType type,
                          int batch) {
    return create_and(handle, [&](cufftHandle made) {
        return cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                 type, batch, nullptr);
    });
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    Plan* const plan = plan_of(handle);
    if (plan == nullptr) {
        return CUFFT_INVALID_PLAN;
    }
    plan->stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetSize(cufftHandle handle, size_t* work) {
    *work = 0;
    return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
    return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
    return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
    return run<float>(plan, CUFFT_C2C, in, out, direction, __func__);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
    return run<float>(plan, CUFFT_R2C, in, out, CUFFT_FORWARD, __func__);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
    return run<float>(plan, CUFFT_C2R, in, out, CUFFT_INVERSE, __func__);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
    return run<double>(plan, CUFFT_Z2Z, in, out, direction, __func__);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
    return run<double>(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD, __func__);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
    return run<double>(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE, __func__);
}
