"""Uses of the library that are undefined and that no model looks for: a verdict says that it
assumes none, where the text of a program does not exclude them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress.ir.expr import Addr, Expr
from abpress_frontend.lower.ctypes import CArray, CRecord, CType, Definition
from abpress_frontend.lower.syntax import mentions
from abpress_frontend.tree import subtrees

SYNCHRONISATION = frozenset(
    {"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "sem_t"}
    | {"mtx_t", "cnd_t"}
)
"""Types of which only the object itself may be used, not a copy (POSIX.1-2024 2.9.9)."""

LIBRARY_OBJECTS = SYNCHRONISATION | {
    f"pthread_{what}attr_t" for what in ("", "mutex", "cond", "rwlock", "barrier")
}
"""Records of the thread library: it may access them while another thread does."""

SCALAR_OBJECTS = ("pthread_spin_", "pthread_once")
"""Beginnings of the names of models whose pointer parameters are to such objects, scalars."""

COPYING = frozenset({"strcpy", "strncpy", "strcat", "strncat"})
"""Models that copy strings, of which the areas must not overlap (C11 7.24.2)."""

WAITING = frozenset({"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait"}) | {
    "cnd_wait",
    "cnd_timedwait",
}

INITIALISING = frozenset(
    {"pthread_mutex_init", "pthread_cond_init", "pthread_rwlock_init", "pthread_barrier_init"}
    | {"pthread_spin_init", "sem_init", "mtx_init", "cnd_init"}
)

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Goto, c_ast.Label)


def knows_waiters(options: ProgramOptions) -> bool:
    """Whether the models find misuse of condition variables while threads wait: that is asked for,
    and who waits is recorded in some executions."""
    return options.misuse and options.spurious_wakeups != "on"


def contains(type: CType, definitions: frozenset[Definition]) -> bool:
    """Whether an object of the type has one of these definitions in it."""
    if isinstance(type, CArray):
        return contains(type.element, definitions)
    if not isinstance(type, CRecord):
        return False
    members = type.fields or ()
    return type.definition in definitions or any(contains(f.type, definitions) for f in members)


def may_overlap(arguments: Sequence[Expr]) -> bool:
    """Whether the two areas may have bytes in common: not if they begin in different objects."""
    target, source = arguments[:2]
    if isinstance(target, Addr) and isinstance(source, Addr):
        return target.object == source.object
    return True


class Waits:
    """Which mutexes a program waits with, for each condition variable. Mutable."""

    def __init__(self) -> None:
        self._mutexes: dict[Expr, Expr] = {}

    def may_differ(self, cond: Expr, mutex: Expr) -> bool:
        """Notes a wait; whether another one may be for the same variable with another mutex."""
        if not (isinstance(cond, Addr) and isinstance(mutex, Addr)):
            return True
        return self._mutexes.setdefault(cond, mutex) != mutex


def initialised_twice(ast: c_ast.Node, entry: str, used: frozenset[str]) -> list[str]:
    """The functions, of those that the program uses, that may initialise what is initialised: they
    are called elsewhere than once for each variable, by the entry function outside of loops."""
    names = INITIALISING & used
    if not names:
        return []
    calls = list(_calls(ast, names))
    seen: set[str] = set()
    wrong: set[str] = {n for n in names if mentions(ast, n) != sum(c == n for c, _, _ in calls)}
    declared = {n.name for n in subtrees(ast) if isinstance(n, c_ast.Decl) and n.init is not None}
    for name, call, around in calls:
        functions = [n for n in around if isinstance(n, c_ast.FuncDef)]
        target = call.args.exprs[0] if call.args else None
        variable = None
        match target:
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=found)):
                variable = found
            case _:
                pass
        once = [f.decl.name for f in functions] == [entry] and not any(
            isinstance(n, _LOOPS) for n in around
        )
        jumps = any(isinstance(n, c_ast.Goto) for f in functions for n in subtrees(f))
        again = jumps or not once or mentions(ast, entry) > 0
        if variable is None or again or variable in seen | declared:
            wrong.add(name)
        else:
            seen.add(variable)
    return sorted(wrong)


def _calls(
    node: c_ast.Node, names: frozenset[str], around: tuple[c_ast.Node, ...] = ()
) -> Iterator[tuple[str, c_ast.FuncCall, tuple[c_ast.Node, ...]]]:
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in names:
            yield name, node, around
        case _:
            pass
    for _, child in node.children():
        yield from _calls(child, names, (*around, node))
