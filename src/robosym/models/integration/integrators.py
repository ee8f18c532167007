"""One step of integration as stages: from the state at the beginning of a step to that at its end.

``rk4``            Runge and Kutta's method of order 4: the default
``semi-implicit``  first the speeds, then the positions with the new speeds: order 1, cheap
``midpoint``       the implicit midpoint rule, order 2, for stiff problems: solved by Newton's iteration whose matrix is made of
                   differences once a step

A step takes the scalar ``dt`` of the workspace. Torques and wrenches are constant during it, or the mechanism writes them before every
evaluation (``Mechanism.torques_at``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from ...expr import Expr, absolute, equal, expr, logical_and, maximum, select
from ...expr import step as mark
from ...expr.functions import less_equal
from ...program import Program
from ...program.of_arrays import program_of
from ...program.routine import Fill, Kernel, Newton, Record, Repeat, Run, Stage
from .mechanism import OUT_OF_BOUNDS, Mechanism, Pair, rates, unit

Into = Callable[[str], str]  # where the new value of an array of the state goes
Stages = Callable[[Mechanism, Into], tuple[Stage, ...]]
NEWTON_STEPS = 12
TOLERANCE = 1e-13  # of the mid speeds, relative to their size and one
UNSETTLED = 1e-6  # what may be left of the equations, of the speeds' size and one
DIFFERENCE = 1e-7


@dataclass(frozen=True)
class Integrator:
    """An integrator as it declares itself."""

    name: str
    order: int
    stages: Stages
    instants: tuple[float, ...]  # parts of a step at which it takes torques and wrenches
    stable: float | None  # the largest |lambda h| of a swing or a decay for which it is stable; None: any


INTEGRATORS: dict[str, Integrator] = {}


def integrator(
    name: str, *, order: int, instants: tuple[float, ...], stable: float | None
) -> Callable[[Stages], Stages]:
    """Declare a function that makes the stages of one step."""

    def declared(stages: Stages) -> Stages:
        INTEGRATORS[name] = Integrator(name, order, stages, instants, stable)
        return stages

    return declared


def step_of(plant: Mechanism, integrator: str, into: Into = str) -> tuple[Stage, ...]:
    """The stages of one step; the new state goes to ``into(name)``, which may be the old one's place."""
    return INTEGRATORS[integrator].stages(plant, into)


# --- explicit methods --------------------------------------------------------------------------------------------------


@integrator("rk4", order=4, instants=(0.0, 0.5, 1.0), stable=2.785)
def rk4(plant: Mechanism, into: Into) -> tuple[Stage, ...]:
    """k1 ... k4 at the beginning, twice in the middle, and at the end."""
    stages: list[Stage] = []
    for k, ahead in ((1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0)):
        for pair in plant.pairs:
            if ahead:
                stages += plant.along(_ahead(pair, ahead, k))
            if pair.free:
                stages += plant.along(
                    _rate(pair, _at(pair.position, k), _at(pair.speed, k), f"{pair.position}_rate{k}")
                )
        places: dict[str, str] = {}
        for pair in plant.pairs:
            places |= {name: _at(name, k) for name in (pair.position, pair.speed)}
            places[pair.acceleration] = f"{pair.acceleration}{k}"
        if k != 3:  # the third evaluation is at the time of the second
            stages += plant.torques_at(ahead)
        stages += plant.accelerations("plant", places)
    speed = plant.pairs[-1].speed
    weights = ((1 / 6, 0.0), (1 / 3, 0.5), (1 / 3, 0.5), (1 / 6, 1.0))
    stages += plant.work([(weight, part, _at(speed, k)) for k, (weight, part) in enumerate(weights, 1)], into)
    for pair in plant.pairs:
        stages += [*plant.along(_weighted(pair, into)), *_as_unit(plant, pair, into(pair.position))]
    return tuple(stages)


def _as_unit(plant: Mechanism, pair: Pair, place: str) -> tuple[Stage, ...]:
    """Quaternions are brought to length one."""
    if not pair.free:
        return ()
    program = program_of("length one", {"x": (pair.nq,)}, lambda x: {"x_now": unit(pair, list(x))})
    return plant.along(Run(program, {"x": place, "x_now": place}))


