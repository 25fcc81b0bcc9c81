"""What the models have to do for a program: constants 0 or 1 that they read, without declaration.

What few programs need and costs states stands in the models behind such a constant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Set

from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress_frontend.lower.cancellation import CANCELS, REQUEST
from abpress_frontend.lower.endings import HANDLERS
from abpress_frontend.lower.joins import (
    JOINING,
    ThreadUses,
    ids_read_elsewhere,
    may_join_in_a_circle,
    may_join_twice,
)
from abpress_frontend.lower.once import may_be_left
from abpress_frontend.lower.syntax import mentions
from abpress_frontend.lower.thread_ids import COMPARED
from abpress_frontend.tree import subtrees

SHOWS_ADDRESSES = "__abp_prints_addresses"
"""The feature that %p may stand in a format of printf."""

ROBUST = "__abp_robust"
"""The feature that mutexes may be robust."""

MAKES_ROBUST = ("pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np")

READS_ERRNO = "__abp_reads_errno"
"""The feature that the program may read `errno`."""

SETS_HANDLERS = ("signal", "sigaction")
SIGABRT = 6

KILLS = ("kill", "sigqueue")
"""The functions that send signals to processes."""

USERS = {
    "__abp_detaches": ("pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"),
    COMPARED: ("pthread_equal", "thrd_equal", REQUEST, "pthread_kill", *KILLS),
    "__abp_blocks_signals": (
        *("pthread_sigmask", "sigprocmask", "signal", "sigaction"),
        *KILLS,
    ),
    "__abp_sends_signals": ("raise", "pthread_kill", "pause", "sigsuspend", *KILLS),
    "__abp_awaits_signals": ("sigwait", "sigwaitinfo", "sigtimedwait"),
    "__abp_kills": KILLS,
    "__abp_polls": ("epoll_create", "epoll_create1"),
    CANCELS: (REQUEST,),
    ROBUST: MAKES_ROBUST,
    READS_ERRNO: ("__errno_location",),
    HANDLERS["exit"][0]: ("atexit",),
    HANDLERS["quick_exit"][0]: ("at_quick_exit",),
}
"""Feature -> the functions of which a program that needs it names one."""

DESTROYERS = {
    "__abp_barriers_destroyed": ("pthread_barrier_destroy",),
    "__abp_conds_destroyed": ("pthread_cond_destroy", "cnd_destroy"),
}
"""Feature -> the functions that end the use of objects, of which the memory may end then, too."""

_BARRIER = "pthread_barrier_wait"

SHOWS_REALS, SHOWS_EXPONENTS = "__abp_prints_reals", "__abp_prints_exponents"
"""The features that formats show numbers with a point, or an exponent."""
ONCE_IS_LEFT = "__abp_once_may_be_left"
"""The feature that a thread may end in a routine of `pthread_once`."""
SERIAL = "__abp_serial_is_told"
"""The feature that a thread learns whether it is the serial one at a barrier."""


def features(
    ast: c_ast.Node, used: Set[str], options: ProgramOptions, needed: Collection[str] = ()
) -> dict[str, int]:
    """The features of a program; `used` are the functions that it names and does not define,
    `needed` the features that its lowering asked for."""
    wakeups = options.spurious_wakeups
    uses = ThreadUses(ast)
    found = {
        "__abp_spurious_wakeups": wakeups == "on",
        "__abp_spurious_wakeups_chosen": wakeups == "chosen",
        "__abp_misuse_counts": options.misuse,
        "__abp_reads_text": options.reads_text,
        "__abp_malloc_may_fail": options.malloc_may_fail,
        "__abp_creation_may_fail": options.creation_may_fail,
        "__abp_spurious_failures": options.spurious_failures == "on",
        ONCE_IS_LEFT: may_be_left(ast, used, not used.isdisjoint(SETS_HANDLERS)),
        SERIAL: _BARRIER in used and _result_is_used(ast, _BARRIER),
        "__abp_may_join_twice": (
            not used.isdisjoint(JOINING) and may_join_twice(uses, options.entry, used)
        ),
        "__abp_may_join_in_a_circle": (
            not used.isdisjoint(JOINING) and may_join_in_a_circle(uses, options.entry)
        ),
        "__abp_ids_stored_late": (
            not options.every_access
            and "pthread_create" in used
            and ids_read_elsewhere(uses, options.entry, used)
        ),
        SHOWS_REALS: _has_text(ast, _REALS),
        SHOWS_EXPONENTS: _has_text(ast, _EXPONENTS),
        SHOWS_ADDRESSES: _has_text(ast, _ADDRESSES),
        "__abp_numbers_process": (
            not used.isdisjoint(("gettid", "syscall"))
            or ("getpid" in used and _process_is_looked_at(ast))
        ),
        HANDLERS["abort"][0]: not used.isdisjoint(SETS_HANDLERS) and _may_catch_aborts(ast),
        "__abp_seeds_again": "srand" in used and _may_seed_again(ast, options.entry),
        **{name: not used.isdisjoint(users) for name, users in USERS.items()},
        **{
            name: any(_may_be_mortal(ast, function) for function in functions if function in used)
            for name, functions in DESTROYERS.items()
        },
    }
    return {name: int(holds or name in needed) for name, holds in found.items()}


def decision(condition: c_ast.Node, features: Mapping[str, int]) -> bool | None:
    """Which way a condition goes that features decide, before anything else in it is evaluated;
    None for others. What is never done for a program need not be lowered."""
    match condition:
        case c_ast.ID(name=name) if name in features:
            return bool(features[name])
        case c_ast.UnaryOp(op="!", expr=inner):
            value = decision(inner, features)
            return None if value is None else not value
        case c_ast.BinaryOp(op="&&" | "||" as op, left=left, right=right):
            value = decision(left, features)
            return value if value in (None, op == "||") else decision(right, features)
    return None


_REALS = re.compile(r"%[-+ #0-9.*]*[lL]?[fF]")
_EXPONENTS = re.compile(r"%[-+ #0-9.*]*[lL]?[aAeEgG]")
_ADDRESSES = re.compile(r"%[-+ #0-9.*]*p")


_SHOWING = frozenset({"printf", "fprintf", "syslog", *KILLS})


def _may_catch_aborts(ast: c_ast.Node) -> bool:
    """Whether there may be a handler of SIGABRT: one is set of that number, or of one that is no
    constant."""
    for call in subtrees(ast):
        if isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID):
            number = call.args.exprs[0] if call.args else None
            other = isinstance(number, c_ast.Constant) and number.value != str(SIGABRT)
            if call.name.name in SETS_HANDLERS and not other:
                return True
    return any(mentions(ast, name) > _calls(ast, name) for name in SETS_HANDLERS)


def _calls(ast: c_ast.Node, name: str) -> int:
    return sum(
        isinstance(call, c_ast.FuncCall)
        and isinstance(call.name, c_ast.ID)
        and call.name.name == name
        for call in subtrees(ast)
    )


def _process_is_looked_at(ast: c_ast.Node) -> bool:
    """Whether the number of the process is used otherwise than to show it, or to send it signals,
    or signals are sent to other numbers."""
    shown, sent = 0, 0
    for call in subtrees(ast):
        if isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID):
            given = [_is_own_number(a) for a in (call.args.exprs if call.args else ())]
            shown += sum(given) if call.name.name in _SHOWING else 0
            sent += call.name.name in KILLS and given[0]
    return mentions(ast, "getpid") > shown or sum(mentions(ast, k) for k in KILLS) > sent


def _is_own_number(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and mentions(node.name, "getpid") == 1


def _has_text(ast: c_ast.Node, pattern: re.Pattern[str]) -> bool:
    """Whether a literal has such a part."""
    return any(
        isinstance(node, c_ast.Constant) and node.type == "string" and pattern.search(node.value)
        for node in subtrees(ast)
    )


def ignored_calls(ast: c_ast.Node) -> Iterator[c_ast.Node]:
    """The calls that are statements of which nobody uses the value."""
    return (call for call in _statements(ast) if isinstance(call, c_ast.FuncCall))


def _result_is_used(ast: c_ast.Node, function: str) -> bool:
    """Whether the function is mentioned elsewhere than in an ignored call."""
    if mentions(ast, function) == 0:
        return False
    ignored = [call.name for call in ignored_calls(ast)]
    named = [c for c in ignored if isinstance(c, c_ast.ID) and c.name == function]
    return mentions(ast, function) > len(named)


def _may_be_mortal(ast: c_ast.Node, function: str) -> bool:
    """False only if each mention of the function is a call for a variable that is declared at file
    level, and in no function."""
    functions = (node for _, node in ast.children() if isinstance(node, c_ast.FuncDef))
    inner = {n.name for f in functions for n in subtrees(f) if isinstance(n, c_ast.Decl)}
    static = {n.name for _, n in ast.children() if isinstance(n, c_ast.Decl)} - inner
    calls = 0
    for node in subtrees(ast):
        match node:
            case c_ast.FuncCall(
                name=c_ast.ID(name=name),
                args=c_ast.ExprList(exprs=[c_ast.UnaryOp(op="&", expr=c_ast.ID(name=object))]),
            ) if name == function and object in static:
                calls += 1
            case _:
                pass
    return calls < mentions(ast, function)


def _may_seed_again(ast: c_ast.Node, entry: str) -> bool:
    """False only if `srand` is called once, by the entry function, outside of loops and before
    other functions are called but those that its argument calls: what `rand` gives before is what
    it gives after `srand(1)` (ISO C 7.22.2.2)."""
    if mentions(ast, "srand") != 1 or mentions(ast, entry):
        return True
    for function in subtrees(ast):
        if isinstance(function, c_ast.FuncDef) and function.decl.name == entry:
            for item in function.body.block_items or ():
                if mentions(item, "srand"):
                    return not (
                        isinstance(item, c_ast.FuncCall)
                        and isinstance(item.name, c_ast.ID)
                        and item.name.name == "srand"
                    )
                if any(isinstance(n, c_ast.FuncCall | c_ast.Label) for n in subtrees(item)):
                    return True
    return True


_BODIES = (
    c_ast.Case, c_ast.Compound, c_ast.Default, c_ast.DoWhile, c_ast.For, c_ast.FuncDef, c_ast.If,
    c_ast.Label, c_ast.Switch, c_ast.While,
)  # fmt: skip


def _statements(node: c_ast.Node, is_statement: bool = True) -> Iterator[c_ast.Node]:
    """The expressions that are statements of a block of which the value is not used."""
    for label, child in node.children():
        inside = isinstance(node, c_ast.FileAST) or (
            isinstance(node, _BODIES) and label not in ("cond", "init", "next", "expr", "decl")
        )
        last = isinstance(node, c_ast.Compound) and child is (node.block_items or [None])[-1]
        if inside and (is_statement or not last):
            yield child
            yield from _statements(child)
        else:
            yield from _statements(child, not isinstance(child, c_ast.Compound))
