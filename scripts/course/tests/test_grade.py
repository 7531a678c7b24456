from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
from unittest import mock

from course import (check, device, exercises, grade, grade_report, messages, processes, refused,
                    sandbox, similarity, stack, tokens)
from course.tests.test_race import printed_by

TASK = "12_lost_update"
KERNEL = "__global__ void k(int* d_x) { atomicAdd(d_x, 1); }\n"


class Text(unittest.TestCase):
    """What is refused before it is compiled."""

    def assert_refused(self, text: str, words: str) -> None:
        said = refused.why_refused(text.encode())
        self.assertIn(words, said, text)

    def test_what_answers_have(self) -> None:
        for text in (KERNEL, "#include <vector>\n" + KERNEL, "#  include  <cuda/atomic>\n",
                     "#define N(x) \\\n    (x + 1)\n", "extern __shared__ int s_x[];\n",
                     "[[maybe_unused]] int a; [[nodiscard, deprecated(\"no\")]] int f();\n",
                     "const char* s = \"asm ## \\\\ [[gnu::x]]\"; // asm\n/* asm\n ## */\n",
                     "#define A(x, k) (x[(k)]) = ((x)[k])\n#define B\n#define C ,\n",
                     "int a = 1'000; char c = '\\\\'; float f = 1e-3f;\n", "#pragma unroll 4\n",
                     "namespace cg = cooperative_groups; using namespace cg;\n",
                     "using namespace std; using namespace cuda;\n#define TEXT(x) #x\n",
                     "#define SHOW(...) printf(\"%s\", #__VA_ARGS__)\n",
                     "namespace { } namespace a { } inline namespace b { } namespace c::d { }\n",
                     "std::vector<::N> v;\n", "____\n",
                     "int x[3]; int y = x[x[0]];\n", "\ufeffint a;  // \u00e4\r\n",
                     "int a;\n\f\v\tint b;\n", ""):
            self.assertEqual(refused.why_refused(text.encode()), "", text)

    def test_what_hides(self) -> None:
        for text, words in (("int a;\nasm(\"\");", "Line 2: the word asm"),
                            ("using namespace cpu_device;", "cpu_device"),
                            ("using namespace exercises;", "exercises"),
                            ("using namespace std { }", "namespace std"),
                            ("#define HASH #\nHASH 1 \"vector\" 3\n", "Line 1: #"),
                            ("#define HASH(x) # 1\n", "Line 1: # 1"),
                            ("#define x 1\n#define HASH (x) # x \"vector\" 3\n", "Line 2: # x"),
                            ("int define; int one;\n#define E\nvoid f(); E # 1 \"v\" 3", "# 1"),
                            ("#define std common\nusing namespace std;", "namespace"),
                            ("#define SAME(x) x\nSAME(#) 1 \"vector\" 3\n", "# ) 1"),
                            ("void __attribute__((weak)) f();", "__attribute__"),
                            ("#define A [\n#define B [gnu::weak]]\nA B void f();", "A, with one"),
                            ("#define B [gnu::weak]\n[B] void f();", "the word gnu"),
                            ("#define I(x) x\nI([)[weak]] int f();", "attribute, ( [ )"),
                            ("int a;\nI( [ E ) [weak ]", "Line 2: an attribute"),
                            ("[[using x: weak]] f();", "attribute"), ("[\n[x]] f();", "[ ["),
                            ("#define C(a, b) a##b", "##"), ("a%:%:b", "%:"), ("<:<:x:>:>", "<:"),
                            ("a\\\nsm(\"\");", "backslash"), ("// \\\nint a;", "backslash"),
                            ("#define A as\\\nm", "backslash"), ("int a = \\\n1;", "backslash"),
                            ("R\"(x)\"", "raw string"), ("u8R\"x(y)x\"", "raw string"),
                            ("\\u0061sm", "spelling"), ("int \u00e4;", "spelling"),
                            ("int a$b;", "spelling"), ("extern \"C\" int f();", "extern"),
                            ("extern\nint f;", "extern"), ("namespace\nstd { }", "namespace std"),
                            ("namespace [[deprecated]] std { }", "namespace [["),
                            ("namespace [[deprecated]] mine { }", "namespace [["),
                            ("#define N cuda\nnamespace N { }", "Line 2: the namespace N"),
                            ("#define N\nnamespace N std { }", "Line 2: the namespace N std"),
                            ("namespace __host__ std { }", "namespace __host__ std"),
                            ("namespace __host__ { }", "the namespace __host__"),
                            ("namespace x = y; inline namespace std {", "namespace std"),
                            ("#define N(x) namespace x {", "#define with the word namespace"),
                            ("#define N namespace", "#define with the word namespace"),
                            ("namespace", "the namespace"), ("namespace ::std {", "the namespace"),
                            ("#include <unistd.h>", "<unistd.h>"), ("#include A", "header A"),
                            ("#include \"/etc/passwd\"", "/etc/passwd"), ("#line 3", "#line"),
                            ("#include_next <vector>", "#include_next"),
                            ("# import <a>", "#import"), ("_Pragma(\"x\")", "_Pragma"),
                            ("#pragma GCC optimize 3", "#pragma GCC"),
                            ("#define __global__", "#define __global__"),
                            ("#define a b\nint a;\n#include <vector>", "Line 3: #include after"),
                            ("int x = __builtin_return_address(0);", "__builtin"),
                            ("__attr_access((a, 1))", "__attr_access"), ("goto *p;", "goto"),
                            ("cpu_device::race::forget();", "cpu_device"), ("int main();", "main"),
                            ("cuda::cpu_device_detail::Place p;", "cpu_device_detail"),
                            ("CPU_DEVICE_LOAD_AS(f, load)", "CPU_DEVICE_LOAD_AS"),
                            ("int a;\n#define P )", "Line 2: #define P, with one parenthesis"),
                            ("#define P(x) x(", "#define P, with"), ("#define P [(])", "#define P"),
                            ("int a;\n// b\rasm(\"\");", "Line 2: a carriage return"),
                            ("int a;\r\n\r", "Line 2: a carriage return"),
                            ("int a;\n// b \\\0\nasm(\"\");", "Line 2: a control character"),
                            ("// a\0", "character (0x00)"), ("\"\x1a\"", "character (0x1a)"),
                            ("/*\x7f*/", "character (0x7f)"), ("/*\x85*/", "character (0x85)"),
                            ("/*\n#define A\n*/\n#ifdef A", "Line 4: #ifdef with the name A"),
                            ("#if 0\n#define A\n#endif\n#if A", "Line 4: #if with the name A"),
                            ("#ifdef A\n#endif\n#define A", "Line 1: #ifdef with the name A"),
                            ("#if !defined(A)\n#define A\n#endif", "Line 1: #if with the name A"),
                            ("int a;\n#ifndef A\n#define B\n#endif", "Line 2: #ifndef with"),
                            ("#ifndef A\nint a;\n#define A\n#endif", "Line 1: #ifndef with"),
                            ("#ifndef A\n#define A\nint a;\n#endif", "Line 1: #ifndef with"),
                            ("#ifndef A\n#define A\n#else\n#endif", "Line 1: #ifndef with"),
                            ("#ifndef A\n#define A", "Line 1: #ifndef with the name A"),
                            ("#if 0\n\" /*\n#endif\nasm(\"\"); // */", "Line 2: a quotation"),
                            ("#if 0\n' /*\n#endif\nasm(\"\"); // */", "Line 2: a quotation"),
                            ("int a = 1''0 /*'*/;", "a quotation mark"),
                            ("int a = '';", "a quotation mark, ''"),
                            ("#define A u8''", "a quotation mark"), ("int a; \"", "a quotation"),
                            ("x" * 3000, "characters"), ("\n" * 4000, "lines")):
            self.assert_refused(text, words)
        for text in ("#define A 3\n#if A > 2\n#elif defined(A)\n#endif",
                     "#ifndef A\n#define A 3  // as it comes\n\n#endif\n#if A\n#else\n#endif",
                     "#ifdef __CUDA_ARCH__\n#define A\n#else\n#define A\n#endif\nint a;"):
            self.assertEqual(refused.why_refused(text.encode()), "")
        self.assertEqual(refused.why_refused(b"extern int f; int g;"),
                         "Line 1: extern int f: of what lies elsewhere, only extern __shared__.")
        self.assertEqual(refused.why_refused(b"int a;\n[[x]] int f();"),
                         "Line 2: an attribute, [[ x ].")
        self.assertIn("UTF-8", refused.why_refused(b"int a;\n\xff"))
        self.assertIn("Line 1", refused.why_refused(b"int a;\0"))