def _at(name: str, k: int) -> str:
    """Where an array of the state is at the k-th evaluation."""
    return name if k == 1 else f"{name}{k}"


def _rate_at(pair: Pair, k: int) -> str:
    """Where the rates of the positions are."""
    return f"{pair.position}_rate{k}" if pair.free else _at(pair.speed, k)


def _rate(pair: Pair, position: str, speed: str, to: str) -> Run:
    return Run(rates(pair), {"x": position, "v": speed, "rate": to})


def _ahead(pair: Pair, part: float, k: int) -> Run:
    """The state a part of a step ahead, with the rates of the evaluation before."""

    def body(x: Any, rate: Any, v: Any, a: Any, dt: Any) -> dict[str, Any]:
        ahead = mark(part * dt)
        return {"x_now": x + ahead * rate, "v_now": v + ahead * a}

    shapes = {"x": (pair.nq,), "rate": (pair.nq,), "v": (pair.nv,), "a": (pair.nv,), "dt": ()}
    names = {
        "x": pair.position,
        "rate": _rate_at(pair, k - 1),
        "v": pair.speed,
        "a": f"{pair.acceleration}{k - 1}",
        "x_now": _at(pair.position, k),
        "v_now": _at(pair.speed, k),
    }
    return Run(program_of("ahead", shapes, body), names)


def _weighted(pair: Pair, into: Into) -> Run:
    """x + dt (k1 + 2 k2 + 2 k3 + k4) / 6."""

    def body(x: Any, v: Any, dt: Any, **given: Any) -> dict[str, Any]:
        sixth = mark(dt / 6)

        def moved(start: Any, word: str) -> list[Expr]:
            """What waits for the last evaluation is one sum and one product."""
            k = [given[f"{word}{i}"] for i in (1, 2, 3, 4)]
            first = map(mark, k[0] + 2 * (k[1] + k[2]))
            return [x + sixth * mark(own + last) for x, own, last in zip(start, first, k[3], strict=True)]

        return {"x_now": moved(x, "r"), "v_now": moved(v, "a")}

    shapes: dict[str, tuple[int, ...]] = {"x": (pair.nq,), "v": (pair.nv,), "dt": ()}
    shapes |= {f"r{k}": (pair.nq,) for k in (1, 2, 3, 4)} | {f"a{k}": (pair.nv,) for k in (1, 2, 3, 4)}
    names = {"x": pair.position, "v": pair.speed, "x_now": into(pair.position), "v_now": into(pair.speed)}
    names |= {f"r{k}": _rate_at(pair, k) for k in (1, 2, 3, 4)}
    names |= {f"a{k}": f"{pair.acceleration}{k}" for k in (1, 2, 3, 4)}
    return Run(program_of("weighted mean", shapes, body), names)


@integrator("semi-implicit", order=1, instants=(0.0,), stable=2.0)
def semi_implicit(plant: Mechanism, into: Into) -> tuple[Stage, ...]:
    """v+ = v + dt a(x, v), x+ = x + dt v+."""
    stages = [*plant.torques_at(0.0), *_accelerated(plant)]
    for pair in plant.pairs:
        stages += plant.along(_faster(pair, into(pair.speed)))
        if pair.free:
            stages += plant.along(_rate(pair, pair.position, into(pair.speed), f"{pair.position}_rate1"))
        rate = f"{pair.position}_rate1" if pair.free else into(pair.speed)
        stages += _moved(plant, pair, rate, into(pair.position))
    stages += plant.work([(1.0, 0.0, into(plant.pairs[-1].speed))], into)
    return tuple(stages)


def _accelerated(plant: Mechanism) -> tuple[Stage, ...]:
    places: dict[str, str] = {}
    for pair in plant.pairs:
        places |= {pair.position: pair.position, pair.speed: pair.speed, pair.acceleration: f"{pair.acceleration}1"}
    return plant.accelerations("plant", places)


