"""The commands that show what is in the memory, on one where Ben moved from Porto to Lyon."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.storage.vault import Vault
from tests.cli.running import Run
from tests.recall.chats import entity, store_chat, store_fact

LINES = [
    ("Ben Roth", "2023-03-01T10:00", "I live in Porto."),
    ("Ana Lima", "2023-03-01T10:01", "I like tea."),
    ("Ben Roth", "2023-05-01T10:00", "I moved to Lyon!"),
    ("Ben Roth", "2023-06-01T10:00", "We plan to go to Rome next year."),
]
FACT_KEYS = {
    "id", "property", "value", "value_type", "polarity", "modality", "memory_type", "valid_from",
    "valid_to", "effective_to", "confidence", "holder", "recorded_at", "status", "evidence",
}  # fmt: skip


@pytest.fixture
def moved(run: Run, vault: Path) -> Run:
    """A command line on the memory of that move."""
    opened = Vault.open(vault)
    turns = store_chat(opened, LINES)
    with opened.write() as db:
        entity(db, "Ben Roth", is_speaker=True)
        entity(db, "Ana Lima", is_speaker=True)
    store_fact(opened, turns[0], "Ben Roth", "lives_in", "Porto")
    store_fact(opened, turns[2], "Ben Roth", "lives_in", "Lyon")
    store_fact(opened, turns[3], "Ben Roth", "travels_to", "Rome", modality=Modality.PLANNED)
    store_fact(opened, turns[1], "Ana Lima", "likes", "tea", single_valued=False)
    opened.close()
    return run


def values(ran: object) -> list[tuple[str, str]]:
    return [(fact["value"], fact["status"]) for fact in ran.json["facts"]]  # type: ignore[attr-defined]


def test_facts_are_what_holds_now(moved: Run) -> None:
    ran = moved("facts", "Ben", "--property", "lives_in", "--json")
    assert values(ran) == [("Lyon", "current")]
    (fact,) = ran.json["facts"]
    assert fact.keys() >= FACT_KEYS
    assert ran.json["entity"]["name"] == "Ben Roth"
    assert fact["valid_from"].keys() == {"earliest", "latest", "precision", "source"}
    (proof,) = fact["evidence"]
    assert proof["quote"] == "I moved to Lyon!"
    assert proof["said_at"] == "2023-05-01T10:00:00+00:00"


def test_as_of_a_bare_day_means_its_end(moved: Run) -> None:
    moved_on = moved("facts", "Ben", "--property", "lives_in", "--as-of", "2023-05-01", "--json")
    before = moved("facts", "Ben", "--property", "lives_in", "--as-of", "2023-04", "--json")
    assert values(moved_on) == [("Lyon", "current")]
    assert values(before) == [("Porto", "current")]


def test_history_has_every_version(moved: Run) -> None:
    ran = moved("facts", "Ben Roth", "--property", "lives_in", "--history", "--json")
    assert values(ran) == [("Lyon", "current"), ("Porto", "past")]
    assert ran.json["facts"][1]["effective_to"] is not None
    assert ran.json["facts"][1]["valid_to"] is None


def test_facts_say_whether_they_held_for_certain(moved: Run) -> None:
    when = ("facts", "Ben", "--property", "lives_in", "--as-of", "2023-04-15", "--history")
    sure = {f["value"]: f["certainty"] for f in moved(*when, "--json").json["facts"]}
    assert sure == {"Porto": "possible", "Lyon": "possible"}
    assert "may or may not have held then" in moved(*when).out
    now = moved("facts", "Ben", "--property", "lives_in", "--json").json["facts"]
    assert [f["certainty"] for f in now] == ["certain"]


def test_plain_output_shows_the_proof(moved: Run) -> None:
    out = moved("facts", "Ben", "--history").out
    assert "lives_in: Lyon  [current]" in out
    assert '"I live in Porto."' in out
    assert "[planned]" in out


def test_an_unknown_name_is_told_with_what_is_near(moved: Run) -> None:
    ran = moved("facts", "Ben Rothe")
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 2
    assert "Ben Roth" in ran.err


def test_entities(moved: Run) -> None:
    found = moved("entities", "--json").json["entities"]
    assert found[0].keys() >= {"id", "name", "type", "aliases", "facts", "first_at", "last_at"}
    assert {one["name"] for one in found} == {"Ben Roth", "Ana Lima"}
    assert len(moved("entities", "--limit", "1", "--json").json["entities"]) == 1
    assert moved("entities", "--type", "place", "--json").json["entities"] == []
    assert "Ana Lima" in moved("entities").out


def test_search_and_its_filters(moved: Run) -> None:
    found = moved("search", "Lyon", "--json").json
    assert found["turns"][0].keys() >= {
        "turn_id", "session", "speaker", "said_at", "text", "score", "why",
    }  # fmt: skip
    assert found["turns"][0]["text"] == "I moved to Lyon!"
    early = moved("search", "Lyon", "--to", "2023-04", "--json").json["turns"]
    assert all(turn["said_at"] < "2023-05" for turn in early)
    of_ana = moved("search", "Lyon", "--person", "Ana", "--json").json["turns"]
    assert {turn["speaker"] for turn in of_ana} <= {"Ana Lima"}


def test_search_as_of_what_was_known(moved: Run) -> None:
    assert moved("search", "Porto", "--known-at", "1969", "--json").json["turns"] == []
    assert moved("search", "Porto", "--known-at", "2100", "--json").json["turns"]


def test_timeline(moved: Run) -> None:
    ran = moved("timeline", "Ben", "--json").json
    assert [(item["kind"], item["label"]) for item in ran["items"]][:2] == [
        ("fact", "Porto"), ("fact", "Lyon"),
    ]  # fmt: skip
    assert ran["items"][0].keys() >= {"kind", "when", "label", "evidence"}
    assert "lives_in: Lyon" in moved("timeline", "Ben").out


def test_sql_has_the_limits_of_the_agent(moved: Run) -> None:
    ran = moved(
        "sql", "SELECT value FROM v_facts WHERE property = 'lives_in' ORDER BY value", "--json"
    )
    assert ran.json["columns"] == ["value"]
    assert ran.json["rows"] == [["Lyon"], ["Porto"]]
    assert ran.json["truncated"] is False
    for bad in ("DELETE FROM facts", "SELECT 1; DROP TABLE facts", "SELECT nothing FROM v_facts"):
        refused = moved("sql", bad)
        assert refused.status == 1
        assert "Traceback" not in refused.err
    assert len(moved("sql", "SELECT * FROM v_facts", "--json").json["rows"]) == 4


def test_schema(run: Run) -> None:
    assert "v_facts" in run("schema", "--json").json["text"]
    assert "v_facts" in run("schema").out


def test_status(moved: Run) -> None:
    ran = moved("status", "--json").json
    assert (ran["turns"], ran["facts"], ran["entities"]) == (4, 4, 2)
    assert ran["queue"].keys() >= {"pending", "failed"}
    assert ran["vault_bytes"] > 0
    assert ran["models"]
    assert "4 turns" in moved("status").out


def test_verify(moved: Run) -> None:
    ran = moved("verify", "--json")
    assert ran.status == 0
    assert ran.json["ok"] is True
    assert ran.json["checks"][0].keys() == {"name", "ok", "detail"}
    assert "ok" in moved("verify").out
