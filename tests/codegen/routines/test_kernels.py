"""Names and texts of kernels: one for each size, or one for all."""

from __future__ import annotations

from importlib.resources import files

import pytest

from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.routines.kernels import NAMES, kernel_sizes, kernels, sized_kernels, sized_name
from robosym.program.kernels import KERNELS
from robosym.program.routine import Kernel, Routine, Slot, When

STAGES = {
    "kernel_solve_3_1": Kernel("solve", ("A", "b"), ("x",)),
    "kernel_solve_3_2": Kernel("solve", ("A", "B"), ("X",)),
    "kernel_eigenvalues_3": Kernel("eigenvalues", ("A",), ("roots",)),
    "kernel_eigenvector_3": Kernel("eigenvector", ("A", "root"), ("v",)),
    "kernel_sort_5_1": Kernel("sort", ("keys", "keys", "count"), ("ordered",)),
    "kernel_sort_5_6": Kernel("sort", ("rows", "keys", "count"), ("rows",)),
}
SHAPES = {"A": (3, 3), "b": (3,), "B": (3, 2), "root": (2,), "keys": (5,), "rows": (5, 2, 3), "count": ()}
LANGUAGES = [
    folder.name for folder in files("robosym.codegen.targets").iterdir() if folder.joinpath("kernels").is_dir()
]


@pytest.fixture(scope="module")
def facts():
    """Every kernel, one size twice and one inside another stage."""
    inputs = tuple(Slot(name, shape) for name, shape in SHAPES.items())
    first, *others = STAGES.values()
    stages = (first, first, When("count", tuple(others)))
    return routine_facts(Routine("r", inputs, (Slot("x", (3,)),), stages), (), None)


def test_sizes_are_rows_and_numbers_in_each(facts):
    assert [kernel_sizes(facts, stage) for stage in STAGES.values()] == [
        {"n": 3, "k": 1},
        {"n": 3, "k": 2},
        {"n": 3},
        {"n": 3},
        {"n": 5, "k": 1},
        {"n": 5, "k": 6},
    ]
    assert [sized_name(facts, stage) for stage in STAGES.values()] == list(STAGES)
    assert set(NAMES) == {f"kernel_{name}" for name in KERNELS}


def test_a_kernel_is_written_once_for_each_size(facts):
    texts = sized_kernels("c", facts)
    assert len(texts) == len(STAGES)
    for text, (name, stage) in zip(texts, STAGES.items(), strict=True):
        assert name in text
        assert "$" not in text
        for size in kernel_sizes(facts, stage).items():
            assert "{} = {}".format(*size) in text


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "c"])
def test_a_kernel_for_all_sizes_is_written_once(facts, language):
    texts = kernels(language, facts)
    names = ["kernel_solve", "kernel_eigenvalues", "kernel_eigenvector", "kernel_sort"]
    assert len(texts) == len(names)
    for text, name in zip(texts, names, strict=True):
        assert name in text
        assert "$" not in text


def test_every_language_has_every_kernel():
    assert {"c", "python"} <= set(LANGUAGES)
    for language in LANGUAGES:
        folder = files("robosym.codegen.targets").joinpath(language, "kernels")
        assert {path.name for path in folder.iterdir()} == {f"{name}.template" for name in KERNELS}
