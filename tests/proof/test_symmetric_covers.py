"""NOTE(symmetric-covers): which covers by others of threads that are alike prove something."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from abpress.analysis import alike as alike_module
from abpress.analysis.alike import TellsApart
from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.proof import others
from abpress.proof.accesses import Alphabet
from abpress.proof.certificate import (
    Accepted,
    Certificate,
    CertifiedNode,
    format_certificate,
    parsed,
    read_tree,
)
from abpress.proof.check import _CertificateChecker
from abpress.proof.conditions import SYMMETRIC
from abpress.proof.judge import Judge
from abpress.proof.source_sets import CheckedSummaries
from abpress.proof.write import certificate
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.exchange import SymmetricSystem
from abpress.verify.load import load
from tests.proof.builder import Built, Choice, State, TooLarge, _Builder, build
from tests.proof.proofs import verdict, with_node
from tests.sampling import examples
from tests.search.test_symmetric import (
    APART,
    JOINS_BOTH,
    asked_of,
    created_by_a_second_main,
    creates_nobody,
    drawn,
    either,
    program,
    violated,
    with_two_kinds,
)

REDUCTIONS = ("none", "s-por", "source+summaries", "source+abstraction")

FIRST_WRITES = (either("me == 0", "L4", "STOP"), "*&f := 1 -> STOP")
NAMES_ITSELF = ("*&last := $tid -> L4", "o := *&last -> L5")
OWNS = (
    "-> L4",
    "atomico := *&last -> L5",
    "atomicawait o == 0u64 -> L6",
    "atomic*&last := $tid -> L7",
    "k := *&f -> L8",
    "*&f := k + 1 -> L9",
    "*&last := 0u64 -> STOP",
)
OWNS_NOTHING = (*OWNS[:3], "-> L7", *OWNS[4:])
WAITS = (
    "-> L4",
    "atomick := *&f -> L5",
    "atomicawait k == me -> L6",
    "*&f := me + 1 -> STOP",
)
BLIND = ("k := *&f -> L4", "*&f := k + 1 -> STOP")


def then(cell: str, condition: str, *joins: str) -> tuple[str, ...]:
    """`main` joins, reads a cell, and fails unless the condition on k holds."""
    edges = [*(f"r := join {thread}" for thread in joins), f"k := *&{cell}"]
    placed = [f"{edge} -> L{n}" for n, edge in enumerate(edges, 3)]
    return (*placed, either(condition, "END", "WRONG"))


SWAPS = ("d := a -> L3", "a := b -> L4", "b := d -> L5")
CHOOSES = ("c := *&x -> L3", either("c == 1", "L4", "L6"))


def behind(first: tuple[str, ...], rest: tuple[str, ...]) -> tuple[str, ...]:
    """The edges, and then others, whose locations are moved."""
    moved = [re.sub(r"L(\d+)", lambda m: f"L{int(m[1]) + len(first)}", edge) for edge in rest]
    return (*first, *moved)


JOINS_AS_READ = (
    *CHOOSES,
    *("r := join a -> L5", "r := join b -> L8"),
    *("r := join b -> L7", "r := join a -> L8"),
    "k := *&f -> L9",
)


def pair(made: Callable[[Any], str], right: object, wrong: object) -> tuple[str, str]:
    return made(right), made(wrong)


PAIRS: dict[str, tuple[str, str]] = {
    "all are counted": pair(
        lambda n: program(("-> STOP",), then("x", f"k == {n}", "a", "b")), 2, 1
    ),
    "the other order": pair(
        lambda n: program(("-> STOP",), then("x", f"k == {n}", "b", "a")), 2, 1
    ),
    "the first one writes": pair(
        lambda n: program(FIRST_WRITES, then("f", f"k == {n}", "a", "b")), 1, 0
    ),
    "the last one fails": pair(
        lambda n: program((either(f"me == {n}", "WRONG", "STOP"),), JOINS_BOTH), 2, 1
    ),
    "not joined": pair(lambda n: program(FIRST_WRITES, then("f", f"k < {n}")), 2, 1),
    "one is joined": pair(lambda n: program(FIRST_WRITES, then("f", f"k < {n}", "a")), 2, 1),
    "the other one is joined": pair(
        lambda n: program(FIRST_WRITES, then("f", f"k < {n}", "b")), 2, 1
    ),
    "reads before it joins": pair(
        lambda n: program(
            FIRST_WRITES,
            behind(("c := *&f -> L3",), then("f", f"k >= (c + {n})", "a", "b")),
        ),
        0,
        1,
    ),
    "handles are swapped": pair(
        lambda n: program(FIRST_WRITES, behind(SWAPS, then("f", f"k == {n}", "a", "b"))), 1, 0
    ),
    "handles are lost": pair(
        lambda n: program(FIRST_WRITES, behind(("a := b -> L3",), then("f", f"k < {n}", "b"))), 2, 1
    ),
    "joins as it reads": pair(
        lambda n: program(FIRST_WRITES, (*JOINS_AS_READ, either(f"k == {n}", "END", "WRONG"))), 1, 0
    ),
    "reads between joins": (
        program(FIRST_WRITES, ("r := join a -> L3", *then("f", "k < 2", "b"))),
        program(
            FIRST_WRITES,
            (
                *("r := join b -> L3", "k := *&f -> L4", "r := join a -> L5"),
                either("k == 1", "END", "WRONG"),
            ),
        ),
    ),
    "a name of its own": (
        program((*NAMES_ITSELF, either("o == 0u64", "WRONG", "STOP"))),
        program((*NAMES_ITSELF, either("o == $tid", "STOP", "WRONG"))),
    ),
    "an owner counts": pair(
        lambda its: program(its, then("f", "k == 2", "a", "b")), OWNS, OWNS_NOTHING
    ),
    "nobody counts alone": pair(lambda n: program(BLIND, then("f", f"k >= {n}", "a", "b")), 1, 2),
    "in turn": pair(lambda n: program(WAITS, then("f", f"k == {n}", "a", "b")), 2, 1),
    "ids are numbers": (
        program((either("$tid == 3u64", "L4", "STOP"), either("me == 2", "WRONG", "STOP"))),
        APART["an id is a number"][0],
    ),
    "two handles of one": (
        APART["a handle is there twice"][0].replace("k == 2", "k >= 1"),
        APART["a handle is there twice"][0],
    ),
    "two kinds": (with_two_kinds().replace("k == 2", "k < 3"), with_two_kinds()),
    "results": (
        APART["results are told apart"][0].replace("r == 8ptr", "r != 4ptr"),
        APART["results are told apart"][0],
    ),
}


@cache
def proof_of(text: str, por: str) -> tuple[Any, Certificate | None]:
    """What the engine says with symmetry, and the certificate of a "true"."""
    return proof_by(parse_program(text), por)


def proof_by(p: Program, por: str) -> tuple[Any, Certificate | None]:
    """The same of a program."""
    config = Config.of(Path(), por=por, property="unreach-call", symmetry="on")
    result, tree = prove(p, config, Limits(time=30), None, Soundness())
    options = Options.within(config.bounds)
    found = None if tree is None else certificate(p, "unreach-call", options, tree)
    return result, found


@cache
def fails(text: str) -> bool:
    """Whether plain enumeration comes to the error."""
    found = violated(asked_of(parse_program(text), symmetry=False))
    return "unreach-call" in {name for name, _ in found}


@pytest.mark.parametrize("name", PAIRS)
def test_right_programs_are_proved_and_wrong_ones_refuted(name: str) -> None:
    right, wrong = PAIRS[name]
    assert (fails(right), fails(wrong)) == (False, True)
    por = REDUCTIONS[list(PAIRS).index(name) % len(REDUCTIONS)]
    result, found = proof_of(right, por)
    assert found is not None, result
    assert isinstance(verdict(parse_program(right), found), Accepted)
    on = result.statistics["symmetry"] == "on"
    assert on == any(node.moves for node in found.nodes)
    assert on == (name not in TOLD_APART)
    result, found = proof_of(wrong, por)
    assert result.verdict is Verdict.FALSE


TOLD_APART = frozenset(
    {
        *("one is joined", "the other one is joined", "handles are lost", "ids are numbers"),
        *("two handles of one", "results"),
    }
)


CREATOR = """
template v entry L0
  register o: u64
  L0: o := spawn u 0ptr -> L1
  L1: finish 0ptr -> L1