class Headers(unittest.TestCase):
    """Those that an answer can include."""

    def included(self, name: str, known: dict[str, str]) -> dict[str, str]:
        """The texts of the header and of what it includes, by name."""
        path = os.path.join(device.ROOT, "cpu_device", "include", name)
        if name not in known and os.path.isfile(path):
            with open(path, encoding="ascii") as file:
                known[name] = file.read()
            for other in re.findall(r"#include [\"<]([^\">]+)", known[name]):
                self.included(other, known)
        return known

    def test_types_lie_where_no_function_does(self) -> None:
        """Else an argument of such a type makes functions of cpu_device known to an answer."""
        texts: dict[str, str] = {}
        for name in refused.HEADERS:
            self.included(name, texts)
        self.assertIn("cpu_device/race_access.h", texts)
        types = functions = 0
        for name, code in texts.items():
            inside: list[str] = []
            for number, line in enumerate(code.split("\n"), 1):
                if begins := re.match(r"namespace ([\w:]+) \{(.*)", line):
                    inside += [] if begins[2] else [begins[1]]
                elif line.startswith("}  // namespace"):
                    inside.pop()
                elif re.match(r"(?:struct|class|enum|union)\b[^;]*(?:\{|$)", line):
                    self.assertNotEqual(inside[-1:], ["cpu_device"], f"{name}:{number}: {line}")
                    types += inside[-2:] == ["cpu_device", "types"]
                elif re.match(r"(?!using|typedef)\w[\w:*& <>]* \*?\w+\(", line):
                    self.assertNotEqual(inside[-1:], ["types"], f"{name}:{number}: {line}")
                    functions += inside[-1:] == ["cpu_device"]
        self.assertGreater(types, 20)
        self.assertGreater(functions, 40)


