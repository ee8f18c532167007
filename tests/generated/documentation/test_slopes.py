"""Derivatives of arrays, from the words of what is differentiated."""

from __future__ import annotations

from generated.cases import arm, bare_model, case_of, floating

import robosym
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.slopes import slope
from robosym.generated.documentation.units import POSITION, SPEED, moving, of_joints, six
from robosym.program.documentation import Described, Entry

A, B = Entry("a", "N"), Entry("b", "N m")
KNOWN = {
    "tau": Described("torques", (A, B)),
    "M": Described("a matrix", (A, B), (A,)),
    "e": Described("energy", unit="J"),
    "x_d": Described("a vector", (A, B)),
    "qd": Described("speeds", of_joints(arm(), SPEED)),
    "mass": Described("masses", (Entry("m1", "kg"),)),
    "one_d": Described("one", (A,)),
}


def known(case: Case) -> Described | None:
    return KNOWN.get(case.array)


def found(array: str, shape: tuple[int, ...], name: str = "model-by-q", **fields: object) -> Described | None:
    inputs = {"q": (3,), "qd": (3,), "pose": (7,), "x_d": (2,), "M": (2, 1)}
    fields = {"robot": arm(), **fields}
    robot = fields.pop("robot")
    return slope(Case(bare_model(name, robot, inputs, **fields), array, shape), known)  # type: ignore[arg-type]


def test_rows_by_columns() -> None:
    one = found("dtau_dq", (2, 3))
    assert one == Described("derivatives by q of: torques", (A, B), of_joints(arm(), POSITION))
    speeds = found("dtau_dqd", (2, 3), "model-by-q-by-qd")
    assert speeds == Described("derivatives by qd of: torques", (A, B), of_joints(arm(), SPEED))
    free = found("dtau_dq", (2, 9), robot=floating())
    assert free is not None
    assert free.columns == moving(floating(), POSITION)
    poses = found("dtau_dpose", (2, 6), "model-by-pose")
    assert poses is not None
    assert poses.columns == six(POSITION, ("along x", "along y", "along z", "about x", "about y", "about z"))


def test_names_with_underscores_are_taken_apart_where_both_parts_are_known() -> None:
    assert found("dx_d_dq", (2, 3)) == Described("derivatives by q of: a vector", (A, B), of_joints(arm(), POSITION))
    assert found("dtau_dx_d", (2, 2), "model-by-x_d") == Described("derivatives by x_d of: torques", (A, B), (A, B))
    assert found("dunknown_dq", (2, 3)) is None
    assert found("tau_dq", (2, 3)) is None
    assert found("dtau_dqd", (2, 3)) is None  # it was not differentiated by that
    assert found("dtau_dqd", (2, 3), "model-by-q-qd") is not None


def test_matrices_and_numbers_say_their_units_in_words() -> None:
    matrix = found("dM_dq", (2, 1, 3))
    assert matrix == Described(
        "derivatives by q of: a matrix, in the unit of that per unit of q; the last index: hip (rad), knee (rad), slide (m)"
    )
    energy = found("de_dq", (3,))
    assert energy is not None
    assert energy.about.startswith("derivatives by q of: energy, in J per unit of q; the last index: hip (rad)")
    by_matrix = found("dtau_dM", (2, 2, 1), "model-by-M")
    assert by_matrix == Described("derivatives by M of: torques, in the unit of that per unit of M")
    misfit = found("dtau_dq", (4, 3))  # of another length than is known
    assert misfit is not None
    assert misfit.rows == ()


def test_parameters() -> None:
    robot = arm(values={"L": {"value": 1.0, "unit": "m"}})
    options = {"by": ["q", "L", "K"]}
    several = found("dtau_dparameters", (2, 2), "model-by-parameters", robot=robot, options=options)
    assert several == Described("derivatives by parameters of: torques", (A, B), (Entry("L", "m"), Entry("K")))
    single = found("dtau_dparameters", (2, 1), "model-by-parameters", robot=robot, options={"by": "L"})
    assert single == Described("derivatives by parameters of: torques", (A, B), (Entry("L", "m"),))
    alone = found("dtau_dL", (2,), "model-by-L", robot=robot)
    assert alone == Described("derivatives by L of: torques, in the units of these per unit of L", (A, B))
    number = found("de_dL", (), "model-by-L", robot=robot)
    assert number == Described("derivatives by L of: energy, in J per unit of L")


def test_platforms_have_the_words_of_their_own_positions() -> None:
    robot = robosym.load("planar-3rrr")
    one = found("dtau_dq", (2, 3), robot=robot)
    assert one is not None
    assert one.rows == ()  # nothing is known of q here
    assert slope(case_of("dtau_dq", (2, 3), name="model"), known) is None
