"""No depth of calls makes each call ask the system for memory."""

from __future__ import annotations

import resource
import threading

from abpress.interpreter import with_room_for_calls

CALLS = 1_000
DEPTHS = 150
"""A frame takes about 100 bytes: the last of these depths is far beyond a chunk of 16 KiB."""


def called(what: int) -> int:
    return what


def faults_of_calls() -> int:
    """How often memory was new to calls of one function, one after the other."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for number in range(CALLS):
        called(number)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def at_depth(depth: int) -> int:
    return at_depth(depth - 1) if depth else faults_of_calls()


def most_faults() -> int:
    return max(map(at_depth, range(DEPTHS)))


def test_a_loop_of_calls_has_memory() -> None:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(with_room_for_calls(most_faults)))
    thread.start()  # its frames are its own: no room was made before
    thread.join()
    assert len(found) == 1
    assert found[0] < CALLS // 10
