"""Equal threads as symmetric, NOTE(symmetric-threads): what is merged, and what may not be."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from abpress.analysis import alike as alike_module
from abpress.config import OFF, ON, Config
from abpress.engines.explicit import search
from abpress.engines.order import InOrder
from abpress.engines.stored import StoredSearch, explore_all
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.properties import asked
from abpress.result import Soundness, Verdict
from abpress.search import symmetric
from abpress.search.ledger import Exploration
from abpress.search.limits import Limits
from abpress.search.symmetric import SymmetricStates
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.naming import MAIN
from abpress.verify.load import load
from tests.sampling import examples

ASKED = ("unreach-call", "no-deadlock", "no-data-race")

# -- programs of the model ------------------------------------------------------------------------

OBJECTS = """program pointer 8 overflow end
object x {4: 0 i32} = 0
object f {4: 0 i32} = 0
object last {8: 0 u64} = 0u64
object other {8: 0 u64} = 0u64
"""

WORKER = """
template w entry L0
  register me: i32
  register k: i32
  register o: u64
  register $tid: u64
LOCAL  L0: -> L1
  L1 atomic: me := *&x -> L2
  L2 atomic: *&x := me + 1 -> L3
"""

CREATES = """
template main entry L0
  register a: u64
  register b: u64
  register d: u64
  register z: u64
  register k: i32
  register c: i32
  register r: ptr
  register q: ptr
  register $tid: u64
  L0: a := spawn w 0ptr -> L1
  L1: b := spawn w 0ptr -> L2
"""

JOINS_BOTH = ("r := join a -> L3", "r := join b -> END")


def located(first: int, edges: tuple[str, ...], ends: dict[str, str]) -> str:
    """Locations from a number on, with those that have names behind them."""
    places = enumerate((*edges, *ends.values()), first)
    text = "\n".join(f"  L{k}: {edge}".replace(": atomic", " atomic:") for k, edge in places)
    for k, name in enumerate(ends, first + len(edges)):
        text = text.replace(name, f"L{k}")
    return text + "\n"


def program(worker: tuple[str, ...], main: tuple[str, ...] = JOINS_BOTH, local: str = "") -> str:
    """Two threads that draw numbers, the first one 0, and go on from L3; `main` from L2."""
    fails = 'fail "unreach-call" "wrong" -> WRONG'
    its = located(3, worker, {"WRONG": fails, "STOP": "finish 0ptr -> STOP"})
    ends = {"WRONG": fails, "END": 'exit "end" -> END'}
    return OBJECTS + WORKER.replace("LOCAL", local) + its + CREATES + located(2, main, ends)


OTHERS = """
template v entry L0
  register k: i32
  L0: *&f := 1 -> L1
  L1: finish 0ptr -> L1