class Object(unittest.TestCase):
    """What is refused after it is compiled."""

    def test_code_before_main(self) -> None:
        for name, kind, size, early in ((".init_array", "INIT_ARRAY", 8, True),
                                        (".ctors", "PROGBITS", 8, True),
                                        (".mine", "FINI_ARRAY", 8, True),
                                        (".init_array.00099", "INIT_ARRAY", 8, False),
                                        (".init_array.00099", "INIT_ARRAY", 16, True),
                                        (".text", "PROGBITS", 8, False)):
            def tool(program: str, *words: str, given: bytes = b"", line: str =
                     f"  [ 5] {name} {kind} 0000000000000000 000040 {size:06x} 00 AX 0 0 1") -> str:
                return line if program == "readelf" else "system U" if program == "nm" else ""
            with mock.patch.object(refused, "_tool", tool):
                said = refused.isolate("a.o")
            self.assertEqual(said.startswith("Code that runs before main"), early, name)
            self.assertEqual(said.startswith("It uses"), not early, name)

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_an_instruction_that_leaves_the_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.o")
            for code, said in (("++k;", ""), ("asm(\"syscall\");", "the instruction syscall")):
                subprocess.run(["g++", "-x", "c++", "-O0", "-c", "-", "-o", path], check=True,
                               input=f"int launch_f(int k) {{ {code} return k; }}".encode())
                found = refused.isolate(path)
                self.assertIn(said, found)
                self.assertEqual(bool(found), bool(said))

    def isolate(self, code: str, *flags: str, **options: bool) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.o")
            subprocess.run(["g++", "-x", "c++", "-O0", *stack.OPTIONS, *flags, "-c", "-", "-o",
                            path], check=True, input=code.encode())
            return refused.isolate(path, **options)

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_a_function_in_place_of_the_one_that_headers_call(self) -> None:
        own = 'extern "C" void* memcpy(void* to, const void*, unsigned long) { return to; }' \
              "void launch_f() {}"
        self.assertIn("It has memcpy(), a function that the headers", self.isolate(own))
        self.assertEqual(self.isolate("int mod = 7, dim; void launch_f() {}"), "")

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_functions_of_a_list(self) -> None:
        """They are for the tasks that ask for a list, not for any file with answer()."""
        code = 'extern "C" int memcmp(const void*, const void*, unsigned long);' \
               "int answer() { return memcmp((void*)1, (void*)2, 3); }"
        self.assertIn("It uses memcmp", self.isolate(code))
        self.assertEqual(self.isolate(code, stack_arguments=-1), "")

    def test_names_of_sections(self) -> None:
        """However long they are: a function is confined in its section."""
        long = ".text._Z300" + 300 * "f" + "v"
        headings = "\na.o:     file format elf64-x86-64\n\nSections:\n" \
            "Idx Name          Size      VMA               LMA               File off  Algn\n"
        for name, flags, what in (
                (".text", "CONTENTS, ALLOC, LOAD, RELOC, READONLY, CODE", "code"),
                (long, "CONTENTS, ALLOC, LOAD, READONLY, CODE", "code"),
                (".data.rel.ro", "CONTENTS, ALLOC, LOAD, RELOC, DATA", "data"),
                (".bss", "ALLOC", "bss"), (".tbss", "ALLOC, THREAD_LOCAL", "bss"),
                (".rodata", "CONTENTS, ALLOC, LOAD, READONLY, DATA", "constants"),
                (".comment", "CONTENTS, READONLY", ""), (".bss", "READONLY", ""),
                (".eh_frame", "CONTENTS, ALLOC, LOAD, RELOC, READONLY, DATA", "")):
            headings += f"  3 {name:13} 0000001f  0000000000000000  0000000000000000  000000a5  " \
                f"2**0\n                  {flags}\n"
            self.assertEqual(refused._renamed_sections(headings)[-1:] if what else [],
                             [f"--rename-section={name}=answer_{what}"] if what else [])
        self.assertEqual(len(refused._renamed_sections(headings)), 6)
        self.assertEqual([size for _, size, _ in refused.HEADING.findall(headings)],
                         9 * ["0000001f"])

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_sections_of_an_object(self) -> None:
        name = 300 * "f"
        code = f"template <typename T> int {name}(T k) {{ static int own[2]; own[1] += k; " \
            f"return own[0]; }} int launch_f(int k) {{ return {name}(k); }}"
        with tempfile.TemporaryDirectory() as folder:
            given, path = os.path.join(folder, "given.o"), os.path.join(folder, "a.o")
            subprocess.run(["g++", "-x", "c++", "-O0", *stack.OPTIONS, "-fsanitize=thread", "-c",
                            "-", "-o", given], check=True, input=code.encode())
            shutil.copyfile(given, path)
            self.assertEqual(refused.isolate(path), "")
            self.assertEqual({name for name, _, flags in refused.HEADING.findall(
                refused._tool("objdump", "-h", path)) if "CODE" in flags}, {"answer_code"})
            shutil.copyfile(given, path)
            with mock.patch.object(refused, "_renamed_sections", lambda said: []):
                self.assertIn("objcopy cannot look", refused.isolate(path))

    HEADER, ANSWER = '\n# 1 "/usr/include/a.h"\n', '\n# 1 "/answer/01_a.cu"\n'

    def test_variable_without_definition(self) -> None:
        """Not a function that is forbidden."""
        answer = "struct Own { static const int two = 2; }; int twice(const int& x);" \
                 "int twice(const int& x) { return 2 * x; } int f() { return twice(Own::two); }"
        self.assertIn("the variable Own::two, which it does not define", self.isolate(answer))
        self.assertIn("on the list", self.isolate("int twice(int); int f() { return twice(2); }"))

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_who_calls_the_device(self) -> None:
        """Its headers alone."""
        declared = "namespace cpu_device { void launch(int); }"
        code = "namespace cpu_device { namespace types { template <typename T> " \
               "struct Launch { void run() const { launch(3); } }; } } "
        call = "void launch_f() { cpu_device::types::Launch<int>().run(); }"
        header = self.HEADER + declared + code
        self.assertEqual(self.isolate(header + self.ANSWER + call, "-g1"), "")
        own = call.replace("{", "{ struct Own {};").replace("int", "Own")
        self.assertEqual(self.isolate(header + self.ANSWER + own, "-g1"), "")
        said = "It uses cpu_device::launch(int), which is not on the list of what an answer may " \
               "call."
        for answer in ("void launch_f() { cpu_device::launch(3); }",
                       "void launch_f() { [] { cpu_device::launch(3); }(); }"):
            self.assertEqual(self.isolate(header + self.ANSWER + answer, "-g1"), said)
        self.assertIn("It has cpu_device::types::Launch<int>::run() const, a function in",
                      self.isolate(self.HEADER + declared + self.ANSWER + code + call, "-g1"))
        self.assertIn("It has", self.isolate(header + self.ANSWER + call))
        header = self.HEADER + "namespace cpu_device { namespace types { struct Place {}; } " \
            "void hinted_access(types::Place); }"
        hint = "int __ldg(cpu_device::types::Place at) { cpu_device::hinted_access(at); return 3; }"
        call = "int launch_f() { return __ldg({}); }"
        self.assertEqual(self.isolate(header + hint + self.ANSWER + call, "-g1"), "")
        self.assertIn("It uses cpu_device::hinted_access",
                      self.isolate(header + self.ANSWER + hint + call, "-g1"))

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    @unittest.skipUnless(os.environ.get("THOROUGH"), "takes seconds")
    def test_functions_in_a_namespace_of_a_library(self) -> None:
        """However it was opened, and whatever its headers have."""
        header = self.HEADER + """
            namespace std { template <typename T> struct vector { vector() {}
                template <typename N> vector(N, int) {} T* data() { return 0; } template <typename F> void each(F f) const { f(3); } };
                struct Plain { vector<int> v; }; }
            namespace cooperative_groups { namespace details {
                inline void check_tiles(unsigned) {} } }
            """ + self.ANSWER
        for answer in (
                "struct A {}; int launch_f() { std::vector<A>().data(); std::Plain(); return 3; }",
                "void launch_f() { auto f = [](int) {}; std::vector<int>().each(f); }",
                "void launch_f() { struct A { int k; } a[2]; std::vector<A>().data(); }",
                "void launch_f() { std::vector<int>('a', 3); }",
                "namespace mine { void f() {} } void launch_f() { mine::f(); }",
                "namespace cuda_mine { void f() {} } void launch_f() { cuda_mine::f(); }"):
            self.assertEqual(self.isolate(header + answer, "-g1"), "", answer)
        for answer in (
                "namespace cooperative_groups { namespace details { int check_tiles(int* p) "
                "{ return *p; } } }",
                "namespace cooperative_groups { template <typename T> T f(T* p) { return *p; } } "
                "int launch_f(int* p) { return cooperative_groups::f(p); }",
                "namespace cuda { static void f() {} } void launch_f() { cuda::f(); }",
                "template <> int* std::vector<int>::data() { return nullptr; }",
                "struct A {}; template <> std::vector<A>::vector() {} void launch_f() "
                "{ std::vector<A> v; }",
                "namespace std { struct C { int f() const { return 3; } }; } int launch_f() "
                "{ return std::C().f(); }", "namespace cpu_device { void f() {} }"):
            self.assertIn("a function in a namespace that is not the answer's",
                          self.isolate(header + answer, "-g1"), answer)

    def test_what_readelf_prints(self) -> None:
        for line, found in (
                ("<1> DW_AT_decl_file   : 8", ("decl_file", "8")),
                ("<1> DW_AT_decl_file   : (data1) 8", ("decl_file", "8")),
                ("<1> DW_AT_low_pc      : 0x152b", ("low_pc", "152b")),
                ("<1> DW_AT_low_pc      : (addr) 0x152b", ("low_pc", "152b")),
                ("<1> DW_AT_abstract_origin: <0xd9e>", ("abstract_origin", "d9e")),
                ("<1> DW_AT_specification: (ref4) <0xd9e>, f", ("specification", "d9e")),
                ("<1> DW_AT_linkage_name: (indirect string, offset: 0x2): _Z1f",
                 ("linkage_name", "_Z1f")),
                ("<1> DW_AT_name        : (strp) (offset: 0x2): operator()<int>",
                 ("name", "operator()<int"))):
            match = refused.ATTRIBUTE.match("    " + line)
            self.assertEqual(match and match.groups(), found, line)

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_a_stack_that_may_reach_another(self) -> None:
        for alignment in (64, 4096, 8192):
            said = self.isolate(f"int launch_f() {{ alignas({alignment}) int own[2] = {{3}}; "
                                "return own[0]; }")
            self.assertEqual(said[:58], "launch_f() takes a part of the stack in a way that may rea"
                             if alignment > 4096 else "")

    def test_a_volatile_type(self) -> None:
        code = "typedef volatile int V; int launch_f(int* p) { return *static_cast<V*>(p); }"
        flags = "-fsanitize=thread", "--param=tsan-distinguish-volatile=1", *stack.OPTIONS
        self.assertEqual(self.isolate(code, *flags), "")
        self.assertIn("volatile", self.isolate(code, *flags, without_volatile=True))
        self.assertEqual(self.isolate(code.replace("volatile", ""), *flags, without_volatile=True),
                         "")

    @unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
    def test_an_error_of_the_grader(self) -> None:
        """Is told as one of this file; a fault of the machine is not."""
        answer = "int launch_f() { return 3; }"
        for error in (RecursionError(), KeyError("x")):
            with mock.patch.object(refused.unseen, "unseen", side_effect=error):
                self.assertIn(type(error).__name__, self.isolate(answer))
        for error in (MemoryError(), OSError(28, "No space left on device")):
            with mock.patch.object(refused.unseen, "unseen", side_effect=error), \
                    self.assertRaises(type(error)):
                self.isolate(answer)

    def test_a_long_name(self) -> None:
        """One that a command line or c++filt cannot hold is refused."""
        self.assertEqual(refused._demangled("_Z1fi"), "f(int)")
        with self.assertRaises(refused._Refused):
            refused._demangled("_Z300000" + "x" * 300_000 + "v")

    def test_what_no_tool_can_look_at(self) -> None:
        """Then the file is refused, and the grader goes on."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.o")
            with open(path, "wb") as file:
                file.write(b"\x7fELF")
            self.assertIn("readelf cannot look", refused.isolate(path))
        with self.assertRaises(refused._Refused):
            refused._tool("sh", "-c", "cat /dev/zero")
        with self.assertRaises(refused._Refused), mock.patch.object(refused, "TOOL_SECONDS", 0.1):
            refused._tool("sleep", "60")
        with self.assertRaises(messages.Stop):
            refused._tool("sh", "-c", "echo 'ld: No space left on device' >&2; exit 1")
        with self.assertRaises(messages.Stop):
            refused._tool("sh", "-c", "kill -9 $$")


class Submissions(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "class")
        self.report = os.path.join(folder.name, "report")
        os.mkdir(self.folder)

    def write(self, student: str, name: str, text: str = KERNEL) -> None:
        os.makedirs(os.path.join(self.folder, student), exist_ok=True)
        with open(os.path.join(self.folder, student, name), "w", encoding="utf-8") as file:
            file.write(text)

    def place(self, student: str, name: str) -> str:
        os.makedirs(os.path.join(self.folder, student), exist_ok=True)
        return os.path.join(self.folder, student, name)

    def test_what_is_no_answer_is_told(self) -> None:
        self.write("anna", TASK + ".cu")
        self.write("anna", "12.cu")
        self.write("anna", "line\nbreak.cu")
        os.mkfifo(self.place("bert", TASK + ".cu"))
        os.symlink("/etc/passwd", self.place("bert", "13_old_values.cu"))
        os.mkdir(self.place("bert", "14_which_sums.cu"))
        self.write("bert", "15_cas_loop.cu", "x" * (check.LONGEST_ANSWER + 1))
        os.mkfifo(self.place("", "fifo"))
        os.symlink("anna", self.place("", "link"))
        found = grade.Class(self.folder)
        self.assertEqual(set(found.answers), {"anna", "bert"})
        self.assertEqual(found.answers["anna"][TASK].content, KERNEL.encode())
        self.assertEqual({task: (one.kind, one.content) for task, one in
                          found.answers["bert"].items()},
                         {TASK: (grade.NO_FILE, None), "13_old_values": (grade.NO_FILE, None),
                          "14_which_sums": (grade.NO_FILE, None),
                          "15_cas_loop": (grade.TOO_LONG, None)})
        told = "\n".join(f"{who}: {note}" for who, note in found.notes)
        for words in (": fifo is a FIFO", ": link is a link", "anna: 12.cu is a file",
                      "anna: line\\nbreak.cu is a file"):
            self.assertIn(words, told)

    def notes_on(self, *names: str, tasks: tuple[str, ...] = ()) -> dict[str, str]:
        """What is told of files with these names; "" of those of which nothing is."""
        for name in names:
            self.write("anna", name)
        notes = [note for _, note in grade.Class(self.folder, tasks).notes]
        return {name: "".join(note for note in notes if note.startswith(name + " "))
                for name in names}

    def test_what_a_teacher_may_do(self) -> None:
        told = self.notes_on("12_Lost_Update.cu", "12_lost_update (1).cu", "Exercise 12.cu",
                             "lost update.cpp", "12_lost_update.cu.txt", "notes.txt", "99.cu",
                             "cost_update.cu", "work.zip", "12 and 13.cu", "1202.cu")
        for name, note in told.items():
            self.assertIn("it was not checked", note)
            is_12 = "12" in name[:11] and "and" not in name and "1202" not in name or "lost" in name
            self.assertEqual("Is it 12_lost_update.cu?" in note, is_12, name)
        self.assertIn("Unpack it", told["work.zip"])
        os.mkdir(self.place("bert", "cuda_exercises"))
        self.assertIn(("bert", "cuda_exercises is a folder: what is in it was not checked. Put its "
                       "files beside it."), grade.Class(self.folder).notes)

    def test_files_of_learn_are_not_told(self) -> None:
        told = self.notes_on(".progress", "._" + TASK + ".cu", TASK + ".html", TASK + ".cu.kept.3",
                             TASK + ".cu.kept.x", "12.html", "x.cu.kept.1")
        self.assertEqual([name for name, note in told.items() if not note],
                         [".progress", "._" + TASK + ".cu", TASK + ".html", TASK + ".cu.kept.3"])

    def test_folders_of_no_student(self) -> None:
        for name in (".git", "__MACOSX", "anna"):
            os.mkdir(os.path.join(self.folder, name))
        found = grade.Class(self.folder)
        self.assertEqual(list(found.answers), ["anna"])
        self.assertEqual(len(found.notes), 2)

    def test_some_tasks(self) -> None:
        told = self.notes_on(TASK + ".cu", "13_old_values.cu", tasks=("02_tail", TASK))
        self.assertEqual(told[TASK + ".cu"], "")
        self.assertIn("none of the tasks that were asked for", told["13_old_values.cu"])
        self.assertEqual(grade.Class(self.folder, ("02_tail", TASK)).tasks, ["02_tail", TASK])
        self.assertEqual(grade.Class(self.folder).tasks, [TASK, "13_old_values"])

    def test_many_names(self) -> None:
        with mock.patch.object(grade, "MOST_NAMES", 2):
            for name in "abc":
                self.write("anna", name)
            self.assertIn("3 names", grade.Class(self.folder).notes[0][1])

    def test_verdicts_are_kept_by_student_and_content(self) -> None:
        self.write("anna", TASK + ".cu")
        self.write("bert", TASK + ".cu")
        found = grade.Class(self.folder)
        anna, bert = (found.answers[who][TASK] for who in ("anna", "bert"))
        results = grade.Results(self.report)
        verdict = check.Verdict(True, "", "Solved.", rows=(("it compiles", "yes"),), seconds=1.5)
        results.keep(anna, verdict)
        self.assertEqual(results.find(anna), verdict)
        self.assertIsNone(results.find(bert))
        self.write("anna", TASK + ".cu", "int a;")
        self.assertIsNone(results.find(grade.Class(self.folder).answers["anna"][TASK]))
        seed = results.seed_of(anna)
        with self.assertRaises(messages.Stop):  # two at a time
            grade.Results(self.report)
        os.close(results.lock)
        again = grade.Results(self.report)
        self.assertEqual((again.find(anna), again.seed_of(anna)), (verdict, seed))
        os.close(again.lock)
        other = grade.Results(self.report + "2")
        self.assertNotEqual(other.seed_of(anna), seed)
        os.close(other.lock)
        again.made_of = "another grader"
        self.assertIsNone(again.find(anna))

    def test_folders_of_a_killed_call_are_removed(self) -> None:
        results = grade.Results(self.report)
        with results.temporary_folder() as folder:
            self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        self.assertFalse(os.path.exists(folder))
        killed = results.temporary_folder()
        left = killed.__enter__()  # and no end of it
        with open(os.path.join(left, "a"), "w", encoding="ascii"):
            pass
        os.close(results.lock)
        again = grade.Results(self.report)
        self.addCleanup(os.close, again.lock)
        self.assertFalse(os.path.exists(left))
        self.assertEqual(os.listdir(os.path.join(self.report, "results", "folders")), [])

    def test_what_the_machine_lacked(self) -> None:
        self.write("anna", TASK + ".cu")
        found = grade.Class(self.folder)
        answer = found.answers["anna"][TASK]
        results = grade.Results(self.report)
        self.addCleanup(os.close, results.lock)
        results.keep(answer, check.Verdict(False, check.MACHINE, messages.text("machine"), "Advice",
                                           (), "as: x.o\nthere is no room in /tmp\n"))
        self.assertIsNone(results.find(answer))  # the next call tries it again
        table = grade_report.Table(found, results, similarity.Pairs())
        self.assertEqual(table.number_unchecked, 1)
        self.assertIn(f"anna,{TASK},not checked,,there is no room in /tmp,", table.csv())
        self.assertIn("as: x.o", table.html())
        self.assertNotIn("mistake of yours", table.html() + table.page("anna"))

    def test_an_error_at_one_file(self) -> None:
        """Is told at that file; the others are checked."""
        self.write("anna", TASK + ".cu")
        self.write("bert", TASK + ".cu", "asm")
        found = grade.Class(self.folder)
        results = grade.Results(self.report)
        self.addCleanup(os.close, results.lock)
        grader = grade.Grader(found, results, trusts=True)
        with mock.patch.object(grader, "_checked", side_effect=MemoryError("none is left")):
            for answer in found.all():
                grader.check(answer)
        table = grade_report.Table(found, results, similarity.Pairs())
        self.assertEqual(table.number_unchecked, 1)
        self.assertIn("MemoryError: none is left", table.html())
        self.assertIsNotNone(results.find(found.answers["bert"][TASK]))

    def table(self) -> grade_report.Table:
        name = "=x\n\"<b>\udcff"
        self.write(name, TASK + ".cu")
        self.write("anna", TASK + ".cu")
        self.write("anna", "13_old_values.cu")
        self.write("anna", "14_which_sums.cu")
        found = grade.Class(self.folder)
        results = grade.Results(self.report)
        self.addCleanup(os.close, results.lock)
        results.keep(found.answers[name][TASK], check.Verdict(False, "value", "=1+1", "", (),
                                                              "<script>\x1b"))
        results.keep(found.answers["anna"][TASK], check.Verdict(True, "", "Solved."))
        results.keep(found.answers["anna"]["13_old_values"],
                     check.Verdict(False, "refused", "Line 1"))
        self.assertEqual([results.is_not_refused(one) for one in found.answers["anna"].values()],
                         [True, False, True])
        return grade_report.Table(found, results, similarity.Pairs())

    def test_a_file_at_which_the_compiler_crashes(self) -> None:
        """It is the file's fault if each look ends so, and that at our solution does not."""
        self.write("anna", TASK + ".cu", KERNEL)
        found = grade.Class(self.folder)
        anna = found.answers["anna"][TASK]
        lacked = check.Verdict(False, check.MACHINE, "", details="File size limit exceeded")
        solved, failed = check.Verdict(True, "", "Solved."), check.Verdict(False, "value", "")
        for number, (looks, kind) in enumerate((
                ([lacked, solved, lacked], grade.COMPILER), ([failed], "value"),
                ([lacked, lacked], check.MACHINE), ([lacked, solved, failed], "value"),
                ([lacked, failed], check.MACHINE))):
            results = grade.Results(f"{self.report}{number}")
            self.addCleanup(os.close, results.lock)
            grader = grade.Grader(found, results, True)
            with mock.patch.object(grade, "check_exercise", side_effect=looks) as checks:
                grader.check(anna)
            self.assertEqual(checks.call_count, len(looks))
            verdict = results.verdict_on(anna)
            assert verdict is not None
            self.assertEqual(verdict.kind, kind)
            self.assertEqual(results.find(anna) is None, kind == check.MACHINE)  # it is kept
            if kind == grade.COMPILER:
                self.assertEqual(verdict.rows, (("it compiles", "NO"),))
                self.assertIn("The compiler crashes", verdict.sentence)

    def test_a_sandbox_in_which_our_solution_fails(self) -> None:
        """As where the compiler is not in /usr: no student is told that the file does not compile."""
        self.write("anna", TASK + ".cu", KERNEL)
        found = grade.Class(self.folder)
        solved, failed = check.Verdict(True, "", "Solved."), check.Verdict(False, "compile", "")
        for number, (inside, looks) in enumerate(((solved, 3), (failed, 2))):
            results = grade.Results(f"{self.report}{number}")
            self.addCleanup(os.close, results.lock)
            grader = grade.Grader(found, results, True)
            with mock.patch.object(grade, "check_exercise",
                                   side_effect=[solved, inside, solved]) as checks:
                if inside.solved:
                    grader.check_all(1)
                else:
                    with self.assertRaises(messages.Stop) as stopped:
                        grader.check_all(1)
                    self.assertEqual(stopped.exception.key, "own solution inside")
            self.assertEqual(checks.call_count, looks)
            self.assertEqual(results.verdict_on(found.answers["anna"][TASK]) is None,
                             not inside.solved)

    def test_a_verdict_with_other_rows(self) -> None:
        """Than our solution has: something has printed it before the check came to its end."""
        self.write("anna", TASK + ".cu", KERNEL)
        found = grade.Class(self.folder)
        anna = found.answers["anna"][TASK]
        rows = (("it compiles", "yes"), ("right", "yes"), ("no race", "yes"))
        for number, (given, kind) in enumerate(((rows, ""), (rows[:2], "exit"),
                                                ((*rows, ("more", "yes")), "exit"))):
            results = grade.Results(f"{self.report}{number}")
            self.addCleanup(os.close, results.lock)
            grader = grade.Grader(found, results, True)
            looks = [check.Verdict(True, "", "Solved.", rows=one) for one in (rows, given)]
            with mock.patch.object(grade, "check_exercise", side_effect=looks):
                grader.try_own_solution(TASK)
                grader.check(anna)
            verdict = results.verdict_on(anna)
            assert verdict is not None
            self.assertEqual((verdict.solved, verdict.kind), (kind == "", kind))

    def test_no_cell_is_computed(self) -> None:
        for word, shown in (("=1+1", "'=1+1"), ("';=HYPERLINK(0)", "';'=HYPERLINK(0)"),
                            ('x; "=1', "x;' \"=1"), ("a\t+1", "a\t'+1"), ("n = 3; x - y", None),
                            ("x-1", None), ("\uff1d1", "'\uff1d1"), ("a;\uff20x", "a;'\uff20x")):
            self.assertEqual(grade_report._plain(word), word if shown is None else shown)

    def test_tables(self) -> None:
        table = self.table()
        self.assertEqual((table.number, table.number_solved, table.number_unchecked), (4, 1, 1))
        rows = list(csv.reader(io.StringIO(table.csv())))
        self.assertEqual([row[:5] for row in rows[1:]], [
            ["'=x\\n\"<b>\\xff", TASK, "failed", "value", "'=1+1"],
            ["'=x\\n\"<b>\\xff", "13_old_values", "not handed in", "", ""],
            ["'=x\\n\"<b>\\xff", "14_which_sums", "not handed in", "", ""],
            ["anna", TASK, "solved", "", "Solved."],
            ["anna", "13_old_values", "refused", "refused", "Line 1"],
            ["anna", "14_which_sums", "not checked", "", ""]])
        data = json.loads(table.json())
        self.assertEqual(data["version"], grade_report.VERSION)
        self.assertEqual([one["name"] for one in data["students"]], ["=x\\n\"<b>\\xff", "anna"])
        self.assertEqual(data["students"][1]["solved"], 1)
        self.assertEqual(data["students"][0]["tasks"][TASK]["details"], "<script>\\x1b")
        table.notes.append(("", "Zo\u00eb"))
        self.assertTrue(table.json().isascii())  # whatever a reader takes it for
        page = table.html()
        self.assertNotIn("<script>", page)
        self.assertNotIn("<b>\\xff", page)
        self.assertIn("&lt;script&gt;\\x1b", page)
        table.write(self.report)
        self.assertEqual({name for name in os.listdir(self.report)},
                         {"results", "students", "grades.csv", "grades.json", "grades.html"})
        with open(os.path.join(self.report, "grades.csv"), "rb") as file:
            self.assertEqual(file.read(10), b"\xef\xbb\xbfstudent")  # a spreadsheet sees UTF-8

    def test_a_page_for_each_student(self) -> None:
        table = self.table()
        table.write(self.report)
        names = os.listdir(os.path.join(self.report, "students"))
        self.assertEqual(len(names), 2)
        self.assertIn("anna.html", names)
        page = table.page("anna")
        for words in ("<h1>anna</h1>", "1 of 3 tasks solved", f"{TASK}: solved",
                      "13_old_values: refused</h2>", "<p>Line 1</p>"):
            self.assertIn(words, page)
        for words in ("xff", "=1+1", "not handed in"):  # the other's
            self.assertNotIn(words, page)
        other = table.page("=x\n\"<b>\udcff")
        self.assertIn("13_old_values: not handed in", other)
        self.assertNotIn("<script>", other)
        self.assertNotIn("<b>", other)
        for name, kept in (("Anna M\u00fcller", True), ("O'Neill, Zo\u00eb", True), (".x", False),
                           ("-x", False), ("a\nb", False), ("a/b", False), ("x" * 250, False)):
            self.assertEqual(grade_report.page_of(name) == name + ".html", kept, name)
            self.assertNotIn("/", grade_report.page_of(name))

    def test_a_changed_solution_is_another_grader(self) -> None:
        """Some checks read it, and its rows are those that an answer must have."""
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(exercises, "FOLDER", folder):
            before = grade.fingerprint()
            with open(os.path.join(folder, "solution.cu"), "w", encoding="ascii") as file:
                file.write("// another one\n")
            self.assertNotEqual(grade.fingerprint(), before)

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_who_has_graded(self) -> None:
        version = json.loads(self.table().json())["grader"]
        self.assertEqual(set(version), {"commit", "dirty", "fingerprint"})
        with tempfile.TemporaryDirectory() as folder:
            def git(*words: str) -> None:
                subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b",
                                *words], check=True, stdout=subprocess.DEVNULL)
            with mock.patch.object(device, "ROOT", folder):
                self.assertEqual(grade_report.version_of_grader("f"),
                                 {"commit": "", "dirty": False, "fingerprint": "f"})
                git("init", "--quiet")
                os.mkdir(os.path.join(folder, "common"))
                path = os.path.join(folder, "common", "a.h")
                for text, dirty in (("1", False), ("2", True)):
                    with open(path, "w", encoding="ascii") as file:
                        file.write(text)
                    if not dirty:
                        git("add", ".")
                        git("commit", "--quiet", "-m", "a")
                    found = grade_report.version_of_grader("f")
                    self.assertRegex(str(found["commit"]), "^[0-9a-f]{40}$")
                    self.assertEqual(found["dirty"], dirty)
            # Inside of it, but no part of it.
            with mock.patch.object(device, "ROOT", os.path.join(folder, "common")):
                self.assertEqual(grade_report.version_of_grader("f")["commit"], "")

    @unittest.skipUnless(shutil.which("sim_c") and shutil.which("prlimit"), "there is no sim_c")
    def test_copies_with_other_names_are_alike(self) -> None:
        def answer(x: str) -> str:
            return "".join(f"int {x}{k}(int n, int* {x}) {{ for (int i = {k}; i < n; ++i) {{ "
                           f"{x}[i] = {x}[i] * 2 + i; }} return {x}[n / 2] % 7; }}\n"
                           for k in range(3))
        given = exercises.given_text(TASK, "en")
        self.write("anna", TASK + ".cu", given + answer("a"))
        self.write("bert", TASK + ".cu", given.replace("d_count", "d_n") + answer("b"))
        self.write("cleo", TASK + ".cu",
                   given + "int f(int x) { while (x > 3) { x /= 2; } return x; }" * 5)
        self.assertEqual(self.pairs().pairs, [(TASK, "anna", "bert", 100)])
        self.assertEqual(self.pairs().notes, [])

    def pairs(self, with_solutions: bool = False) -> similarity.Pairs:
        return similarity.of_class(grade.Class(self.folder), sandbox.Sandbox(trusts=True),
                                   tempfile.TemporaryDirectory,
                                   lambda one: not refused.why_refused(one.content or b""),
                                   with_solutions)

    def test_who_compares_reads_the_answers_alone(self) -> None:
        """Another user does; and of two shares the smaller one counts."""
        def compare(words: list[str], seconds: float, cwd: str) -> processes.Finished:
            folder, first = os.path.split(words[-2])
            self.assertEqual((first, os.listdir(os.path.dirname(folder))), ("0.cu", ["answers"]))
            self.assertEqual([stat.S_IMODE(os.stat(name).st_mode) for name in (folder, words[-1])],
                             [0o755, 0o644])
            done = processes.Finished()
            done.out = (f"{folder}/0.cu consists for 90 % of {folder}/1.cu material\n"
                        f"{folder}/1.cu consists for 97 % of {folder}/0.cu material\n").encode()
            return done
        found = similarity.Pairs()
        with mock.patch.object(processes, "run_one", compare):
            self.assertEqual(similarity._shares([b"a", b"b"], sandbox.Sandbox(trusts=True),
                                                tempfile.TemporaryDirectory, found), {(0, 1): 90})
        self.assertEqual(found.notes, [])

    def test_refused_answers_are_not_compared(self) -> None:
        """They take no time."""
        for student in ("anna", "bert"):
            self.write(student, TASK + ".cu", "// this line took me two hours\nasm();\n")
        with mock.patch.object(tokens, "tokens", wraps=tokens.tokens) as looked:
            self.assertEqual(self.pairs().comments, [])
        texts = [one.args[0] for one in looked.call_args_list]
        self.assertEqual(sum("asm" in one for one in texts), 2, "the two looks of why_refused()")

    @unittest.skipUnless(shutil.which("sim_c") and shutil.which("prlimit"), "there is no sim_c")
    def test_short_answers_are_not_compared(self) -> None:
        """Honest ones are the same."""
        with open(exercises.solution_file(TASK), encoding="ascii") as file:
            ours = file.read()
        for student, text in (("anna", ours), ("bert", ours.replace("d_count", "d_number"))):
            self.write(student, TASK + ".cu", text)
        found = self.pairs(with_solutions=True)
        self.assertEqual((found.pairs, found.comments, found.ours), ([], [], []))
        self.assertEqual(len(found.notes), 1)
        self.assertIn(f"100 tokens beside those of the given file: {TASK}", found.notes[0])

    @unittest.skipUnless(shutil.which("sim_c") and shutil.which("prlimit"), "there is no sim_c")
    def test_our_solution(self) -> None:
        long = "30_your_own_lock"
        with open(exercises.solution_file(long), encoding="ascii") as file:
            ours = file.read()
        renamed = re.sub(r"//.*", "", ours).replace("d_balance", "d_b")
        own = "".join(f"__device__ void f{k}(int* d) {{ while (d[{k}] > 0) {{ d[{k}] /= 2; }} }}\n"
                      for k in range(5))
        for student, text in (("anna", renamed), ("bert", own), ("cleo", ours)):
            self.write(student, long + ".cu", text)
        self.assertEqual(self.pairs().ours, [])  # only where the teacher wants it
        found = self.pairs(with_solutions=True).ours
        self.assertEqual([one[1] for one in found if "like our solution" in one[2]],
                         ["anna", "cleo"])
        self.assertEqual([one[1] for one in found if "comment of our" in one[2]], ["cleo"])

    def test_the_same_comment(self) -> None:
        """One of the students' own: not of the given file, in any language, and not of ours."""
        with open(exercises.solution_file(TASK), encoding="ascii") as file:
            ours = file.read()
        chinese = exercises.given_text(TASK, "zh-CN")
        self.assertNotEqual(chinese, exercises.given_text(TASK, "en"))
        mine = "// this line took me two hours\n"
        for student, text in (("anna", ours + mine), ("bert", chinese + "  /* this line took me  "
                                                      "two hours */"), ("cleo", chinese),
                              ("dora", ours + "// short one\n"), ("emil", "// short one\n")):
            self.write(student, TASK + ".cu", text)
        self.assertEqual(self.pairs().comments,
                         [(TASK, ["anna", "bert"], "this line took me two hours")])

    def pages(self) -> str:
        similarity._pages.cache_clear()
        self.addCleanup(similarity._pages.cache_clear)
        return similarity._pages()

    def test_pages_without_git(self) -> None:
        self.assertIn("lost update", self.pages())
        with mock.patch.object(similarity.shutil, "which", return_value=None):
            self.assertIn("lost update", self.pages())

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_pages_in_another_repository(self) -> None:
        """A copy of the project in somebody's repository, which does not keep it."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q", folder], check=True)
            os.makedirs(os.path.join(folder, "copy", "chapter"))
            with open(os.path.join(folder, "copy", "chapter", "README.md"), "w",
                      encoding="ascii") as file:
                file.write("What a page says.\n")
            with mock.patch.object(device, "ROOT", os.path.join(folder, "copy")):
                self.assertEqual(self.pages(), "What a page says.")

    def test_a_comment_of_a_page(self) -> None:
        """A page says it, so that it is no sign of a copy."""
        page = os.path.join(device.ROOT, "histogram", "README.md")
        with open(page, encoding="utf-8") as file:
            found = re.search(r"^.*//(?: [a-z0-9]+){5,}$", file.read(), re.M)
        assert found is not None
        for student in ("anna", "bert"):
            self.write(student, TASK + ".cu", found[0] + "\n// of our own make alone\n")
        self.assertEqual([one[2] for one in self.pairs().comments], ["of our own make alone"])

    def test_many_comments_take_no_time(self) -> None:
        """The pages are searched for those that students share, and for not too many of them."""
        class Pages(str):
            searched = 0

            def __contains__(self, comment: object) -> bool:
                Pages.searched += 1
                return super().__contains__(comment)
        shared = "".join(f"// the line that both of us have written {k}\n" for k in range(300))
        for student in ("anna", "bert"):
            own = "".join(f"// a line of {student} alone {k}\n" for k in range(2000))
            self.write(student, TASK + ".cu", shared + own)
        with mock.patch.object(similarity, "_pages", lambda: pages), \
                mock.patch.object(similarity.shutil, "which", return_value=None):
            pages = Pages("the line that both of us have written 299")
            found = self.pairs().comments
        self.assertEqual(len(found), similarity.MOST_COMMENTS - 1)
        self.assertEqual({tuple(one[1]) for one in found}, {("anna", "bert")})
        self.assertEqual(Pages.searched, similarity.MOST_COMMENTS)

    def test_pages_of_names_that_a_file_system_takes_for_one(self) -> None:
        names = ["Anna", "anna", "bert", "con", "Aux.x", "nul", "lpt1", "consul", "\u00e9mile",
                 "e\u0301mile", "a" * 32]
        pages = grade_report.pages_of(names)
        self.assertEqual([name for name in names if pages[name] == name + ".html"],
                         ["bert", "consul"])
        self.assertEqual(len({page.casefold() for page in pages.values()}), len(names))

    def test_names_stay_different(self) -> None:
        self.assertEqual(grade_report.shown("a\nb"), "a\\nb")
        self.assertEqual(grade_report.shown("a\\nb"), "a\\\\nb")
        self.assertEqual(grade_report.shown("\u202e"), "\\u202e")

    def test_command_line(self) -> None:
        for words in ([], ["a"], ["--out", "b"], ["a", "b", "--out", "c"], ["a", "--out"],
                      ["a", "--out", "b", "-j", "0"], ["a", "--out", "b", "-j65"],
                      ["a", "--out", "b", "-j"], ["a", "--out", "b", "--fast"],
                      ["a", "--out", "b", "--tasks"], ["a", "--out", "b", "--tasks", "99"]):
            with self.assertRaises(messages.Stop) as stopped:
                grade.read_request(words)
            self.assertEqual(stopped.exception.status, 2, words)
        asked = grade.read_request(["a", "-j3", "--out", "b", "--trust"])
        self.assertEqual((asked.submissions, asked.report, asked.at_once, asked.trusts,
                          asked.with_solutions, asked.tasks), ("a", "b", 3, True, False, []))
        asked = grade.read_request("a --out b --tasks 12,2 --solutions".split())
        self.assertEqual((asked.with_solutions, asked.tasks, asked.trusts),
                         (True, [TASK, "02_tail"], False))


class Command(unittest.TestCase):
    """The whole command, with a check of the test's own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.report = (os.path.join(folder.name, name) for name in ("class", "report"))
        os.makedirs(os.path.join(self.folder, "anna"))
        with open(os.path.join(self.folder, "anna", TASK + ".cu"), "w", encoding="ascii") as file:
            file.write(KERNEL)
        self.installed: list[tuple[str, ...]] = []
        self.verdict = check.Verdict(True, "", "Solved.")
        self.programs = {"clang++"}
        self.why = self.unread = ""

        def check_all(grader: grade.Grader, at_once: int) -> None:
            for answer in grader.classroom.all():
                grader.results.keep(answer, self.checked(at_once))

        def end_now(status: int) -> None:
            raise SystemExit(status)
        for patch in (mock.patch.object(device, "bash",
                                        lambda *words: self.installed.append(words)),
                      mock.patch.object(device, "build_runtime", lambda kind: None),
                      mock.patch.object(grade, "why_not", lambda walls: self.why),
                      mock.patch.object(grade.host_or_device, "why_unread",
                                        lambda clang: self.unread),
                      mock.patch.object(grade.shutil, "which",
                                        lambda name: name if name in self.programs else None),
                      mock.patch.object(grade.processes, "end_with_signals", lambda: None),
                      mock.patch.object(grade.processes, "end_now", end_now),
                      mock.patch.object(grade.Grader, "check_all", check_all)):
            patch.start()
            self.addCleanup(patch.stop)

    def checked(self, at_once: int) -> check.Verdict:
        return self.verdict

    def grade(self, *words: str) -> tuple[int, str, str]:
        return printed_by(lambda: grade.main([self.folder, "--out", self.report, *words]))

    def test_all_checked(self) -> None:
        self.assertEqual(self.grade(), (0, "1 of 1 answer of 1 student solved; the tables: "
                                        f"{self.report}\n", ""))
        self.assertEqual(self.installed, [("ensure_graders_packages", "bubblewrap")])
        self.assertTrue(os.path.exists(os.path.join(self.report, "grades.csv")))

    def test_some_not_checked(self) -> None:
        self.verdict = check.Verdict(False, check.MACHINE, "", details="no room")
        status, out, err = self.grade()
        self.assertEqual((status, out[:6]), (1, "0 of 1"))
        self.assertIn("1 answer could not be checked", err)

    def test_what_is_missing(self) -> None:
        for key, programs, why, words in (("no clang", set(), "", ()),
                                          ("no sandbox", {"clang++"}, "no namespaces", ()),
                                          ("no folder of submissions", {"clang++"}, "", ("x",))):
            self.programs, self.why = programs, why
            with self.assertRaises(messages.Stop) as stopped:
                grade.main([*(words or [self.folder]), "--out", self.report])
            self.assertEqual((stopped.exception.status, stopped.exception.key), (1, key))
            self.assertFalse(os.path.exists(self.report))

    def test_clang_without_headers(self) -> None:
        self.unread = "'algorithm' file not found"
        with self.assertRaises(messages.Stop) as stopped:
            grade.main([self.folder, "--out", self.report])
        self.assertEqual(stopped.exception.key, "no headers for clang")

    def test_a_report_among_the_submissions(self) -> None:
        for report in (self.folder, f"{self.folder}/report", f"{self.folder}/anna/../x/y"):
            with self.assertRaises(messages.Stop) as stopped:
                grade.main([self.folder, "--out", report])
            self.assertEqual(stopped.exception.key, "report inside", report)
        self.assertEqual(os.listdir(self.folder), ["anna"])
        self.assertEqual(self.grade("--out", self.folder + "2")[0], 0)

    def test_trusted(self) -> None:
        self.why = "no namespaces"
        self.assertEqual(self.grade("--trust")[0], 0)
        self.assertEqual(self.installed, [("ensure_graders_packages",)])

    def test_interrupted(self) -> None:
        for stop, status, said in ((KeyboardInterrupt(), 130, "interrupted; the same command"),
                                   (messages.Stop(143), 143, "interrupted; the same command"),
                                   (messages.Stop(1, "no sense"), 1, "no sense\n")):
            def checked(at_once: int, stop: BaseException = stop) -> check.Verdict:
                raise stop
            self.checked = checked  # type: ignore[method-assign]
            self.report += "+"  # the lock of the one before is still held
            ended: list[object] = []

            def end() -> int:
                try:
                    return grade.main([self.folder, "--out", self.report])
                except SystemExit as exit_:
                    ended.append(exit_.code)
                    return 0
            err = printed_by(end)[2]
            self.assertEqual(ended, [status])
            self.assertIn(said, err)
            self.assertFalse(os.path.exists(os.path.join(self.report, "grades.csv")))


