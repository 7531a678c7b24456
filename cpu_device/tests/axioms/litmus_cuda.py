#!/usr/bin/env python3
"""Litmus programs as kernels: is what race mode finds by RACE_OUTCOMES what is written?

    litmus_cuda.py write > FILE.cu             one program with a kernel for each litmus program
    litmus_cuda.py test PROGRAM [NAME...]      runs it on those, or on all, and compares

PROGRAM is FILE.cu as race mode has compiled it. It takes the name of a litmus program as its
argument. Ends with 1, and names the programs, if a set of outcomes is not the one in litmus/.
"""

import os
import pathlib
import re
import subprocess
import sys

from litmus_test import HERE, written

ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
SCOPES = {"thr": "thread", "cta": "block", "gpu": "device", "sys": "system"}
SECONDS = "300"  # for each program

HEAD = """// Written by litmus_cuda.py from the programs in litmus/.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <cuda/atomic>

template <cuda::thread_scope scope>
__device__ cuda::atomic_ref<int, scope> at(int& word) {
    return cuda::atomic_ref<int, scope>(word);
}
"""

MAIN = """
int run(void (*kernel)(int*, int*), int blocks, int threads, int registers, const char* seen) {
    int *d_words, *d_registers;
    int words[6 * 64], values[8];
    cudaMalloc(&d_words, sizeof words);
    cudaMalloc(&d_registers, sizeof values);
    cudaMemset(d_words, 0, sizeof words);
    cudaMemset(d_registers, 0xff, sizeof values);
    kernel<<<blocks, threads>>>(d_words, d_registers);
    cudaMemcpy(words, d_words, sizeof words, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, d_registers, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < registers; ++i) {
        values[i] == -1 ? std::printf("-") : std::printf("%d", values[i]);
    }
    for (; *seen != 0; ++seen) {
        std::printf("%d", words[(*seen - 'u') * 64]);
    }
    std::printf("\\n");
    return 0;
}

int main(int argc, char** argv) {
    const char* const name = argc == 2 ? argv[1] : "";
"""


def call_of(step: str) -> str:
    """C++ of one step without its guard."""
    head, *qualifiers = step.split(".")
    order = next((ORDERS[q] for q in qualifiers if q in ORDERS), "")
    scope = next((SCOPES[q] for q in qualifiers if q in SCOPES), "device")
    if head == "fence":
        return (f"cuda::atomic_thread_fence(cuda::memory_order_{order or 'acq_rel'}, "
                f"cuda::thread_scope_{scope});")
    left, right = head.split("=")
    order = f"cuda::memory_order_{order or 'relaxed'}"

    def word(letter: str) -> str:
        place = f"words[{(ord(letter) - ord('u')) * 64}]"
        if "weak" in qualifiers:
            return place
        if "vol" in qualifiers:
            return f"*const_cast<volatile int*>(&{place})"
        return f"at<cuda::thread_scope_{scope}>({place})"

    plain = "weak" in qualifiers or "vol" in qualifiers
    if left >= "u":
        return f"{word(left)} = {right};" if plain else f"{word(left)}.store({right}, {order});"
    if len(right) == 1:
        return f"{left} = {word(right)};" if plain else f"{left} = {word(right)}.load({order});"
    name, *operands = re.findall(r"\w+", right)
    place = word(operands[0])
    if name == "cas":
        return (f"{left} = {operands[1]}; "
                f"{place}.compare_exchange_strong({left}, {operands[2]}, {order});")
    function = {"add": "fetch_add", "xch": "exchange"}[name]
    return f"{left} = {place}.{function}({operands[1]}, {order});"


def statement(step: str) -> str:
    step = step.replace(" ", "")
    if len(step) > 5 and step[4] == "?":
        return f"if ({step[0]} == {step[3]}) {{ {call_of(step[5:])} }}"
    return call_of(step)


