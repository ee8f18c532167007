"""What is found when a result is looked at: of the pose that was asked for, whatever the caller does meanwhile."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.solver.solvers import direct_of

import robosym
from robosym import RobosymError
from robosym.models import inverse_geometric, inverse_geometric_redundant
from robosym.models.inverse_geometry import InverseGeometric

STRAIGHT, BENT = [0.1, 0.2, 0.3, 0.4, 0.0, 0.6], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


@cache
def solver_of(method: str = "auto") -> InverseGeometric:
    return inverse_geometric(robosym.load("puma560"), method=method)


def poses(**others: Any) -> Any:
    """One that is ordinary, one with a straight wrist, one out of reach."""
    found = direct_of("puma560")(q=np.array([BENT, STRAIGHT, BENT]), **others)
    found[2, :3, 3] = [5, 0, 0]
    return found


@pytest.mark.slow
def test_arrays_and_parameters_may_be_used_again_before_it() -> None:
    solver, (ordinary, singular, far) = solver_of(), poses()
    T, parameters = singular.copy(), {"D3": 0.4318}
    found = solver(T, parameters=parameters)
    T[:] = ordinary
    assert found.free == ("wrist_roll",)
    T, wanted = far.copy(), solver(far).distance
    found = solver(T, parameters=parameters)
    T[:] = ordinary
    parameters["D3"] = 2.0
    assert wanted > 4
    assert found.distance == pytest.approx(wanted, abs=1e-12)
    Ts = poses()
    batch = solver.batch(Ts)
    Ts[:] = ordinary
    assert batch.free is not None
    assert batch.free[1].any(axis=0).tolist() == [False] * 3 + [True] + [False] * 2


def test_a_batch_with_parameters_of_its_own_for_each_pose() -> None:
    solver, lengths = solver_of(), [0.4, 0.45, 0.5]
    Ts = poses(parameters={"D3": lengths})
    found = solver.batch(Ts, parameters={"D3": lengths})
    assert found.status.tolist() == [1, 2, 0]
    assert found.free is not None
    assert found.free.any(axis=(1, 2)).tolist() == [False, True, False]


def test_one_pose_takes_one_number_for_a_parameter() -> None:
    several: Any = {"D3": [0.4, 0.5]}
    for method in ("auto", "general"):
        solver = solver_of(method)
        with pytest.raises(RobosymError, match=r"parameters, D3: got \[0.4, 0.5\], expected a number"):
            solver(poses()[0], parameters=several)
    with pytest.raises(RobosymError, match="expected a number: the general method takes one for all poses"):
        solver.batch(poses(), parameters={"D3": [0.4, 0.4, 0.5]})


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "general"])
def test_results_are_pickled_with_what_is_not_yet_found(method: str) -> None:
    solver, Ts = solver_of(method), poses()
    for T in Ts:
        found = solver(T)
        assert pickle.loads(pickle.dumps(found)).as_dict() == found.as_dict()
    batch = solver.batch(Ts)
    copy = pickle.loads(pickle.dumps(batch))
    assert copy.free is not None
    assert (copy.free == batch.free).all()


def test_a_numerical_result_out_of_reach_is_pickled() -> None:
    T = np.eye(4)
    T[:3, 3] = [5, 0, 0]
    found = inverse_geometric_redundant(robosym.load("panda"))(T)
    assert pickle.loads(pickle.dumps(found)).distance == found.distance > 3
