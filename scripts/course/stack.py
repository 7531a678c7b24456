"""Finds functions of an object file that move the stack pointer too far.

Below the stack of a thread lies that of another one, with guard pages between them. A function that
moves the stack pointer over these, and touches none of them, has its variables on the other stack.
By the options below, the compiler touches each page of a frame, and makes room for the arguments of
all calls at the beginning, too. But it touches none where it aligns a variable.

So the stack pointer may change in the following ways only. A function begins with pushes, with the
frame pointer, with an alignment of at most a page, and with steps of at most a page, each with a
touch. Behind that there are steps for arguments, at most a page between two calls. What race mode
does not see (unseen.py) stays within what was taken so.

For x86-64, in the form that g++ has at -O0.
"""
from __future__ import annotations

import platform
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from course.unseen import Instruction

# A function that changes these saves them in its frame, where a pointer could reach them. They hold
# values of its caller, and so of the check. Of an answer no function uses them, then.
OF_THE_CALLER = ("rbx", "r12", "r13", "r14", "r15")
# Without tables of jumps, whose targets are no labels that the look at the object sees.
OPTIONS = ("-fstack-clash-protection", "-fno-jump-tables",
           *(("-maccumulate-outgoing-args", *(f"-ffixed-{name}" for name in OF_THE_CALLER))
             if platform.machine() == "x86_64" else ()))
PAGE = 4096
SAVED = ("%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15")  # by each function that changes them
NAMES_ONE_OF_THE_CALLER = re.compile(r"%(?:[re]?bx|b[lh]|r1[2-5][dwb]?)\b")
TOUCH = ("or", ["$0x0", "(%rsp)"])
STACK_POINTER = re.compile(r"%(?:[re]?sp|spl)$")
FRAME_POINTER = re.compile(r"%(?:[re]?bp|bpl)$")
WRITES_BOTH = ("xchg", "xadd", "cmpxchg")
READS_ONLY = ("cmp", "test", "push", "call", "jmp", "bt", "nop", "ucomi", "comi")


class Frame:
    """What a function takes of the stack when it begins. `bytes`: from the frame pointer down to
    the stack pointer, at least. `room`: those that it may access by the stack pointer, which are
    fewer if that is aligned. `aligned`: whether it is. `body`: where in the code this has an end.
    `fault`: whether something else is done to the stack pointer."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self.bytes = self.room = self.body = 0
        self.fault = self.aligned = False
        self._read(code)

    def _read(self, code: Sequence[Instruction]) -> None:
        has_frame = False
        untouched = 0
        while self.body < len(code) and not self.fault:
            one = code[self.body]
            words = (_name(one), one.operands)
            step = _step(one)
            if words[0] == "push" and words[1][0] in SAVED:
                self._take(8)
                untouched = 0
            elif words == ("mov", ["%rsp", "%rbp"]) and not has_frame:
                has_frame = True
                self.bytes = self.room = 0
            elif words == TOUCH:
                untouched = 0
            elif step is not None:
                untouched += step
                self._take(step)
                self.fault = step <= 0 or untouched > PAGE
            elif words[0] == "and" and STACK_POINTER.match(words[1][-1]):
                self.fault = not has_frame or untouched > 0 or not _aligns(words[1])
                self.room = 0
                self.aligned = True
            elif far := _touched_steps(code[self.body:self.body + 5]):
                self._take(far)
                self.body += 4
                untouched = 0
            elif not words[0].startswith(("nop", "endbr")):
                return
            self.body += 1

    def _take(self, number: int) -> None:
        self.bytes += number
        self.room += number


def moves_too_far(code: Sequence[Instruction]) -> bool:
    """Whether this function does."""
    frame = Frame(code)
    untouched = 0
    for one in code[frame.body:]:
        step = _step(one)
        if _name(one) in ("push", "call"):
            untouched = 0
        elif step is not None:
            untouched += max(step, 0)
        elif not _leaves_the_pointers(one, frame):
            return True
        if untouched > PAGE:
            return True
    return frame.fault


def keeps_values_of_caller(code: Sequence[Instruction]) -> bool:
    """Whether no instruction names a register that holds values of the caller."""
    return not any(NAMES_ONE_OF_THE_CALLER.search(operand)
                   for one in code for operand in one.operands)


def step_in_body(one: Instruction) -> int:
    """By how many bytes it lowers the stack pointer for arguments; less than 0 if it rises."""
    name = _name(one)
    return 8 if name == "push" else -8 if name == "pop" else _step(one) or 0


def _name(one: Instruction) -> str:
    """Without the size of the operand."""
    return re.sub(r"^(push|pop|mov|and|or|sub|add|lea|call|ret|leave)[lq]$", r"\1", one.name)


def _step(one: Instruction) -> int | None:
    """By how many bytes it lowers the stack pointer, if that is a constant."""
    if len(one.operands) == 2 and one.operands[1] == "%rsp" and one.operands[0].startswith("$"):
        value = _signed(int(one.operands[0][1:], 16))
        return {"sub": value, "add": -value}.get(_name(one))
    return None


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _aligns(operands: Sequence[str]) -> bool:
    if not operands[0].startswith("$") or operands[1] != "%rsp":
        return False
    to = -_signed(int(operands[0][1:], 16))
    return 0 < to <= PAGE and to & (to - 1) == 0


def _touched_steps(code: Sequence[Instruction]) -> int:
    """How many bytes a loop takes, page by page, down to an address in %r11; 0 if it is none."""
    words = [(_name(one), one.operands) for one in code]
    far = re.match(r"-(0x[0-9a-f]+)\(%rsp\)$", words[0][1][0]) if words[0][1] else None
    number = int(far[1], 16) if far else 0
    return number if far and number % PAGE == 0 and words == [
        ("lea", [far[0], "%r11"]), ("sub", [f"${PAGE:#x}", "%rsp"]), TOUCH,
        ("cmp", ["%r11", "%rsp"]), ("jne", [f"{code[1].at:x}"])] else 0


def _leaves_the_pointers(one: Instruction, frame: Frame) -> bool:
    """Whether it changes neither pointer, or both as the end of a function does."""
    name, operands = _name(one), one.operands
    if name == "ret":
        return not operands
    if name == "pop":
        return not STACK_POINTER.match(operands[0])
    if name == "lea" and operands[1] == "%rsp":  # then it pops what it has pushed
        below = re.match(r"-(0x[0-9a-f]+)\(%rbp\)$", operands[0])
        return below is not None and int(below[1], 16) <= frame.bytes
    if name.startswith(READS_ONLY) and not name.startswith(("bts", "btr", "btc")):
        return True
    written = operands if name.startswith(WRITES_BOTH) else operands[-1:]
    return not any(STACK_POINTER.match(to) or FRAME_POINTER.match(to) for to in written)
