"""Batches in lanes: which routines run so, in how many threads, whatever their size and however arrays lie."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from random_robots import random_robot
from runtime.lanes import Arrays, always, lanes_of, one_by_one, same, versions

from robosym import load, models
from robosym.program.of_arrays import program_of, run_over
from robosym.program.routine import Copy, Fill, Kernel, Record, Repeat, Routine, Run, Slot, Take, When
from robosym.runtime import compile_program, routine_code
from robosym.runtime.host import host
from robosym.runtime.lanes_code import PATIENCE, parts_of, work
from robosym.runtime.parameters import NONE

W = host().lanes
H = 0.01


def simulation(robot):
    """The robot with a controller, references for all, and a record long enough to stay with its caller."""
    forward, inverse = models.forward_dynamics(robot), models.inverse_dynamics(robot)
    (n,) = next(array.shape for array in forward.program.inputs if array.name == "q")
    law = program_of(
        "law",
        {"goal": (n,), "q": (n,), "qd": (n,)},
        lambda goal, q, qd: {"qdd": 25.0 * (goal - q) - 10.0 * qd},
    )
    step = program_of(
        "step",
        {"q": (n,), "qd": (n,), "qdd": (n,)},
        lambda q, qd, qdd: {"q_now": q + H * qd, "qd_now": qd + H * qdd},
    )
    others = {array.name: array.shape for one in (forward, inverse) for array in one.program.inputs}
    rest = [Fill(name, shape) for name, shape in others.items() if name not in ("q", "qd", "qdd", "tau")]
    tick = (
        Take("goals", "turn", "goal", 10),
        Run(law),
        Run(inverse.program),
        Run(forward.program),
        run_over(step),
        Record("q", "path", "turn"),
    )
    state = (Slot("q", (n,)), Slot("qd", (n,)))
    path = Slot("path", (600, n))
    stages = (*rest, Fill("path", path.shape), Repeat("ticks", tick, "turn"))
    routine = Routine("simulation", (*state, Slot("goals", (3, n)), Slot("ticks", ())), (*state, path), stages)
    return routine, forward.values | inverse.values, n


def starts(n: int, count: int, seed: int = 0) -> Arrays:
    draw = np.random.default_rng(seed)
    given = {name: draw.uniform(-1, 1, (count, n)) for name in ("q", "qd")}
    return given | {"goals": draw.uniform(-1, 1, (3, n)), "ticks": np.array(30.0)}


@pytest.fixture(scope="module")
def arm():
    routine, values, n = simulation(load("planar-2r"))
    return compile_program(routine, values=values), n


ALL = ("goals", "ticks")


@pytest.mark.parametrize("count", [W, W + 1, 2 * W - 1, 2 * W, 5 * W + 3])
def test_any_number_of_states(arm, count):
    f, n = arm
    batch = starts(n, 5 * W + 3)
    given = {name: array if name in ALL else array[:count] for name, array in batch.items()}
    facts = f._convention.code.facts
    arrays = [(given[one.array.name], one.array.name not in ALL) for one in facts.inputs]
    room = [np.full((count + 2, *one.array.shape), 7.0) for one in facts.outputs]
    lanes_of(f)(arrays, NONE, [array[1:-1] for array in room], 0, count)
    expected = one_by_one(f, given, ALL)
    for array, (name, wanted) in zip(room, expected.items(), strict=True):
        np.testing.assert_array_equal(array[1:-1], wanted, err_msg=name)
        assert (array[[0, -1]] == 7.0).all()  # nothing is written beside


@pytest.mark.parametrize("seed", [1, 2])
def test_random_robots(seed, monkeypatch):
    """Also however arrays lie, in threads, and with parameters of each rollout's own."""
    always(monkeypatch)
    routine, values, n = simulation(random_robot(np.random.default_rng(seed), 4, symbolic=True))
    f = compile_program(routine, values=values)
    batch = starts(n, 7 * W + 2, seed)
    expected = one_by_one(f, batch, ALL)
    same(f(**batch), expected)
    for threads in (2, 3, 50):
        same(f(**batch, threads=threads), expected, threads)
    same(f(**batch, layout="soa", threads=2), expected)
    across = {name: np.asfortranarray(array) if name not in ALL else array for name, array in batch.items()}
    same(f(**across), expected)
    out = {name: np.zeros_like(array) for name, array in expected.items()} | {
        name: batch[name].copy() for name in ("q", "qd")
    }
    same(f(**batch | {name: out[name] for name in ("q", "qd")}, out=out), expected)
    assert versions(f) == 1
    name = next(iter(routine.parameter_symbols)).name
    own = {name: np.linspace(0.9, 1.1, 7 * W + 2) * values[name]}
    same(f(**batch, parameters=own, threads=2), one_by_one(f, batch, ALL, parameters=own))
    assert versions(f, general=True) == 1


