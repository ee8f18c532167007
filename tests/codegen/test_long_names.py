"""Names of any length make files that can be written, and two names stay two."""

from __future__ import annotations

from pathlib import Path

import pytest
from codegen.odd_routines import angles
from sample_programs import arm

from robosym import load, packaging
from robosym.codegen import generate, languages
from robosym.codegen.names import LONGEST
from robosym.errors import RobosymError
from robosym.files import write_text
from robosym.formats import save

LONG = "a-robot-" + "x" * 400


@pytest.mark.parametrize("language", languages())
def test_files_of_a_model(language, tmp_path):
    named = [generate(arm().replace(name=f"{LONG}{end}"), language) for end in ("one", "two")]
    assert not set(named[0]) & set(named[1])
    for name, text in (named[0] | named[1]).items():
        assert len(name) <= LONGEST + 6
        write_text(tmp_path / name, text)
    assert len(list(tmp_path.iterdir())) == len(named[0]) + len(named[1])


@pytest.mark.parametrize("language", languages(routines=True))
def test_files_of_a_routine(language, tmp_path):
    named = [generate(angles(), language, name=f"{LONG}{end}") for end in ("one", "two")]
    assert not set(named[0]) & set(named[1])
    for name, text in (named[0] | named[1]).items():
        assert len(name) <= LONGEST + 6
        write_text(tmp_path / name, text)


def test_a_package_of_a_robot_with_a_long_name():
    stems = [packaging.order(load("planar-2r").replace(name=f"{LONG}{end}")).stem for end in ("one", "two")]
    assert len(set(stems)) == 2
    assert max(map(len, stems)) <= 35


# --- paths that people give ------------------------------------------------------------------------------------------


def test_the_longest_name_a_file_can_have(tmp_path):
    """What is written beside it has a name of its own, not a longer one."""
    path = tmp_path / ("x" * 250 + ".toml")
    save(load("planar-2r"), path)
    assert path.is_file()
    assert len(list(tmp_path.iterdir())) == 1
    folder = tmp_path / ("y" * 255)
    packaging.write_folder(folder, {"readme.txt": "text"})
    assert (folder / "readme.txt").read_text() == "text"


def test_a_name_that_no_file_can_have(tmp_path: Path):
    for path in (tmp_path / ("x" * 300 + ".toml"), tmp_path / ("é" * 150 + ".toml")):
        with pytest.raises(RobosymError, match="cannot be written: File name too long"):
            save(load("planar-2r"), path)
