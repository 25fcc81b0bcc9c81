"""Random programs with pointers: proofs and reductions agree with an enumeration of all states."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from abpress.config import Config
from abpress.engines import explicit, stateless
from abpress.engines.abpress import engine as abpress
from abpress.engines.table import ENGINES
from abpress.proof.kept import keeps_track
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load
from tests.sampling import sample

VARIABLES = ("g", "h", "p", "q")


def statements(chance: Random, depth: int, variables: tuple[str, ...] = VARIABLES) -> str:
    """Some statements on pointers to nodes, one after the other."""
    found = []
    for _ in range(chance.randint(1, 4)):
        x, y = chance.choice(variables), chance.choice(variables)
        kind = chance.choice("fffffffffffaacczzlpibb" if depth else "fffffffffffaacczzlp")
        if kind == "a":
            found.append(f"{chance.choice(('', f'if (!{x}) '))}{x} = malloc(sizeof *{x});")
        elif kind == "c":
            found.append(f"{chance.choice(('', f'if (!{x}) '))}{x} = {y};")
        elif kind == "z":
            found.append(f"if ({x} == {y}) {{ {x} = 0; }}")
        elif kind == "l":
            found.append(f"if ({x}) {{ {x}->next = {y}; }}")
        elif kind == "f":
            found.append(f"{{ struct n *z = {x}; {x} = 0; free(z); }}")
        elif kind == "p":
            found.append(f"{x} = pass({y});")
        elif kind == "i":
            found.append(f"if (c) {{ {statements(chance, depth - 1, variables)} }}")
        else:
            inner = statements(chance, depth - 1, (*variables, "z"))
            found.append(f"{{ struct n *z = 0; {inner} }}")
    return " ".join(found)


def random_program(seed: int) -> str:
    """A program of one thread or two that allocates; it may have undefined behaviour."""
    chance = Random(seed)
    starts = ["", "pthread_create(&t, 0, f, 0);", "pthread_create(&t, 0, f, malloc(sizeof *g));"]
    start = chance.choice(starts)
    join = "pthread_join(t, 0);" if start and chance.random() < 0.5 else ""
    ends = ("return 0;", "exit(0);", "abort();", "pthread_exit(0);", "while (1) ;")
    return f"""#include <pthread.h>
#include <stdlib.h>
struct n {{ struct n *next; }} *g, *h;
struct n *pass(struct n *a) {{ struct n *b = a; return b; }}
void *f(void *a) {{
  struct n *p = a, *q = 0; int c = 1;
  {statements(chance, 1)}
  return {chance.choice(("0", "p"))};
}}
int main(int argc, char **argv) {{
  struct n *p = 0, *q = 0; int c = argc > 1; pthread_t t;
  {statements(chance, 2)}
  {start}
  {statements(chance, 1)}
  {join}
  {chance.choice(ends)}
}}
"""


def compared(seed: int, tmp_path: Path) -> tuple[str, bool]:
    """The verdict of plain enumeration, after all others were compared with it, and whether the
    text alone is a proof."""
    file = tmp_path / f"{seed}.c"
    file.write_text(random_program(seed), encoding="utf-8")
    config = Config.of(file, property="valid-memtrack")
    program = load(config).program
    plain = explicit.search(program, config.but(por="none"), Limits()).verdict
    reduced = explicit.search(program, config.but(por="s-por"), Limits()).verdict
    assert reduced is plain
    assert explicit.search(program, config.but(por="dl-s-por"), Limits()).verdict is plain
    if "while (1)" not in file.read_text("utf-8"):
        assert stateless.search(program, config.but(por="optimal"), Limits()).verdict is plain
    kept = keeps_track(program)
    assert not (kept and plain is Verdict.FALSE)
    tree, _ = abpress.prove(program, config.but(por="source+summaries"), Limits(states=2_000))
    if Verdict.UNKNOWN not in (tree.verdict, plain):
        assert tree.verdict is plain
    return plain.value, kept


@pytest.mark.parametrize("seed", sample(range(40), 6))
def test_all_say_the_same(seed: int, tmp_path: Path) -> None:
    compared(seed, tmp_path)


def test_verdicts_of_both_kinds_occur(tmp_path: Path) -> None:
    found = {compared(seed, tmp_path) for seed in range(100, 120)}
    assert {verdict for verdict, _ in found} >= {"true", "false"}
    assert any(kept for _, kept in found)


@pytest.mark.parametrize("seed", sample(range(63, 90), 6))
def test_all_say_the_same_of_what_is_left(seed: int, tmp_path: Path) -> None:
    file = tmp_path / f"{seed}.c"
    file.write_text(random_program(seed), encoding="utf-8")
    config = Config.of(file, property="valid-memcleanup")
    program = load(config).program
    plain = explicit.search(program, config.but(por="none"), Limits()).verdict
    ends = "while (1)" not in file.read_text("utf-8")
    for engine, search in (("explicit", explicit.search), ("stateless", stateless.search)):
        for por in ENGINES[engine].reductions:
            if ENGINES[engine].answers("valid-memcleanup", por) and (ends or engine == "explicit"):
                its = search(program, config.but(engine=engine, por=por), Limits()).verdict
                assert its is plain, f"{engine} {por}"
