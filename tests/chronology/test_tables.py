"""The tables are as long as promised, and every result tells what it was worked out from."""

from collections import Counter

from apexmem_desktop.domain.interval import Precision
from tests.chronology import (
    chinese_table,
    english_chat_table,
    english_table,
    foreign_chat_table,
    foreign_table,
)
from tests.chronology.reading import anchor_ms, find

ENGLISH = [*english_table.TABLE, *english_chat_table.TABLE]
FOREIGN = [*foreign_table.TABLE, *foreign_chat_table.TABLE]
ANCHORED = [*english_table.OTHER_ANCHORS, *english_chat_table.OTHER_ANCHORS]


def test_the_tables_are_as_long_as_promised() -> None:
    english = {text for text, expected in ENGLISH if expected}
    chinese = {text for text, _ in chinese_table.TABLE}
    foreign = {(language, text) for language, text, _ in FOREIGN}
    per_language = Counter(language for language, _ in foreign)
    assert len(english) + len({row[:2] for row in ANCHORED}) >= 200
    assert len(chinese) >= 120
    assert sum(per_language[code] for code in ("de", "es", "fr", "pt", "ja")) >= 80
    assert min(per_language[code] for code in ("de", "es", "fr", "pt", "ja")) >= 20


def test_no_row_stands_twice() -> None:
    for rows in (
        [row[0] for row in ENGLISH],
        [row[:2] for row in ANCHORED],
        [row[0] for row in chinese_table.TABLE],
        [row[:2] for row in FOREIGN],
    ):
        assert [row for row, count in Counter(rows).items() if count > 1] == []


def test_every_result_has_precision_phrase_and_anchor() -> None:
    rows = [("en", text) for text, _ in ENGLISH]
    rows += [("zh", row[0]) for row in chinese_table.TABLE]
    rows += [row[:2] for row in FOREIGN]
    for language, text in rows:
        for span in find(text, language=language):
            assert span.precision is not Precision.UNKNOWN
            assert span.phrase
            assert text[span.phrase_start :].startswith(span.phrase)
            assert span.anchor_ms == anchor_ms()
