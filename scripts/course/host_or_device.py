"""Names the lines of a .cu file in which a kernel, or another function of the device, uses what
only the host has. nvcc refuses that; g++, which compiles for the CPU device, cannot know it.

A reader of tokens looks at functions, lambdas, members and variables of the same file, and at a
list of words of the standard library. It knows no C++: where it is not clear what is meant, it says
nothing, since a false alarm would be worse than a miss. Where clang is installed, it adds what it
takes a compiler to know, overloads and functions of headers. It cannot stand alone: to clang a
constexpr function such as std::max, and a lambda at namespace scope, are the device's as well.
"""
from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import tempfile

from course import processes, tokens
from course.messages import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "device_side.h")
MOST_USES = 3  # that are named
DEEPEST = 50  # namespaces and classes inside each other; what is deeper inside is not read
CLANG_SECONDS = 20
HOST_ANYWHERE = ("atomic mutex [a-z]*_lock lock_guard this_thread").split()  # but in the launcher
HOST_OR_DEVICE = ("min", "max", "minmax", "swap")  # clang takes these for the device's, too
HOST_ONLY = (
    "min max minmax clamp swap exchange array vector string pair make_pair tuple make_tuple "
    "optional function plus minus multiplies less greater numeric_limits accumulate sort bit_cast "
    "popcount").split()
# Functions of the C library that CUDA has on the device too, with and without f or l at the end.
_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc "
    "exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp "
    "lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan "
    "nearbyint nextafter pow remainder remquo rint round scalbln scalbn sin sinh "
    "sqrt tan tanh tgamma trunc").split()
DEVICE_TOO = frozenset(_MATH + [name + "f" for name in _MATH] +
                       "abs labs llabs isnan isinf isfinite signbit sincos sincosf exp10 exp10f "
                       "j0 j1 jn y0 y1 yn memcpy memset malloc free __assert_fail".split())
# Members of CUDA's groups and atomics, of which the words do not know whose they are.
MEMBERS_OF_CUDA = frozenset(
    "size sync thread_rank num_threads ballot any all shfl load store exchange arrive wait".split())
NO_DEVICE_KEYWORDS = ("thread_local", "throw", "try")
NO_DECLARATIONS = frozenset("using typedef enum operator friend static_assert".split())
LONGEST_DECLARATION = 60  # tokens: the names of a longer one are not looked for
NO_TYPES = frozenset("return else do case goto throw".split())
TOKEN = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
                   r"""|[A-Za-z_]\w*|::|->|\d[\w.']*|\S""", re.S)


class Use:
    """A line that uses what only the host has. `kind`: a heading of exercises/messages.md."""

    def __init__(self, line: int, what: str, code: str, kind: str = "host function") -> None:
        self.line = line
        self.what = what
        self.code = code.strip()
        self.kind = kind

    def __str__(self) -> str:
        return f"{self.line}: {self.what}: {self.code}"


def uses(path: str, clang: str | None = None, *, wrap: Sequence[str] = (), memory: int = 0,
         folder: str | None = None, gxx: Sequence[str] = (),
         unread: list[str] | None = None, unset: list[str] | None = None) -> list[Use]:
    """The uses in the file, by line; at most three. `clang`: the command; None looks for one, and
    "" does without. clang reads a copy of the file, which is made in `folder` (by default that of
    temporary files). `wrap`: the words before its command; `memory`: KiB of addresses that it may
    use, 0 for no limit. `gxx`: the command that prints the macros of a file, by which clang has the
    lines of an #if that g++ has. `unread` gets what has kept clang from the end of the file, as the
    device has it or as the host has. `unset` gets what clang finds of variables that have no value
    where they are used, as "LINE: NAME"."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read().removeprefix("\ufeff")
    if clang is None:
        clang = shutil.which("clang++") or ""
    look = Look([*wrap], memory, folder)
    on_device = look.as_gxx_sees(text, gxx)
    on_host = look.as_gxx_sees(text, of_host(gxx))
    source = Source(on_device)
    found = [*source.host_names(), *source.host_uses(), *Source(on_host).device_uses()]
    if clang:
        found += [*by_clang(path, on_device, clang, look),
                  *of_host_pass(path, on_host, on_device, clang, look),
                  *device_calls_by_clang(path, on_host, clang, look)]
    if unread is not None:
        unread += look.unread
    if unset is not None:
        unset += look.unset
    first: dict[int, Use] = {}
    for use in sorted(found, key=lambda use: use.line):
        first.setdefault(use.line, use)
    return list(first.values())[:MOST_USES]


def passes(path: str, gxx: Sequence[str], *, wrap: Sequence[str] = (),
           folder: str | None = None) -> list[str]:
    """The file without directives of #if and what they hide, as the pass for the device has it,
    and, if it differs, as the pass for the host has it. The arguments are those of uses()."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read().removeprefix("\ufeff")
    look = Look([*wrap], 0, folder)
    on_device = look.as_gxx_sees(text, gxx)
    on_host = look.as_gxx_sees(text, of_host(gxx))
    return [on_device] if on_host == on_device else [on_device, on_host]


