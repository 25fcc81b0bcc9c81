"""Helpers of the passes: they rewrite expressions of a template, and say what one may do; and in
which order its locations come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    PtrAdd,
    PtrDiff,
    Reg,
    Unary,
    children,
    is_signed,
)
from abpress.ir.program import (
    AccessKind,
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Edge,
    Effect,
    Enter,
    Finish,
    Free,
    Havoc,
    Join,
    Load,
    Location,
    Overflow,
    Program,
    Spawn,
    Store,
    Template,
    goes_on,
)
from abpress.ir.types import IntType, PtrType

REGISTER_ONLY = (Assign, Havoc, ChooseBit)
"""Effects that no other thread can observe."""


def map_operands(effect: Effect, f: Callable[[Expr], Expr]) -> Effect:
    """The effect with `f` applied to every expression that it evaluates."""
    match effect:
        case Assign(r, value):
            return Assign(r, f(value))
        case Load(r, address):
            return Load(r, f(address))
        case Store(address, value):
            return Store(f(address), f(value))
        case Copy(target, source):
            return replace(effect, target=f(target), source=f(source))
        case ChooseBit(r, mask):
            return ChooseBit(r, f(mask))
        case Alloc(count=count):
            return replace(effect, count=f(count))
        case Free(address):
            return replace(effect, address=f(address))
        case Spawn(r, template, argument):
            return Spawn(r, template, f(argument))
        case Join(r, thread):
            return Join(r, f(thread))
        case Finish(result):
            return Finish(f(result))
        case _:
            return effect


def retargeted(effect: Effect, target: Reg) -> Effect:
    """The effect, which defines a register, with `target` in its place."""
    definition: Any = effect
    result: Effect = replace(definition, target=target)
    return result


def map_edges(template: Template, f: Callable[[Edge], Edge]) -> Template:
    """The template with `f` applied to every edge."""
    return replace(
        template,
        locations=tuple(
            Location(tuple(map(f, location.edges)), location.atomic)
            for location in template.locations
        ),
    )


def with_effects(edge: Edge, effects: tuple[Effect, ...]) -> Edge:
    """The edge with other effects; without an access left it has none of any kind."""
    accesses = any(isinstance(e, Load | Store | Copy) for e in effects)
    return replace(edge, effects=effects, access=edge.access if accesses else AccessKind.PLAIN)


def map_templates(program: Program, f: Callable[[Template], Template]) -> Program:
    """The program with `f` applied to every template."""
    return replace(program, templates={name: f(t) for name, t in program.templates.items()})


def is_register_only(edge: Edge) -> bool:
    """Whether all effects of the edge are on registers, or begin the life of a local object."""
    return all(isinstance(e, (*REGISTER_ONLY, Enter)) for e in edge.effects)


def predecessors(template: Template) -> list[int]:
    """The number of edges into each location; the entry counts as one more."""
    count = [0] * len(template.locations)
    count[template.entry] += 1
    for location in template.locations:
        for edge in location.edges:
            if goes_on(edge):
                count[edge.target] += 1
    return count


def may_fault(e: Expr, overflow: Overflow) -> bool:
    """Whether evaluating `e` can end the execution, or leave a mark on the verdict.

    Conservative: everything that the semantics may ever reject counts.
    """
    match e:
        case Unary("-", arg):
            faults = _overflows(arg, overflow)
        case Binary("+" | "-" | "*", left, _):
            faults = _overflows(left, overflow)
        case Binary("/" | "%", left, Const(value, _)):
            faults = value == 0 or (value == -1 and is_signed(left))
        case Binary("<<" | ">>", left, Const(value, _)):
            faults = not 0 <= value < left.type.bits
            faults |= isinstance(e, Binary) and e.op == "<<" and _loses_bits(left, overflow)
        case Binary("/" | "%" | "<<" | ">>", _, _) | PtrDiff():
            faults = True
        case Compare("<" | "<=" | ">" | ">=", left, _):
            faults = isinstance(left.type, PtrType)
        case Convert(arg, IntType()):
            faults = isinstance(arg.type, PtrType) and not _is_const(arg)
        case Convert(arg, PtrType()):
            faults = isinstance(arg.type, IntType) and arg.type.bits >= 64 and not _is_const(arg)
        case Float("to", _, _):
            faults = True
        case PtrAdd(pointer, moved):
            faults = not (isinstance(pointer, Addr) and _is_const(moved))
        case _:
            faults = False
    return faults or any(may_fault(child, overflow) for child in children(e))


def _is_const(e: Expr) -> bool:
    return isinstance(e, Const)


def _overflows(e: Expr, overflow: Overflow) -> bool:
    return overflow is not Overflow.WRAP and is_signed(e)


def _loses_bits(e: Expr, overflow: Overflow) -> bool:
    return overflow is Overflow.ERROR and is_signed(e)


def node_count(e: Expr) -> int:
    """The number of subexpressions of `e`, itself included."""
    return 1 + sum(map(node_count, children(e)))


def reverse_postorder(
    roots: Iterable[int], successors: Callable[[int], Iterable[int]]
) -> list[int]:
    """The nodes that the roots lead to, by depth-first search: each after those before it on all
    paths (but loops)."""
    order: list[int] = []
    entered: set[int] = set()
    for root in roots:
        path = [] if root in entered else [(root, iter(successors(root)))]
        entered.add(root)
        while path:
            node, rest = path[-1]
            following = next((n for n in rest if n not in entered), None)
            if following is None:
                order.append(node)
                path.pop()
            else:
                entered.add(following)
                path.append((following, iter(successors(following))))
    order.reverse()
    return order


def forwards(template: Template) -> list[int]:
    """The locations that the entry leads to, each after those before it on all paths."""
    locations = template.locations
    return reverse_postorder(
        (template.entry,), lambda i: (e.target for e in locations[i].edges if goes_on(e))
    )
