"""A recipe is checked in full: every problem at once, with its key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym.identification.data.joint_side import J_of, joint_side
from robosym.identification.data.recipe import Data, Recipe, RecipeError, Signal, Torque, Transmission
from robosym.identification.data.recording import Recording

TEXT = """
robot = "planar-2r"
[data]
files = ["a.csv"]
rate = 1000
[position]
columns = ["q1", "q2"]
offset = ["-pi/2", "30 deg"]
[torque]
columns = "tau{1..2}"
"""


def read(tmp_path: Path, text: str = TEXT, more: str = "") -> Recipe:
    path = tmp_path / "recipe.toml"
    path.write_text(text + more)
    return Recipe.read(path)


def test_a_recipe_is_read(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    assert recipe.robot.name == "planar-2r"
    assert recipe.position.offset == pytest.approx((-np.pi / 2, np.pi / 6))
    assert recipe.torque.columns == ("tau1", "tau2")
    assert recipe.data.recordings == ((tmp_path / "a.csv",),)
    assert Recipe.read(tmp_path / "recipe.toml", data="/else").data.recordings == ((Path("/else/a.csv"),),)


def test_every_key_of_the_documentation_is_read(tmp_path: Path) -> None:
    recipe = read(
        tmp_path,
        """
robot = "planar-2r"
prior = "cad.urdf"
[data]
recordings = [["a.csv", "b.csv"], ["c.csv"]]
role = ["train", "validate"]
folder = "data"
time = "t"
time_unit = "ms"
missing = "drop"
resample = false
start = 1
stop = "5/2"
[position]
columns = ["q1", "q2"]
side = "motor"
unit = ["deg", "count"]
scale = [1, "2*pi/4096"]
sign = [1, -1]
[velocity]
columns = ["v1", "v2"]
unit = "rpm"
[torque]
columns = ["i1", "i2"]
side = "motor"
unit = "A"
gain = [0.1, 0.2]
delay = "estimate"
limit = 5
[transmission]
coupling = [[100, 0], [50, "100/3"]]
[processing]
cutoff = 25.0
order = 3
trim = 10
decimation = [10, 5]
where = "columns"
low_speed = [0.05, 0.1]
outliers = 6
differences = "forward"
decimation_filter = "chebyshev"
padding = 12
rows_short = 2
no_acceleration = [2]
[model]
kind = "dynamic"
friction = ["viscous", "coulomb"]
rotor_inertia = false
[estimate]
method = "huber"
physical = true
essential = 20
block = 1
folds = 5
""",
    )
    assert recipe.data.recordings[0] == (tmp_path / "data/a.csv", tmp_path / "data/b.csv")
    assert (recipe.data.stop, recipe.data.role) == (2.5, ("train", "validate"))
    assert recipe.processing.factor == 50
    assert recipe.torque.delay == "estimate"
    assert recipe.prior == tmp_path / "cad.urdf"


def test_all_problems_are_listed_at_once(tmp_path: Path) -> None:
    text = TEXT.replace("rate", "rte").replace('["q1", "q2"]', '["q1", "q2", "q3"]').replace('"30 deg"', '"30 degs", 1')
    with pytest.raises(RecipeError) as raised:
        read(tmp_path, text, '[processing]\ncut = 3\norder = "x"\nlow_speed = [1, 2, 3]\n[model]\nkind = "dynamical"\n')
    found = str(raised.value)
    for line in (
        "data, rte: unknown key (did you mean 'rate'?)",
        "position, columns: expected 2 columns, one for each joint, got 3",
        "position, offset 2:",
        "position, offset: expected 2 entries",
        "processing, cut: unknown key (did you mean 'cutoff'?)",
        "processing, order: expected a whole number, got 'x'",
        "processing, low_speed: expected 2 entries",
        "model, kind: got 'dynamical', expected one of dynamic, filtered, energy, power (did you mean 'dynamic'?)",
        "data: expected rate (in Hz) or time",
    ):
        assert line in found
    assert all(line.startswith(str(tmp_path / "recipe.toml")) for line in found.splitlines())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('robot = "planar-2r"', 'robot = "planar-2x"', "robot: there is no robot 'planar-2x'"),
        ('robot = "planar-2r"', 'robot = "no.toml"', "no.toml: there is no such file"),
        ('robot = "planar-2r"', "", "robot: expected a file relative to the recipe"),
        ("rate = 1000", "rate = 0", "data, rate: expected a positive number"),
        ("rate = 1000", "rate = [1]", "data, rate: expected a number"),
        ("rate = 1000", 'time = "t"\ntime_unit = "min"', "data, time_unit: got 'min'"),
        ("rate = 1000", "rate = 100\n", "processing, cutoff: expected less than half the rate"),
        ("rate = 1000", "rate = 1000\nstart = 3\nstop = 2", "data, stop: expected 0 <= start < stop"),
        ('"q1", "q2"', '"q1", "q1"', "position, columns: 'q1' is there twice"),
        ('["q1", "q2"]', '["q1", "q2"]\nunit = "radian"', "position, unit: got 'radian'.*did you mean 'rad'"),
        ('["q1", "q2"]', '["q1", "q2"]\nside = "left"', "position, side: got 'left', expected one of joint, motor"),
        ('["q1", "q2"]', '["q1", "q2"]\nsign = [1, 2]', "position, sign: expected 1 or -1"),
        ('["q1", "q2"]', '["q1", "q2"]\nscale = "__import__(1)"', "position, scale"),
        ('"tau{1..2}"', '"tau{1..2}"\nunit = "%"', "torque, gain: expected the torque at full scale"),
        ('"tau{1..2}"', '"tau{1..2}"\ndelay = "guess"', "torque, delay"),
        ('"tau{1..2}"', '"tau{1..2}"\n[transmission]\ncoupling = [[1, 1], [1, 1]]', "coupling: is singular"),
        ('"tau{1..2}"', '"tau{1..2}"\n[transmission]\nratio = [0, 1]', "transmission, ratio"),
        ('columns = "tau{1..2}"', "", "torque, columns: expected the names"),
        ('columns = "tau{1..2}"', 'columns = "tau{1..2}"\n[[x', "bad TOML"),
    ],
)
def test_problems_name_their_key(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=message):
        read(tmp_path, TEXT.replace(old, new), "[processing]\ncutoff = 60\n")


def test_missing_columns_are_all_named() -> None:
    recipe = made({"q1": [1.0], "q2": [1.0], "tau": [1.0]})
    with pytest.raises(RecipeError) as raised:
        joint_side(recipe, recipe.recordings()[0])
    assert str(raised.value).count("there is no column") == 2
    assert "torque, columns: recording: there is no column 'tau1' (did you mean 'tau'?)" in str(raised.value)


def made(columns: dict[str, object], **changes: object) -> Recipe:
    parts: dict[str, object] = {
        "robot": robosym.load("planar-2r"),
        "data": Data((Recording.from_arrays(columns),), rate=100.0),
        "position": Signal(("q1", "q2")),
        "torque": Torque(("tau1", "tau2")),
    }
    return Recipe(**(parts | changes))  # type: ignore[arg-type]


ONE_ROW = {"q1": [90.0], "q2": [400.0], "tau1": [2.0], "tau2": [3.0]}


def test_units_signs_ratios_and_offsets() -> None:
    recipe = made(
        ONE_ROW,
        position=Signal(
            ("q1", "q2"), side="motor", unit=("deg", "count"), scale=(1.0, 0.01), sign=(-1.0, 1.0), offset=(0.5, 0.25)
        ),
        torque=Torque(("tau1", "tau2"), side="motor", unit=("A", "mA"), gain=(0.1, 2.0)),
        transmission=Transmission(ratio=(10.0, -4.0)),
    )
    side = joint_side(recipe, recipe.recordings()[0])
    at = side(np.array([[90.0, 400.0, 2.0, 3.0]]))
    assert at.q[0] == pytest.approx([-np.pi / 2 / 10 + 0.5, 4.0 / -4 + 0.25])
    assert at.tau[0] == pytest.approx([10 * 0.2, -4 * 3e-3 * 2])


def test_power_is_the_same_on_both_sides_of_a_coupling() -> None:
    rng = np.random.default_rng(0)
    coupling = rng.normal(size=(2, 2))
    recipe = made(
        ONE_ROW,
        position=Signal(("q1", "q2"), side="motor"),
        torque=Torque(("tau1", "tau2"), side="motor"),
        transmission=Transmission(coupling=tuple(map(tuple, coupling.tolist()))),
    )
    side = joint_side(recipe, recipe.recordings()[0])
    speeds, torques = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    at = side(np.concatenate((speeds, torques), axis=1))
    assert (at.q * at.tau).sum(axis=1) == pytest.approx((speeds * torques).sum(axis=1))
    assert at.q @ coupling.T == pytest.approx(speeds)


def test_the_transmission_of_the_description_agrees_with_the_model() -> None:
    rows = [{"d": 0, "ratio": 50}, {"d": 1}, {"d": 1}]
    robot = robosym.Robot.from_table("three", rows, coupling=[{"frames": [2, 3], "matrix": [[0.01, 0], [-0.01, 0.02]]}])
    names = ("a", "b", "c")
    recipe = made(
        {name: [0.0] for name in (*names, "x", "y", "z")},
        robot=robot,
        position=Signal(names, side="motor"),
        torque=Torque(("x", "y", "z"), side="motor"),
    )
    J = J_of(recipe)
    assert np.allclose(J, [[0.02, 0, 0], [0, 0.01, 0], [0, -0.01, 0.02]], rtol=1e-14)
    outputs = robosym.models.transmission(robot, given="motors").compile()(
        q_m=[1.0, 2.0, 3.0], qd_m=[0.0] * 3, tau_m=[4.0, 5.0, 6.0]
    )
    at = joint_side(recipe, recipe.recordings()[0])(np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]))
    assert at.q[0] == pytest.approx(outputs["q"])
    assert at.tau[0] == pytest.approx(outputs["tau"])


def test_saturation_is_seen_at_every_joint_a_motor_moves() -> None:
    recipe = made(
        ONE_ROW,
        position=Signal(("q1", "q2"), side="motor"),
        torque=Torque(("tau1", "tau2"), side="motor", limit=(5.0,)),
        transmission=Transmission(coupling=((1.0, 0.0), (1.0, 1.0))),
    )
    at = joint_side(recipe, recipe.recordings()[0])(np.array([[0, 0, 5.0, 0], [0, 0, 0, -5.0], [0, 0, 1, 1.0]]))
    assert at.saturated.tolist() == [[True, False], [True, True], [False, False]]


def test_currents_need_a_gain() -> None:
    recipe = made(ONE_ROW, torque=Torque(("tau1", "tau2"), unit=("A",)))
    with pytest.raises(RecipeError, match="torque, gain: expected N m/A for each motor"):
        joint_side(recipe, recipe.recordings()[0])


def test_recipes_made_in_python_are_checked_too() -> None:
    recipe = made(ONE_ROW)
    with pytest.raises(RecipeError, match="torque, limit: expected 2 entries"):
        replace(recipe, torque=replace(recipe.torque, limit=(1.0, 2.0, 3.0)))