template u entry L0
  L0: finish 0ptr -> L0
"""


def creates_another() -> str:
    """`main` creates two threads that draw numbers, and one that creates one."""
    main = behind(("z := spawn v 0ptr -> L3",), then("f", "k < 2", "a", "b"))
    return program(FIRST_WRITES, main).replace("\ntemplate main", CREATOR + "\ntemplate main")


REFUSED = {
    "main is created, too": created_by_a_second_main(),
    "a thread but main creates threads": creates_another(),
}


@pytest.mark.parametrize("why", REFUSED)
def test_trees_do_without_where_others_create_threads(why: str) -> None:
    result, found = proof_of(REFUSED[why], "source+summaries")
    assert result.statistics["symmetry"] == f"off ({why})"
    assert (found is None) == fails(REFUSED[why])
    if found is not None:
        assert isinstance(verdict(parse_program(REFUSED[why]), found), Accepted)
        answer = verdict(parse_program(REFUSED[why]), replace(found, symmetric=True))
        assert isinstance(answer, str)
        assert answer.endswith(why)


CALLED_BY_MAIN = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, f;
void *work(void *p) {
    pthread_mutex_lock(&m);
    int mine = x++;
    pthread_mutex_unlock(&m);
    if (mine == 2) f = p ? 1 : 2;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    work(&x);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(f %s);
}
"""


