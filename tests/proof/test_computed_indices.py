"""Certificates of accesses by indices that are divided, wrap around, or are distances of pointers.

Takes NOTE(valid-accesses) at its word: each wrong program differs from a right one in a number, an
operator, or an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.modular.bounds.analysis import find
from abpress.proof.bounds.certificate import BoundsStand
from abpress.proof.bounds.check import check_bounds, valid_if_asked
from abpress.proof.certificate import Rejected
from tests.proof.test_bounds import certified, program_of
from tests.proof.test_indexed_pointers import MADE, TEXT, changed

SEARCH = "int lo = 0, hi = {}; while (lo {} hi) {{ int mid = {}; if (a[mid] < x) lo = mid + 1; "
RIGHT = {
    "half of a number": MADE + "for (int i = 0; i < n / 2; i++) a[i] = a[n - 1 - i];",
    "in the middle": MADE + SEARCH.format("n", "<", "(lo + hi) / 2") + "else hi = mid; }",
    "between": MADE + SEARCH.format("n", "<", "lo + (hi - lo) / 2") + "else hi = mid; }",
    "with both ends": MADE + SEARCH.format("n - 1", "<=", "(lo + hi) / 2") + "else hi = mid - 1; }",
    "a shift": MADE + "for (int i = 0; i < n >> 1; i++) a[i] = 1;",
    "by a number": MADE + "if (x > 0) for (int i = 0; i < n / x; i++) a[i] = 1;",
    "a remainder": MADE + "if (x >= 0) { int i = x % n; a[i] = 1; }",
    "down to 0": "for (unsigned i = 8; i-- > 0;) buffer[i] = 1;",
    "down to 0, with a size": MADE + "for (size_t i = n; i--;) a[i] = 1;",
    "how many there are": "int *p = buffer, *e = p + 8; int k = e - p;"
    " for (int i = 0; i < k; i++) buffer[i] = 1;",
    "how many are left": "for (int *p = buffer; buffer + 8 - p > 0; p++) *p = 1;",
}
WRONG = {
    "half of a number": ("n - 1 - i", "n - i"),
    "in the middle": ("lo < hi", "lo <= hi"),
    "between": ("(hi - lo) / 2", "(hi - lo + 2) / 2"),
    "with both ends": ("hi = n - 1", "hi = n"),
    "a shift": ("n >> 1", "n << 1"),
    "by a number": ("i < n", "i <= n"),
    "a remainder": ("x % n", "x % (n + 1)"),
    "down to 0": ("i-- >", "i-- >="),
    "down to 0, with a size": ("i--", "i-- + 1"),
    "how many there are": ("e - p", "e - p + 1"),
    "how many are left": ("buffer + 8", "buffer + 9"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(TEXT % RIGHT[name], tmp_path)
    facts = Facts.of(program)
    alarms = find(program, facts).alarms
    certificate = certified(program)
    asked = replace(certificate, alarms=alarms)
    assert valid_if_asked(program, asked, facts, None, lambda: False) == set(alarms)
    assert check_bounds(program, certificate).property == "valid-deref"


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_not(name: str, tmp_path: Path) -> None:
    old, new = WRONG[name]
    assert old in RIGHT[name]
    program = program_of(TEXT % RIGHT[name].replace(old, new), tmp_path)
    assert find(program, Facts.of(program)).alarms
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(program, certified(program))


def wrapped_otherwise(stand: BoundsStand) -> Iterator[BoundsStand]:
    for x, y, c in stand.wrapped:
        for its in ((x, y, c - 1), (y, x, c), (x, "n", c), (x, "none", c), ("buffer@0", y, c)):
            yield replace(stand, wrapped=(its,))


def test_other_sums_are_rejected(tmp_path: Path) -> None:
    program = program_of(TEXT % RIGHT["down to 0"], tmp_path)
    certificate = certified(program)
    wrong = list(changed(certificate, wrapped_otherwise))
    assert len(wrong) > 4
    for one in wrong:
        with pytest.raises(Rejected):
            check_bounds(program, one)
