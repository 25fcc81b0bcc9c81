"""Writes the certificate of a complete tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from abpress.ir.program import Program
from abpress.logic.formula import Formula, format_formula
from abpress.proof.certificate import (
    Certificate,
    CertifiedNode,
    CertifiedPlace,
    Texts,
    format_certificate,
    parsed,
    place_digest,
    program_digest,
)
from abpress.proof.protocols import Claimed
from abpress.semantics.context import DONE
from abpress.semantics.outcome import Options

if TYPE_CHECKING:
    from abpress.symbolic.discrete import Discrete, SymbolicStep, ThreadPart


class NodeView(Protocol):
    """A node of a complete tree, as `abpress.art.view.ArtNodeView` says.

    It stands for the states with the `discrete` part that satisfy the `label`. `covered_by` is the
    number of the node that covers it, if one does; else `expansions` has per expanded thread its
    steps with the number of the child, None where the step is impossible under the label. `when`
    has formulas, by threads and numbers there: the step leads to this child where that one holds.
    `moves`: the threads that are others at the node that covers it.
    """

    @property
    def discrete(self) -> Discrete: ...
    @property
    def label(self) -> tuple[Formula, ...]: ...
    @property
    def covered_by(self) -> int | None: ...
    @property
    def expansions(
        self,
    ) -> tuple[tuple[int, tuple[tuple[SymbolicStep, int | None], ...]], ...]: ...
    @property
    def when(self) -> Mapping[tuple[int, int], Formula]: ...
    @property
    def moves(self) -> Mapping[int, int]: ...


class TreeView(Protocol):
    """A complete tree. The first node is the root; numbers of nodes are indices.

    `reduction` names the rule of `proof.conditions`, `encoding` that of integers. `threads` are the
    names of threads by id; that of the id 1 stands first. `tracked` are static objects whose values
    belong to the discrete part; `vocabulary` are formulas: what they mention counts, and all
    counts if there are none. `format` is that of its certificate. `symmetric`: `main` joins threads
    that are alike together.
    """

    @property
    def format(self) -> str: ...
    @property
    def nodes(self) -> Sequence[NodeView]: ...
    @property
    def reduction(self) -> str: ...
    @property
    def encoding(self) -> str: ...
    @property
    def threads(self) -> tuple[str, ...]: ...
    @property
    def tracked(self) -> tuple[str, ...]: ...
    @property
    def vocabulary(self) -> tuple[Formula, ...]: ...
    @property
    def symmetric(self) -> bool: ...


def certificate(
    program: Program, property: str, options: Options, tree: TreeView, asked: str = ""
) -> Certificate:
    """What the tree proves, as a certificate: a property, or several with commas, of those that
    were asked (nothing: these)."""
    proof = _Writer(tree.threads).certificate(program, property, options, tree)
    return proof if asked in ("", property) else replace(proof, asked=asked)


def write_tree(program: Program, tree: TreeView, claimed: Claimed) -> str:
    """The text of the certificate of what a tree proves."""
    proves, asked = ",".join(claimed.properties), ",".join(claimed.asked)
    proof = certificate(program, proves, claimed.options, tree, asked)
    facts, synchronised = tuple(map(parsed, claimed.facts)), tuple(claimed.synchronised)
    proof = replace(proof, facts=facts, synchronised=synchronised, lean=claimed.lean)
    return format_certificate(proof)


class _Writer:
    """Numbers what is written (mutable)."""

    def __init__(self, threads: tuple[str, ...]) -> None:
        self._names = threads
        self._formulas: dict[Formula, int] = {}
        self._places: dict[Discrete, int] = {}
        self._texts: Texts = {}

    def certificate(
        self, program: Program, property: str, options: Options, tree: TreeView
    ) -> Certificate:
        nodes = tuple(map(self._node, tree.nodes))
        for formula in tree.vocabulary:
            self._formulas.setdefault(formula, len(self._formulas))
        return Certificate(
            program_digest(program),
            property,
            options.input_domain,
            options.max_threads,
            tree.reduction,
            tree.encoding,
            self._names,
            tuple(map(format_formula, self._formulas)),
            tuple(map(self._place, self._places)),
            nodes,
            tree.tracked,
            format=tree.format,
            symmetric=tree.symmetric,
        )

    def _node(self, node: NodeView) -> CertifiedNode:
        place = self._places.setdefault(node.discrete, len(self._places))
        label = tuple(self._formulas.setdefault(f, len(self._formulas)) for f in node.label)
        if node.covered_by is not None:
            moves = {self._name(t): self._name(u) for t, u in node.moves.items()}
            return CertifiedNode(place, label, covered_by=node.covered_by, moves=moves)
        expanded, when = {}, {}
        for t, steps in node.expansions:
            kept = [(k, step, child) for k, (step, child) in enumerate(steps) if child is not None]
            name = self._name(t)
            expanded[name] = tuple((step.edges, child) for _, step, child in kept)
            for k, (was, _, _) in enumerate(kept):
                if (t, was) in node.when:
                    formula = node.when[t, was]
                    when[name, k] = self._formulas.setdefault(formula, len(self._formulas))
        return CertifiedNode(place, label, expanded=expanded, when=when)

    def _place(self, d: Discrete) -> CertifiedPlace:
        digest = place_digest(d, self._texts)
        return CertifiedPlace(digest, {self._name(p.id): _where(p) for p in d.threads})

    def _name(self, thread: int) -> str:
        return self._names[thread - 1]


def _where(part: ThreadPart) -> str:
    return "done" if part.location == DONE else f"{part.template} L{part.location}"
