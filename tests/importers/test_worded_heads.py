"""WhatsApp headers with a month's name in their date, and such as name no year."""

import io
import os
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.reports import YEAR_ASKED
from apexmem_desktop.domain.turn import TurnKind
from apexmem_desktop.importers.phrases import load_phrases
from apexmem_desktop.importers.whatsapp_heads import HeadReader
from tests.importers.conftest import Read, ReadFile, read_path

# All are Ana's x, five past two in the afternoon of the 12th of March 2021.
HEADERS = """\
12 Mar 2021, 14:05 -
12 March 2021, 2:05 PM -
March 12, 2021 at 2:05 PM -
Mar 12, 2021, 2:05 pm -
Friday, March 12, 2021, 2:05 PM -
[Fri, 12 Mar 2021, 14:05:33]
12th of March 2021, 14:05 -
12-Mar-2021 14:05 -
12-Mar-21, 14:05 -
[12/Mar/2021, 14:05]
14:05, 12 Mar 2021 -
2:05 PM, Mar 12, 2021 -
2:05 PM, 12 Mar 2021 -
[12. März 2021 um 14:05:33]
12. Mär. 2021, 14:05 -
Fr., 12. März 2021, 14:05 -
12 mars 2021 à 14:05 -
mar 12 mars 2021, 14:05 -
12 de marzo de 2021, 2:05 p. m. -
12 mar. 2021 14:05 -
12 de março de 2021 às 14:05 -
12 mar 2021, 14:05 -
12 mrt. 2021 14:05 -
12 maart 2021 om 14:05 -
12. marts 2021 14.05 -
12 mars 2021 kl. 14:05 -
12. maaliskuuta 2021 klo 14.05 -
12 marca 2021, 14:05 -
12. března 2021 14:05 -
12. ožujka 2021. u 14:05 -
12 martie 2021, 14:05 -
2021. márc. 12. 14:05 -
2021. március 12. du. 2:05 -
12 Mart 2021 14:05 -
12 мар. 2021 г., 14:05 -
12 марта 2021 г. в 14:05 -
12 бер. 2021 р., 14:05 -
12 март 2021, 14:05 -
12 Μαρ 2021, 2:05 μ.μ. -
12 Μαρτίου 2021, 14:05 -
12 במרץ 2021, 14:05 -
١٢ مارس ٢٠٢١، ٢:٠٥ م -
12 آذار 2021, 14:05 -
۲۲ اسفند ۱۳۹۹، ۱۴:۰۵ -
12 मार्च 2021, 2:05 अपराह्न -
12 Maret 2021 14.05 -
12 Mac 2021, 2:05 PTG -
12 thg 3, 2021 14:05 -
14:05, 12 tháng 3, 2021 -
12 มี.ค. 2564 14:05 -
2021 m. kovo 12 d. 14:05 -
12 de març de 2021, 14:05 -
12 Machi 2021, 14:05 -
""".splitlines()
ONES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def days(got: Read) -> list[str]:
    told = [datetime.fromtimestamp((turn.said_at_ms or 0) / 1000, UTC) for turn in got.turns]
    return [when.date().isoformat() for when in told]


def asked(got: Read) -> list[str]:
    return [problem.what for problem in got.problems if problem.what.startswith(YEAR_ASKED)]


@pytest.mark.parametrize("line", HEADERS)
def test_a_month_by_its_name_is_the_same_minute(read: ReadFile, line: str) -> None:
    got = read(f"{line} Ana: x\n")
    assert [(turn.speaker, turn.text) for turn in got.turns] == [("Ana", "x")]
    assert (got.turns[0].said_at_ms or 0) // 60_000 * 60_000 == 1_615_557_900_000
    assert (got.facts.date_order, got.facts.date_order_certain, got.problems) == ("", True, [])


def test_every_name_of_a_month_belongs_to_one(read: ReadFile) -> None:
    months = load_phrases().months
    assert {months[one] for one in ONES} == set(range(1, 13))
    assert {number for number in months.values() if number < 100} == set(range(1, 16))


@pytest.mark.parametrize(
    ("other", "wanted"),
    [("siječnja", ["01", "06", "10", "07"]), ("stycznia", ["01", "07", "11", "08"])],
)
def test_what_croats_and_poles_understand_differently(
    read: ReadFile, other: str, wanted: list[str]
) -> None:
    got = read("".join(f"12 {m} 2021, 14:05 - Ana: x\n" for m in (other, "lip", "lis", "srp")))
    assert [day[5:7] for day in days(got)] == wanted


def test_words_of_a_message_are_no_header(read: ReadFile) -> None:
    text = "14.03.24, 10:00 - Ana: plan\nMay I come - 14:05?\nSun 12 of them - 3\nMarch on: yes\n"
    assert len(read(text).turns) == 1


def test_old_android_names_the_earlier_years_only(read: ReadFile) -> None:
    got = read(
        "12/11/2013, 14:05 - Ana: a\n28/12/2013, 14:05 - Ben: b\n"
        "3 Jan, 14:05 - Ana: c\n12 Mar, 14:05 - Ben: d\n"
    )
    assert days(got) == ["2013-11-12", "2013-12-28", "2014-01-03", "2014-03-12"]
    assert (got.facts.date_order, got.facts.date_order_certain, asked(got)) == ("dmy", True, [])


