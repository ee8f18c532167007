"""The base (minimal) inertial parameters: the smallest set that gives all torques (SYMORO+ 1997, section 6.4).

``base_parameters(robot)`` lists the standard parameters without effect, the unchanged and the regrouped ones, and gives the robot in
these parameters, for any model. The rules are in ``rules``; ``numeric`` finds the same by linear algebra.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ...brief import brief
from ...expr import CONSTANT, Expr, evaluate, free_symbols, number, parameter, substitute, symbol, text
from ...expr.algebra import split_coefficient
from ...generated import Model
from ...generated.declaration import Parallel, declare
from ...generated.documentation.case import Case
from ...options.validate import validated
from ...program import Array, Graph, Program, Step, lower
from ...program.derived import Derived
from ...program.documentation import Described, Entry
from ...robot import INERTIA, PRISMATIC, Frame, Link, Regrouping, Robot, RobotError, Value
from ..common import model
from ..mechanism.states import missing_values
from ..resolve import PLATFORM, Near, OfPlatform, Structure, resolve
from ..tree.bodies import tree
from ..tree.drives import rotors_of
from ..tree.parallel import parallel_links
from ..tree.rotors import RotorsOfJoints
from .exchanges import cut_frames, with_rotors
from .further import check_torques, further, geometry_symbols
from .numeric import Batches
from .relations import related, ruled
from .rules import Kept
from .tied_reach import tied_reaches

ZERO = number(0)
_ROTOR = "Ia"
Method = Literal["rules", "numeric"]


@dataclass(frozen=True, repr=False)
class BaseParameters:
    """The base parameters of a robot.

    A regrouped parameter has the papers' name with R (ZZR1) and one symbol in ``robot``; one that stays as it is keeps
    its own. Entries that are numbers stay numbers, under the same names here.
    """

    robot: Robot  # the same robot in its base parameters: same geometry, same torques
    names: tuple[str, ...]  # those that stay and are not zero, link by link; one that links share only once
    regrouped: Mapping[str, Expr]  # of those with a new meaning: the expression in the standard parameters
    unchanged: Mapping[str, Expr]  # the others
    vanishing: tuple[str, ...]  # standard parameters with no effect on any torque
    inertial_count: int  # of all base parameters but rotor inertias, also where a link's entry is zero
    count: int  # with the rotor inertias that do not join another parameter
    # No further regrouping exists. Not sure with prescribed joints or a special base motion, nor, where joints follow others
    # (closed loops, dependent joints), without values.
    exact: bool
    pivots: tuple[Expr, ...] = ()  # what was divided by: with values that make one of them zero the set is another
    fixed: tuple[str, ...] = ()  # found numerically: the symbols of which no other value may be given

    def __repr__(self) -> str:
        return brief(f"BaseParameters of {self.robot.name!r:.42}: {', '.join(self.names)}")

    def expressions(self) -> dict[str, Expr]:
        """Every base parameter in the standard ones, in order."""
        known = {**self.regrouped, **self.unchanged}
        return {name: known[name] for name in self.names}

    def explain(self) -> str:
        """Which parameters stay, which are regrouped and how, which have no effect."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        rotors = self.count - self.inertial_count
        yield f"base parameters of {self.robot.name}: {self.inertial_count} inertial and {rotors} rotor inertias"
        if not self.exact:
            yield "there may be fewer: the rules do not see all that ties the joints or the motion of the base"
        if self.pivots:
            yield f"these are for values with which none of these is zero: {', '.join(map(text, self.pivots))}"
        if self.fixed:
            yield f"these were found with the values of {', '.join(self.fixed)}, and hold for no others"
        if self.regrouped:
            yield "\nregrouped:"
            yield from (f"  {name} = {text(value)}" for name, value in self.regrouped.items())
        if self.unchanged:
            yield "\nas they are:"
            yield f"  {', '.join(self.unchanged)}"
        if self.vanishing:
            yield "\nno effect:"
            yield f"  {', '.join(self.vanishing)}"


