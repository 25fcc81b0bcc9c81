"""Results as JUnit XML, as CI servers read it."""

from __future__ import annotations

from xml.etree import ElementTree

from abpress.result import Result, Verdict
from abpress.verify.measure import Cost
from abpress.verify.run import Report
from abpress.witness.lanes import render
from abpress.witness.trace import place_of, told

_WIDTH = 100


def junit(report: Report, cost: Cost, name: str) -> str:
    """The report as a suite with a test for each property: a violation is a failure with the
    execution as its text, an unknown answer an error. It has what Jenkins' schema knows, and no
    more: places are in the messages."""
    verdicts = [answer.result.verdict for answer in report.answers]
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count(Verdict.FALSE)),
        "errors": str(verdicts.count(Verdict.UNKNOWN)),
        "time": f"{cost.wall_s:.3f}",
    }
    suites = ElementTree.Element("testsuites", {"name": "AbPress", **counts})
    suite = ElementTree.SubElement(suites, "testsuite", {"name": name, **counts})
    for answer in report.answers:
        _add_case(suite, answer.result, report, name)
    ElementTree.indent(suites, " ")
    return ElementTree.tostring(suites, "unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, result: Result, report: Report, name: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=name, name=result.property)
    trace = result.trace
    if result.verdict is Verdict.FALSE and trace is not None:
        place = place_of(trace)
        failure = ElementTree.SubElement(
            case, "failure", type=result.property, message=_plain(f"{place}: {told(trace)}")
        )
        lines = render(trace, report.sources, _WIDTH)
        failure.text = _plain("\n".join(line.plain.rstrip() for line in lines))
    elif result.verdict is Verdict.UNKNOWN:
        ElementTree.SubElement(case, "error", type="unknown", message=_plain(result.reason))
    elif result.assumptions:
        assumed = "\n".join(f"assuming: {assumption}" for assumption in result.assumptions)
        ElementTree.SubElement(case, "system-out").text = _plain(assumed)


def _plain(text: str) -> str:
    """The text without the control characters that XML cannot have."""
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
