"""What scripts/grade refuses: a short list of what no answer needs, and what a submission could use
to reach the grader. exercises/TEACHERS.md has the list for people.

Two looks. The first is at the text, before it is compiled: words, directives, headers, attributes.
The second is at the object file, before it is linked, where no macro and no spelling hides a thing:
which functions it calls, that it calls none through a pointer, and that nothing of it runs before
main. Then all its symbols but the functions that the check calls become local, so that none of them
can take the place of one of the check's.
"""
from __future__ import annotations

import os
import re
import signal

from course import processes, stack, tokens, unseen
from course.messages import Stop, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADERS = frozenset(
    "algorithm array bit cassert cfloat climits cmath cstddef cstdint cstdio cstdlib cstring "
    "functional initializer_list iterator limits numeric tuple type_traits utility vector "
    "assert.h float.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h "
    "cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h device_functions.h "
    "math_constants.h cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h "
    "cuda/atomic cuda/std/atomic cuda/barrier cuda/cmath cuda/std/algorithm cuda/std/array "
    "cuda/std/bit cuda/std/cmath cuda/std/cstddef cuda/std/cstdint cuda/std/limits "
    "cuda/std/utility cuda/std/type_traits".split())
DIRECTIVES = frozenset("include define undef if ifdef ifndef elif else endif error pragma".split())
CONDITIONS = frozenset("if ifdef ifndef elif".split())
# By other macros of headers a file could know the CPU device.
MAY_BE_ASKED = frozenset(
    "defined __CUDA_ARCH__ __CUDACC__ __NVCC__ __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ "
    "__INTELLISENSE__ __cplusplus CUDART_VERSION DEBUG NDEBUG and or not true false".split())
PRAGMAS = frozenset(("once", "unroll", "nounroll"))
ATTRIBUTES = frozenset("maybe_unused nodiscard fallthrough likely unlikely deprecated".split())
# Names that no header or compiler shall be reached by. `gnu` begins an attribute of the compiler.
WORDS = frozenset("asm gnu typeid thread_local goto main exercises "
                  "add_volatile add_volatile_t add_cv add_cv_t".split())  # hide the word volatile
# Namespaces, functions and macros of the CPU device's headers.
OF_THE_DEVICE = re.compile(r"cpu_device|CPU_DEVICE")
# Of the names that begin with two underscores, or with one and a capital, those of CUDA; among the
# others there are macros of headers that hide an attribute.
RESERVED = re.compile(r"_[A-Z]|\w*__")
OF_CUDA = re.compile(
    r"__(?:global|device|host|shared|constant|restrict|forceinline|noinline|"
    r"launch_bounds|grid_constant|align)__|__restrict|__inline__|__CUDA_ARCH__|__CUDACC__|"
    r"__NVCC__|__CUDACC_VER_M(?:AJ|IN)OR__|"
    r"__INTELLISENSE__|__cplusplus|"
    r"__func__|__FUNCTION__|__LINE__|__builtin_expect|__VA_ARGS__|__syncthreads(?:_count|_and|_or)?|__syncwarp|"
    r"__threadfence(?:_block|_system)?|__(?:shfl|match|reduce)_\w+_sync|__shfl_sync|"
    r"__(?:ballot|any|all)_sync|__activemask|__nanosleep|__trap|__assert|"
    r"__is(?:Global|Shared|Local)|"
    r"__(?:popc|ffs|clz|brev)(?:ll)?|__fns|__byte_perm|__funnelshift_\w+|__u?sad|__u?hadd|"
    r"__u?rhadd|__u?mul(?:24|hi|64hi)|__v[a-z]+[24]|__dp[24]a(?:_lo|_hi)?|__vi[a-z]\w*|"
    r"__ldg|__ld(?:cg|ca|cs|lu|cv)|__st(?:wb|cg|cs|wt)|__pipeline_"
    r"\w+|__(?:float|int|uint|double|longlong|ull|ll|hiloint|half|short|ushort)2?\w*_as_\w+|"
    r"__(?:float|int|uint|double|longlong|ull|ll|hiloint)2\w+|"
    r"__[fd](?:add|sub|mul|div|ma|rcp|sqrt)_r[nzud]|__fmaf_r[nzud]|__frsqrt_rn|__fdividef|"
    r"__saturatef|__(?:exp|exp10|log|"
    r"log2|log10|sin|cos|tan|sincos|pow)f|"
    r"____")  # the hole of an exercise
