"""What is checked: one entry of a table per property."""

from abpress.properties.prp import property_key
from abpress.properties.table import PROPERTIES, Property

__all__ = ["PROPERTIES", "Property", "property_key"]
