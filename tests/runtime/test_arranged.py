"""States in any arrangement: leading axes broadcast as in NumPy, and each state is what it is alone."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import PARAMETERS, random_routine, random_states
from runtime.lanes import always

from robosym import load, models
from robosym.program import ProgramError
from robosym.runtime import CallError, compile_program, python_call

SHAPES = [
    ((3, 4), (3, 4)),
    ((3, 1), (4,)),
    ((3, 4), ()),
    ((), (2, 1, 2)),
    ((1,), (5,)),
    ((0,), ()),
    ((2, 0), (1, 1)),
    ((4, 0), ()),
    ((200, 2), (2,)),
]


def states(shapes, sizes=(6, 6), seed=0):
    draw = np.random.default_rng(seed)
    return [draw.uniform(-1, 1, (*shape, size)) for shape, size in zip(shapes, sizes, strict=True)]


def one_by_one(call, q, qd):
    """What a call gives at every state, by NumPy's own broadcasting."""
    whole = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    Q, V = (np.broadcast_to(x, (*whole, x.shape[-1])) for x in (q, qd))
    return whole, {place: call(q=Q[place], qd=V[place]) for place in np.ndindex(*whole)}


@pytest.fixture(scope="module")
def energy():
    return models.energy(load("rx90"))


@pytest.mark.mostly_slow(fast=18)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"layout": "soa"}, {"out": True}], ids=str)
def test_as_one_by_one(energy, shapes, options):
    f = energy.compile()
    q, qd = states(shapes)
    whole, expected = one_by_one(f, q, qd)
    if options.get("out"):
        options = {"out": {name: np.empty((*whole, *shape)) for name, shape in f.outputs.items()}}
    found = f(q=q, qd=qd, **options)
    for name, array in found.items():
        assert array.shape == (*whole, 1)
        if "out" in options:
            assert array is options["out"][name]
        for place, one in expected.items():
            np.testing.assert_array_equal(array[place], one[name])


@pytest.mark.parametrize("turned", ["F", "sliced", "reversed", "float32", "lists", "broadcast"])
def test_however_they_are_given(energy, turned):
    f = energy.compile()
    q, qd = np.round(states([(3, 4), (4,)])[0] * 64) / 64, np.ones((4, 6))
    expected = f(q=q, qd=qd)
    match turned:
        case "F":
            given = np.asfortranarray(q)
        case "sliced":
            given = np.repeat(q, 2, axis=1)[:, ::2]
        case "reversed":
            given = np.ascontiguousarray(q[::-1, :, ::-1])[::-1, :, ::-1]
        case "float32":
            given = q.astype(np.float32)
        case "lists":
            given = q.tolist()
        case _:
            given, expected = np.broadcast_to(q[0], (3, 4, 6)), f(q=q[0], qd=qd)
            expected = {name: np.broadcast_to(array, (3, *array.shape)) for name, array in expected.items()}
    for name, array in f(q=given, qd=qd.astype(int)).items():
        np.testing.assert_array_equal(array, expected[name])


def test_without_direct_calls(energy, monkeypatch):
    monkeypatch.setattr(python_call, "available", lambda: False)
    f = energy.compile()
    q, qd = states([(3, 1), (4,)])
    _whole, expected = one_by_one(f, q, qd)
    for place, one in expected.items():
        np.testing.assert_array_equal(f(q=q, qd=qd).total[place], one.total)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("options", [{}, {"threads": 2}], ids=str)
def test_routines(options):
    solver = models.inverse_geometric(load("scara"))
    f = solver.compile()
    draw = np.random.default_rng(0)
    T = np.array([solver.random_state(draw)["T"] for _ in range(150)]).reshape(3, 50, 4, 4)
    seed = draw.uniform(-1, 1, (3, 1, 4))
    found = f(T=T, seed=seed, seeded=1.0, **options)
    for i, j in ((0, 0), (2, 49), (1, 7)):
        for name, array in f(T=T[i, j], seed=seed[i, 0], seeded=1.0).items():
            np.testing.assert_allclose(found[name][i, j], array, rtol=1e-15, atol=1e-15)


def test_routines_in_lanes(monkeypatch):
    """A routine as a whole in vectors."""
    always(monkeypatch)
    routine = random_routine(3)
    f = compile_program(routine, known=PARAMETERS)
    many = random_states(3) * 20
    state = {name: np.stack([one[name] for one in many]) for name in many[0]}
    flat = f(**state, parameters=PARAMETERS)
    lying = {name: array.reshape(4, -1, *array.shape[1:]) for name, array in state.items()}
    found = f(**lying, parameters=PARAMETERS)
    for name, array in flat.items():
        np.testing.assert_array_equal(found[name].reshape(array.shape), array)


