"""Which way to say formulas to z3 a program needs."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.ir.expr import Expr
from abpress.ir.passes.rewrite import map_operands
from abpress.ir.program import Overflow, Program, edges
from abpress.logic.formula import TRUE, no_overflow
from abpress.smt.answer import NotExact
from abpress.smt.integers import IntegerEncoding
from abpress.smt.terms import Terms


def encoding_for(program: Program) -> str:
    """ "int" if linear integers can say everything that the program computes, else "bv".

    What the program never computes (a product of two of its expressions, say) may still be beyond
    integers: then NotExact is raised where it occurs.
    """
    rule, terms = program.signed_overflow, Terms()

    def say(e: Expr) -> Expr:
        """Returns `e`; raises NotExact."""
        try:
            probe.value(e)
            probe.formula(TRUE if rule is Overflow.WRAP else no_overflow(e, rule))
        except UnsupportedError:
            pass  # an unknown pointer: no encoding can say that
        return e

    try:
        for template in program.templates.values():
            probe = IntegerEncoding(terms)  # a name is a register of one template
            for _, edge in edges(template):
                say(edge.guard)
                for effect in edge.effects:
                    map_operands(effect, say)
    except NotExact:
        return "bv"
    return "int"