"""


def with_two_kinds() -> str:
    """Two threads that draw numbers, and two that do not; `main` joins the ones or the others."""
    main = (
        *("e := spawn v 0ptr -> L3", "g := spawn v 0ptr -> L4", 'c := any "" [0, 1] -> L5'),
        *(either("c == 0", "L12", "L6"), "d := a -> L7", "a := e -> L8", "e := d -> L9"),
        *("d := b -> L10", "b := g -> L11", "g := d -> L12", "k := *&x -> L13"),
        *("r := join a -> L14", "r := join b -> L15", "k := *&x -> L16"),
        *(either("e == $tid", "END", "L17"), either("g == $tid", "END", "L18")),
        either("k == 2", "END", "WRONG"),
    )
    text = program(("-> STOP",), main)
    more = "  register e: u64\n  register g: u64\n  register d: u64\n"
    return text.replace("\ntemplate main", OTHERS + "template main").replace(
        "  register d: u64\n", more
    )


def created_by_a_second_main() -> str:
    """The first `main` creates another one, which creates the threads and looks after one join."""
    main = (
        *("c := *&f -> L1", either("c == 0", "L2", "L5"), "*&f := 5 -> L3"),
        *("d := spawn main 0ptr -> L4", "finish 0ptr -> L4"),
        *("a := spawn w 0ptr -> L6", "b := spawn w 0ptr -> L7", "k := *&x -> L8"),
        *(either("k == 2", "L9", "L7"), "r := join a -> L10", "k := *&f -> L11"),
        *(either("k == 5", "WRONG", "L12"), "r := join b -> END"),
    )
    worker = either("me == 0", "L4", "STOP"), "*&f := 1 -> STOP"
    text = program(worker)
    kept = text[: text.index("  L0: a := spawn")]
    fails = 'fail "unreach-call" "wrong" -> WRONG'
    return kept + located(0, main, {"WRONG": fails, "END": 'exit "end" -> END'})


def either(condition: str, yes: str, no: str) -> str:
    return f"when {condition} -> {yes}\n    when ({condition}) == 0 -> {no}"


WRITES_ITS_ID = ("*&last := $tid -> STOP",)
NOTHING = ("-> STOP",)

APART = {
    "an id becomes a number": (
        program(
            (
                "k := *&x -> L4",
                "k := i32($tid) -> L5",
                either("me == 0", "L6", "STOP"),
                either("k == 3", "WRONG", "STOP"),
            )
        ),
        "the id of a thread is converted",
    ),
    "an id is less than a number": (
        program(
            (
                "k := *&x -> L4",
                either("$tid > 2u64", "L5", "STOP"),
                either("me == 0", "WRONG", "STOP"),
            )
        ),
        "a condition on the id of a thread",
    ),
    "an id is a number": (
        program(
            (
                "k := *&x -> L4",
                either("$tid == 3u64", "L5", "STOP"),
                either("me == 0", "WRONG", "STOP"),
            )
        ),
        "a condition on the id of a thread",
    ),
    "a name is a handle": (
        program(
            WRITES_ITS_ID,
            (
                *("r := join a -> L3", "r := join b -> L4", "z := *&last -> L5"),
                either("z == a", "WRONG", "END"),
            ),
        ),
        "a condition on the id of a thread",
    ),
    "handles are compared": (
        program(
            NOTHING, (either("a == b", "WRONG", "L3"), "r := join a -> L4", "r := join b -> END")
        ),
        "a condition on the id of a thread",
    ),
    "a name or a handle": (
        program(
            WRITES_ITS_ID,
            (
                *('c := any "" [0, 1] -> L3', either("c == 0", "L4", "L5")),
                *("z := a -> L6", "z := *&last -> L6", "r := join z -> END"),
            ),
        ),
        "what a creation and what a thread says of its id meet",
    ),
    "a number is a name": (
        program(
            (
                "-> L4",
                "o := *&last -> L5",
                either("me == 0", "L6", "L7"),
                either("o == $tid", "WRONG", "STOP"),
                "*&last := $tid -> STOP",
            ),
            (
                "k := *&x -> L3",
                either("k == 2", "L4", "L2"),
                "*&last := 3u64 -> L5",
                "r := join a -> L6",
                "r := join b -> END",
            ),
        ),
        "a value is taken for an id",
    ),
    "a handle is handed over": (
        program(
            ("o := *&last -> STOP",),
            ("*&last := a -> L3", "r := join a -> L4", "r := join b -> END"),
        ),
        "a thread but main has what a creation returns",
    ),
    "a handle is overwritten": (
        program(
            ("*&last := 0u64 -> STOP",),
            ("*&last := a -> L3", "z := *&last -> L4", "r := join z -> L5", "r := join b -> END"),
        ),
        "another thread writes a handle",
    ),
    "a name without a value": (
        program(WRITES_ITS_ID).replace("last {8: 0 u64} = 0u64", "last {8: 0 u64} = ?"),
        "an id that is no thread's",
    ),
    "a name that is a number first": (
        program(WRITES_ITS_ID).replace("last {8: 0 u64} = 0u64", "last {8: 0 u64} = 2u64"),
        "an id that is no thread's",
    ),
    "names are copied in bulk": (
        program(("*&last := $tid -> L4", "copy *&other := *&last, 8 -> STOP")),
        "ids are copied in bulk",
    ),
    "half of a name": (
        program(("*&last := $tid -> L4", "k := *&last -> STOP")),
        "the id of a thread is converted",
    ),
    "a name that is chosen": (
        program(("*&last := $tid -> L4", "o := *&last -> L5", 'o := any "" [2, 3] -> STOP')),
        "an arbitrary value is taken for an id",
    ),
    "a join with a condition": (
        program(
            NOTHING,
            (
                'c := any "" [0, 1] -> L3',
                "when c == 0 do r := join a -> L4\n    when c != 0 -> L4",
                "r := join b -> END",
            ),
        ),
        "a join in a block",
    ),
    "created between joins": (
        program(NOTHING, ("r := join a -> L3", "d := spawn w 0ptr -> L4", "r := join b -> END")),
        "creations between joins",
    ),
    "results are told apart": (
        program(
            (either("me == 0", "L4", "STOP"), "finish 8ptr -> L4"),
            ("r := join a -> L3", "q := join b -> L4", either("r == 8ptr", "END", "WRONG")),
        ),
        "the result of a thread is used",
    ),
    "one of them is joined": (
        program(
            (either("me == 0", "L4", "STOP"), "*&f := 1 -> STOP"),
            (
                *("c := *&x -> L3", either("c == 2", "L4", "L2"), "r := join a -> L5"),
                *(
                    "k := *&f -> L6",
                    either("b == $tid", "END", "L7"),
                    either("k == 0", "WRONG", "END"),
                ),
            ),
        ),
        "main joins some of them only",
    ),
    "a handle is there twice": (
        program(
            NOTHING,
            (
                *('c := any "" [0, 1] -> L3', either("c == 0", "L4", "L5")),
                *("d := a -> L6", "d := b -> L6", "k := *&x -> L7", "r := join b -> L8"),
                *("r := join d -> L9", "k := *&x -> L10"),
                *(either("a == $tid", "WRONG", "L11"), either("k == 2", "END", "WRONG")),
            ),
        ),
        "main holds the handle of a thread twice",
    ),
    "another main": (created_by_a_second_main(), "main is created, too"),
    "a local object": (
        program(
            ("enter l -> L4", "*&l := me -> L5", "k := *&l -> L6", "*&f := k -> STOP"),
            local="  local l {4: 0 i32} = 0\n",
        ),
        "no threads of one function",
    ),
    "something between joins": (
        program(
            (either("me == 0", "L4", "STOP"), "*&f := 1 -> STOP"),
            (
                "r := join b -> L3",
                "k := *&f -> L4",
                "r := join a -> L5",
                either("k == 0", "WRONG", "END"),
            ),
        ),
        "main joins some of them only",
    ),
}


def asked_of(
    program: Program, por: str = "none", symmetry: bool = True, core: str = "python"
) -> Any:
    """What a search tells of all properties; symmetric, or else a word that says why not."""
    config = Config.of(
        Path("x.abp"),
        engine="explicit",
        por=por,
        keep_going=True,
        properties=ASKED,
        core=core,
    )
    property, poll = asked(ASKED), lambda _: None

    def begin() -> Interpreter:
        return InOrder(program, config, Soundness(), 250)

    if not symmetry:
        return explore_all(begin(), por, property, keep_going=True)
    found = StoredSearch(begin, property, config, Limits(), poll, ON).run()  # type: ignore[arg-type]
    why = str(found.large["symmetry"])
    return found.outcome if why == "on" else why.removeprefix("off (").removesuffix(")")


def violated(outcome: Exploration[Any, Any]) -> set[tuple[str, str]]:
    return {(found.violates, found.finding.message) for found in outcome.found}


@pytest.mark.parametrize("name", APART)
def test_threads_that_can_be_told_apart_are(name: str) -> None:
    text, why = APART[name]
    assert str(asked_of(parse_program(text))).startswith(why)


def lets_pass(*_: object) -> None:
    """No condition."""


def counts_all(self: SymmetricStates, s: Any) -> bool:
    return self.joined(s) is not None


def of_any_class(its_class: int) -> object:
    return "handle"


def test_two_kinds_of_threads() -> None:
    found = asked_of(parse_program(with_two_kinds()))
    plain = asked_of(parse_program(with_two_kinds()), symmetry=False)
    assert violated(found) == violated(plain)
    assert "unreach-call" in {p for p, _ in violated(plain)}
    assert found.statistics.states < plain.statistics.states


def test_handles_of_two_kinds_of_threads_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetric, "handle_of", of_any_class)
    found = asked_of(parse_program(with_two_kinds()))
    assert "unreach-call" not in {p for p, _ in violated(found)}


def creates_nobody(template: object) -> tuple[str, ...]:
    return ()


TEETH: list[tuple[str, list[tuple[Any, str, Any]]]] = [
    *(
        (name, [(alike_module._Uses, "_refuse", lets_pass)])
        for name in (
            *("an id becomes a number", "an id is less than a number", "an id is a number"),
            *("a name is a handle", "a number is a name", "results are told apart"),
        )
    ),
    ("one of them is joined", [(SymmetricStates, "look_at", lets_pass)]),
    ("one of them is joined", [(SymmetricStates, "_is_full", counts_all)]),
    ("a handle is there twice", [(SymmetricStates, "_look_at_handles", lets_pass)]),
    ("another main", [(alike_module, "spawned_templates", creates_nobody)]),
]


@pytest.mark.parametrize(("name", "without"), TEETH)
def test_without_a_condition_a_violation_is_missed(
    name: str, without: list[tuple[Any, str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = parse_program(APART[name][0])
    assert "unreach-call" in {p for p, _ in violated(asked_of(program, symmetry=False))}
    for owner, attribute, other in without:
        monkeypatch.setattr(owner, attribute, other)
    found = asked_of(program)
    assert isinstance(found, Exploration)
    assert "unreach-call" not in {p for p, _ in violated(found)}


# -- random programs against plain enumeration ---------------------------------------------------

PIECES: tuple[tuple[str, ...], ...] = (
    ("k := *&x -> +1",),
    ("k := *&f -> +1",),
    ("*&f := k -> +1",),
    ("*&x := 1 -> +1",),
    ("*&f := me -> +1",),
    (
        "-> +1",
        "atomico := *&last -> +1",
        "atomicawait o == 0u64 -> +1",
        "atomic*&last := $tid -> +1",
    ),
    ("*&last := 0u64 -> +1",),
    ("o := *&last -> +1", "when o == $tid -> +1\n    when o != $tid -> +2", "*&f := 1 -> +1"),
    ("when k == 1 -> +1\n    when k != 1 -> STOP",),
    ("when k == 2 -> WRONG\n    when k != 2 -> +1",),
)


def drawn(seed: int) -> Program:
    """A program of two or three equal threads."""
    draw = random.Random(seed)
    worker = [edge for _ in range(draw.randint(1, 4)) for edge in draw.choice(PIECES)]
    names = "abd"[: draw.randint(2, 3)]
    main = ["d := spawn w 0ptr -> +1"] if len(names) == 3 else []
    if draw.random() < 0.4:
        main.append(draw.choice(("*&f := 2 -> +1", "k := *&x -> +1", "z := 0u64 -> +1")))
    joins = draw.sample(names, len(names) if draw.random() < 0.8 else 1)
    main += [f"r := join {name} -> +1" for name in joins]
    main += ["k := *&f -> +1", either(f"k == {draw.randint(0, 3)}", "WRONG", "END")]
    return parse_program(program(relative(worker, 3), relative(main, 2)))


NAMED: tuple[tuple[str, ...], ...] = (
    ("*&last := $tid -> +1",),
    ("*&other := $tid -> +1",),
    (
        "o := *&last -> +1",
        "k := *&x -> +1",
        "when o == $tid -> +1\n    when o != $tid -> +2",
        "*&f := 1 -> +1",
    ),
    ("o := *&other -> +1", "k := *&f -> +1", "*&last := o -> +1"),
    ("o := $tid -> +1", "k := *&x -> +1", "*&other := o -> +1"),
    ("when me == 0 -> +1\n    when me != 0 -> STOP",),
)

HELD: tuple[tuple[str, ...], ...] = (
    ("d := a -> +1", "a := 0u64 -> +1"),
    ("a := 0u64 -> +1",),
    ("b := 0u64 -> +1", "k := *&x -> +1"),
    ("*&h := b -> +1", "k := *&x -> +1", "b := *&h -> +1"),
    ("*&h := a -> +1", "a := b -> +1", "b := *&h -> +1"),
    ('c := any "" [0, 1] -> +1', "when c == 0 -> +1\n    when c != 0 -> +2", "a := b -> +1"),
    (
        'c := any "" [0, 1] -> +1',
        "when c == 0 -> +1\n    when c != 0 -> +2",
        "*&h := a -> +1",
        "b := *&h -> +1",
    ),
    ("k := *&x -> +1", "when k == 2 -> +1\n    when k != 2 -> +0"),
)


def drawn_of_ids(seed: int) -> Program:
    """A program of two or three equal threads that note their ids, and whose handles are copied,
    dropped, or not there yet."""
    draw = random.Random(seed)
    worker = [edge for _ in range(draw.randint(1, 4)) for edge in draw.choice((*PIECES, *NAMED))]
    names = "abd"[: draw.randint(2, 3)]
    main = ["d := spawn w 0ptr -> +1"] if len(names) == 3 else []
    main += [edge for _ in range(draw.randint(0, 2)) for edge in draw.choice(HELD)]
    joins = draw.sample(names, draw.choice((0, len(names), len(names), 1)))
    main += [f"r := join {name} -> +1" for name in joins]
    main += ["k := *&f -> +1", either(f"k == {draw.randint(0, 3)}", "WRONG", "END")]
    text = program(relative(worker, 3), relative(main, 2))
    return parse_program(text.replace("\ntemplate w", "object h {8: 0 u64} = ?\n\ntemplate w", 1))


def relative(edges: list[str], first: int) -> tuple[str, ...]:
    """The same edges, with numbers of locations; what is too far is the end."""
    placed = []
    for k, edge in enumerate(edges, first):
        for far in (2, 1, 0):
            to = k + far
            edge = edge.replace(f"+{far}", f"L{to}" if to < first + len(edges) else "STOP")
        placed.append(edge)
    return tuple(placed)


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(renamed(part, names) for part in value)
    return names.get(value, value) if isinstance(value, str) else value


def orbit(names: CanonicalNames, s: Any) -> str:
    """The same for states that are the same but for a permutation of the threads that `main` has
    created, and for which of its handles is whose."""
    fixed, dynamic, status, threads = names.state(s)
    (main,) = [thread for thread in threads if thread[0] == "main"]
    others = [thread for thread in threads if thread[0] != "main"]
    held = [part[1] for part in main[2] if isinstance(part, tuple)]
    blank = main[1], tuple("*" if isinstance(part, tuple) else part for part in main[2])
    met = [thread[0] for thread in others]
    found = []
    for order in permutations(met):
        to = dict(zip(met, order, strict=True))
        its = sorted(renamed(thread, to) for thread in others)
        found.append(
            repr((renamed(fixed, to), dynamic, status, blank, its, sorted(to[t] for t in held)))
        )
    return min(found)


def before_joins(system: Interpreter, key: Callable[[Any], Any]) -> dict[Any, Any]:
    """The states, one of each key, that are reached without a join, by plain enumeration."""
    first = system.initial()
    met, todo = {key(first): first}, [first]
    while todo:
        s = todo.pop()
        for t in system.threads(s):
            if t == MAIN and joins(system, s):
                continue
            for step in system.steps(s, t):
                if step.violation is None and key(step.successor) not in met:
                    met[key(step.successor)] = step.successor
                    todo.append(step.successor)
    return met


def joins(system: Interpreter, s: Any) -> bool:
    template, location = system.location(s, MAIN)
    effects = system.program.templates[template].locations[location].edges[0].effects
    return any(type(effect).__name__ == "Join" for effect in effects)


SEEDS = range(examples(12, 1000))


def test_random_programs_have_the_same_violations_and_states() -> None:
    merged = 0
    for seed in SEEDS:
        program = drawn(seed)
        plain = asked_of(program, "none", symmetry=False)
        for por in ("none", "s-por"):
            found = asked_of(program, por)
            if isinstance(found, str):
                assert found.startswith(("main joins some", "a condition on the id"))
                continue
            assert violated(found) == violated(plain), seed
            merged += found.statistics.states < plain.statistics.states
        if isinstance(found, str):
            continue
        system = Interpreter(program)
        names, states = CanonicalNames(system.context), SymmetricStates(system)
        every = before_joins(system, lambda s: s)
        kept = before_joins(system, states.key)
        orbits = {orbit(names, s) for s in every}
        assert len(kept) == len(orbits), seed
        assert {orbit(names, s) for s in kept.values()} == orbits, seed
    assert merged > len(SEEDS) // 2


# -- programs in C --------------------------------------------------------------------------------

WORKERS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
pthread_t last;
int x;
%s
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  %s
}
"""