# These are functions. Of one that is not called something could hang on its type, which is another
# one for the CPU device.
CUDA_FUNCTION = re.compile(r"__(?:sync|threadfence|nanosleep|activemask|trap|is(?:Global|Shared|Local)|"
                           r"ld|st|pipeline_)\w*|__\w+_sync")
NAMESPACES = frozenset("std cuda cooperative_groups exercises common cpu_device".split())
# By `using namespace`.
OPENED = frozenset(("std", "cuda", "cooperative_groups", "cuda :: std", "std :: placeholders"))
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
LONGEST_LINE, MOST_LINES = 2000, 3000


class _Refused(Exception):
    pass


def why_refused(content: bytes) -> str:
    """Why a file is refused before it is compiled, in one sentence that names the line; "" if it is
    not."""
    try:
        _Text(content).look()
        return ""
    except _Refused as refused:
        return str(refused)


def _refuse(line: int, key: str, what: str) -> None:
    raise _Refused(text("refused " + key, line=line, what=what[:60]))


class _Text:
    """The tokens of a file, as the compiler has them: lines that end with a backslash are joined,
    though only in a #define may they be."""

    def __init__(self, content: bytes) -> None:
        self.macros: set[str] = set()
        self.may_be_asked = set(MAY_BE_ASKED)
        self.conditions = 0  # that are open
        self.default: tuple[str, int] = ("", 0)  # a name that #ifndef has asked for, and its line
        self.default_follows: list[list[str]] = []  # how the directives after it must begin
        self.touching: list[bool] = []  # of this line's tokens, whether each touches the one before
        try:
            self.text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            _refuse(content[:error.start].count(b"\n") + 1, "text",
                    "bytes that are no UTF-8; an editor can save it so")
        if self.text.startswith("\ufeff"):
            self.text = self.text[1:]
        alone = re.search(r"\r(?!\n)", self.text)  # for g++ it ends a line, and a // comment
        if alone:
            _refuse(self.text.count("\n", 0, alone.start()) + 1, "text",
                    "a carriage return (CR) that no line feed (LF) follows")
        control = CONTROL.search(self.text)  # for g++ a NUL is a space, also at the end of a line
        if control:
            _refuse(self.text.count("\n", 0, control.start()) + 1, "text",
                    what=f"a control character (0x{ord(control[0]):02x})")

    def look(self) -> None:
        lines = self.text.split("\n")
        if len(lines) > MOST_LINES:
            _refuse(MOST_LINES, "text", f"more than {MOST_LINES} lines")
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                _refuse(number, "text", f"more than {LONGEST_LINE} characters in it")
        others: list[tuple[str, int]] = []
        directive: list[tuple[str, int]] = []
        is_directive = False
        begins = True
        for kind, token, number, touches in self._tokens():
            if kind == "line":
                self._look_at(directive)
                directive, is_directive, begins = [], False, True
                self.touching = []
                continue
            self.touching.append(touches)
            is_directive = is_directive or (begins and token == "#")
            begins = False
            (directive if is_directive else others).append((token, number))
            self._end_default(self.default_follows and not is_directive)
        self._look_at(directive)
        self._end_default(self.default_follows)
        self._look_at(others)

    def _tokens(self) -> Iterator[tuple[str, str, int, bool]]:
        """(kind, text, line, whether it touches the one before), without comments and spaces. A
        "line" ends a line."""
        in_directive = at_begin = True
        touches = False
        for kind, token, line, splices in tokens.tokens(self.text):
            if at_begin and kind not in ("space", "comment", "line"):
                in_directive = token == "#"
                at_begin = False
            for splice in splices:
                is_inside = kind in ("word", "comment", "sign", "number") and splice > 0
                if is_inside or (kind != "space" and not (in_directive and not at_begin)):
                    _refuse(line - (splice == 0), "splice", token)
            if kind in ("word", "sign", "number", "raw", "char", "open"):
                self._look_at_spelling(kind, token, line)
            if kind not in ("space", "comment"):
                yield kind, token, line, touches
            touches = kind not in ("space", "comment")
            if kind == "line":
                in_directive, at_begin = False, True

    @staticmethod
    def _look_at_spelling(kind: str, token: str, line: int) -> None:
        if kind == "raw":
            _refuse(line, "raw text", token)
        # g++ takes a quotation mark to the end of the line, and no comment begins there.
        if kind == "open" or (kind == "char" and token.endswith("''") and "\\" not in token):
            _refuse(line, "quote", token)
        if kind == "sign":
            if token in ("<%", "%>", "%:", "<:", ":>"):
                _refuse(line, "spelling", token)
            if token == "##":
                _refuse(line, "pasting", token)
            if token in "\\@`" or ord(token[0]) < 32 or ord(token[0]) > 126:
                _refuse(line, "spelling", token if token.isascii() else ascii(token)[1:-1])
        if kind == "word":
            if "$" in token:
                _refuse(line, "spelling", token)
            if token in WORDS or OF_THE_DEVICE.match(token) or (
                    RESERVED.match(token) and not OF_CUDA.fullmatch(token)):
                _refuse(line, "word", token)

    def _look_at(self, found: Sequence[tuple[str, int]]) -> None:
        """A directive, or all tokens of the file that belong to none."""
        words = [token for token, _ in found]
        if words[:1] == ["#"]:
            self._look_at_directive(words, found[0][1])
        is_open: list[str] = []
        parameters = self._parameters(found)
        for at, (word, line) in enumerate(found):
            following = words[at + 1] if at + 1 < len(words) else ""
            if word == "#" and at > 0 and following not in parameters:
                # At the beginning of a line, what a macro makes of it could name another file.
                _refuse(line, "directive", " ".join(words[at:at + 3]))
            if word in ("(", "[", "[["):
                is_open += word
            elif word in (")", "]") and is_open and is_open.pop() != {")": "(", "]": "["}[word]:
                # As an argument of a macro, a bracket alone could begin an attribute.
                _refuse(line, "attribute", " ".join(words[max(0, at - 2):at + 1]))
            if (word == "[[" and not self._is_attribute(words[at + 1:at + 20])) or \
                    (word == "[" and following == "["):
                _refuse(line, "attribute", " ".join(words[at:at + 3]))
            if word == "extern" and following != "__shared__":
                _refuse(line, "extern", " ".join(words[at:at + 3]))
            if word == "namespace":
                self._look_at_namespace(words, at, line)
            if CUDA_FUNCTION.fullmatch(word) and following != "(":
                _refuse(line, "word", f"{word} without a call")
            if word == "common" and following == "::":
                _refuse(line, "word", "common::")

    def _parameters(self, found: Sequence[tuple[str, int]]) -> set[str]:
        """Of a #define whose macro has some: the parenthesis touches the name."""
        words = [token for token, _ in found]
        if words[:2] != ["#", "define"] or ")" not in words or words[3:4] != ["("] or \
                not self.touching[3]:
            return set()
        names = words[4:words.index(")")]
        return {name for name in [*names, "__VA_ARGS__" if "." in names else ""]
                if re.match(r"[A-Za-z_]", name)}

    def _look_at_namespace(self, words: Sequence[str], at: int, line: int) -> None:
        """Between the word and the name there is nothing, and the name is no macro."""
        if words[0] == "#":
            _refuse(line, "directive", f"#{words[1]} with the word namespace")
        name, after = [*words[at + 1:at + 3], "", ""][:2]
        opened = words[at + 1:at + 5]
        opened = opened[:opened.index(";")] if ";" in opened else []
        if words[at - 1:at] == ["using"] and " ".join(opened) in OPENED and \
                not self.macros.intersection(opened):
            return
        if name in NAMESPACES:
            _refuse(line, "namespace", name)
        if name != "{" and (after not in ("{", "=", "::", ";") or name in self.macros or
                            not re.fullmatch(r"(?!_)\w+", name)):
            _refuse(line, "namespace", f"{name} {after}")

    @staticmethod
    def _is_attribute(words: Sequence[str]) -> bool:
        end = words.index("]") if "]" in words else len(words)
        inside = [word for word in words[:end] if word != ","]
        return bool(inside) and all(word in ATTRIBUTES or word.startswith('"') or word in "()"
                                    for word in inside)

    def _end_default(self, is_broken: object) -> None:
        if is_broken:
            _refuse(self.default[1], "directive", f"#ifndef with the name {self.default[0]}")

    def _look_at_names(self, words: Sequence[str], line: int) -> None:
        """A name that is asked for is one that the file has defined before, in any case. But a file
        may have a default: #ifndef NAME, #define NAME and #endif, with nothing between."""
        what = words[1]
        if self.default_follows:
            follows = self.default_follows.pop(0)
            self._end_default(words[1:1 + len(follows)] != follows)
            if what == "define":
                self.may_be_asked.add(words[2])
        elif what == "define" and self.conditions == 0:
            self.may_be_asked.update(words[2:3])
        if what in CONDITIONS:
            for name in words[2:]:
                if re.match(r"[A-Za-z_]", name) and name not in self.may_be_asked:
                    if what != "ifndef":
                        _refuse(line, "directive", f"#{what} with the name {name}")
                    self.default = (name, line)
                    self.default_follows = [["define", name], ["endif"]]
        self.conditions += what.startswith("if")
        self.conditions -= what == "endif"

    def _look_at_directive(self, words: Sequence[str], line: int) -> None:
        what = words[1] if len(words) > 1 else ""
        if not what:
            return
        if what not in DIRECTIVES:
            _refuse(line, "directive", "#" + what)
        if what == "pragma" and (len(words) < 3 or words[2] not in PRAGMAS):
            _refuse(line, "directive", " ".join(["#pragma", *words[2:4]]))
        if what in ("define", "undef") and len(words) > 2 and \
                (words[2].startswith("__") or re.match("_[A-Z]", words[2]) or
                 words[2] in ("extern", "namespace")):
            _refuse(line, "directive", f"#{what} {words[2]}")
        self._look_at_names(words, line)
        if what == "define" and not _is_balanced(words[3:]):
            _refuse(line, "directive",
                    f"#define {words[2][:20]}, with one parenthesis of two")
        if what == "define":
            self.macros.add("".join(words[2:3]))
        if what == "include" and self.macros:  # a header would be compiled with other words in it
            _refuse(line, "directive", "#include after a #define")
        if what == "include":
            name = "".join(words[2:])
            if not re.fullmatch(r"<[^>]*>|\"[^\"]*\"", name) or name[1:-1] not in HEADERS:
                _refuse(line, "header", name)


