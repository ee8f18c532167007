"""The self-check of the header for controllers: its numbers are the reference's, and a broken function is noticed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import package_robots as robots
import pytest
from cpp_packages import STRICT, compiler
from language_report import tool
from package_parts import called, ordered

from robosym import packaging
from robosym.packaging.c_check import DOUBLES, ROUTINES
from robosym.packaging.ros2_control.check import check
from robosym.packaging.ros2_control.header import field_names


def function(text: str, name: str) -> str:
    found = re.search(rf"static int check_{name}\(\)\n\{{\n(.*?)\n\}}\n", text, re.DOTALL)
    assert found is not None
    return found[1]


def tables(code: str) -> dict[str, np.ndarray]:
    """The tables of a function, with a row for each state."""
    found = re.findall(r"static const double (\w+)\[(\d+)\]\[(\d+)\] = \{(.*?)\n    \};", code, re.DOTALL)
    return {
        name: np.array([float(x.replace("HUGE_VAL", "inf")) for x in re.findall(r"[-+.\w]+", body)]).reshape(
            int(rows), int(size)
        )
        for name, rows, size, body in found
    }


@pytest.mark.parametrize("model", ["inverse-dynamics", "energy", "inverse-geometric", "step", "gravity"])
def test_inputs_and_expected_outputs_are_those_of_the_reference(model: str) -> None:
    order, (call,), _ = called([model])
    code = function(check(order, [call]), call.name)
    found, reference = tables(code), call.part.reference
    assert reference is not None
    left_out = {one.said_by for one in call.inputs if one.said_by is not None}
    for k, one in enumerate(one for one in call.asked if one.size):
        if call.inputs.index(one) in left_out:
            assert f"in_{k}" not in found
            continue
        expected = np.array([np.ravel(state[one.name]) for state in reference.states])
        np.testing.assert_array_equal(found[f"in_{k}"], expected)
    for k, one in enumerate(call.outputs):
        expected = np.array([np.ravel(made[one.name]) for made in reference.expected])
        finite = np.isfinite(expected)
        np.testing.assert_array_equal(found[f"of_{k}"][finite], expected[finite])
    assert f"s < {len(reference.states)}; s++" in code
    allowed = ROUTINES if model == "inverse-geometric" else DOUBLES
    assert f'return report("{model}", error, {allowed!r});' in code


def test_every_output_is_compared() -> None:
    order, calls, _ = called(["energy", "gravity", "step"])
    text = check(order, calls)
    energy, gravity, step = (function(text, call.name) for call in calls)
    assert re.findall(r"apart_double\((.*?), of", energy) == [
        "found.kinetic.data()",
        "found.potential.data()",
        "found.total.data()",
    ]
    assert re.findall(r"apart_double\((.*?), of", gravity) == ["found.data()"]
    assert re.findall(r"apart_double\((.*?), of", step) == ["found.q_next.data()", "found.qd_next.data()"]
    assert "in_3[s][0]" in step  # dt is a number, not an array of one
    assert re.findall(r"wrong \+= check_(\w+)\(\);", text) == ["energy", "gravity", "step"]
    assert "of 3 models wrong" in text


def test_what_has_no_value_is_made_up() -> None:
    robot = robots.hostile()
    order, calls, _ = called(["gravity"], robot.replace(values={}))
    fields, reference = field_names(order, calls), calls[0].part.reference
    assert reference is not None
    code = function(check(order, calls), "gravity")
    found = dict(re.findall(r"parameters\.(\w+) = (.*?);  // made up", code))
    assert {name: float(x) for name, x in found.items()} == {
        fields[name]: x for name, x in reference.parameters.items()
    }
    assert "made up" not in check(*called(["gravity"])[:2])


@pytest.mark.delivery
def test_it_runs_and_a_broken_function_is_noticed(tmp_path: Path) -> None:
    order, parts = ordered(["gravity", "energy", "step"], kind="ros2-control")
    for name, text in packaging.assembled(order, parts).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def run() -> subprocess.CompletedProcess[str]:
        objects = []
        for source in sorted((tmp_path / "src").glob("*.c")):
            objects.append(str(source.with_suffix(".o")))
            subprocess.run(
                [tool("c"), "-O0", "-Iinclude", "-c", str(source), "-o", objects[-1]], cwd=tmp_path, check=True
            )
        command = [compiler("g++"), *STRICT, "-Iinclude", "test/check.cpp", *objects, "-lm", "-o", "check"]
        subprocess.run(command, cwd=tmp_path, check=True)
        return subprocess.run([str(tmp_path / "check")], capture_output=True, text=True)

    done = run()
    assert done.returncode == 0, done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines()[:-1]] == ["ok"] * 4  # with the order of joints
    source = tmp_path / "src" / "planar_2r_energy.c"
    source.write_text(source.read_text().replace("kinetic[0] = ", "kinetic[0] = 1e-6 + "))
    done = run()
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("WRONG")] == ["energy"]