def of_host(gxx: Sequence[str]) -> list[str]:
    return [word for word in gxx if not word.startswith("-D__CUDA_ARCH__")]


# --- by clang -------------------------------------------------------------------------------------

# Its diagnostics that say so; all others are g++'s to say, who knows CUDA's headers.
REFUSED = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):\d+: error: reference to __(?:host|global)__ "
    r"(?P<what>function|variable) '(?P<name>[^']*)'")
CANDIDATE = re.compile(r"candidate (?:function|constructor)(?: template)? not viable: call to "
                       r"__host__ function from __(?:device|global)__")
OF_DEVICE = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):\d+: error: reference to __device__ function '(?P<name>[^']*)'")
CANDIDATE_OF_DEVICE = re.compile(r"candidate (?:function|constructor)(?: template)? not viable: "
                                 r"call to __device__ function from __host__ function")
INTRINSIC = re.compile(r"__\w+$|atomic[A-Z]")  # of CUDA's functions those that no host has
# In the file, and not in a header.
DECLARED = re.compile(r": note: (?:'[^']*' declared here|candidate function not viable)")
NO_MATCH = re.compile(r"^(?P<file>.+?):(?P<line>\d+):\d+: error: (?:no matching (?P<what>function|"
                      r"member function|constructor) for (?:call to|initialization of)"
                      r"(?: object of type)?|no viable|invalid operands to)(?: [^']*'"
                      r"(?P<name>[^']*)')?")


# In place of these the names of HEADER are enough. At a header that clang does not find it stops.
CUDA_HEADER = re.compile(
    r"[<\"](?:cu(?!char>)|cooperative_groups|crt/|thrust/|nv|npp|mma\.h|"
    r"(?:device|driver|vector|texture|surface|helper|builtin|library|sm_\d\d)_|channel_descriptor|"
    r"common_functions|host_(?:config|defines)|math_(?:constants|functions))")
CONDITIONS = frozenset("if ifdef ifndef elif elifdef elifndef else endif".split())
REGION = "cpu_device_region_"
FATAL = re.compile(r"^.*: fatal error: .*$", re.M)
# What g++ takes, and clang leaves out.
LEFT_OUT = re.compile(r"error: ('auto' not allowed in|invalid application of '(?:size|align)of')")
# Of these alone: where one of the ways through a function leads to the use, and on it the variable
# gets no value. Not where two conditions may be the same.
WARNINGS = ("-Wno-everything", "-Wuninitialized", "-Wsometimes-uninitialized")
NO_VALUE = re.compile(r":(\d+):(\d+): warning: variable '([^']*)' is (?:used )?uninitialized")
NO_VALUE_HERE = re.compile(r":(\d+):(\d+): note: uninitialized use occurs here")
# A shuffle, up to the value that it hands to other threads.
SHUFFLE = r"(?:\b__shfl(?:_up|_down|_xor)?_sync\s*\([^,;]*,|\.\s*shfl(?:_up|_down|_xor)?\s*\()\s*"
# As the CPU device has it, and as many parentheses inside each other as g++ lets there be.
OF_CLANG = ("-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900", "-D__CUDACC__=1", "-fbracket-depth=100000")
# Of the machine, and not of a GPU, where a long double has 8 bytes: g++ compiles for the machine.
if platform.machine() == "x86_64":
    OF_CLANG += ("-Xclang", "-triple", "-Xclang", "x86_64-pc-linux-gnu",
                 "-Xclang", "-target-cpu", "-Xclang", "x86-64")