class Walls(unittest.TestCase):
    def test_what_is_inside(self) -> None:
        words = sandbox.Sandbox().words(["/one/two"], ["/three"])
        for option in ("--unshare-net", "--unshare-pid", "--die-with-parent", "--new-session",
                       "--clearenv"):
            self.assertIn(option, words)
        at = words.index("/one/two")
        self.assertEqual(words[at - 1], "--ro-bind")
        self.assertEqual(words[words.index("/three") - 1], "--bind")
        self.assertIn("/one", words[:at])  # it can be entered
        if os.path.islink("/bin"):
            at = words.index("/bin")
            self.assertEqual(words[at - 2:at], ["--symlink", os.readlink("/bin")])
        self.assertFalse([word for word in words if word.startswith(os.path.expanduser("~/"))])

    def test_whoever_grades_the_user_inside_has_no_rights(self) -> None:
        for user, option in ((0, "setpriv --reuid"), (1000, "--unshare-user --cap-drop ALL")):
            with mock.patch.object(os, "geteuid", lambda user=user: user):
                words = " ".join(sandbox.Sandbox().words([], []))
            self.assertIn(option, words)
            self.assertIn("--dir /etc --ro", words)  # which bwrap would make for root alone

    def test_without_walls_there_are_limits(self) -> None:
        words = sandbox.Sandbox(trusts=True).words([], [])
        self.assertEqual(words[0], "prlimit")
        self.assertTrue(any(word.startswith("--data=") for word in words))

    def test_why_there_is_none(self) -> None:
        with mock.patch.object(sandbox.shutil, "which", lambda program: None):
            self.assertIn("bwrap", sandbox.why_not(sandbox.Sandbox()))
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "bwrap")
            with open(program, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho 'bwrap: no namespaces' >&2\nexit 1\n")
            os.chmod(program, stat.S_IRWXU)
            path = folder + os.pathsep + os.environ["PATH"]
            with mock.patch.dict(os.environ, {"PATH": path}), \
                    mock.patch.object(sandbox.shutil, "which", lambda program: program):
                self.assertIn("no namespaces", sandbox.why_not(sandbox.Sandbox()))
                with open(program, "w", encoding="ascii") as file:
                    file.write("#!/bin/sh\necho 'setpriv: setresuid failed' >&2\nexit 127\n")
                self.assertIn("this container has no user", sandbox.why_not(sandbox.Sandbox()))


if __name__ == "__main__":
    unittest.main()