def test_where_years_lie_between_it_is_asked(read: ReadFile) -> None:
    got = read("12/2/2013, 14:05 - Ana: a\n25/2/2013, 14:05 - Ana: a\n12 Sep, 14:05 - Ben: b\n")
    assert days(got)[-1] == "2014-09-12"
    assert (len(asked(got)), got.facts.date_order_certain) == (1, False)
    assert "2014 was taken, as other lines are of 2013" in asked(got)[0]
    sure = read("12/2/2013, 14:05 - Ana: a\n12 Sep, 14:05 - Ben: b\n", year=2016)
    assert (days(sure)[-1], asked(sure)) == ("2016-09-12", [])


def test_a_phone_changed_half_way(read: ReadFile) -> None:
    got = read("12 Nov, 14:05 - Ana: a\n12 Dec, 14:05 - Ben: b\n[02.01.2015, 14:05:01] Ana: c\n")
    assert days(got) == ["2014-11-12", "2014-12-12", "2015-01-02"]
    assert asked(got) == []


@pytest.mark.parametrize("head", ["12/3, 14:05 - ", "[12/3 14:05] ", "12.3., 14:05 - "])
def test_without_any_year_the_files_own_is_a_guess(tmp_path: Path, head: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(f"{head}Ana: a\n{head.replace('12', '25')}Ben: b\n")
    written = datetime(2015, 6, 1, 12, tzinfo=UTC).timestamp()
    os.utime(path, (written, written))
    got = read_path(path)
    assert days(got) == ["2015-03-12", "2015-03-25"]
    assert asked(got)
    assert not got.facts.date_order_certain
    written = datetime(2015, 2, 1, 12, tzinfo=UTC).timestamp()
    os.utime(path, (written, written))
    assert days(read_path(path)) == ["2014-03-12", "2014-03-25"]


def test_the_zip_tells_its_own_day(read: ReadFile) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        told = zipfile.ZipInfo("_chat.txt", date_time=(2015, 5, 1, 8, 0, 0))
        archive.writestr(told, "12 Mar, 14:05 - Ana: a\n13 Jun, 14:05 - Ben: b\n")
    got = read(packed.getvalue())
    assert days(got) == ["2014-03-12", "2014-06-13"]
    assert asked(got)


def test_years_that_begin_are_counted(read: ReadFile) -> None:
    text = "".join(f"{d}, 14:05 - Ana: x\n" for d in ("20/11", "3/1", "25/6", "31/12", "1/1"))
    assert days(read(text, year=2016)) == [
        "2014-11-20", "2015-01-03", "2015-06-25", "2015-12-31", "2016-01-01",
    ]  # fmt: skip


def test_a_leap_day_is_of_a_leap_year(read: ReadFile) -> None:
    got = read("12/2/2014, 14:05 - Ana: a\n28/2/2014, 14:05 - Ana: a\n29 Feb, 14:05 - Ana: b\n")
    assert days(got)[-1] == "2016-02-29"
    assert asked(got)


@pytest.mark.parametrize("line", ["12/3, 14:05 - Dinner: at six", "12 Mar, 14:05 - Dinner: at six"])
def test_a_plan_that_somebody_sent_begins_no_message(read: ReadFile, line: str) -> None:
    got = read(f"14.03.24, 10:00 - Ana: plan\n{line}\n15.03.24, 10:00 - Ben: fine\n")
    assert [turn.text for turn in got.turns] == [f"plan\n{line}", "fine"]
    assert (got.speakers, got.problems) == (["Ana", "Ben"], [])


def test_notices_and_kinds_are_told_there_too(read: ReadFile) -> None:
    got = read("12 Mar, 14:05 - Ben left\n12 Mar, 14:06 - Ana: <Media omitted>\n", year=2014)
    assert [turn.kind for turn in got.turns] == [TurnKind.NOTICE, TurnKind.MEDIA]


@settings(max_examples=200, deadline=None)
@given(
    when=st.dates(date(2012, 1, 1), date(2030, 1, 1)),
    name=st.sampled_from(sorted(n for n, m in load_phrases().months.items() if m <= 12)),
    shape=st.sampled_from(["{d} {m} {y}, ", "{m} {d}, {y} ", "[{d}-{m}-{y} ", "{y} {m} {d} "]),
)
def test_any_name_in_any_place(when: date, name: str, shape: str) -> None:
    month = load_phrases().months[name]
    reader = HeadReader()
    head = shape.format(d=min(when.day, 28), m=name, y=when.year)
    line = f"{head}14:05{']' if head.startswith('[') else ' -'} Ana: x"
    found = reader.read(line)
    assert found is not None
    assert reader.stamps[found[0]].date == (when.year, month, min(when.day, 28))
    assert (found[1], line[found[3] :]) == (845, "Ana: x")


@settings(max_examples=500, deadline=None)
@given(
    st.text(alphabet=" 0123456789/.,:-[]\u200e\u202f\nabcdefgMarFJunApPm٣年月", max_size=80),
    st.integers(0, 3000),
)
def test_no_line_breaks_the_reader(text: str, year: int) -> None:
    reader = HeadReader()
    found = [head for line in text.split("\n") if (head := reader.read(line)) is not None]
    reader.settle(head[0] for head in found)
    assert all(0 <= head[1] < 1440 and head[3] > 0 for head in found)
    assert len(reader.stamps) >= len({head[0] for head in found})