class Look:
    """How a compiler looks at a copy of the file."""

    def __init__(self, wrap: list[str], memory: int, folder: str | None) -> None:
        self.wrap = wrap
        self.memory = memory
        self.folder = folder
        self.unread: list[str] = []  # why it did not come to the end
        self.unset: list[str] = []  # variables without a value

    def run(self, command: Sequence[str], cwd: str) -> processes.Finished:
        return processes.run_one(
            [*self.wrap, *processes.limited(command, self.memory, CLANG_SECONDS)], cwd=cwd,
            environment={**os.environ, "LC_ALL": "C"},
            seconds=processes.BY_THE_CLOCK * CLANG_SECONDS, most_printed=1 << 20)

    def copy_of(self, text: str):
        copy = tempfile.NamedTemporaryFile("w", suffix=".cu", encoding="utf-8", dir=self.folder)
        copy.write(text)
        copy.flush()
        os.fchmod(copy.fileno(), 0o644)  # the user of a sandbox may be another one
        return copy

    def as_gxx_sees(self, text: str, gxx: Sequence[str]) -> str:
        """Without the lines that an #if hides from g++, and without these directives: the headers
        of the CPU device, which clang does not read, have macros. The lines keep their numbers."""
        lines = list(logical_lines(text))
        if not gxx or not any(is_condition(line) for line in lines):
            return text
        probe, regions, number = [], 0, 1
        for line in lines:
            number += text_of(line).count("\n")
            is_directive = directive_of(line) in CONDITIONS | {"include", "define", "undef"}
            probe.append(text_of(line) if is_directive else blank(line))
            if is_condition(line):  # the next line keeps its number, for which __LINE__ may ask
                regions += 1
                probe.append(f"\n#define {REGION}{regions}\n#line {number}\n")
        with self.copy_of("".join(probe)) as copy:
            done = self.run([*gxx, copy.name], os.path.dirname(copy.name))
        if done.status != 0:
            self.unread.append("#if")
            return text
        active = {int(number) for number in re.findall(
            rf"^#define {REGION}(\d+)", done.out.decode(errors="replace"), re.M)}
        kept, region = [], 0
        for line in lines:
            region += is_condition(line)
            is_seen = not is_condition(line) and (region == 0 or region in active)
            kept.append(text_of(line) if is_seen else blank(line))
        return "".join(kept)


def logical_lines(text: str) -> Iterator[list[tuple[str, str, int]]]:
    """The tokens of each line, as (kind, text, joints): a line that ends with a backslash goes on
    in the next one, and so does a comment."""
    line: list[tuple[str, str, int]] = []
    for kind, token, _, splices in tokens.tokens(text):
        line.append((kind, token, len(splices)))
        if kind == "line":
            yield line
            line = []
    yield line


def words_of(line: Sequence[tuple[str, str, int]]) -> list[str]:
    return [token for kind, token, _ in line if kind not in ("space", "comment", "line")]


def directive_of(line: Sequence[tuple[str, str, int]]) -> str:
    words = words_of(line)
    return words[1] if words[:1] in (["#"], ["%:"]) and len(words) > 1 else ""


def is_condition(line: Sequence[tuple[str, str, int]]) -> bool:
    return directive_of(line) in CONDITIONS


def text_of(line: Sequence[tuple[str, str, int]]) -> str:
    """In one line, but for comments; as many empty ones follow as it had joints."""
    return "".join(token for _, token, _ in line) + "\n" * sum(joints for _, _, joints in line)


def blank(line: Sequence[tuple[str, str, int]]) -> str:
    return "\n" * text_of(line).count("\n")


