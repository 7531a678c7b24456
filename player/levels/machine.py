"""Every execution of a few threads, old values included, as a tree of steps (docs/trace.md).

A thread is a generator that yields its steps and is sent what each has read. The machine runs all
threads from the start again for every choice, so a program needs no state that can be copied.

The memory is a view machine, as in the literature on relaxed memory ("A promising semantics for
relaxed-memory concurrency", Kang and others, without promises): each word keeps the list of its
writes; a thread's view says how far in each list it must have come; a load may read any write from
there on. A release hands the view on with its write, an acquire takes it over, fences do so for the
relaxed accesses around them. Atomic updates read the newest write. A fence is a release and an
acquire and no more: no level asks for the one order of all fences.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LIMIT = 20_000  # nodes of one tree


@dataclass(frozen=True)
class Op:
    """A step that a thread asks for. `at`: the text that stands on its line, and on no other."""

    kind: str  # load, store, atomic, fence, barrier, enter, leave
    word: str = ""
    at: str = ""
    value: int = 0  # to store or to add
    expected: int | None = None  # of a compare-and-swap
    function: str = ""
    order: str = ""  # relaxed, acquire, release, acq_rel; none: a plain access
    waits: Callable[[int], bool] | None = None  # reading such a value, the thread tries again


Thread = Generator[Op, int, None]


def load(word: str, at: str, order: str = "", waits: Callable[[int], bool] | None = None) -> Op:
    return Op("load", word, at, order=order, waits=waits)


def store(word: str, value: int, at: str, order: str = "") -> Op:
    return Op("store", word, at, value, order=order)


def add(word: str, value: int, at: str) -> Op:
    return Op("atomic", word, at, value, function="atomicAdd", order="relaxed")


def exchange(word: str, value: int, at: str) -> Op:
    return Op("atomic", word, at, value, function="atomicExch", order="relaxed")


def cas(word: str, expected: int, value: int, at: str, retries: bool = False) -> Op:
    """retries: where it fails, the thread tries again when the word has been written."""
    return Op("atomic", word, at, value, expected, "atomicCAS", "relaxed",
              (lambda found: found != expected) if retries else None)


def fence(at: str) -> Op:
    return Op("fence", at=at, function="__threadfence", order="seq_cst")


ENTER, LEAVE = Op("enter"), Op("leave")  # of a critical section: no steps, only for the outcome


@dataclass(frozen=True)
class Program:
    """A level's kernel as the machine runs it."""

    name: str
    source: str  # the file of the kernel, beside this one
    threads: Sequence[Callable[[], Thread]]
    words: Mapping[str, int]  # names and first values
    shared: Sequence[str]  # the words whose steps are choices
    outcome: Callable[[Mapping[str, int], bool], tuple[list[str], bool]]
    # Of the last values, and whether two were in the critical section at once: lines, right?
    late: bool = False  # loads may read old values
    blocks: bool = False  # the threads are of two blocks
    roles: Mapping[str, str] = field(default_factory=dict)


View = dict[str, int]  # of each word: the first write that may still be read


def joined(a: View, b: View) -> View:
    return {word: max(a[word], b[word]) for word in a}


@dataclass
class Write:
    value: int
    step: int | None
    view: View | None  # that a release has handed on


@dataclass
class State:
    """One execution so far."""

    writes: dict[str, list[Write]]
    views: list[View]
    released: list[View]  # the view at the thread's last release fence
    pending: list[tuple[View, list[int]]]  # what an acquire fence would take over, and from where
    asked: list[Op | None]
    generators: list[Thread]
    seen: list[tuple[str, int] | None]  # a thread waits: for a word with so many writes
    steps: list[dict[str, Any]] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)
    two_inside: bool = False


