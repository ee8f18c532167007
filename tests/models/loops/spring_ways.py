"""Springs on the passive joints of closed loops, along a motion that is followed by continuity from the described position.

The reference knows nothing of atan2: the loops are kept closed by Newton's iteration on Pinocchio's tree in short steps, so that
angles go on over half turns and whole turns as those of a real spring do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from models.loops.closed_reference import Closed
from models.loops.closed_states import described, output
from models.loops.random_mechanisms import KINDS, random_mechanism

from robosym import models
from robosym.expr import number
from robosym.robot import FIXED, PRISMATIC, Robot, Spring

STEP = 0.02  # rad or parts of a metre
SINGULAR = 0.02


def with_spring(robot: Robot, j: int, stiffness: float, damping: float, rest: float) -> Robot:
    """The robot with a spring on the joint of frame j."""
    frame = robot.frame(j)
    spring = Spring(number(stiffness), number(damping), number(rest))
    frames = list(robot.frames)
    frames[j - 1] = replace(frame, joint=replace(frame.joint, spring=spring))
    return robot.replace(frames=tuple(frames))


def turned(robot: Robot, frames: Sequence[int], rng: np.random.Generator) -> Robot:
    """The same robot, described with the joints of some of these frames whole turns away."""
    found = list(robot.frames)
    for j in frames:
        frame = robot.frame(j)
        if frame.sigma != PRISMATIC and frame.joint.position is not None and rng.random() < 0.3:
            position = frame.joint.position + 2 * np.pi * float(rng.choice([-2, -1, 1]))
            found[j - 1] = replace(frame, joint=replace(frame.joint, position=position))
    return robot.replace(frames=tuple(found))


@dataclass(frozen=True)
class Springs:
    """Of the passive joints, in the order of ``Closed``."""

    k: np.ndarray
    d: np.ndarray
    rest: np.ndarray

    def energy(self, x: np.ndarray) -> float:
        return float(self.k @ (x - self.rest) ** 2) / 2

    def torques(self, x: np.ndarray, xd: np.ndarray) -> np.ndarray:
        return self.k * (x - self.rest) + self.d * xd


def sprung(robot: Robot, rng: np.random.Generator) -> tuple[Robot, Springs]:
    """With springs on some passive joints, at rest near the described position."""
    reference = Closed(robot)
    n = len(reference.frames)
    k, d, rest = np.zeros(n), np.zeros(n), np.zeros(n)
    turning = [i for i in reference.passive if robot.frame(reference.frames[i]).sigma != PRISMATIC]
    for i in rng.permutation(turning)[: int(rng.integers(1, len(turning) + 1))]:
        k[i], d[i] = rng.uniform(1, 20), rng.uniform(0, 1)
        position = robot.frame(reference.frames[i]).joint.position
        assert position is not None
        rest[i] = position + rng.uniform(-1, 1)
        robot = with_spring(robot, reference.frames[i], k[i], d[i], rest[i])
    return robot, Springs(k, d, rest)


def followed(reference: Closed, x: np.ndarray, goal: np.ndarray) -> list[np.ndarray]:
    """Positions of all joints on the straight way of the driven ones, until it ends or comes near a singular position."""
    q = x[reference.driven]
    count = max(2, int(np.abs(goal - q).max() / STEP))
    ways, x = [x], x.copy()
    for part in np.linspace(0, 1, count)[1:]:
        x = x.copy()
        x[reference.driven] = q + part * (goal - q)
        J, _ = reference.constraints(x, np.zeros(len(x)))
        sizes = np.linalg.svd(J[:, reference.passive], compute_uv=False)
        if sizes[len(reference.passive) - 1] < SINGULAR * sizes[0]:
            break
        if not closed(reference, x) or np.abs(x - ways[-1]).max() > 0.3:
            break
        ways.append(x)
    return ways


def closed(reference: Closed, x: np.ndarray) -> bool:
    """Newton's iteration, in place."""
    for _ in range(20):
        J, _ = reference.constraints(x, np.zeros(len(x)))
        gap = gaps(reference, x)
        if np.abs(gap).max() < 1e-12:
            return True
        moved = np.linalg.lstsq(J[:, reference.passive], -gap, rcond=1e-9)[0]
        if np.abs(moved).max() > 0.3:
            return False
        x[reference.passive] += moved
    return bool(np.abs(gaps(reference, x)).max() < 1e-9)


