"""Certificates as data and as text (JSON).

A certificate is a tree: nodes with labels, the steps that lead from node to node, and which nodes
are covered by which. It says nothing about what a step does: the checker finds that out itself. So
places (discrete parts) are named by digests, to find the child that a step leads to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from abpress.config import Place
from abpress.errors import NOWHERE
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.smt.answer import Answer

if TYPE_CHECKING:
    from abpress.symbolic.discrete import Discrete

FORMAT = "abpress certificate"

CLAUSES = "abpress certificate of clauses"
"""The format of the same for a graph that a solver of Horn clauses has labelled, which may err."""

VERSION = 1

Path = tuple[tuple[int, int], ...]
"""The (location, edge) of a step, in order."""


class Rejected(Exception):
    """The certificate proves nothing; the message says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unchecked(Exception):
    """The certificate may prove something or not, as the solver gave up on a question.

    `rejection` is the reason to reject the certificate if the answer is no.
    """

    def __init__(self, rejection: str) -> None:
        super().__init__(rejection)
        self.reason = f"the solver gave up, so this is open: {rejection}"


def require(answer: Answer, rejection: str) -> None:
    """Raises Rejected where the answer is no, and Unchecked where the solver gave up."""
    if answer is Answer.NO:
        raise Rejected(rejection)
    if answer is Answer.UNKNOWN:
        raise Unchecked(rejection)


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was proved (properties, with commas), under which assumptions, and how large the proof
    is."""

    property: str
    assumptions: tuple[str, ...]
    nodes: int
    steps: int


@dataclass(frozen=True, slots=True)
class CertifiedPlace:
    """A discrete part: its digest and, for readers only, where the threads stand."""

    digest: str
    threads: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CertifiedNode:
    """A node: its place, its label, and either what covers it or how it is expanded.

    `place` and `label` are indices. `expanded` has the names of threads, each with the children:
    path of the step, number of the child. Steps that are impossible have none. The order of the
    threads is that of NOTE(preference-order), if that is the reduction. `when` has for children,
    by their thread and number there, the index of a formula: the step leads to this one where that
    holds before it, NOTE(commuting-steps). `moves` say which thread is which one at the node that
    covers it, of those that are not the same, NOTE(symmetric-covers).
    """

    place: int
    label: tuple[int, ...]
    covered_by: int | None = None
    expanded: Mapping[str, tuple[tuple[Path, int], ...]] | None = None
    when: Mapping[tuple[str, int], int] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a program satisfies a property, or several (names with commas). The first node is the
    root.

    `asked` are the properties, with commas, of which the variant of the program is, if they are
    more. `program` is the digest of the program model. `threads` are the names of threads in the
    order of their ids, which formulas may mention. `reduction` is for readers, except that `none`
    promises that every node is expanded in all threads. `tracked` are the static objects whose
    values belong to places where they are known. `facts` are certificates of facts, as data of
    JSON, that leave open what is shown here; and by which accesses of the `synchronised` edges
    (template, location, number) meet none in conflict, so that steps do not begin with them.
    `lean`: the program is the one without what nobody reads, NOTE(overwritten-writes),
    NOTE(private-objects). `symmetric`: the steps are those where `main` joins threads that are
    alike together, NOTE(symmetric-covers).
    """

    program: str
    property: str
    input_domain: int
    max_threads: int
    reduction: str
    encoding: str
    threads: tuple[str, ...]
    formulas: tuple[str, ...]
    places: tuple[CertifiedPlace, ...]
    nodes: tuple[CertifiedNode, ...]
    tracked: tuple[str, ...] = ()
    asked: str = ""
    facts: tuple[Any, ...] = ()
    synchronised: tuple[Place, ...] = ()
    format: str = FORMAT
    lean: bool = False
    symmetric: bool = False

    def properties(self) -> tuple[str, ...]:
        """The properties that it proves."""
        return tuple(self.property.split(","))

    def variant_of(self) -> tuple[str, ...]:
        """The properties of which the variant of the program is."""
        return tuple((self.asked or self.property).split(","))


def is_lean(proof: object) -> bool:
    """Whether a certificate is of the program without what nobody reads: only trees are."""
    return isinstance(proof, Certificate) and proof.lean


# -- digests --------------------------------------------------------------------------------------