class Machine:
    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self.lines = text.splitlines()
        self.names = list(program.words)

    def line_of(self, at: str) -> int:
        found = [number for number, line in enumerate(self.lines, 1) if at in line]
        if len(found) != 1:
            raise ValueError(
                f"{self.program.source}: '{at}' stands on {len(found)} lines, not on one")
        return found[0]

    def start(self) -> State:
        program = self.program
        zero = {word: 0 for word in self.names}
        threads = len(program.threads)
        state = State(
            {word: [Write(first, None, None)] for word, first in program.words.items()},
            [dict(zero) for _ in range(threads)], [dict(zero) for _ in range(threads)],
            [(dict(zero), []) for _ in range(threads)],
            [None] * threads, [make() for make in program.threads], [None] * threads)
        for thread in range(threads):
            state.asked[thread] = next(state.generators[thread], None)
            self.run_alone(state, thread)
        return state

    def run_alone(self, state: State, thread: int) -> None:
        """Makes the thread's steps up to its next choice: those that no other thread can notice."""
        while (op := state.asked[thread]) is not None and op.word not in self.program.shared:
            self.make(state, thread, len(state.writes[op.word]) - 1 if op.word else 0)

    def choices(self, state: State) -> list[tuple[int, int]]:
        """The threads that can go, each with the write that it reads; the newest first."""
        all_choices = []
        for thread, op in enumerate(state.asked):
            if op is None or state.seen[thread] == (op.word, len(state.writes[op.word])):
                continue
            newest = len(state.writes[op.word]) - 1
            oldest = newest
            if op.kind == "load" and self.program.late and op.waits is None:
                oldest = state.views[thread][op.word]
            all_choices += [(thread, write) for write in range(newest, oldest - 1, -1)]
        return all_choices

    def make(self, state: State, thread: int, read: int) -> None:
        """The thread makes the step that it has asked for, reading the write with this number."""
        op = state.asked[thread]
        assert op is not None
        found = 0
        if op.kind in ("enter", "leave"):
            (state.inside.add if op.kind == "enter" else state.inside.discard)(thread)
            state.two_inside |= len(state.inside) > 1
        elif op.kind == "fence":
            view, steps = state.pending[thread]
            state.views[thread] = joined(state.views[thread], view)
            state.released[thread] = dict(state.views[thread])
            self.note(state, thread, op, {"function": op.function, "order": op.order,
                                          "scope": "device"}, steps)
            state.pending[thread] = (view, [])
        else:
            found = self.access(state, thread, op, read)
        if op.waits is not None and op.waits(found):
            state.seen[thread] = (op.word, len(state.writes[op.word]))
            return  # it asks for the same again
        state.seen[thread] = None
        try:
            state.asked[thread] = state.generators[thread].send(found)
        except StopIteration:
            state.asked[thread] = None

    def access(self, state: State, thread: int, op: Op, read: int) -> int:
        writes = state.writes[op.word]
        before, source = writes[-1].value, writes[read]
        fields: dict[str, Any] = {"word": self.names.index(op.word), "before": str(before)}
        if op.order:
            fields |= {"order": op.order, "scope": "device"}
        edges: list[int] = []
        view = state.views[thread]
        if op.kind != "store":
            fields |= {"got": str(source.value), "reads": source.step}
            if read < len(writes) - 1:
                fields["stale"] = True
            view[op.word] = max(view[op.word], read)
            if source.view is not None and op.order:
                if op.order in ("acquire", "acq_rel"):
                    state.views[thread] = view = joined(view, source.view)
                    edges = [source.step] if source.step is not None else []
                else:
                    pending, steps = state.pending[thread]
                    begun = [] if source.step is None else [source.step]
                    state.pending[thread] = (joined(pending, source.view), [*steps, *begun])
        after = before
        if op.kind == "store":
            after = op.value
        elif op.kind == "atomic" and op.expected in (None, before):
            after = before + op.value if op.function == "atomicAdd" else op.value
        fields["after"] = str(after)
        if op.function:
            fields["function"] = op.function
        if op.kind == "store" or (op.kind == "atomic" and op.expected in (None, before)):
            handed_on = None
            if op.order in ("release", "acq_rel"):
                handed_on = dict(view)
            elif op.order:
                handed_on = dict(state.released[thread])
                if op.kind == "atomic" and source.view is not None:  # a release sequence goes on
                    handed_on = joined(handed_on, source.view)
            view[op.word] = len(writes)
            if handed_on is not None:
                handed_on[op.word] = len(writes)
            writes.append(Write(after, len(state.steps), handed_on))
        self.note(state, thread, op, fields, edges)
        return source.value

    def note(self, state: State, thread: int, op: Op, fields: dict[str, Any],
             edges: list[int]) -> None:
        step: dict[str, Any] = {"thread": thread, "kind": op.kind,
                                "place": {"source": 0, "line": self.line_of(op.at)}, **fields}
        from_others = [index for index in edges if state.steps[index]["thread"] != thread]
        if from_others:
            step["edges"] = [{"from": index, "kind": "release-acquire"} for index in from_others]
        state.steps.append(step)

    def replay(self, choices: Sequence[tuple[int, int]]) -> State:
        state = self.start()
        for thread, read in choices:
            self.make(state, thread, read)
            self.run_alone(state, thread)
        return state

    def tree(self) -> dict[str, Any]:
        """The tree as docs/trace.md has it."""
        program = self.program
        nodes: list[dict[str, Any]] = [{"next": []}]
        outcomes: list[dict[str, Any]] = []
        orders = 0

        def grow(choices: list[tuple[int, int]], way: list[int]) -> None:
            """`way`: the nodes of the steps that the choices before the last have made."""
            nonlocal orders
            state = self.replay(choices)
            for index in range(len(way), len(state.steps)):
                step = dict(state.steps[index])
                if isinstance(step.get("reads"), int):
                    step["reads"] = way[step["reads"]]
                if "edges" in step:
                    step["edges"] = [{**edge, "from": way[edge["from"]]} for edge in step["edges"]]
                nodes[way[-1] if way else 0]["next"].append(len(nodes))
                way.append(len(nodes))
                nodes.append({"step": step, "next": []})
                if len(nodes) > LIMIT:
                    raise ValueError(f"{program.name}: more than {LIMIT} nodes")
            can_go = self.choices(state)
            for choice in can_go:
                grow([*choices, choice], list(way))
            if can_go:
                return
            orders += 1
            last = {word: writes[-1].value for word, writes in state.writes.items()}
            stuck = any(op is not None for op in state.asked)
            lines, right = program.outcome(last, state.two_inside)
            stale = any("stale" in step for step in state.steps)
            outcome = {"lines": [] if stuck else lines, "right": right and not stuck,
                       "stuck": stuck}
            known = next((one for one in outcomes
                          if all(one[key] == value for key, value in outcome.items())), None)
            if known is None:
                known = {**outcome, "only_stale": True, "times": 0}
                outcomes.append(known)
            known["times"] += 1
            known["only_stale"] &= stale
            leaf = nodes[way[-1] if way else 0]
            leaf["outcome"] = outcomes.index(known)
            if stuck:
                leaf["waiting"] = [thread for thread, op in enumerate(state.asked)
                                   if op is not None]

        grow([], [])
        places = [(t, 0) if program.blocks else (0, t) for t in range(len(program.threads))]
        return {
            "name": program.name,
            "launches": [],
            "threads": [{"kind": "kernel", "name": f"block {block}, thread {thread}",
                         "block": block, "thread": thread, "warp": 0, "lane": thread}
                        for block, thread in places],
            "words": [{"name": word, "what": f"the int {word}", "memory": "global", "bytes": 4,
                       "type": "int", "role": program.roles.get(word, "data"), "first": str(first)}
                      for word, first in program.words.items()],
            "nodes": nodes, "outcomes": outcomes, "orders": orders, "complete": True,
        }
