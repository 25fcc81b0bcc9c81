"""Our libraries: what is right passes, and every bug switch is found by a small client."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from abpress.clients.check import ClientAnswer
from abpress.clients.generate import ClientShape, sampled_clients
from abpress.clients.library import read_library
from tests.clients.client_checks import check
from tests.sampling import examples, sample

LIBRARIES = Path(__file__).resolve().parents[2] / "benchmarks" / "clients"
NAMES = sorted(file.stem for file in LIBRARIES.glob("*.c"))

FINDS = {
    ("set_list_rwlock", "BUG_ADD"): "/ set_add(1) || set_add(2) / set_contains(1)",
    ("set_list_rwlock", "BUG_REMOVE"): (
        "set_add(1); set_add(2) / set_remove(1) || set_remove(2) / set_contains(2)"
    ),
    ("set_list_rwlock", "BUG_CONTAINS"): "set_add(2) / set_contains(2) || set_add(1) /",
    ("set_list_optimistic", "BUG_ADD"): "/ set_add(1) || set_add(2) / set_contains(1)",
    ("set_list_optimistic", "BUG_REMOVE"): "set_add(1) / set_remove(1) || set_remove(1) /",
    ("set_tree_cas", "BUG_ADD"): "/ set_add(1) || set_add(2) / set_contains(1)",
    ("set_tree_cas", "BUG_REMOVE"): "set_add(1) / set_remove(1) || set_remove(1) /",
    ("queue_michael_scott", "BUG_ENQUEUE"): (
        "/ queue_enqueue(1) || queue_enqueue(2) / queue_dequeue(); queue_dequeue()"
    ),
    (
        "queue_michael_scott",
        "BUG_DEQUEUE",
    ): "queue_enqueue(1) / queue_dequeue() || queue_dequeue() /",
    ("stack_treiber", "BUG_PUSH"): "/ stack_push(1) || stack_push(2) / stack_pop(); stack_pop()",
    ("stack_treiber", "BUG_POP"): "stack_push(1) / stack_pop() || stack_pop() /",
    ("map_buckets", "BUG_PUT"): "/ map_put(1, 1) || map_put(3, 1) / map_get(1); map_get(3)",
    ("map_buckets", "BUG_REMOVE"): "map_put(1, 1) / map_remove(1) || map_remove(1) /",
    ("map_buckets", "BUG_GET"): ("map_put(1, 1) / map_get(1) || map_remove(1); map_put(3, 2) /"),
    ("map_lock", "BUG_PUT"): "/ map_put(1, 1) || map_put(2, 2) / map_get(1); map_get(2)",
    ("map_lock", "BUG_REMOVE"): "map_put(1, 1) / map_remove(1) || map_remove(1) /",
    ("map_lock", "BUG_GET"): "map_put(1, 1) / map_get(1) || map_remove(1); map_put(2, 2) /",
}
"""Library and bug switch -> a client that sees it."""


def test_every_bug_switch_is_looked_for() -> None:
    switches = {
        (name, switch)
        for name in NAMES
        for switch in re.findall(r"#ifndef (BUG_\w+)", (LIBRARIES / f"{name}.c").read_text("utf-8"))
    }
    assert len(switches) == 17
    assert set(FINDS) == switches


@pytest.mark.parametrize(("name", "switch"), FINDS, ids=lambda text: text)
def test_a_bug_is_found(name: str, switch: str, tmp_path: Path) -> None:
    library = read_library(LIBRARIES / f"{name}.c")
    client = FINDS[name, switch]
    found = check(tmp_path, library, client, switch)
    assert found.answer is ClientAnswer.FORBIDDEN
    assert found.trace is not None
    assert found.history is not None
    assert [made.number for made in found.history.calls] == [*range(len(found.client.calls))]
    assert all(made.end is not None for made in found.history.calls)
    assert found.history.results not in found.orders


@pytest.mark.parametrize(("name", "switch"), sample([*FINDS], every=2), ids=str)
def test_the_absence_of_a_bug_is_found(name: str, switch: str, tmp_path: Path) -> None:
    """Of each library at least once."""
    library = read_library(LIBRARIES / f"{name}.c")
    assert check(tmp_path, library, FINDS[name, switch]).answer is ClientAnswer.ALLOWED


@pytest.mark.parametrize("name", NAMES)
def test_a_library_without_bugs(name: str, tmp_path: Path) -> None:
    library = read_library(LIBRARIES / f"{name}.c")
    plan = ClientShape(3, 4, before=1, after=1)
    for client in islice(sampled_clients(library, plan, 3, 11), examples(1, whole=3)):
        assert check(tmp_path, library, str(client)).answer is ClientAnswer.ALLOWED, str(client)
    (client,) = sampled_clients(library, ClientShape(2, 3), 1, 11)
    assert check(tmp_path, library, str(client), real_time=True).answer is ClientAnswer.ALLOWED, (
        str(client)
    )


def test_a_bug_may_depend_on_the_call(tmp_path: Path) -> None:
    library = read_library(LIBRARIES / "set_list_rwlock.c")
    for first, answer in ((1, ClientAnswer.FORBIDDEN), (3, ClientAnswer.ALLOWED)):
        client = f"/ set_add({first}) || set_add(2) / set_contains(2)"
        assert check(tmp_path, library, client, "BUG_ADD=key == 1").answer is answer
