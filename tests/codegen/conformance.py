"""What every language must print and compute: the same programs, states and numbers for all of them.

A test of a language prints the programs of ``all_cases()``, ``odd_programs`` and ``odd_routines``, runs them in the real
thing, best all in one go because starting a compiler is slow, and hands what came out to ``check`` and ``check_routine``.
Cases are made once in a process, and so are the numbers expected of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from robots_with import PARALLEL, robot_with
from sample_programs import arm, arrays_of, every_function, hostile, special_points, values_of
from sweeps import many

import robosym
from robosym import models
from robosym.program import Program
from robosym.program.interpreter import interpreted
from robosym.program.routine import Routine
from robosym.robot import Robot

Arrays = dict[str, np.ndarray]
TOLERANCE = 1e-12
ROUTINES = ("inverse-geometric", "loop-geometry", "direct-geometric", "discrete")  # the cases of these are below
# Models of an arm with a wrist; all others are of a SCARA, which every language prints and runs in a fifth of the time.
LARGE = ("transform", "geometric", "jacobian", "inverse-dynamics", "forward-dynamics", "lagrange")
SMALL = ("expanded",)  # models for a few joints only


@dataclass(frozen=True)
class Case:
    """A program, numbers for its parameters in their order, and states: an array for each input."""

    name: str
    program: Program
    parameters: tuple[float, ...]
    states: tuple[Arrays, ...]

    @cached_property
    def expected(self) -> list[Arrays]:
        """The outputs at each state, by the interpreter."""
        given = {
            symbol.name: value for symbol, value in zip(self.program.parameter_symbols, self.parameters, strict=True)
        }
        with np.errstate(all="ignore"):
            return [self.program.call(**state, parameters=given) for state in self.states]


def check(case: Case, found: Sequence[Mapping[str, Any]], tolerance: float = TOLERANCE) -> None:
    """Every output at every state, as the interpreter has it."""
    compare(case.name, case.expected, found, tolerance)


def compare(title: str, expected: Sequence[Arrays], found: Sequence[Mapping[str, Any]], tolerance: float) -> None:
    """Arrays by name, at every state: relative to the largest entry (or to one, where all are smaller); nan is nan."""
    assert len(found) == len(expected), f"{title}: {len(found)} states instead of {len(expected)}"
    for i, (got, wanted) in enumerate(zip(found, expected, strict=True)):
        for name, value in wanted.items():
            finite = np.abs(value[np.isfinite(value)])
            scale = max(1.0, finite.max(initial=0.0))
            message = f"{title}: {name} at state {i}"
            array = _array(got[name], value.shape)
            np.testing.assert_allclose(array, value, rtol=0, atol=tolerance * scale, err_msg=message)


def _array(entries: Any, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(entries, dtype=float).reshape(shape)


# --- programs --------------------------------------------------------------------------------------------------------


@cache
def sample_cases() -> tuple[Case, ...]:
    """A small arm with precompute and two outputs, and names that mean something in some language."""
    return tuple(case_of(program, 5) for program in (arm(), hostile()))


def case_of(program: Program, states: int = 2) -> Case:
    """A program at random states, where all is well conditioned."""
    values = [values_of(program, seed) for seed in range(states)]
    parameters = tuple(values[0][symbol] for symbol in program.parameter_symbols)
    return Case(program.name, program, parameters, tuple(arrays_of(program, one) for one in values))


@cache
def function_case(special: bool = True) -> Case:
    """Every function of expressions: at points with infinities and nan, or at ordinary ones only.

    All pairs of special numbers; the third one, which a choice alone takes, with every first one.
    """
    points = np.array([[x, y, 1.0] for x, y in special_points(2)] + [[x, 2.5, z] for x, z in special_points(2)])
    if not special:
        points = points[np.isfinite(points).all(axis=1)]
    return Case("every function", every_function(), (), tuple({"x": point} for point in points))


@cache
def model_cases(robot: str = "rx90", names: tuple[str, ...] = ()) -> tuple[Case, ...]:
    """Every model (or the named ones) at three random states: of a robot those that are LARGE, and in a longer sweep all."""
    rng = np.random.default_rng(2)
    found = []
    for name in names or tuple(name for name in models.MODELS if name not in ROUTINES):
        large = name in LARGE or (many(1) > 1 and name not in SMALL)
        own = robot_with(name, robot if large else "scara", "sr400", "eel-3")
        model = models.MODELS[name](own)
        program = model.program
        parameters = tuple(float(model.values[symbol.name]) for symbol in program.parameter_symbols)
        states = tuple({a.name: rng.uniform(-1.5, 1.5, a.shape) for a in program.inputs} for _ in range(3))
        found.append(Case(f"{model.robot.name} {name}", program, parameters, states))
    return tuple(found)


@cache
def platform_cases() -> tuple[Case, ...]:
    """A platform on legs from its pose, at states that its legs allow, and at a pose that they do not reach."""
    model = models.inverse_dynamics(robosym.load(PARALLEL))
    rng = np.random.default_rng(4)
    states = [model.random_state(rng) for _ in range(2)]
    states.append({**states[0], "pose": np.array([9.0, 0, 0, 0, 0, 0, 1])})
    parameters = tuple(float(model.values[symbol.name]) for symbol in model.program.parameter_symbols)
    return (Case(f"platform {PARALLEL}", model.program, parameters, tuple(states)),)


def all_cases(special: bool = True) -> tuple[Case, ...]:
    return (*sample_cases(), function_case(special), *model_cases(), *platform_cases())


def at_states(case: Case, count: int) -> Case:
    """The case at so many of its states only, spread over all."""
    every = -(-len(case.states) // count)
    return replace(case, states=case.states[::every])


# --- routines --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoutineCase:
    """A routine, numbers for its parameters in their order, and inputs. ``compared(state, outputs)`` is how the outputs at
    a state are looked at if they are not to be those of the interpreter, entry by entry."""

    name: str
    routine: Routine
    parameters: tuple[float, ...]
    states: tuple[Arrays, ...]
    tolerance: float = TOLERANCE
    compared: Callable[[Arrays, Arrays], None] | None = None

    @cached_property
    def expected(self) -> list[Arrays]:
        """The outputs at each state, by the interpreter."""
        given = {
            symbol.name: value for symbol, value in zip(self.routine.parameter_symbols, self.parameters, strict=True)
        }
        return [interpreted(self.routine, given, state) for state in self.states]  # an input may have any name


def check_routine(case: RoutineCase, found: Sequence[Mapping[str, Any]]) -> None:
    """The outputs at every state: arrays, or lists of their entries, by name."""
    shapes = {slot.name: slot.shape for slot in case.routine.outputs}
    arrays = [{name: _array(outputs[name], shape) for name, shape in shapes.items()} for outputs in found]
    if case.compared is None:
        compare(case.name, case.expected, arrays, case.tolerance)
        return
    assert len(arrays) == len(case.states), f"{case.name}: {len(arrays)} states instead of {len(case.states)}"
    for state, outputs in zip(case.states, arrays, strict=True):
        case.compared(state, outputs)


def at_first_states(case: RoutineCase, count: int) -> RoutineCase:
    """The case at so many of its states only, with what is expected there."""
    few = replace(case, states=case.states[:count])
    few.__dict__["expected"] = case.expected[:count]
    return few


def folding() -> Robot:
    """Two equal links: folded, the second joint's end is on the axis of the first, which is free."""
    return Robot.from_table("folding", [{}, {"d": "L"}, {"d": "L", "sigma": "fixed"}], values={"L": 0.5})