def _is_balanced(words: Sequence[str]) -> bool:
    """Else a macro could end an attribute of CUDA's, as __align__ has, and begin another one."""
    is_open = []
    for word in words:
        if word in ("(", "[", "[["):
            is_open += [")"] if word == "(" else ["]"] * len(word)
        elif word in (")", "]") and (not is_open or is_open.pop() != word):
            return False
    return not is_open


# --- the object file ------------------------------------------------------------------------------

# What the headers call of the CPU device, and which of their functions do, as the object has them.
# In its namespaces no answer has a function, and the others are told by a parameter, the place of
# the call.
_ATOMICS = r"_ZN10cpu_device\d+atomic_(?:load|update_as|compare_swap)I"
_LIBRARY = r"_ZNK?(?:10cpu_device|4cuda|18cooperative_groups)"
_WITH_PLACE = r"_Z\d+__{}\w*N10cpu_device5types5PlaceE$"
CALLERS = {name: re.compile(callers) for name, callers in {
    "before_atomic_function": r"_Z\d+atomic(?:[A-Z][a-z]+|CAS)(?:_block|_system)?(?:I|P)",
    "before_atomic": _ATOMICS, "take_store": _ATOMICS, "before_store": _ATOMICS,
    "after_atomic": _ATOMICS, "before_compare_swap": _ATOMICS,
    "fails_for_no_reason": r"_ZNK4cuda17cpu_device_detail10OperationsI",
    "hinted_access": _WITH_PLACE.format("(?:ld|st)"),
    "launch": r"_ZNK10cpu_device5types6LaunchI",
    "launched_with": r"_ZN10cpu_device7look_atI",
    "in_kernel": "",  # anyone may: it is what __CUDA_ARCH__ decides
    "in_cooperative_launch": "",
    "launched_with_object": r"_ZN10cpu_device7look_atI",
    "shared_storage": r"_ZN10cpu_device6sharedI",
    "dynamic_shared_storage": r"_ZN10cpu_device\d+dynamic_shared(?:_of_file)?I|_Z10__isSharedPKv$",
    "is_on_stack": r"_Z9__isLocalPKv$",
    "block_barrier": _WITH_PLACE.format("syncthreads"),
    "warp_function": r"_ZN10cpu_device13warp_functionE",
    "memory_fence": r"_Z\d+__threadfence(?:_block|_system)?v$|_ZN4cuda",
    "give_way": _WITH_PLACE.format("nanosleep"),
    "active_mask": _WITH_PLACE.format("activemask"),
    "elements_are": r"_Z10cudaMallocI",
    "exceeds_launch_bounds": "",
    "trap": _WITH_PLACE.format("trap"),
    "check_tiles": _LIBRARY, "misuse": _LIBRARY, "changed_nothing": _LIBRARY,
    "meet_in_object": _LIBRARY, "copies_arrive": _LIBRARY, "phase_has_ended": _LIBRARY,
}.items()}
OF_THE_RUNTIME = re.compile(r"_ZN10cpu_device\d+(" + "|".join(CALLERS) + r")E")
# The variables of a header, which each file has that calls sync() of a group.
OF_A_GRID = re.compile(r"_ZN18cooperative_groups7details(?:13grid_arrivals|11grid_rounds)E$")
# Functions in the namespaces of the libraries. Those are the headers' alone.
OF_A_LIBRARY = re.compile(r"_Z(?:N[rVKRO]*)?(?:S[tabsiod]|\d+_*std|4cuda|18cooperative_groups|"
                          r"10cpu_device)")