@validated
def base_parameters(
    robot: Robot,
    *,
    rotor_inertia: RotorsOfJoints = True,
    method: Method = "rules",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    alike: bool | None = None,
) -> BaseParameters:
    """Base (minimal) inertial parameters of a robot.

    Symbols of the geometry and of gravity stand for any value.

    A rotating base (prescribed angular velocity or acceleration) gives the larger set of a moving base. A linear
    acceleration of the base acts like gravity. With a floating base all of its ten parameters are in the set. Coupling
    inertias of rotors of several joints stay as they are, beside the base parameters.

    The set of a robot with closed loops is valid for one assembly mode.

    Parameters
    ----------
    robot
        Robot.
    rotor_inertia
        Rotor inertias of the motors: True (included) or False (excluded). Use False for models without rotors.
    method
        Regrouping method: "rules" (symbolic) or "numeric" (rules, then a numerical rank analysis). "numeric" regroups
        what the rules leave where that is not minimal (``exact`` is False). It uses the columns of the regressor with
        the values of the geometry, and holds for these values only. Parallel robots are always regrouped numerically.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    alike
        Parallel robots only: legs with the same description share their parameters (True) or have their own (False).
        None is True.

    Returns
    -------
    BaseParameters
        Names and expressions of the base parameters, the standard parameters without effect, and the robot in base
        parameters (``robot``).

    Notes
    -----
    SYMORO+ 1997, section 6.4.
    """
    resolved = resolve(robot, mode, near, structure, parallel=PLATFORM)
    resolved.only_of_platforms(alike=alike)
    if resolved.parallel:
        from .of_platform import platform_base_parameters

        return platform_base_parameters(resolved.robot, resolved.legs, rotor_inertia, alike, method)
    found = _of_tree(resolved.tree, rotor_inertia, method)
    return replace(found, robot=_with_loops(resolved.robot, found.robot)) if resolved.closed else found


def _with_loops(robot: Robot, made: Robot) -> Robot:
    """The robot as it was described, in the parameters found for the tree it is assembled to."""
    assert made.regrouping is not None
    assert made.closure is not None
    anyway = bool(made.closure.found) and not parallel_links(tree(made))  # nothing that depends on the mode was used
    regrouping = replace(made.regrouping, mode=None if anyway else made.closure.mode)
    return robot.replace(frames=made.frames, base=made.base, values=made.values, regrouping=regrouping)


def _of_tree(robot: Robot, rotor_inertia: bool, method: str) -> BaseParameters:
    """Of a serial or tree robot, also of one that a robot with closed loops is assembled to."""
    base_turns = _base_turns(robot)
    cuts = cut_frames(robot)
    standard = {
        j: {name: ZERO if j in cuts or j > robot.n_links else standard_symbol(j, name) for name in INERTIA}
        for j in with_base(robot)
    }
    rotors = {j: standard_symbol(j, _ROTOR) for j in with_rotors(robot)} if rotor_inertia else {}
    related_too = _are_tied(robot) and not robot.base.floating  # on a free base the rules see less of what ties joints
    rows = Batches(robot, rotor_inertia)
    tied = tied_reaches(robot, base_turns) if related_too else None
    kept = ruled(robot, standard, rotors, base_turns, tied)
    if related_too:
        kept = related(robot, kept, list(rotors), base_turns, tied)
        if not missing_values(robot, rows.motion.constant):
            check_torques(robot, kept, rows)
    by_rules = sum(len(one.names) for one in kept.values())
    clear = True
    if method == "numeric":
        kept, clear = further(robot, kept, rows)
    fixed = geometry_symbols(robot) if sum(len(one.names) for one in kept.values()) < by_rules else frozenset()
    entries = _entries(robot, rotor_inertia)
    effects = free_symbols(*(value for one in kept.values() for value in one.values.values()))
    pivots = tuple(dict.fromkeys(pivot for one in kept.values() for pivot in one.pivots))
    found = Naming(robot, kept, entries, pivots, fixed)
    alone = rotor_inertia and rotors_of(robot).coupled  # what stays beside the base parameters, and might join some
    rotor_count = sum(_ROTOR in one.names for one in kept.values())
    count = sum(len(one.names) for one in kept.values())
    return BaseParameters(
        robot=found.robot(rotor_inertia),
        names=tuple(found.names),
        regrouped=found.regrouped,
        unchanged=found.unchanged,
        vanishing=_vanishing(robot, entries, set(effects), found),
        inertial_count=count - rotor_count,
        count=count,
        exact=not alone
        and clear
        and _of_links(robot, kept)
        and (method == "numeric" or _is_exact(robot, kept, base_turns, rows)),
        pivots=pivots,
        fixed=tuple(sorted(fixed)),
    )


def _columns(case: Case) -> Described:
    about = "base parameters: inertias XX to ZZ and IA in kg m2, IA of joints that slide in kg, first moments MX to MZ in kg m, masses M in kg"
    return Described(about, tuple(map(Entry, case.option("names") or ())))