@cache
def inverse_geometry_cases(general: bool = True) -> tuple[RoutineCase, ...]:
    """Closed forms of an arm with a wrist (lengths as arguments), of a SCARA and of two equal links, and the general
    method (with kernels); each without a seed and limits, and with both. The links are folded at their first pose: of the
    self-motion there the position nearest to the seed is given. An arm of two joints goes through all that one of six does there, in a seventh
    of the time."""
    rng = np.random.default_rng(3)
    found = []
    robots = [robosym.load("rx90"), robosym.load("scara"), folding()]
    for robot in [*robots, *([robosym.load("general-6r")] if general else [])]:
        routine = models.inverse_geometric(robot).routine
        transform = models.transform(robot).compile()
        poses = [transform(q=rng.uniform(-1.2, 1.2, robot.nq)) for _ in range(3)]
        away = np.eye(4)
        away[:3, 3] = 99.0
        free = {
            "seed": np.zeros(robot.nq),
            "seeded": np.array(0.0),
            "limits": np.outer([-1.0, 1.0], np.full(robot.nq, 9e9)),
        }
        near = {
            "seed": rng.uniform(-1, 1, robot.nq),
            "seeded": np.array(1.0),
            "limits": np.outer([-2, 2], np.ones(robot.nq)),
        }
        states = [{"T": pose, **how} for pose in [*poses, away] for how in (free, near)]
        if robot.name == "folding":  # once: interpreters take seconds for it
            folded = {"T": transform(q=np.array([0.3, np.pi]))}
            states = [{**folded, **near, "limits": free["limits"]}, *states]
        parameters = tuple(float(robot.values[symbol.name].number) for symbol in routine.parameter_symbols)
        found.append(RoutineCase(robot.name, routine, parameters, tuple(states)))
    return tuple(found)


