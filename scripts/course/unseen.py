"""Finds the loads and stores of an object file that race mode does not see.

The compiler (g++ with -fsanitize=thread) puts a call of __tsan_read4 or the like before a load or a
store. It puts none where an object of a class, as a whole, is an argument or the result of a call:
the load of `f(*pointer)`, and the store of `new (pointer) Pair(f())`. A file could use these to
reach memory that is not its own, or to hide a race.

So the machine code is followed, from each label to the next. Registers and words of the frame hold
sums of values that are not known: {value: factor} and a constant. An access is seen if the address
was given to such a call since the last label, and no other function was called in between. Some
need no call: what the function has on its own stack, and tables of constants, if the indices were
compared with what the table has, by a switch or by the compiler (-fsanitize=bounds).

For x86-64, in the form that g++ has at -O0. Everything that this does not know counts as another
value, so that it may refuse too much, and not too little.
"""
from __future__ import annotations

import collections
import re

from course import stack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    Sum = tuple[int, tuple[tuple[int, int], ...]]  # the constant, and (value, factor), in order

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\t((?:(?:rep|repz|repnz|lock|notrack|bnd|data16|cs)\s+)*)"
                  r"([a-z]\w*)\s*(.*)$")
RELOCATION = re.compile(r"^\s+([0-9a-f]+): (R_X86_64_\w+)\t(.+?)([+-]0x[0-9a-f]+)?$")
OPERAND = re.compile(r"(?:[^,(]|\([^)]*\))+")
PLACE = re.compile(r"(?:%\w\w:)?(-?(?:0x)?[0-9a-f]+)?\((%\w+)?(?:,(%\w+)?(?:,(\d))?)?\)$")
CHECK = re.compile(r"__tsan_(?:unaligned_)?(?:volatile_)?(read|write)(\d+|_range)$|"
                   r"__tsan_(vptr_(?:update|read))$|"
                   r"_ZN10cpu_device(?:(13hinted_access|12before_store)|10take_store|"
                   r"19before_compare_swap)E")
OUT_OF_BOUNDS = "__ubsan_handle_out_of_bounds"
GO_ON = ("__ubsan_handle_type_mismatch_v1", "__ubsan_handle_shift_out_of_bounds",
         "__ubsan_handle_float_cast_overflow")
# Not .data.rel.ro, to which a program can write: such a constant has an address in its start value.
CONSTANTS = (".rodata", ".lrodata")
BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")  # variables that a kernel may read
LAST_OF_BUILT_IN = 8  # the place of .z
READS_ONLY = ("cmp", "test", "push", "ucomi", "comi", "bt")
PURE = re.compile(r"(?:mov[sz][bwl][wlq]|movslq|and|or|xor|imul|neg|not|sar|shr|shl|add|sub)"
                  r"[bwlq]?$")
CALLER_SAVED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
WRITTEN_TOO = {"cltq": ("rax",), "cwtl": ("rax",), "cltd": ("rdx",), "cqto": ("rdx",),
               "idiv": ("rax", "rdx"), "div": ("rax", "rdx"), "mul": ("rax", "rdx")}
# What g++ makes of C++, and what does not leave the program: no syscall, int, in, out or hlt.
ORDINARY = re.compile(
    r"(?:mov\w*|lea|push|pop|add|adc|sub|sbb|and|or|xor|not|neg|inc|dec|imul|mul|idiv|div|cmp|test|"
    r"sa[lr]|sh[lr]d?|ro[lr]|bswap|bs[fr]|bt[src]?|popcnt|[lt]zcnt|xchg|cmpxchg(?:8b|16b)?|xadd|"
    r"call|ret|leave|nop|jmp|stos|cmps|scas)[bwlq]?$|"
    r"j[a-z]{1,3}$|(?:set|cmov)[a-z]{1,3}$|c[bwlq]t[wldqo]$|[lms]fence$|"
    r"endbr64$|ud2$|cld$|sahf$|pause$|cvt\w+$|"
    r"f(?:ld|st|add|sub|mul|div|u?com|cmov|xam|xch|chs|abs|i|nst|sqrt|rnd|prem|scale)\w*$|"
    r"(?:add|sub|mul|div|min|max|sqrt|andn?|or|xor|u?comi|cmp\w*|shuf|unpck[lh]|round|rsqrt|rcp|"
    r"blend|h?add|hsub)[sp][sd]$|p[a-z]+(?:[bwdq]|qdq|dqa)$|por|pxor|pandn?$")
