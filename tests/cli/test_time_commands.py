"""Questions of time and plans from the command line, with answers worked out by hand."""

from pathlib import Path

import pytest

from apexmem_desktop.cli.arguments import build_parser
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import append
from tests.cli.running import Run

CHAT = """\
03/04/2024, 10:00 - Ben Roth: I moved to Porto in March 2020
03/04/2024, 10:01 - Ben Roth: I moved to Oslo in May 2022
03/04/2024, 10:02 - Ben Roth: I visited Rome in June 2021
03/04/2024, 10:03 - Ben Roth: I visited Bern in July 2021
03/04/2024, 10:04 - Ben Roth: I visited Rome in August 2022
03/04/2024, 10:05 - Ben Roth: I worked at Lumo from 2015 to 2018
03/04/2024, 10:06 - Ana Lima: I booked a trip to Crete from 3 to 5 May
03/04/2024, 10:07 - Ana Lima: I booked a cabin in Norway from 5 to 9 May
03/04/2024, 10:08 - Ana Lima: I booked a trip to Malta for 20 August
"""


@pytest.fixture
def told(run: Run, vault: Path, tmp_path: Path) -> Run:
    """A memory whose turns were read by the patterns alone."""
    path = tmp_path / "WhatsApp Chat with Ben Roth.txt"
    path.write_text(CHAT, encoding="utf-8")
    assert run("import", path, "--zone", "UTC", "--date-order", "dmy").status == 0
    with Vault.open(vault) as opened:
        append(opened, range(1, len(CHAT.splitlines()) + 1))
    return run


def test_what_ended_in_2018_held_in_2016_and_not_in_2019(told: Run) -> None:
    def values(year: str) -> list[str]:
        facts = told("facts", "Ben Roth", "--as-of", year, "--json").json["facts"]
        return [f["value"] for f in facts if f["property"] == "worked_at"]

    assert (values("2014"), values("2016"), values("2019")) == ([], ["Lumo"], [])
    [fact] = told("facts", "Ben Roth", "--property", "worked_at", "--history", "--json").json[
        "facts"
    ]
    assert fact["valid_from"] == {
        "earliest": "2015-01-01T00:00:00+00:00", "latest": "2015-12-31T23:59:59.999+00:00",
        "precision": "year", "source": "stated",
    }  # fmt: skip
    assert fact["valid_to"] == {
        "earliest": "2018-01-01T00:00:00+00:00", "latest": "2018-12-31T23:59:59.999+00:00",
        "precision": "year", "source": "stated",
    }  # fmt: skip


def test_when_it_changed(told: Run) -> None:
    [change] = told("times", "Ben Roth", "--property", "lives_in", "--json").json["changes"]
    assert (change["before"]["value"], change["after"]["value"]) == ("Porto", "Oslo")
    assert change["when"]["earliest"] == "2022-05-01T00:00:00+00:00"
    shown = told("times", "Ben Roth", "--changes").out.splitlines()
    assert "  2022-05  lives_in: Porto -> Oslo" in shown
    assert not [line for line in shown if "visited" in line]  # that a trip was over is no change
    assert told("times", "Ben Roth", "--property", "lives_in", "--value", "Rome").out.endswith(
        "Nothing is known.\n"
    )


def test_what_held_before_and_after_an_event(told: Run) -> None:
    around = told("times", "Ben Roth", "--around", "Bern", "--property", "lives_in", "--json").json
    assert around["around"]["event"]["summary"] == "Ben Roth went to Bern"
    for side in ("before", "after"):
        assert [(one["value"], one["certainty"]) for one in around["around"][side]] == [
            ("Porto", "certain")
        ]
    number = around["around"]["event"]["id"]
    again = told("times", "Ben Roth", "--around", number, "--property", "lives_in", "--json").json
    assert again == around


def test_an_event_that_is_not_told_from_others_is_asked_back(told: Run) -> None:
    ran = told("times", "Ben Roth", "--around", "trip")
    assert ran.status == 1
    assert ran.err.startswith('3 events of Ben Roth are told by "trip".')
    assert "went to Bern" in ran.err


