"""Every benchmark runs at its small size: its tables hold finite numbers, and a peer that is not installed is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}
BENCHMARKS = [name for name, text in SOURCES.items() if '__name__ == "__main__"' in text]
PEERS = {name: set(re.findall(r'installed\(\s*"(\w+)"', SOURCES[name])) for name in BENCHMARKS}
# Pinocchio is what run_time.py compares all others with, so CasADi is missing alone.
HIDDEN = [(name, peers) for name, peers in PEERS.items() if peers and name != "run_time"]
HIDDEN += [("run_time", {"pinocchio"}), ("run_time", {"casadi"})]

WITHOUT = """
import runpy, sys
from pathlib import Path
hidden, path = sys.argv[1].split(","), sys.argv[2]
sys.modules.update(dict.fromkeys(hidden))
sys.argv[:] = [path, "--small"]
sys.path.insert(0, str(Path(path).parent))
runpy.run_path(path, run_name="__main__")
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def output(cache: Path, *arguments: str) -> str:
    environment = os.environ | {"ROBOSYM_CACHE": str(cache), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tables(text: str) -> list[list[str]]:
    """The rows of each table, without its head."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("┏"):
            found.append([])
        elif line.startswith("│"):
            found[-1].append(line)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_small_size_prints_tables_of_finite_numbers(name: str, cache: Path) -> None:
    text = output(cache, str(FOLDER / f"{name}.py"), "--small")
    found = tables(text)
    assert found or "left out" in text, text
    for rows in found:
        assert re.search(r"\d", "".join(rows)), text
        assert not re.search(r"\b(nan|inf)\b", "".join(rows)), text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "peers"), HIDDEN, ids=lambda value: value if isinstance(value, str) else "")
def test_peers_that_are_not_installed_are_named(name: str, peers: set[str], cache: Path) -> None:
    text = output(cache, "-c", WITHOUT, ",".join(sorted(peers)), str(FOLDER / f"{name}.py"))
    assert {peer for peer in peers if f"{peer} is not installed" in text} == peers, text
    assert "nan" not in text


def test_every_benchmark_has_a_small_size_and_every_helper_is_used() -> None:
    imported = {name for text in SOURCES.values() for name in re.findall(r"^from (\w+) import", text, re.M)}
    assert set(SOURCES) - set(BENCHMARKS) <= imported
    assert [name for name in BENCHMARKS if "from sizes import" not in SOURCES[name]] == []
