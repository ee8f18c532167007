"""Libraries in C as archives."""

from __future__ import annotations

import base64
import io
import zipfile

from robosym import packaging
from robosym.robot import Robot
from robosym.views.packages import archive, c_library


def test_an_archive_holds_its_files_and_is_the_same_again() -> None:
    packed = archive("arm-c", {"b.c": "two", "a.h": "one"})
    assert packed == archive("arm-c", {"a.h": "one", "b.c": "two"})
    with zipfile.ZipFile(io.BytesIO(packed)) as found:
        assert found.namelist() == ["arm-c/a.h", "arm-c/b.c"]
        assert found.read("arm-c/b.c") == b"two"


def test_a_library_holds_what_the_package_has_and_says_what_it_leaves_out() -> None:
    """The smallest robot: the archive is that of the files of the packages, and progress comes to its end."""
    robot = Robot.from_table("../a b/c", [{"ZZ": 1, "joint": "turn"}], gravity=[0, 0, -9.81])
    told: list[tuple[float | None, str]] = []
    found = c_library(robot, lambda share, words: told.append((share, words)))
    order = packaging.order(robot, "c")
    parts = list(packaging.work(order)[0])
    name = found["name"].removesuffix(".zip")
    assert name == "a_b_c-c"  # a folder on any system, and no way out of it
    assert base64.b64decode(found["zip"]) == archive(name, packaging.assembled(order, parts))
    assert [share for share, _ in told] == [(k + 1) / len(parts) for k in range(len(parts))]
    assert [words for _, words in told] == [part.name for part in parts]
    left = {one["name"]: one["reason"] for one in found["left_out"]}
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zip"]))) as packed:
        written = " ".join(packed.namelist())
        assert all(item.startswith(f"{name}/") for item in packed.namelist())
    assert all(left.values())
    assert "geometric" in written
    assert left.keys() == {one.name for one in packaging.left_out(parts)} != set()


def test_an_archive_of_nothing_is_empty() -> None:
    with zipfile.ZipFile(io.BytesIO(archive("arm-c", {}))) as found:
        assert found.namelist() == []


def test_files_of_an_archive_have_no_time_and_are_packed() -> None:
    packed = archive("arm-c", {"a.h": "x" * 5000})
    (one,) = zipfile.ZipFile(io.BytesIO(packed)).infolist()
    assert one.date_time == (1980, 1, 1, 0, 0, 0)
    assert one.compress_size < 100