# After these a function goes on nowhere. What follows a call of another one must be its own: else it
# would return into the next function, with what lies on its stack as the place to return to.
ENDS = ("ret", "jmp", "ud2")
NEVER_RETURNS = re.compile(r"_Unwind_Resume$|__assert_fail$|__stack_chk_fail$|_ZSt9terminatev$|"
                           r"_ZSt\d+__throw_|__cxa_(?:rethrow|throw)$|"
                           r"_ZN10cpu_device\d+(?:misuse|trap)E")
# Jumps after a comparison with a constant, without a sign. g++ 12 compares an index with the last
# one that there is, g++ 13 with the number of them. Each has by how much a value below is less.
IF_BELOW, IF_NOT_BELOW = {"jbe": 0, "jb": 1}, {"ja": 0, "jae": 1}
MOST_INSTRUCTIONS = 60_000  # of an object: far more than an answer has
LATEST = 256  # checks that are remembered: an access follows its own closely
MOST_TERMS = 16  # of a sum; one of more counts as another value, else all sums take n^2 memory
WIDEST = 16  # bytes that an instruction stores

RETURN_ADDRESS = 8  # above the frame pointer
ARGUMENTS = 16
IN_REGISTERS = 6
RED_ZONE = 128
WORDS_OF_CLASS = 4  # of an object that is a parameter; one that is larger is refused
# What ends a function's declaration after its own parameters.
AFTER_PARAMETERS = re.compile(r"\)( const)?(?: volatile)?(?: &&?)?$")
WHOLE_NUMBER = re.compile(r"[&*]$|^(?:unsigned |signed )?(?:int|long|char|short|bool)\b"
                          r"(?! double)")
FLOAT = re.compile(r"(?:float|double)$")
IN_VECTOR_REGISTERS = 8  # of floats
# Of what a function may read above its frame; check.hpp has more than that below its own data.
MOST_ABOVE = 512

_REGISTERS = {f"r{number}{end}": f"r{number}" for number in range(8, 16) for end in "dwb"}
for _name in ("ax", "bx", "cx", "dx"):
    _REGISTERS.update({"e" + _name: "r" + _name, _name: "r" + _name,
                       _name[0] + "l": "r" + _name, _name[0] + "h": "r" + _name})
for _name in ("si", "di", "bp", "sp"):
    _REGISTERS.update({"e" + _name: "r" + _name, _name: "r" + _name, _name + "l": "r" + _name})


class Instruction:
    def __init__(self, at: int, name: str, operands: list[str]) -> None:
        self.at = at
        self.name = name
        self.operands = operands
        self.repeats = False  # as often as %rcx says
        # Of the relocation: its kind, its symbol, and what is added to that. A distance is one from
        # the next instruction.
        self.kind = ""
        self.symbol = ""
        self.addend = 0


def functions(disassembly: str) -> Iterator[tuple[str, list[Instruction]]]:
    """The name and the instructions of each, of what `objdump -dr --no-show-raw-insn` prints."""
    name, code = "", []
    for line in disassembly.split("\n"):
        if begins := FUNCTION.match(line):
            if code:
                yield name, code
            name, code = begins[1], []
        elif found := LINE.match(line):
            operands = re.sub(r"\s*[#<].*", "", found[4])
            if code:
                code[-1].addend += int(found[1], 16)
            code.append(Instruction(int(found[1], 16), found[3],
                                    [one.strip() for one in OPERAND.findall(operands)]))
            code[-1].repeats = found[2].startswith("rep")
        elif (found := RELOCATION.match(line)) and code:
            code[-1].kind, code[-1].symbol = found[2], found[3]
            code[-1].addend = int(found[4] or "0", 16) - int(found[1], 16)
    if code:
        yield name, code


