"""What is checked: one file per property, listed in `properties.table`."""

from abpress.properties.property import Aspect, Preserves, Property
from abpress.properties.prp import property_key
from abpress.properties.table import PROPERTIES

__all__ = ["PROPERTIES", "Aspect", "Preserves", "Property", "property_key"]
