"""Words of dynamic models: which rows, columns and units each of their arrays has."""

from __future__ import annotations

from typing import Any

import pytest
from generated.cases import arm, bare_model, case_of, declared, floating

import robosym
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.units import ACCELERATION, FORCE, POSITION, SPEED, moving, of_joints, six, wrench
from robosym.models.derivatives.linearised import IN_TIME
from robosym.models.inertial_parameters.base_parameters import _columns as base_parameters
from robosym.models.regressors.regressor import entries_in_words as regressor
from robosym.models.regressors.regressor import model_in_words as identified
from robosym.program.documentation import Described, Entry

TABLE = declared("dynamic", "identification", "kinematic")
KINDS = {"q": POSITION, "qd": SPEED, "qdd": ACCELERATION, "tau": FORCE}
JOINTS = {kind: of_joints(arm(), kind) for kind in KINDS.values()}


def words(name: str, array: str, shape: tuple[int, ...] = (), **options: Any) -> Described:
    return TABLE[name].arrays[array](case_of(array, shape, **options))


@pytest.mark.parametrize("robot", [arm(), floating()])
@pytest.mark.parametrize(
    ("name", "array", "rows", "columns"),
    [
        ("inertia-matrix", "A", "tau", "qdd"),
        ("inverse-dynamics-derivatives", "A", "tau", "qdd"),
        ("inverse-dynamics-derivatives", "dtau_dq", "tau", "q"),
        ("inverse-dynamics-derivatives", "dtau_dqd", "tau", "qd"),
        ("forward-dynamics-derivatives", "dqdd_dq", "qdd", "q"),
        ("forward-dynamics-derivatives", "dqdd_dqd", "qdd", "qd"),
        ("forward-dynamics-derivatives", "dqdd_dtau", "qdd", "tau"),
        ("coriolis", "coriolis_matrix", "tau", "qd"),
        ("lagrange", "A", "tau", "qdd"),
        ("expanded", "M", "tau", "qdd"),
        ("lagrange", "Q", "tau", ""),
        ("bias", "H", "tau", ""),
        ("gravity", "Q", "tau", ""),
        ("hybrid-dynamics", "qdd_all", "qdd", ""),
        ("hybrid-dynamics", "tau_all", "tau", ""),
        ("passive-dynamics", "v", "qd", ""),
        ("passive-dynamics", "a", "qdd", ""),
        ("passive-regressor", "v", "qd", ""),
        ("flexible-joint-forward-dynamics", "tau", "tau", ""),
    ],
)
def test_rows_and_columns(name: str, array: str, rows: str, columns: str, robot: Any) -> None:
    one = words(name, array, (robot.nv,) * (2 if columns else 1), robot=robot)
    assert one.rows == moving(robot, KINDS[rows])
    assert one.columns == (moving(robot, KINDS[columns]) if columns else ())


def test_products_and_squares_of_speeds() -> None:
    for array in ("coriolis_coefficients", "B"):
        one = words("lagrange", array)
        assert [entry.name for entry in one.columns] == ["hip knee", "hip slide", "knee slide"]
        assert one.rows == JOINTS[FORCE]
        assert one.about.endswith("half of the coefficient") == (array == "B")
    for array in ("centrifugal_coefficients", "C"):
        assert [entry.name for entry in words("expanded", array).columns] == [
            "hip squared",
            "knee squared",
            "slide squared",
        ]
    assert "tau = M qdd + 2 B" in TABLE["lagrange"].sentence(case_of(form="robmat"))
    assert "tau = A qdd + coriolis_coefficients" in TABLE["lagrange"].sentence(case_of())


def test_reactions_of_all_moving_links() -> None:
    force, moment = (words("inverse-dynamics", array, (3, 3)) for array in "fm")
    assert [entry.name for entry in force.rows] == ["upper", "lower", "foot"]
    assert [entry.name for entry in force.columns] == ["x", "y", "z"]
    assert (force.unit, moment.unit) == ("N", "N m")
    assert force.about.startswith("force through")
    assert moment.about.startswith("moment (about the origin of the frame) through")
    assert words("inverse-dynamics", "f", (4, 3)).rows == ()
    loop = robosym.load("four-bar")
    assert len(words("inverse-dynamics", "f", (3, 3), robot=loop).rows) == 3  # the cut joint holds no link


def test_energy_motors_and_free_bases() -> None:
    for array in ("kinetic", "potential", "total"):
        assert words("energy", array).unit == "J"
    assert words("motor-torques", "J") == Described("q = J q_m", JOINTS[POSITION], JOINTS[POSITION])
    assert words("transmission", "J_inverse").about == "q_m = J_inverse q"
    for array, kind in (("q_m", POSITION), ("qd_m", SPEED), ("tau_m", FORCE)):
        assert words("transmission", array).rows == JOINTS[kind]
    assert "from those of the motors" in TABLE["transmission"].sentence(case_of())
    assert "from those of the joints" in TABLE["transmission"].sentence(case_of(given="joints"))
    assert words("base-acceleration", "qdd_base").rows == six(ACCELERATION, before="base ")
    assert words("base-acceleration", "qdd_base").about.startswith("rates of the velocities")
    assert words("base-acceleration", "qdd_base", kind="classical").about.startswith("classical acceleration")
    assert words("base-acceleration", "base_wrench").rows == wrench("base ")


def test_hybrid_dynamics_names_what_is_given() -> None:
    about = TABLE["hybrid-dynamics"].sentence
    assert about(case_of(free=["hip"], given=["knee", "slide"])).endswith(
        "torques are given of hip; accelerations of knee, slide"
    )
    assert about(case_of(free=[], given=None)).endswith("torques are given of none; accelerations of none")


