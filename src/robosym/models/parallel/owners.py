"""Which inertial parameters a platform on legs has, what they are called, and which legs share theirs.

Every link that moves has ten, with the links fixed to it; so has the platform. They belong to the structure: the cross of a universal
joint has them too, whatever it is described with; ``customised`` leaves out what the description has as zero. Legs alike that are
described with the same entries have the same links, and so one set of parameters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from ...expr import Expr, expr, number
from ...robot import INERTIA, Actuator, Link, Robot, RobotError
from ...robot.problems import Problem
from ..mechanism.unit_columns import ROTOR, Key
from ..tree.bodies import tree
from ..tree.drives import rotors_of
from .structure import LegPath, Module
from .trees import lumped

ZERO = number(0)
PLATFORM = "P"  # what the names of its parameters end with


@dataclass(frozen=True)
class Owners:
    """The bodies and rotors of a platform on legs. One that is shared by legs is known by the frame in the first of them."""

    module: Module
    alike: bool  # legs that are described alike share their parameters
    customised: bool = False  # what the description has as zero is no parameter

    @cached_property
    def frames(self) -> tuple[int, ...]:
        """Everything that moves: the platform, the links of the legs, what stands on the platform."""
        legs = (j for leg in self.module.legs for j in leg.joints)
        return (self.module.platform.frame, *legs, *self.module.carried_joints)

    @cached_property
    def entries(self) -> dict[int, tuple[Expr, ...]]:
        """The ten parameters of every body in the description, with the links fixed to it."""
        module, robot = self.module, self.module.robot
        found: dict[int, tuple[Expr, ...]] = {}
        for leg in module.legs:
            found |= _entries(module.only(leg.all_frames))
        found |= _entries(module.carrier.replace(base=replace(module.carrier.base, floating=False)))
        alone = all(
            x.is_zero for j in module.carried if robot.carrier(j) == module.platform.frame for x in _ten(robot, j)
        )
        body = lumped(module.carrier)
        whole = robot.frame(module.platform.frame).link.inertial if alone else (*body.matrix, *body.moment, body.mass)
        found[module.platform.frame] = tuple(map(expr, whole))
        return {j: found[j] for j in self.frames}

    @cached_property
    def rotors(self) -> dict[int, Expr]:
        """Rotor inertias that are parameters, in the description: of the motors, and of other joints that have one."""
        robot, own = self.module.robot, rotors_of(self.module.robot).own
        return {j: own[j] for j in self.frames[1:] if j in robot.moving or not own[j].is_zero}

    # --- what legs share ---

    @cached_property
    def first(self) -> dict[int, int]:
        """Of every frame that moves: itself, or the one that stands for it in the first leg that shares its link."""
        return self._first(lambda j: tuple(self.entries.get(j, ())))

    @cached_property
    def first_drive(self) -> dict[int, int]:
        """The same for what is in the joints: rotors, friction, springs."""
        robot = self.module.robot

        def drive(j: int) -> tuple[object, ...]:
            return robot.frame(j).actuator, robot.frame(j).joint.spring

        return self._first(drive)

    def _first(self, what: Callable[[int], tuple[object, ...]]) -> dict[int, int]:
        found = {j: j for j in self.frames}
        if not self.alike:
            return found
        known: dict[tuple[object, ...], int] = {}
        for leg in self.module.legs:
            bare = _bare(leg)
            for place, j in enumerate(leg.joints):
                found[j] = known.setdefault((bare, place, what(j)), j)
        return found

    # --- names ---

    @cached_property
    def labels(self) -> dict[int, str]:
        """What the names of a body's parameters end with: P of the platform, of a link what its own symbols end with, else its
        place in its leg; with the name of the leg where several have such a link."""
        found = {self.module.platform.frame: PLATFORM}
        for leg in self.module.legs:
            endings = {j: self._ending(j, leg.leg.name) for j in leg.joints}
            for place, j in enumerate(leg.joints, 1):
                taken = str(place) in endings.values()
                found[j] = endings[j] or (f"{place}_{leg.short_name(place - 1)}" if taken else str(place))
        found |= {j: f"C{place}" for place, j in enumerate(self.module.carried_joints, 1)}
        legs = {j: leg.leg.name for leg in self.module.legs for j in leg.joints}
        own = [j for j in self.frames if self.first[j] == j or self.first_drive[j] == j]
        times = Counter(found[j] for j in own)
        named = {j: f"{found[j]}_{legs[j]}" if times[found[j]] > 1 and j in legs else found[j] for j in own}
        plain = {j: _plain(label) for j, label in named.items()}
        times = Counter(plain.values())
        return {j: f"{label}_{j}" if times[label] > 1 and j in legs else label for j, label in plain.items()}

    def _ending(self, j: int, leg: str) -> str:
        """The number that all symbols end with that are called as parameters of this link; the name of the leg may follow it."""
        entries = dict(zip(INERTIA, self.entries[j], strict=True)) | {"IA": self.rotors.get(j, ZERO)}
        after = f"(?:_{re.escape(_plain(leg))})?"
        named = [(stem, x.name) for stem, x in entries.items() if x.kind == "parameter"]
        found = [re.fullmatch(rf"{stem}([0-9]+){after}", name) for stem, name in named]
        endings = {match[1] for match in found if match}
        return endings.pop() if len(endings) == 1 else ""

    def name(self, j: int, stem: str, regrouped: bool = False) -> str:
        """XX2, XXR2, IA3."""
        return f"{stem.upper()}{'R' if regrouped else ''}{self.labels[j]}"

    # --- as columns ---

    def keys(self, rotor_inertia: bool) -> list[Key]:
        """All standard parameters, each once: of the platform, the legs, what the platform carries; then rotors."""
        links = [(j, stem) for j in self.entries if self.first[j] == j for stem in INERTIA]
        found = [*links, *((j, ROTOR) for j in self.rotors if rotor_inertia and self.first_drive[j] == j)]
        described = self.described()
        return [key for key in found if not (self.customised and described[key].is_zero)]

    def described(self) -> dict[Key, Expr]:
        """What the description has for them."""
        found = {(j, stem): x for j, ten in self.entries.items() for stem, x in zip(INERTIA, ten, strict=True)}
        return found | {(j, ROTOR): x for j, x in self.rotors.items()}

    def of_key(self, key: Key) -> Key:
        """The parameter that a frame's own parameter is."""
        j, stem = key
        return (self.first_drive if stem == ROTOR else self.first)[j], stem


