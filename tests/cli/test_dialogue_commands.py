"""The commands about what was asked: `dialogues`, and `misfit` for a turn that does not answer."""

import pytest

from tests.cli.running import Run


@pytest.fixture
def asked(imported: Run) -> Run:
    """A command line on a memory that was asked two questions, without a model."""
    for question in ("Where does Ben live?", "What does Ana say?"):
        assert imported("ask", question, "--no-model").status == 0
    return imported


def test_dialogues_are_listed_the_last_asked_first(asked: Run) -> None:
    (last, first) = asked("dialogues", "--json").json["dialogues"]
    assert (first["title"], first["questions"]) == ("Where does Ben live?", 1)
    assert last["title"] == "What does Ana say?"
    assert last["last_asked_at"] >= first["last_asked_at"]
    assert len(asked("dialogues", "list", "--limit", "1", "--json").json["dialogues"]) == 1
    assert "What does Ana say?" in asked("dialogues").out


def test_a_dialogue_is_shown_with_its_answers(asked: Run) -> None:
    number = asked("dialogues", "--json").json["dialogues"][1]["id"]
    shown = asked("dialogues", "show", number, "--json").json
    (answer,) = shown["answers"]
    assert shown["id"] == number
    assert answer["question"] == "Where does Ben live?"
    assert answer.keys() >= {"number", "answer", "citations", "facts"}
    assert asked("dialogues", "show", number).out.startswith("Where does Ben live?  (trace ")


def test_a_dialogue_is_deleted_and_the_chats_stay(asked: Run) -> None:
    before = asked("status", "--json").json
    number = asked("dialogues", "--json").json["dialogues"][0]["id"]
    deleted = asked("dialogues", "delete", number, "--json").json
    assert deleted == {"id": number, "deleted": 1}
    left = asked("dialogues", "--json").json["dialogues"]
    assert [one["title"] for one in left] == ["Where does Ben live?"]
    assert asked("status", "--json").json["turns"] == before["turns"]
    again = asked("dialogues", "delete", number)
    assert (again.status, again.out) == (1, "")
    assert f"There is no dialogue {number}." in again.err


def test_a_memory_that_was_asked_nothing_lists_nothing(imported: Run) -> None:
    assert imported("dialogues", "--json").json == {"dialogues": []}


def test_a_turn_that_does_not_answer_is_said_so_and_taken_back(asked: Run) -> None:
    first = asked("dialogues", "--json").json["dialogues"][1]["id"]
    turn = asked("trace", first, "--json").json["evidence"][0]["turn_id"]
    ruled = asked("misfit", turn, "--answer", first, "--reason", "about another day", "--json").json
    assert ruled["ruling"]["kind"] == "misfit"
    assert ruled["ruling"]["reason"] == "about another day"
    twice = asked("misfit", turn, "--answer", first)
    assert twice.status == 1
    assert "already" in twice.err
    assert asked("undo", "--json").json["ruling"]["kind"] == "undo"
    assert asked("misfit", turn, "--answer", first).out.startswith(f"Said that turn {turn} ")


def test_only_what_an_answer_rests_on_can_misfit(asked: Run) -> None:
    first = asked("dialogues", "--json").json["dialogues"][1]["id"]
    refused = asked("misfit", 9999, "--answer", first)
    assert refused.status == 1
    assert 'The answer to "Where does Ben live?" does not rest on turn 9999.' in refused.err
    assert asked("misfit", "x").status == 2