def _faster(pair: Pair, to: str) -> Run:
    program = program_of("faster", {"v": (pair.nv,), "a": (pair.nv,), "dt": ()}, lambda v, a, dt: {"v_now": v + dt * a})
    return Run(program, {"v": pair.speed, "a": f"{pair.acceleration}1", "v_now": to})


def _moved(plant: Mechanism, pair: Pair, rate: str, to: str) -> tuple[Stage, ...]:
    shapes = {"x": (pair.nq,), "rate": (pair.nq,), "dt": ()}
    program = program_of("moved", shapes, lambda x, rate, dt: {"x_now": x + dt * rate})
    there = plant.along(Run(program, {"x": pair.position, "rate": rate, "x_now": to}))
    return (*there, *_as_unit(plant, pair, to))


# --- the implicit midpoint rule ----------------------------------------------------------------------------------------


@integrator("midpoint", order=2, instants=(0.0, 0.5, 1.0), stable=None)
def midpoint(plant: Mechanism, into: Into) -> tuple[Stage, ...]:
    """v+ = v + dt a(x_m, z), x+ = x + dt z with x_m = x + dt z / 2, where z, the speeds in the middle, solve
    z = v + dt a(x_m, z) / 2. The pose of a free base goes there by the middle of the way itself."""
    size = _size(plant.pairs)
    plain = Mechanism(plant.robot, plant.model, plant.pairs, held=plant.held)  # until it is solved, nothing goes along

    def residual(one: Mechanism, z: str = "z", to: str = "r") -> tuple[Stage, ...]:
        return (*_middle(one, z), *one.along(_left(plant.pairs, z, to)))

    return (
        *plant.torques_at(0.5),
        *plant.along(Run(_gathered(plant.pairs))),
        *solved(size, lambda z, to: residual(plain, z, to)),
        Run(_lost(size)),
        *plant.implicitly("z", size, residual),
        *plant.along(_half_a_step(plant.pairs, "z")),
        *plant.work([(1.0, 0.5, _mid(plant.pairs[-1].speed))], into),
        *_after(plant, into),
    )


def solved(size: int, residual: Callable[[str, str], tuple[Stage, ...]]) -> tuple[Stage, ...]:
    """Newton's iteration from where z is to where nothing is left of an equation, with a matrix that is made of differences once.
    ``residual`` makes of the array named first what is left, in the second; in the end it is in ``r``."""
    left = residual("z", "r")
    differences = (
        Run(_nudged(size), {"z_now": "z_near"}),
        *residual("z_near", "r_near"),
        Run(_slope(size), {"slope": "column"}),
        Record("column", "columns", "turn"),
    )
    return (
        *left,
        Fill("columns", (size, size)),
        Repeat(size, differences, turn="turn"),
        Run(_transposed(size)),
        Newton((*left, Kernel("solve", ("matrix", "r"), ("dz",))), NEWTON_STEPS, "z", "dz", TOLERANCE),
        *left,
    )


def _size(pairs: Sequence[Pair]) -> int:
    return sum(pair.nv for pair in pairs)


def _parts(pairs: Sequence[Pair], z: Any) -> list[Any]:
    """The speeds of each pair among all of them."""
    found, first = [], 0
    for pair in pairs:
        found.append(z[first : first + pair.nv])
        first += pair.nv
    return found


def _gathered(pairs: Sequence[Pair]) -> Program:
    def body(**speeds: Any) -> dict[str, Any]:
        return {"z": [x for pair in pairs for x in speeds[pair.speed]]}

    return program_of("speeds of all", {pair.speed: (pair.nv,) for pair in pairs}, body)


def _middle(plant: Mechanism, z: str) -> tuple[Stage, ...]:
    """Where the middle is with these speeds, and the accelerations there."""
    places = {name: _mid(name) for pair in plant.pairs for name in (pair.position, pair.speed, pair.acceleration)}
    return (*plant.along(_half_a_step(plant.pairs, z)), *plant.accelerations("plant", places))


