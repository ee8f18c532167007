"""The libraries of the page are those that were built: their digests, licences and versions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import robosym

STATIC = Path(robosym.__file__).parent / "web" / "static"
VENDOR = STATIC / "vendor"
LOCK = Path(__file__).parents[2] / "tools" / "vendor" / "package-lock.json"


def test_every_file_has_its_digest() -> None:
    said = json.loads((VENDOR / "vendor.json").read_text())["digests"]
    there = {str(path.relative_to(VENDOR)): path for path in VENDOR.rglob("*") if path.is_file()}
    del there["vendor.json"]
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in there.items()} == said


def test_versions_are_locked_and_licences_are_there() -> None:
    versions = json.loads((VENDOR / "vendor.json").read_text())["versions"]
    packages = json.loads(LOCK.read_text())["packages"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in versions} == versions
    assert all(
        "Permission" in (VENDOR / "licences" / f"{name}.txt").read_text()
        or "Apache" in (VENDOR / "licences" / f"{name}.txt").read_text()
        for name in versions
    )


def test_nothing_is_loaded_from_elsewhere() -> None:
    own = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".html") and VENDOR not in path.parents]
    assert own
    for path in own:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text, path
        assert "https://" not in text, path
        assert "eval(" not in text, path
        assert "innerHTML" not in text, path