# What `readelf -wi` prints; newer ones tell the form before a value, as in (data1) 8.
ENTRY = re.compile(r" *<\w+><(\w+)>: ")
ATTRIBUTE = re.compile(r" *<\w+> +DW_AT_(name|linkage_name|decl_file|specification|abstract_origin|"
                       r"low_pc|artificial) *: (?:\(.*?\):? )*<?(?:0x)?([^\t>]*)")
# The check calls these, and nothing else of an answer.
CALLED = re.compile(r"_Z\d+launch_\w+$|_Z6answerv$")
# What an answer may call that it does not have itself: of the CPU device what its headers call, ...
FUNCTIONS = re.compile("|".join((
    r"_Z(?:18cudaGetErrorString9cudaError|16cudaGetErrorName9cudaError)",
    *(rf"_ZN10cpu_device\d+{name}E.*" for name in CALLERS),
    # ... of race mode what the compiler puts before loads and stores, ...
    r"__tsan_(?:init|func_entry|func_exit|(?:unaligned_)?(?:volatile_)?(?:read|write)\d+|"
    r"(?:read|write)_range|vptr_update|vptr_read)",
    r"__ubsan_handle_(?:type_mismatch_v1|out_of_bounds|shift_out_of_bounds|"
    r"float_cast_overflow)",
    r"cpu_device_mem(?:move|set)",
    r"threadIdx|blockIdx|blockDim|gridDim",
    # ... and what reaches nothing.
    r"_Unwind_Resume|__gxx_personality_v0|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__dso_handle",
    r"__assert_fail|putchar|_ZSt9terminatev|__cxa_begin_catch",
    # No frexp and no modf, which store through a pointer.
    r"abs|labs|llabs|__popcountdi2",
    r"(?:fabs|fmin|fmax|fmod|fdim|fma|sqrt|cbrt|ceil|floor|round|trunc|rint|nearbyint|l?lround|"
    r"log|log2|log10|log1p|exp|exp2|expm1|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|"
    r"hypot|ldexp|scalbn|ilogb|logb|copysign|nextafter|erf|erfc)[fl]?",
)))
# ... and these by other names, where they look at the addresses that they are given, and at who
# calls them: no kernel may.
CONFINED = {"_Z8cudaFreePv": "confined_cudaFree",
            "_Z16cudaGetLastErrorv": "confined_cudaGetLastError",
            "_Z19cudaPeekAtLastErrorv": "confined_cudaPeekAtLastError",
            "_Z21cudaDeviceSynchronizev": "confined_cudaDeviceSynchronize",
            "_Z13cudaSetDevicei": "confined_cudaSetDevice",
            "_Z26cudaDeviceEnablePeerAccessij": "confined_cudaDeviceEnablePeerAccess",
            "_Z10cudaMallocPPvm": "confined_cudaMalloc",
            "_Z10cudaMemsetPvim": "confined_cudaMemset",
            "_Z15cudaMemsetAsyncPvimP11CUstream_st": "confined_cudaMemsetAsync",
            "_Z13cudaGetDevicePi": "confined_cudaGetDevice",
            "_Z18cudaGetDeviceCountPi": "confined_cudaGetDeviceCount",
            "_Z23cudaDeviceCanAccessPeerPiii": "confined_cudaDeviceCanAccessPeer",
            "_Z23cudaGetDevicePropertiesP14cudaDevicePropi": "confined_cudaGetDeviceProperties",
            "_Z22cudaDeviceGetAttributePi14cudaDeviceAttri": "confined_cudaDeviceGetAttribute",
            "_ZN10cpu_device9occupancyEPiim": "confined_occupancy",
            "_ZN10cpu_device19dynamic_shared_leftEPmii": "confined_dynamic_shared_left",
            "_ZN10cpu_device5printEPKcS1_z": "confined_print",
            "printf": "confined_printf", "puts": "confined_puts",
            # The compiler calls these for large variables and copies of large classes.
            "memset": "cpu_device_memset", "memcpy": "cpu_device_memmove"}