COUNTS = """void *work(void *p) {
  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
  return 0;
}"""
COUNTS_WRONG = "void *work(void *p) { int v = x; x = v + 1; return 0; }"
LEAVES_LOCKED = """void *work(void *p) {
  pthread_mutex_lock(&m); if (x++ < 2) pthread_mutex_unlock(&m);
  return 0;
}"""
JOINS = "for (int i = 0; i < 3; i++) pthread_join(t[i], 0);"


def answered(
    worker: str,
    main: str,
    property: str = "unreach-call",
    symmetry: bool = True,
    core: str = "python",
) -> Any:
    text = WORKERS % (worker, main)
    config = Config.of(
        Path("work.c"),
        engine="explicit",
        por="s-por",
        symmetry=ON if symmetry else OFF,
        text=text,
        core=core,
        property=property,
    )
    return search(load(config).program, config, Limits())


@pytest.mark.parametrize(
    ("worker", "main", "property", "verdict"),
    [
        (COUNTS, JOINS + " assert(x == 3);", "unreach-call", Verdict.TRUE),
        (COUNTS, JOINS + " assert(x == 2);", "unreach-call", Verdict.FALSE),
        (COUNTS, JOINS, "no-data-race", Verdict.TRUE),
        (COUNTS_WRONG, JOINS + " assert(x == 3);", "unreach-call", Verdict.FALSE),
        (COUNTS_WRONG, JOINS, "no-data-race", Verdict.FALSE),
        (COUNTS, JOINS, "no-deadlock", Verdict.TRUE),
        (LEAVES_LOCKED, JOINS, "no-deadlock", Verdict.TRUE),
        (LEAVES_LOCKED, JOINS + " pthread_mutex_lock(&m);", "no-deadlock", Verdict.FALSE),
    ],
)
def test_equal_workers_are_merged(worker: str, main: str, property: str, verdict: Verdict) -> None:
    plain = answered(worker, main, property, symmetry=False)
    found = answered(worker, main, property)
    assert found.verdict is plain.verdict is verdict
    assert found.statistics["symmetry"] == "on"
    if verdict is Verdict.TRUE:
        assert found.statistics["states"] < plain.statistics["states"]
        assert found.statistics["symmetric_states"] >= plain.statistics["states"] / 2


