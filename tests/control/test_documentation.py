"""Words of control laws: their arrays say what they are, here with entries and units."""

from __future__ import annotations

from typing import Any

import pytest
from generated.cases import arm, bare_model, floating

from robosym.control.documentation import ARRAYS, CONTROLLER, OBSERVER, as_told, told
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.units import (
    ACCELERATION,
    FORCE,
    POSITION,
    SPEED,
    coordinates,
    moving,
    of_joints,
    six,
    wrench,
)
from robosym.generated.documentation.words import WORDS as TABLE
from robosym.generated.documentation.words import words_of
from robosym.generated.model import Model
from robosym.program.documentation import Entry
from robosym.program.routine import Routine, Slot
from robosym.robot import Robot


def law(array: str, shape: tuple[int, ...], robot: Robot | None = None, **options: Any) -> Case:
    """A law with one array, which says that it is ``measured``."""
    slot = Slot(array, shape, "measured")
    routine = Routine("law", (slot,), (Slot("out", (), "made"),), ())
    return Case(Model(CONTROLLER, arm() if robot is None else robot, routine, options=options), array, shape)


def test_which_models_are_laws() -> None:
    for name in (CONTROLLER, OBSERVER):
        words = words_of(bare_model(name, arm()), name)
        assert words is not None
        assert words.arrays is ARRAYS
    assert {name for name, words in TABLE.items() if words.arrays is ARRAYS} == {CONTROLLER, OBSERVER}


def test_what_arrays_say_of_themselves() -> None:
    case = law("q", (3,))
    assert told(case) == "measured"
    assert told(Case(case.model, "out")) == "made"
    assert told(Case(case.model, "other")) == ""
    assert told(Case(bare_model("m", arm(), {"q": (3,)}), "q")) == ""
    one = as_told(case)
    assert one is not None
    assert (one.about, one.rows) == ("measured", ())
    assert as_told(Case(case.model, "other")) is None


@pytest.mark.parametrize(
    ("array", "kind", "more"),
    [
        ("q", POSITION, ""),
        ("q_before", POSITION, ""),
        ("qd", SPEED, ""),
        ("qd_before", SPEED, ""),
        ("q_d", POSITION, ""),
        ("qd_d", SPEED, ""),
        ("qdd_d", ACCELERATION, ""),
        ("tau", FORCE, ""),
        ("tau_before", FORCE, ""),
        ("disturbance", FORCE, ""),
        ("beta_before", FORCE, ""),
        ("p_before", FORCE, " s"),
        ("integral", POSITION, " s"),
    ],
)
def test_entries_of_joints(array: str, kind: str, more: str) -> None:
    one = ARRAYS[array](law(array, (3,)))
    assert one.rows == tuple(Entry(x.name, x.unit + more) for x in of_joints(arm(), kind))
    assert one.about.startswith("measured")
    assert "base" not in one.about
    assert ARRAYS[array](law(array, (3,), floating())) == one  # of the joints alone


def test_a_free_base_comes_first() -> None:
    robot = floating()
    assert ARRAYS["q"](law("q", (10,), robot)).rows == coordinates(robot)
    assert (
        "(pose of frame trunk in the world: x y z and a unit quaternion)" in ARRAYS["q"](law("q", (10,), robot)).about
    )
    assert (
        "(of the base linear then angular, in the axes of its own frame" in ARRAYS["qd"](law("qd", (9,), robot)).about
    )
    assert ARRAYS["tau"](law("tau", (9,), robot)).rows == moving(robot, FORCE)
    assert ARRAYS["tau"](law("tau", (9,), robot)).about.startswith(
        "measured: torques and forces; force and moment on the base"
    )
    assert ARRAYS["tau"](law("tau", (3,), robot)).about == "measured: torques and forces"


def test_tasks() -> None:
    integral = ARRAYS["integral"](law("integral", (2,), task=("wz", "vx")))
    assert [tuple(one) for one in integral.rows] == [("wz", "rad s"), ("vx", "m s")]
    assert ARRAYS["T_d"](law("T_d", (4, 4))).about.startswith("measured, as a homogeneous matrix")
    assert ARRAYS["V_d"](law("V_d", (6,))).rows == six(SPEED)
    assert ARRAYS["A_d"](law("A_d", (6,))).rows == six(ACCELERATION)
    assert ARRAYS["F"](law("F", (6,))).rows == wrench()


def test_entries_without_units() -> None:
    assert [tuple(one) for one in ARRAYS["started"](law("started", (3,))).rows] == [
        ("hip", ""),
        ("knee", ""),
        ("slide", ""),
    ]
    for array in ("chi", "chi_moved"):
        assert [tuple(one) for one in ARRAYS[array](law(array, (2,), columns=("ZZ1", "M2"))).rows] == [
            ("ZZ1", ""),
            ("M2", ""),
        ]
        assert ARRAYS[array](law(array, (2,))).rows == ()


def test_the_sentence_names_the_law_and_its_frame() -> None:
    plain = TABLE[CONTROLLER].sentence(law("q", (3,), law="pid"))
    assert plain.startswith("Control law pid: torques from")
    framed = TABLE[CONTROLLER].sentence(law("q", (3,), law="impedance", frame=3))
    assert framed.startswith("Control law impedance of frame foot (the tip): torques from")
    assert "momentum" in TABLE[OBSERVER].sentence(law("q", (3,)))
