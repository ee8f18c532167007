"""Machine code on disk: found again, never trusted when something is wrong, never in the way."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sample_programs import one_output

from robosym.expr import parameter, sin, variable
from robosym.runtime import compile_program, disk_cache, engine
from robosym.runtime.host import host

X = variable("x")
PROGRAM = one_output(sin(X) + 3.25 * X, [X])
ASSEMBLY = "define double @f(double %x) {\n  %y = fmul double %x, 2.5\n  ret double %y\n}\n"
posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes of POSIX systems")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of this test's own, and no code that lives already."""
    place = tmp_path / "cache"
    monkeypatch.setenv(disk_cache.VARIABLE, str(place))
    monkeypatch.setattr(engine, "_living", {})
    disk_cache._tidy.cache_clear()
    yield place
    disk_cache._tidy.cache_clear()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The assemblies that were compiled."""
    done: list[str] = []
    plain = engine.compiled

    def noted(assembly: str, speed_level: int, passes: Sequence[str] = ()) -> bytes:
        done.append(assembly)
        return plain(assembly, speed_level, passes)

    monkeypatch.setattr(engine, "compiled", noted)
    return done


def again(assembly: str = ASSEMBLY, *level: int) -> engine.Engine:
    """As another process would ask for it."""
    engine._living.clear()
    return engine.engine(assembly, *level)


def only(folder: Path) -> Path:
    (file,) = folder.glob("*.o")
    return file


def test_found_again(folder, compilations):
    again()
    assert len(compilations) == 1
    assert again().address("f")
    assert len(compilations) == 1
    assert not list(folder.glob(".*"))  # nothing half written is left


def test_a_function_of_a_program_is_found_again(folder, compilations):
    first = compile_program(PROGRAM)(x=[0.7])
    count = len(compilations)
    assert count
    engine._living.clear()
    assert compile_program(PROGRAM)(x=[0.7]) == first
    assert len(compilations) == count


def test_living_code_is_shared(folder, compilations):
    kept = engine.engine(ASSEMBLY)
    only(folder).unlink()
    assert engine.engine(ASSEMBLY) is kept
    assert len(compilations) == 1


def test_a_function_outlives_its_file(folder):
    f = compile_program(PROGRAM)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert f(x=[0.5])[0] == pytest.approx(float(compile_program(PROGRAM)(x=[0.5])[0]))


def damaged() -> dict[str, object]:
    def flipped(data: bytes, at: int) -> bytes:
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    return {
        "empty": lambda data: b"",
        "cut short": lambda data: data[:-1],
        "only the head": lambda data: data[: len(disk_cache.MAGIC) + disk_cache.DIGEST],
        "half a head": lambda data: data[:10],
        "longer": lambda data: data + b"\0",
        "other magic": lambda data: flipped(data, 0),
        "other digest": lambda data: flipped(data, len(disk_cache.MAGIC)),
        "other code": lambda data: flipped(data, len(data) - 1),
        "noise": lambda data: bytes(range(256)) * 40,
    }


@pytest.mark.parametrize("how", list(damaged()))
def test_damaged_files_are_compiled_anew_and_repaired(folder, compilations, how):
    again()
    file = only(folder)
    whole = file.read_bytes()
    file.write_bytes(damaged()[how](whole))
    assert again().address("f")
    assert len(compilations) == 2
    assert only(folder).read_bytes() == whole
    again()
    assert len(compilations) == 2


def test_files_that_changed_places_are_not_taken(folder, compilations):
    """Whole files, each under the name of the other."""
    other = ASSEMBLY.replace("2.5", "3.5")
    again()
    first = only(folder)
    again(other)
    (second,) = set(folder.glob("*.o")) - {first}
    one, two = first.read_bytes(), second.read_bytes()
    assert one != two
    first.write_bytes(two)
    second.write_bytes(one)
    again()
    again(other)
    assert len(compilations) == 4
    assert (first.read_bytes(), second.read_bytes()) == (one, two)


def test_a_file_that_is_a_folder(folder, compilations):
    again()
    file = only(folder)
    file.unlink()
    file.mkdir()
    assert again().address("f")
    assert len(compilations) == 2


@posix
@pytest.mark.parametrize("kind", ["pipe", "socket", "link to itself", "link to a pipe", "link to a device"])
def test_what_is_no_ordinary_file_is_replaced_and_never_waited_for(folder, compilations, tmp_path, monkeypatch, kind):
    again()
    file = only(folder)
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file, 0o600)
    elif kind == "socket":
        monkeypatch.chdir(folder)  # the path of a socket is short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(file.name)
    elif kind == "link to itself":
        file.symlink_to(file)
    elif kind == "link to a pipe":
        os.mkfifo(tmp_path / "pipe", 0o600)
        file.symlink_to(tmp_path / "pipe")
    else:
        file.symlink_to("/dev/zero")
    assert again().address("f")
    assert len(compilations) == 2
    assert stat.S_ISREG(os.lstat(file).st_mode)
    assert stat.S_IMODE(os.lstat(file).st_mode) == 0o600
    again()
    assert len(compilations) == 2


@posix
def test_a_pipe_in_place_of_the_folder(folder, compilations):
    os.mkfifo(folder)
    assert again().address("f")
    assert again().address("f")
    assert len(compilations) == 2


def test_a_file_too_large_for_the_cache_is_not_read(folder, compilations, monkeypatch):
    again()
    monkeypatch.setattr(disk_cache, "LARGEST", 10)
    again()
    assert len(compilations) == 2


# --- who may write there ---------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077])
def test_whatever_the_umask_only_the_owner_may_write(folder, compilations, umask):
    before = os.umask(umask)
    try:
        again()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not stat.S_IMODE(only(folder).stat().st_mode) & 0o022
    again()
    assert len(compilations) == 1


@posix
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_others_may_write_is_not_used(folder, compilations, mode):
    again()
    folder.chmod(mode)
    again()
    assert len(compilations) == 2
    only(folder).unlink()
    again()
    assert not list(folder.iterdir())


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_others_may_write_is_not_read(folder, compilations, mode):
    again()
    only(folder).chmod(mode)
    again()
    assert len(compilations) == 2
    assert not stat.S_IMODE(only(folder).stat().st_mode) & 0o022  # and is written anew
    again()
    assert len(compilations) == 2


@posix
def test_what_belongs_to_somebody_else_is_not_used(folder, compilations, monkeypatch):
    again()
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    before = only(folder).read_bytes()
    again()
    assert len(compilations) == 2
    assert only(folder).read_bytes() == before


@posix
def test_links_are_not_followed(folder, compilations, tmp_path):
    again()
    file = only(folder)
    moved = tmp_path / "moved.o"
    file.rename(moved)
    file.symlink_to(moved)
    again()
    assert len(compilations) == 2
    assert not file.is_symlink()
    real = tmp_path / "real"
    folder.rename(real)
    folder.symlink_to(real)
    again()
    assert len(compilations) == 3


@pytest.mark.parametrize("where", ["/proc/nowhere", "/dev/null", "/dev/null/below"])
def test_where_nothing_can_be_kept_programs_are_compiled(compilations, monkeypatch, where):
    monkeypatch.setenv(disk_cache.VARIABLE, where)
    assert compile_program(PROGRAM)(x=[0.0])[0] == 0
    count = len(compilations)
    again()
    again()
    assert len(compilations) == count + 2


def test_a_file_in_place_of_the_folder(folder, compilations):
    folder.write_text("not a folder")
    again()
    again()
    assert len(compilations) == 2
    assert folder.read_text() == "not a folder"


def test_a_disk_that_is_full(folder, compilations, monkeypatch):
    def full(path: Path, data: bytes, mode: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_cache, "write_bytes", full)
    assert again().address("f")
    assert not list(folder.iterdir())


# --- where, and for what ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["", "off", "OFF", " 0 ", "none"])
def test_switched_off(tmp_path, compilations, monkeypatch, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    monkeypatch.setenv(disk_cache.VARIABLE, said)
    again()
    again()
    assert len(compilations) == 2
    assert not list(tmp_path.iterdir())


@posix
@pytest.mark.parametrize("said", ["~nobody-of-this-name/x", "~nobody-of-this-name"])
def test_the_home_of_a_user_who_does_not_exist(tmp_path, compilations, monkeypatch, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(disk_cache.VARIABLE, said)
    assert disk_cache.folder() is None
    again()
    assert len(compilations) == 1
    assert not list(tmp_path.iterdir())


@posix
def test_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(disk_cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert disk_cache.folder() == tmp_path / "own" / "robosym"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert disk_cache.folder() is None
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert disk_cache.folder() == tmp_path / ".cache" / "robosym"


def test_other_levels_processors_versions_and_flags_have_files_of_their_own(folder, compilations, monkeypatch):
    again()
    again(ASSEMBLY, 0)
    again(ASSEMBLY, 2)
    own = host()
    for change in ({"features": ""}, {"cpu": "generic"}):
        monkeypatch.setattr(engine, "host", lambda change=change: replace(own, **change))
        again()
    monkeypatch.setattr(engine, "host", host)
    for name, value in (("SPEED_LEVEL", 1), ("INSTRUCTION_LEVEL", 1)):
        monkeypatch.setattr(engine, name, value)
    again()
    monkeypatch.setattr(disk_cache, "__version__", "another")
    again()
    monkeypatch.setattr(engine.llvmlite, "__version__", "another")
    again()
    assert len(compilations) == len(list(folder.glob("*.o"))) == 8


def test_fused_programs_have_files_of_their_own(folder, compilations):
    program = one_output(X * variable("y") + variable("z"), [X, variable("y"), variable("z")])
    plain = compile_program(program)
    count = len(compilations)
    fused = compile_program(program, fused=True)
    assert len(compilations) == count + 1
    given = [1 + 2.0**-30, 1 - 2.0**-30, -1.0]
    assert plain(x=given)[0] == 0
    assert fused(x=given)[0] in (0, -(2.0**-60))


def test_numbers_in_the_code_are_part_of_its_name(folder):
    program = one_output(X * parameter("a"), [X]).replace(parameter_symbols=(parameter("a"),))
    found = []
    for a in (2.0, 3.0, 2.0):
        engine._living.clear()
        found.append(float(compile_program(program, values={"a": a})(x=[1.0])[0]))
    assert found == [2, 3, 2]


def test_parts_of_a_key_are_kept_apart():
    assert disk_cache.key_of("ab", "c") != disk_cache.key_of("a", "bc")
    assert disk_cache.key_of("a", "") != disk_cache.key_of("a")
    assert disk_cache.key_of("1:a") != disk_cache.key_of("", "a")


# --- many files, many processes --------------------------------------------------------------------------------------


def test_the_oldest_go_when_there_is_too_much(folder, monkeypatch):
    folder.mkdir(mode=0o700)
    names = [f"{age:064x}.o" for age in range(6)]
    for age, name in enumerate(names):
        file = folder / name
        file.write_bytes(b"x" * 1000)
        os.utime(file, (1000 - age, 1000 - age))
    (folder / "notes.txt").write_text("not ours")
    (folder / "kernel.o").write_bytes(b"x" * 5000)  # nor is this, though it looks alike
    os.utime(folder / "kernel.o", (1, 1))
    monkeypatch.setattr(disk_cache, "LARGEST", 2500)
    disk_cache.store("new", b"code")
    left = {file.name for file in folder.iterdir()}
    assert left == {"new.o", *names[:2], "notes.txt", "kernel.o"}
    assert disk_cache.load("new") == b"code"


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [["0", "1", "2", "3"]])
def test_processes_at_the_same_time(folder, seeds):
    """All four compile the same program, each with another order of sets: one file each for what they share."""
    tests = Path(__file__).parents[1]
    text = (
        f"import sys; sys.path.insert(0, {str(tests)!r})\n"
        "from sample_programs import hostile, values_of, arrays_of\n"
        "from robosym.runtime import compile_program\n"
        "p = hostile(); v = values_of(p)\n"
        "f = compile_program(p, values={s.name: v[s] for s in p.parameter_symbols})\n"
        "print(f(**arrays_of(p, v))['T'].tolist())\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", text],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in seeds
    ]
    said = {process.communicate(timeout=120)[0] for process in started}
    assert all(process.returncode == 0 for process in started)
    assert len(said) == 1
    files = sorted(file.name for file in folder.iterdir())
    assert len(files) == 2  # the program, and the calls from Python
    assert all(disk_cache.load(name.removesuffix(".o")) for name in files)


def test_passes_that_are_named_are_part_of_the_name(compilations: list[str]) -> None:
    for passes in ((), ("sroa",), engine.LIGHT):
        engine.engine(ASSEMBLY, engine.SPEED_LEVEL, passes)
        engine._living.clear()
        engine.engine(ASSEMBLY, engine.SPEED_LEVEL, passes)
        engine._living.clear()
    assert len(compilations) == 3
