"""The properties that are checked: one file each, listed in `properties.table`."""

from abpress.properties.conjunction import Conjunction
from abpress.properties.finding import Shown
from abpress.properties.preserved import Preserved
from abpress.properties.property import ENDS, PASSING, VISITED, Aspect, Property, Variant
from abpress.properties.prp import (
    ERROR_FUNCTIONS,
    Asked,
    by_file,
    check_line,
    parse_prp,
    property_key,
    question_of,
)
from abpress.properties.table import GROUPS, PROPERTIES, asked

__all__ = [
    "ENDS",
    "ERROR_FUNCTIONS",
    "GROUPS",
    "PASSING",
    "PROPERTIES",
    "VISITED",
    "Asked",
    "Aspect",
    "Conjunction",
    "Preserved",
    "Property",
    "Shown",
    "Variant",
    "asked",
    "by_file",
    "check_line",
    "parse_prp",
    "property_key",
    "question_of",
]
