"""The inverse geometric model: all positions of the joints that bring a frame to a pose."""

from .choice import inverse_geometric, inverse_geometric_redundant
from .redundant import RedundantArm
from .result import BatchResult, Result
from .solver import InverseGeometric

__all__ = [
    "BatchResult",
    "InverseGeometric",
    "RedundantArm",
    "Result",
    "inverse_geometric",
    "inverse_geometric_redundant",
]