def for_clang(text: str, path: str) -> str:
    """Without CUDA's headers, and with the file's name where it asks for that: clang reads a copy.
    The lines keep their numbers."""
    name = '"' + re.sub(r'["\\]', r"\\\g<0>", path) + '"'
    return "".join(
        blank(line) if directive_of(line) == "include" and CUDA_HEADER.match(
            "".join(words_of(line)[2:])) else text_of(
                [(kind, name if token == "__FILE__" else token, joints)
                 for kind, token, joints in line]) for line in logical_lines(text))


def why_unread(clang: str) -> str:
    """Why clang does not read a header of the standard library, as where the library is of another
    version than the one that it looks for; "" if it does."""
    look = Look([], 0, None)
    by_clang("", "#include <algorithm>\n", clang, look)
    return "".join(look.unread)


def of_host_pass(path: str, on_host: str, on_device: str, clang: str, look: Look) -> list[Use]:
    """Uses, in lines that both passes of nvcc have, of what the pass for the host alone has. Beside
    its own lines such a pass has what a function of both sides does on the host."""
    if on_host == on_device:
        return []
    lines = on_device.split("\n")
    return [use for use in by_clang(path, on_host, clang, look, of_both_sides=False)
            if lines[use.line - 1].strip()]


def run_clang(path: str, text: str, clang: str, look: Look, side: str,
              ) -> tuple[str, processes.Finished]:
    """The name of the copy that clang has read as that side has it, and what it said."""
    beside = os.path.dirname(os.path.abspath(path))
    with look.copy_of(for_clang(text, path)) as copy:
        command = [clang, "-x", "cuda", side, "--cuda-gpu-arch=sm_70",
                   "-nocudainc", "-nocudalib", "-fsyntax-only", "-std=gnu++17", *WARNINGS,
                   "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-spell-checking", *OF_CLANG,
                   "-include", HEADER, "-iquote", beside, copy.name]
        return copy.name, look.run(command, beside)


def device_calls_by_clang(path: str, text: str, clang: str, look: Look) -> list[Use]:
    """Calls by the host of what only a kernel can call: of this file, or one of CUDA's functions
    that have no other side. Where clang does not come to the end, this is not all."""
    copy, done = run_clang(path, text, clang, look, "--cuda-host-only")
    lines = text.split("\n")
    messages = done.out.decode(errors="replace").split("\n")
    found = []
    for number, message in enumerate(messages):
        notes = list(notes_after(messages, number))
        match = OF_DEVICE.match(message)
        if not match and any(CANDIDATE_OF_DEVICE.search(note) for note in notes):
            match = NO_MATCH.match(message)
        line = line_in(copy, match, iter(notes)) if match else 0
        if not match or line == 0:
            continue
        name = (match["name"] or "").removeprefix("const ").rpartition("::")[2]
        if INTRINSIC.match(name) or any(
                note.startswith(copy) and (DECLARED.search(note) or CANDIDATE_OF_DEVICE.search(note))
                for note in notes):
            found.append(Use(line, f"{name}() has no __host__" if name else
                             "a constructor has no __host__", lines[line - 1]))
    return found


def is_only_shuffled(lines: list[str], line: int, column: int, name: str) -> bool:
    """Is the use of this variable there, which may have no value, one that matters to no thread but
    the one that has set it? So it is where all lanes call a shuffle and one lane is read, as in
    `first = __shfl_sync(mask, first, leader)`. The variable must get its value by it, or not be
    named any more in the function."""
    before, here = lines[line - 1][:column - 1], lines[line - 1][column - 1:]
    word = rf"\b{re.escape(name)}\b"
    if not re.match(word, here) or not re.search(SHUFFLE + "$", before):
        return False
    statement = re.split("[;{}]", before)[-1]
    after = [here[len(name):]]
    for later in lines[line:]:
        if later.startswith("}"):
            break
        after.append(later)
    return bool(re.match(rf"\s*{word}\s*=[^=]", statement)) or \
        not re.search(word, "\n".join(after))


