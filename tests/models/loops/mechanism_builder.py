"""Builds mechanisms with closed loops, frame after frame, at a position in which they are assembled.

Every length and angle is a number, or a symbol with that number as its value. The frames of cut joints are put last, as the
notation wants it; ``finished`` checks that the loops close at the reference position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from models.reference import dh_matrix
from random_robots import random_inertia

from robosym.expr import Expr, evaluate, expr, number, parameter, pi, variable
from robosym.robot import (
    FIXED,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    Actuator,
    Frame,
    Joint,
    Link,
    Robot,
    Value,
)

QUARTER = pi * number(0.5)
GEOMETRY = ("gamma", "b", "alpha", "d", "theta", "r")


@dataclass
class Builder:
    """``named``: numbers become symbols, half of them by chance where it is None."""

    rng: np.random.Generator
    named: bool | None = False
    values: dict[str, Value] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    cuts: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    positions: dict[Expr, float] = field(default_factory=dict)

    # --- entries -----------------------------------------------------------------------------------------------------

    def entry(self, name: str, value: Any) -> Expr:
        """A number as it is or under a name; an expression stays."""
        if isinstance(value, Expr):
            return value
        if value == 0 or not self._is_named():
            return number(float(value))
        self.values[name] = Value(float(value))
        return parameter(name)

    def _is_named(self) -> bool:
        return bool(self.rng.random() < 0.5) if self.named is None else self.named

    def number(self, x: Any) -> float:
        """The value of an entry at the reference position."""
        known: dict[Any, float] = {parameter(name): value.number for name, value in self.values.items()}
        return float(evaluate([expr(x)], known | self.positions)[0])

    # --- frames ------------------------------------------------------------------------------------------------------

    def add(
        self,
        name: str,
        antecedent: int,
        sigma: int = REVOLUTE,
        position: float = 0.0,
        active: bool = False,
        **geometry: Any,
    ) -> int:
        """A frame; ``position`` is that of its joint at the reference. Gives its number."""
        j = len(self.frames) + 1
        own = None if sigma == FIXED else variable(f"q{j}")
        entries = {key: self.entry(f"{key.upper()}{j}", geometry.get(key, 0)) for key in GEOMETRY}
        if own is not None:
            moving = "r" if sigma == PRISMATIC else "theta"
            entries[moving] = entries[moving] + own
            self.positions[own] = float(position)
        joint = Joint(name, own, active=active, position=None if own is None else float(position))
        self.frames.append(Frame(name=f"{name}_frame", antecedent=antecedent, joint=joint, sigma=sigma, **entries))
        return j

    def cut(self, twin_on: int, name: str, on: int, twin: dict[str, Any], **frame: Any) -> None:
        """A cut joint between two links, to be added when all links are there."""
        self.cuts.append(({"name": name, "antecedent": on, **frame}, {"antecedent": twin_on, **twin}))

    def place(self, j: int) -> np.ndarray:
        """The pose of a frame in frame 0, at the reference position."""
        if j == 0:
            return np.eye(4)
        frame = self.frames[j - 1]
        return self.place(frame.antecedent) @ dh_matrix(*(self.number(x) for x in frame.geometry))

    def seen(self, j: int, point: np.ndarray) -> np.ndarray:
        """A point of frame 0, in frame j."""
        return (np.linalg.inv(self.place(j)) @ [*point, 1.0])[:3]

    def set_position(self, j: int, position: float) -> None:
        """Move a joint of the reference position."""
        from dataclasses import replace

        frame = self.frames[j - 1]
        self.positions[frame.joint.variable] = float(position)
        self.frames[j - 1] = replace(frame, joint=replace(frame.joint, position=float(position)))

    # --- the robot ---------------------------------------------------------------------------------------------------

    def finished(self, name: str, masses: bool = True) -> Robot:
        """With cut joints, inertias, rotors and friction of all joints, and gravity in any direction."""
        links = len(self.frames)
        loops = len(self.cuts)
        for cut, _ in self.cuts:
            self.add(**cut)
        for k, (_, twin) in enumerate(self.cuts):
            self.add(f"twin{k + 1}", sigma=FIXED, **twin)
        for k in range(links + 1, links + loops + 1):
            self._close(k, k + loops)
        frames = (
            [self._loaded(j, frame, j <= links) for j, frame in enumerate(self.frames, 1)] if masses else self.frames
        )
        down = self.rng.normal(size=3)
        gravity = tuple(number(float(x)) for x in 9.81 * down / np.linalg.norm(down))
        return Robot(name, tuple(frames), loops=loops, gravity=gravity, values=self.values)

    def _close(self, cut: int, twin: int) -> None:
        """Where the cut joint is: about or along the axis that both its frames share."""
        T = np.linalg.inv(self.place(cut)) @ self.place(twin)
        turning = self.frames[cut - 1].sigma == REVOLUTE
        own = self.frames[cut - 1].joint.position or 0.0
        self.set_position(cut, own + (np.arctan2(T[1, 0], T[0, 0]) if turning else T[2, 3]))
        miss = np.abs(np.linalg.inv(self.place(cut)) @ self.place(twin) - np.eye(4)).max()
        assert miss < 1e-12, f"the loop at frame {cut} is open by {miss:.1e}"

    def _loaded(self, j: int, frame: Frame, is_link: bool) -> Frame:
        from dataclasses import replace

        link = Link()
        if is_link and frame.sigma != FIXED:
            made = zip(INERTIA, random_inertia(self.rng), strict=True)
            link = Link(**{key: self.entry(f"{key}{j}", value) for key, value in made})
        actuator = Actuator()
        if frame.sigma != FIXED:
            drawn = self.rng.uniform(0.05, 0.5, 3)
            actuator = Actuator(*(self.entry(f"{key}{j}", x) for key, x in zip(("IA", "FV", "FS"), drawn, strict=True)))
        return replace(frame, link=link, actuator=actuator)
