"""Runs of compilers and interpreters, kept on disk: the same tool on the same files with the same input runs once.

The key of a run holds the tool (path, size, date and link target), its arguments, the content of all files of the folder and
the input, so a changed text always runs. Only successes are kept: exit status 0, with output and the files that were written.
They lie in ``.cache/tests`` of the project, or in the folder that ``ROBOSYM_TEST_CACHE`` names; ``off`` keeps nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

VARIABLE = "ROBOSYM_TEST_CACHE"
UNUSED = 14 * 86400.0  # seconds after which an entry goes
FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # dates of the files in an entry do not matter


def cache_folder() -> Path | None:
    """The folder of everything that tests keep between runs."""
    named = os.environ.get(VARIABLE, "")
    if named.strip().lower() in ("off", "0", "none"):
        return None
    return Path(named) if named else Path(__file__).resolve().parents[1] / ".cache" / "tests"


def run_tool(
    command: Sequence[str | Path], folder: Path, *, input: str = "", timeout: float = 300, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder that holds only what it reads, or bring back what it printed and wrote there before."""
    words = [str(word) for word in command]
    place = cache_folder()
    if place is None:
        return _run(words, folder, input, timeout, encoding)
    before = _contents(folder)
    entry = place / "tools" / f"{_key(words, folder, before, input)}.zip"
    kept = _restored(entry, folder)
    if kept is not None:
        return subprocess.CompletedProcess(words, 0, kept["stdout"], kept["stderr"])
    done = _run(words, folder, input, timeout, encoding)
    if done.returncode == 0:
        after = _contents(folder)
        _keep(entry, done, folder, [name for name, digest in after.items() if before.get(name) != digest])
    return done


def remove_unused() -> None:
    """Remove the entries that no run has used for two weeks."""
    place = cache_folder()
    oldest = time.time() - UNUSED
    for path in place.rglob("*") if place is not None and place.is_dir() else ():
        if path.is_file() and path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def _run(words: list[str], folder: Path, given: str, timeout: float, encoding: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, input=given, capture_output=True, encoding=encoding, timeout=timeout)


def _key(words: list[str], folder: Path, files: dict[str, str], given: str) -> str:
    arguments = [word.replace(str(folder), ".") for word in words]
    parts = [_tool(words[0], folder), arguments, sorted(files.items()), given]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _tool(name: str, folder: Path) -> list[object]:
    """Which program a command runs. One inside the folder is among its files."""
    inside = (folder / name).resolve()
    if inside.is_file() and inside.is_relative_to(folder.resolve()):
        return [inside.name]
    return _installed(name)


@cache
def _installed(name: str) -> list[object]:
    path = Path(shutil.which(name) or name).resolve()
    state = path.stat()
    return [str(path), state.st_size, state.st_mtime_ns]


def _contents(folder: Path) -> dict[str, str]:
    """Digests of all files by name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _restored(entry: Path, folder: Path) -> dict[str, str] | None:
    try:
        with zipfile.ZipFile(entry) as archive:
            kept: dict[str, str] = json.loads(archive.read("run.json"))
            for name in kept["files"]:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)  # a library of that name may be loaded
                path.write_bytes(archive.read(f"files/{name}"))
                path.chmod(0o755)
        os.utime(entry)
        return kept
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def _keep(entry: Path, done: subprocess.CompletedProcess[str], folder: Path, written: list[str]) -> None:
    """Written beside its place and renamed, for several processes keep runs at the same time."""
    entry.parent.mkdir(parents=True, exist_ok=True)
    beside = entry.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        text = json.dumps({"stdout": done.stdout, "stderr": done.stderr, "files": written})
        archive.writestr(zipfile.ZipInfo("run.json", FIRST_DATE), text)
        for name in written:
            archive.writestr(zipfile.ZipInfo(f"files/{name}", FIRST_DATE), (folder / name).read_bytes())
    beside.replace(entry)