# --- regressors --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "unit"),
    [
        ("D", "N m or N"),
        ("Y", "N m or N"),
        ("D1", "N m s or N s"),
        ("D2", "N m or N"),
        ("h", "J"),
        ("loss", "W"),
        ("P", "W"),
    ],
)
def test_regressors(array: str, unit: str) -> None:
    one = regressor(case_of(array, (5,)))
    assert one.about.endswith(f"; {unit} of the row per unit of the parameter")
    assert array in one.about
    assert one.rows == ()


def test_identification_models_name_their_columns() -> None:
    model = bare_model("regressor", arm(), parameter_set="base")
    object.__setattr__(model, "columns", ("ZZ1", "MX2"))
    assert identified(Case(model)) == "Identification model (dynamic), linear in the base parameters K: ZZ1, MX2"
    for kind, word in (
        ("filtered", "filtered, without accelerations"),
        ("energy", "of energy"),
        ("power", "of power"),
        ("x", "dynamic"),
    ):
        assert identified(case_of(model=kind)).startswith(f"Identification model ({word}), linear in the standard")
    assert [one.name for one in base_parameters(case_of(names=["ZZ1R", "M2"])).rows] == ["ZZ1R", "M2"]
    assert base_parameters(case_of()).rows == ()


# --- in time -----------------------------------------------------------------------------------------------------------------

STATE = [
    ("d hip", "rad"),
    ("d knee", "rad"),
    ("d slide", "m"),
    ("d speed hip", "rad/s"),
    ("d speed knee", "rad/s"),
    ("d speed slide", "m/s"),
]


def test_state_matrices() -> None:
    for array in ("A", "Ad"):
        assert [tuple(one) for one in IN_TIME[array](case_of(array)).columns] == STATE
    for array in ("B", "Bd"):
        assert IN_TIME[array](case_of(array)).columns == JOINTS[FORCE]
    for array in ("Ad", "Bd"):
        assert [tuple(one) for one in IN_TIME[array](case_of(array)).rows] == STATE
        assert IN_TIME[array](case_of(array)).about.startswith("x-next = Ad x + Bd u")
    for array in ("A", "B"):
        rows = IN_TIME[array](case_of(array)).rows
        assert [one.name for one in rows] == [f"rate of {name}" for name, _ in STATE]
        assert [one.unit for one in rows] == ["rad/s", "rad/s", "m/s", "rad/s2", "rad/s2", "m/s2"]
        assert IN_TIME[array](case_of(array)).about.startswith("x-rate = A x + B u")
    assert [tuple(one) for one in IN_TIME["dx"](case_of("dx")).rows] == STATE


def test_rates_of_the_state() -> None:
    plain = IN_TIME["xd"](case_of("xd")).rows
    assert plain == (*JOINTS[SPEED], *(Entry(f"rate of speed {name}", unit) for name, unit in JOINTS[ACCELERATION]))
    flexible = IN_TIME["xd"](case_of("xd", inputs={"q_motor": (3,)})).rows
    assert len(flexible) == 12
    assert flexible[3:6] == tuple(Entry(f"motor of {name}", unit) for name, unit in JOINTS[SPEED])
    assert flexible[9:] == tuple(Entry(f"rate of speed motor of {name}", unit) for name, unit in JOINTS[ACCELERATION])


def with_outputs(array: str, names: list[str], **options: Any) -> Case:
    return Case(bare_model("linearised", arm(), options={"outputs": names, "axes": "local", **options}), array)


def test_outputs_of_linear_models() -> None:
    names = [
        *["pose"] * 6,
        *["velocity"] * 6,
        *["acceleration"] * 6,
        *["centre-of-mass"] * 3,
        "energy",
        "kinetic",
        "potential",
        *["other"] * 2,
        *["velocity "] * 3,
    ]
    one = IN_TIME["C"](with_outputs("C", names, frame=1))
    assert [tuple(entry) for entry in one.columns] == STATE
    rows = [tuple(entry) for entry in one.rows]
    assert rows[:6] == [
        (f"pose v{a}" if k < 3 else f"pose w{a}", "m" if k < 3 else "rad") for k, a in enumerate("xyzxyz")
    ]
    assert rows[6] == ("velocity vx", "m/s")
    assert rows[17] == ("acceleration wz", "rad/s2")
    assert rows[18:21] == [(f"centre-of-mass {a}", "m") for a in "xyz"]
    assert rows[21:24] == [("energy", "J"), ("kinetic", "J"), ("potential", "J")]
    assert rows[24:] == [("other 1", ""), ("other 2", ""), *((f"velocity  {k}", "") for k in (1, 2, 3))]
    assert "of frame upper" in one.about
    without = IN_TIME["D"](with_outputs("D", ["energy"]))
    assert without.columns == JOINTS[FORCE]
    assert without.about.endswith("small deviations of the outputs")


def test_one_step_of_time() -> None:
    for array, kind in (("q_next", POSITION), ("qd_next", SPEED), ("q_motor_next", POSITION), ("qd_motor_next", SPEED)):
        one = IN_TIME[array](case_of(array, (3,)))
        assert one.rows == JOINTS[kind]
        assert one.about.startswith(f"after dt: {kind}s of the")
    about = TABLE["step"].sentence
    assert about(case_of(integrator="rk4", substeps=1)).endswith("by rk4 in 1 step")
    assert about(case_of(integrator="euler", substeps=3)).endswith("by euler in 3 steps")


@pytest.mark.parametrize("name", declared("dynamic", "identification"))
def test_every_model_has_a_sentence(name: str) -> None:
    about = TABLE[name].sentence(case_of())
    assert about[0].isupper() or about.startswith("tau")
    assert about.endswith("...") or not about.endswith(".")
