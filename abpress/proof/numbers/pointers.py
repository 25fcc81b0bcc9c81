"""What comparisons of pointers tell that are moved by constants from the same one, and which
constant addresses cannot be of the same memory."""

from __future__ import annotations

from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Unary
from abpress.ir.types import PtrType, Scalar


def compared(e: Expr) -> Expr:
    """The expression, with numbers in place of comparisons that say whether two pointers are the
    same that come from the same one."""
    match e:
        case Compare("==" | "!=" as op, a, b) if isinstance(a.type, PtrType):
            (base, moved), (other, so_far) = _moved(a), _moved(b)
            if base != other or abs(moved - so_far) >= 1 << 8 * a.type.size - 1:
                return e
            return Const(int((moved == so_far) is (op == "==")), e.type)
        case Compare(op, a, b):
            return Compare(op, compared(a), compared(b))
        case Binary(op, a, b):
            return Binary(op, compared(a), compared(b))
        case Unary(op, a):
            return Unary(op, compared(a))
        case Convert(a, type):
            return Convert(compared(a), type)
        case _:
            return e


def apart(a: tuple[Expr, Scalar], b: tuple[Expr, Scalar]) -> bool:
    """Whether values of these types at these addresses have no byte in common: in objects of
    different names, or beside each other."""
    match a[0], b[0]:
        case Addr(first, offset), Addr(second, other):
            before = offset + a[1].size <= other or other + b[1].size <= offset
            return first != second or before
        case _:
            return False


def _moved(e: Expr) -> tuple[Expr, int]:
    """The pointer that a pointer is moved from by a constant number of bytes."""
    match e:
        case PtrAdd(p, Const(by, _)):
            base, moved = _moved(p)
            return base, moved + by
        case Addr(name, offset, type):
            return Addr(name, 0, type), offset
        case _:
            return e, 0
