"""The levels' kernels, as the machine runs them. Each follows its .cuh file, step by step: a test
compares the orders with those that race mode finds for the kernel itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .machine import (ENTER, LEAVE, Machine, Program, Thread, add, cas, exchange, fence, load,
                      store)

HERE = Path(__file__).resolve().parent

Last = Mapping[str, int]


def sum_is(word: str, right: int) -> Callable[[Last, bool], tuple[list[str], bool]]:
    return lambda last, _: ([f"{word} = {last[word]}"], last[word] == right)


def alone_and_sum_is(word: str, right: int) -> Callable[[Last, bool], tuple[list[str], bool]]:
    def outcome(last: Last, two_inside: bool) -> tuple[list[str], bool]:
        lines = [f"{word} = {last[word]}"]
        if two_inside:
            lines.append("two threads were in the critical section at once")
        return lines, last[word] == right and not two_inside

    return outcome


def lost_update() -> Thread:
    old = yield load("x", "old = *x")
    yield store("x", old + 1, "*x = old + 1")


def atomic_add() -> Thread:
    yield add("x", 1, "atomicAdd(x, 1)")


def cas_loop() -> Thread:
    old = yield load("x", "old = word.load", "relaxed")
    while True:
        assumed = old
        old = yield cas("x", assumed, assumed + 1, "atomicCAS")
        if old == assumed:
            break


def cas_no_retry() -> Thread:
    old = yield load("x", "old = word.load", "relaxed")
    yield cas("x", old, old + 1, "atomicCAS")


def old_values(number: int) -> Thread:
    place = yield add("count", 1, "atomicAdd")
    yield store(f"list[{place}]", number, "list[place] =")


def use_then_add(number: int) -> Thread:
    place = yield load("count", "= *count")
    yield store(f"list[{place}]", number, "list[place] =")
    yield add("count", 1, "atomicAdd")


def list_outcome(places: int) -> Callable[[Last, bool], tuple[list[str], bool]]:
    def outcome(last: Last, _: bool) -> tuple[list[str], bool]:
        entries = [last[f"list[{place}]"] for place in range(places)]
        return ([f"list = {' '.join(map(str, entries))}"],
                sorted(entries) == list(range(1, places + 1)))

    return outcome


def tree_without_barrier(thread: int) -> Thread:
    own = yield load(f"s[{thread}]", "s[t] += s[t + 2]")
    other = yield load(f"s[{thread + 2}]", "s[t] += s[t + 2]")
    yield store(f"s[{thread}]", own + other, "s[t] += s[t + 2]")
    if thread == 0:
        own = yield load("s[0]", "s[0] += s[1]")
        other = yield load("s[1]", "s[0] += s[1]")
        yield store("s[0]", own + other, "s[0] += s[1]")


def lock_in_two_steps() -> Thread:
    yield load("lock", "word.load", "relaxed", waits=lambda value: value != 0)
    yield store("lock", 1, "word.store(1", "relaxed")
    yield ENTER
    old = yield load("x", "old = *x")
    yield store("x", old + 1, "*x = old + 1")
    yield LEAVE
    yield store("lock", 0, "word.store(0", "release")


def mutex() -> Thread:
    yield cas("lock", 0, 1, "atomicCAS", retries=True)
    yield ENTER
    yield fence("not done before")
    old = yield load("x", "old = *x")
    yield store("x", old + 1, "*x = old + 1")
    yield fence("is done before")
    yield LEAVE
    yield exchange("lock", 0, "atomicExch")


def lock_without_fence() -> Thread:
    yield cas("lock", 0, 1, "atomicCAS", retries=True)
    yield ENTER
    old = yield load("x", "old = *x")
    yield store("x", old + 1, "*x = old + 1")
    yield LEAVE
    yield exchange("lock", 0, "atomicExch")


def sender(order: str) -> Callable[[], Thread]:
    def thread() -> Thread:
        yield store("digits[0]", 4, "digits[0] = 4")
        yield store("digits[1]", 2, "digits[1] = 2")
        yield store("flag", 1, "ready.store", order)

    return thread


def receiver(order: str) -> Callable[[], Thread]:
    def thread() -> Thread:
        yield load("flag", "ready.load", order, waits=lambda value: value == 0)
        tens = yield load("digits[0]", "= digits[0]")
        ones = yield load("digits[1]", "= digits[1]")
        yield store("received", 10 * tens + ones, "*received =")

    return thread


def last_block(block: int, fenced: bool) -> Thread:
    yield store(f"partial[{block}]", 2 if block else 40, "partial[blockIdx.x] =")
    if fenced:
        yield fence("is there before")
    before_me = yield add("done", 1, "atomicAdd")
    if before_me == 1:
        if fenced:
            yield fence("nothing is read before")
        first = yield load("partial[0]", "= partial[0]")
        second = yield load("partial[1]", "= partial[1]")
        yield store("sum", first + second, "*sum =")


def two_locks(first: str, second: str) -> Thread:
    yield cas(first, 0, 1, "atomicCAS(first", retries=True)
    yield cas(second, 0, 1, "atomicCAS(second", retries=True)
    yield exchange(second, 0, "atomicExch(second")
    yield exchange(first, 0, "atomicExch(first")


def barrier_twice() -> Thread:
    for _ in range(2):
        if (yield add("count", 1, "atomicAdd")) == 1:
            yield exchange("count", 0, "atomicExch")
        else:
            yield load("count", "word.load", "relaxed", waits=lambda value: value != 0)


def both_done(_: Last, __: bool) -> tuple[list[str], bool]:
    return ["both are done"], True


LOCK = {"lock": "lock"}
LIST2 = {"count": 0, "list[0]": 0, "list[1]": 0}
LIST3 = {**LIST2, "list[2]": 0}
MESSAGE = {"digits[0]": 0, "digits[1]": 0, "flag": 0, "received": 0}
PARTIAL = {"partial[0]": 0, "partial[1]": 0, "done": 0, "sum": 0}

PROGRAMS = [
    Program("lost_update", "lost_update.cuh", [lost_update] * 2, {"x": 0}, ["x"], sum_is("x", 2)),
    Program("three_threads", "lost_update.cuh", [lost_update] * 3, {"x": 0}, ["x"],
            sum_is("x", 3)),
    Program("atomic_add", "atomic_add.cuh", [atomic_add] * 3, {"x": 0}, ["x"], sum_is("x", 3),
            roles={"x": "counter"}),
    Program("cas_loop", "cas_loop.cuh", [cas_loop] * 2, {"x": 0}, ["x"], sum_is("x", 2),
            roles={"x": "counter"}),
    Program("cas_no_retry", "cas_no_retry.cuh", [cas_no_retry] * 2, {"x": 0}, ["x"],
            sum_is("x", 2), roles={"x": "counter"}),
    Program("old_values", "old_values.cuh", [lambda n=n: old_values(n) for n in (1, 2, 3)], LIST3,
            ["count"], list_outcome(3), roles={"count": "counter"}),
    Program("use_then_add", "use_then_add.cuh", [lambda n=n: use_then_add(n) for n in (1, 2)],
            LIST2, ["count", "list[0]"], list_outcome(2), roles={"count": "counter"}),
    Program("tree_without_barrier", "tree_without_barrier.cuh",
            [lambda t=t: tree_without_barrier(t) for t in (0, 1)],
            {"s[0]": 1, "s[1]": 2, "s[2]": 3, "s[3]": 4}, ["s[1]"], sum_is("s[0]", 10)),
    Program("lock_in_two_steps", "lock_in_two_steps.cuh", [lock_in_two_steps] * 2,
            {"lock": 0, "x": 0}, ["lock", "x"], alone_and_sum_is("x", 2), roles=LOCK),
    Program("mutex", "mutex.cuh", [mutex] * 2, {"lock": 0, "x": 0}, ["lock", "x"],
            alone_and_sum_is("x", 2), late=True, roles=LOCK),
    Program("lock_without_fence", "lock_without_fence.cuh", [lock_without_fence] * 2,
            {"lock": 0, "x": 0}, ["lock", "x"], alone_and_sum_is("x", 2), late=True, roles=LOCK),
    Program("message", "message.cuh", [sender("relaxed"), receiver("relaxed")], MESSAGE,
            ["digits[0]", "digits[1]", "flag"], sum_is("received", 42), late=True, blocks=True,
            roles={"flag": "flag"}),
    Program("message_released", "message_released.cuh", [sender("release"), receiver("acquire")],
            MESSAGE, ["digits[0]", "digits[1]", "flag"], sum_is("received", 42), late=True,
            blocks=True, roles={"flag": "flag"}),
    Program("last_block", "last_block.cuh", [lambda b=b: last_block(b, False) for b in (0, 1)],
            PARTIAL, ["partial[0]", "partial[1]", "done"], sum_is("sum", 42), late=True,
            blocks=True, roles={"done": "counter"}),
    Program("last_block_fenced", "last_block_fenced.cuh",
            [lambda b=b: last_block(b, True) for b in (0, 1)], PARTIAL,
            ["partial[0]", "partial[1]", "done"], sum_is("sum", 42), late=True, blocks=True,
            roles={"done": "counter"}),
    Program("two_locks", "two_locks.cuh",
            [lambda: two_locks("a", "b"), lambda: two_locks("b", "a")], {"a": 0, "b": 0},
            ["a", "b"], both_done, roles={"a": "lock", "b": "lock"}),
    Program("barrier_twice", "barrier_twice.cuh", [barrier_twice] * 2, {"count": 0}, ["count"],
            both_done, blocks=True, roles={"count": "counter"}),
]


def trace_of(program: Program) -> dict[str, Any]:
    """A trace with the tree of one program, and the text of its kernel's file."""
    text = (HERE / program.source).read_text(encoding="ascii")
    return {
        "format": "race-trace", "version": 1, "kind": "trees", "program": program.name,
        "sources": [{"file": f"player/levels/{program.source}",
                     "ranges": [{"first": 1, "lines": text.splitlines()}]}],
        "trees": [Machine(program, text).tree()],
    }
