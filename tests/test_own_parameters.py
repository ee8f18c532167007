"""Parameters given to a model: the robot's own are known, used or not; a name of nobody's is an error."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from robosym import load, models
from robosym.errors import RobosymError

Q = np.full(6, 0.3)


@pytest.fixture(scope="module")
def gravity():
    return models.gravity(load("rx90"))


def test_one_that_the_model_does_not_use_changes_nothing(gravity):
    assert "XX6" not in {symbol.name for symbol in gravity.program.parameter_symbols}
    f = gravity.compile()
    for g in (f, gravity.compile(numeric=False), pickle.loads(pickle.dumps(f)), gravity.evaluate):
        np.testing.assert_allclose(g(q=Q, parameters={"XX6": 5.0}), f(q=Q), rtol=1e-13)
        np.testing.assert_allclose(
            g(q=Q, parameters={"XX6": 5.0, "MX2": 3.0}), f(q=Q, parameters={"MX2": 3.0}), rtol=1e-13
        )
    np.testing.assert_array_equal(f.bind(q=Q, parameters={"XX6": 5.0})(), f(q=Q, parameters={}))


def test_it_still_says_how_many_states_there_are(gravity):
    f = gravity.compile()
    found = f(q=Q, parameters={"XX6": np.arange(3.0)})
    np.testing.assert_array_equal(found, np.tile(f(q=Q, parameters={}), (3, 1)))
    with pytest.raises(RobosymError, match="the batch sizes differ"):
        f(q=np.zeros((2, 6)), parameters={"XX6": np.arange(3.0)})


def test_a_model_without_parameters_knows_the_robots():
    model = models.transform(load("rx90"), frame=1)
    assert not model.program.parameter_symbols
    f = model.compile()
    np.testing.assert_array_equal(f(q=Q, parameters={"D3": 0.5}), f(q=Q))
    assert f(q=Q, parameters={"D3": np.ones(4)}).shape == (4, 4, 4)


@pytest.mark.parametrize("model", ["gravity", "transform", "inertia_matrix"])
def test_a_name_of_nobodys_is_an_error(model):
    built = getattr(models, model)(load("rx90"))
    with pytest.raises(RobosymError, match="unknown parameter 'XX66'"):
        built.compile()(q=Q, parameters={"XX66": 5.0})
    with pytest.raises(RobosymError, match=r"rx90: .* takes no parameter 'XX66'"):
        built.evaluate(q=Q, parameters={"XX66": 5.0})


@pytest.mark.parametrize("value", ["5", 1j, None, np.ma.masked])
def test_what_is_not_used_is_a_number_all_the_same(gravity, value):
    with pytest.raises(RobosymError, match="parameter 'XX6'"):
        gravity.compile()(q=Q, parameters={"XX6": value})


def test_base_parameters_know_what_they_are_made_of():
    model = models.inverse_dynamics(load("rx90"), parameters="base")
    f = model.compile()
    given = {"q": Q, "qd": Q, "qdd": Q}
    assert np.abs(f(**given, parameters={"MX3": 30.0}) - f(**given)).max() > 1
    for name in load("rx90").values:
        assert np.isfinite(f(**given, parameters={name: 1.0})).all()


def test_inverse_geometry_checks_what_it_is_given():
    solver = models.inverse_geometric(load("rx90"))
    T = models.transform(load("rx90")).compile()(q=Q)
    assert solver(T, parameters={"XX6": 1.0}).status == "reachable"
    for value in ("1", np.nan, 1j):
        with pytest.raises(RobosymError, match=r"parameters, XX6: got .*, expected a number"):
            solver(T, parameters={"XX6": value})
