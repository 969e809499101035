"""English words of time mean what a person means by them, by the speaker's own clock."""

import pytest

from tests.chronology import english_chat_table as chat
from tests.chronology import english_table as table
from tests.chronology.reading import FRIDAY, find, told


@pytest.mark.parametrize(("text", "expected"), table.TABLE + chat.TABLE)
def test_an_expression_means_what_was_worked_out_by_hand(text: str, expected: str) -> None:
    assert [told(span) for span in find(text)] == ([expected] if expected else [])


@pytest.mark.parametrize(("text", "said_at", "expected"), table.OTHER_ANCHORS + chat.OTHER_ANCHORS)
def test_the_day_it_was_said_decides(text: str, said_at: str, expected: str) -> None:
    assert [told(span) for span in find(text, said_at)] == [expected]


@pytest.mark.parametrize(("text", "expected"), table.SEVERAL + chat.SEVERAL)
def test_several_times_in_one_text_come_in_order(text: str, expected: list[str]) -> None:
    assert [told(span) for span in find(text)] == expected


@pytest.mark.parametrize("text", table.NO_TIME + chat.NO_TIME)
def test_what_only_looks_like_a_time_is_left_alone(text: str) -> None:
    assert [span.phrase for span in find(text, FRIDAY)] == []
