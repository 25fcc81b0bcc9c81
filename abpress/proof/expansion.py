"""When it suffices that a node is expanded in some of its threads.

One thread t suffices at a node if (see `abpress.por.s_por` for the theorem of S-POR)

1. the next step of t is invisible, whatever is chosen;
2. all its steps are in the certificate (that is checked for every expanded thread);
3. in every state of the node some step of t is possible and ends in no error: then t neither waits
   nor hides what others do;
4. every cycle of child and cover edges has a node that is expanded in all threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from abpress.ir.expr import Compare, Const, Expr, Reg
from abpress.ir.formula import Formula, conj, disj, holds, substitute
from abpress.proof.certificate import Rejected
from abpress.semantics.discrete import Input, SymbolicStep


def goes_on(steps: Iterable[SymbolicStep]) -> Formula:
    """A formula that implies that one of the steps is possible and ends the execution in no error.

    Arbitrary values are tried out: the least, the greatest, and the one nearest to 0.
    """
    return disj(
        way
        for step in steps
        if step.violation is None and step.fault is None
        for way in _ways(step)
    )


def _ways(step: SymbolicStep) -> Iterator[Formula]:
    guard = conj(step.guard)
    if not step.inputs:
        yield guard
        return
    for pick in (_least, _greatest, _nearest):
        values: dict[str, Expr] = {i.name: Const(pick(i), i.type) for i in step.inputs}
        yield substitute(guard, values)


def _least(i: Input) -> int:
    return i.low


def _greatest(i: Input) -> int:
    return i.high


def _nearest(i: Input) -> int:
    return min(max(0, i.low), i.high)


def always_goes_on(steps: Iterable[SymbolicStep]) -> tuple[Formula, Formula] | None:
    """If the first formula implies the second, a step is possible for all arbitrary values, too.

    The first says which values inputs have; None if they have different ones in different steps.
    """
    steps = tuple(steps)
    inputs: dict[str, Input] = {}
    for step in steps:
        for i in step.inputs:
            other = inputs.setdefault(i.name, i)
            if (other.type, other.low, other.high) != (i.type, i.low, i.high):
                return None
    ranges = [
        holds(Compare(op, Reg(i.name, i.type), Const(bound, i.type)))
        for i in inputs.values()
        for op, bound in ((">=", i.low), ("<=", i.high))
    ]
    return conj(ranges), disj(conj(step.guard) for step in steps)


def require_progress(edges: Mapping[int, Iterable[int]]) -> None:
    """`edges` of all nodes that are not expanded in all threads. Raises Rejected for a cycle."""
    among = {n: [m for m in targets if m in edges] for n, targets in edges.items()}
    try:
        TopologicalSorter(among).prepare()
    except CycleError as error:
        cycle = " -> ".join(str(n) for n in reversed(error.args[1]))
        raise Rejected(f"no node of the cycle {cycle} is expanded in all threads") from error