@cache
def closed_loop_cases() -> tuple[RoutineCase, ...]:
    """A linkage whose loops have no closed form: an iteration before the model, from its start, from another one, and from
    none, where nothing is a number."""
    from models.loops.iterated_linkages import stephenson

    robot = stephenson()
    geometry = models.loop_geometry(robot)
    model = models.inverse_dynamics(robot, wrench="none")
    here = np.array([geometry.reference[name] for name in robot.joint_names])
    others = [models.loop_geometry(robot, mode=mode).defaults["start"] for mode in geometry.modes[:2]]
    moving = {"qd": np.array([0.4]), "qdd": np.array([-0.7])}
    states = [{"q": here + 0.1, **moving, "start": np.array(start)} for start in (*others, [np.nan] * len(others[0]))]
    parameters = tuple(float(model.values[symbol.name]) for symbol in model.routine.parameter_symbols)
    return (RoutineCase(robot.name, model.routine, parameters, tuple(states), 1e-9),)


@cache
def platform_routine_cases() -> tuple[RoutineCase, ...]:
    """A platform on legs from its motors: an iteration, then the model; and from no start, where nothing is a number."""
    robot, rng, found = robosym.load(PARALLEL), np.random.default_rng(5), []
    for model in (models.direct_geometric(robot), models.forward_dynamics(robot, coordinates="motors", wrench="none")):
        states = [{**model.defaults, **model.random_state(rng)} for _ in range(2)]
        states.append({**states[0], "start": np.full(7, np.nan)})
        parameters = tuple(float(model.values[symbol.name]) for symbol in model.routine.parameter_symbols)
        arrays = tuple({name: np.asarray(x, dtype=float) for name, x in state.items()} for state in states)
        found.append(RoutineCase(f"{PARALLEL} {model.name}", model.routine, parameters, arrays, 1e-9))
    return tuple(found)


@cache
def discrete_cases() -> tuple[RoutineCase, ...]:
    """A linear model in discrete time: a matrix exponential, scaled and squared."""
    model, rng = models.MODELS["discrete"](robosym.load("planar-2r")), np.random.default_rng(6)
    states = [
        {**model.defaults, **{a.name: rng.uniform(0.1, 0.9, a.shape) for a in model.routine.inputs}} for _ in range(2)
    ]
    parameters = tuple(float(model.values[symbol.name]) for symbol in model.routine.parameter_symbols)
    return (RoutineCase("planar-2r discrete", model.routine, parameters, tuple(states), 1e-9),)