def by_clang(path: str, text: str, clang: str, look: Look, *,
             of_both_sides: bool = True) -> list[Use]:
    """What clang refuses. Where it does not come to the end, this is not all. `of_both_sides`: also
    what a function that is __host__ and __device__ uses."""
    copy, done = run_clang(path, text, clang, look, "--cuda-device-only")
    said = done.out.decode(errors="replace")
    if said.startswith(f"error: error reading '{copy}'"):  # in no line of the file
        fail("clang reads nothing", said=said.split("\n")[0])
    stopped = FATAL.search(said)
    if stopped or done.status not in (0, 1) or done.timed_out or done.endless:
        look.unread.append(stopped[0].rpartition("error: ")[2] if stopped else
                           "it takes too long" if done.timed_out or done.endless else
                           f"it ended with {done.status}")
    lines = text.split("\n")
    found = []
    messages = said.split("\n")
    for number, message in enumerate(messages):
        no_value = NO_VALUE.match(message.removeprefix(copy))
        if no_value and message.startswith(copy):
            uses = [use for note in notes_after(messages, number)
                    if (use := NO_VALUE_HERE.match(note.removeprefix(copy)))]
            use = uses[0] if uses else no_value
            if not is_only_shuffled(lines, int(use[1]), int(use[2]), no_value[3]):
                look.unset.append(f"{no_value[1]}: {no_value[3]}")
        match = REFUSED.match(message)
        if match and not of_both_sides and message.endswith("in __host__ __device__ function"):
            continue
        if LEFT_OUT.search(message) and message.startswith(copy):
            look.unread.append(message.rpartition("error: ")[2])
        if not match and " note: " not in message and any(
                CANDIDATE.search(note) for note in notes_after(messages, number)):
            match = NO_MATCH.match(message)
        line = line_in(copy, match, notes_after(messages, number)) if match else 0
        if not match or line == 0:
            continue
        full_name = (match["name"] or "").removeprefix("const ")
        name = re.sub(r"<.*", "", full_name).rpartition("::")[2] or full_name
        if name == "operator()":  # of a lambda: the name that is called
            called = re.search(r"([A-Za-z_]\w*)\s*\(", lines[line - 1])
            name = called[1] if called else name
        if name in DEVICE_TOO and match["what"] != "variable" and not any(
                note.startswith(copy) and DECLARED.search(note)
                for note in notes_after(messages, number)):
            continue
        what = "an operator or a constructor has no __device__" if match["what"] is None else \
            f"{name} is a variable of the host" if match["what"] == "variable" else \
            f"{name}() has no __device__"
        found.append(Use(line, what, lines[line - 1]))
    return found


def line_in(name: str, message: re.Match[str], notes: Iterator[str]) -> int:
    """The line of this file that a message is about, or that has called a function of a header
    which it is about; 0: none."""
    if message["file"] == name:
        return int(message["line"])
    for note in notes:
        if called := re.match(rf"{re.escape(name)}:(\d+):\d+: note: (?:called by|in inst)", note):
            return int(called[1])
    return 0


def notes_after(messages: Sequence[str], number: int) -> Iterator[str]:
    """The notes of the message."""
    for message in messages[number + 1:]:
        if " note: " not in message:
            return
        yield message


# --- by words -------------------------------------------------------------------------------------

class Token:
    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line


class Definition:
    """A function, lambda or variable at namespace scope, a variable of a class, or a member
    function that is defined in its class. `head`: the tokens of its declaration; `body`: what
    stands in its braces."""

    def __init__(self, name: str, what: str, head: Sequence[Token], body: Sequence[Token],
                 has_body: bool) -> None:
        self.name = name
        self.what = what  # function, member, variable, static variable (of a class) or field
        self.head = [token.text for token in head]
        self.line = head[-1].line  # of the end of the declaration
        self.body = body
        self.has_body = has_body  # or is only declared

    @property
    def on_device(self) -> bool:
        # A macro of a header, in capitals, may stand for __device__, before the parameters.
        before = self.head[:self.head.index("(")] if "(" in self.head else self.head
        return any(word in ("__device__", "__global__") for word in self.head) or any(
            re.fullmatch(r"[A-Z][A-Z_]+[A-Z]", word) for word in before)

    @property
    def is_fixed(self) -> bool:
        """A constant, or what clearly belongs to the device."""
        return any(word in ("const", "constexpr", "constinit", "__device__", "__constant__",
                            "__shared__", "__managed__", "extern", "using", "typedef", "friend",
                            "static_assert") for word in self.head)


