from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
import time
import unittest

from course import exercises, host_or_device

SHUFFLED = "int k; if (threadIdx.x == 0) k = d_x[0]; {}"
KERNEL = """__global__ void k(int* d_x, int n) {{
    const int i = threadIdx.x;
    if (i < n) {{
        {}
    }}
}}
"""


class Uses(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "answer.cu")

    def uses(self, text: str, clang: str = "") -> list[str]:
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        return [str(use) for use in host_or_device.uses(self.path, clang)]

    def kernel(self, before: str, line: str) -> list[str]:
        return [use.partition(": ")[2].partition(": ")[0]
                for use in self.uses(before + KERNEL.format(line))]

    def test_a_line_is_named(self) -> None:
        self.assertEqual(self.uses("int one() { return 1; }\n" + KERNEL.format("d_x[i] = one();")),
                         ["5: one() has no __device__: d_x[i] = one();"])

    def test_functions(self) -> None:
        self.assertEqual(self.kernel("int one() { return 1; }\n", "d_x[i] = one();"),
                         ["one() has no __device__"])
        for device in ("__device__ int one() { return 1; }\n",
                       "__host__ __device__ int one() { return 1; }\n",
                       "constexpr int one() { return 1; }\n", "DEVICE int one() { return 1; }\n",
                       "int one() { return 1; }\n__device__ int one();\n",
                       "#define D __device__\nD int one() { return 1; }\n"
                       "int two() { return 2; }\n"):
            self.assertEqual(self.kernel(device, "d_x[i] = one();"), [], device)
        self.assertEqual(self.kernel("int one();\nint one() { return 1; }\n", "d_x[i] = s.one();"),
                         [])
        self.assertEqual(self.kernel("namespace { int one() { return 1; } }\n", "d_x[i] = one();"),
                         ["one() has no __device__"])
        self.assertEqual(self.kernel("__launch_bounds__(32) int one() { return 1; }\n",
                                     "d_x[i] = one();"), ["one() has no __device__"])

    def test_a_definition_without_what_its_declaration_has(self) -> None:
        two = "int two(int a) { return a; }\n"
        one = "__device__ int one(int a);\nint one(int a) { return two(a); }\n"
        self.assertEqual(self.kernel(two + one, "d_x[i] = one(i);"), ["two() has no __device__"])
        self.assertEqual(self.kernel(two + "__device__ int one(float a) { return 1; }\n"
                                     "int one(int a) { return two(a); }\n", "d_x[i] = 1;"), [])

    def test_a_constant_as_a_default_argument(self) -> None:
        self.assertEqual(self.kernel("int two(int a) { return a; }\n"
                                     "int one(int a, int b = ITEMS) { return two(a); }\n",
                                     "d_x[i] = 1;"), [])

    def test_a_bracket_too_many(self) -> None:
        self.assertEqual(self.kernel("int a];\nint b]];\nint ];\n", "d_x[i] = 1;"), [])

    def test_variables_of_a_class(self) -> None:
        refused = ["step is a variable of the host"]
        for line, found in (("inline static int step = 1;", refused), ("static int step;", refused),
                            ("public: static int more, step;", refused),
                            ("static const int step = 1;", []), ("int step;", []),
                            ("inline static __device__ int step = 1;", []),
                            ("static constexpr int step = 1;", [])):
            self.assertEqual(self.kernel(f"struct S {{ {line} }};\n", "d_x[i] = S::step;"), found)
        struct = "struct S { static int step; };\n"
        self.assertEqual(self.kernel(struct, "const int step = 3; d_x[i] = step;"), [])
        self.assertEqual(self.kernel(struct, "d_x[i] = S::step();"), [])
        self.assertEqual(self.kernel(struct + "struct T { int step; };\n", "d_x[i] = t.step;"), [])
        self.assertEqual(self.kernel(struct, "d_x[i] = step;"), [])
        self.assertEqual(self.kernel(
            "struct S { static int step; __device__ int f() { return step; } };\n", ""), refused)

    def test_lambdas(self) -> None:
        self.assertEqual(self.kernel("const auto one = [] { return 1; };\n", "d_x[i] = one();"),
                         ["one() has no __device__"])
        self.assertEqual(self.kernel("const auto one = [] __device__ { return 1; };\n",
                                     "d_x[i] = one();"), [])

    def test_members(self) -> None:
        of_host = "struct Step {\n    int one() const { return 1; }\n};\n"
        self.assertEqual(self.kernel(of_host, "d_x[i] = Step().one();"),
                         ["the member one() has no __device__"])
        self.assertEqual(self.kernel(of_host, "d_x[i] = step->one();"),
                         ["the member one() has no __device__"])
        self.assertEqual(self.kernel(of_host.replace("int one", "__device__ int one"),
                                     "d_x[i] = Step().one();"), [])

    def test_variables(self) -> None:
        for line, used in (("d_x[i] = host;", True), ("lock(&host);", True), ("d_x[i] = 2 * host;",
                           True), ("d_x[i] = i * host;", True), ("int host = 3;", False),
                           ("int* host = d_x;", False),
                           ("d_x[i] = d_x->host(1);", False)):
            self.assertEqual(self.kernel("int host = 0;\n", line),
                             ["host is a variable of the host"] if used else [], line)
        for fixed in ("const int host = 0;\n", "__device__ int host;\n",
                      "constexpr int host = 1;\n", "__constant__ int host[3];\n",
                      "using host = int;\n", "extern int host;\n"):
            self.assertEqual(self.kernel(fixed, "d_x[i] = host;"), [], fixed)
        self.assertEqual(self.kernel("int f(int (*g)(int));\nint host[3] = {1};\n",
                                     "d_x[i] = host[1];"), ["host is a variable of the host"])
        # Here n is a parameter.
        self.assertEqual(self.uses("int n = 0;\n" + KERNEL.format("d_x[i] = n;")), [])

    def test_the_standard_library(self) -> None:
        self.assertEqual(self.kernel("", "d_x[i] = std::max(i, 3);"), ["std::max is for the host"])
        self.assertEqual(self.kernel("", "std::array<int, 2> a;"), ["std::array is for the host"])
        self.assertEqual(self.kernel("", "__sync_fetch_and_add(d_x, 1);"),
                         ["__sync_fetch_and_add is for the host"])
        for before, line in (("", "d_x[i] = ::std::max(i, 3);"),
                             ("namespace s = std;\n", "d_x[i] = s::max(i, 3);"),
                             ("namespace s = ::std;\n", "d_x[i] = s::max(i, 3);"),
                             ("/**/#define X {\n", "d_x[i] = std::max(i, 3);"),
                             ("\f#define X {\n", "d_x[i] = std::max(i, 3);")):
            self.assertEqual(self.kernel(before, line), ["std::max is for the host"], before)
        for line in ("d_x[i] = cuda::std::max(i, 3);", "d_x[i] = ::cuda::std::max(i, 3);",
                     "std::size_t k = 0;", "// std::max(1, 2)",
                     'f("std::max");', "/* std::array */"):
            self.assertEqual(self.kernel("", line), [], line)
        self.assertEqual(self.uses("void launch_k() {\n    std::max(1, 2);\n}\n"), [])
        for head, found in (("int one() {\n", 0), ("constexpr int one() {\n", 0),
                            ("__device__ int one() {\n", 1), ("struct A { int one() {\n", 0),
                            ("#define D __device__\nD int one() {\n", 1),
                            ("int one() { [] __device__ () {}();\n", 1)):
            self.assertEqual(len(self.uses(head + "    return std::max(1, 2);\n}\n")), found, head)
        self.assertEqual(self.kernel("constexpr int one() { return std::max(1, 2); }\n",
                                     "d_x[i] = one();"), ["std::max is for the host"])
        self.assertEqual(self.uses("void f() {\n    std::atomic<int> a;\n}\n"),
                         ["2: std::atomic is for the host: std::atomic<int> a;"])

    def test_no_kernel_has_these(self) -> None:
        for word in ("throw 1;", "thread_local int k;", "try {} catch (...) {}"):
            self.assertEqual(self.kernel("", word),
                             [f"a GPU has no {word.split()[0]} in a kernel"])

    def test_deep_nesting_says_nothing(self) -> None:
        before = "int one() { return 1; }\n"
        for text in ("{" * 5000 + "}" * 5000, "{" * 5000, "}" * 5000,
                     "namespace{" * 5000 + before, "struct S{" * 5000 + before,
                     "namespace{struct S{" * 2000 + "}};" * 2000,
                     "__launch_bounds__()" * 2000 + "f();", "(" * 5000, "[" * 5000):
            self.assertEqual(self.uses(text), [], text[:20])
        # What comes after it is read.
        self.assertEqual(self.kernel("namespace{" * 999 + "}" * 999 + before, "d_x[i] = one();"),
                         ["one() has no __device__"])
        self.assertEqual(self.kernel("namespace a { " * 5 + before + "}" * 5, "d_x[i] = one();"),
                         ["one() has no __device__"])

    def test_kinds_and_at_most_three(self) -> None:
        lines = "\n".join(["std::max(1, 2);"] * 5)
        self.assertEqual(len(self.kernel("", lines)), 3)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(KERNEL.format("std::max(1, 2);"))
        self.assertEqual(host_or_device.uses(self.path, "")[0].kind, "host code")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(KERNEL.format("std::array<int, 2> a;"))
        self.assertEqual(host_or_device.uses(self.path, "")[0].kind, "host function")

    def test_with_clang(self) -> None:
        clang = shutil.which("clang++")
        if not clang:
            self.skipTest("clang++ is not installed")
        text = ("#include <cuda/atomic>\n#include <cstdlib>\nint one(int) { return 1; }\n"
                "__device__ int one(double) { return 1; }\n" +
                KERNEL.format("d_x[i] = rand() + unknown(3);"))
        self.assertEqual(self.uses(text), [])
        self.assertEqual(self.uses(text, clang),
                         ["8: rand() has no __device__: d_x[i] = rand() + unknown(3);"])
        self.assertEqual(self.uses(KERNEL.format("atomicAdd(d_x, __popc(3));"), clang), [])
        # In a function of a header, for which the line that calls it stands.
        self.assertEqual(self.uses(
            "#include <algorithm>\nstruct Less { bool operator()(int a, int b) const; };\n" +
            KERNEL.format("const int two[] = {i, n}; *std::max_element(two, two + 2, Less{});"),
            clang), ["6: max_element() has no __device__: const int two[] = {i, n}; "
                     "*std::max_element(two, two + 2, Less{});"])
        text = ("#include <cassert>\n#include <cmath>\n#include <cstring>\n" +
                KERNEL.format("assert(abs(d_x[i]) < fmaxf(floor(2.5), 3)); memcpy(d_x, d_x, 4);"))
        self.assertEqual(self.uses(text, clang), [])
        # A clang that is none changes nothing.
        self.assertEqual(self.uses(KERNEL.format("std::max(1, 2);"), shutil.which("true") or ""),
                         ["4: std::max is for the host: std::max(1, 2);"])

    def test_all_that_gxx_sees(self) -> None:
        clang = shutil.which("clang++")
        if not clang:
            self.skipTest("clang++ is not installed")
        before = "struct A {};\nint operator+(A, A) { return 1; }\n"
        refused = "an operator or a constructor has no __device__"
        self.assertEqual(self.kernel(before, "d_x[i] = A() + A();"), [])
        for head in ("", "#include <math_constants.h>\n", '#include "cuda_runtime.h"\n',
                     f"const int deep = {'(' * 300}1{')' * 300};\n",
                     "__device__ int4 four();\n__device__ uint3 three();\n"):
            found = self.uses(head + before + KERNEL.format("d_x[i] = A() + A();"), clang)
            self.assertEqual(len(found), 1, head)
            self.assertIn(refused, found[0])
        # What has kept clang from the end.
        for head, said in (("", []), ("#include <no_header>\n", ["'no_header' file not found"]),
                           ("\ufeff#include <cuda_runtime.h>\n", []),
                           ("/* x\n*/ #include /* x */ <cuda_runtime.h>\n", [])):
            self.uses(head)
            unread: list[str] = []
            host_or_device.uses(self.path, clang, unread=unread)
            self.assertEqual(unread, said)
        # What has no value where it is used; not where two conditions may be the same.
        for body, said in (("bool b; if (d_x[0] > 0) b = true; if (b) ++d_x[1];", ["4: b"]),
                           ("int k; while (k) k = atomicCAS(d_x, 0, 1);", ["4: k"]),
                           ("int k; if (d_x[0]) k = 1; __syncthreads(); if (d_x[0]) d_x[1] = k;",
                            []),
                           ("int k = 0; while (k < 3) ++k; d_x[0] = k;", []),
                           # A shuffle may read it, but nothing else.
                           (SHUFFLED.format("k = __shfl_sync(~0u, k, 0); d_x[1] = k;"), []),
                           (SHUFFLED.format("const int y = __shfl_sync(~0u, k, 0); d_x[1] = y;"),
                            []),
                           (SHUFFLED.format("const int y = __shfl_sync(~0u, k, 0); d_x[k] = y;"),
                            ["4: k"]),
                           (SHUFFLED.format("k = __shfl_sync(~0u, 1, k); d_x[1] = k;"), ["4: k"]),
                           (SHUFFLED.format("k = k + __shfl_sync(~0u, 1, 0);"), ["4: k"])):
            unset: list[str] = []
            self.uses("\n\n__global__ void f(int* d_x) {\n" + body + "\n}\n")
            host_or_device.uses(self.path, clang, unset=unset)
            self.assertEqual(unset, said, body)
        self.uses("int f(auto);\n")
        host_or_device.uses(self.path, clang, unread=unread)
        self.assertIn("'auto' not allowed", unread[-1])

    def test_what_tells_compilers_apart(self) -> None:
        """A type by which only g++ would take the operator of the host."""
        clang = shutil.which("clang++")
        if not clang or platform.machine() != "x86_64":
            self.skipTest("clang++ for x86-64 is not installed")
        for condition in ("sizeof(long double) == 16", "sizeof(va_list) == 24",
                          f"sizeof(__FILE__) == {len(self.path) + 1}",
                          "alignof(int4) == 16", "alignof(uchar2) == 2", "alignof(double4) == 16",
                          "int(cuda::memory_order_seq_cst) == 5",
                          "sizeof(cuda::atomic_ref<int>) == 8", "sizeof(__ldg(&here)) == 4"):
            found = self.uses(
                "static const int here = 0;\n#include <cstdarg>\n#include <type_traits>\n"
                "struct A {};\nint operator+(A, A) { return 1; }\n"
                "struct B {};\n__device__ int operator+(B, B) { return 1; }\n"
                f"using C = std::conditional_t<{condition}, A, B>;\n" +
                KERNEL.format("d_x[i] = C() + C();"), clang)
            self.assertEqual(len(found), 1, condition)

    def test_the_pass_for_the_host(self) -> None:
        clang = shutil.which("clang++")
        if not clang:
            self.skipTest("clang++ is not installed")
        gxx = ["g++", "-D__CUDA_ARCH__=900", "-x", "c++", "-E", "-dM"]
        for head, call, count in (
                ("struct A {};\n"
                 "#ifndef __CUDA_ARCH__\nint operator+(A, A) { return 1; }\n#endif\n",
                 "A() + A()", 1),
                ("struct A {};\nint operator+(A, A) { return 1; }\n"
                 "__host__ __device__ int both() {\n#ifdef __CUDA_ARCH__\n    return 1;\n#else\n"
                 "    return A() + A();\n#endif\n}\n", "both()", 0),
                ("struct A {};\nint operator+(A, A) { return 1; }\n"
                 "__device__ int one() {\n#ifdef __CUDA_ARCH__\n    return 1;\n#else\n"
                 "    return A() + A();\n#endif\n}\n", "one()", 0),
                ("int of_host(int x) { return x; }\n"
                 "#ifdef __CUDA_ARCH__\n#define BITS __popc\n#else\n#define BITS of_host\n#endif\n"
                 "__host__ __device__ int bits(int x) { return BITS(x); }\n", "bits(i)", 0)):
            self.uses(head + KERNEL.format(f"d_x[i] = {call};"))
            self.assertEqual(len(host_or_device.uses(self.path, clang, gxx=gxx)), count, head)

    def test_lines_of_a_condition(self) -> None:
        gxx = ["g++", "-DDEVICE", "-x", "c++", "-E", "-dM"]
        look = host_or_device.Look([], 0, None)
        for text, seen in (
                ("a\n#ifdef DEVICE\nb\n#else\nc\n#endif\nd", "a\n\nb\n\n\n\nd"),
                ("/*\n*/ #if 0\nb\n#elif 1 /*\n*/\nc\n#endif\n", "\n\n\n\n\nc\n\n"),
                ("#define A 1 + \\\n  1\n#if A == \\\n 2\nb\n#endif",
                 "#define A 1 +   1\n\n\n\nb\n"),
                ("#if 0\n#define B\n#endif\n#ifndef B\nb\n#endif\n", "\n\n\n\nb\n\n"),
                ("#if 1\n#endif\na /*\n*/\n#if __LINE__ == 5\nb\n#endif", "\n\na /*\n*/\n\nb\n"),
                ("a\n", "a\n")):
            self.assertEqual(look.as_gxx_sees(text, gxx), seen, text)
        self.assertEqual(look.unread, [])
        look.as_gxx_sees("#if (\n#endif\n", gxx)
        self.assertEqual(look.unread, ["#if"])

    def test_a_file_of_any_kind_takes_no_long_time(self) -> None:
        for text in ("struct{}" * 12_500, "__global__ void f() {" + "a;" * 50_000 + "}"):
            begin = time.process_time()
            self.uses(text)
            self.assertLess(time.process_time() - begin, 10, text[:30])

    def test_what_the_host_calls(self) -> None:
        head = "__device__ int one() { return 1; }\n"
        self.assertEqual(self.uses(head + "void launch_k() {\n    k<<<one(), 1>>>();\n}\n"),
                         ["3: one() has no __host__: k<<<one(), 1>>>();"])
        for head in ("__host__ __device__ int one() { return 1; }\n",
                     "constexpr __device__ int one() { return 1; }\n",
                     "__device__ int one() { return 1; }\nstruct A { int one(); };\n"):
            of_member = "A" in head
            call = "A().one()" if of_member else "one()"
            self.assertEqual(self.uses(f"{head}void launch_k() {{\n    k<<<{call}, 1>>>();\n}}\n"),
                             [], head)
        self.assertEqual(self.uses("__global__ void k(const int& n) {\n}\n"),
                         ["1: a kernel's parameter is a reference: __global__ void k(const int& n) {"])

    def test_what_is_not_compiled_is_not_read(self) -> None:
        gxx = ["g++", "-E", "-dD", "-x", "c++", "-D__CUDA_ARCH__=900"]
        with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
            file.write("__global__ void k() {\n#if 0\n    std::max(1, 2);\n#endif\n}\n")
            file.flush()
            self.assertEqual(host_or_device.uses(file.name, "", gxx=gxx), [])

    def test_attempts_of_the_exercises(self) -> None:
        """No false alarm for a solution or another right answer; each planted fault is found."""
        for name in exercises.names():
            with open(exercises.solution_file(name), encoding="utf-8") as file:
                solution = file.read()
            self.assertEqual(self.uses(solution), [], name)
            attempts = os.path.join(exercises.FOLDER, name, "attempts.txt")
            with open(attempts, encoding="utf-8") as file:
                rows = [line.rstrip("\n").split("|", 3) for line in file if line.count("|") >= 3]
            for attempt, kind, _, change in rows:
                if kind.strip() not in ("solved", "host function", "host code"):
                    continue
                changed = subprocess.run(["sed", change.strip().replace("\\x7c", "|")],
                                         input=solution, stdout=subprocess.PIPE, text=True,
                                         check=True).stdout
                self.assertEqual(bool(self.uses(changed)), kind.strip() != "solved",
                                 f"{name} {attempt}")


if __name__ == "__main__":
    unittest.main()
