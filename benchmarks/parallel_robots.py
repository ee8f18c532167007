"""Platforms on legs: what their models cost, how long generating them takes, and how fast they are beside Pinocchio.

Forward dynamics from Python beside ``pin.constraintDynamics`` on the same platform: the legs as branches of a tree, the platform as
a free flyer, and a constraint at every seat. Results must agree to 1e-9 before they are timed. Then direct geometry: all poses,
and the one that Newton's iteration reaches from the last. The last columns are what we ask of ourselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from closed_loops import depth_first
from plain_loops import numbers
from rich.console import Console
from rich.table import Table
from run_time import in_turns, verdict
from sizes import installed, sized
from timing import best_of

import robosym
from robosym import library, models
from robosym.robot import FIXED, FREE, PRISMATIC, Robot

TOLERANCE = 1e-9
OF_PINOCCHIO, LONGEST_GENERATION, LONGEST_SEARCH = 0.12, 1.0, 2.0
KINDS = (
    "inverse-dynamics",
    "forward-dynamics",
    "inertia-matrix",
    "gravity",
    "jacobian",
    "inverse-geometric",
    "direct-geometric",
)
FROM_PYTHON = sized(("gough-stewart", "gough-stewart-general"), ("gough-stewart",))
CALLS, STEPS = sized((2000, 500), (2, 2))


def platforms() -> list[str]:
    return sized([name for name in library.robot_names() if robosym.load(name).platforms], ["planar-3rrr"])


# --- generating ------------------------------------------------------------------------------------------------------


def generation() -> Table:
    names = platforms()
    table = Table(
        "model", *names, title=f"ms to generate: operations (divisions); asked: at most {LONGEST_GENERATION:g} s"
    )
    longest = dict.fromkeys(names, 0.0)
    for kind in KINDS:
        row = []
        for name in names:
            seconds, made = best_of(2, partial(generated, name, kind))
            longest[name] = max(longest[name], seconds)
            o = made.operations
            row.append(f"{seconds * 1e3:.0f}: {o.total}" + (f" ({o.div})" if o.div else ""))
        table.add_row(kind, *row)
    table.add_row("longest", *(f"{1e3 * x:.0f}, {verdict(x, LONGEST_GENERATION)}" for x in longest.values()))
    return table


def generated(name: str, kind: str) -> robosym.Model:
    """From the file: nothing of the legs is remembered."""
    return models.MODELS[kind](robosym.load(name))


# --- beside Pinocchio ------------------------------------------------------------------------------------------------


class Constrained:
    """Pinocchio's legs and platform, with a constraint at each seat."""

    def __init__(self, robot: Robot) -> None:
        import pinocchio as pin  # type: ignore[import-untyped]

        self.pin, self.robot, self.model = pin, robot, pin.Model()
        self.joints: dict[int, int] = {}
        for j in depth_first(robot):
            frame = robot.frame(j)
            carrier, place = self.carried(frame.antecedent)
            if frame.sigma == FIXED:
                continue
            kinds = {FREE: pin.JointModelFreeFlyer, PRISMATIC: pin.JointModelPZ}
            joint = kinds.get(frame.sigma, pin.JointModelRZ)()
            self.joints[j] = self.model.addJoint(carrier, joint, place * self.placement(j), f"joint{j}")
            XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, frame.link.inertial)
            ten = np.array([M, MX, MY, MZ, XX, XY, YY, XZ, YZ, ZZ])
            inertia = pin.Inertia.FromDynamicParameters(ten) if M else pin.Inertia.Zero()
            self.model.appendBodyToJoint(self.joints[j], inertia, pin.SE3.Identity())
        self.model.gravity = pin.Motion(np.array(numbers(robot, robot.gravity)), np.zeros(3))
        for j, joint in self.joints.items():
            if robot.frame(j).sigma != FREE:
                self.model.armature[self.model.joints[joint].idx_v] = numbers(robot, [robot.frame(j).actuator.Ia])[0]
        self.data = self.model.createData()
        self.rigid, self.rigid_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for leg in robot.platforms[0].legs:
            ends = [self.carried(j) for j in (leg.end, leg.seat)]
            kind = pin.ContactType.CONTACT_3D if leg.joint == "spherical" else pin.ContactType.CONTACT_6D
            one = pin.RigidConstraintModel(kind, self.model, *ends[0], *ends[1], pin.LOCAL)
            self.rigid.append(one)
            self.rigid_data.append(one.createData())
        pin.initConstraintDynamics(self.model, self.data, self.rigid, self.rigid_data)
        self.settings = pin.ProximalSettings(1e-14, 1e-8, 5)

    def placement(self, j: int) -> Any:
        """Of a frame, with its joint at zero."""
        pin = self.pin
        gamma, b, alpha, d, theta, r = numbers(self.robot, self.robot.frame(j).geometry)
        z, x = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
        turns = [pin.AngleAxis(angle, axis).toRotationMatrix() for angle, axis in ((gamma, z), (alpha, x), (theta, z))]
        one, two, three = (pin.SE3(turn, way) for turn, way in zip(turns, (b * z, d * x, r * z), strict=True))
        return one * two * three

    def carried(self, j: int) -> tuple[int, Any]:
        """The joint that carries a frame, and its place there."""
        place = self.pin.SE3.Identity()
        while j and j not in self.joints:
            place = self.placement(j) * place
            j = self.robot.frame(j).antecedent
        return (self.joints[j] if j else 0), place

    def place(self, j: int) -> tuple[int, int]:
        joint = self.model.joints[self.joints[j]]
        return int(joint.idx_q), int(joint.idx_v)

    def __call__(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.pin.constraintDynamics(
            self.model, self.data, q, v, tau, self.rigid, self.rigid_data, self.settings
        )
        return found


def from_python() -> Table:
    heads = ("constraintDynamics", "f(pose=...)", "bound", "f / Pinocchio", "asked")
    table = Table("robot", *heads, title="forward dynamics from Python, ns")
    for name in FROM_PYTHON:
        table.add_row(name, *python_row(name))
    return table


def python_row(name: str) -> list[str]:
    robot = robosym.load(name)
    other = Constrained(robot)
    model = models.forward_dynamics(robot, wrench="none")
    f = model.compile()
    pose, rng = np.round(model.centre["pose"], 2), np.random.default_rng(0)  # near home, not turned
    twist, tau = 0.3 * rng.normal(size=6), rng.normal(size=len(robot.joint_names))
    q, v = theirs(robot, other, pose, twist)
    pushed = np.zeros(other.model.nv)
    for j, x in zip(robot.moving, tau, strict=True):
        pushed[other.place(j)[1]] = x
    at = other.place(robot.platforms[0].frame)[1]
    a = other(q, v, pushed)[at : at + 6]
    w = twist[3:]
    classical = np.concatenate(
        [a[:3] + np.cross(w, twist[:3]), a[3:]]
    )  # the platform is not turned: its axes are frame 0's
    agree(name, values(f(pose=pose, twist=twist, tau=tau), "twist_rate"), classical)
    step, calls = f.bind(pose=pose, twist=twist, tau=tau), CALLS

    def pinocchio() -> None:
        for _ in range(calls):
            other(q, v, pushed)

    def called() -> None:
        for _ in range(calls):
            f(pose=pose, twist=twist, tau=tau)

    def bound() -> None:
        for _ in range(calls):
            step()

    best = in_turns({"pin": pinocchio, "f": called, "bound": bound})
    ns = {label: seconds / calls * 1e9 for label, seconds in best.items()}
    share = ns["f"] / ns["pin"]
    return [*(f"{ns[label]:.0f}" for label in ("pin", "f", "bound")), f"{share:.3f}", verdict(share, OF_PINOCCHIO)]


def theirs(robot: Robot, other: Constrained, pose: np.ndarray, twist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same state for Pinocchio: all leg joints from the platform, whose orientation is that of frame 0."""
    assert np.allclose(pose[3:], [0, 0, 0, 1], atol=1e-9)
    legs = models.inverse_geometric(robot)(pose)
    rates = models.velocities(robot, passive=True).compile()(pose=pose, twist=twist)
    names = {frame.joint.name: j for j, frame in enumerate(robot.frames, 1)}
    q, v = other.pin.neutral(other.model), np.zeros(other.model.nv)
    for name, x in zip(legs.all_joints, legs.positions[0], strict=True):
        q[other.place(names[name])[0]] = x
    motors = list(robot.moving)
    passive = [names[name] for name in legs.all_joints if names[name] not in motors]
    for j, x in zip((*motors, *passive), (*rates["qd"], *rates["passive"]), strict=True):
        v[other.place(j)[1]] = x
    at, to = other.place(robot.platforms[0].frame)
    q[at : at + 7], v[to : to + 6] = pose, twist
    return q, v


def values(found: Any, name: str) -> np.ndarray:
    return np.asarray(found[name] if isinstance(found, Mapping) else found)


def agree(what: str, found: np.ndarray, expected: np.ndarray) -> None:
    worst = float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))
    if not worst <= TOLERANCE:
        raise SystemExit(f"{what}: differs by {worst:.1e}, expected at most {TOLERANCE}")


# --- direct geometry --------------------------------------------------------------------------------------------------


def direct_geometry() -> Table:
    table = Table(
        "robot", "poses", "residual", "all, ms", "asked", "Newton from 10 mm away, us", title="direct geometry"
    )
    for name in platforms():
        robot = robosym.load(name)
        poses = models.direct_geometric(robot)
        q = np.array(poses.centre["q"])
        seconds, found = best_of(2, partial(poses, q))
        f = poses.compile()
        start = np.array(poses.start)
        start[0] += 0.01
        step = f.bind(q=q, start=start)
        newton = in_turns({"newton": lambda step=step: [step() for _ in range(STEPS)]})["newton"] / STEPS  # type: ignore[misc]
        worst = f"{float(np.max(found.residuals)):.0e}"
        table.add_row(
            name,
            str(len(found)),
            worst,
            f"{seconds * 1e3:.0f}",
            verdict(seconds, LONGEST_SEARCH),
            f"{newton * 1e6:.1f}",
        )
    return table


def main() -> None:
    console = Console(width=200)
    console.print(generation())
    if installed("pinocchio", "calls from Python are"):
        console.print(from_python())
    console.print(direct_geometry())


if __name__ == "__main__":
    main()
