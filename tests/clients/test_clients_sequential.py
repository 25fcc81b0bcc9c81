"""The allowed results of clients of our libraries, against models in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, permutations
from pathlib import Path

import pytest

from abpress.clients.client import Call, Client
from abpress.clients.generate import ClientShape, sampled_clients
from abpress.clients.library import read_library
from abpress.clients.sequential import Order, Results, allowed
from abpress.config import Config
from abpress.search.limits import Limits
from tests.sampling import examples

LIBRARIES = Path(__file__).resolve().parents[2] / "benchmarks" / "clients"

Model = Callable[[], Callable[[Call], int | None]]


def a_set() -> Callable[[Call], int | None]:
    elements: set[int] = set()

    def run(call: Call) -> int:
        (key,) = call.arguments
        found = key in elements
        if call.operation == "set_add":
            elements.add(key)
            return not found
        if call.operation == "set_remove":
            elements.discard(key)
        return found

    return run


def a_map() -> Callable[[Call], int | None]:
    entries: dict[int, int] = {}

    def run(call: Call) -> int:
        key = call.arguments[0]
        old = entries.get(key, 0)
        if call.operation == "map_put":
            entries[key] = call.arguments[1]
        elif call.operation == "map_remove":
            entries.pop(key, None)
        return old

    return run


def a_sequence(taken: int) -> Callable[[Call], int | None]:
    elements: list[int] = []

    def run(call: Call) -> int | None:
        if call.arguments:
            elements.extend(call.arguments)
            return None
        return elements.pop(taken) if elements else 0

    return run


MODELS: dict[str, Model] = {
    "set_list_rwlock": a_set,
    "set_list_optimistic": a_set,
    "set_tree_cas": a_set,
    "queue_michael_scott": lambda: a_sequence(0),
    "stack_treiber": lambda: a_sequence(-1),
    "map_buckets": a_map,
    "map_lock": a_map,
}


def test_every_library_has_a_model() -> None:
    assert {file.stem for file in LIBRARIES.glob("*.c")} == set(MODELS)


def orders(client: Client) -> set[Order]:
    owners = [thread for thread, calls in enumerate(client.threads) for _ in calls]
    return set(permutations(owners))


def sequential(client: Client, order: Order, model: Model) -> Results:
    run = model()
    results: dict[int, int | None] = {}
    rest = [iter(numbers) for numbers in client.numbers]

    def numbers() -> Iterator[int]:
        yield from range(len(client.before))
        yield from (next(rest[thread]) for thread in order)
        yield from client.numbers_after

    for number in numbers():
        results[number] = run(client.calls[number])
    return tuple(results[number] for number in sorted(results))


@pytest.mark.parametrize("name", MODELS)
def test_allowed_results_are_those_of_the_model(name: str, tmp_path: Path) -> None:
    library = read_library(LIBRARIES / f"{name}.c")
    plan = ClientShape(3, 5, before=1, after=2, values=2)
    for number, client in enumerate(
        islice(sampled_clients(library, plan, 2, 5), examples(1, whole=2))
    ):
        config = Config.of(Path())
        file = tmp_path / f"{number}.c"
        found = allowed(client, library, config, Limits(), file, orders=True)
        assert found.doubt is None
        expected: dict[Results, set[Order]] = {}
        for order in orders(client):
            expected.setdefault(sequential(client, order, MODELS[name]), set()).add(order)
        assert {results: set(given) for results, given in found.orders.items()} == expected
        assert len(expected) > 1
        without = allowed(client, library, config, Limits(), file, orders=False)
        assert set(without.orders) == set(expected)
