from __future__ import annotations

import os
import platform
import re
import subprocess
import tempfile
import time
import tracemalloc
import unittest

from course import stack, unseen

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
# As race mode compiles (cpu_device/sources.cmake).
FLAGS = ("-fsanitize=thread,alignment,bounds -ftrivial-auto-var-init=pattern "
         "--param=tsan-distinguish-volatile=1 -g1 -O0 -w").split() + [*stack.OPTIONS]
HEAD = """
#include <cstddef>
struct Pair {
    char c[8];
    static void* operator new(std::size_t, void* place) { return place; }
};
struct Long { long l[40]; };
Pair made(int);
int taken(Pair);
int taken(Long);
static Pair pairs[4];
const long table[4] = {1, 2, 3, 4};
const int square[3][5] = {{1, 2}, {3}};
struct Flexible { long n; long more[]; };
struct Zero { long n; long more[0]; };
static const Flexible flexible = {1, {}};
static const Zero zero = {1, {}};
const Pair constants[4] = {};
namespace cpu_device {
struct Place { const char *file, *function; int line; };
void hinted_access(const volatile void*, std::size_t, std::size_t, int, Place);
void take_store(const volatile void*, unsigned);
void before_compare_swap(const volatile void*, std::size_t);
void before_store(const volatile void*, unsigned);
}
#define UNCHECKED __attribute__((noinline, no_sanitize("thread", "alignment")))
"""
SEEN = ("int f(int* p, int i) { return p[i] + *p + p[3]; }",
        "void f(Pair* p, Pair* q, int i) { p[i] = *q; q->c[i] = 3; }",
        "void f(Long* p, Long* q) { *p = *q; Long a = *p; a.l[3] = 1; *q = a; }",
        "long f(long i) { const long own[3] = {1, 2, 3}; return own[i] + table[i] + \"abc\"[i]; }",
        "static int own[100]; void f(long i) { own[77] = 3; own[i] = table[i - 1] + own[5]; }",
        "int f(int i) { const int k = 2 * i; return table[k] + square[k][k]; }",
        "int f(unsigned i, int k) { return square[i][k] + table[i] + square[2][k]; }",
        "int f(int i) { int own[5]; for (int& one : own) one = i; return own[i] += 2; }",
        "int f(Pair* p) { const Pair mine = *p; return taken(mine); }",
        "Pair f(Pair* p) { Pair mine = made(3); *p = mine; return mine; }",
        "int f(int a, int b, int c, int d, int e, int g, int h, long k) { h += 3; return h + k; }",
        "int f(Long given) { return given.l[2]; }",
        "int f(unsigned i) { switch (i) { case 0: return 3; case 1: return 5; case 2: return 7;"
        " case 3: return 11; case 4: return 13; case 5: return 4; } return 0; }",
        "char f(volatile char* p) { *p += 1; return p[0]; }",
        "double f(const double* p, float* q, int i) { q[i] *= 2; return p[i] / 3 + q[0]; }",
        "struct A { int x; int g() { return ++x; } }; int f(A* a) { return a->g() + a->x++; }",
        "int f(int n) { auto g = [&](int k) { n += k; return n; }; return g(3); }",
        "int f(int n) { volatile char large[20000]; large[n] = 3; return large[5]; }",
         "long f(long n) { alignas(64) long own[4] = {n}; return own[n] += taken(Long{}); }",
         "int f(Long* p) { const Long mine = *p; return taken(mine); }",
         "struct Huge { char c[20000]; }; int taken(Huge); int f(Huge* p) { const Huge mine = *p;"
         " return taken(mine); }",
         "int f() { alignas(64) int own[2] = {3}; return own[0]; }",
         "long f(long n) { alignas(4096) long own[9000]; own[n] = 3; return own[5]; }",
         "UNCHECKED int f(const int* p, cpu_device::Place at) {"
         " cpu_device::hinted_access(p, 4, 4, 0, at); return *p; }",
         "UNCHECKED long f(volatile long* p, long n) { cpu_device::take_store(p, 8);"
         " const long old = *p; n += old; cpu_device::before_store(p, 8); *p = n; return old; }")
