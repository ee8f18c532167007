"""The inverse geometric model: all positions of the joints that bring a frame to a pose.

``choice`` takes an arm and returns the solver that fits (SYMORO+ 1997, section 3.3); the front door, for robots with closed
loops too, is ``loops/inverse``. The rooms, each of which imports only those named with it:

    room               holds                                                                  stands on
    ``chain``          the joints between base and frame, and what is requested of them       nothing here
    ``special_poses``  poses at which an equation fails: neighbours, iteration, self-motions  chain
    ``closed_form``    Paul's and Pieper's methods: equations, their types, the program       chain, special_poses
    ``general``        Raghavan and Roth's method for any six joints, by elimination          chain, special_poses
    ``solver``         what answers a call: solutions, limits, statuses, words, source code   all of these

``tool`` adds a tool to the robot as fixed frames before any of this begins. The docstring of each room lists its files.
"""

from .choice import inverse_geometric_redundant
from .solver.inverse_geometric import InverseGeometric
from .solver.redundant import RedundantArm
from .solver.result import BatchResult, Result

__all__ = [
    "BatchResult",
    "InverseGeometric",
    "RedundantArm",
    "Result",
    "inverse_geometric_redundant",
]
