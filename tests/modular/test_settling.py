"""How many edges analyses may follow, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from abpress.ir.reader import parse_program
from abpress.modular.settling import LoopOrders, Visits, steps_for
from tests.strategies.ir_racing import racing_program


def test_the_bound_of_steps_grows_with_the_program() -> None:
    program = parse_program(racing_program(1), "random")
    edges = sum(len(at.edges) for t in program.templates.values() for at in t.locations)
    assert steps_for(program, 5, 60) == 60 * edges
    assert steps_for(program, 60 * edges + 1, 60) == 60 * edges + 1


def test_locations_are_visited_in_their_order_once_each() -> None:
    program = parse_program(racing_program(1), "random")
    orders = LoopOrders()
    template = program.templates[program.main]
    order = orders.of(template)
    assert orders.of(template) is order
    visited: list[int] = []

    def visit(i: int, heads: Collection[int]) -> Iterator[int]:
        visited.append(i)
        yield from ()

    visits = Visits(program)
    visits.due((program.main, i) for i in reversed(order.rank) if i % 2 == 0)
    visits.run(program.main, visit)
    assert visited == [i for i in order.rank if i % 2 == 0] != []