class Source:
    """A file as tokens, and what it defines."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        # A #define of __device__ by another name: then nothing is clear.
        self.is_unclear = bool(re.search(r"^\s*#\s*define\b.*__(device|host|global)__", text, re.M))
        without = "".join(blank(line) if directive_of(line) else text_of(line)
                          for line in logical_lines(text))
        self.tokens = []
        line, at = 1, 0
        for match in TOKEN.finditer(without):
            line, at = line + without.count("\n", at, match.start()), match.start()
            if not match[0].startswith(("//", "/*", '"', "'")):
                self.tokens.append(Token(match[0], line))
        words = [token.text for token in self.tokens]
        # The library's names: std, and names that the file has for it.
        self.standard = {"std"} | {
            words[at + 1] for at, word in enumerate(words)
            if word == "namespace" and [one for one in words[at + 2:at + 6] if one != "::"][:3] == [
                "=", "std", ";"]}
        self.definitions: list[Definition] = []
        self.ends = self._ends()
        self._read(0, len(self.tokens), in_class=False, depth=0)

    def _ends(self) -> dict[int, int]:
        """For the place of each {, the place after the } that closes it."""
        ends: dict[int, int] = {}
        is_open: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.text == "{":
                is_open.append(place)
            elif token.text == "}" and is_open:
                ends[is_open.pop()] = place + 1
        return {**ends, **dict.fromkeys(is_open, len(self.tokens))}

    def _read(self, at: int, end: int, in_class: bool, depth: int) -> None:
        """Declarations from `at` to `end`, in a namespace or in a class."""
        if depth > DEEPEST:
            return
        begin = looked_at = at
        words: set[str] = set()  # from `begin` to `looked_at`
        while at < end:
            text = self.tokens[at].text
            if text == ";":
                self._add(begin, at, at, at, in_class)
                begin = at + 1
            elif text == "{":
                after = self.ends[at]
                if looked_at < begin:
                    words, looked_at = set(), begin
                words.update(token.text for token in self.tokens[looked_at:at])
                looked_at = at
                if "namespace" in words or (self.tokens[begin].text == "extern" and
                                            "(" not in words):
                    self._read(at + 1, after - 1, in_class=False, depth=depth + 1)
                    begin = after
                elif {"class", "struct", "union"} & words and not {"(", "="} & words:
                    self._read(at + 1, after - 1, in_class=True, depth=depth + 1)
                else:
                    self._add(begin, at, at + 1, after - 1, in_class)
                    begin = after
                at = after
                continue
            elif in_class and text == ":" and self.tokens[at - 1].text in ("public", "private",
                                                                          "protected"):
                begin = at + 1
            at += 1

    def _add(self, begin: int, head_end: int, body: int, body_end: int, in_class: bool) -> None:
        head = self.tokens[begin:head_end]
        words = [token.text for token in head]
        name = _declared(words)
        if not name:
            return
        is_function = "(" in words and "=" not in words[:words.index("(")]
        is_lambda = "=" in words and "[" in words[words.index("="):] and "auto" in words
        if is_function and in_class:
            what = "member"
        elif is_function or is_lambda:
            what = "function"
        elif in_class:
            what = "static variable" if "static" in words else "field"
        else:
            what = "variable"
        self.definitions.append(
            Definition(name, what, head, self.tokens[body:body_end], body > head_end))

    def _device_bodies(self) -> Iterator[Definition]:
        """Also those that have __device__ in their declaration alone."""
        functions = [one for one in self.definitions if one.what in ("function", "member")]
        with_body = {one.name for one in functions if one.on_device and one.has_body}
        only_declared = {one.name for one in functions if one.on_device} - with_body
        for one in functions:
            if one.on_device or one.name in only_declared:
                yield one

    @functools.cached_property
    def called_on_device(self) -> set[str]:
        return {token.text for one in self._device_bodies()
                for token, after in zip(one.body, one.body[1:]) if after.text == "("}

    def host_names(self) -> Iterator[Use]:
        """Names of the standard library, and words that no kernel may have."""
        for one in self.definitions:
            if one.what not in ("function", "member") or (
                    not one.on_device and one.name.startswith("launch_")):
                continue
            is_of_host = self._is_of_host(one)
            for at, token in enumerate(one.body):
                before = [earlier.text for earlier in one.body[max(0, at - 4):at]]
                if len(before) > 1 and before[-2] in self.standard and before[-1] == "::" and \
                        not (before[-3:-2] == ["::"] and re.match(r"\w", before[0])):
                    if _is_one_of(token.text, HOST_ANYWHERE) or (
                            token.text in HOST_OR_DEVICE and not is_of_host):
                        yield Use(token.line, f"std::{token.text} is for the host",
                                  self.lines[token.line - 1], "host code")
                    elif one.on_device and token.text in HOST_ONLY and not _is_constant(one, at):
                        yield Use(token.line, f"std::{token.text} is for the host",
                                  self.lines[token.line - 1])
                elif re.match(r"__(atomic|sync)_", token.text):
                    yield Use(token.line, f"{token.text} is for the host",
                              self.lines[token.line - 1], "host code")
                elif one.on_device and token.text in NO_DEVICE_KEYWORDS:
                    yield Use(token.line, f"a GPU has no {token.text} in a kernel",
                              self.lines[token.line - 1])

    def _is_of_host(self, one: Definition) -> bool:
        """Whether no kernel can call it: else host_uses() names it, or it is constexpr."""
        return not self.is_unclear and not one.on_device and \
            ("constexpr" not in one.head or one.name not in self.called_on_device) and \
            all(token.text != "__device__" for token in one.body)

    def host_uses(self) -> Iterator[Use]:
        """Functions, members and variables of this file that have no __device__."""
        if self.is_unclear:
            return
        device_names = {one.name for one in self.definitions if one.on_device} | {"min", "max",
                                                                                  "abs"}
        host = {(one.what, one.name) for one in self.definitions
                if not one.on_device and one.name not in device_names and
                not (one.what in ("variable", "static variable") and one.is_fixed)}
        host -= {("static variable", one.name) for one in self.definitions if one.what == "field"}
        constant = {one.name for one in self.definitions if "constexpr" in one.head}
        fields = {one.name for one in self.definitions if one.what == "field"}
        for one in self._device_bodies():
            own = _names_of_its_own(one) | (fields if one.what == "member" else set())
            for at, token in enumerate(one.body):
                name = token.text
                if name in own:
                    continue
                before = one.body[at - 1].text if at else ""
                after = one.body[at + 1].text if at + 1 < len(one.body) else ""
                is_member = before in (".", "->", "::")
                what = ""
                if after == "(" and is_member and ("member", name) in host and \
                        name not in MEMBERS_OF_CUDA:
                    what = f"the member {name}() has no __device__"
                elif after == "(" and not is_member and ("function", name) in host and \
                        name not in constant:
                    what = f"{name}() has no __device__"
                elif after not in ("(", "::") and (
                        ("variable", name) in host if not is_member and one.what == "function" else
                        ("static variable", name) in host if is_member else
                        {("variable", name), ("static variable", name)} & host):
                    what = f"{name} is a variable of the host"
                if what:
                    yield Use(token.line, what, self.lines[token.line - 1])

    def device_uses(self) -> Iterator[Use]:
        """Functions of this file that only a kernel can call, where the host calls them; and
        kernels with references to memory of the host."""
        functions = [one for one in self.definitions if one.what == "function"]
        for one in functions:
            if one.has_body and "__global__" in one.head and \
                    "&" in one.head[one.head.index(one.name):]:
                yield Use(one.line, "a kernel's parameter is a reference",
                          self.lines[one.line - 1], "host pointer")
        of_device = {one.name for one in functions if "__device__" in one.head}
        of_host = {one.name for one in functions
                   if "__device__" not in one.head or {"__host__", "constexpr"} & set(one.head)}
        for one in functions if not self.is_unclear else []:
            if one.on_device or "[" in one.head or any(token.text == "[" for token in one.body):
                continue  # a lambda may be a kernel's
            foreign = of_device - of_host - _names_of_its_own(one)
            for before, token, after in zip([None, *one.body], one.body, one.body[1:]):
                if token.text in foreign and after.text == "(" and not (
                        before and before.text in (".", "->", "::")):
                    yield Use(token.line, f"{token.text}() has no __host__",
                              self.lines[token.line - 1])


def _is_constant(one: Definition, at: int) -> bool:
    """Of a number's type, as in numeric_limits<int>::digits; the others are functions."""
    if one.body[at].text != "numeric_limits":
        return False
    words = [token.text for token in one.body[at:at + LONGEST_DECLARATION]]
    member = words[words.index("::"):][2:3] if "::" in words else []
    return member not in ([], ["("])