def _half_a_step(pairs: Sequence[Pair], z: str) -> Run:
    def body(z: Any, dt: Any, **positions: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for pair, v in zip(pairs, _parts(pairs, z), strict=True):
            found[_mid(pair.position)] = _half_way(pair, positions[pair.position], v, dt)
            found[_mid(pair.speed)] = v
        return found

    shapes: dict[str, tuple[int, ...]] = {"z": (_size(pairs),), "dt": ()}
    shapes |= {pair.position: (pair.nq,) for pair in pairs}
    return Run(program_of("the middle", shapes, body), {"z": z})


def _mid(name: str) -> str:
    return f"{name}_mid"


def _half_way(pair: Pair, x: Any, v: Any, dt: Any) -> Any:
    """Half a step from x with the speeds v."""
    if not pair.free:
        return x + dt / 2 * v
    near = unit(pair, [a + dt / 4 * b for a, b in zip(x, pair.rate(x, v), strict=True)])
    return unit(pair, [a + dt / 2 * b for a, b in zip(x, pair.rate(near, v), strict=True)])


def _left(pairs: Sequence[Pair], z: str, to: str) -> Run:
    """z - v - dt a / 2."""

    def body(z: Any, dt: Any, **given: Any) -> dict[str, Any]:
        parts = zip(pairs, _parts(pairs, z), strict=True)
        return {
            "r": [e for pair, one in parts for e in one - given[pair.speed] - dt / 2 * given[_mid(pair.acceleration)]]
        }

    shapes: dict[str, tuple[int, ...]] = {"z": (_size(pairs),), "dt": ()}
    shapes |= {name: (pair.nv,) for pair in pairs for name in (pair.speed, _mid(pair.acceleration))}
    return Run(program_of("what is left", shapes, body), {"z": z, "r": to})


def _nudge(z: Any) -> Any:
    """How far a speed is moved for a difference."""
    return DIFFERENCE * maximum(absolute(z), 1)


def _nudged(size: int) -> Program:
    def body(z: Any, turn: Any) -> dict[str, Any]:
        return {"z_now": [x + select(equal(turn, i), _nudge(x), 0) for i, x in enumerate(z)]}

    return program_of("one speed moved", {"z": (size,), "turn": ()}, body)


def _slope(size: int) -> Program:
    def body(z: Any, turn: Any, r: Any, r_near: Any) -> dict[str, Any]:
        moved = sum((select(equal(turn, i), _nudge(x), 0) for i, x in enumerate(z)), start=expr(0))
        return {"slope": (r_near - r) / moved}

    return program_of("a column of the slopes", {"z": (size,), "turn": (), "r": (size,), "r_near": (size,)}, body)


def _transposed(size: int) -> Program:
    return program_of("the matrix of slopes", {"columns": (size, size)}, lambda columns: {"matrix": columns.T})


def _lost(size: int) -> Program:
    """Where the iteration has not come to an end, speeds go out of all bounds: the run is lost there, and says so."""

    def body(z: Any, r: Any) -> dict[str, Any]:
        kept = [less_equal(absolute(e), UNSETTLED * (1 + absolute(x))) for x, e in zip(z, r, strict=True)]
        return {"lost": select(reduce(logical_and, kept), 0, OUT_OF_BOUNDS)}

    return program_of("whether it has settled", {"z": (size,), "r": (size,)}, body)


def _after(plant: Mechanism, into: Into) -> tuple[Stage, ...]:
    """The state at the end of the step, from that in the middle."""
    stages: list[Stage] = []
    for pair in plant.pairs:
        if pair.free:
            stages += plant.along(_rate(pair, _mid(pair.position), _mid(pair.speed), f"{pair.position}_rate1"))
        rate = f"{pair.position}_rate1" if pair.free else _mid(pair.speed)
        stages += _moved(plant, pair, rate, into(pair.position))
        shapes: dict[str, tuple[int, ...]] = {"z": (pair.nv,), "v": (pair.nv,), "lost": ()}
        doubled = program_of("speeds after", shapes, lambda z, v, lost: {"v_now": 2 * z - v + lost})
        stages += plant.along(Run(doubled, {"z": _mid(pair.speed), "v": pair.speed, "v_now": into(pair.speed)}))
    return tuple(stages)
