"""Days are those of the zone of a chat, in every season, wherever a date is read or shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.cli.json_shapes import fact_shape
from apexmem_desktop.cli.spelling import spell_when
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.wall import WallClock, clock_of, zone_of_turn
from apexmem_desktop.services import building, exporting, importing, times
from apexmem_desktop.services.dates import parse_date
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import facts
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.ui.dates import bound_text, held_text
from tests.storage.old_vaults import ScriptedWorkspace

BERLIN = "Europe/Berlin"
NOW_MS = 1_735_689_600_000  # 1 January 2025
# 31 March 2024 had 23 hours in Berlin, 27 October 2024 had 25.
CHAT = """\
15/01/2024, 10:00 - Ana Lima: I moved to Turin in July 2023
01/04/2024, 10:01 - Ben Roth: I moved to Porto yesterday
28/10/2024, 10:02 - Eva Roth: I moved to Lyon yesterday
29/10/2024, 10:02 - Jon Vale: I moved to Graz in March 2024
30/10/2024, 10:02 - Pia Vale: I moved to Bern on 5 July 2024
30/10/2024, 10:03 - Pia Vale: We got married on 6 July 2024
31/10/2024, 10:03 - Pia Vale: I'm going to visit Rome on 30 March 2025
"""
BOUNDS = {
    "Turin": ("2023-07-01T00:00:00+02:00", "2023-07-31T23:59:59.999+02:00"),
    "Porto": ("2024-03-31T00:00:00+01:00", "2024-03-31T23:59:59.999+02:00"),
    "Lyon": ("2024-10-27T00:00:00+02:00", "2024-10-27T23:59:59.999+01:00"),
    "Graz": ("2024-03-01T00:00:00+01:00", "2024-03-31T23:59:59.999+02:00"),
    "Bern": ("2024-07-05T00:00:00+02:00", "2024-07-05T23:59:59.999+02:00"),
}
HOURS = {"Turin": 31 * 24, "Porto": 23, "Lyon": 25, "Graz": 31 * 24 - 1, "Bern": 24}


@pytest.fixture(
    scope="module",
    params=[
        ImportChoices(zone=BERLIN),
        ImportChoices(zone="UTC", chat_zones=(("Ben Roth", BERLIN),)),
    ],
    ids=["of the import", "of the chat"],
)
def ws(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ScriptedWorkspace]:
    """A chat of Berlin's zone, read by rules."""
    folder = tmp_path_factory.mktemp("zone")
    chat = folder / "WhatsApp Chat with Ben Roth.txt"
    chat.write_text(CHAT, encoding="utf-8")
    path, settings = folder / "memory.sqlite", Settings(zone=BERLIN)
    with ScriptedWorkspace(path, settings=settings, clock=lambda: NOW_MS) as opened:
        importing.import_file(opened, chat, request.param)
        building.build(opened)
        yield opened


@pytest.fixture(scope="module")
def moved(ws: ScriptedWorkspace) -> dict[str, Fact]:
    """The facts by the town that somebody moved to."""
    with ws.vault.read() as db:
        return {fact.value: fact for fact in facts.find_facts(db) if fact.property == "lives_in"}


@pytest.mark.parametrize("town", BOUNDS)
def test_a_day_ends_at_midnight_of_its_zone(moved: dict[str, Fact], town: str) -> None:
    shown = fact_shape(moved[town])["valid_from"]
    assert (shown["earliest"], shown["latest"]) == BOUNDS[town]
    start = moved[town].valid_from
    assert start.latest_ms is not None
    assert start.earliest_ms is not None
    assert start.latest_ms + 1 - start.earliest_ms == HOURS[town] * 3_600_000


@pytest.mark.parametrize("town", BOUNDS)
def test_as_of_agrees_with_the_bounds(
    ws: ScriptedWorkspace, moved: dict[str, Fact], town: str
) -> None:
    fact = moved[town]
    first_on, last_on = (at[:10] for at in BOUNDS[town])
    assert fact.valid_from.earliest_ms == parse_date(first_on).start_ms(BERLIN)
    assert fact.valid_from.latest_ms == parse_date(last_on).end_ms(BERLIN)
    before = parse_date(first_on).start_ms(BERLIN) - 1
    assert times.held_on(ws, fact.subject, at_ms=before) == ()
    [held] = times.held_on(ws, fact.subject, at_ms=parse_date(last_on).end_ms(BERLIN))
    assert held.certainty == "certain"


def test_graphsql_tells_the_same_days(ws: ScriptedWorkspace) -> None:
    query = "SELECT value, valid_from FROM v_facts WHERE property = 'lives_in'"
    found = dict(run_select(ws.vault, query, now_ms=NOW_MS).rows)
    assert found == {town: first[:10] for town, (first, _) in BOUNDS.items()}


def test_events_tell_the_same_days(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    query = "SELECT starts_on, ends_on FROM v_events WHERE quote LIKE '%married%'"
    assert run_select(ws.vault, query, now_ms=NOW_MS).rows == (("2024-07-06", "2024-07-06"),)
    exporting.export(ws, tmp_path / "out", "ics")
    written = (tmp_path / "out" / "memory.ics").read_bytes().decode()
    entries = written.split("BEGIN:VEVENT")
    for word, days in (("married", ("20240706", "20240707")), ("Rome", ("20250330", "20250331"))):
        entry = next(one for one in entries if word in one)
        assert f"DTSTART;VALUE=DATE:{days[0]}\r\nDTEND;VALUE=DATE:{days[1]}\r\n" in entry


def test_the_window_and_the_command_line_spell_the_same_day(moved: dict[str, Fact]) -> None:
    fact = moved["Bern"]
    clock = clock_of(fact.evidence)
    assert clock == WallClock(60, BERLIN)
    assert bound_text(fact.valid_from, clock) == "5 Jul 2024"
    assert held_text(fact.valid_from, None, clock) == "5 Jul 2024 – now"
    assert spell_when(fact.valid_from, clock) == "2024-07-05"


def test_a_bound_set_by_the_offset_of_its_turn_keeps_its_days(moved: dict[str, Fact]) -> None:
    """What stands in a vault since before there were zones: a July day cut at winter's offset."""
    start = moved["Bern"].valid_from
    assert start.earliest_ms is not None
    assert start.latest_ms is not None
    hour = 3_600_000
    old = Bound(start.earliest_ms + hour, start.latest_ms + hour, start.precision, start.source)
    clock = WallClock(60, BERLIN)
    assert clock.of_bound(old) == WallClock(60)
    assert spell_when(old, clock) == "2024-07-05"
    assert bound_text(old, clock) == "5 Jul 2024"
    assert clock.of_bound(start) == clock


def test_a_turn_with_an_offset_of_its_own_keeps_to_it() -> None:
    summer_ms = 1_720_130_400_000
    assert zone_of_turn(BERLIN, summer_ms, 120) == BERLIN
    assert zone_of_turn(BERLIN, summer_ms, 60) == ""  # written elsewhere, in winter's zone or none
    assert zone_of_turn("Mars/Base", summer_ms, 0) == ""
    assert zone_of_turn("", summer_ms, 120) == ""
    assert zone_of_turn(BERLIN, None, 0) == BERLIN