# For tasks in which the answer is a list, std::vector.
FUNCTIONS_OF_A_LIST = re.compile(r"_ZN10cpu_device(?:nwEm|dlEPvm?)|_Znwm|_ZdlPvm?|"
                                 r"_ZSt\d+__throw_\w+|__tsan_atomic8_load|mem(?:cpy|move|set|cmp)|"
                                 r"__cxa_(?:begin_catch|end_catch|rethrow|atexit|"
                                 r"guard_acquire|guard_release|guard_abort)")
# Accesses to volatile memory: a name may be that of a volatile type, as pthread_spinlock_t is.
VOLATILE = re.compile(r"__tsan_(?:unaligned_)?volatile_")
# stack.OPTIONS make no jump to an address in a register.
OWN_VARIABLE = re.compile(r"_ZN(\d+[A-Za-z_]\w*)+E")  # of a class or namespace, and not of std
CALL_BY_POINTER = re.compile(
    r"^\s+[0-9a-f]+:\s+(?:(?:notrack |bnd )*(?:call|jmp)q?\s+\*|blr\s)", re.M)
SECTION = re.compile(r"^\s*\[\s*\d+\] (\.\S+)\s+([A-Z_]+)\s+\S+\s+\S+\s+([0-9a-f]+)", re.M)
# What `objdump -h` prints: a name, a size, and the flags. `readelf -S` of binutils 2.42 cuts a name
# after 255 characters.
HEADING = re.compile(r"^ *\d+ (\S+) +([0-9a-f]+)(?: +[0-9a-f]+){3} +2\*\*\d+\n +(\S.*)$", re.M)
EARLY_OR_LATE = (".preinit_array", ".init", ".ctors", ".fini", ".dtors")
# Of the tools that look at an object.
TOOL_SECONDS, TOOL_MEMORY = 20, 4_000_000  # of a processor, and KiB
LONGEST_NAME = 20_000  # a line that c++filt reads whole
MACHINE_FAULTS = re.compile("No space left|Disk quota|Input/output error|Read-only file system|"
                            "Too many open files|[Cc]annot fork|Permission denied")


