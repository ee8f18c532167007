"""The working modes of the legs of a parallel robot, and all legs solved at a pose of its platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...caches import Kept
from ...expr import Expr, ExprError, evaluate, expr
from ...program import Scope
from ...reals import finite_array
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.floats import pose_rows
from .legs import LegForm, SolvedLeg, leg_form, solved_leg
from .places import Place, nearby
from .pose import PlatformState, pose_symbols
from .space import Space, space_of
from .structure import Module, module_of

PROVED = 1e-6  # by how much the legs of a closed form may miss their seats, lengths over the size


@dataclass(frozen=True)
class Modes:
    """The working modes of all legs, by their branches."""

    module: Module
    forms: tuple[LegForm, ...]
    first: tuple[int, ...] = ()  # that come first where all are given; those of the description

    @cached_property
    def default(self) -> tuple[int, ...]:
        """Those of the positions in the description."""
        return self.at({j: self.module.robot.frame(j).joint.position or 0.0 for j in self.module.joints})

    def at(self, position: Mapping[int, float]) -> tuple[int, ...]:
        """The branches of a position of all joints."""
        return tuple(
            form.nearest(np.array([position[j] for j in leg.joints]))
            for leg, form in zip(self.module.legs, self.forms, strict=True)
        )

    def name(self, branches: Sequence[int]) -> str:
        """A word that all legs share once, else the legs with theirs."""
        words = [form.name(leg, b) for leg, form, b in zip(self.module.legs, self.forms, branches, strict=True)]
        if len(set(words)) == 1:
            return words[0] or "only"
        return ", ".join(f"{leg.leg.name} {word}" for leg, word in zip(self.module.legs, words, strict=True) if word)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(form.count for form in self.forms)

    def names_of(self, leg: int) -> list[str]:
        form = self.forms[leg]
        return [form.name(self.module.legs[leg], b) for b in range(form.count)]

    def named(self, mode: str | None, near: Mapping[str, float] | None) -> tuple[int, ...]:
        """The branches of a mode by its name ("elbow-" of all legs, or "leg1 elbow-, leg2 elbow+"), or near some positions. A robot
        that is written in the base parameters of a mode stays in it."""
        robot = self.module.robot
        only = robot.regrouping.mode if robot.regrouping is not None else None
        found = self._named(only if mode is None and near is None else mode, near)
        if only is not None and self.name(found) != only:
            problem = f"the robot is written in the base parameters of mode {only!r}, got {self.name(found)!r}"
            raise RobotError([Problem("mode" if near is None else "near", problem)], robot.name)
        return found

    def _named(self, mode: str | None, near: Mapping[str, float] | None) -> tuple[int, ...]:
        robot = self.module.robot
        if near is not None and mode is not None:
            raise RobotError([Problem("near", "give a mode or a position near which it is, not both")], robot.name)
        if near is not None:
            return self._near(near)
        if mode is None:
            return self.default
        if not isinstance(mode, str):
            raise RobotError([Problem("mode", f"got {mode!r:.40}, expected the name of a mode")], robot.name)
        if mode == self.name(self.default):
            return self.default
        alike = [self.names_of(k) for k in range(len(self.forms))]
        if all(mode in names for names in alike):
            return tuple(names.index(mode) for names in alike)
        found = list(self.default)
        legs = {leg.leg.name: k for k, leg in enumerate(self.module.legs)}
        for part in mode.split(","):
            name, _, word = part.strip().partition(" ")
            if name not in legs or word not in alike[legs[name]]:
                known = "; ".join(
                    f"{leg.leg.name}: {', '.join(map(repr, names))}"
                    for leg, names in zip(self.module.legs, alike, strict=True)
                )
                raise RobotError(
                    [Problem("mode", f"got {mode!r}, expected a mode of all legs, or of each leg by name ({known})")],
                    robot.name,
                )
            found[legs[name]] = alike[legs[name]].index(word)
        return tuple(found)

    def _near(self, near: Mapping[str, float]) -> tuple[int, ...]:
        robot = self.module.robot
        frames = {robot.frame(j).joint.name: j for j in self.module.joints}
        if not isinstance(near, Mapping) or any(name not in frames or np.ndim(x) for name, x in near.items()):
            expected = f"expected positions of leg joints by name ({', '.join(frames)})"
            raise RobotError([Problem("near", f"got {near!r:.80}, {expected}")], robot.name)
        described = {j: robot.frame(j).joint.position or 0.0 for j in self.module.joints}
        given = {frames[name]: finite_array(f"near: {name}", x).item() for name, x in near.items()}
        return self.at({**described, **given})


_MODES: Kept[Modes] = Kept()


def modes_of(robot: Robot) -> Modes:
    """Every leg in closed form: found once."""
    return _MODES.of(robot, (), lambda: _solved_in_closed_form(robot))


def _solved_in_closed_form(robot: Robot) -> Modes:
    module = module_of(robot)
    space_of(module)  # says more of what is wrong with a leg than that it has no closed form
    known: dict[object, LegForm] = {}
    return Modes(module, tuple(leg_form(leg, known) for leg in module.legs))


def numbers_at(place: Place) -> dict[Expr, float]:
    """Numbers for the parameters of the geometry, the joints of the legs and the pose."""
    return {**place.values, **dict(zip(pose_symbols, pose_rows(place.T).tolist(), strict=True))}


@dataclass(frozen=True)
class Solved:
    """All legs of a platform at a pose, before anything of their motion."""

    module: Module
    space: Space
    state: PlatformState
    legs: tuple[SolvedLeg, ...]
    mode: str
    samples: Sequence[Mapping[Expr, float]]  # numbers for the symbols, at positions of the robot
    size: float


def solved_legs(
    robot: Robot, branches: Sequence[int], scope: Scope, order: int = 2, legs_given: bool = False
) -> Solved:
    """The legs in these working modes, and positions at which they are."""
    modes = modes_of(robot)
    module = modes.module
    space = space_of(module)
    state = PlatformState(space, scope, order, legs_given=legs_given)
    at = nearby(module)
    legs = tuple(
        solved_leg(leg, form, b, state) for leg, form, b in zip(module.legs, modes.forms, branches, strict=True)
    )
    places, lost = _there(legs, at)
    if lost > len(places):
        problem = (
            "their closed form is lost in rounding: write what is almost zero or almost a right angle as 0 or pi/2"
        )
        raise RobotError([Problem("legs", problem)], robot.name)
    if not places:
        problem = f"no position was found at which the legs reach the platform in mode '{modes.name(branches)}'"
        raise RobotError([Problem("mode", problem)], robot.name)
    own = all(s.name in robot.values for s in at[0].mechanism.values)
    legs = tuple(leg.next_to_described(places[0], own) for leg in legs)
    return Solved(module, space, state, legs, modes.name(branches), places, at[0].mechanism.size)


def _there(legs: Sequence[SolvedLeg], places: Sequence[Place]) -> tuple[list[Mapping[Expr, float]], int]:
    """The positions at which all legs exist and reach their seats; and at how many they exist, but do not."""
    roots = [expr(x) for leg in legs for x in (leg.exists, *leg.positions.values())]
    frames = [j for leg in legs for j in (0, *leg.positions)]
    found: list[Mapping[Expr, float]] = []
    lost = 0
    for place in places:
        at = numbers_at(place)
        try:
            values = np.array([float(x) for x in evaluate(roots, dict(at))])
        except (ArithmeticError, ValueError, ExprError):
            continue
        if not np.isfinite(values).all() or not all(x for j, x in zip(frames, values, strict=True) if not j):
            continue
        own = dict(zip(frames, values, strict=True))
        x = np.array([own[j] for j in place.mechanism.joints])
        if place.mechanism.gap(place.T[None], x[None])[0] < PROVED:
            found.append(at)
        else:
            lost += 1
    return found, lost
