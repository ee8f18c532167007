"""What one run and many have in common: the arrays, and what follows from them.

Arrays are (N, n) of a run and (B, N, n) of many: runs, instants, joints. Everything is written once for both. Where a simulation was
lost its arrays are nan from there on, and so is every measure of it; ``run.valid`` is the part before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import JointEntry, position_entries, speed_entries, turning_joints
from ..spatial.floats import rotation_vectors
from . import measures
from .quantities import AlongMotion

SETTLED = 0.02  # of the travel


@dataclass(frozen=True)
class Bounds:
    """What the joints can do by the description, (n,); infinite where it does not say."""

    lower: Floats
    upper: Floats
    velocity: Floats
    effort: Floats  # (B, n) if it differs from run to run


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Recorded:
    """What one run and many have in common."""

    robot: Robot
    joints: tuple[str, ...]  # those that have coordinates; of several axes each entry of qd
    time: Floats  # (N,), seconds
    q: Floats  # (..., N, nq); of a free base x y z qx qy qz qw come first
    qd: Floats  # (..., N, nv)
    tau: Floats  # (..., N, nv): what acted on the joints, after saturation and delay; of a free base six zeros come first
    reference: Mapping[str, Floats] = field(default_factory=dict)  # q_d, qd_d, qdd_d of the joints, or T_d, V_d, A_d
    more: Mapping[str, Floats] = field(default_factory=dict)  # what else was recorded: q_motor, command, measured_q ...
    # Of the measures by name what was counted at every instant, (..., n), where fewer were recorded.
    counted: Mapping[str, Floats] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)  # plain values: step, integrator, law, period ...
    notes: tuple[str, ...] = ()

    def _check(self, lead: tuple[int, ...]) -> None:
        """Shapes that fit together; what is the same in all runs may be given once."""
        count = self.time.shape[-1] if self.time.ndim else 0
        if not count or self.time.shape not in ((count,), (*lead, count)):
            raise RobosymError(f"time: got the shape {self.time.shape}, expected (N,), one instant at least")
        free = 6 if self.robot.base.floating else 0
        widths = {
            "q": len(self.joints) + free + self.robot.nq - self.robot.nv,
            "qd": len(self.joints) + free,
            "tau": len(self.joints) + free,
        }
        for name, width in widths.items():
            shape = getattr(self, name).shape
            if shape != (*lead, count, width):
                raise RobosymError(f"{name}: got the shape {shape}, expected {(*lead, count, width)}")
        twice = {*self.reference, *self.more} & {"time", "q", "qd", "tau"} | self.reference.keys() & self.more.keys()
        if twice:
            raise RobosymError(f"recorded twice under one name: {', '.join(sorted(twice))}")
        for name, values in self.more.items():
            if values.shape[: len(lead) + 1] != (*lead, count):
                raise RobosymError(f"{name}: got the shape {values.shape}, expected {(*lead, count)} first")
        object.__setattr__(self, "reference", {name: self._wanted(name, lead, count) for name in self.reference})
        for name, values in self.counted.items():
            if values.shape != (*lead, len(self.joints)):
                raise RobosymError(
                    f"counted '{name}': got the shape {values.shape}, expected {(*lead, len(self.joints))}"
                )

    def _wanted(self, name: str, lead: tuple[int, ...], count: int) -> Floats:
        """An array of the reference, for every run; given for all together it has one axis less."""
        values = self.reference[name]
        own = {"T_d": (4, 4), "V_d": (6,), "A_d": (6,)}.get(name, (len(self.joints),))
        if values.shape not in ((*lead, count, *own), (count, *own)):
            raise RobosymError(f"{name}: got the shape {values.shape}, expected {(*lead, count, *own)}")
        return np.broadcast_to(values, (*lead, count, *own))

    # --- the joints among the coordinates ---------------------------------------------------------------------------------

    @property
    def _base(self) -> int:
        """Places of the free base in qd and tau."""
        return 6 if self.robot.base.floating else 0

    @property
    def q_joints(self) -> Floats:
        """(..., N, n); of quaternions four entries"""
        return self.q[..., self._base + (self._base > 0) :]

    @property
    def qd_joints(self) -> Floats:
        return self.qd[..., self._base :]

    @property
    def tau_joints(self) -> Floats:
        return self.tau[..., self._base :]

    @cached_property
    def prismatic(self) -> tuple[bool, ...]:
        """Which joints slide: theirs are metres and newtons."""
        kinds = {entry.name: entry.slides for entry in speed_entries(self.robot)}
        return tuple(kinds.get(name, False) for name in self.joints)

    @cached_property
    def positions(self) -> tuple[JointEntry, ...]:
        """The entries of q of the joints."""
        return position_entries(self.robot)

    @property
    def turning(self) -> tuple[str, ...]:
        """The joints with a quaternion in q."""
        return turning_joints(self.robot)

    @property
    def units(self) -> tuple[str, ...]:
        return tuple("m" if slides else "rad" for slides in self.prismatic)

    @cached_property
    def bounds(self) -> Bounds:
        """The limits of the description; ``tau_max`` of the law stands in the place of its efforts."""
        own = {entry.name: self.robot.frame(entry.frame).joint.limits for entry in speed_entries(self.robot)}
        rows = [own[name] for name in self.joints]

        def known(values: list[float | None], none: float, zero: bool) -> Floats:
            """A velocity or an effort of zero is one that the description does not know."""
            return np.array([none if x is None or (x == 0 and not zero) else x for x in values], dtype=float)

        return Bounds(
            known([x.lower for x in rows], -np.inf, True),
            known([x.upper for x in rows], np.inf, True),
            known([x.velocity for x in rows], np.inf, False),
            known([x.effort for x in rows], np.inf, False) if self._tau_max is None else self._tau_max,
        )

    @property
    def position_limits(self) -> tuple[Floats, Floats]:
        """The limits of ``q_joints``, entry by entry; quaternions have none."""
        if not self.turning:
            return self.bounds.lower, self.bounds.upper
        limits = [self.robot.frame(entry.frame).joint.limits for entry in self.positions]
        lower = [-np.inf if x.lower is None else x.lower for x in limits]
        upper = [np.inf if x.upper is None else x.upper for x in limits]
        return np.array(lower), np.array(upper)

    @property
    def _tau_max(self) -> Floats | None:
        """The torques that the law keeps to, if it says."""
        given = self.settings.get("tau_max")
        return None if given is None else np.broadcast_to(np.array(given, dtype=float), (len(self.joints),))

    # --- what follows ---------------------------------------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        return float(np.max(self.time[..., -1] - self.time[..., 0]))

    @cached_property
    def error(self) -> Floats:
        """q_d - q of the joints, (..., N, n)."""
        if "q_d" not in self.reference:
            has = "; it follows a pose: see task_error" if "T_d" in self.reference else ""
            raise RobosymError(f"{self.robot.name}: the run has no positions to follow (reference 'q_d'){has}")
        if self.turning:
            raise RobosymError(
                f"{self.robot.name}: expected joints whose positions subtract, and {', '.join(self.turning)} "
                "has a quaternion. Compare orientations by run.pose(frame)."
            )
        found: Floats = self.reference["q_d"] - self.q_joints
        return found

    @cached_property
    def energy(self) -> dict[str, Floats]:
        """kinetic, potential and total in J, (..., N)."""
        motors = (self.more["q_motor"], self.more["qd_motor"]) if {"q_motor", "qd_motor"} <= self.more.keys() else None
        return self._along.energies(self.q, self.qd, motors)

    def pose(self, frame: int | str | None = None) -> Floats:
        """The matrices (..., N, 4, 4) in the world of a frame: by default that of the law (the settings ``frame`` and ``tool``), or
        the tip."""
        if frame is None:
            return self._along.pose(self.q, self.settings.get("frame"), self.settings.get("tool"))
        return self._along.pose(self.q, frame)

    def tip(self, frame: int | str | None = None) -> Floats:
        """The path (..., N, 3) in the world of the origin of a frame."""
        return self.pose(frame)[..., :3, 3]

    @property
    def follows_pose(self) -> bool:
        """Whether there is a pose to follow, of a frame that is known."""
        return "T_d" in self.reference and "frame" in self.settings

    @cached_property
    def task_error(self) -> Floats:
        """(..., N, 6): from the frame to its wanted pose T_d in world axes, the translation and the rotation vector."""
        if "T_d" not in self.reference:
            raise RobosymError(f"{self.robot.name}: the run has no pose to follow (reference 'T_d')")
        if "frame" not in self.settings:
            raise RobosymError(
                f"{self.robot.name}: of which frame T_d is, is not known (setting 'frame'; None is the tip)"
            )
        T, wanted = self.pose(), self.reference["T_d"]
        turn = wanted[..., :3, :3] @ np.swapaxes(T[..., :3, :3], -1, -2)
        return np.concatenate([wanted[..., :3, 3] - T[..., :3, 3], rotation_vectors(turn)], axis=-1)

    @cached_property
    def power(self) -> Floats:
        """What each motor gives in W, (..., N, n): on its own side of the spring where joints are flexible."""
        speed = self.more.get("qd_motor", self.qd_joints)
        return self.tau_joints * speed[..., speed.shape[-1] - len(self.joints) :]

    @cached_property
    def work(self) -> Floats:
        """What each motor gave in all in J, (..., n): integrated along with the motion (``more["work"]``), or by trapezoids of
        the power where that was not recorded."""
        return self._integrated("work", self.power)

    @cached_property
    def absolute_work(self) -> Floats:
        """The integral of the magnitude of each motor's power in J, (..., n)."""
        return self._integrated("absolute_work", np.abs(self.power))

    def _integrated(self, name: str, power: Floats) -> Floats:
        counted = self.more.get(name)
        if counted is None:
            return measures.integral(self.time, power)
        found: Floats = counted[..., -1, :] - counted[..., 0, :]
        return found

    @property
    def peak_torque(self) -> Floats:
        """The largest magnitude of each joint, (..., n)."""
        counted = self.counted.get("peak torque")
        return measures.largest(self.tau_joints) if counted is None else counted

    @property
    def rms_torque(self) -> Floats:
        return measures.rms(self.tau_joints)

    @property
    def saturation(self) -> Floats:
        """The share of the instants at which each torque is at its limit, (..., n)."""
        return measures.share_at_limit(self.tau_joints, self.bounds.effort)

    def settling_time(self, tolerance: Any = None) -> Floats:
        """Seconds until each error is within ``tolerance`` (a number or one for each joint) and stays there, (..., n); inf if it does
        not. By default within 2 % of the longest travel among the joints that turn, and among those that slide."""
        if tolerance is None:
            slides = np.array(self.prismatic, dtype=bool)
            way = np.abs(measures.travel(self.q_joints, self._target))
            band = np.empty_like(way)
            for kind in (slides, ~slides):
                band[..., kind] = SETTLED * way[..., kind].max(axis=-1, initial=0.0)[..., None]
        else:
            band = np.broadcast_to(np.asarray(tolerance, dtype=float), self.error.shape[:-2] + self.error.shape[-1:])
        return measures.settling_time(self.time, self.error, band)

    @property
    def overshoot(self) -> Floats:
        """How far each joint went beyond where it should end, as a share of its travel, (..., n): of steps and of motions from
        point to point. nan of joints that travel nowhere."""
        return measures.overshoot(self.q_joints, self._target)

    @property
    def _target(self) -> Floats:
        return self.error + self.q_joints

    @property
    def lost(self) -> Any:
        """Whether the simulation was lost, of each run."""
        raise NotImplementedError

    def measure(self, name: str = "rms error", joint: str | int | None = None) -> Any:
        """One number of a run, (B,) of many: "rms error", "peak torque" ... of the joint given, or of all. nan if it was lost."""
        from .judging import judged

        return judged(self, name, joint)

    # --- files and people -----------------------------------------------------------------------------------------------------

    def as_arrays(self) -> dict[str, Floats]:
        """time, q, qd, tau, the reference and everything else, by name."""
        return {"time": self.time, "q": self.q, "qd": self.qd, "tau": self.tau, **self.reference, **self.more}

    def as_table(self) -> dict[str, Floats]:
        """Columns by name: t, then q, qd and tau of every joint, the reference and everything else; of many runs one below the
        other, with the number of the run and what differs first."""
        from .table import columns_of

        return columns_of(self)

    def as_dict(self) -> dict[str, Any]:
        """What the summary says, as data for JSON."""
        from .summary import summary_data

        return summary_data(self)

    def write(self, path: str | Path, **options: Any) -> None:
        """To a file of the format of its ending: .csv, .parquet, .npz; .png, .svg, .pdf as ``plot`` does; of one run .html as
        ``animate`` does. Complete or not at all."""
        from .files import write

        write(self, path, **options)

    @cached_property
    def _along(self) -> AlongMotion:
        chosen = {key: self.settings[key] for key in ("mode", "near") if self.robot.loops and self.settings.get(key)}
        return AlongMotion(self.robot, self._parameters, chosen)

    @property
    def _parameters(self) -> dict[str, Any]:
        return dict(self.settings.get("parameters") or {})
