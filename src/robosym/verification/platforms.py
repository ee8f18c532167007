"""A platform on legs: its legs closed at a pose by Newton's iteration, all joints and the platform free, multipliers at the seats.

The forces of the motors are those that do the work of everything else in every motion that the legs allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..generated.checks import EXACT
from ..models import MODELS, models_of
from ..models.loops.angles import described_angle, next_to
from ..robot import FIXED, FREE, PRISMATIC, Robot
from .mechanism import RANK, Floats, State
from .reference import Motion, Reference, pose_of
from .rows import Row, judged, unverified, worse

ALONE = "of platforms inverse geometry, inverse dynamics and energy are verified; as closed loops (robosym convert --closed-loops) more is"


class PlatformReference:
    """At a pose, a twist and a twist_rate, in the axes of frame 0."""

    def __init__(self, robot: Robot, pinocchio: bool | None) -> None:
        self.reference = Reference(robot, pinocchio)
        self.mechanism = self.reference.mechanism
        self.frame = robot.platforms[0].frame
        self.platform = self.mechanism.columns[self.frame]
        self.motors = [self.mechanism.columns[j][0] for j in robot.moving]

    def legs(self, pose: Floats, guess: Mapping[int, float]) -> dict[int, float]:
        """Positions of all leg joints at a pose."""
        held = [*self.platform]
        return self.reference.closed(self.reference.followed(dict(guess)), {self.frame: pose_of(pose)}, held)

    def motion(self, x: Mapping[int, float], pose: Floats, twist: Floats, rate: Floats) -> tuple[State, Floats, Floats]:
        """State, accelerations of everything, and a basis of the motions that the legs allow."""
        mechanism, poses = self.mechanism, {self.frame: pose_of(pose)}
        R = poses[self.frame][:3, :3]
        v, w = R.T @ twist[:3], R.T @ twist[3:]
        C, _ = mechanism.ties(self.reference.moment(State(x, poses, np.zeros(mechanism.n))))
        state = State(x, poses, self.reference.projection(C, self.platform) @ [*v, *w])
        rates = np.array([*(R.T @ rate[:3] - np.cross(w, v)), *(R.T @ rate[3:])])
        a = self.reference.accelerations(self.reference.moment(state), self.platform, rates)
        _, sizes, rows = np.linalg.svd(C)
        return state, a, rows[int((sizes > RANK * sizes[0]).sum()) :].T

    def torques(self, state: State, a: Floats, N: Floats) -> Floats:
        """N_m^T tau = N^T h."""
        forces = self.mechanism.forces(self.reference.moment(state), state, a)
        return np.asarray(np.linalg.lstsq(N[self.motors].T, N.T @ forces, rcond=RANK)[0])

    def energies(self, state: State) -> Floats:
        """Kinetic, and potential with springs."""
        n = self.mechanism.n
        return Motion(self.reference, state, State(state.x, state.poses, np.zeros(n)), np.eye(n)).energies()


def platform_rows(robot: Robot, states: int, random: np.random.Generator, pinocchio: bool | None) -> Iterator[Row]:
    """A row for each model."""
    names = models_of(robot)
    try:
        reference = PlatformReference(robot, pinocchio)
        beside = {} if reference.mechanism.rotors else {"rotor_inertia": False}
        solver: Any = MODELS["inverse-geometric"](robot)
        dynamics, energy = (MODELS[name](robot, **beside) for name in ("inverse-dynamics", "energy"))
        found = {"inverse-geometric": [0.0, 1.0], "inverse-dynamics": [0.0, 0.0], "energy": [0.0, 0.0]}
        for _ in range(states):
            state = {key: np.asarray(value, dtype=float) for key, value in dynamics.random_state(random).items()}
            pose, twist, rate = state["pose"], state["twist"], state["twist_rate"]
            legs = solver(pose)
            guess = dict(zip(_joints(robot), map(float, legs.positions[0]), strict=True))
            x = reference.legs(pose, guess)
            found["inverse-geometric"][0] = max(found["inverse-geometric"][0], *(abs(x[j] - guess[j]) for j in guess))
            x = {j: _next_to_described(robot, j, value) for j, value in x.items()}
            at, a, N = reference.motion(x, pose, twist, rate)
            given = {key: value for key, value in state.items() if key not in dynamics.optional}
            _add(found["inverse-dynamics"], np.asarray(dynamics.compile()(**given)), reference.torques(at, a, N))
            outputs = energy.compile()(pose=pose, twist=twist)
            ours = np.array([float(np.ravel(outputs[name])[0]) for name in ("kinetic", "potential")])
            _add(found["energy"], ours, reference.energies(at))
    except RobosymError as error:
        yield from (unverified(name, str(error)) for name in names)
        return
    for name in names:
        if name in found:
            yield judged(name, reference.reference.name, found[name][0], found[name][1], EXACT)
        else:
            yield unverified(name, ALONE)


def _next_to_described(robot: Robot, j: int, x: float) -> float:
    """A position as a spring has it: an angle next to the described one."""
    frame = robot.frame(j)
    return x if frame.sigma == PRISMATIC else next_to(described_angle(robot, frame.joint), x)


def _joints(robot: Robot) -> list[int]:
    """The frames of the positions that inverse geometry gives."""
    return [j for j in robot.order if robot.frame(j).sigma not in (FIXED, FREE)]


def _add(found: list[float], ours: Floats, theirs: Floats) -> None:
    found[0] = worse(found[0], ours, theirs)
    found[1] = max(found[1], float(np.abs(theirs).max(initial=0.0)))
