"""Values that checks compare."""

from __future__ import annotations

import numpy as np

from robosym.generated.checks import Check, beside, first, joined

OUTPUTS = {"a": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.array([[5.0], [6.0]])}


def test_outputs_of_a_model() -> None:
    np.testing.assert_array_equal(first(OUTPUTS, None), OUTPUTS["a"])
    np.testing.assert_array_equal(joined("b", "a")(OUTPUTS, None), [5, 6, 1, 2, 3, 4])
    np.testing.assert_array_equal(beside("b", "a")(OUTPUTS, None), [[5, 1, 2], [6, 3, 4]])


def test_a_check_compares_the_first_output_unless_it_says_otherwise() -> None:
    assert Check(lambda task: 0.0).value is first