def _plain(name: str) -> str:
    """As part of the name of a symbol."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _ten(robot: Robot, j: int) -> tuple[Expr, ...]:
    return robot.frame(j).link.inertial


def _entries(robot: Robot) -> dict[int, tuple[Expr, ...]]:
    """The lumped parameters of a tree's bodies; those of a link with nothing fixed to it as they are written."""
    found = {}
    for body in tree(robot).bodies:
        fixed = [k for k in range(1, len(robot.frames) + 1) if k != body.j and robot.carrier(k) == body.j]
        alone = all(x.is_zero for k in fixed for x in _ten(robot, k))
        one = body.inertia
        found[body.j] = _ten(robot, body.j) if alone else tuple(map(expr, (*one.matrix, *one.moment, one.mass)))
    return found


def _bare(leg: LegPath) -> tuple[object, ...]:
    """The shape of a leg without what its links and motors are."""
    return (
        tuple(replace(frame, link=Link(), actuator=Actuator()) for frame in leg.shape.frames),
        leg.leg.joint,
    )


def owners_of(module: Module, alike: bool | None, customised: bool = False) -> Owners:
    """``alike`` False gives every leg parameters of its own; None and True share those of legs that are described alike."""
    robot = module.robot
    if robot.couplings:
        problem = "motors that move several joints are not known in regressors of platforms on legs"
        raise RobotError([Problem("couplings", problem)], robot.name)
    return Owners(module, alike is not False, customised)
