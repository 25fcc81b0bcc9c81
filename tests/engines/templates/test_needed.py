"""What has to hold so that a thread comes to no error by code of its own is guessed, and what a
thread that is the only one of its kind counts: NOTE(template-invariants).

What is wrong is not proved, whatever is guessed; what each form of guesses gives is not proved
without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from abpress.engines.templates import guesses, needed, search
from abpress.engines.templates.tested import safe
from tests.engines.templates.test_any_number import loaded, proved
from tests.sampling import sample

TICKETS = """
unsigned serving, inside;
void *work(void *a) {{
  unsigned mine;
  ATOMIC(mine = u; if (mine + 1 == 0) abort(); u = mine + {};)
  while (serving != mine);
  inside++; assert(inside == 1); inside--;
  serving = mine + 1;
  return 0;
}}
int main(void) {{ pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }}
"""
STAMPED = """
int first, second;
void *work(void *a) {{
  unsigned before = u;
  int one = first, other = second;
  if (before % 2 == 0 && before == u) assert(one == other);
  return 0;
}}
void *change(void *a) {{
  for (int i = 0; i < 1000; i++) {{ u = u + 1; first = i; {} second = i; u = u + 1; }}
  return 0;
}}
int main(void) {{
  pthread_t t; pthread_create(&t, 0, change, 0);
  for (;;) pthread_create(&t, 0, work, 0);
}}
"""
SLOTS = """
int slots[4], next;
void *work(void *a) {{
  int mine;
  ATOMIC(mine = next; if (mine < 4) next = mine + {};)
  if (mine >= 4) return 0;
  slots[mine]++; assert(slots[mine] == 1); slots[mine]--;
  return 0;
}}
int main(void) {{ pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }}
"""
PAIRS = {
    "tickets": (TICKETS.format(1), TICKETS.format(0)),
    "a stamp": (STAMPED.format(""), STAMPED.format("u = u + 1;")),
    "slots": (SLOTS.format(1), SLOTS.format(0)),
}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few guesses are enough."""
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    monkeypatch.setattr(search.TemplateSearch, "_guessed", lambda *_: None)


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert proved(loaded(PAIRS[name][0], tmp_path))


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 3, 2))
def test_what_is_wrong_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not proved(loaded(PAIRS[name][1], tmp_path))


def only_next(_: object, taken: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """That no error is next, and nothing before that."""
    return {at: safe(its) for at, its in taken.items()}


def test_each_form_gives_a_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slots, stamp = (loaded(PAIRS[name][0], tmp_path) for name in ("slots", "a stamp"))
    with monkeypatch.context() as without:
        without.setattr(needed, "_beyond", lambda *_: ())
        assert not proved(slots)
    with monkeypatch.context() as without:
        without.setattr(guesses, "linear_equations", lambda _, taken: dict.fromkeys(taken, ()))
        assert not proved(stamp)
    monkeypatch.setattr(guesses, "needed", only_next)
    assert not proved(stamp)
