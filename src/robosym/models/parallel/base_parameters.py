"""The base inertial parameters of a platform on legs: the fewest that give all forces of its motors (Gautier 1990).

Legs and platform are tied by closed loops: a mass in the joint between them may belong to either, and what a leg cannot do its
parameters do not show. Which columns of the torques depend on which is found at random states, with the robot's values for its
geometry: columns are of length one, and one of which less than 1e-10 is left beside the others depends on them. The parameters of
the platform stay first, then those of links that the description has, as in the papers; rotor inertias last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from ...expr import Expr, free_symbols, number
from ...reals import Floats
from ...robot import REVOLUTE, Robot, RobotError
from ...robot.problems import Problem
from ..common import require_own_rotors
from ..inertial_parameters.base_parameters import BaseParameters, Method, Naming, standard_symbol
from ..inertial_parameters.dependence import Dependence, proved_dependence, states_for
from ..inertial_parameters.numeric import LAST_CHOICE
from ..inertial_parameters.rules import Kept
from ..request import truths
from .kinematics import modes_of
from .owners import ROTOR, Key, Owners, owners_of
from .parameters import in_symbols, standard_symbols
from .states import random_states
from .structure import module_of
from .unit_columns import unit_columns

SHORT, NEAR = 6, 1e-10  # a factor that is this near to a number of so many digits is that number


def platform_base_parameters(
    robot: Robot, branches: Sequence[int], rotor_inertia: bool, alike: bool | None, method: str
) -> BaseParameters:
    """The base parameters of a platform on legs, by numbers. Legs that are described alike have the same parameters; ``alike``
    False gives each leg its own. They are for one working mode of the legs. There are no rules: every ``method`` is this one."""
    truths(robot, rotor_inertia=rotor_inertia)
    if method not in get_args(Method):
        raise RobotError([Problem("method", f"got {method!r:.40}, expected 'rules' or 'numeric'")], robot.name)
    if not rotor_inertia:
        require_own_rotors(robot)
    owners = owners_of(module_of(robot), alike)
    keys = owners.keys(rotor_inertia)
    found = relations(owners, keys, branches)
    if not owners.alike:
        described = owners.described()
        symbols = standard_symbols(owners, True)
        source = in_symbols(owners, {key: x for key, x in symbols.items() if not described[key].is_zero})
        owners = owners_of(module_of(source), False)
    return _named(owners, found, rotor_inertia, modes_of(robot).name(branches))


# --- the columns -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relations:
    """``kept``: of each parameter that stays, the others in it with their factors, itself among them. ``gone`` have no effect."""

    kept: Mapping[Key, Mapping[Key, float]]
    gone: tuple[Key, ...]
    clear: bool = True  # what is left of the columns that depend is far below what the others have of their own


def relations(owners: Owners, keys: Sequence[Key], branches: Sequence[int]) -> Relations:
    """Which parameters stay, and how the others join them."""
    count = states_for(len(keys), len(owners.module.motors))

    def rows(batch: int) -> Floats:
        return unit_columns(owners, random_states(owners.module, branches, count, seed=batch), keys)

    return regrouped(proved_dependence(owners.module.robot, rows, _order(owners, keys)), keys)


def regrouped(found: Dependence, keys: Sequence[Key]) -> Relations:
    """Of columns of which is known which depend on which."""
    kept: dict[Key, dict[Key, float]] = {}
    for row, k in enumerate(found.stay):
        factors = zip(found.rest, found.factors[row], strict=True)
        kept[keys[k]] = {keys[k]: 1.0, **{keys[m]: _clean(float(f)) for m, f in factors if f}}
    return Relations(kept, tuple(keys[k] for k in found.zero), found.clear)


def _order(owners: Owners, keys: Sequence[Key]) -> list[int]:
    described = owners.entries

    def preference(k: int) -> tuple[int, int]:
        j, stem = keys[k]
        if stem == ROTOR:
            return 4, k
        if j == owners.module.platform.frame:
            return 0, k
        if all(x.is_zero for x in described[j]):
            return 3, k
        turns = owners.module.robot.frame(j).sigma == REVOLUTE
        return 2 if turns and stem in LAST_CHOICE else 1, k

    return sorted(range(len(keys)), key=preference)


def _clean(factor: float) -> float:
    short = float(f"{factor:.{SHORT}g}")
    return short if abs(short - factor) <= NEAR * max(1.0, abs(factor)) else factor


# --- names -------------------------------------------------------------------------------------------------------------


class _Naming(Naming):
    """The parameters are called as their owners say, and legs alike have the same."""

    def __init__(self, owners: Owners, kept: Mapping[int, Kept], fixed: frozenset[str]) -> None:
        self.owners = owners
        described = owners.described()
        super().__init__(owners.module.robot, kept, described, (), fixed)
        for key in described:
            own = owners.of_key(key)
            if own != key and own in self.new:
                self.new[key] = self.new[own]

    def called(self, j: int, name: str, regrouped: bool) -> str:
        return self.owners.name(j, name, regrouped)


def _named(owners: Owners, found: Relations, rotor_inertia: bool, mode: str) -> BaseParameters:
    described = owners.described()
    values: dict[int, dict[str, Expr]] = {}
    for (j, stem), parts in found.kept.items():
        total = sum((number(f) * standard_symbol(*key) for key, f in parts.items()), number(0))
        values.setdefault(j, {})[stem] = total
    kept = {j: Kept(tuple(own), own) for j, own in values.items()}
    fixed = geometry_symbols(owners.module.robot)
    naming = _Naming(owners, kept, fixed)
    used = set(free_symbols(*naming.regrouped.values(), *naming.unchanged.values()))
    vanishing = []
    for key in found.gone:
        entry = described[key]
        if not entry.is_zero:
            own = entry.kind == "parameter" and entry not in used
            vanishing.append(entry.name if own else owners.name(*key))
    rotors = sum(stem == ROTOR for _, stem in found.kept)
    made = naming.robot(rotor_inertia)
    assert made.regrouping is not None
    made = made.replace(regrouping=replace(made.regrouping, mode=mode))
    return BaseParameters(
        robot=made,
        names=tuple(naming.names),
        regrouped=naming.regrouped,
        unchanged=naming.unchanged,
        vanishing=tuple(dict.fromkeys(vanishing)),
        inertial_count=len(found.kept) - rotors,
        count=len(found.kept),
        exact=found.clear,
        fixed=tuple(sorted(fixed)),
    )


def geometry_symbols(robot: Robot) -> frozenset[str]:
    """The parameters that the motion depends on, whose values the relations were found with."""
    entries = [*robot.gravity, *(x for frame in robot.frames for x in frame.geometry)]
    return frozenset(s.name for s in free_symbols(*entries) if s.kind == "parameter")
