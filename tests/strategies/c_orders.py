"""Random C expressions whose order of evaluation can be told apart, and all that they can give.

The outcomes are computed by rewriting the expression in every way that C11 6.5 leaves open: an
operand anywhere in it is read, called or computed; a write waits until any later moment, at most
until the next sequence point. No two accesses that stand in the expression itself conflict, so
nothing is undefined.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

VARIABLES = ("x", "y", "z", "u", "v")
"""The global variables; functions write the first three."""

FUNCTIONS = {
    "f": ("x = x * 2 + 1; return x + n;", lambda s, n: ({**s, "x": s["x"] * 2 + 1}, n, "x")),
    "g": ("y = x + 3; return y + n;", lambda s, n: ({**s, "y": s["x"] + 3}, n, "y")),
    "h": ("z = z + y + n; return z;", lambda s, n: ({**s, "z": s["z"] + s["y"] + n}, 0, "z")),
}

MOST = 400
"""An expression with more outcomes than this is not used."""


@dataclass(frozen=True)
class Node:
    """`kind` is const, var, call, bin, and, truth (which `and` becomes), cond, comma, assign, post
    or update; `done` is the value where it is known, `read` what an update has read. `waiting` are
    writes not yet made, of `++` and compound assignments (True) or others."""

    kind: str
    name: str = ""
    parts: tuple[Node, ...] = ()
    done: int | None = None
    read: int | None = None
    waiting: tuple[tuple[str, int, bool], ...] = ()

    def text(self) -> str:
        p = [part.text() for part in self.parts]
        match self.kind:
            case "const":
                return str(self.done)
            case "var":
                return self.name
            case "call":
                return f"{self.name}({p[0]})"
            case "bin" | "and" | "comma":
                return f"({p[0]} {self.name} {p[1]})"
            case "cond":
                return f"({p[0]} ? {p[1]} : {p[2]})"
            case "post":
                return f"{self.name}++"
            case "assign":
                return f"({self.name} = {p[0]})"
        return f"({self.name} += {p[0]})"


Store = tuple[tuple[str, int], ...]


def _value(node: Node, value: int) -> Node:
    waiting = node.waiting + tuple(w for p in node.parts for w in p.waiting)
    return Node("const", done=value, waiting=waiting)


def _all_waiting(node: Node) -> bool:
    """Whether the read of an update has happened and its write has not, somewhere."""
    if node.read is not None or any(w[2] for w in node.waiting):
        return True
    return any(_all_waiting(p) for p in node.parts)


def _steps(node: Node, store: Store, calls: bool) -> Iterator[tuple[Node, Store]]:
    """All rewritings by one step; calls only if no update beside is under way."""
    known = dict(store)
    for i, (name, value, _) in enumerate(node.waiting):
        rest = node.waiting[:i] + node.waiting[i + 1 :]
        yield replace(node, waiting=rest), tuple({**known, name: value}.items())
    if node.kind == "const":
        return
    sequenced = node.kind in ("and", "cond", "comma")
    for i, part in enumerate(node.parts[:1] if sequenced else node.parts):
        beside = node.parts[:i] + node.parts[i + 1 :] if not sequenced else ()
        free = calls and not any(map(_all_waiting, beside))
        for after, memory in _steps(part, store, free):
            yield replace(node, parts=(*node.parts[:i], after, *node.parts[i + 1 :])), memory
    first = node.parts[0] if node.parts else None
    ready = all(p.kind == "const" for p in node.parts)
    settled = first is not None and first.kind == "const" and not first.waiting
    match node.kind:
        case "var":
            yield _value(node, known[node.name]), store
        case "post":
            old = known[node.name]
            yield Node("const", done=old, waiting=((node.name, old + 1, True),)), store
        case "call" if settled and calls and first is not None:
            after, add, name = FUNCTIONS[node.name][1](known, first.done)
            yield _value(node, after[name] + add), tuple(after.items())
        case "bin" if ready:
            a, b = (p.done or 0 for p in node.parts)
            yield _value(node, {"+": a + b, "-": a - b, "*": a * b}[node.name]), store
        case "comma" if settled:
            yield node.parts[1], store
        case "and" if settled and first is not None:
            right = Node("truth", parts=(node.parts[1],))
            yield (right if first.done else _value(node, 0)), store
        case "cond" if settled and first is not None:
            yield node.parts[1 if first.done else 2], store
        case "assign" if ready and first is not None:
            value = first.done or 0
            after_ = _value(node, value)
            yield replace(after_, waiting=(*after_.waiting, (node.name, value, False))), store
        case "update" if node.read is None:
            yield replace(node, read=known[node.name]), store
        case "update" if ready and first is not None and node.read is not None:
            value = node.read + (first.done or 0)
            after_ = _value(node, value)
            yield replace(after_, waiting=(*after_.waiting, (node.name, value, True))), store
        case "truth" if ready and first is not None:
            yield _value(node, int(first.done != 0)), store


def outcomes(node: Node, store: Store) -> set[tuple[int, Store]] | None:
    """The values and final stores of all orders; None if there are too many states."""
    found: set[tuple[int, Store]] = set()
    seen = {(node, store)}
    todo = [(node, store)]
    while todo:
        at, memory = todo.pop()
        if at.kind == "const" and not at.waiting:
            assert at.done is not None
            found.add((at.done, memory))
        for following in _steps(at, memory, True):
            if following not in seen:
                seen.add(following)
                todo.append(following)
        if len(seen) > 20_000 or len(found) > MOST:
            return None
    return found


_LEAVES = ("var", "const", "var", "post")
_INNER = (
    "var",
    "const",
    *("call",) * 2,
    *("bin",) * 3,
    "and",
    "cond",
    "comma",
    "assign",
    "update",
    "post",
)


class Generator:
    """Makes expressions from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._touched: dict[str, str] = {}

    def expression(self, depth: int = 3) -> Node:
        r = self._random
        kind = r.choice(_INNER if depth else _LEAVES)
        parts = {"bin": 2, "and": 2, "cond": 3, "comma": 2, "call": 1, "assign": 1, "update": 1}
        if kind in ("var", "post", "assign", "update"):
            name = self._variable(kind != "var")
            if name is None:
                return Node("const", done=r.randrange(3))
            inner = self.expression(depth - 1) if kind in ("assign", "update") else None
            return Node(kind, name, () if inner is None else (inner,))
        if kind == "const":
            return Node("const", done=r.randrange(3))
        name = {"call": r.choice("fgh"), "bin": r.choice("+-*"), "and": "&&", "comma": ","}.get(
            kind
        )
        children = tuple(self.expression(depth - 1) for _ in range(parts[kind]))
        return Node(kind, name or "", children)

    def _variable(self, writes: bool) -> str | None:
        """A variable that may be accessed so beside all that there is already."""
        free = [
            v
            for v in VARIABLES
            if v not in self._touched or (not writes and self._touched[v] == "read")
        ]
        if not free:
            return None
        name = self._random.choice(free)
        self._touched[name] = "written" if writes else "read"
        return name
