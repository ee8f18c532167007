"""Motors, transmissions and friction on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from cli.test_models import run

from robosym import models
from robosym.cli.options import split

WRIST = """
name = "wrist"
[[frame]]
Fv = 2
ratio = 50
friction = {Fst = "FT1", B = 12, points = [[0, 2], [0.1, 3]]}
motor = {Jm = 2e-4, KT = 0.2, limits = {torque = 1.25, speed = 300}, axis = [0, "C", 1], link = "frame2"}
[[frame]]
joint = "pitch"
motor = {KT = 1}
[[frame]]
joint = "roll"
motor = {KT = 1}
[[coupling]]
frames = [2, 3]
matrix = [["1/40", 0], ["C", "1/60"]]
[values]
C = 0.01
FT1 = 5
"""


@pytest.fixture
def wrist(tmp_path: Path) -> str:
    path = tmp_path / "wrist.toml"
    path.write_text(WRIST, encoding="utf-8")
    return str(path)


def test_show_says_what_the_description_does(wrist: str) -> None:
    shown = run("show", wrist)
    for words in (
        "actuators and friction",
        "Fst FT1, B 12, points (0; 2) (0.1; 3)",
        "torque 1.25, speed 300",
        "0.0002",
        "coupled joints: q = J q_m",
        "motor of pitch",
        "rotor axis",
        "0, C, 1",
        "on frame",
        "1/60",
    ):
        assert words in shown
    facts = json.loads(run("show", wrist, "--json"))
    assert facts["couplings"] == [{"frames": [2, 3], "matrix": [["1/40", "0"], ["C", "1/60"]]}]
    first = facts["frames"][0]["actuator"]
    assert first["friction"] == {"Fst": "FT1", "B": "12", "points": [["0", "2"], ["0.1", "3"]]}
    assert (first["motor"]["axis"], first["motor"]["link"]) == (["0", "C", "1"], 2)
    assert first["motor"]["limits"] == {"torque": 1.25, "speed": 300.0}
    assert "actuators" not in run("show", "general-3r").partition("values")[2]


def test_motor_torques_at_a_state(wrist: str) -> None:
    state = {"q": [0.1, 0.2, 0.3], "qd": [1, 1, 1], "qdd": [0, 0, 0]}
    words = ("eval", wrist, "motor-torques", "--friction", "--at", "-", "--json")
    outputs = json.loads(run(*words, stdin=json.dumps(state)))["outputs"]
    assert set(outputs) == {"tau_m", "i"}
    assert outputs["i"][0] == pytest.approx(outputs["tau_m"][0] / 0.2)
    assert outputs["tau_m"][0] == pytest.approx((2 + 5 * 2.718281828459045**-12 + 2 + 10) / 50)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--friction"], {"friction": True}),
        (["--no-friction"], {"friction": False}),
        (["--friction", "smooth"], {"friction": "smooth"}),
        (["--friction=smooth"], {"friction": "smooth"}),
        (["--friction=false"], {"friction": False}),
        (["--friction", "--no-rotor-inertia"], {"friction": True, "rotor_inertia": False}),
        (["--rotor-inertia", "gyroscopic"], {"rotor_inertia": "gyroscopic"}),
        (["--rotor-inertia=true"], {"rotor_inertia": True}),
    ],
)
def test_friction_is_a_flag_or_a_word(words: list[str], expected: dict[str, object]) -> None:
    assert split(words, models.inverse_dynamics)[1] == expected


def test_rotors_that_links_carry(wrist: str) -> None:
    plain, spinning = (
        run("count", wrist, "inverse-dynamics", *words) for words in ((), ("--rotor-inertia", "gyroscopic"))
    )
    assert plain != spinning


def test_another_word_is_refused() -> None:
    with pytest.raises(typer.BadParameter, match="--friction: got 'rough', expected true, false, smooth"):
        split(["--friction", "rough"], models.inverse_dynamics)