@pytest.mark.parametrize(
    ("worker", "main", "why"),
    [
        (COUNTS, "for (int i = 0; i < 3; i++) pthread_detach(t[i]);", "sets of threads"),
        (COUNTS, "pthread_cancel(t[0]); " + JOINS, "sets of threads"),
        (
            "void *work(void *p) { last = pthread_self(); return 0; }",
            JOINS + " assert(pthread_equal(last, t[0]));",
            "sets of threads",
        ),
        (
            "void *work(void *p) { pthread_setspecific(key, &x); return 0; }",
            "pthread_key_create(&key, 0); " + JOINS,
            "sets of threads",
        ),
        (
            "_Thread_local int own; int *shown;\n"
            "void *work(void *p) { shown = &own; own = *shown; return 0; }",
            JOINS,
            "no threads of one function",
        ),
        (
            "void *work(void *p) { int *q = malloc(4); *q = x; x = *q; free(q); return 0; }",
            JOINS,
            "no threads of one function",
        ),
    ],
)
def test_what_the_library_does_with_ids_keeps_them_apart(worker: str, main: str, why: str) -> None:
    found = answered(worker, main)
    assert found.statistics["symmetry"].startswith(f"off ({why}")


def test_other_properties_and_reductions_are_searched_as_they_are() -> None:
    assert answered(COUNTS, JOINS, "valid-memtrack").statistics["symmetry"].startswith("off (prop")
