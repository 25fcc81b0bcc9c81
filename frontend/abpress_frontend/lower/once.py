"""Whether a thread may end in a routine of `pthread_once`, as far as the text of a program tells.

The next caller calls it again then. To notice that costs every call some states, and every thread
that ends some steps.
"""

from __future__ import annotations

from collections.abc import Set

from pycparser import c_ast

from abpress_frontend.lower.cancellation import REQUEST
from abpress_frontend.lower.syntax import meaning_variables, mentions
from abpress_frontend.tree import subtrees

ONCE = ("pthread_once", "call_once")
ENDS_THREADS = ("pthread_exit", "thrd_exit")


def may_be_left(ast: c_ast.Node, used: Set[str], handles_signals: bool) -> bool:
    """False only if nobody is cancelled, and no routine comes to a call that ends its thread: by
    itself, or by functions that it names, and so by theirs, none of which calls what is no name of
    a function. Handlers of signals may run in any. `used` are the functions that the program names
    and does not define."""
    if used.isdisjoint(ONCE) or used.isdisjoint((REQUEST, *ENDS_THREADS)):
        return False
    if REQUEST in used or handles_signals:
        return True
    routines = _routines(ast)
    return routines is None or _comes_to_an_end(ast, used, routines)


def _routines(ast: c_ast.Node) -> set[str] | None:
    """What the calls name as routines; None if that is not all."""
    calls = [c for c in subtrees(ast) if isinstance(c, c_ast.FuncCall) and _name(c.name) in ONCE]
    if len(calls) < sum(mentions(ast, name) for name in ONCE):
        return None
    given = [c.args.exprs[1] for c in calls if c.args and len(c.args.exprs) == 2]
    named = {_name(e.expr if isinstance(e, c_ast.UnaryOp) and e.op == "&" else e) for e in given}
    return None if len(given) < len(calls) or "" in named else named


def _comes_to_an_end(ast: c_ast.Node, used: Set[str], routines: Set[str]) -> bool:
    bodies = {n.decl.name: n.body for n in subtrees(ast) if isinstance(n, c_ast.FuncDef)}
    todo, reached = list(routines), set(routines)
    if not bodies.keys() >= routines:
        return True
    functions = {*bodies, *used}
    while todo:
        for node in meaning_variables(bodies[todo.pop()]):
            if isinstance(node, c_ast.FuncCall) and _name(node.name) not in functions:
                return True
            name = _name(node)
            if name in ENDS_THREADS:
                return True
            if name in bodies and name not in reached:
                reached.add(name)
                todo.append(name)
    return False


def _name(node: c_ast.Node) -> str:
    return str(node.name) if isinstance(node, c_ast.ID) else ""
