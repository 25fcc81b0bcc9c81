"""Format strings of scanf and printf (ISO C 7.21.6), as far as results follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.types import IntType

_CONVERSION = re.compile(
    rb"%(?P<hidden>\*?)(?P<width>\d*)(?P<allocates>m?)(?P<length>hh|h|ll|l|j|z|t|L|)"
    rb"(?P<letter>\[(?P<inverted>\^?)(?P<set>\]?[^]]*)\]|.)",
    re.S,
)

_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}
"""What reads an integer -> the base; that without a prefix for `i`."""

_LONGS = {"": 0, "hh": -2, "h": -1, "l": 1, "ll": 2, "j": 2, "L": 3, "z": 1, "t": 1}

_MOST_DIGITS = 22
"""More than any integer has that fits; with base 8 those of 64 bits."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion of scanf; `width` is 0 where none is given. One that is `hidden` stores nothing;
    the characters of a `set` stand in the format from number `at` on, and are `inverted` or not."""

    letter: str
    length: str
    width: int
    hidden: bool = False
    allocates: bool = False
    set: bytes = b""
    at: int = 0
    inverted: bool = False

    @property
    def fits_char(self) -> bool:
        """Whether it stores one char."""
        return self.length == "hh" or (self.letter == "c" and self.width in (0, 1))

    @property
    def is_integer(self) -> bool:
        return self.letter in _BASES

    @property
    def is_real(self) -> bool:
        return self.letter in "aefgAEFG"

    @property
    def longs(self) -> int:
        """How many times it is `long`, or, negative, `short`; 3 is the longest."""
        return _LONGS[self.length]

    @property
    def is_known(self) -> bool:
        """Whether there is a model of it (models/scan.c), `n` not counted."""
        if self.allocates:
            return False
        if self.letter in "cs[":
            return self.length == ""
        return self.is_integer or (
            self.is_real and self.width == 0 and self.length in ("", "l", "L")
        )

    @property
    def needs_model(self) -> bool:
        """Whether it stores more than one number, or one that is not known by its bounds."""
        characters = self.letter in "[sn" or (self.letter == "c" and not self.fits_char)
        return characters or (self.is_integer and 16 <= self.width < _MOST_DIGITS)

    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest number that so many characters can be; None is no bound."""
        base = _BASES.get(self.letter)
        if base is None or not 0 < self.width < 16:
            return None, None
        return -_greatest(self.letter, base, self.width - 1), _greatest(
            self.letter, base, self.width
        )


def _greatest(letter: str, base: int, digits: int) -> int:
    """The greatest number of so many characters, of which 0x is a part where `i` reads base 16."""
    if letter == "i" and digits > 2:
        return max(int(10**digits), int(16 ** (digits - 2))) - 1
    return int(base**digits) - 1


def conversions(format: bytes) -> list[Conversion]:
    """The conversions of a format of scanf for which there are pointers."""
    return [one for one in directives(format) if isinstance(one, Conversion) and not one.hidden]


def directives(format: bytes) -> Iterator[int | Conversion]:
    """The conversions of a format of scanf and the characters between them, as which %% is read,
    too: spaces, if any, and a %."""
    return (piece if isinstance(piece, int) else _conversion(piece) for piece in _pieces(format))


def _conversion(piece: re.Match[bytes]) -> Conversion:
    return Conversion(
        letter=chr(piece["letter"][0]),
        length=piece["length"].decode(),
        width=int(piece["width"] or 0),
        hidden=bool(piece["hidden"]),
        allocates=bool(piece["allocates"]),
        set=piece["set"] or b"",
        at=piece.start("set") if piece["set"] else 0,
        inverted=bool(piece["inverted"]),
    )


_PRINTED = re.compile(
    rb"%[-+ #0'I]*(?P<width>\*|\d*)(?P<precision>\.\*|\.\d*|)"
    rb"(?P<length>hh|h|ll|l|j|z|t|L|)(?P<letter>.)",
    re.S,
)


