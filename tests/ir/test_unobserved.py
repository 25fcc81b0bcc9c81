"""Accesses and results that nothing observes are dropped; those that may fault or be seen stay."""

from __future__ import annotations

import pytest

from abpress.ir.passes.pipeline import simplify
from abpress.ir.passes.unobserved import drop_unobserved
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program
from tests.ir.bodies import after


def code(*effects: str) -> str:
    return "\n".join(f"  L{k}:\n    {text} -> L{k + 1}" for k, text in enumerate(effects)) + (
        f'\n  L{len(effects)}:\n    exit "done" -> L{len(effects)}'
    )


def kept(*effects: str) -> list[str]:
    """The effects that are left, of main's edges."""
    found = [line for line in after(drop_unobserved, code(*effects)) if not line.startswith("L")]
    return [line.rpartition("->")[0].strip() for line in found[:-1] if line[0] != "-"]


@pytest.mark.parametrize(
    "effects",
    [
        ("a := *&x",),
        ("u := *&x",),
        ("*&x := 1",),
        ("*&s+4 := b",),
        ("a := *&x", "*&x := 2"),
        ("*&x := 1", "*&s := 2", "a := *&x"),
    ],
)
def test_dropped(effects: tuple[str, ...]) -> None:
    # the loads of the first round are gone before the stores are looked at
    assert kept(*effects) == []


@pytest.mark.parametrize(
    "effects",
    [
        ("a := *&x", "*p := a"),
        ("c := *&x",),  # a part of a cell
        ("a := *p",),  # may be NULL
        ("*&x := 1", "a := *&x", "*p := a"),
        ("p := &x", "*&x := 1"),
        ("*&x := (a + 1)",),  # may overflow
        ("*&s := 1", "*(&s + a) := 2"),
        ("copy *&x := *&s, 4", "*&s := 1", "*&x := 1"),
    ],
)
def test_kept(effects: tuple[str, ...]) -> None:
    assert kept(*effects) == [effect.replace("(a + 1)", "a + 1") for effect in effects]


THREADS = """program pointer 4 overflow end
file "a.c"
object x {{4: 0 i32}} = 0
template main entry L0
  register t: u32
  register r: ptr
  L0:
    t := spawn worker 0ptr -> L1
  L1:
    r := join t -> L2
  L2:
    {after} -> L3
  L3:
    exit "done" -> L3
template worker entry L0
  register n: i32
  L0:
    n := any "input" [0, 3] -> L1
  L1:
    finish ptr(n) -> L1
"""


def test_results_that_nobody_reads_become_null() -> None:
    unread = format_program(simplify(parse_program(THREADS.format(after="*&x := 1"))))
    assert "any" not in unread
    read = format_program(simplify(parse_program(THREADS.format(after="when r != 0ptr"))))
    assert "any" in read
