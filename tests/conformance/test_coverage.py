"""The coverage table says what is there: current, complete, and backed by tests."""

import os
from pathlib import Path

from coverage_rows import FAMILIES, Row, page

from opwright.passes.chips import CHIPS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "emulator_coverage.md"
ROWS: list[Row] = [row for rows in FAMILIES.values() for row in rows]


def test_page_is_current() -> None:
    if os.environ.get("OPWRIGHT_UPDATE_DOCS"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_api_of_the_chip_tables_has_a_row() -> None:
    listed = {api.partition("/")[0] for chip in CHIPS.values() for api in (*chip.vector_dtypes, *chip.library_dtypes)}
    assert listed - {row.api.partition("/")[0] for row in ROWS} == set()


def test_every_row_has_a_test_that_names_it() -> None:
    for row in ROWS:
        assert row.api.partition("/")[0] in (HERE / f"test_{row.test}.py").read_text(encoding="utf-8"), row
