"""Text of ES modules: data that is JSON and JavaScript, functions in scopes of their own, and the code around them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sample_programs import arm, hostile
from scene.modules_in_node import called, needs_node

from robosym.program.numeric import in_numbers
from robosym.scene.modules import HEAD, glue_text, json_text, module_text

DATA = {
    "text": "</script><!-- ]]> \u2028 é 漢 \\ \" ' ` ${x}",
    "__proto__": {"polluted": True},
    "numbers": [0.1, -0.0, 1e300, 5],
    "none": None,
    "truth": [True, False],
}


def test_data_is_the_same_after_its_text() -> None:
    text = json_text(DATA)
    assert json.loads(text) == DATA
    assert text.isascii()
    assert "<" not in text
    assert ">" not in text


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_cannot_be_said(x: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text({"x": [x]})


def test_a_module_is_its_head_data_functions_and_glue_in_this_order() -> None:
    text = module_text(("direct", "jacobian"), {"x": 1}, {"one": arm(), "two": arm()})
    places = [text.index(part) for part in (HEAD, 'const DATA = {"x": 1};', "const one = ", "const two = ", glue_text("direct"), glue_text("jacobian"))]  # fmt: skip
    assert places == sorted(places)
    assert text.startswith(HEAD)


@pytest.mark.parametrize("data", [{}, {"platform": False}, {"platform": True}])
def test_motors_are_there_for_platforms_only(data: dict[str, Any]) -> None:
    assert (glue_text("motors") in module_text(("direct",), data, {})) == bool(data.get("platform"))


@needs_node
def test_data_and_functions_are_what_they_were(tmp_path: Path) -> None:
    """In Node: what DATA holds, and two functions of the same program under names of their own."""
    read = "export const [text, numbers, own] = [() => DATA.text, () => DATA.numbers, () => Object.keys(DATA)];\n"
    both = "export const both = (q) => [one(q).tip, two(q).tip, typeof C1];\n"
    one, two = (in_numbers(arm(), {"L1": L1, "L2": 2.0}) for L1 in (1.0, 3.0))
    module = module_text((), DATA, {"one": one, "two": two}) + read + both
    text, numbers, own, tips = called(tmp_path, module, [["text"], ["numbers"], ["own"], ["both", [0.3, 0.4]]])
    assert text == DATA["text"]
    assert numbers == DATA["numbers"]
    assert set(own) <= set(DATA)
    for found, L1 in zip(tips, (1.0, 3.0), strict=False):
        x = [L1 * np.cos(0.3) + 2 * np.cos(0.7), L1 * np.sin(0.3) + 2 * np.sin(0.7)]
        assert found[:2] == pytest.approx(x)
    assert tips[2] == "undefined"


def test_names_of_programs_are_not_in_their_modules() -> None:
    code = replace(hostile(), name="*/ globalThis.polluted = 1; /*", notes=("*/ polluted",))
    text = module_text((), {}, {"geometry": code})
    assert "polluted" not in text
    assert "function geometry(" in text
    assert "export function" not in text