def kernel_of(header: str, steps: str, number: int) -> tuple[str, str]:
    """The kernel, and the line of main() that launches it."""
    name, rest = header.split(":")
    places, _, seen = rest.replace("blocks", "").partition("see")
    lanes: dict[tuple[str, int], int] = {}
    who = []
    for place in places.split():
        block, warp = (place.split(".") + ["0"])[:2]
        lane = lanes.get((block, int(warp)), 0)
        lanes[block, int(warp)] = lane + 1
        who.append((int(block), 32 * int(warp) + lane))
    threads = [[step.strip() for step in column.split(";")] for column in steps.split("|")]
    barriers = {step for thread in threads for step in thread if step in ("bar", "warp")}
    registers: list[str] = []
    for step in re.findall(r"\b([a-h])=[^=]", steps):
        if step not in registers:
            registers.append(step)
    lines = [f"__global__ void kernel_{number}(int* words, int* registers) {{",
             "    const int block = blockIdx.x, thread = threadIdx.x;"]
    if registers:
        lines.append("    int " + ", ".join(f"{name} = -1" for name in registers) + ";")
    pieces = []  # of each thread: before the barrier, and after it
    for thread in threads:
        at = next((i for i, step in enumerate(thread) if step in barriers), len(thread))
        pieces.append((thread[:at], thread[at + 1:]))
    for phase in range(2 if barriers else 1):
        if phase == 1:  # one place in the source, where all threads of a block meet
            lines.append("    __syncthreads();" if "bar" in barriers else "    __syncwarp();")
        for (block, thread), piece in zip(who, pieces):
            lines.append(f"    if (block == {block} && thread == {thread}) {{")
            lines += [f"        {statement(step)}" for step in piece[phase]]
            if phase == len(barriers):
                used = {found for part in piece for step in part
                        for found in re.findall(r"\b([a-h])=[^=]", step)}
                lines += [f"        registers[{registers.index(found)}] = {found};"
                          for found in sorted(used)]
            lines.append("    }")
    lines.append("}")
    blocks = 1 + max(block for block, _ in who)
    size = 1 + max(thread for _, thread in who)
    launch = (f'    if (std::strcmp(name, "{name}") == 0) {{\n'
              f'        return run(kernel_{number}, {blocks}, {size}, {len(registers)}, '
              f'"{seen.replace(" ", "")}");\n    }}')
    return "\n".join(lines), launch


def programs() -> str:
    return "".join(path.read_text() for path in sorted((HERE / "litmus").glob("*.txt")))


def write() -> None:
    kernels, launches, header = [], [], ""
    for line in programs().splitlines():
        if line and line[0] not in " #":
            header = line
        elif line.startswith(" ") and header:
            kernel, launch = kernel_of(header, line.strip(), len(kernels))
            kernels.append(kernel)
            launches.append(launch)
            header = ""
    print(HEAD)
    print("\n\n".join(kernels))
    print(MAIN + "\n".join(launches))
    print('    std::printf("expected the name of a litmus program\\n");\n    return 2;\n}')


def outcomes_of(program: str, name: str) -> list[str]:
    done = subprocess.run([program, name], capture_output=True, text=True, check=False,
                          env={**os.environ, "RACE_OUTCOMES": SECONDS})
    if done.returncode != 0 or "; there are no more\n" not in done.stdout:
        return [f"status {done.returncode}: {done.stdout[:80]!r} {done.stderr[:200]!r}"]
    if "(ended with status 66)" in done.stdout:
        return ["race"]
    return sorted(re.findall(r"^outcome [^\n]*\n([^\n]*)$", done.stdout, re.MULTILINE))


def test(program: str, names: list[str]) -> int:
    allowed, _ = written(programs())
    wrong = 0
    for name in names or sorted(allowed):
        if name not in allowed:
            sys.exit(f"there is no litmus program {name}")
        got = outcomes_of(program, name)
        if got != sorted(allowed[name]):
            wrong += 1
            print(f"{name}: {' '.join(got)}, and not {' '.join(allowed[name])}", flush=True)
    print(f"{len(names or allowed)} kernels: {wrong} differences")
    return 1 if wrong else 0


def main(arguments: list[str]) -> int:
    if arguments == ["write"]:
        write()
        return 0
    if len(arguments) >= 2 and arguments[0] == "test":
        return test(str(pathlib.Path(arguments[1]).resolve()), arguments[2:])
    print("usage: litmus_cuda.py write | test PROGRAM [NAME...]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