UNSEEN = ("int f(Pair* p) { return taken(*p); }",
          "int f(Long* p) { return taken(*p); }",
          "long f(long i) { return flexible.more[i]; }",
          "long f(int i) { return zero.more[i]; }",
          "int f() { return taken(*reinterpret_cast<Pair*>(0x7000)); }",
          "int f(Pair* p, int i) { return p->c[3] + taken(p[i]); }",
          "void f(Pair* p) { new (p) Pair(made(3)); }",
          "int f(int i) { Pair own{}; return taken((&own)[i]); }",
          "int f(int i) { Pair own{}; return taken(reinterpret_cast<Pair(&)[1000]>(own)[i]); }",
          "int f() { Pair own{}; return taken((&own)[9]); }",
          "int f() { Pair own{}; return taken((&own)[-90]); }",
          "void f() { Pair own{}; new ((&own) + 2) Pair(made(3)); }",
          "void launch_f(int a) { Pair own{}; taken((&own)[5]); }",
          "void f() { new (pairs + 1) Pair(made(3)); }",
          "int f() { return taken(pairs[70]); }",
          "int f() { return taken((&constants[0])[7000]); }",
          "int f(int i) { return taken((&constants[0])[i]); }",
          "struct W { long v; __attribute__((always_inline)) static void* operator new(std::size_t,"
          " void* p) { return p; } }; W w(long); template <int at> auto g(long a) -> void (*)(long,"
          " long, long, long, long, long, long, long, long, long, long, long) { long own = a;"
          " new (reinterpret_cast<char*>(&own) + at) W(w(a)); return nullptr; } void f()"
          " { g<64>(3); }",
          "UNCHECKED int f(int* p) { cpu_device::take_store(p, 4); return *p = 3; }",
          "UNCHECKED int f(int* p) { cpu_device::before_store(p, 4); return p[1]; }",
          "UNCHECKED int f(int* p, std::size_t n) { cpu_device::before_compare_swap(p, n + 8);"
          " return p[1]; }",
          "struct B { Pair p; B(int i) : p(made(i)) {} }; Pair f(B* b) { return B(b->p.c[0]).p; }")
# What kernels do with the public headers. Each function is one that the compiler makes anew.
OF_KERNELS = r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;

