"""The order in which locations are visited: a loop is done before what comes after it."""

from __future__ import annotations

from pathlib import Path

from abpress.analysis.flow import forwards, loops_first
from abpress.config import Config
from abpress.ir.program import Template, goes_on
from abpress.verify.load import load

NESTED = """
extern int __VERIFIER_nondet_int(void);
int a[4][4], sum;
int main(void) {
    for (int i = 0; i < 4; i++) {
        a[i][0] = i;
        for (int k = 1; k < 4; k++)
            a[i][k] = k;
        sum += a[i][1];
    }
    while (__VERIFIER_nondet_int())
        sum--;
    sum = 7;
    return 0;
}
"""


def template_of(text: str, tmp_path: Path) -> Template:
    file = tmp_path / "program.c"
    file.write_text(text)
    program = load(Config.of(file)).program
    return program.templates[program.main]


def late_exits(template: Template, order: list[int]) -> list[int]:
    """The locations that come in the order before one that leads to them, but lead not back."""
    place = {location: k for k, location in enumerate(order)}
    after: dict[int, set[int]] = {i: {i} for i in place}
    for _ in place:
        for i in place:
            for e in template.locations[i].edges:
                after[i] |= after[e.target] if goes_on(e) else set()
    return [j for i in place for j in after[i] if i not in after[j] and place[j] < place[i]]


def test_loops_are_done_before_what_comes_after_them(tmp_path: Path) -> None:
    template = template_of(NESTED, tmp_path)
    order = list(loops_first(template))
    assert sorted(order) == sorted(forwards(template))
    assert order[0] == template.entry
    assert late_exits(template, forwards(template)), "the order is nothing that any one has"
    assert not late_exits(template, order)


def test_an_inner_loop_stands_together(tmp_path: Path) -> None:
    template = template_of(NESTED, tmp_path)
    order = list(loops_first(template))
    place = {location: k for k, location in enumerate(order)}
    back = [
        (i, e.target)
        for i in order
        for e in template.locations[i].edges
        if goes_on(e) and place[e.target] <= place[i]
    ]
    spans = sorted((place[head], place[last]) for last, head in back)
    assert len(spans) == 3
    (outer, end), (inner, inner_end), (last, last_end) = spans
    assert outer < inner <= inner_end <= end < last <= last_end