def _is_one_of(word: str, patterns: Sequence[str]) -> bool:
    return any(re.fullmatch(pattern, word) for pattern in patterns)


def _declared(words: Sequence[str]) -> str:
    """The name that a declaration declares; "" if it is none that can be used by mistake."""
    if NO_DECLARATIONS & set(words):
        return ""
    if {"class", "struct", "union"} & set(words[-2:-1]):
        return ""  # a type that is defined elsewhere
    while "__launch_bounds__" in words:  # (...) is a part of the declaration's beginning
        rest = words[words.index("__launch_bounds__") + 1:]
        words = rest[rest.index(")") + 1:] if ")" in rest else []
    for stop in ("=", "("):
        if stop in words:
            words = words[:words.index(stop)]
            break
    end = len(words)
    begin = end - 1
    while begin >= 0 and words[end - 1] == "]":
        if words[begin] == "[":
            end = begin
        begin -= 1
    if end < 2 or not re.match(r"[A-Za-z_]", words[end - 1]) or words[end - 2] == "::":
        return ""
    return words[end - 1]


def _names_of_its_own(function: Definition) -> set[str]:
    """Parameters, and variables that the body declares: a name after a type."""
    words = function.head + [token.text for token in function.body]
    own = set()
    for at in range(2, len(words)):
        name, before, following = words[at], words[at - 1], next(iter(words[at + 1:at + 2]), "")
        if not re.match(r"[A-Za-z_]", name) or \
                following not in ("=", ";", ",", ")", "[", "{", ":", "(", ">"):
            continue
        if before in ("*", "&"):  # of a type, not of an address or a product
            type_ = next((words[place] for place in range(at - 1, -1, -1)
                          if words[place] not in ("*", "&")), "")
            declares = type_ == ">" or (bool(re.match(r"[A-Za-z_]", type_)) and type_ not in own)
        else:
            declares = before == ">" or bool(re.match(r"[A-Za-z_]", before))
        if declares and words[at - 2] not in NO_TYPES and \
                before not in NO_TYPES | {"typename", "class"}:
            own.add(name)
            own.update(_further_names(words, at + 1))
    for at, word in enumerate(words):  # auto [first, last] = ...
        if word == "[" and "auto" in words[max(0, at - 3):at]:
            names = words[at + 1:at + LONGEST_DECLARATION]
            own.update(names[:names.index("]")] if "]" in names else ())
    return own


def _further_names(words: Sequence[str], at: int) -> Iterator[str]:
    """What else the same declaration declares: int first = f(1, 2), second = 0;"""
    depth = 0
    end = min(len(words), at + LONGEST_DECLARATION)
    while at < end and depth >= 0 and not (depth == 0 and words[at] == ";"):
        depth += (words[at] in ("(", "[", "{")) - (words[at] in (")", "]", "}"))
        if depth == 0 and words[at] == ",":
            while words[at + 1:at + 2] in (["*"], ["&"]):
                at += 1
            name, following = [*words[at + 1:at + 3], "", ""][:2]
            if re.match(r"[A-Za-z_]", name) and following in ("=", ",", ";", "[", "{", "("):
                yield name
        at += 1
