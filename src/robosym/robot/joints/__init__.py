"""Kinds of joints with several axes, one file each; ``KINDS`` are those that descriptions name.

A revolute, a prismatic and a fixed joint are told by the sigma of their frame (SYMORO+ 1997, section 2).
"""

from .ball import Ball
from .cylindrical import Cylindrical
from .free import Free
from .kind import Entry, JointKind, Step
from .planar import Planar
from .screw import Screw
from .universal import Universal

KINDS: dict[str, type[JointKind]] = {kind.name: kind for kind in (Screw, Ball, Universal, Cylindrical, Planar, Free)}

__all__ = ["KINDS", "Ball", "Cylindrical", "Entry", "Free", "JointKind", "Planar", "Screw", "Step", "Universal"]