def isolate(object_file: str, stack_arguments: int = 0, without_volatile: bool = False) -> str:
    """Looks at the object of an answer. If it is refused, says why; else makes all its symbols
    local but those that the check calls. `stack_arguments`: exercises.stack_arguments();
    `without_volatile`: exercises.is_without_volatile()."""
    try:
        return _isolate(object_file, stack_arguments, without_volatile)
    except _Refused as refused:
        return str(refused)
    except (Stop, OSError, MemoryError):  # the machine's faults are not the file's
        raise
    except Exception as error:  # one file does not end the grading of a class
        return text("refused object", what=f"The grader ({type(error).__name__})")


def _isolate(object_file: str, stack_arguments: int, without_volatile: bool) -> str:
    sections = _tool("readelf", "-SW", object_file)
    for name, kind, size in SECTION.findall(sections):
        # The one that the compiler makes for race mode calls __tsan_init(), which does nothing.
        if (name.startswith(EARLY_OR_LATE) or kind.endswith("_ARRAY")) and \
                (name, int(size, 16)) != (".init_array.00099", 8):
            return text("refused early")
    symbols = [line.split() for line in _tool("nm", "-P", object_file).split("\n") if line]
    defined = {one[0] for one in symbols if one[1] not in ("U", "w", "v")}
    has_list = stack_arguments < 0
    for one in symbols:
        name, kind = one[0], one[1]
        # One of its own would take the place of that which the headers call.
        if kind in "tTwW" and (name in CONFINED or name in CONFINED.values() or
                               (FUNCTIONS.fullmatch(name) and not name.startswith("_Z"))):
            return text("refused replacement", what=_demangled(name)[:80])
        if kind == "i":
            return text("refused call", what=name)
        if kind in ("U", "w", "v") and name not in CONFINED and \
                not FUNCTIONS.fullmatch(name) and \
                not (has_list and FUNCTIONS_OF_A_LIST.fullmatch(name)):
            what = _demangled(name)[:80]
            own_variable = OWN_VARIABLE.fullmatch(name) and not what.startswith("cpu_device::")
            return text("refused undefined" if own_variable else "refused call", what=what)
        if without_volatile and VOLATILE.match(name):
            return text("refused volatile")
    code = _tool("objdump", "-dr", "--no-show-raw-insn", object_file)
    if CALL_BY_POINTER.search(code):
        return text("refused pointer")
    if "elf64-x86-64" in code:
        what = unseen.foreign(code)
        if what:
            return text("refused instruction", what=what)
        places = _Places(object_file, symbols)
        for name in sorted(one[0] for one in symbols if one[1] in "tTwWu"):
            if OF_A_LIBRARY.match(name) and name in defined and not OF_A_GRID.match(name) and \
                    places.stands_in(name) == "the answer":
                return text("refused function", what=_demangled(name)[:80])
        for name, instructions in unseen.functions(code):
            if stack.moves_too_far(instructions):
                return text("refused stack", what=_demangled(name)[:80])
            if not stack.keeps_values_of_caller(instructions):
                return text("refused registers", what=_demangled(name)[:80])
        what = _call_of_another(code, defined, places)
        if what:
            return text("refused call", what=_demangled(what)[:80])
    if stack_arguments >= 0 and "elf64-x86-64" in code:  # where answers are confined
        sizes = {name: int(size, 16)
                 for name, size, _ in HEADING.findall(_tool("objdump", "-h", object_file))}
        found = unseen.unseen(code, sizes, stack_arguments, _Demangled(defined).name)
        if found:
            return text("refused unseen", what=_demangled(found[0])[:80])
    kept = [name for name in sorted(defined) if CALLED.match(name)]
    whole = object_file + ".whole"
    _tool("ld", "-r", "--force-group-allocation", "-o", whole, object_file)
    _tool("objcopy", *(f"--keep-global-symbol={name}" for name in kept or ["none"]),
          *(f"--redefine-sym={name}={other}" for name, other in CONFINED.items()),
          *_renamed_sections(_tool("objdump", "-h", whole)), whole)
    for name, _, flags in HEADING.findall(_tool("objdump", "-h", whole)):
        if "CODE" in flags and name != "answer_code":  # it would not be confined
            return text("refused object", what="objcopy")
    os.replace(whole, object_file)
    return ""


