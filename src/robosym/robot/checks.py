"""What is wrong with a robot: every problem at once, each naming its field, its value and what was expected."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

from ..expr import Expr, evaluate, free_symbols
from ..expr.text import abbreviated
from ..notices import warn
from .drives import drive_problems
from .parts import COMPOUND, FIXED, FREE, GEOMETRY, KINDS, PRISMATIC, REVOLUTE, WRENCH, Actuator, Frame, Limits
from .physics import link_problems, placement_problems
from .platforms import platform_problems
from .problems import Problem, RobotError, RobotWarning, gathered
from .robot import Robot

# Entries that describe the state, not the robot: their symbols are variables.
STATE = frozenset(("velocity", "acceleration", "torque", *WRENCH))
NAMED_SHAPES = ("serial", "tree", "closed")  # the .par files' Type 0, 1, 2

# When one of these cannot be read, what is said of the frame's joint would only follow from that.
JOINT_FIELDS = frozenset(("sigma", "theta", "r", "variable"))

warning = partial(Problem, is_warning=True)


def checked(robot: Robot, source: str = "", found: Iterable[Problem] = ()) -> Robot:
    """The robot itself when it has no error; its warnings are warned of.

    ``found`` are problems a reader met already: they are reported together with those of the robot, except those that
    only follow from an entry that could not be read.
    """
    found = list(found)
    unreadable = {p.where for p in found}
    jointless = {frame for frame, _, field in (w.partition(", ") for w in unreadable) if field in JOINT_FIELDS}
    more = [p for p in problems(robot) if p.where not in unreadable and p.where.partition(",")[0] not in jointless]
    everything = found + more
    if any(not p.is_warning for p in everything):
        raise RobotError(everything, source or robot.name)
    for message, count in gathered(everything):
        warn(RobotWarning(f"{source or robot.name}: {message}", count))
    return robot


def problems(robot: Robot) -> list[Problem]:
    """All problems of a robot, errors and warnings."""
    if robot.chains:
        names = ", ".join(robot.frame(j).joint.name for j in robot.chains)
        problem = f"in base parameters a description has no place for joints of several axes ({names}): save the robot in standard ones"
        return [Problem("", problem)]
    return [
        *_counts(robot),
        *_type(robot),
        *_antecedents(robot),
        *_loops(robot),
        *platform_problems(robot),
        *_names(robot),
        *_joints(robot),
        *_dependent_joints(robot),
        *_symbols(robot),
        *_numbers(robot),
    ]


def missing_values(robot: Robot, symbols: Iterable[Expr] | None = None) -> list[str]:
    """The names of the parameters (all of the robot's, or those given) that have no value."""
    used = robot.parameter_symbols if symbols is None else symbols
    return [s.name for s in used if s.kind == "parameter" and s.name not in robot.values]


def numbers(robot: Robot, symbols: Iterable[Expr] | None = None) -> dict[str, float]:
    """The value of each parameter (all of the robot's, or those given), by name; an error names every missing one."""
    used = [s for s in (robot.parameter_symbols if symbols is None else symbols) if s.kind == "parameter"]
    missing = missing_values(robot, used)
    if missing:
        raise RobotError([Problem("values", f"'{name}' is used but has no value") for name in missing], robot.name)
    return {s.name: robot.values[s.name].number for s in used}


# --- structure -------------------------------------------------------------------------------------------------------


def _counts(robot: Robot) -> Iterator[Problem]:
    total, B = len(robot.frames), robot.loops
    if B < 0:
        yield Problem("loops", f"expected the number of closed loops, 0 or more, got {B}")
    elif B and total <= 2 * B:
        yield Problem("loops", f"{B} closed loop(s) need more than {2 * B} frames (N_F = N_L + 2B), got {total}")


def _type(robot: Robot) -> Iterator[Problem]:
    """The Type of a .par file agrees with the structure; a serial robot may call itself a tree."""
    said = robot.par_type
    if said is None:
        return
    if said not in (0, 1, 2):
        yield Problem("Type", f"expected 0 (serial), 1 (tree) or 2 (closed loops), got {said}")
    elif not any(_antecedents(robot)) and NAMED_SHAPES[said] != robot.structure and (said, robot.loops) != (1, 0):
        yield warning("Type", f"{said} means {NAMED_SHAPES[said]}, but the structure is {robot.structure}")


def _antecedents(robot: Robot) -> Iterator[Problem]:
    total = len(robot.frames)
    state = [0] * (total + 1)  # 0 not seen, j on the path that started at j, -1 reaches the base or was reported
    state[0] = -1
    for j, frame in enumerate(robot.frames, 1):
        if not 0 <= frame.antecedent <= total:
            yield Problem(f"frame {j}, antecedent", f"expected a frame from 0 to {total}, got {frame.antecedent}")
            state[j] = -1
    for start in range(1, total + 1):
        path, j = [], start
        while not state[j]:
            state[j] = start
            path.append(j)
            j = robot.frame(j).antecedent
        if state[j] == start:
            cycle = [*path[path.index(j) :], j]
            shown = " -> ".join(map(str, cycle[:12])) + (" ..." if len(cycle) > 12 else "")
            yield Problem(
                f"frame {j}, antecedent", f"the antecedents form a cycle that never reaches the base: {shown}"
            )
        for j in path:
            state[j] = -1


def _loops(robot: Robot) -> Iterator[Problem]:
    """Frames k and k + B: the two sides of each cut joint (SYMORO+ 1997, section 2.1)."""
    B, n_links = robot.loops, robot.n_links
    if B <= 0 or n_links < 1:
        return
    for k in range(n_links + 1, n_links + B + 1):
        cut, twin = robot.frame(k), robot.frame(k + B)
        for j, frame in ((k, cut), (k + B, twin)):
            if (
                n_links < frame.antecedent <= n_links + B
            ):  # a twin is fixed to its link: other frames may be placed from it
                expected = f"expected the link the cut joint is on, a frame from 0 to {n_links}, or a twin"
                yield Problem(f"frame {j}, antecedent", f"{expected}, got {frame.antecedent}")
            if any(not entry.is_zero for entry in (*frame.link.inertial, *frame.link.wrench)):
                yield Problem(f"frame {j}, link", "a frame of a cut joint carries no link, so no inertia and no wrench")
        if twin.sigma != FIXED:
            yield Problem(
                f"frame {k + B}, sigma",
                f"frame {k} is a cut joint and lacks its twin: expected frame {k + B} to be fixed (sigma = 2), "
                f"got sigma = {twin.sigma}",
            )
        elif _carrier(robot, k) == _carrier(robot, k + B):
            where = f"frame {k + B}, antecedent"
            yield Problem(where, f"frame {k} and its twin must be on different links, got {cut.antecedent} for both")
        if cut.joint.active and cut.sigma != FIXED:
            yield warning(f"frame {k}, active", "the joint cut to open a loop should be passive")


def _carrier(robot: Robot, j: int) -> int:
    """The link that carries a frame of a cut joint, through twins that it is placed from."""
    for _ in robot.frames:
        j = robot.frame(j).antecedent
        if not robot.n_links < j <= len(robot.frames):
            break
    return j


def _names(robot: Robot) -> Iterator[Problem]:
    """Frames, joints and variables each have names of their own."""
    frames, joints, variables = defaultdict(list), defaultdict(list), defaultdict(list)
    frames[robot.base.name].append(0)
    for j, frame in enumerate(robot.frames, 1):
        frames[frame.name].append(j)
        joints[frame.joint.name].append(j)
        for symbol in frame.joint.variables or ((frame.joint.variable,) if frame.joint.variable is not None else ()):
            variables[str(symbol)].append(j)
    for what, found in (("name", frames), ("joint name", joints), ("variable", variables)):
        for name, places in found.items():
            if len(places) > 1:
                where = ", ".join(f"frame {j}" if j else "the base" for j in places[:8])
                yield Problem(f"frame {places[-1]}, {what}", f"'{name}' is used more than once: {where}")
            if not name:
                yield Problem(f"frame {places[0]}, {what}", "expected a name, got an empty text")
    if "world" in frames and robot.base.name != "world":
        j = frames["world"][0]
        yield warning(
            f"frame {j}, name", "'world' means the fixed frame the base stands in: ask for this one by number"
        )
    if not robot.name:
        yield Problem("name", "expected the robot's name, got an empty text")


# --- joints ----------------------------------------------------------------------------------------------------------


def _joints(robot: Robot) -> Iterator[Problem]:
    for j, frame in enumerate(robot.frames, 1):
        yield from _variable_place(j, frame)
        limits = frame.joint.limits
        for name in ("lower", "upper", "velocity", "effort"):
            bound = getattr(limits, name)
            if bound is not None and not math.isfinite(bound):
                yield Problem(f"frame {j}, limits {name}", f"expected a finite number, got {bound}")
        for name in ("acceleration", "jerk"):
            bound = getattr(limits, name)
            if bound is not None and not (math.isfinite(bound) and bound > 0):
                yield Problem(f"frame {j}, limits {name}", f"expected a positive number, got {bound:g}")
        if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
            yield Problem(f"frame {j}, limits", f"lower {limits.lower} is above upper {limits.upper}")
        yield from _position(j, frame)
        yield from _spring(j, frame)


def _position(j: int, frame: Frame) -> Iterator[Problem]:
    """Where a joint is when the robot stands as described: a number, of a joint that can be somewhere else."""
    position, where = frame.joint.position, f"frame {j}, position"
    if position is None:
        return
    if not math.isfinite(position):
        yield Problem(where, f"expected a finite number, got {position}")
    elif frame.sigma in KINDS:
        yield Problem(where, f"a {KINDS[frame.sigma]} has no position, got {position}")
    elif frame.joint.mimic is not None:
        yield Problem(where, f"the joint follows that of frame {frame.joint.mimic.frame}, got {position} of its own")


def _spring(j: int, frame: Frame) -> Iterator[Problem]:
    """A spring holds a joint that moves."""
    spring = frame.joint.spring
    if spring is None:
        return
    if frame.sigma in KINDS:
        yield Problem(f"frame {j}, spring", f"a {KINDS[frame.sigma]} has no spring")


def _variable_place(j: int, frame: Frame) -> Iterator[Problem]:
    """theta of a revolute joint and r of a prismatic one are its variable plus a constant; nothing else moves."""
    own, sigma = frame.joint.variable, frame.sigma
    if sigma == COMPOUND:
        yield from _compound(j, frame)
        return
    if sigma not in (REVOLUTE, PRISMATIC, FIXED, FREE):
        yield Problem(f"frame {j}, sigma", f"expected 0 (revolute), 1 (prismatic) or 2 (fixed), got {sigma}")
        return
    if sigma in KINDS and own is not None:
        yield Problem(f"frame {j}, variable", f"a {KINDS[sigma]} has no variable, got '{own}'")
    if sigma not in KINDS and (own is None or own.kind != "variable"):
        yield Problem(f"frame {j}, variable", f"expected the symbol of the joint's position, got {own!r}")
        return
    moving = {REVOLUTE: "theta", PRISMATIC: "r"}.get(sigma)
    for name, entry in zip(GEOMETRY, frame.geometry, strict=True):
        constant = entry - own if name == moving and own is not None else entry
        inside = [s.name for s in free_symbols(constant) if s.kind == "variable"]
        if inside:
            expected = f"'{own}' plus a constant" if name == moving else "a constant"
            shown = abbreviated(entry, 60)
            yield Problem(f"frame {j}, {name}", f"expected {expected}, got '{shown}' (variable: {', '.join(inside)})")


def _compound(j: int, frame: Frame) -> Iterator[Problem]:
    """A joint of several axes: its frame is placed by constants, and what has one axis in mind does not apply to it."""
    joint = frame.joint
    kind = joint.kind
    if kind is None or len(joint.variables) != kind.nq:
        expected = (
            f"a {kind.name} joint with a symbol for each of its positions"
            if kind
            else "a sigma of 0, 1 or 2, or a kind of joint"
        )
        yield Problem(f"frame {j}, sigma", f"expected {expected}, got {frame.sigma}")
        return
    for name, expected in kind.problems():
        yield Problem(f"frame {j}, {name}", f"{expected}, got {abbreviated(getattr(kind, name), 60)}")
    for name, entry in zip(GEOMETRY, frame.geometry, strict=True):
        if any(s.kind == "variable" for s in free_symbols(entry)):
            yield Problem(f"frame {j}, {name}", f"expected a constant, got '{abbreviated(entry, 60)}'")
    if kind.nv == 1:
        for name in ("velocity", "acceleration", "torque"):
            if getattr(joint, name) is not None:
                yield Problem(
                    f"frame {j}, {name}",
                    f"a {kind.name} joint supports no {name}: write it as revolute and prismatic joints",
                )
        return
    given = {
        "limits": joint.limits != Limits(),
        "spring": joint.spring is not None,
        "position": joint.position is not None,
        **{name: getattr(joint, name) is not None for name in ("velocity", "acceleration", "torque")},
        "actuator": frame.actuator != Actuator(),
    }
    for name in (name for name, is_given in given.items() if is_given):
        advice = "write it as revolute and prismatic joints, each with its own"
        yield Problem(f"frame {j}, {name}", f"a {kind.name} joint has {kind.nv} speeds and no {name}: {advice}")


def _dependent_joints(robot: Robot) -> Iterator[Problem]:
    total = len(robot.frames)
    master: dict[int, int] = {}
    for j, frame in enumerate(robot.frames, 1):
        mimic = frame.joint.mimic
        if mimic is None:
            continue
        where = f"frame {j}, mimic"
        if not 1 <= mimic.frame <= total:
            yield Problem(where, f"expected a frame from 1 to {total}, got {mimic.frame}")
        elif (followed := robot.frame(mimic.frame).sigma) in KINDS:
            word = "fixed" if followed == FIXED else "a platform"
            yield Problem(where, f"frame {mimic.frame} is {word}: expected a moving joint to follow")
        elif frame.sigma in KINDS:
            yield Problem(where, f"a {KINDS[frame.sigma]} cannot follow another joint")
        elif COMPOUND in (frame.sigma, followed):
            kind = (frame if frame.sigma == COMPOUND else robot.frame(mimic.frame)).joint.kind
            word = "a joint of several axes" if kind is None else f"a {kind.name} joint"
            yield Problem(where, f"{word} neither follows nor is followed: expected revolute or prismatic joints")
        else:
            master[j] = mimic.frame
    done: set[int] = set()
    for start in master:
        path: dict[int, None] = {}
        j = start
        while j in master and j not in done and j not in path:
            path[j] = None
            j = master[j]
        if j in path:
            cycle = list(path)[list(path).index(j) :]
            shown = " -> ".join(map(str, [*cycle[:12], j]))
            yield Problem(f"frame {j}, mimic", f"the joint follows itself: {shown}")
        done.update(path)


# --- symbols and numbers ---------------------------------------------------------------------------------------------


def _symbols(robot: Robot) -> Iterator[Problem]:
    entries = robot.entries()
    kinds: dict[str, set[str | None]] = defaultdict(set)
    first: dict[str, str] = {}
    lasting: set[str] = set(robot.values)  # parameters of the robot proper, not only of its state
    for where, entry in entries.items():
        field = where.rpartition(", ")[2]
        in_state = field in STATE
        for symbol in free_symbols(entry):
            kinds[symbol.name].add(symbol.kind)
            first.setdefault(symbol.name, where)
            if symbol.kind == "parameter" and not in_state:
                lasting.add(symbol.name)
            elif symbol.kind == "variable" and not in_state and field not in GEOMETRY and field != "variable":
                yield Problem(where, f"expected a constant, got '{abbreviated(entry, 60)}' (variable: {symbol.name})")
            elif symbol.kind not in ("variable", "parameter"):
                yield Problem(where, f"'{symbol.name}' is a {symbol.kind}: expected variables and parameters only")
    for name, found in kinds.items():
        if len(found) > 1:
            yield Problem(first[name], f"'{name}' is both a variable and a parameter: rename one of them")
        elif found == {"parameter"} and name not in lasting:
            yield Problem(first[name], f"'{name}' is used in the state only and has no value: expected a variable")
    for name in robot.values:
        if name not in kinds:
            yield warning(f"values, {name}", "the robot has no such symbol: the value is never used")
        elif "variable" in kinds[name]:
            yield Problem(f"values, {name}", "a value is for a parameter, and this is a variable")


def _numbers(robot: Robot) -> Iterator[Problem]:
    """Every entry whose symbols have values is a finite number, and the numbers make a possible body."""
    known: dict[str, float] = {}
    for name, value in robot.values.items():
        if math.isfinite(value.number):
            known[name] = value.number
        else:
            yield Problem(f"values, {name}", f"expected a finite number, got {value.number}")
    entries = robot.entries()
    ready = [where for where, entry in entries.items() if all(s.name in known for s in free_symbols(entry))]
    amounts = dict(zip(ready, evaluate([entries[where] for where in ready], known), strict=True))
    for where in [where for where, amount in amounts.items() if not math.isfinite(amount)]:
        yield Problem(where, f"'{abbreviated(entries[where], 60)}' is not a finite number")
        del amounts[where]
    yield from placement_problems(amounts)
    yield from link_problems(amounts, len(robot.frames))
    yield from drive_problems(robot, amounts)
    for where, amount in amounts.items():
        if where.endswith((", spring stiffness", ", spring damping", ", flexibility damping")) and amount < 0:
            yield Problem(where, f"expected a number that is not negative, got {amount:g}")
