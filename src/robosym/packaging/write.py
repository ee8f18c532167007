"""A folder of files, written whole: everything is laid ready beside it before the first file is put in place."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import RobosymError
from ..files import beside, write_text

MANIFEST = "robosym-package.json"  # names the files that are ours, so that a later export may write over them


def write_folder(folder: str | Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write the files of a package to a folder. Other files in it stay.

    Parameters
    ----------
    folder
        Folder of the package.
    files
        Text of each file, by its path in the folder.
    force
        Whether files that no export wrote are overwritten. False: such a file raises an error before anything is
        written.
    """
    target = Path(folder)
    ours = _ours(target)
    if not force:
        _without_foreign(target, files, ours)
    # The list comes first: an export that is interrupted can be repeated.
    everything = {MANIFEST: json.dumps({"files": sorted({*ours, *files})}, indent=1) + "\n", **files}
    whole = Path(os.path.realpath(target))  # what is renamed lies on one file system
    ready = beside(whole)
    try:
        for name, text in everything.items():
            (ready / name).parent.mkdir(parents=True, exist_ok=True)
            write_text(ready / name, text)
        _put_in_place(ready, target, list(everything))
    except OSError as error:
        raise RobosymError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(ready, ignore_errors=True)


def _without_foreign(target: Path, names: Iterable[str], ours: set[str]) -> None:
    foreign = [name for name in names if name not in ours and os.path.lexists(target / name)]
    if foreign:
        listed = ", ".join(foreign[:5]) + (", ..." if len(foreign) > 5 else "")
        raise RobosymError(f"{target}: {listed}: would be written over, and was not written by robosym")


def check_folder(folder: str | Path, names: Iterable[str] = (), alone: bool = False) -> None:
    """Raise an error if a package cannot be written to a folder, before the models are made.

    Parameters
    ----------
    folder
        Folder of the package.
    names
        Paths of the files in the folder. A file of such a path that no export wrote is an error.
    alone
        Whether a folder that holds anything but an earlier package is an error.
    """
    target = Path(os.path.abspath(folder))
    if alone and target.is_dir() and not (target / MANIFEST).exists() and any(target.iterdir()):
        raise RobosymError(
            f"{folder}: holds other files: expected a new folder, an empty one, or one robosym has written"
        )
    _without_foreign(target, names, _ours(target))
    above = next(path for path in (target, *target.parents) if path.exists())
    if not above.is_dir():
        raise RobosymError(f"{folder}: cannot be made: {above} is a file")
    if not os.access(above, os.W_OK):
        raise RobosymError(f"{folder}: cannot be written: no permission to write to {above}")


def _put_in_place(ready: Path, target: Path, names: list[str]) -> None:
    if not target.exists():
        os.replace(ready, target)
        return
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
    for name in names:
        os.replace(ready / name, target / name)


def _ours(target: Path) -> set[str]:
    """The files an earlier export wrote here."""
    if target.exists() and not target.is_dir():
        raise RobosymError(f"{target}: expected a folder, this is a file")
    try:
        listed = json.loads((target / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (FileNotFoundError, NotADirectoryError):
        return set()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RobosymError(f"{target / MANIFEST}: not the list of files an earlier export left here") from error
    if not isinstance(listed, list):
        raise RobosymError(f"{target / MANIFEST}: not the list of files an earlier export left here")
    return {name for name in listed if isinstance(name, str)}
