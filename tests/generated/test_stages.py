"""A model as stages of a larger routine: what the larger one gives is what the model gives by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from generated.cases import arm

from robosym.expr import sin, variable
from robosym.generated import Model
from robosym.generated.stages import stages_of
from robosym.program import Array, Program
from robosym.program.routine import Copy, Fill, Repeat, Routine, Run, Slot, verified_routine

q, d, w = variable("q1"), variable("d"), tuple(variable(f"w{k}") for k in range(2))
CODE = Program(
    "p",
    (Array("q", (), (q,)), Array("w", (2,), w), Array("seed", (), (d,))),
    (),
    (),
    (),
    (Array("y", (), (sin(q) + w[0] - 2 * w[1] + 3 * d,)),),
)


def model(**fields: object) -> Model:
    return Model("p", arm(), CODE, optional={"w": ("a", "b")}, defaults={"seed": np.array(0.5)}, **fields)  # type: ignore[arg-type]


def called(stages: tuple, inputs: tuple[Slot, ...], output: str, **given: object) -> float:
    routine = verified_routine(Routine("whole", inputs, (Slot(output, ()),), stages))
    return float(routine.call(**given)[output])


@pytest.mark.parametrize("as_routine", [False, True])
def test_inputs_that_may_be_left_out_are_what_they_are_by_default(as_routine: bool) -> None:
    one = model()
    if as_routine:
        slots = (Slot("q", ()), Slot("w", (2,)), Slot("seed", ()))
        stages = (Fill("last", (), 7.0), Repeat(2, (Run(CODE, {"y": "made"}), Copy("made", "y"))))
        one = replace(one, made=Routine("r", slots, (Slot("y", ()),), stages))
    stages = stages_of(one, "m", {"q": "angle", "y": "result"})
    assert called(stages, (Slot("angle", ()),), "result", angle=0.3) == pytest.approx(np.sin(0.3) + 1.5)
    stages = stages_of(one, "m", {"q": "angle", "y": "result", "w": "wind"})
    inputs = (Slot("angle", ()), Slot("wind", (2,)))
    assert called(stages, inputs, "result", angle=0.3, wind=[1.0, 2.0]) == pytest.approx(np.sin(0.3) - 1.5)


def test_other_arrays_have_the_label_before_their_name() -> None:
    stages = stages_of(model(), "arm", {"q": "angle"})
    assert called(stages, (Slot("angle", ()),), "arm_y", angle=0.3) == pytest.approx(np.sin(0.3) + 1.5)
    (fill,) = [stage for stage in stages if isinstance(stage, Fill)]
    assert fill == Fill("arm_w", (2,))
    twice = (*stages, *stages_of(model(), "leg", {"q": "arm_y", "w": "arm_w"}))
    expected = np.sin(np.sin(0.3) + 1.5) + 1.5
    assert called(twice, (Slot("angle", ()),), "leg_y", angle=0.3) == pytest.approx(expected)


def test_matrices_by_default() -> None:
    entries = tuple(variable(f"e{k}") for k in range(4))
    code = Program("p", (Array("A", (2, 2), entries),), (), (), (), (Array("y", (), (entries[1] - 2 * entries[2],)),))
    one = Model("p", arm(), code, defaults={"A": np.array([[1.0, 2.0], [3.0, 4.0]])})
    assert called(stages_of(one, "m"), (), "m_y") == -4.0
