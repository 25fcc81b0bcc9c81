"""What pointers may point to, in a whole program, without regard to the order of actions.

Inclusion constraints in the manner of Andersen. An object is one thing, whatever its parts; an
integer may hold a pointer that was converted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abpress.ir.expr import Addr, Compare, Expr, FuncAddr, PtrDiff, Reg, children
from abpress.ir.program import (
    Alloc,
    Assign,
    Copy,
    Effect,
    Finish,
    Join,
    Load,
    MemoryObject,
    Spawn,
    Store,
)
from abpress_frontend.lower.graph import GraphBuilder

Object = tuple[str, str]
"""The template that an object belongs to, "" for static objects; and its name."""

_Node = tuple[str, str, str]
"""What holds pointers: a register (of a template), or the cells of an object."""

_RESULTS: _Node = ("result", "", "")


class Pointing:
    """The answer for one program, as it was lowered so far."""

    def __init__(
        self, graphs: Mapping[str, GraphBuilder], objects: Mapping[str, MemoryObject]
    ) -> None:
        self._graphs = graphs
        self._held: dict[_Node, set[Object]] = {}
        self._into: dict[_Node, set[_Node]] = {}
        self._loads: dict[_Node, list[_Node]] = {}
        self._stores: dict[_Node, list[_Node]] = {}
        self._todo: list[tuple[_Node, Object]] = []
        for o in objects.values():
            for value in o.initial:
                if isinstance(value, Addr):
                    self._hold(_cells(("", o.name)), self._object("", value.object))
        for name, graph in graphs.items():
            for local in graph.locals.values():
                for value in local.initial:
                    if isinstance(value, Addr):
                        object = self._object(name, value.object)
                        self._hold(_cells((name, local.name)), object)
            for effect in graph.effects():
                self._effect(name, effect)
        self._solve()
        self.escaped = frozenset(
            object
            for node, held in self._held.items()
            if node[0] in ("cells", "result") or node[2] == "$arg"
            for object in held
        )
        """Objects whose address is in memory, or was passed to a thread."""

    def objects(self, template: str, address: Expr) -> frozenset[Object]:
        """What a pointer of the template may point to."""
        found: set[Object] = set()
        for leaf in _leaves(address):
            if isinstance(leaf, Addr):
                found.add(self._object(template, leaf.object))
            elif isinstance(leaf, Reg):
                found |= self._held.get(("register", template, leaf.name), set())
        return frozenset(found)

    def _object(self, template: str, name: str) -> Object:
        local = template and name in self._graphs[template].locals
        return (template, name) if local else ("", name)

    # -- constraints --------------------------------------------------------------------------

    def _effect(self, template: str, effect: Effect) -> None:
        match effect:
            case Assign(target, value):
                self._flow(template, value, _register(template, target))
            case Load(target, address):
                for node in self._sources(template, address):
                    self._loads.setdefault(node, []).append(_register(template, target))
            case Store(address, value):
                for source in self._sources(template, value):
                    for node in self._sources(template, address):
                        self._stores.setdefault(node, []).append(source)
            case Copy(target, source, _):
                middle = ("register", template, f"copy {id(effect)}")
                for node in self._sources(template, source):
                    self._loads.setdefault(node, []).append(middle)
                for node in self._sources(template, target):
                    self._stores.setdefault(node, []).append(middle)
            case Alloc(target):
                self._hold(_register(template, target), heap_object(template, effect))
            case Spawn(_, started, argument):
                self._flow(template, argument, ("register", started, "$arg"))
            case Finish(result):
                self._flow(template, result, _RESULTS)
            case Join(target):
                self._include(_RESULTS, _register(template, target))
            case _:
                pass

    def _sources(self, template: str, value: Expr) -> list[_Node]:
        """Nodes that together hold what the expression may point to."""
        nodes: list[_Node] = []
        for leaf in _leaves(value):
            if isinstance(leaf, Reg):
                nodes.append(_register(template, leaf))
            elif isinstance(leaf, Addr):
                object = self._object(template, leaf.object)
                node = ("address", *object)
                self._hold(node, object)
                nodes.append(node)
        return nodes

    def _flow(self, template: str, value: Expr, target: _Node) -> None:
        for node in self._sources(template, value):
            self._include(node, target)

    def _include(self, source: _Node, target: _Node) -> None:
        known = self._into.setdefault(source, set())
        if target not in known and source != target:
            known.add(target)
            for object in list(self._held.get(source, ())):
                self._hold(target, object)

    def _hold(self, node: _Node, object: Object) -> None:
        held = self._held.setdefault(node, set())
        if object not in held:
            held.add(object)
            self._todo.append((node, object))

    def _solve(self) -> None:
        while self._todo:
            node, object = self._todo.pop()
            for target in list(self._into.get(node, ())):
                self._hold(target, object)
            for target in self._loads.get(node, ()):
                self._include(_cells(object), target)
            for source in self._stores.get(node, ()):
                self._include(source, _cells(object))


def heap_object(template: str, effect: Alloc) -> Object:
    """The objects that an effect of the template allocates."""
    return template, f"*{effect.target.name} {effect.label}"


def _cells(object: Object) -> _Node:
    return ("cells", *object)


def _register(template: str, register: Reg) -> _Node:
    return ("register", template, register.name)


def _leaves(e: Expr) -> Iterator[Expr]:
    """The registers and addresses whose value may be a part of the value of `e`."""
    if isinstance(e, Reg | Addr | FuncAddr):
        yield e
    elif not isinstance(e, Compare | PtrDiff):
        for child in children(e):
            yield from _leaves(child)
