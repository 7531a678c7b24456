"""Generates mutants of the right kernels: one small break each, of the kinds that people make.

A mutant replaces one line of device code. Rules are regular expressions on a line without its
comment; they know no C++, so now and then a mutant does not compile, and is not counted.
"""
import dataclasses
import re

# Right, hand-written device code. Wrong variants are wrong already, and the CPU device has no
# clusters of blocks.
SOURCES = "[!.]*/**/*.cuh"
LEFT_OUT = re.compile(r"(^|/)wrong_|_cluster\.cuh$|^(tests|basics|cpu_device|build|exercises)/|"
                      r"^harness/(?!plain_read)")

ATOMIC = r"\batomic(Add|Sub|Exch|Min|Max|Inc|Dec|And|Or|Xor|CAS)\("
# A word of shared memory has no other block: its scope may stay a block's.
SHARED = r"(?!&?(?:\w+\.)*s_)"


def replacing(pattern, to):
    """A rule: each match of `pattern`, replaced alone."""
    expression = re.compile(pattern)
    return lambda code: [code[:match.start()] + match.expand(to) + code[match.end():]
                         for match in expression.finditer(code)]


def without_conditions(code):
    """if (a && b) becomes if (b) and if (a); a single condition becomes true."""
    match = re.search(r"\bif \((.*)\) \{$", code)
    if not match:
        return []
    parts = match[1].split(" && ")
    if any(part.count("(") != part.count(")") for part in parts):
        parts = [match[1]]
    left = [" && ".join(parts[:i] + parts[i + 1:]) or "true" for i in range(len(parts))]
    return [code[:match.start(1)] + condition + code[match.end(1):] for condition in left]


# What is broken, and how. The atomics' plain namesakes stand in plain.hpp.
RULES = {
    "atomic made plain": [
        replacing(ATOMIC, r"plain\1("),
        replacing(r"\bcuda::atomic_ref<(\w+), cuda::thread_scope_\w+>", r"PlainRef<\1>")],
    "lock dropped": [replacing(r"^( *)(?:common::)?(un)?lock(_classic)?\([^;]*\);", r"\1")],
    "barrier dropped": [replacing(r"\b__sync(threads|warp)\([^()]*\);", "")],
    "fence dropped": [replacing(r"\b__threadfence\(\);", "")],
    "guard dropped": [
        without_conditions,
        replacing(r"[\w.]+( [+*] [\w.]+)* < [\w.:]+(?= \?)", "true")],
    "i by 1 in a sum": [
        replacing(r"(?<=[\w)\]] \+ )(?:common::)?[a-z]\w*\b(?![.(\[<]|::| \*)", "1")],
    "< by <=": [replacing(r" < ", " <= ")],
    "device by block scope": [
        replacing(ATOMIC + SHARED, r"atomic\1_block("),
        replacing(r"\b__threadfence\(\)", "__threadfence_block()"),
        replacing(r"\bcuda::thread_scope_device\b", "cuda::thread_scope_block")],
    "acquire by relaxed": [replacing(r"\bmemory_order_acquire\b", "memory_order_relaxed")],
    "release by relaxed": [replacing(r"\bmemory_order_release\b", "memory_order_relaxed")],
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    kind: str
    file: str
    number: int  # of the line, from 1
    source: str  # the line, without its comment and the blanks around it
    to: str  # what it becomes
    at: int  # which of the lines of this text in the file, from 1

    @property
    def folder(self):
        """The chapter, or common or harness."""
        return self.file.split("/")[0]

    def __str__(self):
        return f"{self.file}:{self.number}: {self.kind}: {self.source} -> {self.to or '(nothing)'}"


def code_of(line):
    """The line without its comment and trailing blanks."""
    return line.split("//")[0].rstrip()


def device_lines(lines):
    """The numbers, from 0, of the lines in bodies of __device__ and __global__ functions."""
    inside = []
    depth = None  # of braces in the function's body; None: not in a function, 0: in its head
    for number, line in enumerate(lines):
        code = code_of(line)
        if code.lstrip().startswith("#if"):
            continue
        if depth is None and re.search(r"\b__(device|global)__\b", code):
            depth = 0
        if depth is None:
            continue
        if depth > 0 or "{" in code:
            inside.append(number)
        opened = depth > 0 or "{" in code
        depth += code.count("{") - code.count("}")
        if depth == 0 and (opened or code.endswith(";")):
            depth = None
    return inside


def generate(root):
    """All mutants, by file and line."""
    mutants = []
    files = sorted(str(path.relative_to(root)) for path in root.glob(SOURCES))
    for file in files:
        if LEFT_OUT.search(file):
            continue
        lines = (root / file).read_text(encoding="ascii").split("\n")
        stripped = [code_of(line).strip() for line in lines]
        for number in device_lines(lines):
            source = stripped[number]
            made = set()  # two rules may come to the same line
            for kind, rules in RULES.items():
                for to in (to for rule in rules for to in rule(code_of(lines[number]))):
                    if to not in made:
                        made.add(to)
                        mutants.append(Mutant(kind, file, number + 1, source, to.strip(),
                                              stripped[:number + 1].count(source)))
    return mutants


def mutated_text(root, mutant):
    """The file with the mutant applied, and with the plain namesakes of the atomics."""
    lines = (root / mutant.file).read_text(encoding="ascii").split("\n")
    lines[mutant.number - 1] = mutant.to
    once = lines.index("#pragma once")  # the blank line behind it: line numbers stay
    assert lines[once + 1] == ""
    lines[once + 1] = '#include "tests/mutants/plain.hpp"'
    return "\n".join(lines)
