"""Words that tell a beginning and an end: where each lies, worked out by hand.

Said on Friday 9 June 2023 at 15:00, as in the other tables of this room.
"""

import pytest

from apexmem_desktop.chronology.spell import spell_bound
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.domain.interval import Precision, TimeSource
from apexmem_desktop.domain.wall import WallClock
from tests.chronology.reading import OFFSET, anchor_ms, find

ENGLISH = [
    ("I worked at Lumo from 2015 to 2018", "2015", "2018"),
    ("I worked at Lumo from 2015 until 2018", "2015", "2018"),
    ("I worked at Lumo 2015-2018", "2015", "2018"),
    ("I worked at Lumo (2015–2018)", "2015", "2018"),
    ("I lived in Porto between March and May 2021", "March 2021", "May 2021"),
    ("I lived in Porto between March and May", "March 2023", "May 2023"),
    ("I lived in Porto from December 2019 to February 2020", "December 2019", "February 2020"),
    ("I lived in Porto from December to February 2020", "December 2019", "February 2020"),
    ("From March 2020 till June 2021 I lived there", "March 2020", "June 2021"),
    ("I worked there from January 2016 through March 2019", "January 2016", "March 2019"),
    ("I studied there between 2010 and 2014", "2010", "2014"),
    ("I lived there from September 2019 to 2021", "September 2019", "2021"),
    ("We were in Rome 3 to 5 June", "3 June 2023", "5 June 2023"),
    ("We were in Rome from 3 to 5 June", "3 June 2023", "5 June 2023"),
    ("We were in Rome June 3-5", "3 June 2023", "5 June 2023"),
    ("We were in Rome 3-5 June 2021", "3 June 2021", "5 June 2021"),
    ("We were in Rome from the 3rd to the 5th of June", "3 June 2023", "5 June 2023"),
    ("We were in Rome from 28 May to 3 June", "28 May 2023", "3 June 2023"),
    ("We stayed from Monday to Wednesday", "5 June 2023", "7 June 2023"),
    ("We stayed from 2021-05-03 to 2021-05-09", "3 May 2021", "9 May 2021"),
]
CHINESE = [
    ("从三月到五月我在上海", "March 2023", "May 2023"),
    ("我从2015年到2018年在华为工作", "2015", "2018"),
    ("2015年至2018年我在华为工作", "2015", "2018"),
    ("2015-2018年我住在北京", "2015", "2018"),
    ("2015到2018年我住在北京", "2015", "2018"),
    ("我从2021年三月到五月在上海", "March 2021", "May 2021"),
    ("我从2021年十一月到二月在上海", "November 2021", "February 2022"),
    ("我2021年6月3日到5日在上海", "3 June 2021", "5 June 2021"),
    ("从去年三月到今年五月我在上海", "March 2022", "May 2023"),
    ("我6月3日到5日在上海", "3 June 2023", "5 June 2023"),
    ("我5月28日至6月3日在上海", "28 May 2023", "3 June 2023"),
    ("从2019年9月到2021年12月我住在上海", "September 2019", "December 2021"),
]
OTHERS = [
    ("de", "von März bis Mai war ich in Bonn", "March 2023", "May 2023"),
    ("de", "Ich habe von 2015 bis 2018 bei Lumo gearbeitet", "2015", "2018"),
    ("de", "Ich habe 2015-2018 bei Lumo gearbeitet", "2015", "2018"),
    ("de", "Ich war zwischen März und Mai 2021 in Bonn", "March 2021", "May 2021"),
    ("de", "vom 3. bis 5. Juni war ich in Bonn", "3 June 2023", "5 June 2023"),
    ("de", "vom 28. Mai bis zum 3. Juni war ich in Bonn", "28 May 2023", "3 June 2023"),
    ("es", "Trabajé en Lumo de 2015 a 2018", "2015", "2018"),
    ("es", "Viví en Lima entre marzo y mayo de 2021", "March 2021", "May 2021"),
    ("es", "Estuve en Lima desde marzo hasta mayo", "March 2023", "May 2023"),
    ("es", "Estuve en Lima del 3 al 5 de junio", "3 June 2023", "5 June 2023"),
    ("fr", "J'ai travaillé chez Lumo de 2015 à 2018", "2015", "2018"),
    ("fr", "J'étais à Lyon entre mars et mai 2021", "March 2021", "May 2021"),
    ("fr", "J'étais à Lyon du 3 au 5 juin 2021", "3 June 2021", "5 June 2021"),
    ("fr", "J'étais à Lyon d'avril à mai", "April 2023", "May 2023"),
    ("pt", "Estive em Lisboa de março a maio de 2021", "March 2021", "May 2021"),
    ("ja", "3月から5月まで東京にいました", "March 2023", "May 2023"),
    ("ja", "2021年3月から2022年5月まで東京にいました", "March 2021", "May 2022"),
]
ROWS = [("en", *row) for row in ENGLISH] + [("zh", *row) for row in CHINESE] + OTHERS


@pytest.mark.parametrize(("language", "text", "start", "end"), ROWS)
def test_a_range_gives_both_ends(language: str, text: str, start: str, end: str) -> None:
    [span] = find(text, language=language)
    validity = validity_from_spans([span], said_at_ms=anchor_ms(), offset_minutes=OFFSET)
    assert validity.end is not None
    assert [spell_bound(one, WallClock(OFFSET)) for one in (validity.start, validity.end)] == [
        start,
        end,
    ]
    # The span itself still runs over both, for questions such as "what did I do in ...".
    assert (span.start_ms, span.end_ms - 1) == (
        validity.start.earliest_ms,
        validity.end.latest_ms,
    )


@pytest.mark.parametrize(
    "text",
    ["two or three days ago", "2-3 days ago", "last weekend", "in the 1990s", "in May 2021",
     "a few weeks ago", "early in June", "yesterday evening"],
)  # fmt: skip
def test_one_time_told_loosely_is_no_range(text: str) -> None:
    [span] = find(text)
    assert span.ends is None


@pytest.mark.parametrize(
    ("text", "start"),
    [("I work there, 2019-present", "2019"), ("I work there from 2019 to now", "2019"),
     ("2019年至今我在华为工作", "2019")],
)  # fmt: skip
def test_what_runs_up_to_now_has_no_end(text: str, start: str) -> None:
    validity = validity_from_spans(find(text), said_at_ms=anchor_ms(), offset_minutes=OFFSET)
    assert (spell_bound(validity.start, WallClock(OFFSET)), validity.end) == (start, None)


def test_each_end_has_its_own_precision_and_source() -> None:
    [span] = find("I lived there from September 2019 to yesterday")
    assert span.ends is not None
    first, last = span.ends
    assert (first.precision, first.source) == (Precision.MONTH, TimeSource.STATED)
    assert (last.precision, last.source) == (Precision.DAY, TimeSource.WORKED_OUT)


def test_an_until_beside_a_range_decides_the_end() -> None:
    [ranged] = find("from 2015 to 2018")
    [until] = find("until March 2017")
    validity = validity_from_spans([ranged, until], said_at_ms=anchor_ms(), offset_minutes=OFFSET)
    assert validity.end is not None
    assert spell_bound(validity.end, WallClock(OFFSET)) == "March 2017"
