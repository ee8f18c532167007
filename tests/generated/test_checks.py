"""Values that checks compare: one output, several outputs one after the other, matrices side by side."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.generated.checks import DIFFERENCES, EXACT, Check, beside, first, joined
from robosym.models.catalogue import declarations

OUTPUTS = {"A": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.array([5.0, 6.0]), "c": 7.0}


def test_the_first_output_is_as_it_is() -> None:
    assert first(OUTPUTS, None) is OUTPUTS["A"]


def test_several_outputs_are_one_vector() -> None:
    assert joined("b", "c", "A")(OUTPUTS, None).tolist() == [5, 6, 7, 1, 2, 3, 4]


def test_matrices_stand_side_by_side() -> None:
    assert beside("A", "A")(OUTPUTS, None).tolist() == [[1, 2, 1, 2], [3, 4, 3, 4]]
    with pytest.raises(ValueError, match="dimension"):
        beside("A", "b")(OUTPUTS, None)


def test_a_check_is_exact_unless_it_says_otherwise() -> None:
    check = Check(lambda task: 0.0)
    assert (check.inputs, check.tolerance, check.frame, check.flexible) == (("q",), EXACT, False, False)
    assert check.value is first
    assert EXACT < DIFFERENCES < 1e-3


def test_checks_take_parts_of_the_state() -> None:
    """Every input of a check is drawn by ``verify``, and every model has checks or says why it has none."""
    drawn = {
        "q",
        "qd",
        "qdd",
        "tau",
        "wrench",
        "v",
        "a",
        "dt",
        "twist",
        "joint_qdd",
        "q_motor",
        "qd_motor",
        "qdd_motor",
    }
    for declared in declarations():
        assert all({*check.inputs} <= drawn for check in declared.checks), declared.name
        assert declared.checks or declared.unchecked
