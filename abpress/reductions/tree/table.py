"""The reductions of the abstract reachability tree: in which threads a node is expanded.

- `none`: all.
- `peephole`: all but those with a smaller id than the thread that has moved last, if their steps
  were independent of its step (`tree.full`).
- `s-por`: a thread with an invisible step alone, else all.
- `source`, `source+summaries`: `tree.source_sets`; `source` follows the paths behind a node
  instead of keeping summaries.
- `source+abstraction`: as `source+summaries`, but cells that no label can mention do not count.
  The labels prove the same of the program in which these cells get arbitrary values before every
  step, and accesses to them are independent there. When the pool grows, the tree is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abpress.reductions.tree.full import ExpandAll, Peephole
from abpress.reductions.tree.partial import PathSourceSets, TreeSourceSets, TreeSPor
from abpress.reductions.tree.protocol import TreeContext, TreeReduction


@dataclass(frozen=True, slots=True)
class TreeReductionInfo:
    """A reduction; `make` gives it to each tree anew.

    `abstract`: cells that no label can mention do not count.
    """

    make: Callable[[TreeContext], TreeReduction]
    abstract: bool = False


REDUCTIONS: Mapping[str, TreeReductionInfo] = {
    "none": TreeReductionInfo(ExpandAll),
    "peephole": TreeReductionInfo(Peephole),
    "s-por": TreeReductionInfo(TreeSPor),
    "source": TreeReductionInfo(PathSourceSets),
    "source+summaries": TreeReductionInfo(TreeSourceSets),
    "source+abstraction": TreeReductionInfo(TreeSourceSets, abstract=True),
}
"""Name (the value of `--por`) -> reduction."""
