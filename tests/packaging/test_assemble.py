"""The files of a package: every part is in it once, with its parameters and what a person has to know."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from package_parts import ordered
from package_robots import EVIL

import robosym
from robosym.codegen import CodegenError
from robosym.packaging import Part, Refused, assembled


def test_files_of_a_language() -> None:
    """Those of the parts as they are, and two around them."""
    order, parts = ordered(["gravity", "transform"], language="rust")
    files = assembled(order, parts)
    assert {name: text for part in parts for name, text in part.files.items()}.items() <= files.items()
    assert set(files) == {"planar_2r_gravity.rs", "planar_2r_transform.rs", "parameters.json", "README.md"}


def test_parameters_stand_in_the_order_of_the_functions() -> None:
    robot = robosym.load("planar-2r")
    some = {name: value for name, value in robot.values.items() if name != "L1"}
    order, parts = ordered(["gravity", "transform", "transmission"], robot.replace(values=some), "python")
    found = json.loads(assembled(order, parts)["parameters.json"])
    assert found["robot"] == "planar-2r"
    assert list(found["models"]) == ["gravity", "transform", "transmission"]
    for part in parts:
        listed = found["models"][part.name]
        assert [one["name"] for one in listed] == [symbol.name for symbol in part.printed.parameter_symbols]
        for one in listed:
            known = some.get(one["name"])
            expected = (None, "", "") if known is None else (known.number, known.unit, known.source)
            assert (one["value"], one["unit"], one["source"]) == expected
    assert any(one["name"] == "L1" for one in found["models"]["transform"])


@pytest.mark.parametrize(
    ("values", "numeric", "there"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_values_are_listed_where_there_are_some(values: bool, numeric: bool, there: bool) -> None:
    robot = robosym.load("planar-2r") if values else robosym.load("planar-2r").replace(values={})
    order, parts = ordered(["gravity"], robot, "python", numeric=numeric)
    assert ("parameters.json" in assembled(order, parts)) == there


def test_a_payload_stays_a_parameter_of_a_model_in_numbers() -> None:
    robot = robosym.load("planar-2r").with_payload("tip")
    order, parts = ordered(["gravity"], robot, "python", numeric=True)
    listed = json.loads(assembled(order, parts)["parameters.json"])["models"]["gravity"]
    assert listed
    assert {one["name"] for one in listed} <= set(robot.payload_names)


# --- the page -----------------------------------------------------------------------------------------------------------


def page(
    models: list[str], robot: robosym.Robot | str = "planar-2r", found: tuple[Refused, ...] = (), **options: object
) -> str:
    order, parts = ordered(models, robot, **options)  # type: ignore[arg-type]
    return assembled(order, [*parts, *found])["README.md"]


def test_the_page_lists_models_and_what_is_left_out() -> None:
    text = page(["gravity", "transform"], found=(Refused("expanded", "has too many joints"),))
    _, parts = ordered(["gravity", "transform"])
    for part in parts:
        assert f"| {part.name} | `{part.function}` | {part.cost} |" in text
    assert "\nLeft out:\n\n- expanded: has too many joints\n" in text
    assert "Left out" not in page(["gravity"])
    assert f"Robosym {robosym.__version__}" in text


@pytest.mark.parametrize(("language", "said"), [("c", "C99"), ("cpp", "C++17"), ("rust", "rust")])
def test_the_page_names_the_language(language: str, said: str) -> None:
    text = page(["gravity"], language=language)
    assert f"planar-2r in {said}" in text
    assert ("cmake" in text) == (language == "c")


def test_what_the_page_says_of_parameters() -> None:
    robot = robosym.load("planar-2r")
    some = robot.replace(values={name: value for name, value in robot.values.items() if name not in ("L1", "M1")})

    def said(*args: object, **options: object) -> str:
        return " ".join(page(["gravity", "transform"], *args, **options).split())  # type: ignore[arg-type]

    assert "stand in the code as numbers: no function takes parameters." in said(numeric=True)
    assert "their values in `parameters.json`." in said()
    assert "`NAME_parameters`" in said()
    assert "`NAME_parameters`" not in said(language="rust")
    assert "Without a value" not in said()
    missing = said(some)
    assert "Without a value: L1, M1." in missing or "Without a value: L1." in missing
    assert "The self-check puts a made-up number in the place of each" in missing
    assert "self-check" not in said(some, language="rust")
    assert "their values in its comment." in said(robot.replace(values={}))


def test_no_name_breaks_the_page() -> None:
    """Of the robot and of a symbol without a value."""
    text = page(["gravity"], robosym.load("planar-2r").replace(name=EVIL, values={}))
    head, _, rest = text.partition("\n")
    assert head.startswith("# class _ n _include _x_ ") or head.startswith("# class ")
    assert not set(head[1:]) & set('*"#\\?<>|`')
    assert rest.lstrip().startswith("Generated by Robosym")


# --- what cannot be -----------------------------------------------------------------------------------------------------


def test_a_package_of_nothing() -> None:
    order, _ = ordered(["gravity"])
    with pytest.raises(CodegenError, match="planar-2r: there is no model to write: a: one; b: two"):
        assembled(order, [Refused("a", "one"), Refused("b", "two")])


@pytest.mark.parametrize("language", ["rust", "c"])
def test_two_texts_for_one_file(language: str) -> None:
    order, (first, second) = ordered(["gravity", "transform"], language=language)
    name = next(iter(first.files))
    clash = replace(second, files={name: "other"})
    with pytest.raises(CodegenError, match=f"two models would be written to '.*{name}': transform and one before it"):
        assembled(order, [first, clash])
    same: Part = replace(second, files=first.files)
    assert first.files[name] in assembled(order, [first, same]).values()


@pytest.mark.parametrize(
    ("kind", "file"), [("python", "setup.py"), ("ros2-control", "package.xml"), ("cmake", "CMakeLists.txt")]
)
def test_kinds_of_packages(kind: str, file: str) -> None:
    order, parts = ordered(["gravity"], kind=kind)
    files = assembled(order, parts)
    assert file in files
    assert all(isinstance(text, str) for text in files.values())