def program_digest(program: Program) -> str:
    """A digest of what the program means: its file, and positions in it, do not count."""
    return sha256(format_program(_nowhere(program)).encode()).hexdigest()


def require_program(digest: str, program: Program) -> None:
    """Raises Rejected unless the digest of a certificate is that of the program."""
    if digest != program_digest(program):
        raise Rejected("it is for another program, or for other options of the program")


def require_location(program: Program, template: str, location: int) -> None:
    """Raises Rejected unless the program has the template, and that the location."""
    if template not in program.templates:
        raise Rejected(f"there is no template {template:.80}")
    if not 0 <= location < len(program.templates[template].locations):
        raise Rejected(f"there is no location {location} in {template}")


def _nowhere(program: Program) -> Program:
    templates = {
        name: replace(
            template,
            position=NOWHERE,
            locals={k: replace(o, position=NOWHERE) for k, o in template.locals.items()},
            locations=tuple(
                replace(at, edges=tuple(replace(edge, position=NOWHERE) for edge in at.edges))
                for at in template.locations
            ),
        )
        for name, template in program.templates.items()
    }
    objects = {name: replace(o, position=NOWHERE) for name, o in program.objects.items()}
    return replace(program, templates=templates, objects=objects)


Texts = dict[int, tuple[object, str]]
"""What stands in digests for objects and contents, by their ids: discrete parts share them."""


def place_digest(d: Discrete, texts: Texts | None = None) -> str:
    """A digest of a discrete part, among those of one program with the same ids of threads.

    `texts` is for the next time.
    """
    texts = {} if texts is None else texts
    for o in d.objects:
        if id(o) not in texts:
            texts[id(o)] = o, repr((o.name, o.origin, o.layout, o.count is None))
    for content in d.known:
        if id(content) not in texts:
            texts[id(content)] = content, repr(content)
    head = repr((tuple(map(tuple, d.threads)), d.status, len(d.objects)))
    text = "\n".join((head, *(texts[id(part)][1] for part in (*d.objects, *d.known))))
    return sha256(text.encode()).hexdigest()[:32]


# -- text -----------------------------------------------------------------------------------------


def format_certificate(c: Certificate) -> str:
    """The certificate as JSON; a formula, a place and a node stand on a line each."""
    head = {
        "format": c.format,
        "version": VERSION,
        "program": c.program,
        "property": c.property,
        **({"asked": c.asked} if c.asked else {}),
        **({"lean": True} if c.lean else {}),
        **({"symmetric": True} if c.symmetric else {}),
        "options": {"input_domain": c.input_domain, "max_threads": c.max_threads},
        "reduction": c.reduction,
        "encoding": c.encoding,
        "threads": list(c.threads),
        "tracked": list(c.tracked),
        **({"facts": list(c.facts)} if c.facts else {}),
        **({"synchronised": list(map(list, c.synchronised))} if c.synchronised else {}),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    rows: dict[str, list[Any]] = {
        "formulas": list(c.formulas),
        "places": [{"digest": p.digest, "threads": dict(p.threads)} for p in c.places],
        "nodes": [_node_data(n) for n in c.nodes],
    }
    for key, items in rows.items():
        inner = ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)
        lines.append(f"{json.dumps(key)}: [\n{inner}\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _node_data(n: CertifiedNode) -> dict[str, Any]:
    data: dict[str, Any] = {"place": n.place, "label": list(n.label)}
    if n.covered_by is not None:
        data["covered_by"] = n.covered_by
    if n.moves:
        data["moves"] = dict(n.moves)
    if n.expanded is not None:
        data["expanded"] = {
            thread: [
                {"path": path, "child": child}
                | ({"when": n.when[thread, k]} if (thread, k) in n.when else {})
                for k, (path, child) in enumerate(children)
            ]
            for thread, children in n.expanded.items()
        }
    return data


def parsed(text: str) -> Any:
    """The JSON data of a certificate of any kind. Raises Rejected."""
    try:
        return json.loads(text, parse_float=_no_number, parse_constant=_no_number)
    except RecursionError as error:
        raise Rejected("the file is damaged: it is nested too deeply") from error
    except ValueError as error:  # no JSON, or a number of too many digits
        raise Rejected(f"the file is damaged: {error}") from error


def read_tree(data: Any) -> Certificate:
    """The certificate that `format_certificate` writes, of its JSON data. Raises Rejected."""
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, CLAUSES):
        raise Rejected("the file is not a certificate")
    if data.get("version") != VERSION:
        raise Rejected(f"version {_told(data.get('version'))} of the format is not known")
    return _Reading().certificate(data)