def foreign(disassembly: str) -> str:
    """What no compiler makes of C++: an instruction that leaves the program, a jump into the middle
    of one, a function without an end, or too many instructions. "" if there is none."""
    number = 0
    for name, code in functions(disassembly):
        number += len(code)
        places = {one.at for one in code}
        last = next((one for one in code[::-1] if not one.name.startswith("nop") and
                     (one.name, one.operands) != ("xchg", ["%ax", "%ax"])), code[0])
        if last.name not in ENDS and not (last.name == "call" and
                                          NEVER_RETURNS.match(last.symbol)):
            return f"a function that runs into the next one, {name[:80]}"
        for one in code:
            if not ORDINARY.match(one.name):
                return f"the instruction {one.name}"
            if one.name.startswith("j") and not one.kind and one.operands and \
                    re.match(r"[0-9a-f]+$", one.operands[0]) and \
                    int(one.operands[0], 16) not in places:
                return f"a jump into the middle of an instruction, in {name[:80]}"
    if "(bad)" in disassembly:
        return "bytes that are no instruction"
    return f"more than {MOST_INSTRUCTIONS} instructions" if number > MOST_INSTRUCTIONS else ""


def unseen(disassembly: str, sizes: dict[str, int], stack_arguments: int,
           parameters: Callable[[str], str]) -> tuple[str, int] | None:
    """The first access that race mode does not see: the function's name in the object, and the
    place; None if there is none. `sizes`: of the sections, in bytes. `stack_arguments`: words that
    the check puts on the stack for a function `launch_...`. `parameters`: tells those of a function
    as C++ has them."""
    for name, code in functions(disassembly):
        on_stack = _OnStack(name, stack_arguments, parameters)
        at = _Function(code, sizes, on_stack).first_unseen()
        if at is not None:
            return name, at
    return None


class _OnStack:
    """How many bytes of arguments a function may have on the stack."""

    def __init__(self, name: str, of_launch: int, parameters: Callable[[str], str]) -> None:
        self.name = name
        self.of_launch = of_launch
        self.parameters = parameters
        self.known: dict[bool, int] = {}

    def bytes(self, write: bool) -> int:
        if write not in self.known:
            self.known[write] = self._bytes(write)
        return self.known[write]

    def _bytes(self, write: bool) -> int:
        if re.match(r"_Z\d+launch_", self.name):
            return 8 * self.of_launch
        whole = self.parameters(self.name).strip()
        each = _own_list(whole)
        numbers = sum(bool(WHOLE_NUMBER.search(one)) for one in each)
        floats = sum(bool(FLOAT.match(one)) for one in each)
        if write:  # to what lies there for certain: an object of a class may take no word at all
            # Of other functions the name does not tell whether they are called with an object.
            numbers += whole.endswith(") const")
            return 8 * (max(0, numbers - IN_REGISTERS) + max(0, floats - IN_VECTOR_REGISTERS))
        of_classes = WORDS_OF_CLASS * (len(each) - numbers - floats)
        return min(8 * (max(0, len(each) + 1 - IN_REGISTERS) + of_classes), MOST_ABOVE)


def _own_list(declared: str) -> list[str]:
    """The parameters of a function as C++ has it: what stands between its last parentheses, at each
    comma. None of a name that c++filt leaves as it is, since it is too long; and none where the
    last parentheses are those of the result, as in void (*f<1>(long))(int)."""
    ends = AFTER_PARAMETERS.search(declared)
    if not ends:
        return []
    each, depth, at = [""], 0, ends.start() - 1
    while at >= 0:
        char = declared[at]
        if char in "([{<" and depth == 0:
            break
        depth += (char in ")]}>") - (char in "([{<")
        if char == "," and depth == 0:
            each.append("")
        else:
            each[-1] += char
        at -= 1
    before = declared[:max(at, 0)]
    if before.endswith(")") and not before.endswith("operator()"):
        return []
    return [one[::-1].strip() for one in each if one.strip()]