def test_how_two_events_lie_to_each_other(told: Run) -> None:
    visits = told("times", "Ben", "--events", "--json").json["events"]
    first, last = (str(event["id"]) for event in (visits[0], visits[-1]))
    found = told("times", "Ben", "--relation", first, last, "--json").json["related"]
    assert (found["certain"], found["relations"]) == (True, ["before"])
    assert "- after -" in told("times", "Ben", "--relation", last, first).out
    assert "- equals -" in told("times", "Ben", "--relation", first, first).out


def test_how_long(told: Run) -> None:
    porto, oslo = told(
        "times", "Ben Roth", "--how-long", "--property", "lives_in", "--as-of", "2023-05-01",
        "--json",
    ).json["lengths"]  # fmt: skip
    # From the end of March 2020 to the start of May 2022, or from its start to its end.
    assert (porto["value"], porto["least_days"], porto["most_days"]) == ("Porto", 760, 822)
    assert not porto["ongoing"]
    assert (oslo["value"], oslo["ongoing"]) == ("Oslo", True)
    assert round(oslo["least_days"]) == 335  # 31 May 2022 to the end of 1 May 2023
    assert told("times", "Ben Roth", "--how-long").status == 1


def test_how_many_in_a_period(told: Run) -> None:
    def count(*more: str) -> tuple[int, int]:
        found = told("times", "Ben Roth", "--how-many", "--property", "visited", *more, "--json")
        return found.json["count"]["least"], found.json["count"]["most"]

    assert count() == (3, 3)
    assert count("--from", "2021", "--to", "2021") == (2, 2)
    assert count("--value", "Rome") == (2, 2)
    assert count("--from", "2022-08-15") == (0, 1)  # in August 2022: before or after the 15th


def test_what_somebody_took_part_in(told: Run) -> None:
    events = told("times", "Ben Roth", "--events", "--value", "trip", "--to", "2021", "--json").json
    assert [one["summary"] for one in events["events"]] == [
        "Ben Roth went to Rome", "Ben Roth went to Bern",
    ]  # fmt: skip


def test_plans_of_everybody_and_which_of_them_overlap(told: Run) -> None:
    shape = told("plans", "--as-of", "2024-04-04", "--overlaps", "--json").json
    plans = [(p["entity"], p["when"]["from"]["earliest"][:10]) for p in shape["plans"]]
    assert plans == [
        ("Ana Lima", "2024-05-03"), ("Ana Lima", "2024-05-05"), ("Ana Lima", "2024-08-20"),
    ]  # fmt: skip
    assert shape["plans"][0]["evidence"][0]["quote"] == "I booked a trip to Crete from 3 to 5 May"
    [pair] = shape["overlaps"]
    # The trip ends, and the stay begins, at some hour of 5 May.
    assert pair["certainty"] == "possible"
    assert ["Crete" in pair["first"]["label"], "Norway" in pair["second"]["label"]] == [True, True]


def test_plans_of_a_time_and_of_one(told: Run) -> None:
    later = told("plans", "Ana Lima", "--as-of", "2024-04-04", "--from", "2024-06", "--json").json
    assert [p["when"]["from"]["earliest"][:10] for p in later["plans"]] == ["2024-08-20"]
    early = told(
        "plans", "--as-of", "2024-04-04", "--to", "2024-05-04", "--overlaps", "--json"
    ).json
    assert (len(early["plans"]), early["overlaps"]) == (1, [])
    assert told("plans", "Ben Roth").out == "Nothing is planned.\n"
    assert "may overlap" in told("plans", "--as-of", "2024-04-04", "--overlaps").out


def test_the_help_tells_the_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    for command, word in (("plans", "overlaps [{entity"), ("times", "lengths  [held")):
        with pytest.raises(SystemExit):
            build_parser().parse_args([command, "--help"])
        assert word in capsys.readouterr().out


def test_facts_and_entities_tell_what_was_worked_out(told: Run) -> None:
    entity = told("facts", "Ben Roth", "--json").json["entity"]
    assert entity["summary"] == ["lives in: Oslo, since May 2022 (fact 2)"]
    assert (entity["habits"], 0 < entity["importance"] < 1) == ([], True)
    listed = told("entities", "--json").json["entities"]
    assert [one["summary"] for one in listed if one["name"] == "Ben Roth"] == [entity["summary"]]
    then = told("facts", "Ben Roth", "--known-at", "2000", "--json").json["entity"]
    assert (then["summary"], then["importance"]) == ([], 0)
