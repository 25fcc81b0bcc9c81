"""What is tested for truth on a line, as other tools have it in their control-flow graphs: each
operand of `&&` and `||` is tested by itself, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress_frontend.tree import slots

_CONDITIONAL = (c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.TernaryOp)
_SELECTS = (c_ast.Switch, c_ast.Case, c_ast.Default)


@dataclass(frozen=True, slots=True)
class TruthTest:
    """An expression that is tested, in a slot of `holder`; whether it has no operands that are
    tested by themselves."""

    holder: c_ast.Node
    slot: str
    is_operand: bool

    def put(self, expression: c_ast.Node) -> None:
        """Has another expression in its place."""
        setattr(self.holder, self.slot, expression)

    @property
    def node(self) -> c_ast.Node:
        """The expression."""
        return getattr(self.holder, self.slot)


def truth_tests(root: c_ast.Node, file: str, line: int) -> list[TruthTest]:
    """The tests on a line: those that begin there, and those of a condition whose statement does.

    Raises UnsupportedError where it is open what others have there: labels of a switch, and `!` of
    an expression with operands that are tested by themselves.
    """
    found: list[TruthTest] = []
    here = (file, line)
    for holder, slot, node, lines in _with_lines(root):
        if here not in lines:
            continue
        if isinstance(node, _SELECTS):
            raise UnsupportedError("a condition where a switch stands")
        if isinstance(node, c_ast.UnaryOp) and node.op == "!" and _is_joined(node.expr):
            raise UnsupportedError("a condition where ! of && or || stands")
        if _is_tested(holder, slot):
            found.append(TruthTest(holder, slot, not _is_joined(node)))
    return found


def _is_joined(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||")


def _is_tested(holder: c_ast.Node, slot: str) -> bool:
    is_condition = slot == "cond" and isinstance(holder, _CONDITIONAL)
    return is_condition or (_is_joined(holder) and slot in ("left", "right"))


def _with_lines(
    root: c_ast.Node,
) -> Iterator[tuple[c_ast.Node, str, c_ast.Node, set[tuple[str, int]]]]:
    """All nodes below a node, with their holders and slots, and the lines on which they are: their
    own, and of conditions and what is in them that of the statement."""
    todo: list[tuple[c_ast.Node, set[tuple[str, int]]]] = [(root, set())]
    while todo:
        holder, lines = todo.pop()
        for slot in slots(holder):
            value = getattr(holder, slot)
            for node in value if isinstance(value, list) else (value,):
                if isinstance(node, c_ast.Node):
                    own = {(node.coord.file, node.coord.line)} if node.coord else set()
                    inherits = _is_tested(holder, slot) or isinstance(holder, c_ast.UnaryOp)
                    its = own | lines if inherits else own
                    yield holder, slot, node, its
                    todo.append((node, its))