def gaps(reference: Closed, x: np.ndarray) -> np.ndarray:
    """By how much the cut joints are open, as small twists in the axes of their frames."""
    import pinocchio as pin

    model, data = reference.twin.model, reference.twin.data
    pin.framesForwardKinematics(model, data, reference.twin.configuration(x))
    pairs = [(reference.twin.frame_id(a), reference.twin.frame_id(b)) for a, b in reference.cuts]
    return np.concatenate([pin.log6(data.oMf[a].inverse() * data.oMf[b]).vector for a, b in pairs])


def described_all(reference: Closed) -> np.ndarray:
    """The positions of the description, closed to the last digits."""
    robot = reference.robot
    x = np.array([robot.frame(j).joint.position or 0.0 for j in reference.frames])
    assert closed(reference, x)
    return x


def check_springs(seed: int, kind: str | None = None, points: int = 6) -> float:
    """Torques, bias and energy of a random mechanism with springs on a random motion from the described position. Returns how
    far its passive joints have turned."""
    rng = np.random.default_rng(seed)
    kind = kind or str(rng.choice(sorted(KINDS)))
    plain = random_mechanism(kind, seed)
    plain = turned(plain, [j for j in Closed(plain).frames if j not in plain.moving], rng)
    robot, springs = sprung(plain, rng)
    reference = Closed(plain)
    # Around what two cranks of one loop cannot reach an angle may turn: then it is no function of q far from where it is described.
    farthest = 0.8 if kind == "five-bar" else rng.choice([0.5, 3.0, 7.0])
    goal = described(plain) + farthest * rng.uniform(-1, 1, plain.nv)
    ways = followed(reference, described_all(reference), goal)
    inverse, bias, gravity, energy, positions = (
        make(robot).evaluate
        for make in (
            models.inverse_dynamics,
            models.bias,
            models.gravity,
            models.energy,
            models.loop_geometry,
        )
    )
    for x in [ways[0], *(ways[i] for i in rng.integers(0, len(ways), points)), ways[-1]]:
        q, (qd, qdd) = x[reference.driven], rng.uniform(-1, 1, (2, plain.nv))
        G, xd = reference.projection(x), reference.speeds(x, qd)
        near = {"rtol": 1e-6, "atol": 1e-6}
        np.testing.assert_allclose(output(positions(q=q), "positions"), x, err_msg="positions", **near)
        expected = reference.inverse(x, qd, qdd) + G.T @ springs.torques(x, xd)
        np.testing.assert_allclose(output(inverse(q=q, qd=qd, qdd=qdd), "tau"), expected, err_msg="tau", **near)
        still = reference.inverse(x, 0 * qd, 0 * qd)
        np.testing.assert_allclose(output(gravity(q=q), "Q"), still, err_msg="gravity", **near)
        held = still + G.T @ springs.torques(x, 0 * x)
        np.testing.assert_allclose(output(bias(q=q, qd=0 * qd), "H"), held, err_msg="bias", **near)
        potential = reference.energy(x, qd)[1] + springs.energy(x)
        found = float(np.ravel(output(energy(q=q, qd=qd), "potential"))[0])
        np.testing.assert_allclose(found, potential, err_msg="potential", **near)
    passive = [i for i in reference.passive if robot.frame(reference.frames[i]).sigma not in (FIXED, PRISMATIC)]
    return float(np.abs(ways[-1] - ways[0])[passive].max())
