"""Build the wheel and the source archive, check what they hold, install and try them on every Python that is here.

``python tools/check_distribution.py`` builds in fresh environments, as a package index would receive the files: the archive
from the project, the wheel from the archive. Each is installed into a fresh environment of every supported version of Python
found on PATH or among pyenv's, and tried there (``distribution_smoke.py``). Last, the oldest of them gets the lowest versions
of the dependencies that ``pyproject.toml`` allows, and runs some of the tests too. Needs pip's index.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMOKE = Path(__file__).with_name("distribution_smoke.py")
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
NEWEST_MINOR = 30  # of Python 3, to look for
# What must be in the wheel besides every file of the package.
REQUIRED = (
    "robosym/py.typed",
    "robosym/web/static/index.html",
    "robosym/web/static/vendor/vendor.json",
    "robosym/library/robots/rx90.toml",
)
# Tests that need nothing but the test runner, and where the lowest versions of its parts are.
TESTS = ("tests/expr", "tests/spatial", "tests/cli/test_guesses.py")
RUNNER = ("pytest", "hypothesis", "sympy")


class DistributionError(Exception):
    """A command that failed, or content that is wrong; the message says which."""


# --- the project's metadata ---------------------------------------------------------------------------------------------


def metadata() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def lowest(requirements: Iterable[str]) -> list[str]:
    """Each requirement at its lower bound: ``numpy>=1.26`` becomes ``numpy==1.26``, exactly that release."""
    pins = []
    for requirement in requirements:
        bound = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*(?:>=|==)\s*([0-9][^,;\s]*)(?:\s*,.*)?", requirement)
        if bound is None:
            raise DistributionError(f"{requirement!r}: expected a lower bound, as in numpy>=1.26")
        pins.append(f"{bound[1]}=={bound[2]}")
    return pins


def lowest_minor(requires_python: str) -> int:
    """The minor version of the oldest Python: 11 of ``>=3.11``."""
    bound = re.match(r">=\s*3\.(\d+)", requires_python)
    if bound is None:
        raise DistributionError(f"requires-python: expected >=3.N, got {requires_python!r}")
    return int(bound[1])


# --- content ------------------------------------------------------------------------------------------------------------


def package_files() -> set[str]:
    """Every file of the package, as the wheel names it."""
    source = ROOT / "src"
    paths = (path for path in (source / "robosym").rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(source).as_posix() for path in paths}


def vendored() -> set[str]:
    """The licence of each library that the web app brings along, as the wheel names it."""
    folder = ROOT / "src" / "robosym" / "web" / "static" / "vendor" / "licences"
    return {path.relative_to(ROOT / "src").as_posix() for path in folder.iterdir()}


def wheel_problems(names: Iterable[str], expected: set[str], licences: set[str]) -> list[str]:
    """What is wrong with the names in a wheel: the package complete, its licences, and nothing else."""
    there = set(names)
    information = {name for name in there if re.match(r"robosym-[^/]+\.dist-info/", name)}
    package = there - information
    problems = [f"{name} is missing" for name in sorted((expected | licences | set(REQUIRED)) - package)]
    problems += [f"{name} does not belong into the wheel" for name in sorted(package - expected)]
    problems += [f"{name} is a test" for name in sorted(package) if re.search(r"(^|/)(tests?/|test_|conftest)", name)]
    if not licences:
        problems.append("the licences of the vendored libraries are missing")
    if not any(name.endswith("/licenses/LICENSE") for name in information):
        problems.append("the project's own licence is missing")
    return problems


def archive_problems(names: Iterable[str], expected: set[str]) -> list[str]:
    """What is wrong with the names in the source archive: all that is needed to build, nothing that is made."""
    there = {name.partition("/")[2] for name in names}
    needed = {f"src/{name}" for name in expected} | {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
    made = re.compile(r"(^|/)(__pycache__|\.venv|\.git|node_modules|\.hypothesis|\.[a-z]+_cache)(/|$)|\.pyc$")
    problems = [f"{name} is missing" for name in sorted(needed - there)]
    return problems + [f"{name} does not belong into the archive" for name in sorted(there) if made.search(name)]


# --- commands -----------------------------------------------------------------------------------------------------------


def environment(folder: Path) -> dict[str, str]:
    """The variables without what would let the project's folder in; machine code is kept in a folder of its own."""
    foreign = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE", "__PYVENV_LAUNCHER__")
    kept = {name: value for name, value in os.environ.items() if name not in foreign}
    return kept | {"ROBOSYM_CACHE": str(folder / "cache"), "PYTHONNOUSERSITE": "1", "COLUMNS": "120"}


