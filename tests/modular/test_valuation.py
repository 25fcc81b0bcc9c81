"""What holds in either of two valuations, and how they share what they have in common."""

from __future__ import annotations

from random import Random

from abpress.modular.spots import Spot
from abpress.modular.valuation import Atoms, JoinedParts, Valuation, Variable
from abpress.modular.values import MOST_ATOMS, AddressOf, Atom, Number, Origin, included, union

VARIABLES: tuple[Variable, ...] = (
    *"rstuv",
    *(Spot(Origin("static", -1, f"x{n}"), 4 * k) for n in range(90) for k in range(2)),
)


def some(random: Random) -> Valuation:
    values: dict[Variable, Atoms] = {
        variable: frozenset(Number(random.randrange(3)) for _ in range(2))
        for variable in VARIABLES
        if random.random() < 0.7
    }
    return Valuation.of(values)


def test_a_join_says_what_both_say_also_where_it_is_remembered() -> None:
    random = Random(1)
    joins: JoinedParts = {}
    base = [some(random) for _ in range(4)]
    for _ in range(200):
        a, b = random.choice(base), random.choice(base)
        changed = random.choice(VARIABLES)
        b = b.but([(changed, random.choice((None, frozenset({Number(7)}))))])
        expected = {v: union(a[v], b[v]) for v in a if v in b}
        assert dict(a.joined(b, joins)) == dict(a.joined(b)) == expected


def address(random: Random) -> Atom:
    if not random.randrange(4):
        return Number(random.randrange(3))
    stride = random.choice((0, 0, 0, 4, 6, 8))
    origin = Origin("heap", 0, random.choice("pq"))
    offset = random.randrange(stride or 40)
    return AddressOf(origin, offset, stride, random.random() < 0.8, random.random() < 0.8)


def test_what_is_in_either_set_of_addresses_is_in_the_union() -> None:
    random = Random(3)
    large = 0
    for _ in range(2000):
        a, b = ({address(random) for _ in range(random.randrange(1, 9))} for _ in range(2))
        both = union(frozenset(a), frozenset(b))
        assert both is not None
        assert len(both) <= MOST_ATOMS
        assert all(included(frozenset({atom}), both) for atom in a | b)
        large += len(a | b) > MOST_ATOMS
    assert large


def test_a_join_with_what_says_no_less_is_the_same_object() -> None:
    a = some(Random(2))
    more = a.but([("r", frozenset({Number(0)})), (VARIABLES[-1], frozenset({Number(1)}))])
    less = more.joined(a)
    assert less.joined(more) is less


def test_valuations_that_say_the_same_share_parts() -> None:
    a, b = some(Random(3)), some(Random(3))
    assert a == b
    assert all(x is y for x, y in zip(b.like(a).parts, a.parts, strict=True))
    other = b.but([("r", frozenset({Number(9)}))]).like(a)
    assert other.value("r") == frozenset({Number(9)})
    assert sum(x is not y for x, y in zip(other.parts, a.parts, strict=True)) == 1