@declare(
    title="Base inertial parameters",
    family="identification",
    rank=20,
    inputs="",
    outputs="base",
    about="Base inertial parameters from the standard ones",
    arrays={"base": _columns},
    parallel=Parallel(
        "Base inertial parameters from the standard ones",
        {"base": _columns},
        ("rotor_inertia", "alike", "method"),
        tool=False,
    ),
    parallel_only=("alike",),
    unchecked="by inverse-dynamics in base parameters, above",
    section="SYMORO+ 1997, section 6.4",
)
def base_parameters_model(
    robot: Robot,
    *,
    rotor_inertia: RotorsOfJoints = True,
    method: Method = "rules",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    alike: bool | None = None,
) -> Model:
    """Base (minimal) inertial parameters as functions of the standard ones.

    The program evaluates the expressions of ``base_parameters``. Symbols of the geometry and of gravity stand for any
    value.

    A rotating base (prescribed angular velocity or acceleration) gives the larger set of a moving base. A linear
    acceleration of the base acts like gravity. With a floating base all of its ten parameters are in the set. Coupling
    inertias of rotors of several joints stay as they are, beside the base parameters.

    The set of a robot with closed loops is valid for one assembly mode.

    Parameters
    ----------
    robot
        Robot.
    rotor_inertia
        Rotor inertias of the motors: True (included) or False (excluded). Use False for models without rotors.
    method
        Regrouping method: "rules" (symbolic) or "numeric" (rules, then a numerical rank analysis). "numeric" regroups
        what the rules leave where that is not minimal (``exact`` is False). It uses the columns of the regressor with
        the values of the geometry, and holds for these values only. Parallel robots are always regrouped numerically.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform", the only choice for this model.
    alike
        Parallel robots only: legs with the same description share their parameters (True) or have their own (False).
        None is True.

    Returns
    -------
    Model
        No inputs. Output ``base``: all base parameters, in the order of the option ``names``.

    Notes
    -----
    SYMORO+ 1997, section 6.4.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, parallel=PLATFORM)
    resolved.only_of_platforms(alike=alike)
    robot = resolved.tree
    if resolved.parallel:
        parallel = base_parameters(robot, rotor_inertia=rotor_inertia, method=method, alike=alike, **resolved.choice)
        return as_model(robot, parallel, {"rotor_inertia": rotor_inertia, "alike": alike is not False})
    found = base_parameters(robot, rotor_inertia=rotor_inertia, method=method)
    return resolved.finished(as_model(robot, found, {"rotor_inertia": rotor_inertia, "method": method}))


def as_model(robot: Robot, found: BaseParameters, asked: Mapping[str, Any]) -> Model:
    """Base parameters as a program; ``asked`` are the options they were found with."""
    entries = tuple(found.expressions().values())
    graph = Graph(f"{robot.name} base-parameters", (), (Array("base", (len(entries),), entries),))
    options = {**asked, "names": list(found.names)}
    program = _with_names(lower(graph), found.names)
    numbers = {name: value.number for name, value in robot.values.items()}
    derived = Derived({}, numbers, found.pivots, robot.limited, frozenset(found.fixed))
    return replace(model(robot, "base-parameters", program, options), derived=derived)


def _with_names(program: Program, names: Sequence[str]) -> Program:
    """The program with the step behind an output called by that output's name, and with its sign."""
    (output,) = program.outputs
    uses = Counter(
        s for root in (*(one.expr for one in program.precompute), *output.entries) for s in free_symbols(root)
    )
    steps = {one.symbol: one for one in program.precompute}
    entries = []
    for name, entry in zip(names, output.entries, strict=True):
        factor, inner = split_coefficient(entry)
        if inner in steps and uses[inner] == 1:
            entry = symbol(name, "constant")
            steps[inner] = Step(entry, factor * steps[inner].expr)
        entries.append(entry)
    outputs = (Array(output.name, output.shape, tuple(entries)),)
    return program.replace(precompute=tuple(steps.values()), outputs=outputs)


# --- the standard parameters -----------------------------------------------------------------------------------------


def with_base(robot: Robot) -> tuple[int, ...]:
    """The links whose parameters count, a free base (0) first."""
    return (0, *robot.bodies) if robot.base.floating else robot.bodies


def _link(robot: Robot, j: int) -> Link:
    return robot.frame(j).link if j else robot.base.link