def run(command: Sequence[str | Path], folder: Path, where: Path | None = None) -> str:
    """The output of a command; an error holds all of it."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=where or folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        words = " ".join(str(word) for word in command)
        raise DistributionError(f"{words}\nended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def fresh(interpreter: str | Path, folder: Path) -> Path:
    """The Python of a new environment."""
    run([interpreter, "-m", "venv", "--clear", folder], folder.parent)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def install(python: Path, *what: str | Path) -> None:
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what], python.parents[2])


def interpreters(minor: int) -> dict[int, str]:
    """One interpreter of each version of Python 3 from this minor on, that can make environments."""
    candidates = [(sys.version_info.minor, sys.executable)]
    for path in sorted(PYENV.glob("versions/3.*/bin/python")):
        name = re.match(r"3\.(\d+)", path.parts[-3])
        candidates += [(int(name[1]), str(path))] if name else []
    for k in range(minor, NEWEST_MINOR):
        candidates += [(k, path)] if (path := shutil.which(f"python3.{k}")) else []
    found: dict[int, str] = {}
    for version, candidate in candidates:
        if version >= minor and version not in found and minor_version(candidate) == version:
            found[version] = candidate
    return dict(sorted(found.items()))


def minor_version(candidate: str) -> int | None:
    """Of Python 3; None for what does not run, for another Python, and for one that cannot make environments."""
    code = """import sys; from importlib.util import find_spec as find
assert find("venv") and find("ensurepip"); print(*sys.version_info[:2], sys.implementation.name)"""
    try:
        done = subprocess.run([candidate, "-ISc", code], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    major, minor, name = done.stdout.split()
    return int(minor) if (major, name) == ("3", "cpython") else None


# --- the steps ----------------------------------------------------------------------------------------------------------


def build(folder: Path) -> tuple[Path, Path]:
    """The source archive, and the wheel that is built from it."""
    project = metadata()
    requires = project["build-system"]["requires"]  # type: ignore[index]
    python = fresh(sys.executable, folder / "builder")
    install(python, *requires)
    hatchling, made = [python, "-m", "hatchling", "build", "--directory", folder / "dist"], folder / "dist"
    run([*hatchling, "--target", "sdist"], folder, ROOT)
    (archive,) = made.glob("*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    run([*hatchling, "--target", "wheel"], folder, unpacked)
    (wheel,) = made.glob("*.whl")
    return archive, wheel


def check_content(archive: Path, wheel: Path) -> None:
    expected = package_files()
    with zipfile.ZipFile(wheel) as content:
        problems = wheel_problems(content.namelist(), expected, vendored())
    with tarfile.open(archive) as files:
        problems += archive_problems((one.name for one in files if one.isfile()), expected)
    if problems:
        raise DistributionError("\n".join(problems))


def try_wheel(wheel: Path, interpreter: str, folder: Path) -> str:
    """The wheel alone, and then with what the web app needs."""
    python = fresh(interpreter, folder / f"wheel-{Path(wheel).stem}")
    install(python, wheel)
    report = run([python, "-I", SMOKE, "base", "without-web"], folder)
    install(python, f"{wheel}[web]")
    return report + run([python, "-I", SMOKE, "web"], folder)


def try_archive(archive: Path, interpreter: str, folder: Path) -> str:
    """The source archive, which pip builds; with the web app."""
    python = fresh(interpreter, folder / "archive")
    install(python, f"{archive}[web]")
    return run([python, "-I", SMOKE, "base", "web"], folder)


def lowest_pins() -> tuple[list[str], list[str]]:
    """Of what Robosym needs with its web app, and of what runs the tests."""
    project = metadata()["project"]
    extras = project["optional-dependencies"]  # type: ignore[index]
    needed = lowest([*project["dependencies"], *extras["web"]])  # type: ignore[index]
    runner = [one for one in extras["test"] if re.match(r"[\w-]+", one)[0] in RUNNER]  # type: ignore[index]
    return needed, lowest(runner)


def try_lowest(wheel: Path, interpreter: str, folder: Path) -> str:
    """The lowest allowed versions: the same checks, and some of the tests with the installed Robosym."""
    needed, runner = lowest_pins()
    python = fresh(interpreter, folder / "lowest")
    install(python, f"{wheel}[web]", *needed, *runner)
    report = run([python, "-I", SMOKE, "base", "web"], folder)
    options = [
        "-p",
        "no:cacheprovider",
        "-o",
        f"cache_dir={folder / 'pytest'}",
        "--rootdir",
        ROOT,
        "-c",
        ROOT / "pyproject.toml",
    ]
    run([python, "-m", "pytest", *options, *(ROOT / name for name in TESTS)], folder)
    return report + f"  {', '.join(TESTS)} pass with {' '.join(needed)}\n"


def checks(folder: Path) -> Iterator[tuple[str, str]]:
    """Each step and its report."""
    archive, wheel = build(folder)
    check_content(archive, wheel)
    yield "content", f"  {archive.name}, {wheel.name}\n"
    minor = lowest_minor(metadata()["project"]["requires-python"])  # type: ignore[index]
    there = interpreters(minor)
    if not there:
        raise DistributionError(f"there is no Python from 3.{minor} on that can make environments")
    for version, interpreter in there.items():
        own = folder / f"3.{version}"
        own.mkdir()
        yield f"wheel, Python 3.{version}", try_wheel(wheel, interpreter, own)
        yield f"archive, Python 3.{version}", try_archive(archive, interpreter, own)
        shutil.rmtree(own)
    oldest = min(there)
    yield f"lowest versions, Python 3.{oldest}", try_lowest(wheel, there[oldest], folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, help="where to keep the two files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            for title, report in checks(folder):
                print(f"{title}\n{report}", end="", flush=True)
        except DistributionError as error:
            sys.exit(f"failed: {error}")
        if options.output is not None:
            shutil.copytree(folder / "dist", options.output, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
