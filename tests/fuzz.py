"""Random programs against oracles, for the night: experiment `fuzz`.

- sequential: the verdict is what the program, evaluated while it is generated, computes;
- compiler: that evaluation is what gcc computes (needs gcc, with its sanitizer);
- layout: types with attributes and pragmas; sizes, offsets, alignments and bits are those of gcc
  and clang (those that are there) in both data models, unless the definition is refused;
- order: expressions whose order of evaluation can be told apart; their outcomes are those that C
  allows, and those of gcc and clang are among them;
- proof: the same; that there are no other outcomes is proved by the tree, with a certificate that
  the checker accepts, and is violated with one outcome less;
- tree: programs of the model; the abstract reachability tree, in every way in which it can be built
  (reduction, encoding), agrees with plain enumeration, and its proofs are accepted;
- horn: the same for Horn clauses in one preference order;
- nearly-right: C programs of shapes that are proved, with slips; what facts, invariants of
  templates, the tree or Horn clauses in one order prove, enumeration of few executions does not
  refute;
- real: the outcomes of a program are those of its compiled code, on all schedules (gcc, clang);
- concurrent: plain enumeration, reductions, simplification, creation order agree;
- stateless: programs of the model; every stateless algorithm meets the violations, deadlocks and
  final states of all interleavings, and optimal DPOR every happens-before class once;
- choices: C programs of four threads, some of which have inputs; every algorithm that explores all
  happens-before classes explores those that sleep sets do;
- tasks: as stateless, for systems of atomic tasks, whose accesses depend on what they read;
- workers: workers that share a tree explore what one search explores, in several timings;
- native-workers: the same for those that search with the native core (which needs a C compiler), in
  three timings, with workers that die, and for searches that are kept and resumed;
- killed-workers: workers of both kinds, processes that are killed (kill -9) in the middle;
- lost-machines: native workers on a cluster of four processes, one of which is lost in the middle;
- waits: the same as stateless for threads that wait in loops;
- observers: programs of many writes; one execution per class of what is observed, none more with
  contexts, and the same violations and ends;
- stateful: programs of the model; every reduction of the search that stores states, whatever the
  order of threads, agrees with plain enumeration;
- core: the same programs, and C programs with locks; the native core (needs a C compiler) tells
  what the Python search tells, to the last number, with each of its reductions, with stored
  states and without;
- stored-tasks: the same for systems of atomic tasks;
- static: what facts prove (races; assertions, overflow, accesses) enumeration does not find
  violated, and the checker accepts the certificate;
- pointers: programs with lists, arrays of pointers and arrays; what is known of pointers and of
  differences holds in the states that enumeration meets, and what is proved valid is so there;
- facts, numbers: programs of the model, and some in C; the same for what is known of threads, of
  pairs of accesses, and of numbers;
- templates: C programs that create threads in a loop, also ones that share arrays; what is proved
  of any number of them enumeration of two or three does not find violated, and the checker accepts
  the certificate;
- nodes: the same for threads that allocate nodes and find those of others;
- races: the same of races that facts leave open: threads that are counted or joined, elements;
- names: programs of tests and benchmarks, in which something is called like a library function.

A failure is printed, then shrunk and printed again; the exit status is 1. A program that was drawn
before is not asked again.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from abpress.config import Config
from abpress.engines.horn.orders import ORDERS
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import Report, verify
from experiments.suites import general
from tests import fuzz_of_facts
from tests.compiled import differential as real
from tests.core import test_hunt_by_core
from tests.core.comparison import (
    compare_all,
    compare_executions,
    compare_executions_of_text,
    compare_text,
)
from tests.engines import killed_workers, lost_machines, test_nearly_right
from tests.engines.abpress import differential
from tests.engines.abpress.differential import Way
from tests.engines.horn import test_horn
from tests.frontend import layouts, orders, test_renamed
from tests.frontend import test_differential_concurrent as concurrent
from tests.frontend import test_differential_sequential as sequential
from tests.fuzz_of_facts import NUMBERS
from tests.parallel import test_native_leaves, test_workers_random
from tests.parallel.deaths import Compared
from tests.reductions import (
    task_systems,
    test_choices,
    test_observers_random,
    test_stateful_random,
    test_stateful_tasks,
    test_stateless_random,
    test_stateless_tasks,
)
from tests.search import test_awaits
from tests.strategies.c_choices import choosing_programs
from tests.strategies.c_layouts import random_layouts
from tests.strategies.c_programs import (
    ConcurrentProgram,
    concurrent_programs,
    random_program,
)
from tests.strategies.c_sequential import SequentialProgram, sequential_programs
from tests.strategies.ir_programs import Features, programs


def _compiler(program: SequentialProgram, folder: Path) -> bool:
    result = sequential.compiled(program, folder, "-fsanitize=undefined")
    assert result == program.result, f"gcc computes {result}, not {program.result}\n{program.text}"
    return True


def _sequential(program: SequentialProgram, folder: Path) -> bool:
    sequential.check(program, folder)
    return True


def _layout(seed: int, folder: Path) -> Counter[str]:
    questions = [random_layouts(seed + k, f"g{k}_") for k in range(BATCH)]
    told: Counter[str] = Counter()
    for data_model in layouts.MACHINES:
        there = [c for c in layouts.COMPILERS if layouts.works(c, data_model, folder)]
        answers = {c: layouts.compiled(questions, c, data_model, folder) for c in there}
        for k, one in enumerate(questions):
            theirs = {compiler: answers[compiler][k] for compiler in there}
            try:
                complaint = layouts.disagreement(one, theirs, data_model, folder)
            except UnsupportedError as error:
                told[f"refused ({data_model}): {general(error.message)}"] += 1
                continue
            assert not complaint, complaint
            told[f"compared ({data_model})" if there else "not compared"] += 1
    return told


def _order(seed: int, folder: Path) -> Counter[str]:
    drawn = list(islice(orders.telling(seed), BATCH))
    there = [(name, level) for name, level in orders.COMPILERS if shutil.which(name)]
    nodes = [node for node, _ in drawn]
    theirs = [orders.compiled(nodes, name, level, folder) for name, level in there]
    told: Counter[str] = Counter()
    for k, (node, possible) in enumerate(drawn):
        try:
            complaint = orders.disagreement(node, possible, [one[k] for one in theirs], folder)
        except orders.Undecided as error:
            told[f"undecided: {general(str(error))}"] += 1
            continue
        assert not complaint, complaint
        told["compared"] += 1
    return told


MOST_OUTCOMES_TO_PROVE = 4


def _proof(seed: int, folder: Path) -> str:
    few = (one for one in orders.telling(seed) if len(one[1]) <= MOST_OUTCOMES_TO_PROVE)
    node, possible = next(few)
    file = folder / "proof.c"

    def report(outcomes: set[orders.Outcome]) -> Report:
        file.write_text(orders.claim(node, outcomes))
        return verify(Config.of(file, engine="abpress", certificate=True, time_limit=5.0))

    fewer = report(possible - {min(possible)})
    assert fewer.result.verdict != Verdict.TRUE, file.read_text()
    proved = report(possible)
    assert proved.result.verdict != Verdict.FALSE, file.read_text()
    if Verdict.UNKNOWN in (proved.result.verdict, fewer.result.verdict):
        return f"undecided: {general(str(proved.result.reason or fewer.result.reason))}"
    assert proved.certificate is not None
    check_proof(Config.of(file), proved.certificate)
    return "proved, and violated with an outcome less"


def _tree(drawn: tuple[Program, Way], _: Path) -> bool:
    return differential.check(*drawn)


def _horn(drawn: tuple[Program, str], _: Path) -> str | bool:
    verdict = test_horn.agreed(*drawn)
    return False if verdict is None else str(verdict)


def _stateless(drawn: tuple[Program, bool], _: Path) -> bool:
    program, certain = drawn
    try:
        test_stateless_random.compare(program)
        if certain:
            test_stateless_random.compare_optimal(program)
    except UnsatisfiedAssumption:
        return False  # there are too many interleavings
    return True


def _tasks(number: int, _: Path) -> bool:
    return test_stateless_tasks.compare(task_systems.random_tasks(number))


_STATELESS_PROGRAMS = st.one_of(
    st.tuples(programs(test_stateless_random.ANYTHING), st.just(False)),
    st.tuples(programs(test_stateless_random.CERTAIN), st.just(True)),
)

_IR_PROGRAMS = st.one_of(
    programs(Features(threads=2, statements=4)),
    programs(Features(threads=3, statements=4, inputs=False, overflows=False)),
    programs(Features(threads=3, statements=5)),
)

_RICH_PROGRAMS = concurrent_programs() | NUMBERS.map(random_program)
"""The latter cannot be shrunk, but are seldom small."""


def _core(drawn: Program | ConcurrentProgram, folder: Path) -> Counter[str]:
    if isinstance(drawn, Program):
        hunts = Counter({test_hunt_by_core.compare(drawn, 0): 1})
        return compare_all(drawn) + compare_executions(drawn) + hunts
    return compare_text(drawn, folder, 2_000) + compare_executions_of_text(drawn, folder)


KINDS: dict[
    str, tuple[st.SearchStrategy[Any], Callable[[Any, Path], bool | str | Counter[str] | Compared]]
] = {
    "sequential": (sequential_programs(), _sequential),
    "compiler": (sequential_programs(("LP64",)), _compiler),
    "layout": (NUMBERS, _layout),
    "order": (NUMBERS, _order),
    "proof": (NUMBERS, _proof),
    "horn": (st.tuples(_IR_PROGRAMS, st.sampled_from(tuple(ORDERS))), _horn),
    "nearly-right": (
        test_nearly_right.DRAWN,
        lambda drawn, folder: test_nearly_right.compared(*drawn, folder),
    ),
    "tree": (st.tuples(_IR_PROGRAMS, st.sampled_from(differential.WAYS)), _tree),
    "stateful": (_IR_PROGRAMS, lambda program, _: test_stateful_random.compare(program)),
    "core": (_IR_PROGRAMS | _RICH_PROGRAMS, _core),
    "stored-tasks": (NUMBERS, lambda n, _: test_stateful_tasks.compare(n)),
    "concurrent": (concurrent_programs(), concurrent.check),
    "real": (
        st.tuples(_RICH_PROGRAMS, st.sampled_from(real.BUILDS)),
        lambda drawn, folder: real.check(*drawn, folder),
    ),
    "stateless": (_STATELESS_PROGRAMS, _stateless),
    "choices": (choosing_programs(), test_choices.compare),
    "tasks": (NUMBERS, _tasks),
    "observers": (test_observers_random.PROGRAMS, test_observers_random.check),
    "names": (test_renamed.DRAWS, test_renamed.check),
    "workers": (test_workers_random.DRAWN, lambda drawn, _: test_workers_random.check(drawn)),
    "native-workers": (
        test_native_leaves.DRAWN,
        lambda drawn, _: test_native_leaves.check(*drawn),
    ),
    "killed-workers": (killed_workers.DRAWN, lambda drawn, _: killed_workers.check(*drawn)),
    "lost-machines": (
        lost_machines.DRAWN,
        lambda drawn, _: lost_machines.check(*drawn),
    ),
    "waits": (test_awaits.PROGRAMS, test_awaits.check),
    **fuzz_of_facts.KINDS,
}
"""Kind -> its programs, and the check: whether a program was compared, or a word for how, or how
many of the programs that are checked together; or a word, and figures beside it."""

BATCHES = ("layout", "order")
BATCH = 25
"""How many programs of these kinds are checked together: one run of a compiler for all. They are
drawn by a number, so there is nothing to shrink."""


def fuzz(kind: str, count: int, number: int, before: set[str]) -> bool:
    """Whether `count` programs of a kind raise nothing, those of `before` left out, to which they
    are added; prints how many were compared."""
    strategy, check = KINDS[kind]
    answers: Counter[str] = Counter()
    figures: Counter[str] = Counter()
    again = 0
    failed: list[bool] = []
    began, used = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if kind in fuzz_of_facts.KINDS:
            fuzz_of_facts.make_cheap(patch)

        @seed(number)
        @settings(
            max_examples=-(-count // BATCH) if kind in BATCHES else count,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate] if kind in BATCHES else tuple(Phase),
        )
        @given(program=strategy)
        def every(program: Any) -> None:
            nonlocal again
            mark = hashlib.sha256(f"{kind} {program}".encode()).hexdigest()[:16]
            if mark in before and not failed:
                again += 1
                return
            before.add(mark)
            try:
                answer = check(program, Path(folder))
            except Exception as error:
                if not failed:  # shrinking it can take minutes
                    print(f"{kind}: program {answers.total() + 1} fails: {error}", flush=True)
                failed.append(True)
                raise
            words = {True: "compared", False: "not compared"}
            if isinstance(answer, Compared):
                figures.update(answer.figures)
                answer = answer.how
            if isinstance(answer, Counter):
                answers.update(answer)
            else:
                answers[answer if isinstance(answer, str) else words[answer]] += 1

        try:
            every()
        except Exception as error:
            print(f"{kind}, shrunk: {type(error).__name__}: {error}")
            return False
        finally:
            total = answers.total() + len(failed)
            counts = (*answers.most_common(), *figures.items())
            told = ", ".join(f"{number:,} {what}" for what, number in counts)
            seconds = time.monotonic() - began, time.process_time() - used
            times = "{:.0f} s, {:.0f} s of processor time".format(*seconds)
            print(f"{kind}: {total} programs, {told}, {again} drawn again, {times}", flush=True)
    return True


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many programs of which kind."""
    parser.add_argument("--count", type=int, default=2000, help="programs of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: all")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="FILE",
        help="leave out programs whose marks are in the file, and add those of this run to it",
    )


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a program fails."""
    kinds = options.kind or list(KINDS)
    file: Path | None = options.before
    before = set(file.read_text().split()) if file is not None and file.exists() else set()
    answers = [fuzz(kind, options.count, options.seed, before) for kind in kinds]
    if file is not None:
        file.write_text("\n".join(sorted(before)))
    return 0 if all(answers) else 1
