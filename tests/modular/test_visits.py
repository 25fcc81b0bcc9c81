"""What is visited again: whoever has read what others tell, once they tell something else.

A round that visits everything must change nothing in the end; where readers are forgotten, it does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.modular.analysis import TurnsOfClasses, analyse
from abpress.modular.apart import PlacesApart
from abpress.modular.interference import Globals
from abpress.modular.numbers.fixpoint import Analysis, NumericRounds
from abpress.modular.settling import Visits, Watched
from abpress.modular.standing import Detail, Subject
from abpress.verify.load import load
from tests.sampling import examples
from tests.strategies.ir_counters import counter_program
from tests.strategies.ir_racing import racing_program

KEPT = """
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *writer(void *argument) {
    if (__VERIFIER_nondet_int()) x = 5;
    y = 1;
    while (x < 100) x = x + 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    y = y + 1;
    return 0;
}
"""
"""Where the branches meet, one of them knows nothing of a cell; what it is told of it changes.
NOTE(visits-again)"""


UNREACHED = (
    KEPT.replace("    if (__", "    if (w) { y = 4; goto met; }\n    if (__")
    .replace("    y = 1;", "met:\n    y = 1;")
    .replace("int x, y;", "int x, y, w;")
    .replace("    y = y + 1;", "    y = y + 1;\n    w = 0;")
)
"""One of the edges that lead to where the branches meet begins where no thread comes."""


def random_programs() -> Iterator[Program]:
    for seed in range(examples(30, whole=200)):
        yield parse_program(racing_program(seed), "random")
        yield counter_program(seed)


def settled(program: Program) -> bool:
    """Whether another round changes nothing, without and with what is known of places."""
    facts = Facts.of(program)
    found = True
    solution = analyse(program, Detail(parts=8))
    for apart in (None, solution and PlacesApart(solution)):
        rounds = NumericRounds(Analysis(program, facts, apart), {}, lambda: False)
        rounds.settle()
        found &= rounds.is_settled()
    return found


def settled_turns(program: Program, detail: Detail) -> bool:
    """Whether another turn of each class changes nothing."""
    subject = Subject(program, detail, lambda: False)
    while not (turns := TurnsOfClasses(subject)).settle():
        pass
    return turns.is_settled()


def details() -> Iterator[Detail]:
    return cycle((Detail(parts=8), Detail(parts=2), Detail(occurrences=2)))


def test_what_classes_know_is_settled_in_the_end() -> None:
    assert all(settled_turns(*each) for each in zip(random_programs(), details(), strict=False))


def test_news_that_are_not_told_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    include = Globals.include

    def without_news(self: Globals, cls: int, told: Globals) -> bool:
        return include(self, cls, told) and cls == 0

    monkeypatch.setattr(Globals, "include", without_news)
    assert not all(settled_turns(*each) for each in zip(random_programs(), details(), strict=False))


def test_numbers_are_settled_in_the_end() -> None:
    assert all(settled(program) for program in random_programs())


def test_who_is_forgotten_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watched, "_read", lambda *_: None)
    assert not all(settled(program) for program in random_programs())


@pytest.mark.parametrize("forgotten", [False, True])
def test_who_knows_nothing_of_a_cell_where_others_do_reads_it(
    forgotten: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if forgotten:
        monkeypatch.setattr(Watched, "note", lambda *_: None)
    file = tmp_path / "kept.c"
    file.write_text(KEPT)
    assert settled(load(Config.of(file, property="no-overflow")).program) is not forgotten


def test_where_no_thread_comes_nobody_reads(tmp_path: Path) -> None:
    file = tmp_path / "unreached.c"
    file.write_text(UNREACHED)
    assert settled(load(Config.of(file, property="no-overflow")).program)


def test_readers_are_visited_again_in_this_turn_if_theirs_is_later() -> None:
    program = parse_program(racing_program(1), "random")
    visits = Visits(program)
    held: dict[str, int] = {}
    watched = Watched(held, visits)
    main = program.main
    seen: list[int] = []

    def visit(i: int, _: Collection[int]) -> Iterator[int]:
        seen.append(i)
        if watched.get("x") is None and len(seen) == 2:
            held["x"] = 1
            watched.changed("x")
        yield from ()

    visits.due((main, i) for i in range(3))
    visits.run(main, visit)
    first, second, third = seen
    assert visits.is_due()
    visits.run(main, visit)
    assert not visits.is_due()
    assert sorted(seen[3:]) == sorted((first, second))
    assert third not in seen[3:]


def test_what_is_not_named_cannot_be_read() -> None:
    watched = Watched({"x": 1}, Visits(parse_program(racing_program(1), "random")))
    with pytest.raises(TypeError):
        list(watched)
    with pytest.raises(TypeError):
        len(watched)
