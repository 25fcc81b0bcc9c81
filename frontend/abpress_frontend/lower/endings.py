"""Ends of the program that handlers wait for: those of `atexit`, `at_quick_exit`, and SIGABRT."""

from __future__ import annotations

from pycparser import c_ast

from abpress_frontend.lower.body import Body

HANDLERS = {
    "exit": ("__abp_exits", "__abp_run_at_exit"),
    "quick_exit": ("__abp_exits_quickly", "__abp_run_at_quick_exit"),
    "abort": ("__abp_catches_aborts", "__abp_run_at_abort"),
}
"""How the program ends -> the feature that it has handlers for that, and what runs them."""

LEFT = "main ends by itself: handlers run where the last thread ends, which is not modelled"
"""Why nothing is said of executions in which other threads go on without main."""


def has_handlers(body: Body, how: str) -> bool:
    """Whether handlers may run where the program ends so."""
    return how in HANDLERS and bool(body.unit.features[HANDLERS[how][0]])


def run_handlers(body: Body, how: str, node: c_ast.Node | None) -> None:
    """Calls the handlers for such an end, if there are any."""
    if has_handlers(body, how):
        body.unit.load_model("signal.c" if how == "abort" else "exit.c")
        body.calls.inline(body.unit.models[HANDLERS[how][1]], [], node)
