"""The passes in order, to a fixpoint."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle, islice

from abpress.ir.passes.coalesce import coalesce_template
from abpress.ir.passes.compact import compact_template
from abpress.ir.passes.fold import fold_template
from abpress.ir.passes.inputs import narrow_inputs
from abpress.ir.passes.liveness import remove_dead_in
from abpress.ir.passes.overwritten import drop_overwritten
from abpress.ir.passes.private import with_private_objects
from abpress.ir.passes.promote import promote_template
from abpress.ir.passes.propagate import propagate_template
from abpress.ir.passes.prune import prune, prune_template
from abpress.ir.passes.rewrite import map_templates
from abpress.ir.passes.sink import drop_first_choices, sink_template
from abpress.ir.passes.unobserved import drop_unobserved
from abpress.ir.program import Program, Template

MOST_ROUNDS = 12
"""Each round makes one more level of `&` and `*` direct; more levels stay indirect."""


def simplify(program: Program, every_access: bool = False, lifetimes: bool = False) -> Program:
    """A smaller program with the same violations, deadlocks and faults.

    Inlined parameters become the arguments, local variables registers, inputs get their ranges;
    accesses that nothing observes are gone, unless `every_access` is asked for. With `lifetimes`,
    pointers stay in memory as long as they do in the program, whether anything reads them or not.
    Precondition: `program` is well-formed (`abpress.ir.check`); so is the result.
    """
    program = _simplified(program, lifetimes)
    for _ in range(0 if every_access else MOST_ROUNDS):
        smaller = drop_unobserved(program, keep_pointers=lifetimes)
        if smaller == program:
            break
        program = _simplified(smaller, lifetimes, program)
    return drop_first_choices(narrow_inputs(program))


def without_memory(program: Program) -> Program:
    """A simplified program with the same violations, deadlocks and faults and less in its static
    objects: what main writes there and nobody reads, and what one thread alone uses."""
    for _ in range(MOST_ROUNDS):
        smaller = with_private_objects(drop_overwritten(program))
        if smaller == program:
            break
        program = simplify(smaller)
    return program


def _simplified(program: Program, lifetimes: bool, settled: Program | None = None) -> Program:
    """The program after all passes on its templates, but those that have it behind them in
    `settled`: nothing that they name is another there."""
    done = settled.templates if settled is not None else {}
    passes = partial(_fixpoint, program, lifetimes)
    return prune(map_templates(program, lambda t: t if done.get(t.name) == t else passes(t)))


def _fixpoint(program: Program, lifetimes: bool, template: Template) -> Template:
    overflow = program.signed_overflow
    passes: tuple[Callable[[Template], Template], ...] = (
        lambda t: promote_template(t, keep_pointers=lifetimes),
        lambda t: propagate_template(t, overflow),
        lambda t: prune_template(fold_template(program, t)),
        coalesce_template,
        lambda t: remove_dead_in(t, overflow),
        sink_template,
        lambda t: compact_template(t, overflow),
    )
    template = compact_template(fold_template(program, template), overflow)
    idle = 0  # passes since the last one that changed something
    for step in islice(cycle(passes), MOST_ROUNDS * len(passes)):
        after = step(template)
        idle = idle + 1 if after == template else 0
        template = after
        if idle == len(passes):
            break
    return template
