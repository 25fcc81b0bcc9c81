"""Generated clients: all of them once, or a sample that depends on the seed alone."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from abpress.clients.client import Call, Client, parse_client
from abpress.clients.generate import SHARES, ClientShape, all_clients, sampled_clients
from abpress.clients.library import Library, Operation
from abpress.errors import NOWHERE, InputError

LIBRARY = Library(
    Path("set.c"),
    (
        Operation("add", ((1, 2, 3),), True, NOWHERE),
        Operation("clear", (), False, NOWHERE),
    ),
    None,
)
CALLS = [*(Call("add", (value,), True) for value in (1, 2, 3)), Call("clear", (), False)]


def shape(client: Client) -> tuple[int, int, int, int]:
    calls = sum(map(len, client.threads))
    return len(client.threads), calls, len(client.before), len(client.after)


@pytest.mark.parametrize(("threads", "calls"), [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4)])
def test_all_clients_are_there_once(threads: int, calls: int) -> None:
    found = list(all_clients(LIBRARY, ClientShape(threads, calls)))
    assert {shape(client) for client in found} == {(threads, calls, 0, 0)}
    unordered = [tuple(sorted(client.threads)) for client in found]
    assert len(set(unordered)) == len(unordered)
    expected = {
        tuple(sorted(split))
        for lengths in product(range(1, calls + 1), repeat=threads)
        if sum(lengths) == calls
        for split in product(*(product(CALLS, repeat=length) for length in lengths))
    }
    assert set(unordered) == expected


def test_calls_of_main_multiply() -> None:
    alone = len(list(all_clients(LIBRARY, ClientShape(2, 2))))
    found = list(all_clients(LIBRARY, ClientShape(2, 2, before=1, after=2)))
    assert len(set(found)) == len(found) == alone * 4**3
    assert {shape(client) for client in found} == {(2, 2, 1, 2)}


def test_fewer_values() -> None:
    found = list(all_clients(LIBRARY, ClientShape(2, 2, values=1)))
    assert {str(call) for client in found for call in client.calls} == {"add(1)", "clear()"}


@pytest.mark.parametrize("share", SHARES)
def test_the_share_of_the_focus(share: str) -> None:
    plan = ClientShape(2, 4, focus=("add(2)", "clear"), share=share)
    found = [*all_clients(LIBRARY, plan), *sampled_clients(LIBRARY, plan, 30, 1)]
    assert len(found) > 30
    for client in found:
        focused = [c for t in client.threads for c in t if str(c) in ("add(2)", "clear()")]
        assert len(focused) == {"all": 4, "half": 2, "one": 1, "none": 0}[share]


def test_a_sample_depends_on_the_seed_alone() -> None:
    plan = ClientShape(3, 5, before=1, after=1)
    first = list(sampled_clients(LIBRARY, plan, 50, 7))
    assert first == list(sampled_clients(LIBRARY, plan, 50, 7))
    assert first != list(sampled_clients(LIBRARY, plan, 50, 8))
    assert len(set(first)) == 50
    assert {shape(client) for client in first} == {(3, 5, 1, 1)}


def test_contention_varies_in_a_sample() -> None:
    clients = list(sampled_clients(LIBRARY, ClientShape(3, 6), 60, 0))
    numbers = {len({c.arguments for c in client.calls if c.arguments}) for client in clients}
    assert {1, 2, 3} <= numbers
    few = sampled_clients(LIBRARY, ClientShape(3, 6, values=1), 60, 0)
    assert {len({c.arguments for c in client.calls if c.arguments}) for client in few} <= {0, 1}


def test_a_sample_of_few_clients_is_all_of_them() -> None:
    plan = ClientShape(2, 2, values=2)
    some = set(sampled_clients(LIBRARY, plan, 1000, 0))
    unordered = {tuple(sorted(client.threads)) for client in some}
    assert len(unordered) == len(some)
    assert {t for client in some for t in client.threads} == {(call,) for call in CALLS}


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (ClientShape(3, 2), "3 threads with 2 calls"),
        (ClientShape(2, 2, focus=("remove",), share="one"), "--focus remove: .* has no such call"),
        (
            ClientShape(2, 2, focus=("add", "clear"), share="none"),
            "--share none: .* no such clients",
        ),
    ],
)
def test_plans_without_clients(plan: ClientShape, message: str) -> None:
    for clients in (all_clients(LIBRARY, plan), sampled_clients(LIBRARY, plan, 1, 0)):
        with pytest.raises(InputError, match=message):
            next(clients)


@pytest.mark.parametrize(
    "text",
    [
        "add(1); clear() || add(2)",
        "add(1)",
        "add(3); add(1) / clear() || clear() / add(2)",
        "/ clear() / add(2)",
        "add(2) / clear() /",
    ],
)
def test_the_text_of_a_client(text: str) -> None:
    assert str(parse_client(text, LIBRARY)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add(1) ||", "a thread without calls"),
        ("add(1) / add(2)", "it is THREADS, or BEFORE / THREADS / AFTER"),
        ("add 1", "'add 1' is not a call such as add"),
        ("add(1, 2)", "1 numbers are expected"),
        ("add(x)", "1 numbers are expected"),
        ("remove(1)", r"has no operation 'remove' \(it has add, clear\)"),
    ],
)
def test_texts_that_are_no_clients(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_client(text, LIBRARY)