class _Function:
    def __init__(self, code: list[Instruction], sizes: dict[str, int], on_stack: _OnStack) -> None:
        self.code = code
        self.sizes = sizes
        self.on_stack = on_stack
        self.labels = collections.Counter(
            int(one.operands[0], 16) for one in code
            if one.name.startswith("j") and re.match(r"[0-9a-f]+$", one.operands[0]))
        self.values: dict[Hashable, int] = {}
        self.keys: dict[int, Hashable] = {}
        self.frame, self.stack = self._value("frame"), self._value("stack")
        taken = stack.Frame(code)
        # One that calls no other may have something below, too.
        self.below = 0 if any(one.name.startswith("call") for one in code) else RED_ZONE
        self.deepest = self.below + taken.bytes
        self.aligned = taken.aligned
        # Bytes from the stack pointer up to what is not the function's own, at least.
        self.least_room = self.room = taken.room
        self.body = code[taken.body].at if taken.body < len(code) else 0
        self._begin()

    def _begin(self) -> None:
        """At a label nothing is known."""
        self.room = self.least_room
        self.compared: tuple[Sum, int] | None = None  # with a constant, without a sign
        # Of a value, where that is known: the most that it can be after a constant is added.
        self.most: dict[int, tuple[int, int]] = {}
        self.registers: dict[str, Sum] = {}
        self.slots: dict[int, dict[int, Sum]] = {}  # of the frame, by place and by size
        self.checks: collections.deque[
            tuple[tuple[tuple[int, int], ...], int, int, bool]] = collections.deque(maxlen=LATEST)

    def first_unseen(self) -> int | None:
        before = None
        after_check: tuple[int, Sum, int] | None = None  # the label, and what is known there
        for one in self.code:
            if one.at in self.labels:
                if before and before.symbol == OUT_OF_BOUNDS and self.labels[one.at] == 1 and \
                        after_check and after_check[0] == one.at:
                    self._is_at_most(*after_check[1:])  # that call does not return
                elif not (before and before.symbol in GO_ON and self.labels[one.at] == 1):
                    self._begin()
            if not self._is_seen(one):
                return one.at
            if self.compared and (one.name in IF_BELOW or one.name in IF_NOT_BELOW):
                value, limit = self.compared
                if one.name in IF_BELOW:
                    after_check = int(one.operands[0], 16), value, limit - IF_BELOW[one.name]
                else:
                    self._is_at_most(value, limit - IF_NOT_BELOW[one.name])
            self._follow(one)
            before = one
        return None

    # --- values ---

    def _value(self, key: Hashable = None) -> int:
        """The number of a value; of a new one without a key."""
        if key is None:
            key = len(self.values)
        number = self.values.setdefault(key, len(self.values))
        self.keys[number] = key
        return number

    def _sum(self, key: Hashable = None) -> Sum:
        return 0, ((self._value(key), 1),)

    def _is_at_most(self, compared: Sum, most: int) -> None:
        if len(compared[1]) == 1 and compared[1][0][1] == 1:
            self.most[compared[1][0][0]] = compared[0], most

    def _added(self, one: Sum, other: Sum, factor: int = 1) -> Sum:
        values = dict(one[1])
        for value, times in other[1]:
            values[value] = values.get(value, 0) + factor * times
        if len(values) > MOST_TERMS:
            return self._sum()
        return _wrapped(one[0] + factor * other[0]), tuple(sorted(
            (value, wrapped) for value, times in values.items() if (wrapped := _wrapped(times))))

    def _whole(self, part: Sum) -> Sum:
        """That of which this is the low half; itself if it is not known to be one."""
        constant, values = part
        if constant == 0 and len(values) == 1 and values[0][1] == 1:
            key = self.keys.get(values[0][0])
            if isinstance(key, tuple) and key[:2] == ("low", 4):
                return key[2]
        return part

    def _register(self, name: str) -> Sum:
        name = _REGISTERS.get(name.lstrip("%"), name.lstrip("%"))
        if name == "rbp":
            return 0, ((self.frame, 1),)
        if name == "rsp":
            return 0, ((self.stack, 1),)
        return self.registers.setdefault(name, self._sum())

    def _address(self, one: Instruction, operand: str) -> Sum | None:
        """None for what is no place in memory."""
        match = PLACE.match(operand)
        if not match:
            return self._sum("thread") if operand == "%fs:0x0" else None
        offset, base, index, scale = match.groups()
        if base == "%rip":
            return one.addend, ((self._value(("symbol", one.kind, one.symbol)), 1),)
        total: Sum = (int(offset or "0", 16), ())
        if operand.startswith("%fs:"):
            total = self._added(total, self._sum("thread"))
        elif operand.startswith("%") and not operand.startswith(("%ds:", "%es:")):
            return self._sum()
        if base:
            total = self._added(total, self._register(base))
        if index:
            total = self._added(total, self._register(index), int(scale or "1"))
        return total

    def _slot(self, address: Sum) -> int | None:
        """Where a function aligns a variable, the compiler finds all of them by the stack pointer.
        Both pointers may reach the same word, so one of them alone counts."""
        base = self.stack if self.aligned else self.frame
        return address[0] if address[1] == ((base, 1),) else None

    def _content(self, one: Instruction, operand: str, size: int) -> Sum:
        if operand.startswith("$"):
            return int(operand[1:], 16), ()
        if operand == "%fs:0x0":
            return self._sum("thread")
        if operand.startswith("%") and "(" not in operand:
            return self._register(operand)
        address = self._address(one, operand)
        if address is None:
            return self._sum()
        slot = self._slot(address)
        if slot is not None:
            return self.slots.setdefault(slot, {}).setdefault(size, self._sum())
        if one.kind.endswith(("GOTTPOFF", "GOTPCREL", "GOTPCRELX")):
            return self._sum(("of the linker", one.symbol))
        return self._sum()

    # --- what an instruction does ---

    def _follow(self, one: Instruction) -> None:
        name, operands = one.name, one.operands
        if name == "call":
            self._call(one)
            return
        if name.startswith(("j", "ret", "ud2", "hlt")):
            if name in ("jmp", "ret", "ud2", "hlt"):
                self._begin()
            return
        for register in WRITTEN_TOO.get(name.rstrip("lq") if "div" in name else name, ()):
            self.registers[register] = self._sum(("signed", self._whole(self._register("rax")))) \
                if name == "cltq" else self._sum()
        if name.startswith(("movs", "stos")) and len(operands) == 2 and "%es:" in operands[1]:
            for register in ("rcx", "rsi", "rdi"):
                self.registers[register] = self._sum()
            self.slots.clear()
            return
        if name.startswith(("push", "pop", "leave")) or operands[-1:] == ["%rsp"]:
            self.stack = self._value()
            if self.aligned:
                self.slots.clear()
            if one.at >= self.body:
                self.room = max(self.least_room, self.room + stack.step_in_body(one))
            if name.startswith("pop"):
                self._set(operands[0], self._sum())
            return
        self.compared = None
        if name in ("cmp", "cmpl", "cmpq") and operands[0].startswith("$"):
            size = _size(name, operands[1:])
            value = self._content(one, operands[1], size)
            self.compared = (value if size == 8 else self._sum(("low", size, self._whole(value))),
                             int(operands[0][1:], 16))
        if not operands or name.startswith(("cmp", "test", "nop", "ucomi", "comi")) or \
                name in WRITTEN_TOO:
            return
        size = _size(name, operands)
        self._store(one, operands[-1], size, self._result(one, size))
        if name.startswith(("xchg", "cmpxchg", "xadd")):
            for operand in (operands[0], "%rax"):
                if operand.startswith("%"):
                    self._set(operand, self._sum())

    def _result(self, one: Instruction, size: int) -> Sum:
        name, operands = one.name, one.operands
        if name in ("lea", "leaq") and size == 8:
            return self._address(one, operands[0]) or self._sum()
        if len(operands) == 2 and name in ("mov", "movq", "movl", "movabs"):
            source = self._content(one, operands[0], size)
            return source if size == 8 or operands[0].startswith("$") else \
                self._sum(("low", size, self._whole(source)))
        if name == "movslq":
            return self._sum(("signed", self._whole(self._content(one, operands[0], 4))))
        if not PURE.match(name) or any("%xmm" in operand for operand in operands):
            return self._sum()
        sources = [self._content(one, operand, _size(name, [operand]) if
                                 name.startswith(("movs", "movz")) else size)
                   for operand in operands]
        if size == 8 and len(operands) == 2 and name in ("add", "sub", "addq", "subq"):
            return self._added(sources[1], sources[0], 1 if name.startswith("add") else -1)
        if size == 8 and name in ("shl", "shlq") and operands[0].startswith("$"):
            return self._added((0, ()), sources[-1], 1 << (sources[0][0] & 63))
        return self._sum((name, size, *sources))

    def _store(self, one: Instruction, to: str, size: int, value: Sum) -> None:
        if to.startswith("%") and "(" not in to:
            self._set(to, value)
            return
        address = self._address(one, to)
        if address and not self.aligned and address[1] == ((self.stack, 1),):
            return  # an argument of the next call: below all variables
        slot = self._slot(address) if address else None
        if slot is None:
            self.slots.clear()
            return
        for at in range(slot - WIDEST + 1, slot + size):
            for bytes_ in list(self.slots.get(at, ())):
                if slot < at + bytes_:
                    del self.slots[at][bytes_]
        self.slots.setdefault(slot, {})[size] = value

    def _set(self, register: str, value: Sum) -> None:
        name = register.lstrip("%")
        if not name.startswith(("xmm", "st")):
            self.registers[_REGISTERS.get(name, name)] = value

    def _call(self, one: Instruction) -> None:
        check = CHECK.match(one.symbol)
        if not check:
            self.checks.clear()
            if one.symbol not in (OUT_OF_BOUNDS, *GO_ON):  # which change no variable
                self.slots.clear()
        else:
            kind, size, of_class, for_store = check.groups()
            given, more = self._register("rsi")
            bytes_ = 8 if of_class else int(size) if size and size.isdigit() else \
                0 if more else given
            constant, values = self._register("rdi")
            self.checks.append((values, constant, constant + max(bytes_, 1),
                                kind == "write" or of_class == "vptr_update" or bool(for_store)))
        for register in CALLER_SAVED:
            self.registers[register] = self._sum()

    # --- what it accesses ---

    def _is_seen(self, one: Instruction) -> bool:
        if one.name.startswith(("lea", "nop", "call", "j")):
            return True
        for operand in one.operands:
            if operand.startswith(("$", "%")) and "(" not in operand:
                continue
            write = operand is one.operands[-1] and not one.name.startswith(READS_ONLY)
            address = self._address(one, operand)
            if address is None or not (self._needs_no_call(one, operand, address, write) or
                                       self._is_checked(one, address, write)):
                return False
        return True

    def _is_checked(self, one: Instruction, address: Sum, write: bool) -> bool:
        """Whole: the copy of a class may go on behind the word that a call has looked at."""
        size = self._bytes_accessed(one)
        return size is not None and any(
            values == address[1] and begin <= address[0] and address[0] + size <= end and
            (writes or not write) for values, begin, end, writes in self.checks)

    def _needs_no_call(self, one: Instruction, operand: str, address: Sum, write: bool) -> bool:
        constant, values = address
        if values == ((self.stack, 1),):
            size = self._bytes_accessed(one)
            return size is not None and -self.below <= constant <= self.room - size
        if values == ((self.frame, 1),):
            size = self._bytes_accessed(one)
            if constant < 0:
                return size is not None and -self.deepest <= constant <= -size
            if constant == RETURN_ADDRESS:
                return not write
            if write and (size is None or
                          constant > ARGUMENTS + self.on_stack.bytes(write) - size):
                return False
            return ARGUMENTS <= constant < ARGUMENTS + self.on_stack.bytes(write)
        size = self._bytes_accessed(one)
        if write or size is None:
            return False
        if 0 <= constant <= LAST_OF_BUILT_IN and size <= 8 and self._is_built_in(values):
            return True
        if "%rip" in operand:
            return one.kind.endswith(("GOTTPOFF", "GOTPCREL", "GOTPCRELX")) or (
                one.symbol.startswith(CONSTANTS) and
                0 <= one.addend <= self.sizes.get(one.symbol, 0) - size)
        return self._is_in_table(address, size)

    def _bytes_accessed(self, one: Instruction) -> int | None:
        """None if that is not known."""
        size = _size_in_memory(one.name, one.operands)
        if not one.repeats:
            return size
        times, values = self._register("rcx")
        return size * times if not values and times >= 0 else None

    def _is_built_in(self, values: tuple[tuple[int, int], ...]) -> bool:
        """A variable such as threadIdx, which each thread has for itself."""
        keys = [self.keys[value] for value, factor in values if factor == 1]
        return len(keys) == len(values) == 2 and "thread" in keys and \
            any(("of the linker", name) in keys for name in BUILT_IN)

    def _is_in_table(self, address: Sum, size: int) -> bool:
        """An element of a table of constants, by indices that are known to be small enough."""
        nearest = farthest = address[0]
        tables = []
        for value, factor in address[1]:
            key = self.keys[value]
            if isinstance(key, tuple) and key[0] == "symbol" and key[2].startswith(CONSTANTS):
                tables.append(key[2])
                continue
            if factor < 0 or value not in self.most:
                return False
            constant, most = self.most[value]
            nearest -= factor * constant  # 0 <= value + constant <= most
            farthest += factor * (most - constant)
        return len(tables) == 1 and 0 <= nearest and \
            farthest <= self.sizes.get(tables[0], 0) - size


