"""Joint accelerations for an acceleration of the frame: exactly, and near singularities with damping; what is left
over for a posture.

    qdd = J+ (V' - Jdot qd) + (1 - J+ J) qdd_0,    J+ = J^T (J J^T + lambda^2)^-1,    qdd_0 = -Kn (q - rest) - Dn qd.

With mu = 1 / |J+| (``nearness.py``: about the smallest singular value) the damping, as that of Nakamura and Hanafusa
(1986), is

    lambda = lambda_0 (1 - mu / mu_0) where mu < mu_0, and else zero,
    mu_0^2 = singular_below^2 + more,    lambda_0^2 = singular_damping^2 + more,    more = T^2 |J| (4 |J| |qd|^2 + |V'|):

away from singularities J+ is J^-1 or the pseudo-inverse, no larger than 1 / mu_0, the frame accelerates exactly with
V', and the posture does not move it. Near them those for the frame are at most |V' - Jdot qd| / (2 lambda), and the
frame is late in the direction that gets lost. There the null-space term slows down joints that move against each
other, which the frame does not show: beside Dn by up to 0.6 / T, at the singularity.

``more`` is for a law that is called once in a period T. In a period joints move by |qd| T, which may not carry them
through half the surroundings of the singularity, about mu_0 / |J| wide. At rest before a
goal out of reach the frame pulls the joints back to the singularity as a spring of the stiffness |J| |V'| / lambda^2,
which the samples must resolve: T^2 |J| |V'| / lambda^2 is at most one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..expr import maximum, number, parameter, sqrt
from ..generated.stages import stages_of
from ..models import inverse_kinematics_velocity, jacobian
from ..program.routine import When
from ..reals import Floats
from ..robot.joint_entries import speed_frames
from .law import ControlError, Gains, setting
from .nearness import nearness, nearness_of
from .parts import Parts, not_negative
from .task_space import TaskSpace

BELOW, DAMPING = "singular_below", "singular_damping"  # mu_0 and lambda_max, as settings and in the code
FAST = 2.0  # periods that joints take through the surroundings of a singularity, at least
BRAKING = 0.6  # of its speed a joint that gets lost is slowed down by in a period, at the singularity
NEAR = 0.05  # mu_0 beside the largest mu of the positions looked at


@dataclass(frozen=True)
class Resolution:
    """How ``acceleration`` becomes ``qdd``, with its settings; ``posture`` says that joints are left over."""

    space: TaskSpace
    settings: dict[str, Floats]
    period: float = 1e-3

    @property
    def posture(self) -> bool:
        return "rest" in self.settings

    @property
    def damped(self) -> bool:
        return DAMPING in self.settings

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        joints = self.space.joints.suffixes
        found = {"Kn": joints, "Dn": joints, "rest": joints} if self.posture else {}
        if self.damped:
            found |= {BELOW: ("",), DAMPING: ("",), "Dn": joints}
        return found

    def gains(self, **values: Any) -> Gains:
        not_negative(**{name: value for name, value in values.items() if name != "rest"})
        w = np.asarray(values["posture"]) if "posture" in values else None
        found: dict[str, Any] = {} if w is None else {"Dn": 2 * w}
        if self.posture:
            assert w is not None
            found |= {"Kn": w**2, "rest": values["rest"]}
        return found | {name: values[name] for name in (BELOW, DAMPING) if name in values}

    def add(self, parts: Parts, qd: str) -> None:
        """The stages."""
        names = {"q": "q", "qd": qd, "acceleration": "acceleration", "qdd": "qdd"}
        options = {**self.space.place, "rows": self.space.names, "order": 2}
        square = not self.posture
        if square and not self.damped:
            parts.model(inverse_kinematics_velocity(self.space.robot, method="exact", **options), "joints", names)
            return
        n = self.space.joints.count
        renamed = {"qd": qd} if qd != "qd" else {}
        if self.damped:
            parts.model(jacobian(self.space.robot, **self.space.place), "jacobian", {"q": "q", "J": "J"})
            shapes = {"J": (6, n), "qd": (n,), "acceleration": (len(self.space.rows),)}
            parts.run("damping", shapes, self._damping, **renamed)
        given: dict[str, tuple[int, ...]] = {"q": (n,), "qd": (n,), **({"braking": ()} if self.damped else {})}
        parts.run("posture", given, self._motion, **renamed)
        loose = inverse_kinematics_velocity(self.space.robot, method="damped", null_space=True, **options)
        if not self.damped:
            parts.model(loose, "joints", {**names, "motion": "motion"})
            return
        places = {**names, "motion": "motion", "damping": "damping"}
        if not square or self.space.robot.loops:
            parts.model(loose, "joints", places)
            return
        exact = inverse_kinematics_velocity(self.space.robot, method="exact", **options)
        parts.models += [loose, exact]
        parts.stages.append(When("near", stages_of(loose, "loose", places), stages_of(exact, "exact", names)))

    def _motion(self, q: Any, qd: Any, braking: Any = None) -> dict[str, Any]:
        """qdd_0."""
        found = []
        for k, s in enumerate(self.space.joints.suffixes):
            one = -parameter(f"Dn{s}") * qd[k]
            if braking is not None:
                one = one - braking * qd[k]
            if self.posture:
                one = one - parameter(f"Kn{s}") * (q[k] - parameter(f"rest{s}"))
            found.append(one)
        return {"motion": found}

    def _damping(self, J: Any, qd: Any, acceleration: Any) -> dict[str, Any]:
        """A Jacobian matrix that is not of numbers is near a singularity: what comes of it is none either."""
        rows, T = J[list(self.space.rows)], self.period
        mu, below, damping = nearness(rows), parameter(BELOW), parameter(DAMPING)
        size, speed = _length(rows.ravel()), _length(qd)
        more = T * T * size * (FAST * FAST * size * speed * speed + _length(acceleration))
        wide = sqrt(below * below + more)  # mu_0
        near = maximum(1 - mu / wide, 0)
        return {
            "damping": [sqrt(damping * damping + more) * near],
            "braking": BRAKING / T * near,
            "near": 1 - (mu >= wide),
        }


def _length(entries: Any) -> Any:
    return sqrt(sum((x * x for x in entries), start=number(0)))


def resolution(
    space: TaskSpace, posture: Any, rest: Any, singular_damping: Any, singular_below: Any, period: float
) -> Resolution:
    """From what a person gives; None stands for the defaults."""
    robot, rank, count = space.robot, space.rank, len(space.rows)
    if rank < count:
        raise ControlError(
            f"{robot.name}: task: the joints move {rank} of the {count} components {' '.join(space.names)} independently: "
            "expected components that they can (by default those they can make)"
        )
    damping = _positive_or_zero("singular_damping", singular_damping)
    below = _positive_or_zero("singular_below", singular_below)
    off = damping == 0 or below == 0
    settings: dict[str, Floats] = {}
    n = space.joints.count
    if space.free or not off:
        settings["posture"] = setting("posture", posture, n, least=0.0)
    if space.free:
        settings["rest"] = setting("rest", resting(space) if rest is None else rest, n)
    elif rest is not None:
        raise ControlError(f"{robot.name}: rest: the task leaves no joint to rest: expected none")
    if not off:
        if not space.valued and (damping is None or below is None):
            raise ControlError(
                f"{robot.name}: lengths without values: how near singularities are is not known: expected numbers for "
                "singular_below (a singular value) and singular_damping, or singular_damping=0"
            )
        settings[BELOW] = np.array([NEAR * nearness_of(space.samples).max() if below is None else below])
        settings[DAMPING] = settings[BELOW] if damping is None else np.array([damping])
    return Resolution(space, settings, period)


def _positive_or_zero(name: str, value: Any) -> float | None:
    return None if value is None else float(setting(name, value, 1, least=0.0)[0])


def resting(space: TaskSpace) -> Floats:
    """Where joints are when nothing else is said: where the description has them, in the middle of their limits, or
    at zero."""
    found = []
    for j in speed_frames(space.robot):
        joint = space.robot.frame(j).joint
        lower, upper = joint.limits.lower, joint.limits.upper
        middle = 0.0 if lower is None or upper is None else (lower + upper) / 2
        found.append(middle if joint.position is None else joint.position)
    return np.array(found, dtype=float)
