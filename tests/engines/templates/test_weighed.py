"""Counters in which a thread weighs what its registers say: whether it has counted itself, and
whether its number is that of the chosen element. NOTE(weighed-threads)

What is wrong is not proved, whatever is guessed; each way to weights gives proofs that others do
not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.engines.templates import counters, search
from tests.engines.templates.test_any_number import loaded, locked, proved, worked
from tests.sampling import sample

ENTER = "int mine = 0; ATOMIC(if (readers < 3) { readers++; mine = 1; })"
LEAVE = "if (mine) { int n = readers; assert(n >= 1); ATOMIC(readers--;) }"
SLOTS = """int slots[50];
void *work(void *number) {
  int i = (int)(long)number;
  slots[i] = i + 1; assert(slots[i] == i + 1); slots[i] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 50; i++) pthread_create(&t, 0, work, (void *)(long)i);
}
"""
PAIRS = {
    "who has counted itself": (worked(ENTER + LEAVE), worked(ENTER + LEAVE.replace("mine", "1"))),
    "who was let in": (
        worked("int in = 0;" + locked("if (readers < 3) { readers++; in = 1; }")
               + "if (in) {" + locked("assert(readers >= 1); readers--;") + "}"),
        worked("int in = 1;" + locked("if (readers < 3) { readers++; in = 1; }")
               + "if (in) {" + locked("assert(readers >= 1); readers--;") + "}")),
    "a number of its own": (SLOTS, SLOTS.replace("(int)(long)number", "(int)(long)number / 2")),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few guesses of single threads are enough."""
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    monkeypatch.setattr(search.TemplateSearch, "_guessed", lambda *_: None)


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert proved(loaded(PAIRS[name][0], tmp_path))


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 3, 2))
def test_what_is_wrong_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not proved(loaded(PAIRS[name][1], tmp_path))


def test_who_has_counted_itself_is_told_by_a_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counters, "tests_of", lambda *_: ())
    for name in ("who was let in", "a number of its own"):
        assert not proved(loaded(PAIRS[name][0], tmp_path))
