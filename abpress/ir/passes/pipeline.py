"""The passes in order, to a fixpoint."""

from __future__ import annotations

from functools import partial

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
        program = _simplified(smaller, lifetimes)
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


def _simplified(program: Program, lifetimes: bool) -> Program:
    return prune(map_templates(program, partial(_fixpoint, program, lifetimes)))


def _fixpoint(program: Program, lifetimes: bool, template: Template) -> Template:
    template = compact_template(fold_template(program, template), program.signed_overflow)
    for _ in range(MOST_ROUNDS):
        before = template
        template = promote_template(template, keep_pointers=lifetimes)
        template = propagate_template(template, program.signed_overflow)
        template = prune_template(fold_template(program, template))
        template = remove_dead_in(coalesce_template(template), program.signed_overflow)
        template = compact_template(sink_template(template), program.signed_overflow)
        if template == before:
            break
    return template
