"""The manual page of the command, in the macros of man(7), made of the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from abpress.version import __version__


def manual(parser: argparse.ArgumentParser) -> str:
    """The page, as `man -l` reads it."""
    return "\n".join(_page(parser)) + "\n"


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {its.dest: its.help or "" for its in commands._choices_actions}
    yield f'.TH ABPRESS 1 "" "AbPress {__version__}" "User Commands"'
    yield from (".SH NAME", r"abpress \- verify multi-threaded C programs")
    yield from (".ad l", ".SH SYNOPSIS")
    yield from (r".B abpress", r"[\fIcommand\fR] [\fIoption\fR ...] \fIfile\fR ...")
    yield from (".SH DESCRIPTION", _text(parser.description or ""))
    yield from _options(parser)
    yield ".SH COMMANDS"
    for name, text in helps.items():
        yield from (".TP", rf"\fB{_text(name)}\fR", _text(text))
    yield from _verbatim("EXIT STATUS", parser.epilog or "")
    for name, sub in commands.choices.items():
        yield f'.SH "ABPRESS {_text(name.upper())}"'
        yield _text(f"{helps[name]}.")
        yield from _options(sub)
        if sub.epilog != parser.epilog:
            yield from _verbatim("", sub.epilog or "")
    yield from (".SH SEE ALSO", r"The folder \fIdocs\fR of the project.")


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The arguments, by their groups."""
    for group in parser._action_groups:
        shown = [a for a in group._group_actions if a.help != argparse.SUPPRESS]
        if not shown or any(isinstance(a, argparse._SubParsersAction) for a in shown):
            continue
        yield f'.SS "{_text(str(group.title or "").capitalize())}"'
        if group.description:
            yield _text(group.description)
        for action in shown:
            yield from (".TP", _names(parser, action), _text(_help(parser, action)))


def _names(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    values = "|".join(map(str, action.choices)) if action.choices else ""
    metavar = action.metavar if isinstance(action.metavar, str) else values or action.dest.upper()
    value = rf"\fI{_text(metavar)}\fR"
    if not action.option_strings:
        return value
    names = ", ".join(rf"\fB{_text(name)}\fR" for name in action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}"


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _verbatim(title: str, epilog: str) -> Iterator[str]:
    """An epilog, whose lines stay; its first line is its title."""
    first, *lines = epilog.strip().splitlines()
    yield f".SH {title}" if title else f'.SS "{_text(first.rstrip(":").capitalize())}"'
    yield ".nf"
    yield from map(_text, lines)
    yield ".fi"


def _text(text: str) -> str:
    """The text, no part of which is taken for a request."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    plain = plain.replace("|", r"|\:")  # a line may break there
    return "\n".join(rf"\&{line}" if line[:1] in ".'" else line for line in plain.splitlines())