def test_a_rollout_is_that_of_its_model():
    """Under the torques of inverse dynamics the error of position obeys the law, whatever the robot: e'' = -10 e' - 25 e."""
    routine, values, n = simulation(random_robot(np.random.default_rng(3), 5))
    f = compile_program(routine, values=values)
    batch = starts(n, 130) | {"goals": np.zeros((3, n))}
    e, v = batch["q"], batch["qd"]
    for _ in range(30):
        e, v = e + H * v, v + H * (-25.0 * e - 10.0 * v)
    np.testing.assert_allclose(f(**batch)["q"], e, rtol=1e-7, atol=1e-9)
    assert versions(f) == 1


def test_threads_may_call_at_the_same_time(arm):
    f, n = arm
    batches = [starts(n, 200, seed) for seed in range(6)]
    expected = [f(**batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(lambda batch: f(**batch, threads=2), batches), expected, strict=True):
            same(found, wanted)


# --- which routines, and how many states --------------------------------------------------------------------------------


def test_which_routines_run_in_lanes():
    simulated, _, _ = simulation(load("planar-2r"))
    inverse = models.inverse_geometric(load("puma560")).code
    assert work(simulated, simulated.stages).in_lanes
    assert not work(inverse, inverse.stages).in_lanes
    square = program_of("square", {"x": (2, 2)}, lambda x: {"y": x @ x})
    x, y = Slot("x", (2, 2)), Slot("y", (2, 2))
    straight = Routine("r", (x,), (y,), (Run(square),))
    assert not work(straight, straight.stages).in_lanes
    loop = Repeat(20, (Run(square), Copy("y", "x")))
    assert work(straight, (loop,)).in_lanes
    assert work(straight, (loop, When("flag", (loop,)))).in_lanes  # some states do it once more
    assert not work(straight, (loop, When("flag", (Repeat(20, (loop,)),)))).in_lanes
    solved, found = Kernel("solve", ("x", "y"), ("z",)), Kernel("eigenvalues", ("x",), ("z",))
    assert work(straight, (Repeat(20, (*loop.stages, *[solved] * 4)),)).in_lanes
    assert not work(straight, (Repeat(20, (*loop.stages, *[found] * 4)),)).in_lanes


def test_few_states_of_long_simulations_and_more_of_short_ones():
    square = program_of("square", {"x": (2, 2)}, lambda x: {"y": x @ x})

    def few(times: int) -> int:
        x = Slot("x", (2, 2))
        return compile_program(
            Routine("r", (x,), (x,), (Repeat(times, (Run(square, {"y": "x"}),)),))
        )._convention.code._few()

    assert few(5) == routine_code.FEW
    assert few(PATIENCE) == W
    assert W < few(PATIENCE // 12 // 50) < routine_code.FEW


def test_groups_of_threads_are_whole():
    assert parts_of(21, 4, 3) == [0, 8, 16, 21]
    assert parts_of(4, 4, 1) == [0, 4]
    assert parts_of(9, 8, 2) == [0, 8, 9]
    for batch in range(1, 40):
        for parts in range(1, 1 + -(-batch // 4)):
            ends = parts_of(batch, 4, parts)
            assert ends[0] == 0
            assert ends[-1] == batch
            assert all(a < b and a % 4 == 0 for a, b in pairwise(ends))
