"""What is told by the name of its property."""

import pytest

from tests.building.telling import read, said, spell

ANA = "Ana Ruiz"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My phone number is 555 0134", f"{ANA} phone_number 555 0134"),
        ("My email is ana@example.org", f"{ANA} email_address ana@example.org"),
        ("My shoe size is 39", f"{ANA} shoe_size 39"),
        ("My hobby is kite making", f"{ANA} practises kite making"),
        ("My blood type is O negative", f"{ANA} blood_type O negative"),
        ("My car is a Fiat Panda", f"{ANA} car Fiat Panda"),
        ("My hometown is Bergen, you know", f"{ANA} comes_from Bergen"),
        ("My star sign is Leo", f"{ANA} zodiac_sign Leo"),
        ("My job is a nurse", f"{ANA} job_title nurse"),
        ("My sister's occupation is a dentist", "~sister job_title dentist"),
        ("Petra's mother tongue is Welsh", "Petra native_language Welsh"),
        ("我的职业是护士", f"{ANA} job_title 护士"),
        ("我的母语是粤语", f"{ANA} native_language 粤语"),
        ("我的电话是138001380", f"{ANA} phone_number 138001380"),
        ("我的血型是O型", f"{ANA} blood_type O型"),
        ("我的车是比亚迪", f"{ANA} car 比亚迪"),
        ("我鞋码39", f"{ANA} shoe_size 39"),
    ],
)
def test_it_is_stored_under_its_everyday_name(text: str, told: str) -> None:
    assert told in [spell(one) for one in read(said(text))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My job is stressful", "job_title"),
        ("My job is a nightmare", "job_title"),
        ("My job is killing me", "job_title"),
        ("My car is in the garage", "car"),
        ("My car is a mess", "car"),
        ("My hobby is expensive", "practises"),
        ("Is my shoe size 39?", "shoe_size"),
        ("我的车是很旧", "car"),
        ("我的职业是什么", "job_title"),
    ],
)
def test_a_view_of_it_is_no_value(text: str, name: str) -> None:
    assert name not in [one.property for one in read(said(text)) if one.shape != "own"]
