"""Chinese has a grammar of its own; other languages are read by phrasebook and dateparser."""

import pytest

from tests.chronology import chinese_table, foreign_chat_table, foreign_table
from tests.chronology.reading import find, parse, told

ALL_FOREIGN = foreign_table.TABLE + foreign_chat_table.TABLE


@pytest.mark.parametrize(("text", "expected"), chinese_table.TABLE)
def test_chinese_means_what_was_worked_out_by_hand(text: str, expected: str | list[str]) -> None:
    wanted = expected if isinstance(expected, list) else [expected]
    assert [told(span) for span in find(text)] == wanted


@pytest.mark.parametrize(("text", "said_at", "expected"), chinese_table.OTHER_ANCHORS)
def test_chinese_by_the_day_it_was_said(text: str, said_at: str, expected: str) -> None:
    assert [told(span) for span in find(text, said_at)] == [expected]


@pytest.mark.parametrize("text", chinese_table.NO_TIME)
def test_chinese_without_time_is_left_alone(text: str) -> None:
    assert [span.phrase for span in find(text)] == []


@pytest.mark.parametrize(("language", "text", "expected"), ALL_FOREIGN)
def test_other_languages_mean_what_was_worked_out(language: str, text: str, expected: str) -> None:
    assert [told(span) for span in find(text, language=language)] == [expected]


@pytest.mark.parametrize(
    ("language", "text", "said_at", "expected"), foreign_chat_table.OTHER_ANCHORS
)
def test_other_languages_by_the_day_it_was_said(
    language: str, text: str, said_at: str, expected: str
) -> None:
    assert [told(span) for span in find(text, said_at, language)] == [expected]


@pytest.mark.parametrize(("text", "phrase"), foreign_table.GUESSED)
def test_the_language_need_not_be_told(text: str, phrase: str) -> None:
    assert [span.phrase for span in find(text)] == [phrase]


@pytest.mark.parametrize(("language", "text"), foreign_table.NO_TIME + foreign_chat_table.NO_TIME)
def test_other_languages_without_time_are_left_alone(language: str, text: str) -> None:
    assert [span.phrase for span in find(text, language=language)] == []


@pytest.mark.parametrize(
    ("phrase", "language"),
    [("last week", ""), ("in 2019", ""), ("2019", "en"), ("上周五", ""), ("在去年", ""),
     ("vor drei Jahren", "de"), ("ayer", "es"), ("先週", "ja")],
)  # fmt: skip
def test_a_phrase_alone_is_read_whole(phrase: str, language: str) -> None:
    assert parse(phrase, language=language) is not None


@pytest.mark.parametrize("phrase", ["", "pizza", "last week we ate", "he", "你好", "5"])
def test_what_is_no_time_phrase_is_none(phrase: str) -> None:
    assert parse(phrase) is None
