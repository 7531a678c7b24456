from __future__ import annotations

import os
import platform
import subprocess
import tempfile
import unittest

from course import stack, unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = """
struct Large { char c[9000]; };
void use(const void*);
int taken(Large);
int taken(long, long, long, long, long, long, long, long);
"""
NOT_TOO_FAR = (
    "int f(int k) { return k; }",
    "int f(const int* p) { int own[5] = {*p}; use(own); return own[1]; }",
    "void f() { char own[5000]; use(own); }",
    "void f(int k) { char own[200000]; own[k] = 3; use(own); }",
    "void f() { alignas(16) int own[5]; use(own); }",
    "void f(long k) { alignas(64) int own[5]; use(own); taken(k, k, k, k, k, k, k, k); }",
    "void f() { alignas(128) char own[5000]; use(own); }",
    "void f() { alignas(4096) char own[20000]; use(own); }",
    "int f(Large* p) { const Large own = *p; return taken(own) + taken(own); }",
    "int f(Large* p) { alignas(64) const Large own = *p; return taken(own); }",
    "struct A { int k; ~A() { use(&k); } }; int f(int k) { A a{k}; try { use(&k); } catch (...) {"
    " return 3; } return taken(k, k, k, k, k, k, k, a.k); }")
TOO_FAR = (
    "void f(long k) { switch (k) { alignas(32768) long own[4096]; default: own[k] = 3; } }",
    "void f() { alignas(8192) int own[5]; use(own); }",
    "void f() { alignas(65536) int own[5]; use(own); }",
    "void f(int k) { char own[k]; use(own); }",
    "void f(int k) { use(__builtin_alloca(k)); }")
BEGIN = ("push %rbp", "mov %rsp,%rbp")
END = ("leave", "ret")


def code_of(*lines: str) -> str:
    """As objdump prints it."""
    return "0000000000000000 <f>:\n" + "".join(f"{4 * number:8x}:\t{line}\n"
                                               for number, line in enumerate(lines))


def moves_too_far(*lines: str) -> bool:
    return any(stack.moves_too_far(code) for _, code in unseen.functions(code_of(*lines)))


