"""The base parameters by linear algebra (Gautier 1990): for any robot with numbers, whatever ties its joints.

The torques are linear in the standard parameters: tau = W(q, qd, qdd) chi. The columns of W over many random states
show which parameters have an effect, which are independent, and how the others regroup with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...expr import Expr
from ...options.validate import validated
from ...reals import Floats
from ...robot import INERTIA, Robot
from ..draws import reach
from ..loops.states import random_numbers
from ..mechanism.dependence import column_units, preferred, relations, states_for
from ..mechanism.states import TreeMotion, require_values
from ..mechanism.unit_columns import ROTOR, Key, unit_columns
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.rotors import RotorsOfJoints
from .exchanges import cut_frames, with_rotors

_SAMPLES = 40  # states, at least, each with a row for every joint


@dataclass(frozen=True)
class NumericBaseParameters:
    """Base parameters found numerically. Parameters are named XX1 ... M1, IA1: of body 1 with what is fixed to it."""

    names: tuple[str, ...]  # those that stay
    vanishing: tuple[str, ...]  # those with no effect
    relations: Mapping[str, Mapping[str, float]]  # of each that stays: the standard parameters in it, with factors

    @property
    def count(self) -> int:
        return len(self.names)

    def values(self, standard: Mapping[str, float]) -> dict[str, float]:
        """The base parameters for given standard ones; one that is left out is zero."""
        return {
            name: sum(factor * standard.get(other, 0.0) for other, factor in relation.items())
            for name, relation in self.relations.items()
        }


@validated
def base_parameters_numeric(
    robot: Robot,
    *,
    rotor_inertia: RotorsOfJoints = True,
    seed: int = 0,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> NumericBaseParameters:
    """The base parameters of a robot whose geometry has numbers, by the independent columns of its regressor."""
    robot = resolve(robot, mode, near, structure, coordinates).tree
    rows = Batches(robot, rotor_inertia, seed)
    own = [k for k, (j, _) in enumerate(rows.keys) if j <= robot.n_links]  # without massless bodies inside of joints
    names, keys = [rows.names[k] for k in own], [rows.keys[k] for k in own]
    found = relations(robot, names, lambda batch: rows(batch)[:, own], preferred(robot, keys), rows.units(keys))
    return NumericBaseParameters(tuple(found.kept), found.gone, found.kept)


class Batches:
    """W by batches of random states, each of which is drawn once; ``keys`` are the parameters of its columns, ``names`` what they are
    called."""

    def __init__(self, robot: Robot, rotor_inertia: bool, seed: int = 0) -> None:
        self.robot, self.seed = robot, seed
        self.motion = TreeMotion(robot)
        links = [j for j in (*([0] if robot.base.floating else []), *self.motion.joints) if j not in cut_frames(robot)]
        rotors = set(with_rotors(robot) if rotor_inertia else ())
        self.keys: list[Key] = [(j, stem) for j in links for stem in INERTIA]
        self.keys += [(j, ROTOR) for j in self.motion.joints if j in rotors]
        self._drawn: dict[int, Floats] = {}

    @property
    def names(self) -> list[str]:
        return [f"{stem.upper()}{j}" for j, stem in self.keys]

    def units(self, keys: Sequence[Key]) -> Floats:
        """The sizes of columns, by the lengths of the robot."""
        numbers = {name: value.number for name, value in self.robot.values.items()}
        return column_units(self.robot, keys, reach(self.robot, numbers))

    @property
    def samples(self) -> int:
        """States, with several times as many rows as columns."""
        return max(_SAMPLES, states_for(len(self.keys), self.robot.nv))

    def __call__(self, batch: int) -> Floats:
        if batch not in self._drawn:
            self._drawn[batch] = self.rows((self.seed, batch) if batch else self.seed, self.samples)
        return self._drawn[batch]

    def rows(self, seed: int | tuple[int, ...], samples: int) -> Floats:
        """At so many states: those of the joints and of a base whose motion is symbolic; everything else has the robot's values."""
        motion = self.motion
        require_values(self.robot, motion.constant)
        values: dict[Expr, float] = {s: self.robot.values[s.name].number for s in motion.constant}
        rng = np.random.default_rng(seed)
        drawn = random_numbers(self.robot, motion.changing, values, rng, samples)
        return unit_columns(motion.states({**values, **drawn}, samples), {key: k for k, key in enumerate(self.keys)})
