"""Diaries in plain text and Markdown; and the many texts with dates in them that are none."""

import gzip
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.importers import diary, registry
from apexmem_desktop.importers.written_dates import written_date
from tests.importers.conftest import ReadFile, zip_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "written",
    [
        "2024-05-03",
        "2024/5/3",
        "2024.05.03",
        "Friday, 3 May 2024",
        "Fri 3rd of May 2024",
        "May 3, 2024",
        "may 3rd 2024 (Friday)",
        "3. Mai 2024",
        "Freitag, den 3. Mai 2024",
        "vendredi 3 mai 2024",
        "3 de mayo de 2024",
        "3 maggio 2024",
        "sexta-feira, 3 de maio de 2024",
        "vrijdag 3 mei 2024",
        "2024年5月3日",
        "2024年5月3日 星期五",
        "2024年5月3日（金）",
        "2024년 5월 3일 금요일",
    ],
)
def test_ways_to_write_a_date(written: str) -> None:
    found = written_date(written)
    assert found is not None
    assert (found.day("ymd"), found.end) == (date(2024, 5, 3), len(written))


@pytest.mark.parametrize(
    ("written", "minute"),
    [
        ("2024-05-03 21:40", 21 * 60 + 40),
        ("2024-05-03T09:05:10", 9 * 60 + 5),
        ("May 3, 2024 at 9:05 pm", 21 * 60 + 5),
        ("May 3, 2024, 12:05\u202fAM", 5),
        ("3. Mai 2024 um 9.05 Uhr", 9 * 60 + 5),
        ("2024年5月3日 下午3:04", 15 * 60 + 4),
        ("2024-05-03 25:00", None),
        ("2024-05-03 1984 was read", None),
    ],
)
def test_clocks_behind_a_date(written: str, minute: int | None) -> None:
    found = written_date(written)
    assert found is not None
    assert found.minute == minute


@pytest.mark.parametrize(
    "text", ["2024-13-01", "31 Foo 2024", "2024", "1.2.3.4", "May 2024", "v1.2.2024-x"]
)
def test_what_is_no_date(text: str) -> None:
    found = written_date(text)
    assert found is None or found.day("dmy") is None or found.is_open


@given(st.text(st.sampled_from("0123456789-/.: ,年月日Mayfritageo\u202f"), max_size=40))
def test_any_text_for_a_date(text: str) -> None:
    found = written_date(text)
    assert found is None or 0 < found.end <= len(text)


def test_the_writer_is_the_user_and_noon_stands_for_no_clock(read: ReadFile) -> None:
    got = read("# 2024-05-03\nI met Rosa.\n\n# 2024-05-04 08:30\nRosa left.\n", zone="Asia/Tokyo")
    assert got.facts.format == "diary"
    assert [(turn.role, turn.speaker, turn.text) for turn in got.turns] == [
        (Role.USER, "You", "I met Rosa."),
        (Role.USER, "You", "Rosa left."),
    ]
    assert [turn.said_at_ms for turn in got.turns] == [1_714_705_200_000, 1_714_779_000_000]
    assert got.turns[0].offset_minutes == 540


def test_the_order_of_dates_is_decided_once(read: ReadFile) -> None:
    got = read("03/04/2024\nfirst words here\n\n13/04/2024\nsecond words here\n")
    assert (got.facts.date_order, got.facts.date_order_certain) == ("dmy", True)
    assert got.turns[0].said_at_ms == 1_712_145_600_000
    got = read("03/04/2024\nfirst words here\n\n03/05/2024\nsecond words here\n")
    assert not got.facts.date_order_certain
    got = read("03/04/2024\nfirst words\n\n03/05/2024\nsecond words\n", date_order="mdy")
    assert (got.facts.date_order, got.facts.date_order_certain) == ("mdy", True)


def test_the_newest_may_stand_first(read: ReadFile) -> None:
    got = read("**4 May 2024**\nlater\n\n**3 May 2024**\nearlier\n")
    assert [turn.text for turn in got.turns] == ["earlier", "later"]