unsigned by_value(uint3 t) { return t.x + t.y + t.z; }
unsigned by_value(dim3 t, int) { return t.x + t.y + t.z; }
unsigned by_reference(const uint3& t) { return t.x + t.y; }
void built_in(unsigned* out) {
    const dim3 block = blockIdx, size = blockDim, grid = gridDim, thread(threadIdx);
    const uint3 t = threadIdx, b = blockIdx, d = blockDim;
    const auto a = threadIdx;
    dim3 e;
    e = blockIdx;
    uint3 h{};
    h = blockDim;
    out[0] = block.x + size.x + grid.x + thread.x + t.x + b.x + d.x + a.x + e.x + h.x;
    out[1] = by_value(threadIdx) + by_value(blockIdx, 0) + by_value(blockDim) +
             by_value(gridDim, 0) + by_reference(threadIdx) + by_reference(gridDim);
    out[2] = [](uint3 one, dim3 other) { return one.x * other.x; }(blockIdx, blockDim);
}
void vectors(int* out) {
    const int2 a = make_int2(out[1], out[2]);
    const int4 b = make_int4(1, 2, 3, out[3]);
    const float3 f = make_float3(1, 2, out[4]);
    const double2 d = make_double2(1, out[5]);
    const longlong4 l = make_longlong4(1, 2, out[1], 3);
    const dim3 x = make_uint3(1, 2, out[0]);
    out[0] = a.x + b.w + f.z + d.y + l.z + x.z;
    int4* const fours = reinterpret_cast<int4*>(out);
    const int4 four = fours[3];
    fours[2] = four;
    fours[4] = make_int4(four.x, 0, 0, 1);
}
unsigned of_group(cg::thread_group group) { group.sync(); return group.thread_rank(); }
unsigned of_block(cg::thread_block block) { block.sync(); return block.thread_rank(); }
void of_blocks(unsigned* out) {
    const cg::thread_block b = cg::this_thread_block();
    b.sync();
    out[0] = b.size() + b.num_threads() + b.thread_rank() + cg::thread_rank(b) + cg::group_size(b);
    out[1] = b.group_index().x + b.thread_index().y + b.group_dim().x + b.dim_threads().x;
    const dim3 i = b.group_index(), j = b.thread_index(), k = b.group_dim();
    out[2] = i.x + j.x + k.x + of_group(b) + of_block(b);
    const auto g = cg::this_grid();
    out[3] = g.size() + g.num_blocks() + g.block_rank() + g.dim_blocks().x + g.group_dim().x +
             g.block_index().x + g.thread_rank() + g.is_valid() + g.num_threads();
    g.sync();
}
template <typename Group>
void lanes(const Group& t, int* out) {
    t.sync();
    out[0] = t.size() + t.num_threads() + t.thread_rank() + t.meta_group_rank() +
             t.meta_group_size() + t.shfl(out[1], 0) + t.shfl_up(1, 1) + t.shfl_down(out[2], 1);
    int equal;
    out[1] = t.any(1) + t.all(out[1]) + t.ballot(1) + t.match_any(out[1]) +
             t.match_all(out[1], equal);
    out[2] = cg::reduce(t, out[1], cg::plus<int>()) + cg::reduce(t, 1, cg::greater<int>()) +
             cg::inclusive_scan(t, out[1]) + cg::exclusive_scan(t, 1, cg::plus<int>());
    cg::invoke_one(t, [&] { out[3] = 1; });
    out[4] = cg::invoke_one_broadcast(t, [&] { return out[5]; });
    const float2 two = t.shfl(make_float2(1, 2), 3);
    out[5] = two.x + cg::labeled_partition(t, out[3]).size() +
             cg::binary_partition(t, out[3] > 1).thread_rank() + of_group(t);
}
void of_tiles(int* out) {
    const auto b = cg::this_thread_block();
    const auto t = cg::tiled_partition<32>(b);
    const cg::thread_block_tile<16> half = cg::tiled_partition<16>(t);
    lanes(t, out);
    lanes(half, out);
    out[0] = t.shfl_xor(out[3], 1) + cg::tiled_partition(b, 4).thread_rank();
    const cg::coalesced_group c = cg::coalesced_threads();
    lanes(c, out);
    out[1] = cg::tiled_partition(c, 4).size();
}
template <typename T>
void words(T* out) {
    cuda::atomic_ref<T, cuda::thread_scope_device> a(*out);
    T e{}, f{};
    a.store(f);
    a = f;
    e = a.load(cuda::memory_order_acquire);
    e = a;
    e = a.exchange(e);
    a.compare_exchange_weak(e, f);
    a.compare_exchange_strong(e, f, cuda::memory_order_acquire, cuda::memory_order_relaxed);
    a.wait(e);
    a.notify_one();
    a.notify_all();
    *out = e;
}
template <typename T>
void numbers(T* out) {
    cuda::atomic_ref<T, cuda::thread_scope_block> a(*out);
    a.fetch_max(a.fetch_add(1) + a.fetch_sub(1) + a.fetch_min(1, cuda::memory_order_relaxed));
    if constexpr (std::is_integral_v<T>) {
        a.fetch_xor(a.fetch_and(1) + a.fetch_or(1) + a++ + ++a + a-- + --a);
        a |= a += a &= a -= a ^= 1;
    }
}
template <typename Reference> void add(Reference word) { word.fetch_add(1); }
template <typename Reference> void add_by(const Reference& word) { add(word); }
struct alignas(8) Both { int a, b; };
struct alignas(4) Small { short a, b; };
void of_atomics(int* i, unsigned long long* l, float* f, double* d, Both* b, Small* s, int** p) {
    words(i), words(l), words(f), words(d), words(b), words(s), words(p);
    numbers(i), numbers(l), numbers(f), numbers(d);
    add_by(cuda::atomic_ref<int, cuda::thread_scope_device>(*i));
    cuda::atomic<int, cuda::thread_scope_thread> own(3);
    *i = ++own + own.load();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
void of_barriers(cuda::barrier<cuda::thread_scope_block>& b, int* out) {
    init(&b, blockDim.x);
    b.arrive_and_wait();
    auto token = b.arrive(2);
    b.wait(std::move(token));
    b.wait(b.arrive());
    b.arrive_and_drop();
    *out = b.max();
}
"""


@unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
class Unseen(unittest.TestCase):
    def found(self, texts: tuple[str, ...]) -> list[str]:
        """Which of these have an access that is not seen. All in one file, each with a namespace of
        its own, so that one run of the compiler is enough."""
        code = HEAD + "".join(f"namespace n{number} {{ {text} }}\n"
                              for number, text in enumerate(texts))
        found = self.found_in(code)
        return [text for number, text in enumerate(texts)
                if any(f"N{len(str(number)) + 1}n{number}" in name for name in found)]

    def found_in(self, code: str, more_flags: tuple[str, ...] = ()) -> list[str]:
        """The functions that have such an access."""
        with tempfile.TemporaryDirectory() as folder:
            source, built = os.path.join(folder, "a.cpp"), os.path.join(folder, "a.o")
            with open(source, "w", encoding="ascii") as file:
                file.write(code)
            subprocess.run(["g++", "-std=c++17", *FLAGS, *more_flags, "-c", source, "-o", built],
                           check=True)
            said, sections = (
                subprocess.run(["objdump", *options, built], check=True, stdout=subprocess.PIPE,
                               text=True).stdout
                for options in (["-dr", "--no-show-raw-insn"], ["-h"]))
        sizes = {name: int(size, 16) for name, size in
                 re.findall(r"^ *\d+ (\S+) +([0-9a-f]+) ", sections, re.M)}
        found = []
        parts = {match[1]: part for part in said.split("\n\n")
                 if (match := re.search("<(.+)>:\n", part))}
        for name, _ in unseen.functions(said):
            lines = parts[name]
            if unseen.unseen(lines, sizes, 0, self.parameters):
                found.append(name)
        return found

    @staticmethod
    def parameters(name: str) -> str:
        return subprocess.run(["c++filt", name], check=True, stdout=subprocess.PIPE,
                              text=True).stdout

    def test_what_is_seen(self) -> None:
        self.assertEqual(self.found(SEEN), [])

    def test_what_is_not(self) -> None:
        self.assertEqual(self.found(UNSEEN), list(UNSEEN))

    @unittest.skipUnless(os.environ.get("THOROUGH"), "compiles for some seconds")
    def test_what_kernels_do(self) -> None:
        include = os.path.join(ROOT, "cpu_device", "include")
        found = self.found_in(OF_KERNELS, (
            "-DCPU_DEVICE=1", "-DCPU_DEVICE_RACE=1", "-isystem", include,
            "-isystem", os.path.join(ROOT, "cpu_device", "race", "include"),
            "-include", os.path.join(include, "cuda_runtime.h")))
        self.assertEqual([self.parameters(name)[:60] for name in found], [])

    def test_what_an_answer_brings_into_the_device(self) -> None:
        """The compiler puts a destructor into the function that calls it, here one of the CPU
        device in which it puts no calls before loads and stores."""
        code = HEAD + "extern long* other; struct Thief { long v; " \
            "__attribute__((always_inline)) ~Thief() { %s; } }; namespace cpu_device { " \
            "template <typename T> UNCHECKED long atomic_load(T* p) { take_store(p, sizeof(T)); " \
            "const long bits = *(long*)p; T{}; return bits; } } " \
            "void f(Thief* p) { cpu_device::atomic_load(p); }"
        self.assertEqual(self.found_in(code % "v = 3"), [])
        self.assertEqual(self.found_in(code % "v = *other"),
                         ["_ZN10cpu_device11atomic_loadI5ThiefEElPT_"])

    def test_places_without_a_register(self) -> None:
        code = "0000000000000000 <f>:\n   0:\tmov    %s,%%rax\n"
        for operand, found in (("0x7000", ("f", 0)), ("$0x7000", None), ("%fs:0x0", None)):
            self.assertEqual(unseen.unseen(code % operand, {}, 0, self.parameters), found)

    def test_arguments_on_the_stack(self) -> None:
        """Of a function that the check calls, as many as it puts there."""
        code = "0000000000000000 <_Z8launch_fv>:\n   0:\tpush   %rbp\n" \
               "   1:\tmov    %rsp,%rbp\n   4:\tmov    {:#x}(%rbp),%rax\n"
        for number in (0, 1, 3):
            for word in range(5):
                found = unseen.unseen(code.format(16 + 8 * word), {}, number, self.parameters)
                self.assertEqual(found, None if word < number else ("_Z8launch_fv", 4))

    def test_what_may_lie_above(self) -> None:
        """An object of a class may take no word of the stack, and 2,000 of them take not all."""
        for each, in_registers in (("int", 6), ("double", 8), ("None", 2000)):
            for count in (6, 8, 9, 2000):
                above = unseen._OnStack("f", 0, lambda _: f"f({', '.join([each] * count)})")
                words = max(0, count - in_registers)
                self.assertEqual(above.bytes(write=True), 8 * words)
                of_classes = 4 * count if each == "None" else 0
                self.assertEqual(above.bytes(write=False),
                                 min(8 * (count - 5 + of_classes), 512))

    def test_what_the_stack_pointer_reaches(self) -> None:
        """What the function took below a variable with an alignment, and not what lies above."""
        code = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
               "   4:\tpush   %rbx\n   5:\tand    $0xffffffffffffffc0,%rsp\n" \
               "   9:\tsub    $0x40,%rsp\n   d:\t{}\n  12:\t{}\n  17:\tret\n"
        for line, is_seen in (
                ("mov %rax,(%rsp)", True), ("mov %rax,0x38(%rsp)", True),
                ("mov %rax,0x39(%rsp)", False), ("mov %rax,0x40(%rsp)", False),
                ("mov %eax,0x3c(%rsp)", True), ("movaps %xmm0,0x30(%rsp)", True),
                ("movaps %xmm0,0x38(%rsp)", False), ("mov 0x40(%rsp),%rax", False),
                ("setl 0x3f(%rsp)", True), ("setne 0x40(%rsp)", False),
                ("mov %rax,0x298(%rsp)", False), ("mov %rax,-0x8(%rsp)", False),
                ("mov %rax,-0x8(%rbp)", True), ("movaps %xmm0,-0x8(%rbp)", False),
                ("fstpt -0x8(%rbp)", False), ("fstpt -0x10(%rbp)", True),
                ("mov %rax,-0x48(%rbp)", True), ("mov %rax,-0x49(%rbp)", False)):
            found = unseen.unseen(code.format(line, "call 0 <f>"), {}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, line)
        # Below both, what a function that calls none has, too.
        for line, is_seen in (("mov %rax,-0xc8(%rbp)", True), ("mov %rax,-0xc9(%rbp)", False),
                              ("mov %rax,-0x80(%rsp)", True), ("mov %rax,-0x81(%rsp)", False)):
            found = unseen.unseen(code.format(line, "nop"), {}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, line)

    def test_arguments_below_may_not_be_there_at_a_label(self) -> None:
        code = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
               "   4:\tand    $0xffffffffffffffc0,%rsp\n   8:\tsub    $0x40,%rsp\n" \
               "   c:\tje     {} <f>\n  12:\tsub    $0x10,%rsp\n" \
               "  16:\tmov    %rax,0x48(%rsp)\n  1b:\tcall   0 <f>\n  20:\tret\n"
        for label, is_seen in (("20", True), ("16", False)):
            found = unseen.unseen(code.format(label), {}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, label)

    def test_an_address_that_is_kept_on_the_stack(self) -> None:
        """It is the one that was checked, if nothing may have changed it. The compiler finds it by
        the stack pointer where a variable is aligned."""
        code = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
               "   4:\tand    $0xffffffffffffffc0,%rsp\n   8:\tsub    $0x40,%rsp\n" \
               "   c:\tmov    %rdi,0x8(%rsp)\n  10:\tcall   15 <f+0x15>\n" \
               "\t\t\t11: R_X86_64_PLT32\t__tsan_read8-0x4\n  15:\t{}\n" \
               "  18:\tmov    0x8(%rsp),%rax\n  1c:\tmov    (%rax),%rax\n  20:\tret\n"
        for line, is_seen in (("nop", True), ("mov %rdx,0x10(%rsp)", True),
                              ("mov %rdx,0x8(%rsp)", False), ("mov %rdx,(%rsp)", True),
                              ("movaps %xmm0,(%rsp)", False), ("mov %rdx,-0x8(%rbp)", False),
                              ("sub $0x8,%rsp", False)):
            found = unseen.unseen(code.format(line), {}, 0, self.parameters)
            self.assertEqual(found, None if is_seen else ("f", 0x1c), line)

    def test_an_access_that_goes_on_behind_the_word_that_was_checked(self) -> None:
        code = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
               "   4:\tsub    $0x40,%rsp\n   8:\tmov    %rdi,%rbx\n" \
               "   b:\tcall   10 <f+0x10>\n\t\t\tc: R_X86_64_PLT32\t__tsan_read{}-0x4\n" \
               "  10:\t{}\n  14:\tret\n"
        for bytes_, line, is_seen in (
                (8, "mov (%rbx),%rax", True), (8, "mov 0x4(%rbx),%eax", True),
                (8, "mov 0x1(%rbx),%rax", False), (4, "mov (%rbx),%rax", False),
                (1, "movzbl (%rbx),%eax", True), (1, "movups (%rbx),%xmm0", False),
                (1, "push (%rbx)", False), (1, "mov %cl,%al", True),
                (4, "shll %cl,(%rbx)", False), (1, "sarq %cl,(%rbx)", False)):
            found = unseen.unseen(code.format(bytes_, line), {}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, (bytes_, line))

    def test_a_string_instruction(self) -> None:
        """Reaches as far as its count says."""
        code = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
               "   4:\tsub    $0x40,%rsp\n   8:\tlea    -0x40(%rbp),%rdi\n" \
               "   c:\tmov    {},%ecx\n  10:\t{} %rax,%es:(%rdi)\n  14:\tret\n"
        for count, name, is_seen in (("$0x8", "rep stos", True), ("$0x9", "rep stos", False),
                                     ("%eax", "rep stos", False), ("$0x9", "stos", True)):
            found = unseen.unseen(code.format(count, name), {}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, (count, name))

    def test_constants(self) -> None:
        """Within the section of the constants."""
        code = "0000000000000000 <f>:\n   0:\tmov    0x0(%rip),%rax        # 7 <f+0x7>\n" \
               "\t\t\t3: R_X86_64_PC32\t.rodata{:+#x}\n   7:\tret\n"
        for addend, is_seen in ((-4, True), (0, True), (0x34, True), (0x35, False), (-5, False)):
            found = unseen.unseen(code.format(addend), {".rodata": 64}, 0, self.parameters)
            self.assertEqual(found is None, is_seen, addend)

    def test_an_index_that_is_compared(self) -> None:
        """With the last element of a table of four words, or with their number, as the version of
        the compiler has it: -fsanitize=bounds, and the test of a switch."""
        begin = "0000000000000000 <f>:\n   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n" \
                "   4:\tsub    $0x10,%rsp\n   8:\tmov    -0x4(%rbp),%eax\n   b:\tcltq\n" \
                "   d:\tcmp    ${:#x},%rax\n  11:\t{} <f>\n"
        handler = "  13:\tcall   18 <f+0x18>\n\t\t\t14: R_X86_64_PLT32\t{}-0x4\n"
        access = "  18:\tmov    -0x4(%rbp),%eax\n  1b:\tcltq\n" \
                 "  1d:\tlea    0x0(,%rax,8),%rdx\n" \
                 "  25:\tlea    0x0(%rip),%rax        # 2c <f+0x2c>\n" \
                 "\t\t\t28: R_X86_64_PC32\t.rodata-0x4\n  2c:\tmov    (%rdx,%rax,1),%rax\n" \
                 "  30:\tleave\n  31:\tret\n"

        def is_seen(code: str, *words: str | int) -> bool:
            return unseen.unseen(code.format(*words), {".rodata": 32}, 0, self.parameters) is None
        for limit in range(7):
            for name in ("jbe", "jb", "jle", "jl", "jae", "ja", "jne"):
                self.assertEqual(
                    is_seen(begin + handler + access, limit, name + " 18", unseen.OUT_OF_BOUNDS),
                    limit <= {"jbe": 3, "jb": 4}.get(name, -1), (name, limit))
            for name in ("ja", "jae", "jg", "jge", "jb", "jbe", "je"):
                self.assertEqual(is_seen(begin + access, limit, name + " 30"),
                                 limit <= {"ja": 3, "jae": 4}.get(name, -1), (name, limit))
        for name in ("jbe", "jb"):  # another function returns; the place has another way to it
            self.assertFalse(is_seen(begin + handler + access, 3, name + " 18", "_Z1gv"))
            self.assertFalse(is_seen(begin + handler + access, 3, name + " 30",
                                     unseen.OUT_OF_BOUNDS))
            self.assertFalse(is_seen(begin + handler + access + "  32:\tjmp    18 <f+0x18>\n", 3,
                                     name + " 18", unseen.OUT_OF_BOUNDS))

    def test_instructions(self) -> None:
        """Such as leave the program, or hide others."""
        code = "0000000000000000 <f>:\n   0:\t{}\n   5:\tret\n"
        for line in ("syscall", "sysenter", "int    $0x80", "int3", "hlt", "in     (%dx),%al",
                     "out    %al,(%dx)", "rep outsb %ds:(%rsi),(%dx)", "iret", "lret", "wrmsr",
                     "jmp    2 <f+0x2>", "je     6 <f+0x6>", "(bad)"):
            self.assertNotEqual(unseen.foreign(code.format(line)), "", line)
        for line in ("mov    %eax,0x7(%rax)", "rep stos %al,%es:(%rdi)", "lock cmpxchg %ecx,(%rdx)",
                     "cvttss2si -0x4(%rbp),%eax", "jmp    5 <f+0x5>", "notrack jmp *%rax",
                     "fldt   (%rax)", "call   5 <f+0x5>", "cbtw", "cwtl", "cwtd", "cltq", "cltd",
                     "cqto", "sqrtsd %xmm0,%xmm0", "punpcklqdq %xmm0,%xmm0"):
            self.assertEqual(unseen.foreign(code.format(line)), "", line)
        many = "".join(f"{at:4x}:\tret\n" for at in range(unseen.MOST_INSTRUCTIONS + 1))
        self.assertIn("more than", unseen.foreign("0000000000000000 <f>:\n" + many))

    def test_the_end_of_a_function(self) -> None:
        """Nothing runs into the next function: an answer could say that its own does not return."""
        code = "0000000000000000 <f>:\n   0:\tnop\n   1:\t{}\n   6:\txchg   %ax,%ax\n" \
               "   8:\tcs nopw 0x0(%rax,%rax,1)\n"
        call = "call   6 <f+0x6>\n\t\t\t2: R_X86_64_PLT32\t{}-0x4"
        for line, ends in (("ret", True), ("jmp    0 <f>", True), ("ud2", True), ("nop", False),
                           ("je     0 <f>", False), ("mov    %eax,%ebx", False),
                           (call.format("_Unwind_Resume"), True), (call.format("_Z1gv"), False),
                           (call.format("_ZN10cpu_device6misuseEPKcNS_5types5PlaceE"), True)):
            self.assertEqual(unseen.foreign(code.format(line)) == "", ends, line)

    def test_many_stores_take_no_time(self) -> None:
        code = "0000000000000000 <f>:\n" + "".join(
            f"{8 * at + 3:8x}:\tmovl   $0x1,-{4 * at + 8:#x}(%rbp)\n" for at in range(20_000))
        code = code.replace(">:\n", ">:\n       0:\tsub    $0x20000,%rsp\n", 1)
        begin = time.process_time()
        self.assertIsNone(unseen.unseen(code, {}, 0, self.parameters))
        self.assertLess(time.process_time() - begin, 5)

    @unittest.skipUnless(os.environ.get("THOROUGH"), "takes seconds")
    def test_long_sums_take_no_memory(self) -> None:
        """Neither with many terms nor with large factors."""
        calls = "".join(
            f"{16 * at:8x}:\tmov    (%rsp),%rax\n{16 * at + 4:8x}:\tadd    %rax,%r12\n"
            f"{16 * at + 8:8x}:\tmov    %r12,-{8 * at + 16:#x}(%rbp)\n" for at in range(1, 2_000))
        shifts = "".join(f"{4 * at:8x}:\tshl    $0x3e,%r12\n{4 * at + 2:8x}:\tadd    %r13,%r12\n"
                         for at in range(1, 4_000))
        for lines in (calls, shifts):
            tracemalloc.start()
            unseen.unseen("0000000000000000 <f>:\n       0:\tsub    $0x20000,%rsp\n" + lines, {},
                          0, self.parameters)
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(most, 20 << 20)

    @unittest.skipUnless(os.environ.get("THOROUGH"), "takes seconds")
    def test_many_comparisons_take_no_time(self) -> None:
        """Each of a value of its own, with an element of a table after it."""
        code = "0000000000000000 <f>:\n       0:\tsub    $0x8,%rsp\n"
        for at in range(32, 32 * 8_000, 32):
            code += f"{at:8x}:\tmov    (%rsp),%rax\n{at + 4:8x}:\tcmp    $0x3,%rax\n" \
                    f"{at + 8:8x}:\tja     8 <f+0x8>\n" \
                    f"{at + 12:8x}:\tlea    0x0(%rip),%rdx\n" \
                    f"\t\t\t{at + 15:x}: R_X86_64_PC32\t.rodata-0x4\n" \
                    f"{at + 19:8x}:\tmovzbl (%rdx,%rax,1),%eax\n"
        begin = time.process_time()
        self.assertIsNone(unseen.unseen(code, {".rodata": 64}, 0, self.parameters))
        self.assertLess(time.process_time() - begin, 5)

    def test_own_list(self) -> None:
        """The parameters of the function itself, and not those of its result."""
        for declared, number in (
                ("f(int, long)", 2), ("f()", 0), ("A::g(std::map<int, long>, int) const", 2),
                ("void f<1>(int (*)(int, int), int)", 2), ("void (*f<1>(long))(long, long)", 0),
                ("void (*A::f<1>(long) const)(long, long)", 0),
                ("A::operator()(int, int) const", 2),
                ("f(int)::{lambda(int, int)#1}::operator()(int, int) const", 2),
                ("int (&f<1>(long, long)) [40]", 0), ("void (A::*f<1>(long))(long, long) const", 0),
                ("A::operator void (*)(long, long)()", 0), ("A::g(int, int) &&", 2), ("_Z1f", 0)):
            self.assertEqual(len(unseen._own_list(declared)), number, declared)

    def test_each_name_is_asked_for_once(self) -> None:
        asked = []
        code = "0000000000000000 <_Z1flllllll>:\n" + "".join(
            f"{4 * at:8x}:\taddq   $0x1,0x10(%rbp)\n" for at in range(100))

        def parameters(name: str) -> str:
            asked.append(name)
            return "f(long, long, long, long, long, long, long)"
        self.assertIsNone(unseen.unseen(code, {}, 0, parameters))
        self.assertLessEqual(len(asked), 2)

    def test_sizes(self) -> None:
        """Of what an instruction loads or stores: of its register, else by its name."""
        for words, size in (("mov (%rax) %al", 1), ("mov (%rax) %r9b", 1), ("mov %dil (%rax)", 1),
                            ("mov (%rax) %ax", 2), ("mov %r8w (%rax)", 2), ("mov (%rax) %eax", 4),
                            ("mov (%rax) %r8d", 4), ("mov (%rax) %rax", 8), ("mov %r8 (%rax)", 8),
                            ("movss (%rax) %xmm0", 4), ("movq %xmm0 (%rax)", 8),
                            ("movups (%rax) %xmm0", 16), ("cvtss2sd (%rax) %xmm0", 4),
                            ("cvtsd2ss (%rax) %xmm0", 8), ("cvtsi2sdl (%rax) %xmm0", 4),
                            ("cvtsi2ssq (%rax) %xmm0", 8), ("cvtsi2ss (%rax) %xmm0", 4),
                            ("addss (%rax) %xmm0", 4), ("ucomisd (%rax) %xmm0", 8),
                            ("movhps %xmm0 (%rax)", 8), ("movd %xmm0 (%rax)", 4),
                            ("movb $0x1 (%rax)", 1),
                            ("movw $0x1 (%rax)", 2), ("addl $0x1 (%rax)", 4),
                            ("movq $0x1 (%rax)", 8), ("movzbl (%rax)", 1), ("movswl (%rax)", 2),
                            ("movslq (%rax)", 4), ("push (%rax)", 8),
                            ("fstpt (%rax)", 16)):
            name, *operands = words.split()
            self.assertEqual(unseen._size(name, operands), size, words)
        for words, size in (("movzbl (%rax) %eax", 1), ("movswq (%rax) %rax", 2),
                            ("movslq (%rax) %rax", 4), ("cvttsd2si (%rax) %eax", 8),
                            ("cvttss2si (%rax) %rax", 4), ("flds (%rax)", 4), ("fldl (%rax)", 8),
                            ("fstpl (%rax)", 8), ("fstpt (%rax)", 16), ("fildl (%rax)", 4),
                            ("fildll (%rax)", 8), ("fistps (%rax)", 2), ("mov (%rax) %ax", 2),
                            ("stos %rax %es:(%rdi)", 8), ("movsl %ds:(%rsi) %es:(%rdi)", 4)):
            name, *operands = words.split()
            self.assertEqual(unseen._size_in_memory(name, operands), size, words)


if __name__ == "__main__":
    unittest.main()