@pytest.mark.parametrize("claim", ["!= 0", "!= 1"])
def test_main_is_none_of_the_threads_whose_function_it_calls(claim: str, tmp_path: Path) -> None:
    file = tmp_path / "called.c"
    file.write_text(CALLED_BY_MAIN % claim)
    p = load(Config.of(file, property="unreach-call")).program
    result, found = proof_by(p, "source+summaries")
    assert result.statistics["symmetry"] == "on"
    assert result.verdict is (Verdict.TRUE if claim == "!= 0" else Verdict.FALSE)
    if found is not None:
        assert isinstance(verdict(p, found), Accepted)
        assert any(node.moves for node in found.nodes)


# -- certificates that are damaged ----------------------------------------------------------------


def proved(por: str) -> Certificate:
    """A proof of the program with two kinds of threads, two of each."""
    found = proof_of(PAIRS["two kinds"][0], por)[1]
    assert found is not None
    return found


def moved(c: Certificate) -> list[int]:
    return [n for n, node in enumerate(c.nodes) if node.moves]


def rejected(c: Certificate, *words: str) -> None:
    answer = verdict(parse_program(PAIRS["two kinds"][0]), c)
    assert isinstance(answer, str), "accepted"
    assert any(word in answer for word in words), answer


Damage = tuple[Callable[[CertifiedNode], CertifiedNode], str]

