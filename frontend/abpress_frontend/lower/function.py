"""A function of the program, or of a model, that has a body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pycparser import c_ast

from abpress_frontend.lower.cleanup import leaving
from abpress_frontend.lower.ctypes import CFunction
from abpress_frontend.lower.purposes import purposes
from abpress_frontend.lower.scope import Scope
from abpress_frontend.lower.syntax import (
    jumped_over,
    label_names,
    names_written,
    reads_variable_arguments,
    tested_calls,
)


@dataclass(eq=False)
class Function:
    """A function with a body. A parameter without a name has an empty one."""

    name: str
    node: c_ast.FuncDef
    scope: Scope
    type: CFunction
    parameters: tuple[str, ...]
    model: bool = False

    @property
    def assigned(self) -> frozenset[str]:
        """The names (of any variable of that name) that the body assigns."""
        return self._written[0]

    @property
    def addressed(self) -> frozenset[str]:
        """The names (of any variable of that name) whose address the body takes."""
        return self._written[1]

    @cached_property
    def _written(self) -> tuple[frozenset[str], frozenset[str]]:
        return names_written(self.node.body)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels that the body defines."""
        return label_names(self.node.body)

    @cached_property
    def reads_variable(self) -> bool:
        """Whether it looks at arguments without a parameter."""
        return reads_variable_arguments(self.node.body)

    @cached_property
    def tested(self) -> frozenset[c_ast.Node]:
        """The calls in it of whose value only the sign is asked."""
        return tested_calls(self.node.body)

    @cached_property
    def purposes(self) -> Mapping[c_ast.Node, tuple[c_ast.Node, ...]]:
        """The calls in it whose results variables keep, and what becomes of these."""
        return purposes(self.node.body)

    @cached_property
    def leaving(self) -> frozenset[c_ast.Node]:
        """The jumps that leave a pair of cleanup handler and its end."""
        return leaving(self.node.body)

    @cached_property
    def jumped_over(self) -> frozenset[c_ast.Node]:
        """The declarations that a jump within it can leave out."""
        return jumped_over(self.node.body)