_MOST = 1 << 63
"""No number of a certificate is so large."""


def _told(item: Any) -> str:
    """The item in a few characters."""
    if isinstance(item, (list, dict)):
        return f"a {type(item).__name__}"
    return f"{item!r:.40}"


def _no_number(text: str) -> Any:
    raise Rejected(f"the certificate has {text:.40} where a natural number is expected")


class _Reading:
    """Takes data apart. All methods raise Rejected for what is not of the right form."""

    def certificate(self, data: Any) -> Certificate:
        options = self.field(data, "options", dict)
        return Certificate(
            self.field(data, "program", str),
            self.field(data, "property", str),
            self.number(options, "input_domain"),
            self.number(options, "max_threads"),
            self.field(data, "reduction", str),
            self.field(data, "encoding", str),
            tuple(self.strings(self.field(data, "threads", list))),
            tuple(self.strings(self.field(data, "formulas", list))),
            tuple(map(self.place, self.field(data, "places", list))),
            tuple(map(self.node, self.field(data, "nodes", list))),
            tuple(self.strings(self.field(data, "tracked", list))),
            self.field(data, "asked", str) if "asked" in data else "",
            tuple(self.of(one, dict) for one in self.field(data, "facts", list))
            if "facts" in data
            else (),
            tuple(map(self.edge, self.field(data, "synchronised", list)))
            if "synchronised" in data
            else (),
            self.field(data, "format", str),
            self.field(data, "lean", bool) if "lean" in data else False,
            self.field(data, "symmetric", bool) if "symmetric" in data else False,
        )

    def place(self, data: Any) -> CertifiedPlace:
        threads = self.field(data, "threads", dict)
        self.strings(list(threads.values()))
        return CertifiedPlace(self.field(data, "digest", str), threads)

    def edge(self, data: Any) -> Place:
        if not isinstance(data, list) or len(data) != 3:
            raise Rejected("an edge of the certificate is not a template and two numbers")
        return self.of(data[0], str), self.natural(data[1]), self.natural(data[2])

    def node(self, data: Any) -> CertifiedNode:
        place = self.number(data, "place")
        label = tuple(map(self.natural, self.field(data, "label", list)))
        covered_by = self.number(data, "covered_by") if "covered_by" in data else None
        expanded = None
        when = {}
        if "expanded" in data:
            expanded = {
                thread: tuple(map(self.child, self.of(children, list)))
                for thread, children in self.field(data, "expanded", dict).items()
            }
            when = {
                (thread, k): self.number(child, "when")
                for thread, children in data["expanded"].items()
                for k, child in enumerate(children)
                if "when" in child
            }
        moves = self.field(data, "moves", dict) if "moves" in data else {}
        self.strings(list(moves.values()))
        return CertifiedNode(place, label, covered_by, expanded, when, moves)

    def child(self, data: Any) -> tuple[Path, int]:
        path = []
        for pair in self.field(data, "path", list):
            if not isinstance(pair, list) or len(pair) != 2:
                raise Rejected("a path of the certificate is not a list of pairs")
            path.append((self.natural(pair[0]), self.natural(pair[1])))
        return tuple(path), self.number(data, "child")

    def strings(self, items: list[Any]) -> list[str]:
        return [self.of(item, str) for item in items]

    def number(self, data: Any, key: str) -> int:
        return self.natural(self.field(data, key, int))

    def natural(self, item: Any) -> int:
        if not isinstance(item, int) or isinstance(item, bool) or not 0 <= item < _MOST:
            raise Rejected(f"the certificate has {_told(item)} where a natural number is expected")
        return item

    def field(self, data: Any, key: str, type: type[Any]) -> Any:
        if not isinstance(data, dict) or key not in data:
            raise Rejected(f"the certificate is incomplete: there is no {key!r}")
        return self.of(data[key], type)

    def of(self, item: Any, type: type[Any]) -> Any:
        if not isinstance(item, type):
            raise Rejected(f"the certificate has {_told(item)} where a {type.__name__} is expected")
        return item
