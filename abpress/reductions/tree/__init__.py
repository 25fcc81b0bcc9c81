"""Reductions of the abstract reachability tree: the threads in which a node is expanded.

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
