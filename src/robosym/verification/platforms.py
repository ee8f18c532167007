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
from .reference import Reference, pose_of
from .rows import UNVERIFIED, Row, judged, worse

ALONE = "of platforms inverse geometry, inverse dynamics and energy are verified; as closed loops (robosym convert --closed-loops) more is"


class PlatformReference:
    """At a pose, a twist and a twist_rate, in the axes of frame 0."""

    def __init__(self, robot: Robot, pinocchio: bool | None, rotors: bool) -> None:
        self.reference = Reference(robot, pinocchio, rotors)
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
        mechanism, own = self.mechanism, {self.frame: pose_of(pose)}
        R = own[self.frame][:3, :3]
        v, w = R.T @ twist[:3], R.T @ twist[3:]
        still = State(x, own, np.zeros(mechanism.n))
        C, _ = mechanism.ties(self.reference.moment(still))
        others = [k for k in range(mechanism.n) if k not in self.platform]
        inverse = np.linalg.pinv(C[:, others], rcond=RANK)
        speeds = np.zeros(mechanism.n)
        speeds[self.platform] = [*v, *w]
        speeds[others] = -inverse @ C[:, self.platform] @ speeds[self.platform]
        state = State(x, own, speeds)
        _, g = mechanism.ties(self.reference.moment(state))
        a = np.zeros(mechanism.n)
        a[self.platform] = [*(R.T @ rate[:3] - np.cross(w, v)), *(R.T @ rate[3:])]
        a[others] = -inverse @ (C[:, self.platform] @ a[self.platform] + g)
        _, sizes, rows = np.linalg.svd(C)
        return state, a, rows[int((sizes > RANK * sizes[0]).sum()) :].T

    def torques(self, state: State, a: Floats, N: Floats) -> Floats:
        """N_m^T tau = N^T h."""
        h = self.reference.moment(state).torques(a) + self.mechanism.armature * a + self.mechanism.springs(state)
        return np.asarray(np.linalg.lstsq(N[self.motors].T, N.T @ h, rcond=RANK)[0])

    def energies(self, state: State) -> Floats:
        """1/2 v . M v, and potential."""
        n = self.mechanism.n
        at_rest = self.reference.moment(State(state.x, state.poses, np.zeros(n)))
        kinetic = state.v @ (at_rest.torques(state.v, gravity=False) + self.mechanism.armature * state.v) / 2
        return np.array([kinetic, self.reference.moment(state).potential() + self.mechanism.spring_energy(state)])


def platform_rows(robot: Robot, states: int, random: np.random.Generator, pinocchio: bool | None) -> Iterator[Row]:
    """A row for each model."""
    names = models_of(robot)
    rotors = all(frame.actuator.motor.Jm.is_zero for frame in robot.frames) and not robot.couplings
    beside = {} if rotors else {"rotor_inertia": False}
    try:
        reference = PlatformReference(robot, pinocchio, rotors)
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
        yield from (Row(name, "", None, UNVERIFIED, str(error)) for name in names)
        return
    for name in names:
        if name in found:
            yield judged(name, reference.reference.name, found[name][0], found[name][1], EXACT)
        else:
            yield Row(name, "", None, UNVERIFIED, ALONE)


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
