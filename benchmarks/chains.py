"""A chain of revolute joints in Pinocchio, for the benchmarks that compare with one of as many joints."""

from __future__ import annotations

from typing import Any


def pinocchio_chain(joints: int) -> Any:
    """A model with random placements and inertias."""
    import pinocchio as pin  # type: ignore[import-untyped]

    model = pin.Model()
    for k in range(joints):
        model.addJoint(k, pin.JointModelRZ(), pin.SE3.Random(), f"joint{k}")
        model.appendBodyToJoint(k + 1, pin.Inertia.Random(), pin.SE3.Identity())
    return model
