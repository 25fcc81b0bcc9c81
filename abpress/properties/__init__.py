"""The properties that are checked: one file each, listed in `properties.table`."""

from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property
from abpress.properties.prp import ERROR_FUNCTIONS, Asked, property_key, question_of
from abpress.properties.table import PROPERTIES

__all__ = [
    "ERROR_FUNCTIONS",
    "PROPERTIES",
    "Asked",
    "Aspect",
    "Preserved",
    "Property",
    "property_key",
    "question_of",
]
