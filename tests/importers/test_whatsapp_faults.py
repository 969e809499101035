"""Each fault that users of neighbouring programs reported about WhatsApp exports cannot happen."""

from datetime import UTC, datetime

import pytest

from apexmem_desktop.domain.turn import Role, TurnKind
from tests.importers.conftest import Read, ReadFile


def times(read: Read) -> list[str]:
    return [
        datetime.fromtimestamp((turn.said_at_ms or 0) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        for turn in read.turns
    ]


def test_date_order_is_one_for_the_whole_file(read: ReadFile) -> None:  # fault 1
    got = read("30/12/2020 13:00 - Ana: a\n13/1/2021 13:00 - Ana: b\n1/2/2021 13:00 - Ana: c")
    assert times(got) == ["2020-12-30 13:00:00", "2021-01-13 13:00:00", "2021-02-01 13:00:00"]
    assert (got.facts.date_order, got.facts.date_order_certain) == ("dmy", True)


def test_a_header_with_a_clock_of_no_day_is_words(read: ReadFile) -> None:
    got = read("14.03.24, 10:00 - Ana: hi\n14/3/2024, 25:61 - Ben: no time at all")
    assert [turn.text for turn in got.turns] == ["hi\n14/3/2024, 25:61 - Ben: no time at all"]


def test_one_doubtful_line_is_a_guess_and_can_be_decided(read: ReadFile) -> None:  # fault 2
    line = "03/04/2024, 10:00 - Ana: hi"
    assert not read(line).facts.date_order_certain
    american = read(line, date_order="mdy")
    assert times(american) == ["2024-03-04 10:00:00"]
    assert american.facts.date_order_certain


def test_monotony_decides_where_no_day_is_over_twelve(read: ReadFile) -> None:
    days = ["05/03/24", "06/03/24", "04/04/24"]  # month first would go back in time
    got = read("\n".join(f"{day}, 10:00 - Ana: x" for day in days))
    assert (got.facts.date_order, got.facts.date_order_certain) == ("dmy", True)


def test_a_new_phone_of_another_country_goes_on_in_time(read: ReadFile) -> None:
    old = [f"{day}/09/2023, 10:00 - Ana: x" for day in (20, 25, 29)]
    new = [f"10/{day}/23, 3:05 PM - Ana: y" for day in (2, 3, 5, 8, 11)]
    got = read("\n".join([*old, *new]))
    assert [time[5:10] for time in times(got)] == [
        "09-20", "09-25", "09-29", "10-02", "10-03", "10-05", "10-08", "10-11",
    ]  # fmt: skip
    assert got.facts.date_order_certain


@pytest.mark.parametrize(
    ("line", "when", "speaker"),
    [
        ("1/4/23, 7:02\u202fPM - Ana: hi", "19:02:00", "Ana"),  # fault 4
        ("20/6/2017 8:28 p. m. - Mia: test", "20:28:00", "Mia"),  # fault 6
        ("[07.03.26, 21:22:39] Ana: Hey 👋", "21:22:39", "Ana"),  # fault 7
        ("2023-12-20, 5:46 p.m. - Ana: x", "17:46:00", "Ana"),  # fault 8
        ("2023/12/20, 5:46 pm - Ana: y", "17:46:00", "Ana"),
        ("[12/03/24, 12:00:05 AM] Ana: midnight", "00:00:05", "Ana"),
    ],
)
def test_header_of_many_locales(read: ReadFile, line: str, when: str, speaker: str) -> None:
    got = read(line)
    assert [time[11:] for time in times(got)] == [when]
    assert got.speakers == [speaker]


def test_both_halves_of_the_day(read: ReadFile) -> None:  # fault 5
    got = read("09/10/2023, 11:11 am - Ana: a\n09/10/2023, 12:57 pm - Ana: b")
    assert [time[11:16] for time in times(got)] == ["11:11", "12:57"]


def test_marked_line_is_a_line_of_its_own(read: ReadFile) -> None:  # fault 10
    got = read("[12/03/24, 09:59:00] Ana: hi\n\u200e[12/03/24, 10:00:00] Ana: \u200eimage omitted")
    assert [turn.kind for turn in got.turns] == [TurnKind.MESSAGE, TurnKind.MEDIA]
    assert got.turns[1].text == ""


def test_group_title_is_no_person(read: ReadFile) -> None:  # fault 11
    got = read(
        "[14.08.2024, 21:00:10] Hiking Club: \u200eAna added you\n"
        "[14.08.2024, 21:00:12] Hiking Club: \u200eBen left\n"
        "[14.08.2024, 21:01:00] Ana: Hello all"
    )
    assert got.speakers == ["Ana"]
    assert [turn.kind for turn in got.turns] == [TurnKind.NOTICE] * 2 + [TurnKind.MESSAGE]
    assert got.turns[0].role is Role.SYSTEM


def test_encryption_notice_is_nobody(read: ReadFile) -> None:  # fault 12
    got = read(
        "31.12.19, 14:00 - Nachrichten sind verschlüsselt.\n"
        "31.12.19, 14:01 - Ana: <Medien ausgeschlossen>\n"
        "31.12.19, 14:02 - Ana: Hallo"
    )
    assert got.speakers == ["Ana"]
    assert got.turns[0].kind is TurnKind.NOTICE
    assert all("Medien" not in turn.text for turn in got.turns)


def test_colon_in_the_body(read: ReadFile) -> None:  # fault 13
    got = read(
        "01/02/24, 10:00 - Ana: list:\n- milk: 2\n\nBen: no header\n01/02/24, 10:01 - Ben: ok"
    )
    assert got.turns[0].text == "list:\n- milk: 2\n\nBen: no header"
    assert got.speakers == ["Ana", "Ben"]


def test_equal_messages_in_a_minute_both_stay(read: ReadFile) -> None:  # fault 14
    lines = [f"01/02/24, 10:00 - Ana: {word}" for word in ("hi", "there", "ok", "ok")]
    assert len(set(read("\n".join(lines)).keys)) == 4


def test_same_file_gives_the_same_keys(read: ReadFile) -> None:  # fault 15
    text = "01/02/24, 10:00 - Ana: ok\n01/02/24, 10:00 - Ana: ok\n13/02/24, 10:01 - Ben: no"
    assert read(text).keys == read(text).keys


def test_longer_export_only_adds(read: ReadFile) -> None:  # fault 16
    lines = [f"13/02/24, 10:0{minute} - Ana: message {minute}" for minute in range(5)]
    short, long = read("\n".join(lines[:3])).keys, read("\n".join(lines)).keys
    assert long[:3] == short
    assert len(set(long) - set(short)) == 2


def test_same_chat_from_another_locale_has_the_same_keys(read: ReadFile) -> None:
    english = read(
        "2/13/24, 3:05 PM - Ana: Hola\n2/13/24, 3:06 PM - Ana: <Media omitted>\n"
        "2/13/24, 3:07 PM - Ana: This message was deleted"
    )
    spanish = read(
        "[13/2/24, 15:05:10] Ana: Hola\n[13/2/24, 15:06:20] Ana: \u200eimagen omitida\n"
        "[13/2/24, 15:07:09] Ana: \u200eSe eliminó este mensaje."
    )
    assert english.keys == spanish.keys


def test_zone_gives_the_instant(read: ReadFile) -> None:  # fault 38
    line = "13/07/2024, 10:00 - Ana: hi"
    berlin, tokyo = read(line, zone="Europe/Berlin"), read(line, zone="Asia/Tokyo")
    assert times(berlin) == ["2024-07-13 08:00:00"]
    assert times(tokyo) == ["2024-07-13 01:00:00"]
    assert berlin.turns[0].offset_minutes == 120
    assert berlin.keys == tokyo.keys  # the wall clock makes the key


def test_winter_and_summer_have_their_own_offset(read: ReadFile) -> None:
    got = read("13/01/2024, 10:00 - Ana: a\n13/07/2024, 10:00 - Ana: b", zone="Europe/Berlin")
    assert [turn.offset_minutes for turn in got.turns] == [60, 120]
