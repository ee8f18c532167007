"""Linear algebra on one thread: inside the block only, also after an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy

from robosym.identification.excitation import one_thread as module
from robosym.identification.excitation.one_thread import one_thread


class Library:
    """What sets and gives a number of threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.put: list[int] = []

    def functions(self) -> tuple[object, object]:
        return (lambda: self.threads), self._set

    def _set(self, threads: int) -> None:
        self.put.append(threads)
        self.threads = threads


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> list[Library]:
    made = [Library(8), Library(3)]
    monkeypatch.setattr(module, "_openblas", lambda: [one.functions() for one in made])
    return made


def test_one_thread_inside_and_as_many_as_before_after(libraries: list[Library]) -> None:
    with one_thread():
        assert [one.threads for one in libraries] == [1, 1]
    assert [one.threads for one in libraries] == [8, 3]


def test_an_error_leaves_them_as_they_were(libraries: list[Library]) -> None:
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert [one.threads for one in libraries] == [8, 3]


def test_one_within_another(libraries: list[Library]) -> None:
    with one_thread():
        with one_thread():
            assert libraries[0].threads == 1
        assert libraries[0].threads == 1
    assert libraries[0].threads == 8
    assert libraries[0].put == [1, 1, 1, 8]


def test_libraries_that_are_here() -> None:
    """Of NumPy and SciPy, where they come with OpenBLAS: at most one each, and asked for real."""
    found = module._openblas()
    roots = [Path(str(package.__file__)).parent for package in (np, scipy)]
    bundled = [any(root.parent.glob(f"{root.name}.libs/*openblas*")) for root in roots]
    assert len(found) >= sum(bundled)
    before = [get() for get, _ in found]
    assert all(threads >= 1 for threads in before)
    with one_thread():
        assert all(get() == 1 for get, _ in found)
        product = np.ones((50, 50)) @ np.ones((50, 50))
    assert product[3, 4] == 50
    assert [get() for get, _ in found] == before


def test_a_folder_without_a_library(tmp_path: Path) -> None:
    (tmp_path / "numpy").mkdir()
    assert module._threads_of(tmp_path / "numpy") is None
    (tmp_path / "numpy.libs").mkdir()
    (tmp_path / "numpy.libs" / "libopenblas.so").write_text("no library")
    assert module._threads_of(tmp_path / "numpy") is None