def test_parameters_broadcast_with_the_states():
    f = models.gravity(load("rx90")).compile()
    (q,) = states([(4,)], (6,))
    masses, lengths = np.array([[8.0], [9.0], [10.0]]), np.array([0.4, 0.45, 0.5, 0.55])
    found = f(q=q, parameters={"M3": masses, "D3": lengths})
    assert found.shape == (3, 4, 6)
    for i, j in np.ndindex(3, 4):
        alone = f(q=q[j], parameters={"M3": masses[i, 0], "D3": lengths[j]})
        np.testing.assert_array_equal(found[i, j], alone)
    assert f(q=q[0], parameters={"M3": masses, "D3": lengths}).shape == (3, 4, 6)
    row = np.array([f.values[symbol.name] for symbol in f.program.parameter_symbols])
    rows = np.tile(row, (3, 1, 1)) * np.array([1.0, 2.0, 3.0])[:, None, None]
    assert f(q=q, parameters=rows).shape == (3, 4, 6)
    np.testing.assert_array_equal(f(q=q, parameters=rows)[2, 1], f(q=q[1], parameters=3 * row))


def test_sets_in_another_arrangement_of_as_many_are_refused():
    f = models.gravity(load("rx90")).compile()
    (q,) = states([(12,)], (6,))
    with pytest.raises(CallError, match=r"the batch sizes do not broadcast: q \(12,\), parameters \(3, 4\)"):
        f(q=q, parameters={"M3": np.full((3, 4), 8.0)})


def test_rows_by_name_broadcast():
    f = models.inverse_dynamics(load("rx90")).compile()
    draw = np.random.default_rng(1)
    state = {name: draw.uniform(-1, 1, (3, 1, 6)) for name in ("q", "qd", "qdd")}
    forces = draw.uniform(-1, 1, (4, 6))
    found = f(**state, wrench={"link6": forces})
    assert found.shape == (3, 4, 6)
    alone = f(**{name: array[2, 0] for name, array in state.items()}, wrench={"link6": forces[3]})
    np.testing.assert_array_equal(found[2, 3], alone)


@pytest.mark.parametrize("how", ["compiled", "interpreted"])
def test_what_does_not_fit_is_named(energy, how):
    call = energy.compile() if how == "compiled" else energy.evaluate
    with pytest.raises(ProgramError if how == "interpreted" else CallError, match=r"input 'qd' has shape \(3, 4, 5\)"):
        call(q=np.zeros((3, 4, 6)), qd=np.zeros((3, 4, 5)))
    with pytest.raises((ProgramError, CallError), match=r"expected \(6,\) or \(batch, 6\)"):
        call(q=np.zeros((3, 4, 6)), qd=np.zeros(3))
    with pytest.raises((ProgramError, CallError), match=r"do not broadcast: q \(3, 4\), qd \(3,\)"):
        call(q=np.zeros((3, 4, 6)), qd=np.zeros((3, 6)))


def test_out_of_another_shape_is_refused(energy):
    out = {name: np.empty((12, 1)) for name in ("kinetic", "potential", "total")}
    with pytest.raises(CallError, match=r"'kinetic' must be an array of float64 of shape \(3, 4, 1\)"):
        energy.compile()(q=np.zeros((3, 4, 6)), qd=np.zeros(6), out=out)


@pytest.mark.parametrize("shapes", [((2, 1), (3,)), ((0,), ()), ((1,), (2,)), ((), ())], ids=str)
def test_interpretation(energy, shapes):
    q, qd = states(shapes)
    whole, expected = one_by_one(energy.evaluate, q, qd)
    found = energy.evaluate(q=q, qd=qd)
    assert found._fields == ("kinetic", "potential", "total")
    for name, array in found.items():
        assert array.shape == (*whole, 1)
        for place, one in expected.items():
            np.testing.assert_array_equal(array[place], one[name])


def test_forward_geometry():
    transform = models.transform(load("rx90"))
    (q,) = states([(2, 3)], (6,))
    found = transform.compile()(q=q)
    assert found.shape == (2, 3, 4, 4)
    np.testing.assert_allclose(found, transform.evaluate(q=q), atol=1e-14)
