"""The properties that are checked: one file each, listed in `properties.table`."""

from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property
from abpress.properties.prp import property_key
from abpress.properties.table import PROPERTIES

__all__ = ["PROPERTIES", "Aspect", "Preserved", "Property", "property_key"]
