"""The script that takes the pictures of the docs: two of them, into another folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from screenshots import FOLDER, PICTURES

Image = pytest.importorskip("PIL.Image")

SCRIPT = Path(__file__).parents[2] / "tools" / "screenshots.py"
LARGEST = 150_000  # bytes of a picture


@pytest.mark.slow
def test_the_script_takes_pictures(browser: Any, tmp_path: Path) -> None:
    subprocess.run([sys.executable, SCRIPT, "--folder", tmp_path, "phone", "optimizer"], check=True, timeout=300)
    for name, size in (("phone", (390, 844)), ("optimizer", (1440, 900))):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.size == size
            assert len(picture.getcolors()) > 64  # a page, not an empty sheet
    assert {path.stem for path in tmp_path.iterdir()} == {"phone", "optimizer"}


def test_the_docs_have_every_picture() -> None:
    pictures = {path.stem: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert set(pictures) == set(PICTURES)
    assert max(pictures.values()) < LARGEST
