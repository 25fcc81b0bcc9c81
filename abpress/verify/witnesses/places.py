"""The places that witnesses name, in the tree of a program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from abpress.config import ProgramOptions
from abpress.errors import InputError, Position, UnsupportedError
from abpress.witness.standard.model import WitnessLocation
from abpress_frontend.load import read_program
from abpress_frontend.parse import ParsedSource
from abpress_frontend.sites import Site, Sites
from abpress_frontend.source_files import shown_name

CREATIONS = frozenset({"pthread_create", "thrd_create"})
"""Functions that create a thread and store its id at their first argument."""


@dataclass(frozen=True, slots=True)
class ProgramPlaces:
    """The sites of a program of one file; places in the file itself, whatever its line markers say.

    What `NamedPlaces` of `abpress.witness.standard` asks for, and the other way round.
    """

    sites: Sites
    file: str
    defined: frozenset[str]

    def statement_around(self, at: Position) -> tuple[Position, bool] | None:
        """The statement at a place, and whether it is passed once each time that it begins."""
        site = self.sites.around(at)
        return None if site is None else (site.position, not site.is_loop)

    def call_at(self, at: Position) -> Position | None:
        """How the call that begins at a place is named: column 0 where it is alone in its line."""
        calls = [s for s in self.sites.calls if s.position.file == at.file]
        here = [s for s in calls if (s.position.line, s.position.column) == (at.line, at.column)]
        if not here:
            return None
        alone = sum(at.line in (s.position.line, s.end.line) for s in calls) == 1
        end = here[0].end
        return Position(at.file, at.line, 0, at.function) if alone else end

    def statement(self, location: WitnessLocation, inside: bool = False) -> Site:
        """The statement that begins at a location, or, if none does and it may be `inside`, that
        that goes on there. Raises InputError for a line that the file does not have and
        UnsupportedError where nothing of the kind is, with the place in the witness."""
        site = self.sites.statement(*self._place(location))
        if site is None and inside:
            site = self.sites.over(*self._place(location))
        return self._found(site, location, "statement")

    def at_label(self, location: WitnessLocation) -> bool:
        """Whether a location is that of a label: a jump may come to the statement behind it alone,
        or to the label, too."""
        labels = (site for site in self.sites.on_line(*self._place(location)[:2]) if site.is_label)
        return any(location.column in (0, site.position.column) for site in labels)

    def targets(self, location: WitnessLocation) -> list[Site]:
        """As `statement`, that which is meant by a target; without a column it is one of those that
        begin on the line."""
        first = self.statement(location, inside=True)
        its = [] if location.column else self.sites.on_line(self.file, location.line)
        return [first, *(site for site in its if site is not first)]

    def loop(self, location: WitnessLocation) -> Site:
        """As `statement`, of loops."""
        return self._found(self.sites.loop(*self._place(location)), location, "loop")

    def branching(self, location: WitnessLocation) -> Site:
        """As `statement`, of those with a condition, and of `?:`."""
        site = self.sites.branching(*self._place(location))
        return self._found(site, location, "single branching")

    def require_tests(self, location: WitnessLocation) -> int:
        """The line, on which something is tested for truth. Raises InputError and UnsupportedError
        as `statement`, and the latter where it is open what is tested."""
        file, line, _ = self._place(location)
        try:
            tests = self.sites.tests(file, line)
        except UnsupportedError as error:
            raise UnsupportedError(error.message, location.place) from None
        if not tests:
            raise UnsupportedError(f"no condition in line {line} of {file}", location.place)
        return line

    def call(self, location: WitnessLocation) -> Site:
        """As `statement`, of calls."""
        return self._found(self.sites.call(*self._place(location)), location, "call")

    def creates(self, call: Site) -> bool:
        """Whether a call is one of the library that creates a thread."""
        return call.name in CREATIONS and call.name not in self.defined

    @property
    def has_threads(self) -> bool:
        """Whether the program names a function of the library that creates threads."""
        return not self.sites.names().isdisjoint(CREATIONS - self.defined)

    def _place(self, location: WitnessLocation) -> tuple[str, int, int]:
        if PurePath(location.file).name != PurePath(self.file).name:
            raise InputError(f"{location.file} is not the program", location.place)
        if not self.sites.has_line(self.file, location.line):
            where = f"{location.file}:{location.line}"
            raise InputError(f"{where}: the file has fewer lines", location.place)
        return self.file, location.line, location.column

    def _found(self, site: Site | None, location: WitnessLocation, what: str) -> Site:
        function = location.function
        if site is not None and function not in ("", site.position.function):
            what = f"{location.file}:{location.line} is in {site.position.function}, not {function}"
            raise InputError(what, location.place)
        if site is None:
            column = f":{location.column}" if location.column else ""
            where = f"{location.file}:{location.line}{column}"
            reason = f"no {what} begins at {where} in a function that is used"
            raise UnsupportedError(reason, location.place)
        return site


def places_of(options: ProgramOptions) -> ProgramPlaces:
    """The places of a program. Raises InputError and UnsupportedError."""
    return places_in(read_program(options, line_markers=False), options)


def places_in(source: ParsedSource, options: ProgramOptions) -> ProgramPlaces:
    """The places of a program that is parsed, without line markers."""
    sites = Sites(source.ast, source.sources)
    return ProgramPlaces(sites, shown_name(options.file), frozenset(sites.functions))