DAMAGED: dict[str, Damage] = {
    "nobody is another": (lambda node: replace(node, moves={}), "which has another place"),
    "no permutation": (
        lambda node: replace(node, moves=dict([next(iter(node.moves.items()))])),
        "no permutation",
    ),
    "main is another": (
        lambda node: replace(node, moves={"main": "main.1", "main.1": "main"}),
        "threads that are not alike",
    ),
    "across classes": (
        lambda node: replace(node, moves={"main.1": "main.3", "main.3": "main.1"}),
        "threads that are not alike",
    ),
    "nobody's name": (
        lambda node: replace(node, moves={"main.9": "main.8", "main.8": "main.9"}),
        "there is no thread main.9",
    ),
    "others": (
        lambda node: replace(
            node,
            moves={"main.3": "main.4", "main.4": "main.3"}
            if "main.1" in node.moves
            else {"main.1": "main.2", "main.2": "main.1"},
        ),
        "which has another place",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_moves_are_rejected(name: str) -> None:
    damage, why = DAMAGED[name]
    c = proved("source+summaries")
    nodes = [n for n in moved(c) if len(c.places[c.nodes[n].place].threads) == 5]
    found = {n: damage(c.nodes[n]) for n in nodes if len(c.nodes[n].moves) == 2}
    found = {n: node for n, node in found.items() if node.moves != c.nodes[n].moves}
    assert len(found) > 1
    for n in (min(found), max(found)):
        rejected(with_node(c, n, found[n]), why, "does not imply")


def test_what_does_not_go_with_symmetry_is_rejected() -> None:
    c = proved("source+summaries")
    rejected(replace(c, symmetric=False), "without symmetry", "has no child")
    rejected(replace(c, property="no-deadlock"), "steps are kept only")
    rejected(replace(c, property="no-data-race"), "steps are kept only")
    for name in ("peephole", "source", "preference-order+commuting"):
        assert name not in SYMMETRIC
        rejected(replace(c, reduction=name), "does not go with threads alike")


def test_a_cover_by_what_is_not_reached_is_rejected() -> None:
    c = proved("source+summaries")
    n = moved(c)[0]
    alone = len(c.nodes)
    nodes = (*c.nodes, replace(c.nodes[n], covered_by=alone))
    assert n != alone
    two = replace(c, nodes=nodes)
    rejected(with_node(two, n, replace(c.nodes[n], covered_by=alone)), "which is not reached")


def test_labels_are_those_of_the_threads_that_become_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the covering node knows of one thread has to be known of the one that becomes it."""
    p = parse_program(PAIRS["nobody counts alone"][0])
    built = build(p, symmetric=True, reduction="none")
    assert isinstance(verdict(p, built.certificate), Accepted)
    c = built.certificate
    n = next(n for n in moved(c) if any("main.2:k" in c.formulas[k] for k in c.nodes[n].label))
    label = tuple(k for k in c.nodes[n].label if "main.2:k" not in c.formulas[k])
    answer = verdict(p, with_node(c, n, replace(c.nodes[n], label=label)))
    assert isinstance(answer, str)
    assert f"node {n} does not imply what covers it" in answer
    monkeypatch.setattr(others, "renamed", lambda formula, _: formula)
    answer = verdict(p, c)
    assert isinstance(answer, str)
    assert "does not imply what covers it" in answer


# -- what each condition is for -------------------------------------------------------------------


def lets_pass(*_: object) -> str:
    return ""


def joins_some(self: SymmetricSystem, d: Discrete) -> bool:
    return self._run(d) is not None


TEETH: list[tuple[str, Any, str, Any]] = [
    *(
        (name, alike_module._Uses, "_refuse", lets_pass)
        for name in (
            *("an id becomes a number", "an id is less than a number", "an id is a number"),
            *("a name is a handle", "a number is a name"),
        )
    ),
    ("one of them is joined", SymmetricSystem, "failure", lets_pass),
    ("one of them is joined", SymmetricSystem, "_is_full", joins_some),
    ("another main", alike_module, "spawned_templates", creates_nobody),
]


@pytest.mark.parametrize(("name", "owner", "attribute", "other"), TEETH)
def test_without_a_condition_a_wrong_program_is_proved(
    name: str, owner: Any, attribute: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = APART[name][0]
    assert fails(text)
    p = parse_program(text)
    assert not is_accepted(p)
    monkeypatch.setattr(owner, attribute, other)
    assert is_accepted(p)


def is_accepted(p: Program) -> bool:
    """Whether a tree of all states but for permutations, without an error, proves the program."""
    try:
        built = build(p, symmetric=True, reduction="none")
    except TellsApart:
        return False
    return not built.error and isinstance(verdict(p, built.certificate), Accepted)


# -- random programs against plain enumeration ----------------------------------------------------

SEEDS = range(1, 1 + examples(2, 1000))


def at_random(seed: int, more: Collection[State]) -> Choice:
    def choose(state: State, threads: tuple[str, ...]) -> Collection[str]:
        if state in more:
            return threads
        draw = random.Random(f"{seed} {state[0].threads}")
        return draw.sample(threads, min(len(threads), draw.randint(1, 2)))

    return choose


def grown(p: Program, reduction: str, seed: int) -> Built | None:
    """A certificate with some threads at each node, or all where it has to be; None for none."""
    more: set[State] = set()
    for _ in range(8):
        built = build(p, at_random(seed, more), reduction, symmetric=True, most=1500)
        answer = verdict(p, built.certificate)
        if isinstance(answer, Accepted):
            return built
        numbers = re.findall(r"node (\d+) is not expanded|(\d+)(?: ->| is expanded)", answer)
        if not numbers:
            return None
        more.update(built.states[int(a or b)] for a, b in numbers)
    return None


def test_random_programs_are_proved_only_if_they_are_right() -> None:
    found = 0
    for seed in SEEDS:
        p = drawn(seed)
        wrong = "unreach-call" in {name for name, _ in violated(asked_of(p, symmetry=False))}
        por = REDUCTIONS[seed % len(REDUCTIONS)]
        result, c = proof_by(p, por)
        assert result.verdict is (Verdict.FALSE if wrong else Verdict.TRUE), seed
        assert c is None or isinstance(verdict(p, c), Accepted)
        found += c is not None and any(node.moves for node in c.nodes)
        try:
            built = grown(p, sorted(SYMMETRIC)[seed % len(SYMMETRIC)], seed)
        except (TellsApart, TooLarge, AssertionError):
            continue
        assert built is None or built.error or not wrong, seed
    assert found > len(SEEDS) // 6


def test_a_certificate_is_written_and_read() -> None:
    c = proved("source+summaries")
    assert read_tree(parsed(format_certificate(c))) == c


# -- summaries ------------------------------------------------------------------------------------

Known = dict[tuple[str, str], frozenset[str]]
"""By threads and accesses: what certainly happens before, and with it."""


def summaries(p: Program, built: Built) -> dict[State, Known]:
    """What the checker knows of each state, with the names that threads have there."""
    c = replace(built.certificate, reduction="source+summaries")
    with Judge("int") as judge:
        checker = _CertificateChecker(p, c, (), judge)
        checker.run()
        tree = checker._tree
        alphabet = Alphabet(tree, lambda _: True)
        known = CheckedSummaries(tree, alphabet)

        def told(bits: int) -> frozenset[str]:
            return frozenset(
                alphabet.name(1 << k) for k in range(bits.bit_length()) if bits >> k & 1
            )

        found: dict[State, Known] = {}
        for children in tree.children.values():
            for _, n in children:
                its = {
                    (tree.system.name(t), alphabet.name(bit)): told(past)
                    for (t, bit), past in known._of(n)
                }
                found.setdefault(built.states[n], its)
                assert found[built.states[n]] == its
        return found


@pytest.mark.parametrize("name", ["nobody counts alone", "joins as it reads", "an owner counts"])
def test_summaries_are_those_of_the_tree_without_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a tree that is expanded in all threads: no more is certain before, and nothing lacks."""
    p = parse_program(PAIRS[name][0])
    merged = build(p, symmetric=True)
    assert any(node.moves for node in merged.certificate.nodes)
    found = summaries(p, merged)
    monkeypatch.setattr(_Builder, "_another", lambda self, state: None)
    plain = build(p, symmetric=True)
    assert not any(node.moves for node in plain.certificate.nodes)
    compared = 0
    for state, its in summaries(p, plain).items():
        keys = {access for _, access in its}
        for access, past in its.items() if state in found else ():
            mine = frozenset(x for x in found[state][access] if x in keys or x.startswith("main"))
            assert mine == past
            compared += 1
    assert compared > 100