def _base_turns(robot: Robot) -> bool:
    base = robot.base
    return base.floating or not all(entry.is_zero for entry in (*base.angular_velocity, *base.angular_acceleration))


def _base_is_free(robot: Robot) -> bool:
    """Whether the motion of the base is any motion: it is free, or given by nine symbols of their own."""
    base = robot.base
    if base.floating:
        return True
    entries = (*base.angular_velocity, *base.angular_acceleration, *base.acceleration)
    return len({entry for entry in entries if entry.kind is not None}) == len(entries)


def _is_prescribed(frame: Frame) -> bool:
    """Whether the joint is not free to take any velocity and acceleration."""
    return frame.joint.velocity is not None or frame.joint.acceleration is not None


def _are_tied(robot: Robot) -> bool:
    """Whether joints follow others."""
    return robot.closure is not None or any(frame.joint.mimic is not None for frame in robot.frames)


def _of_links(robot: Robot, kept: Mapping[int, Kept]) -> bool:
    """Whether all base parameters are independent as functions of the standard ones. Those of massless bodies inside of joints follow
    from the link after them: two of a universal joint may be the same."""
    if not robot.chains:
        return True
    values = [one.values[name] for one in kept.values() for name in one.names]
    symbols = free_symbols(*values)
    numbers = {s: robot.values[s.name].number for s in symbols if s.name in robot.values}
    standard = [s for s in symbols if s.kind == "local"]
    if len(numbers) + len(standard) < len(symbols):
        return False
    drawn = np.random.default_rng(7).uniform(-1, 1, (len(standard), 2 * len(values) + 1))
    sample = evaluate(values, {**numbers, **dict(zip(standard, drawn, strict=True))})
    return int(np.linalg.matrix_rank(np.array(sample, dtype=float))) == len(values)


def _is_exact(robot: Robot, kept: Mapping[int, Kept], base_turns: bool, rows: Batches) -> bool:
    """Whether no fewer would do: by what the rules know, where joints follow others by what the torques tell apart at random
    states, with the robot's own values."""
    if base_turns and not _base_is_free(robot):
        return False
    if any(_is_prescribed(frame) for frame in robot.frames):
        return False
    if not robot.chains and not all(one.fewest for one in kept.values()):
        return False
    if not _are_tied(robot) and not robot.chains:
        return True
    with suppress(RobotError):
        found, clear = further(robot, kept, rows)
        return clear and (found == dict(kept) or (bool(robot.chains) and _names(found) == _names(kept)))
    return False


def _names(kept: Mapping[int, Kept]) -> dict[int, tuple[str, ...]]:
    return {j: one.names for j, one in kept.items()}


def _entries(robot: Robot, rotor_inertia: bool) -> dict[tuple[int, str], Expr]:
    """What the description has for every standard parameter."""
    own = [j for j in with_base(robot) if j not in cut_frames(robot)]
    found = {(j, name): getattr(_link(robot, j), name) for j in own for name in INERTIA}
    if rotor_inertia:
        turning = rotors_of(robot).own
        found.update({(j, _ROTOR): turning[j] for j in with_rotors(robot)})
    return found


def standard_symbol(j: int, name: str) -> Expr:
    """A symbol for a standard parameter, whatever the description has for it."""
    return symbol(f"{name}{j}", "local")


def _plain_name(j: int, name: str, regrouped: bool = False) -> str:
    """XX3, XXR3, IA3 as in the papers."""
    return f"{name.upper()}{'R' if regrouped else ''}{j}"


def _vanishing(
    robot: Robot, entries: Mapping[tuple[int, str], Expr], effects: set[Expr], found: Naming
) -> tuple[str, ...]:
    """The standard parameters that are in no base parameter, by their symbols where these identify them; the base's are too."""
    used = set(free_symbols(*found.regrouped.values(), *found.unchanged.values()))
    base = {(0, name): value for name, value in zip(INERTIA, robot.base.link.inertial, strict=True)}
    gone = []
    for (j, name), entry in {**base, **entries}.items():
        if not entry.is_zero and standard_symbol(j, name) not in effects:
            own = entry.kind == "parameter" and entry not in used
            gone.append((j, INERTIA.index(name) if name in INERTIA else len(INERTIA), entry, own, name))
    gone.sort(key=lambda one: one[:2])
    return tuple(entry.name if own else _plain_name(j, name) for j, _, entry, own, name in gone)


# --- the new robot ---------------------------------------------------------------------------------------------------


