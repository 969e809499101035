"""Every format has a page that tells how to get it."""

from pathlib import Path

import pytest

from apexmem_desktop.importers.registry import importer_names

PAGES = Path(__file__).parents[2] / "docs" / "formats"
SHARED_PAGES = {"locomo": "benchmarks", "longmemeval": "benchmarks"}


@pytest.mark.parametrize("name", importer_names())
def test_a_format_has_its_page(name: str) -> None:
    page = PAGES / f"{SHARED_PAGES.get(name, name)}.md"
    assert page.read_text(encoding="utf-8").startswith("# ")
    assert f"({page.name})" in (PAGES / "README.md").read_text(encoding="utf-8")