@pytest.mark.parametrize(
    "text",
    [
        "# 2024-05-01 08:00\na\n# 2024-05-02 08:01\nb\n# 2024-05-03 08:02\nc\n",
        "2024-05-01 08:00\na\n\n2024-05-02 08:01\nb\n\n2024-05-03 08:02\nc\n",
        "2024/05/01\n9:30 Went to the market.\n10:15 Came home.\n2024/05/02\n9:00 Slept long.\n",
        "Tuesday 2024-05-07 08:00\na\n\nTuesday 2024-05-14 08:01\nb\n",
        "2024-05-01, 08:00 - we left Porto\n2024-05-02, 08:01 - it rained all day\n",
    ],
)
def test_a_diary_is_not_taken_for_a_chat(read: ReadFile, text: str) -> None:
    got = read(text)
    assert (got.facts.format, set(got.speakers)) == ("diary", {"You"})


def test_a_longer_diary_keeps_the_keys_and_tells_of_what_it_left_out(read: ReadFile) -> None:
    first = "Written by me.\n\n2024-05-03\none\n\n2024-05-04\ntwo\n\n2024-05-04\ntwo\n"
    short, long = read(first), read(f"{first}\n2024-05-05\nthree\n")
    assert short.keys == long.keys[:3]
    assert len(set(long.keys)) == 4
    assert [problem.what for problem in long.problems] == [
        "text before the first date was left out"
    ]


def test_a_zip_of_months(read: ReadFile) -> None:
    months = {f"2024-0{n}.md": f"## 2024-0{n}-01\na\n## 2024-0{n}-02\nb\n" for n in (1, 2)}
    got = read(zip_of({**months, "todo.txt": "buy eels"}))
    assert [chat.title for chat in got.conversations] == ["2024-01", "2024-02"]


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-03\nOnly one entry.\n",
        "2024-05-03\n\n2024-05-04\n",
        "Meeting on 3 May 2024 and 4 May 2024.\nNothing else.\n",
        "2024-05-03 10:00:00 INFO the server has started\n2024-05-04 10:00:00 INFO it stopped\n",
        "2024-05-03;milk;1.20\n2024-05-04;bread;2.40\n2024-05-05;eels;9.00\n",
        "03.05.2024\tRent for the flat\t-900\n04.05.2024\tFood from the shop\t-20\n"
        "05.05.2024\tTrain to the sea\t-30\n",
        "# Changelog\n\n## 2024-05-04\n### Added\n- a thing\n\n## 2024-05-03\n### Fixed\n- a bug\n",
        "## [1.1.0] - 2024-05-04\n- a thing\n\n## [1.0.0] - 2024-05-03\n- another\n",
        "2024-05-03 - x1\n2024-05-04 - x2\n2024-05-05 - x3\n",
        "2024-05-03\na\n2021-01-01\nb\n2023-01-01\nc\n2020-05-05\nd\n2024-01-01\ne\n2019-01-01\nf\n",
        "2024-05-03\nsame day\n2024-05-03\nsame day again\n",
    ],
)
def test_what_is_no_diary(read: ReadFile, text: str) -> None:
    with pytest.raises(ExportUnreadableError, match="not of a chat export"):
        read(text)


@pytest.mark.parametrize(
    "path",
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "tests" / "importers").glob("*.py"),
    ],
    ids=lambda path: path.name,
)
def test_our_own_texts_are_no_chats(read: ReadFile, path: Path) -> None:
    with pytest.raises(ExportUnreadableError):
        read(path.read_bytes())


@pytest.mark.parametrize(
    "filler", ["#", "# ", "**", "2024-", "1.", "May ", "[", " ", "-", "= ", "|", "1 "]
)
def test_no_line_takes_forever(read: ReadFile, filler: str) -> None:
    long = filler * (200_000 // len(filler))
    got = read(
        f"2024-05-02\nfirst\n2024-05-03\nsecond\n{long}\n2024-05-04 {long}\n2024-05-05\nlast\n"
    )
    assert got.turns[-1].text == "last"


def test_a_diary_of_no_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diary, "_MOST_BYTES", 100)
    path = tmp_path / "diary.md.gz"
    days = "".join(f"# 2024-05-{day:02}\n\nWe walked to the sea again.\n\n" for day in range(1, 9))
    path.write_bytes(gzip.compress(days.encode()))
    with pytest.raises(ExportUnreadableError, match="longer than a diary can be"):
        registry.open_export(path, ImportChoices(zone="UTC"))
