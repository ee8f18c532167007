"""``Model``: its code, values and documentation in one object, tried at any state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from generated.cases import arm

import robosym
from robosym import models
from robosym.expr import parameter, sin, sqrt, variable
from robosym.generated import Model
from robosym.program import Array, Program, ProgramError
from robosym.program.derived import Derived
from robosym.program.outputs import Outputs
from robosym.program.routine import Routine, Run, Slot
from robosym.robot.parts import PAYLOAD, Value

q1, q2, w = variable("q1"), variable("q2"), variable("w")
L, K, B = parameter("L"), parameter("K"), parameter("B")
TIP = Program(
    "tip",
    (Array("q", (2,), (q1, q2)), Array("wind", (1,), (w,))),
    (L, B),
    (),
    (),
    (Array("x", (), (L * sin(q1) + B * q2 + w,)),),
    ("x: said already", "a note"),
)


def model(**fields: Any) -> Model:
    derived = Derived({"B": K**2}, {"K": 3.0})
    given = {"values": {"L": 2.0, "B": 9.0}, "derived": derived, "optional": {"wind": ("one",)}, **fields}
    return Model("tip", arm(), TIP, **given)


def x_at(q: Any, L: float = 2.0, B: float = 9.0, wind: float = 0.0) -> Any:
    q = np.asarray(q, float)
    return L * np.sin(q[..., 0]) + B * q[..., 1] + wind


def test_a_state_or_states_of_any_shape() -> None:
    q = np.random.default_rng(0).uniform(-1, 1, (2, 3, 2))
    np.testing.assert_allclose(model().evaluate(q=q), x_at(q))
    assert model().evaluate(q=[0.3, 0.4]) == pytest.approx(x_at([0.3, 0.4]))
    np.testing.assert_allclose(model().evaluate(q=q, wind=[0.5]), x_at(q, wind=0.5))
    other = model(defaults={"wind": np.array([0.25])})
    assert other.evaluate(q=[0.3, 0.4]) == pytest.approx(x_at([0.3, 0.4], wind=0.25))


def test_parameters_and_what_follows_from_them() -> None:
    q = [0.3, 0.4]
    assert model().evaluate(q=q, parameters={"L": 5.0}) == pytest.approx(x_at(q, L=5.0))
    assert model().evaluate(q=q, parameters={"K": 2.0}) == pytest.approx(x_at(q, B=4.0))
    assert model().evaluate(q=q, parameters={"B": 1.0}) == pytest.approx(x_at(q, B=1.0))
    assert model(known=frozenset(("M",))).evaluate(q=q, parameters={"M": 1.0}) == pytest.approx(x_at(q))
    with pytest.raises(ProgramError, match="arm: tip takes no parameter 'M', 'N'"):
        model().evaluate(q=q, parameters={"M": 1.0, "N": 2.0, "L": 1.0})
    with pytest.raises(robosym.RobosymError, match=r"parameters: got .*, expected a mapping of texts to numbers"):
        model().evaluate(q=q, parameters=[1.0])  # type: ignore[arg-type]


def test_several_outputs_have_names() -> None:
    both = TIP.replace(outputs=(*TIP.outputs, Array("y", (2,), (q1, q2))))
    found = replace(model(), made=both).evaluate(q=[0.3, 0.4])
    assert type(found) is Outputs
    assert found.y.tolist() == [0.3, 0.4]


def test_programs_and_routines() -> None:
    made = []

    def routine() -> Routine:
        made.append(1)
        return Routine("r", (Slot("q", (2,)), Slot("wind", (1,))), (Slot("x", ()),), (Run(TIP),))

    late = model()
    late = replace(late, made=routine)
    assert not made
    assert late.routine is late.code
    assert late.routine is late.routine
    assert len(made) == 1
    assert late.evaluate(q=[0.3, 0.4]) == pytest.approx(x_at([0.3, 0.4]))
    with pytest.raises(ProgramError, match="it is no program but a routine"):
        late.program  # noqa: B018
    assert model().program is TIP
    with pytest.raises(ProgramError, match="it is no routine but a program"):
        model().routine  # noqa: B018
    assert model().operations == TIP.operations
    assert model().precompute_operations == TIP.precompute_operations


def test_numbers_for_all_parameters() -> None:
    assert model().numbers() == {"L": 2.0, "B": 9.0}
    with pytest.raises(ProgramError, match="arm: tip: no value for L, B: a model in numbers needs them all"):
        model(values={}).numbers()
    many = TIP.replace(parameter_symbols=tuple(parameter(f"P{k}") for k in range(13)))
    with pytest.raises(ProgramError, match=r"P9 and 3 more: "):
        replace(model(), made=many).numbers()
    in_numbers = model().with_values()
    assert in_numbers.parameter_symbols == ()
    assert in_numbers.call(q=[0.3, 0.4], wind=[0.0])["x"] == pytest.approx(x_at([0.3, 0.4]))
    assert [s.name for s in model().with_values(["B"]).parameter_symbols] == ["B"]


def test_values_of_payloads_stay_parameters() -> None:
    robot = arm(values={"L": 1.0}).replace(values={"L": Value(1.0), "K": Value(3.0, source=PAYLOAD)})
    loaded = replace(model(), robot=robot)
    assert loaded.late == {"K", "B"}  # B is made of it
    assert model().late == frozenset()
    assert "B" in loaded.source("python", numeric=True)
    assert " L" not in loaded.source("python", numeric=True)


def test_notes_that_documentation_says_too_are_left_out() -> None:
    known = models.gravity(robosym.load("planar-2r"))
    noted = replace(known, made=known.program.replace(notes=("Q: twice", "another")))
    assert noted.documented.notes == ("another",)
    assert noted.documented.documentation is noted.documentation
    assert model().documentation is None
    assert model().documented is TIP


def test_states_to_try_a_model_at() -> None:
    rng = np.random.default_rng(0)
    state = model().random_state(rng, reach=0.5)
    assert {name: x.shape for name, x in state.items()} == {"q": (2,), "wind": (1,)}
    drawn = np.array([model().random_state(rng, reach=0.5)["q"] for _ in range(30)])
    assert 0.4 < drawn.max() <= 0.5
    assert drawn.min() < -0.4
    assert set(model(defaults={"wind": np.zeros(1)}).random_state(rng)) == {"q"}
    near = model(centre={"q": np.array([5.0, 6.0]), "other": np.zeros(1)}).random_state(rng)
    assert np.abs(near["q"] - [5.0, 6.0]).max() <= 0.12
    assert "other" not in near

    def drawing(random: np.random.Generator, parameters: Any) -> dict[str, Any]:
        return {"q": np.array([parameters["L"], 0.0])}

    assert model(drawing=drawing).random_state(rng, parameters={"L": 7.0})["q"][0] == 7.0


def test_counts_as_data() -> None:
    data = models.gravity(robosym.load("planar-2r")).as_dict()
    assert (data["robot"], data["model"], data["parameters"]) == ("planar-2r", "gravity", "standard")
    assert data["operations"] == models.gravity(robosym.load("planar-2r")).operations.as_dict()
    assert data["documentation"]["arrays"]["Q"]
    assert model().as_dict()["documentation"] is None
    assert repr(model()).startswith("<tip of 'arm': ")


def test_compiled_as_evaluated() -> None:
    made = model()
    q = np.random.default_rng(1).uniform(-1, 1, (5, 2))
    found = made.compile()
    np.testing.assert_allclose(found(q=q), made.evaluate(q=q), rtol=1e-15)
    np.testing.assert_allclose(found(q=q, parameters={"K": 2.0}), made.evaluate(q=q, parameters={"K": 2.0}), rtol=1e-15)
    limited = model(derived=Derived({"B": sqrt(K)}, {"K": 4.0}))
    with pytest.raises(ProgramError, match="'B' has no value with K = -1"):
        limited.evaluate(q=[0.0, 0.0], parameters={"K": -1.0})