class _Places:
    """In which file each function stands, as the compiler tells debuggers: no macro and no
    namespace that an answer opens changes that."""

    def __init__(self, object_file: str, symbols: Sequence[Sequence[str]]) -> None:
        table = _tool("readelf", "-wl", object_file).partition("File Name Table")[2]
        self.files = {int(number): name for number, name in re.findall(
            r"^ +(\d+)\t.*?([^\s/]+)$", table.partition("\n\n")[0], re.M)}
        self.addresses = {one[0]: int(one[2], 16) for one in symbols if one[1] == "t"}
        self.entries: dict[str, dict[str, str]] = {}
        entry: dict[str, str] = {}
        for line in _tool("readelf", "-wi", object_file).split("\n"):
            if begins := ENTRY.match(line):
                entry = self.entries[begins[1]] = {}
            elif found := ATTRIBUTE.match(line):
                entry[found[1]] = found[2]
        self.of_name: dict[str, dict[str, str]] = {}
        self.at: dict[int, list[dict[str, str]]] = {}  # those that have no name for the linker
        for entry in self.entries.values():
            if "low_pc" in entry:
                name = self._of(entry, "linkage_name")
                if name:
                    self.of_name[_without_kind(name)] = entry
                else:
                    self.at.setdefault(int(entry["low_pc"], 16), []).append(entry)

    def _of(self, entry: dict[str, str], what: str) -> str:
        for _ in range(4):  # of a member, and of a function that is made several times
            if what in entry:
                return entry[what]
            entry = self.entries.get(entry.get("specification") or
                                     entry.get("abstract_origin") or "", {})
        return ""

    def stands_in(self, name: str) -> str:
        """The file's name without its folder; "the compiler" for what no file has, as the
        destructor of a class without one; "the answer" also where it is not known."""
        entries = [self.of_name[key]] if (key := _without_kind(name)) in self.of_name else [
            entry for entry in self.at.get(self.addresses.get(name, -1), [])
            if _is_named(self._of(entry, "name"), name)]
        files = {"the compiler" if self._of(entry, "artificial") and not number else
                 self.files.get(int(number or -1), ".cu")
                 for entry in entries for number in [self._of(entry, "decl_file")]}
        return files.pop() if len(files) == 1 and not any(
            file.endswith(".cu") for file in files) else "the answer"


