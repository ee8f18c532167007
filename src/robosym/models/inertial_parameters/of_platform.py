"""The base inertial parameters of a platform on legs: the fewest that give all forces of its motors (Gautier 1990).

Legs and platform are tied by closed loops: a mass in the joint between them may belong to either, and what a leg cannot do its
parameters do not show. Which columns of the torques depend on which is found at random states, with the robot's values for its
geometry: columns are of length one, and one of which less than 1e-10 is left beside the others depends on them. The parameters of
the platform stay first, then those of links that the description has, as in the papers; rotor inertias last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...expr import Expr, free_symbols, number
from ...reals import Floats
from ...robot import Robot
from ..common import require_own_rotors
from ..mechanism.dependence import Relations, column_units, preferred, states_for
from ..mechanism.dependence import relations as proved_relations
from ..mechanism.states import require_values
from ..mechanism.unit_columns import ROTOR, Key, unit_columns
from ..parallel.kinematics import modes_of
from ..parallel.owners import Owners, owners_of
from ..parallel.parameters import in_symbols, standard_symbols
from ..parallel.places import home
from ..parallel.states import States, random_states
from ..parallel.structure import module_of
from .base_parameters import BaseParameters, Naming, standard_symbol
from .further import geometry_symbols
from .rules import Kept


def platform_base_parameters(
    robot: Robot, branches: Sequence[int], rotor_inertia: bool, alike: bool | None, method: str
) -> BaseParameters:
    """The base parameters of a platform on legs, by numbers. Legs that are described alike have the same parameters; ``alike``
    False gives each leg its own. They are for one working mode of the legs. There are no rules: every ``method`` is this one."""
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


def relations(owners: Owners, keys: Sequence[Key], branches: Sequence[int]) -> Relations[Key]:
    """Which parameters stay, and how the others join them."""
    robot, platform = owners.module.robot, owners.module.platform.frame
    require_values(robot, [*robot.gravity, *(x for frame in robot.frames for x in frame.geometry)])
    count = states_for(len(keys), len(owners.module.motors))
    undescribed = [j for j, ten in owners.entries.items() if j != platform and all(x.is_zero for x in ten)]

    def rows(batch: int) -> Floats:
        return owned_columns(owners, random_states(owners.module, branches, count, seed=batch), keys)

    units = column_units(robot, keys, home(owners.module).mechanism.size)
    return proved_relations(robot, keys, rows, preferred(robot, keys, [platform], undescribed), units)


def owned_columns(owners: Owners, states: States, keys: Sequence[Key]) -> Floats:
    """W with a column for each of the keys, legs that share it together."""
    place = {key: k for k, key in enumerate(keys)}
    own = {key: place[shared] for key in owners.described() if (shared := owners.of_key(key)) in place}
    return unit_columns(states, own)


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


def _named(owners: Owners, found: Relations[Key], rotor_inertia: bool, mode: str) -> BaseParameters:
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
