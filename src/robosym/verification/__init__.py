"""Every model of a robot against an implementation that shares nothing with it, at random states.

::

    for row in verification.verify(robosym.load("rx90")):
        print(row)

With Pinocchio where that is installed, else with plain floats written from the laws of mechanics; closed loops with Lagrange
multipliers on the tree of all joints. What cannot be verified comes with the reason.
"""

from __future__ import annotations

from .rows import Row
from .run import steps, verify, work

__all__ = ["Row", "steps", "verify", "work"]