@unittest.skipUnless(platform.machine() == "x86_64", "for x86-64")
class Stack(unittest.TestCase):
    def found(self, texts: tuple[str, ...], *options: str, without: Callable[..., bool] =
              lambda code: not stack.moves_too_far(code)) -> list[str]:
        """Which of these have a function without this property: by default, those that move the
        stack pointer too far."""
        with tempfile.TemporaryDirectory() as folder:
            source, built = os.path.join(folder, "a.cpp"), os.path.join(folder, "a.o")
            with open(source, "w", encoding="ascii") as file:
                file.write(HEAD + "".join(f"namespace n{number} {{ {text} }}\n"
                                          for number, text in enumerate(texts)))
            subprocess.run(["g++", "-std=c++17", "-fsanitize=thread", "-O0", "-w", *options, "-c",
                            source, "-o", built], check=True)
            said = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", built], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
        names = [name for name, code in unseen.functions(said) if not without(code)]
        return [text for number, text in enumerate(texts)
                if any(f"N{len(str(number)) + 1}n{number}" in name for name in names)]

    def test_what_the_compiler_makes(self) -> None:
        self.assertEqual(self.found(NOT_TOO_FAR, *stack.OPTIONS), [])
        self.assertEqual(self.found(TOO_FAR, *stack.OPTIONS), list(TOO_FAR))

    def test_without_the_options(self) -> None:
        """A large frame steps over guard pages, and so does a large argument. Beside a variable
        with an alignment, arguments find their place by another register."""
        others = [text for text in NOT_TOO_FAR if "Large" in text or "taken(k, k" in text and
                  "alignas" in text]
        self.assertEqual(self.found(NOT_TOO_FAR, stack.OPTIONS[0]), others)
        # Ubuntu's compiler has the option on its own.
        self.assertEqual(self.found(NOT_TOO_FAR, "-fno-stack-clash-protection"),
                         [text for text in NOT_TOO_FAR if "000" in text or text in others])

    def test_values_of_the_caller(self) -> None:
        """Where many values are held across calls, the compiler takes the registers for them in
        which the caller has its own; by the options it does not."""
        text = "int f(int k) { return taken(taken(k, k, k, k, k, k, k, k), taken(k, 1, 1, 1, 1, " \
               "1, 1, 1), taken(k, 2, 1, 1, 1, 1, 1, 1), 1, 1, 1, 1, 1) + taken({}); }"
        self.assertEqual(self.found((text,), without=stack.keeps_values_of_caller), [text])
        self.assertEqual(self.found((text,), *stack.OPTIONS,
                                    without=stack.keeps_values_of_caller), [])
        for line in ("push %rbx", "mov %bl,(%rax)", "mov 0x8(%rax,%r12,4),%eax", "pop %r13",
                     "xor %r14d,%eax", "mov $0x1,%r15b", "mov (%rbx),%eax", "mov %bh,%al"):
            (_, code), = unseen.functions(code_of(*BEGIN, line, *END))
            self.assertFalse(stack.keeps_values_of_caller(code), line)
        for line in ("push %rbp", "mov %r11d,%eax", "mov %dl,(%r10,%rcx,8)"):
            (_, code), = unseen.functions(code_of(*BEGIN, line, *END))
            self.assertTrue(stack.keeps_values_of_caller(code), line)

    def test_other_ways(self) -> None:
        """To change one of the two pointers."""
        self.assertFalse(moves_too_far(*BEGIN, "sub $0x20,%rsp", "nop", *END))
        for line in ("mov %rax,%rsp", "mov $0x0,%sp", "xor %esp,%esp", "add %rax,%rsp",
                     "and $0xffffffffffffffc0,%rsp", "lea 0x8(%rsp),%rsp", "lea -0x28(%rbp),%rsp",
                     "xchg %rsp,%rax", "xadd %rsp,%rax", "mov %rsp,%rbp", "mov (%rax),%rbp",
                     "pop %rsp", "ret $0x10", "cmove %rax,%rsp", "inc %rsp", "dec %spl",
                     "bts %rax,%rsp", "sub $0x1001,%rsp", "add $0xffffffffffffefff,%rsp"):
            self.assertTrue(moves_too_far(*BEGIN, "sub $0x20,%rsp", "nop", line, *END), line)
        for line in ("push %rsp", "cmp %rsp,%rax", "mov %rsp,%rax", "mov %rax,(%rsp)",
                     "lea -0x18(%rbp),%rsp", "pop %rbp", "sub $0x1000,%rsp", "add $0x10,%rsp",
                     "test %rsp,%rsp", "bt %rax,%rsp", "or %rsp,%rax"):
            self.assertFalse(moves_too_far(*BEGIN, "sub $0x20,%rsp", "mov %edi,-4(%rbp)", line,
                                           *END), line)

    def test_touches(self) -> None:
        """Each page is touched on the way."""
        step, touch = "sub $0x1000,%rsp", "orq $0x0,(%rsp)"
        self.assertFalse(moves_too_far(*BEGIN, step, touch, step, touch, "sub $0xff0,%rsp", *END))
        self.assertTrue(moves_too_far(*BEGIN, step, touch, step, "sub $0x8,%rsp", *END))
        self.assertFalse(moves_too_far(*BEGIN, "nop", "mov %edi,-4(%rbp)", step, "call 0 <f>",
                                       step, *END))
        self.assertTrue(moves_too_far(*BEGIN, "mov %edi,-4(%rbp)", step, step, *END))
        self.assertTrue(moves_too_far(*BEGIN, step, "and $0xffffffffffffffc0,%rsp", *END))
        loop = ("lea -0x8000(%rsp),%r11", step, touch, "cmp %r11,%rsp", "jne c <f+0xc>")
        self.assertFalse(moves_too_far(*BEGIN, *loop, *END))
        for number, other in ((0, "lea -0x8800(%rsp),%r11"), (1, "sub $0x2000,%rsp"),
                              (2, "orq $0x0,0x8(%rsp)"), (3, "cmp %r10,%rsp"),
                              (4, "jne 8 <f+0x8>")):
            changed = [*loop]
            changed[number] = other
            self.assertTrue(moves_too_far(*BEGIN, *changed, step, *END), other)

    def test_frame(self) -> None:
        for lines, bytes_, room in (
                ((*BEGIN, "push %rbx", "sub $0x18,%rsp"), 32, 32),
                ((*BEGIN, "push %rbx", "and $0xffffffffffffffc0,%rsp",
                  "add $0xffffffffffffff80,%rsp"), 136, 128),
                ((*BEGIN, "lea -0x8000(%rsp),%r11", "sub $0x1000,%rsp", "orq $0x0,(%rsp)",
                  "cmp %r11,%rsp", "jne c <f+0xc>", "sub $0x10,%rsp"), 0x8010, 0x8010),
                ((*BEGIN, "mov %edi,-4(%rbp)", "sub $0x10,%rsp"), 0, 0)):
            (_, code), = unseen.functions(code_of(*lines, *END))
            frame = stack.Frame(code)
            self.assertEqual((frame.bytes, frame.room, frame.fault), (bytes_, room, False), lines)


if __name__ == "__main__":
    unittest.main()
