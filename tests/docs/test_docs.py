"""The Python of the README and of every page of the documentation runs as it stands."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = [
    (page, i, code) for page in PAGES for i, code in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1)
]


@pytest.mark.delivery
@pytest.mark.parametrize(("page", "number", "code"), BLOCKS, ids=[f"{page.stem}-{i}" for page, i, _ in BLOCKS])
def test_the_code_of_a_page_runs(
    page: Path, number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if code.startswith(">>>"):
        check_dialogue(code, f"{page.name} block {number}")
        return
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, f"{page.name} block {number}", "exec"), {})


def check_dialogue(code: str, name: str) -> None:
    """Every answer that stands on the page is the one we get."""
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(code, {}, name, None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test, out=said.write).failed == 0, said.getvalue()


def test_a_wrong_answer_in_a_dialogue_is_found() -> None:
    with pytest.raises(AssertionError, match="Expected"):
        check_dialogue(">>> 1 + 1\n3\n", "a page")


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_readme_quotes_the_counts_we_reach() -> None:
    """Rows of the README's table stand word for word in docs/published.md."""
    published = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"\| (\d+ \+ \d+ = \d+) \| (\d+ \+ \d+ = \d+) \|", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert len(rows) >= 9
    for theirs, ours in rows:
        assert f"| {theirs} | {ours} |" in published
