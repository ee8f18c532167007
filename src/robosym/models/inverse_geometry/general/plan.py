"""An arm with its numbers, and how it is solved."""

from __future__ import annotations

from dataclasses import dataclass

from .arm import Arm
from .invariants import Floats
from .labelling import inverse
from .strategy import Strategy, strategy_for


@dataclass(frozen=True, eq=False)
class Plan:
    """The ``whole`` arm, the same ``arm`` in units of its length and without base and tool, and how it is solved."""

    whole: Arm
    arm: Arm
    strategy: Strategy

    @classmethod
    def of(cls, whole: Arm) -> Plan:
        arm = whole.reduced()
        return cls(whole, arm, strategy_for(arm))

    def reduced(self, T: Floats) -> Floats:
        """The poses that the reduced arm has to reach."""
        poses = inverse(self.whole.constants[0]) @ T @ inverse(self.whole.constants[-1])
        poses[..., :3, 3] /= self.whole.length
        return poses
