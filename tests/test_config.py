"""One configuration of four parts, with options that are given by their names."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from abpress.config import PART_OF, Config

CONFIG = Config.of(Path("a.c"))


def test_every_option_has_one_part() -> None:
    options = [
        option.name for part in fields(Config) for option in fields(getattr(CONFIG, part.name))
    ]
    assert sorted(options) == sorted(PART_OF)
    assert all(hasattr(getattr(CONFIG, part), option) for option, part in PART_OF.items())


def test_options_go_to_their_parts_by_name() -> None:
    config = Config.of(Path("a.c"), entry="f", property="no-deadlock", time_limit=2, por="none")
    assert (config.program.file, config.program.entry) == (Path("a.c"), "f")
    assert config.question.named == "no-deadlock"
    assert (config.bounds.time_limit, config.search.por) == (2, "none")
    assert config == CONFIG.but(por="none", time_limit=2.0, property="no-deadlock", entry="f")
    assert config.but(entry="main", property="unreach-call", time_limit=None, por="auto") == CONFIG
    assert config.but() == config


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("reduction", "none"),
        ("program", CONFIG.program),
        ("por", None),
        ("defines", ["N=1"]),
        ("include_dirs", ("include",)),
        ("max_threads", 2.5),
        ("time_limit", "2s"),
    ],
)
def test_unknown_names_and_values_of_other_types_are_refused(option: str, value: Any) -> None:
    with pytest.raises(TypeError, match=option):
        CONFIG.but(**{option: value})