@dataclass(frozen=True, slots=True)
class PrintedText:
    """An argument of printf that is a text, counted from the first one behind the format: it is
    read to its end, or `most` characters of it, or as many as another argument says."""

    argument: int
    most: int | None = None
    most_argument: int | None = None


def printed_texts(format: bytes) -> Iterator[PrintedText]:
    """The texts that printf shows; those of wide characters are left out."""
    argument = 0
    for m in _PRINTED.finditer(format):
        letter, precision = m["letter"], m["precision"]
        if letter == b"%":
            continue
        argument += m["width"] == b"*"
        most_argument = argument if precision == b".*" else None
        argument += most_argument is not None
        if letter == b"s" and not m["length"]:
            most = int(precision[1:] or 0) if precision and most_argument is None else None
            yield PrintedText(argument, most, most_argument)
        argument += letter != b"m"


def printed_length(format: bytes) -> int | None:
    """How many characters printf prints; None where that depends on arguments."""
    text = format.replace(b"%%", b"x")
    return None if b"%" in text else len(text)


_NUMBERS = {
    "d": (rb"[-+]?[0-9]+", 10),
    "i": (rb"[-+]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", 0),
    "u": (rb"[-+]?[0-9]+", 10),
    "x": (rb"[-+]?(?:0[xX])?[0-9a-fA-F]+", 16),
    "X": (rb"[-+]?(?:0[xX])?[0-9a-fA-F]+", 16),
    "o": (rb"[-+]?[0-7]+", 8),
}
_SPACE = b" \t\n\v\f\r"


def scanned(
    text: bytes, format: bytes, types: Sequence[IntType], lengths: Mapping[str, int]
) -> tuple[int, list[int]] | None:
    """The result of scanning a known text into objects of these types, and what is stored.

    `lengths` has the bits of length modifiers. None where a conversion is none of integers, has a
    width, or is for an object of another size, and where a number is out of range.
    """
    values: list[int] = []
    at = 0
    for piece in _pieces(format):
        if isinstance(piece, int):
            if piece in _SPACE:
                at = _after_space(text, at)
                continue
            if at >= len(text):
                return (len(values) or -1), values
            if text[at] != piece:
                return len(values), values
            at += 1
            continue
        if piece["letter"].decode() not in _NUMBERS or piece["width"] or piece["hidden"]:
            return None
        if len(values) == len(types):
            return None
        type = types[len(values)]
        if lengths.get(piece["length"].decode()) != type.bits:
            return None
        at = _after_space(text, at)
        if at == len(text):
            return (len(values) or -1), values
        found = _number(text, at, piece["letter"].decode(), type)
        if found is None:
            return None
        if found[1] == at:
            return len(values), values
        value, at = found
        values.append(value)
    return len(values), values


def _number(text: bytes, at: int, letter: str, type: IntType) -> tuple[int, int] | None:
    """The number that stands there, as the type holds it, and where it ends, which is where it
    begins if there is none; None if it is out of range, or a prefix without its digits."""
    pattern, base = _NUMBERS[letter]
    number = re.compile(pattern).match(text, at)
    if number is None:
        return 0, at
    digits = number[0].decode()
    magnitude = digits.lstrip("+-").lower()
    if magnitude == "0" and base in (0, 16) and text[number.end() :].lower().startswith(b"x"):
        return None
    octal = base == 0 and magnitude.startswith("0") and "x" not in magnitude
    value = int(digits, 8 if octal else base)
    as_read = IntType(type.bits, letter in "di")
    low = as_read.minimum if as_read.signed else -as_read.maximum
    return (type.wrap(value), number.end()) if low <= value <= as_read.maximum else None


def _pieces(format: bytes) -> Iterator[int | re.Match[bytes]]:
    """The conversions of a format and the characters between them, as which %% is read, too."""
    at = 0
    while at < len(format):
        found = _CONVERSION.match(format, at)
        if found is None:
            yield format[at]
            at += 1
            continue
        if found["letter"] == b"%":
            yield from b" %"
        else:
            yield found
        at = found.end()


def _after_space(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at
