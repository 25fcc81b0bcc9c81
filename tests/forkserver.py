"""Processes that begin with their modules loaded, which takes most of a short run.

They are copies of a server, of which each process of tests has one.
"""

from __future__ import annotations

import multiprocessing

SERVER = multiprocessing.get_context("forkserver")

_loaded: list[str] = []


def load_first(*modules: str) -> None:
    """The server has loaded these, too, if it has not begun yet."""
    _loaded.extend(module for module in modules if module not in _loaded)
    SERVER.set_forkserver_preload(_loaded)