def _is_named(name: str, symbol: str) -> bool:
    """Whether the symbol can be that of a function of this name."""
    return name.startswith("operator") or re.sub("[<~].*", "", name.lstrip("~")) in symbol


def _without_kind(name: str) -> str:
    """One name for the several functions that are made of a constructor or a destructor."""
    return re.sub(r"(?<=[CD])[0-5](?=[EI])", "", name)


def _call_of_another(code: str, defined: set[str], places: _Places) -> str:
    """A function of the runtime, so one that the object does not have itself, that is called by
    another function than the headers let; "" if there is none."""
    for name, instructions in unseen.functions(code):
        for one in instructions:
            called = OF_THE_RUNTIME.match(one.symbol)
            callers = CALLERS[called[1]] if called else None
            if callers and callers.pattern and one.symbol not in defined and not (
                    callers.match(name) and
                    places.stands_in(name) not in ("the compiler", "the answer")):
                return one.symbol
    return ""


def _renamed_sections(headings: str) -> list[str]:
    """So that the linker tells check.cpp where an answer's code and variables lie."""
    renamed = []
    for name, _, flags in HEADING.findall(headings):
        if "ALLOC" not in flags or not name.startswith(
                (".text", ".data", ".rodata", ".bss", ".tdata", ".tbss", ".lrodata", ".ldata")):
            continue
        what = "code" if "CODE" in flags else "bss" if "LOAD" not in flags else \
            "constants" if "READONLY" in flags else "data"
        renamed.append(f"--rename-section={name}=answer_{what}")
    return renamed


def _demangled(name: str) -> str:
    """As C++ has it."""
    if len(name) > LONGEST_NAME:
        raise _Refused(text("refused object", what="c++filt"))
    return _tool("c++filt", given=name.encode() + b"\n").strip()


class _Demangled:
    """Names as C++ has them: c++filt is asked once for all."""

    def __init__(self, names: set[str]) -> None:
        self.names = sorted(name for name in names if len(name) <= LONGEST_NAME)
        self.known: dict[str, str] = {}

    def name(self, name: str) -> str:
        if not self.known:
            said = _tool("c++filt", given="".join(one + "\n" for one in self.names).encode())
            self.known = dict(zip(self.names, said.split("\n")))
        return self.known[name] if name in self.known else _demangled(name)


def _tool(*command: str, given: bytes = b"") -> str:
    done = processes.run_one(processes.limited(command, TOOL_MEMORY, TOOL_SECONDS), given=given,
                             environment={**os.environ, "LC_ALL": "C"}, one_stream=False,
                             seconds=processes.BY_THE_CLOCK * TOOL_SECONDS)
    if done.status == 0 and not done.timed_out and not done.endless:
        return done.out.decode(errors="replace")
    why = done.err.decode(errors="replace").strip()
    by_us = done.timed_out or done.endless
    if MACHINE_FAULTS.search(why) or (done.status == -signal.SIGKILL and not by_us):
        raise Stop(1, f"{command[0]}: {why}")
    raise _Refused(text("refused object", what=command[0]))