def _wrapped(number: int) -> int:
    """As a register of 64 bits has it, with a sign."""
    return ((number + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def _size(name: str, operands: list[str]) -> int:
    """Of the operand in bytes, as far as the registers and the name tell; 8 where they do not."""
    if name == "cmpxchg16b":
        return 16
    # The register %cl of a shift says how far, and not how wide.
    is_shift = operands[:1] == ["%cl"] and name.startswith(("sh", "sa", "ro", "rc"))
    for operand in operands[:0:-1] if is_shift else operands[::-1]:
        register = operand.lstrip("%")
        if operand.startswith("%") and "(" not in operand:
            if register.startswith("xmm"):
                return _size_of_vector(name)
            if register.startswith("e") or register.endswith("d"):
                return 4
            if register.startswith("r") and not register.endswith(("w", "b")):
                return 8
            return 1 if register.endswith(("l", "h", "b")) else 2
    if name.startswith(("movs", "movz")) and len(name) == 6:
        return {"b": 1, "w": 2, "l": 4}.get(name[4], 8)
    if name.startswith("set"):
        return 1
    return {"b": 1, "w": 2, "l": 4, "t": 16}.get(name[-1], 8)  # t: 10 bytes


def _size_in_memory(name: str, operands: list[str]) -> int:
    """Of the operand that lies in memory, where that differs from its register, too."""
    if one := re.match(r"mov[sz]([bwl])[wlq]$", name):
        return {"b": 1, "w": 2, "l": 4}[one[1]]
    if name.startswith("cvt"):
        return _size_of_vector(name)
    if one := re.match(r"f(i?)\w*?(s|ll?|q|t)$", name):
        return ({"s": 2, "l": 4} if one[1] else {"s": 4, "t": 16}).get(one[2], 8)
    return _size(name, operands)


def _size_of_vector(name: str) -> int:
    """Of an operand in memory, beside one of the registers %xmm."""
    if one := re.match(r"cvtt?(s[sd])2|cvtsi2s[sd]([lq]?)$|\w*(s[sd])$", name):
        return 8 if "sd" in (one[1], one[3]) or one[2] == "q" else 4
    return 4 if name == "movd" else 8 if re.match("movq$|mov[lh]p[sd]$|cvt(?:ps|dq)2pd$", name) \
        else 16
