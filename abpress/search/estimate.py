"""How much of a tree of executions has been explored, as an estimate."""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import SearchPath, ThreadChoice


def share_explored(path: SearchPath, choice: ThreadChoice) -> float:
    """Between 0 and 1: the probability that a random walk from the root ends in what is explored.

    At each node the walk takes any of the threads that are done, under way or planned, and any of
    its steps, each with the same probability. The number of executions, divided by the share, is
    the weighted backtrack estimate of how many there are, [TreeSize06]. What races will add is not
    known yet, so the share is too large rather than too small, and may become smaller as the search
    goes on.
    """
    share, weight = 0.0, 1.0
    for node, event in zip(path.nodes, path.execution.events, strict=False):
        branches = len(node.done) + choice.planned(node) + 1
        weight /= branches
        share += weight * len(node.done)
        steps = node.next_of(event.thread).steps
        if len(steps) > 1:
            weight /= len(steps)
            share += weight * next(k for k, s in enumerate(steps) if s.choices == event.choices)
    return share