class Naming:
    """Names, values and symbols of the base parameters, and the robot written in them."""

    def __init__(
        self,
        source: Robot,
        kept: Mapping[int, Kept],
        entries: Mapping[tuple[int, str], Expr],
        pivots: tuple[Expr, ...],
        fixed: frozenset[str],
    ) -> None:
        self.source = source
        self.pivots = pivots
        self.fixed = fixed
        self.names: list[str] = []
        self.regrouped: dict[str, Expr] = {}
        self.unchanged: dict[str, Expr] = {}
        self.new: dict[tuple[int, str], Expr] = {}
        self._units: dict[str, str] = {}
        self._taken = {s.name for s in free_symbols(*source.entries().values())}
        keys = [(j, name) for j in with_base(source) if j in kept for name in kept[j].names]
        table = {standard_symbol(j, name): entry for (j, name), entry in entries.items()}
        written = substitute([kept[j].values[name] for j, name in keys], table)
        for (j, name), value in zip(keys, written, strict=True):
            self._add(j, name, value, entries[j, name])

    def _add(self, j: int, name: str, value: Expr, entry: Expr) -> None:
        """Keep an entry that has not changed; give a new one a symbol, unless it is a number."""
        self.new[j, name] = value
        if value.is_zero:
            return
        same = value is entry and (value.is_number or value.kind == "parameter")
        label = value.name if same and not value.is_number else self._unique(self.called(j, name, not same))
        if label not in self.unchanged:  # links described by the same symbol share one parameter
            self.names.append(label)
        (self.unchanged if same else self.regrouped)[label] = value
        if not same and value.level != CONSTANT:
            self.new[j, name] = parameter(label)
            self._units[label] = self._unit(j, name)

    def called(self, j: int, name: str, regrouped: bool) -> str:
        """The name of a parameter, before it is compared with those that are taken."""
        return _plain_name(j, name, regrouped)

    def _unique(self, name: str) -> str:
        label, k = name, 1
        while label in self._taken:
            k += 1
            label = f"{name}_{k}"
        self._taken.add(label)
        return label

    def _unit(self, j: int, name: str) -> str:
        if name == "M" or (name == _ROTOR and self.source.frame(j).sigma == PRISMATIC):
            return "kg"
        return "kg m" if name in ("MX", "MY", "MZ") else "kg m^2"

    def _values(self) -> dict[str, Value]:
        """The numbers of the new symbols, where those of the old ones are known."""
        expressions = [self.regrouped[label] for label in self._units]
        known = {s.name: math.nan for s in free_symbols(*expressions)}
        known.update({name: value.number for name, value in self.source.values.items()})
        amounts = zip(self._units.items(), evaluate(expressions, known), strict=True)
        source = "regrouped from the standard parameters"
        return {label: Value(amount, unit, source) for (label, unit), amount in amounts if not math.isnan(amount)}

    def robot(self, rotor_inertia: bool) -> Robot:
        frames = []
        coupled = {j for coupling in self.source.couplings for j in coupling.frames}
        for j, frame in enumerate(self.source.frames, 1):
            inertial = {name: self.new.get((j, name), ZERO) for name in INERTIA}
            actuator = frame.actuator
            if rotor_inertia:
                motor = actuator.motor if j in coupled else replace(actuator.motor, Jm=ZERO, axis=None, link=None)
                actuator = replace(actuator, Ia=self.new.get((j, _ROTOR), ZERO), motor=motor)
            frames.append(replace(frame, link=Link(**inertial, wrench=frame.link.wrench), actuator=actuator))
        own = {name: self.new.get((0, name), ZERO) for name in INERTIA}
        base = replace(self.source.base, link=Link(**own, wrench=self.source.base.link.wrench))
        new = self.source.replace(frames=tuple(frames), base=base)
        used = {s.name for s in new.parameter_symbols}
        values = {name: value for name, value in self.source.values.items() if name in used}
        symbols = {label: self.regrouped[label] for label in self._units}
        names = frozenset(s.name for s in self.source.parameter_symbols) | self.source.removed_parameters
        before = self.source.regrouping
        turning = rotor_inertia and any(not x.is_zero for x in rotors_of(self.source).own.values())
        referred = turning or (before is not None and before.referred)
        regrouping = Regrouping(symbols, self.source.values, names, self.pivots, fixed=self.fixed, referred=referred)
        return new.replace(values={**values, **self._values()}, regrouping=regrouping)
