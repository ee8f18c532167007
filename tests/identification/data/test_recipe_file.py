"""A recipe from its file: every key, and every problem at once with its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from identification.data.recipes import TEXT, read

import robosym
from robosym.identification.data.recipe import (
    Data,
    Estimation,
    ModelChoice,
    Processing,
    Recipe,
    RecipeError,
    Signal,
    Torque,
)
from robosym.identification.data.recipe_file import KEYS, from_data, from_text, ranged
from robosym.identification.data.recording import Recording


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


def test_an_extra_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text('robot = "scara"\n[position]\ncolumns = "q"\n[torque]\ncolumns = "tau"\n[model]\nextra = 3\n')
    with pytest.raises(RecipeError, match="model, extra: expected a table, got 3"):
        Recipe.read(path)


# --- entries -----------------------------------------------------------------------------------------------------------


def test_names_of_a_range() -> None:
    assert ranged("q{1..3}") == ["q1", "q2", "q3"]
    assert ranged("a{9..11}.pos [rad]") == ["a9.pos [rad]", "a10.pos [rad]", "a11.pos [rad]"]
    assert ranged("q{0..0}") == ["q0"]
    for name in ("q", "q{1,2}", "q{a..b}", "q{-1..2}", "q{1..99999}"):
        assert ranged(name) == [name]


TABLES: dict[str, Any] = {
    "robot": "planar-2r",
    "data": {"files": ["a.csv"], "rate": 500},
    "position": {"columns": ["q1", "q2"]},
    "torque": {"columns": ["tau1", "tau2"]},
}


def recipe_of(**tables: Any) -> Recipe:
    return from_data({**TABLES, **tables}, Path("/at"))


def test_keys_that_are_not_given_are_those_of_the_parts() -> None:
    """A table without a key is the part that Python makes without it."""
    found = recipe_of()
    assert found.data == Data(((Path("/at/a.csv"),),), rate=500.0)
    assert found.position == Signal(("q1", "q2"), unit=("rad",))
    assert found.torque == Torque(("tau1", "tau2"), unit=("N m",))
    assert (found.velocity, found.acceleration, found.transmission, found.payload, found.prior) == (None,) * 5
    assert (found.processing, found.model, found.estimate) == (Processing(), ModelChoice(), Estimation())
    for name, unit in (("velocity", "rad/s"), ("acceleration", "rad/s^2")):
        signals = {"velocity": {"columns": ["a", "b"]}, name: {"columns": ["c", "d"]}}
        assert getattr(recipe_of(**signals), name) == Signal(("c", "d"), unit=(unit,))


def test_every_key_changes_the_recipe() -> None:
    """No key of a table is read and then forgotten."""
    changed: dict[str, dict[str, Any]] = {
        "data": {
            "recordings": [["a.csv"], ["b.csv"]], "folder": "x", "rate": 2000, "time": "t", "time_unit": "ms",
            "role": ["train"], "missing": "drop", "resample": False, "start": 1, "stop": 9,
        },
        "signal": {"side": "motor", "unit": "deg", "scale": 2, "sign": -1, "offset": 1},
        "torque": {"side": "motor", "unit": "mN m", "scale": 2, "sign": -1, "gain": 3, "delay": "estimate", "limit": 4},
        "processing": {
            "cutoff": 9, "order": 3, "trim": 1, "decimation": 2, "where": "columns", "low_speed": 0.1, "outliers": 5,
            "differences": "forward", "decimation_filter": "chebyshev", "padding": 3, "no_acceleration": 2,
        },
        "model": {
            "kind": "power", "friction": "viscous", "rotor_inertia": False, "extra": {"c": {"elbow": "sin(q2)"}},
            "without": "FS1",
        },
        "estimate": {"method": "huber", "physical": True, "rise": 0.1, "essential": 20, "block": 1, "folds": 5},
    }  # fmt: skip
    plain = recipe_of()
    for table, entries in changed.items():
        name = "position" if table == "signal" else table
        assert set(KEYS[table]) - set(entries) <= {"files", "columns", "rows_short"}
        for key, value in entries.items():
            own = {k: v for k, v in TABLES.get(name, {}).items() if not (key == "recordings" and k == "files")}
            found = recipe_of(**{name: {**own, key: value}})
            assert getattr(found, name) != getattr(plain, name), (table, key)
    short = {"rows_short": 2, "decimation_filter": "chebyshev"}
    assert recipe_of(processing=short).processing.rows_short == 2
    assert recipe_of(prior="cad.urdf").prior == Path("/at/cad.urdf")
    assert recipe_of(floating=True, data={**TABLES["data"]}, **of_base()).robot.base.floating


def of_base() -> dict[str, Any]:
    return {"position": {"columns": "q{1..9}"}, "torque": {"columns": ["tau1", "tau2"]}}


def test_numbers_may_be_expressions_and_never_code() -> None:
    found = recipe_of(position={"columns": ["q1", "q2"], "offset": ["-pi/2", "30 deg"], "scale": "1/3"})
    np.testing.assert_allclose(found.position.offset, [-np.pi / 2, np.pi / 6], rtol=1e-15)
    assert found.position.scale == (1 / 3,)
    for raw in ("q1", "1/0", "__import__('os')", True, [1], {"a": 1}, None):
        with pytest.raises(RecipeError, match=r"data, rate: "):
            recipe_of(data={"files": ["a.csv"], "rate": raw})


def test_a_payload_has_the_numbers_that_are_given() -> None:
    frame = robosym.load("planar-2r").frames[-1].name
    found = recipe_of(payload={"frame": frame, "M": 2, "MX": "1/5", "MY": 0, "MZ": 0, "recordings": 1}).payload
    assert found is not None
    assert (found.values, found.recordings) == ({"M": 2.0, "MX": 0.2, "MY": 0.0, "MZ": 0.0}, (1,))
    with pytest.raises(RecipeError, match=r"payload, frame: expected the name of the frame"):
        recipe_of(payload={"M": 2})


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"data": {"files": ["a"], "recordings": [["a"]], "rate": 500}}, "data: expected files .* or recordings, not both"),
        ({"data": {"recordings": "a.csv", "rate": 500}}, "data, recordings: expected a list of files"),
        ({"data": {"files": [3], "rate": 500}}, "data, files 1: expected a text, got 3"),
        ({"data": 3}, "data: expected a table, got 3"),
        ({"position": {"columns": [1, "q2"]}}, "position, columns 1: expected a text, got 1"),
        ({"position": {"columns": "q{2..1}"}}, "position, columns: expected 2 columns, one for each joint, got 0"),
        ({"processing": {"trim": 1.5}}, r"processing, trim: expected a whole number, got 1\.5"),
        ({"processing": {"decimation": [2, "5"]}}, "processing, decimation: expected a whole number, got '5'"),
        ({"model": {"rotor_inertia": "no"}}, "model, rotor_inertia: expected true or false, got 'no'"),
        ({"model": {"extra": {"c": 3}}}, "model, extra c: expected a table, got 3"),
        ({"transmission": {"coupling": 3}}, "transmission, coupling"),
        ({"robot": 3}, "robot: expected a text, got 3"),
        ({"floating": "yes"}, "floating: expected true or false"),
        ({"prior": ["a"]}, "prior: expected a text"),
        ({"estimate": {"rise": "a"}}, "estimate, rise: expected a number"),
    ],
)  # fmt: skip
def test_entries_of_the_wrong_kind(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        recipe_of(**tables)


def test_a_recipe_without_tables_names_what_it_lacks() -> None:
    with pytest.raises(RecipeError) as raised:
        from_data({}, Path(), "r.toml")
    assert [problem.where for problem in raised.value.problems] == ["robot", "position", "torque"]
    assert str(raised.value).startswith("r.toml: robot: expected a file relative to the recipe")


# --- texts without files -----------------------------------------------------------------------------------------------

TOML = """
robot = "someone's"
prior = "cad"
[data]
recordings = [["a", "b"], ["c"]]
rate = 500
[position]
columns = ["q1", "q2"]
[torque]
columns = ["tau1", "tau2"]
"""


def test_a_text_opens_only_the_files_it_is_given(tmp_path: Path) -> None:
    robot = robosym.load("planar-2r")
    q = Recording.from_arrays({"q1": [0.0], "q2": [0.0]}, "q")
    tau = Recording.from_arrays({"tau1": [0.0], "tau2": [0.0]}, "tau")
    files = {"a": q, "b": tau, "c": tmp_path / "else.csv", "cad": tmp_path / "cad.urdf"}
    found = from_text(TOML, robot, files)
    assert found.robot is robot
    first, second = found.data.recordings
    assert isinstance(first, Recording)
    assert first.names == ("q1", "q2", "tau1", "tau2")
    assert second == (tmp_path / "else.csv",)
    assert found.prior == tmp_path / "cad.urdf"
    del files["b"]
    with pytest.raises(RecipeError, match=r"data, files: there is no file 'b' here: expected one of a, c, cad"):
        from_text(TOML, robot, files)
    with pytest.raises(RecipeError, match=r"there is no file 'cad' here: no file was given"):
        from_text(TOML, robot, {})
    with pytest.raises(RecipeError, match=r"prior: expected a description of the robot, this is a recording"):
        from_text(TOML, robot, {"a": q, "b": tau, "c": q, "cad": q})


def test_files_of_a_text_are_not_looked_for_on_disk(tmp_path: Path) -> None:
    """Also where a file of that name exists."""
    (tmp_path / "a.csv").write_text("q1\n1\n")
    text = TOML.replace('["a", "b"], ["c"]', f"['{tmp_path / 'a.csv'}']").replace('prior = "cad"', "")
    with pytest.raises(RecipeError, match=r"there is no file .* here: no file was given"):
        from_text(text, robosym.load("planar-2r"), {})


@pytest.mark.parametrize("text", ["robot = ", "a = 1\na = 2", "[data"])
def test_bad_toml_names_its_source(text: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"^r\.toml: .*TOML"):
        from_text(text, robosym.load("planar-2r"), {}, "r.toml")
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(RecipeError, match=r"r\.toml: .*TOML"):
        Recipe.read(tmp_path / "r.toml")
