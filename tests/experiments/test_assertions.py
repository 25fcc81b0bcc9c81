"""Files of assertions: each one is judged, whatever stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.assertions import each_assertion, with_assertions
from experiments.observed import Answer

TEXT = """#include "test.h"
int good;
int bad(void) {
  return 0;
}

int main() {
  int i = 0;
%s
  return i;
}
"""


def assertions(*bodies: str) -> str:
    return TEXT % "\n".join(f"  ASSERT({body});" for body in bodies)


def judge(text: str) -> Answer:
    """Nobody accepts `bad`, we refuse `strange`, `doubtful` has no place, `wrong` is wrong."""
    lines = text.splitlines()
    for word, kind in (("bad", "not judged"), ("strange", "refused")):
        at = tuple(n for n, line in enumerate(lines, 1) if word in line)
        if at:
            return Answer(kind, word, at[:1])
    for word, kind in (("doubtful", "undecided"), ("wrong", "wrong")):
        if word in text:
            return Answer(kind, word)
    return Answer("right")


@pytest.mark.parametrize(
    ("bodies", "kinds"),
    [
        (["1, 1"] * 20, ["right"] * 20),
        (["1", "strange", "2", "wrong"], ["right", "right", "refused", "wrong"]),
        (["bad", "doubtful", "3"] * 4, ["not judged"] * 4 + ["right"] * 4 + ["undecided"] * 4),
    ],
)
def test_each_assertion_has_one_answer(bodies: list[str], kinds: list[str]) -> None:
    found = [its.kind for its in each_assertion(assertions(*bodies), judge)]
    assert sorted(found) == sorted(kinds)


def test_a_definition_that_nobody_accepts_is_left_out() -> None:
    seen: list[str] = []

    def judge_and_keep(text: str) -> Answer:
        seen.append(text)
        return judge(text)

    assert [its.kind for its in each_assertion(assertions("1"), judge_and_keep)] == ["right"]
    assert "bad" not in seen[-1] and "good" in seen[-1] and "return i" in seen[-1]
    assert len(seen[-1].splitlines()) == len(seen[0].splitlines())


def test_the_text_has_what_it_includes(tmp_path: Path) -> None:
    file = tmp_path / "case.c"
    assert with_assertions(file, TEXT) is None
    (tmp_path / "test.h").write_text("#define ASSERT(x, y) assert(x, y, #y)\n")
    (tmp_path / "common").write_text("#include <stdio.h>\nvoid assert(int a) { exit(1); }\n")
    text = with_assertions(file, TEXT)
    assert text is not None and "#include" not in text and "exit" not in text
    assert with_assertions(file, "int main() {}\n") is None
