"""Constant folding, before and after in text form."""

from __future__ import annotations

import pytest

from abpress.ir.passes.fold import fold
from tests.ir.bodies import after, body_of, program_of


@pytest.mark.parametrize(
    ("before", "folded"),
    [
        ("a := 2 + 3", "a := 5"),
        ("a := 2147483647 + 1", "a := 2147483647 + 1"),
        ("a := -2147483648 - 1", "a := -2147483648 - 1"),
        ("a := 65536 * 65536", "a := 65536 * 65536"),
        ("u := 4294967295u32 + 2u32", "u := 1u32"),
        ("u := 0u32 - 1u32", "u := 4294967295u32"),
        ("a := -7 / 2", "a := -3"),
        ("a := -7 % 2", "a := -1"),
        ("a := 7 % -2", "a := 1"),
        ("a := 1 / 0", "a := 1 / 0"),
        ("a := -2147483648 / -1", "a := -2147483648 / -1"),
        ("a := -2147483648 % -1", "a := -2147483648 % -1"),
        ("a := 1 << 31", "a := -2147483648"),
        ("a := 1 << 32", "a := 1 << 32"),
        ("a := 1 << -1", "a := 1 << -1"),
        ("a := -1 >> 31", "a := -1"),
        ("u := 4294967295u32 >> 31", "u := 1u32"),
        ("a := -(-2147483648)", "a := -(-2147483648)"),
        ("u := -(1u32)", "u := 4294967295u32"),
        ("c := ~(1u8)", "c := 254u8"),
        ("a := a + 0", "a := a"),
        ("a := a * 0", "a := 0"),
        ("a := (a + 1) * 0", "a := (a + 1) * 0"),
        ("a := (a / b) & 0", "a := (a / b) & 0"),
        ("u := (u + 1u32) & 0u32", "u := 0u32"),
        ("c := u8(257)", "c := 1u8"),
        ("a := i32(4294967295u32)", "a := -1"),
        ("a := i32(u8(a))", "a := i32(u8(a))"),
        ("c := u8(i32(u))", "c := u8(u)"),
        ("u := u32(i32(c))", "u := u32(c)"),
        ("a := i32(u8(a < b))", "a := a < b"),
        ("a := i32(c) < 256", "a := 1"),
        ("a := i32(c) == -1", "a := 0"),
        ("a := i32(c) < 7", "a := c < 7u8"),
        ("a := 7 > i32(c)", "a := c < 7u8"),
        ("a := (a < b) != 0", "a := a < b"),
        ("a := (a < b) == 0", "a := a >= b"),
        ("a := (a < b) == 2", "a := (a < b) == 2"),
        ("a := i32(u8(a < b)) != 0", "a := a < b"),
        ("p := &s + 4", "p := &s+4"),
        ("p := &s + 12", "p := &s + 12"),
        ("p := &s + -4", "p := &s + -4"),
        ("p := (p + 4) + -4", "p := p"),
        ("p := (p + 2147483647) + 1", "p := (p + 2147483647) + 1"),
        ("p := ptr(-1)", "p := 4294967295ptr"),
        ("a := i32(4294967295ptr)", "a := -1"),
        ("a := i32(&x)", "a := i32(&x)"),
        ("a := &s+4 -i32 &s", "a := 4"),
        ("a := &x -i32 &s", "a := &x -i32 &s"),
        ("a := &x == 0ptr", "a := 0"),
        ("a := &x != &s", "a := 1"),
        ("a := &x < &s", "a := &x < &s"),
        ("a := &f() == &g()", "a := 0"),
        ("a := p == &x", "a := p == &x"),
    ],
)
def test_fold(before: str, folded: str) -> None:
    assert after(fold, f"  L0:\n    {before} -> L0") == ["L0:", f"{folded} -> L0"]


def test_fold_wraps_where_overflow_wraps() -> None:
    program = program_of("  L0:\n    a := (2147483647 + 1) + (a * 0) -> L0", overflow="wrap")
    assert body_of(fold(program)).endswith("a := -2147483648 -> L0")


def test_what_a_shift_loses_is_an_error_only_where_overflow_is_one() -> None:
    body = "  L0:\n    a := (3 << 29) + (1 << 31) -> L0"
    for rule in "wrap", "end":
        assert body_of(fold(program_of(body, overflow=rule))).endswith("a := -536870912 -> L0")
    kept = body_of(fold(program_of(body, overflow="error")))
    assert kept.endswith("a := 1610612736 + (1 << 31) -> L0")


def test_fold_removes_edges_that_are_never_taken() -> None:
    body = """
  L0:
    when 1 < 2 -> L1
    when 1 >= 2 -> L0
  L1:
    await 0 -> L0
"""
    assert after(fold, body) == ["L0:", "-> L1", "L1:", "await 0 -> L0"]
