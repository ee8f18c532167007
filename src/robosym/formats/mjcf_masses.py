"""The inertia of links as MuJoCo accepts it: positive moments that a body can have, and mass in everything that moves.

What a description leaves out because it does not act (the moments of a planar robot across its plane) is completed, which changes
nothing. What does act and is impossible, or zero, is raised by as little as MuJoCo accepts, and said.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from ..robot import FIXED, REVOLUTE, Problem
from .mdh import Array, cross
from .urdf_write import Writer, short, spaced

LIGHT = 1e-9  # of the mass of the robot, and of the largest moment: what something that has none gets
ROUNDING = 1e-12  # of the largest moment: what is raised by less is not worth saying
NOISE = 1e-15  # of the largest entry: left by the way to the centre of mass
PARALLEL = 1e-9
GYRATION = 0.1  # metres: of a mass without moments


class Masses:
    """``poses`` are those of the frames at q = 0; ``turning`` is about which direction each link can turn at all, in its axes."""

    def __init__(self, writer: Writer, poses: list[Array], children: dict[int, list[int]]) -> None:
        self.writer, self.children = writer, children
        robot = writer.of
        self.inertial = [writer.numbers(*link.inertial) for link in (robot.base.link, *(f.link for f in robot.frames))]
        self.light = LIGHT * (sum(abs(ten[9]) for ten in self.inertial) or 1.0)
        self.turning = self._turning(poses)
        self.completed: list[str] = []
        self.raised: list[str] = []

    def has(self, j: int) -> bool:
        """Whether anything of a link's inertia is not zero."""
        return any(self.inertial[j])

    def notes(self) -> list[str]:
        notes = []
        if self.raised:
            names = ", ".join(self.raised)
            notes.append(f"impossible or weightless links are raised to what MuJoCo accepts: {names}")
        if self.completed:
            notes.append(f"moments left out are completed where they do not act: {', '.join(self.completed)}")
        return notes

    def write(self, body: ET.Element, j: int, moves: bool) -> None:
        """Back from the frame's origin to the centre of mass: I = J - M (c.c E - c c')."""
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = self.inertial[j]
        moment = np.array([MX, MY, MZ])
        if M == 0 and moment.any():
            where = f"frame {j}, M" if j else "base, M"
            self.writer.problems.append(Problem(where, "a first moment without mass cannot be written in MJCF"))
            return
        if not self.has(j) and (not moves or self._carries_mass(j)):
            return
        c = moment / M if M else np.zeros(3)
        inertia = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) - M * (c @ c * np.eye(3) - np.outer(c, c))
        name = body.get("name") or ""
        if M <= 0 and (moves or self.has(j)):
            if M < 0:
                self.writer.problems.append(Problem(f"frame {j}, M" if j else "base, M", f"the mass {M:g} is negative"))
                return
            M = self.light
            self.raised.append(name)
        inertia = self._possible(name, j, np.where(np.abs(inertia) < NOISE * np.abs(inertia).max(), 0.0, inertia), M)
        element = ET.SubElement(body, "inertial", pos=spaced(c), mass=short(M))
        if np.count_nonzero(inertia - np.diag(np.diag(inertia))):
            rows = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
            element.set("fullinertia", spaced(np.array([inertia[at] for at in rows])))
        else:
            element.set("diaginertia", spaced(np.diag(inertia)))

    def _carries_mass(self, j: int) -> bool:
        """Whether a frame fixed to j, or to one that is, has mass: MuJoCo counts it as the body's."""
        waiting = list(self.children[j])
        while waiting:
            k = waiting.pop()
            if self.writer.of.frame(k).sigma == FIXED:
                if self.inertial[k][9] > 0:
                    return True
                waiting += self.children[k]
        return False

    def _possible(self, name: str, j: int, inertia: Array, M: float) -> Array:
        moments = np.linalg.eigvalsh(inertia)
        least = max(LIGHT * float(moments[2]), 1e-14)
        if moments[0] >= least and moments[0] + moments[1] >= moments[2]:
            return inertia
        directions = self.turning[j]
        if directions is not None:
            about = float(directions[0] @ inertia @ directions[0]) if directions else 0.0
            if about >= 1e-14 or not directions:
                if name not in self.raised:
                    self.completed.append(name)
                return np.array((about if about > 0 else M * GYRATION**2) * np.eye(3))
        return self._raised(name, inertia, M)

    def _raised(self, name: str, inertia: Array, M: float) -> Array:
        """The least moments that are positive and not smaller than the difference of the others."""
        moments, axes = np.linalg.eigh(inertia)
        largest = float(moments[2]) if moments[2] > 0 else LIGHT * M * GYRATION**2
        own = np.maximum(moments, max(LIGHT * largest, 2e-14))
        own[:2] += max(0.0, float(own[2] - own[0] - own[1])) / 2 * (1 + 1e-9) + 1e-15 * largest
        if np.abs(own - moments).max() > ROUNDING * largest and name not in self.raised:
            self.raised.append(name)
        return np.array(axes @ np.diag(own) @ axes.T)

    def _turning(self, poses: list[Array]) -> list[tuple[Array, ...] | None]:
        """No direction, one (all hinges to the link are parallel), or None for any."""
        robot = self.writer.of
        at = [np.eye(3)] * len(poses)
        about: list[tuple[Array, ...] | None] = [None if robot.base.floating else ()] * len(poses)
        for j in (j for j in robot.order if j <= robot.n_links):
            frame = robot.frame(j)
            at[j] = at[frame.antecedent] @ poses[j][:3, :3]
            own = about[frame.antecedent]
            if frame.sigma == REVOLUTE and own is not None:
                z = at[j][:, 2]
                if not own:
                    own = (z,)
                elif float(np.linalg.norm(cross(own[0], z))) > PARALLEL:
                    own = None
            about[j] = None if frame.joint.kind is not None else own
        return [None if own is None else tuple(R.T @ n for n in own) for R, own in zip(at, about, strict=True)]
