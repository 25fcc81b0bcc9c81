"""Data written as YAML is what others read."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.witness.standard.yaml_block import yaml_text
from tests.sampling import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    [
        "true",
        "No",
        "on",
        "~",
        "null",
        "2.0",
        "1e5",
        "a: b",
        "- a",
        "#",
        "x == 1",
        "",
        " ",
        "a ",
        "y",
    ]
)
DATA = st.recursive(
    st.integers(-9, 9_999) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=examples(100, 2_000), deadline=None)
@given(data=DATA)
def test_what_is_written_is_read(data: Any) -> None:
    assert yaml.safe_load(yaml_text(data)) == data


@pytest.mark.parametrize(
    "data, text",
    [
        ({"a": [{"b": 1, "c": "d e"}, 2]}, "a:\n- b: 1\n  c: d e\n- 2\n"),
        ({"a": {"b": []}, "c": {}}, "a:\n  b: []\nc: {}\n"),
        ("x == 1", '"x == 1"\n'),
        ("\u2028", '"\\U00002028"\n'),
    ],
)
def test_it_is_in_block_style(data: Any, text: str) -> None:
    assert yaml_text(data) == text
