"""What validation inserts into a program, to check what a correctness witness states.

An invariant becomes a check in a block that no thread interrupts. Ghost variables become variables,
which are written in one block with the statement of the update: that has to be one step anyway, so
that the block leaves out no execution.

NOTE(observing-code)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abpress.config import InsertedCode
from abpress.errors import InputError, UnsupportedError
from abpress.ir.program import UNREACH_CALL
from abpress.verify.witnesses.expressions import reading, require_ghost
from abpress.verify.witnesses.places import CREATIONS, ProgramPlaces
from abpress.witness.standard.model import CorrectnessWitness, StatedInvariant
from abpress_frontend.insertions import CONDITION, FILE, STATEMENT, THIS
from abpress_frontend.sites import Site

NO_ERROR = "no function"
"""In the place of the only function whose call is an error: there is none."""

CHECKING: Mapping[str, Any] = {
    "properties": (UNREACH_CALL,),
    "error_function": NO_ERROR,
    "signed_overflow": "wrap",
}
"""What is asked of a program with checks: nothing but them. Where arithmetic of an invariant
overflows nothing is known of it, so a proof is one with arithmetic that wraps around, which is that
of more executions."""

_ONE_STEP = frozenset(
    {
        *("pthread_mutex_lock", "pthread_mutex_unlock"),
        *("pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_trylock"),
        *("pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock"),
        *("pthread_spin_lock", "pthread_spin_unlock", "sem_wait", "sem_post"),
        *("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"),
    }
)
"""Functions of the library whose calls are one step, if their arguments are no steps."""


@dataclass(frozen=True, slots=True)
class InvariantChecks:
    """The insertions; `failures` are the messages of the checks, with the invariants."""

    insertions: tuple[InsertedCode, ...]
    failures: dict[str, StatedInvariant]


def invariant_checks(
    witness: CorrectnessWitness, places: ProgramPlaces, file: Path, go_on: bool = False
) -> InvariantChecks:
    """The checks of a witness for a program in a file. With `go_on` there is also an execution that
    goes on where one fails.

    Raises InputError and UnsupportedError, with places in the witness.
    """
    failures: dict[str, StatedInvariant] = {}
    insertions: list[InsertedCode] = []
    for number, stated in enumerate(witness.invariants, 1):
        message = f"invariant {number} does not hold"
        failures[message] = stated
        if "\\" in stated.value:
            raise UnsupportedError(f"the expression {stated.value}", stated.location.place)
        reading(stated.value, stated.location.place)
        fails = f'__abp_fail("{UNREACH_CALL}", "{message}");'
        may = " && __abp_nondet_bool()" if go_on else ""
        check = (
            f"{{ __abp_atomic_begin(); if (!({stated.value}){may}) {fails} __abp_atomic_end(); }}"
        )
        site = places.loop(stated.location) if stated.at_loop else places.statement(stated.location)
        place = (places.file, site.position.line, site.position.column)
        if stated.at_loop:
            insertions.append(InsertedCode(CONDITION, f"({{ {check} }}), {THIS}", *place))
        if site.is_label:
            raise UnsupportedError("an invariant at a label", stated.location.place)
        if not stated.at_loop or site.tests_last:
            insertions.append(InsertedCode(STATEMENT, f"{check} {THIS};", *place))
    # What is inserted later stands nearer to the statement: a check is before the update.
    return InvariantChecks((*insertions, *_ghosts(witness, places, file)), failures)


def _is_one_step(site: Site, places: ProgramPlaces) -> bool:
    """Whether other threads see nothing between the begin of a statement and its end."""
    call = site.single_call(places.defined)
    if call in places.defined:
        return False
    if call in CREATIONS:
        return places.sites.stores_for_itself(site)
    return site.writes_once or call in _ONE_STEP


def _ghosts(
    witness: CorrectnessWitness, places: ProgramPlaces, file: Path
) -> Iterator[InsertedCode]:
    known = {ghost.name for ghost in witness.ghosts}
    names = places.sites.names() if witness.ghosts else frozenset()
    for ghost in witness.ghosts:
        require_ghost(ghost, names, file, witness.task.place)
        yield InsertedCode(FILE, f"{ghost.type} {ghost.name} = ({ghost.initial});")
    updates: dict[Site, str] = {}
    for update in witness.updates:
        if update.variable not in known:
            what = f"an update of {update.variable}, which is no ghost variable"
            raise InputError(what, update.location.place)
        site = places.statement(update.location)
        if not _is_one_step(site, places):
            what = "an update of a ghost variable at a statement that may be several steps"
            raise UnsupportedError(what, update.location.place)
        reading(update.value, update.location.place)
        updates[site] = updates.get(site, "") + f" {update.variable} = {update.value};"
    for site, code in updates.items():
        block = f"__abp_atomic_begin();{code} {THIS}; __abp_atomic_end();"
        place = (places.file, site.position.line, site.position.column)
        yield InsertedCode(STATEMENT, block, *place)
