"""The inverse geometric model: all positions of the joints that bring a frame to a pose."""

from .choice import inverse_geometric, inverse_geometric_redundant
from .solver.inverse_geometric import InverseGeometric
from .solver.result import BatchResult, Result

__all__ = ["BatchResult", "InverseGeometric", "Result", "inverse_geometric", "inverse_geometric_redundant"]
