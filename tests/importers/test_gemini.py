"""Gemini: activities as JSON and as a page, AI Studio, and conversations of Workspace."""

import json

import pytest

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.importers import gemini_html, parts
from tests.importers.conftest import ReadFile, read_path, zip_of
from tests.importers.test_samples import SAMPLES

SAMPLE = {path.name: path for path in SAMPLES}


def test_page_and_json_of_the_same_activities_have_the_same_keys() -> None:
    page = read_path(SAMPLE["gemini_page.in.html"])
    data = read_path(SAMPLE["gemini_activity.in.json"])
    assert page.keys == data.keys


@pytest.mark.parametrize("chunk_bytes", [7, 64])
def test_a_page_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch, chunk_bytes: int) -> None:
    whole = read_path(SAMPLE["gemini_page.in.html"]).turns
    monkeypatch.setattr(parts, "_CHUNK_BYTES", chunk_bytes)
    assert read_path(SAMPLE["gemini_page.in.html"]).turns == whole


def test_a_page_with_a_cell_of_no_end_is_refused(
    read: ReadFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemini_html, "_LONGEST_CELL_CHARS", 50)
    with pytest.raises(ExportUnreadableError, match="damaged"):
        read(page("Prompted&nbsp;Hi<br>May 1, 2024, 8:00:00 AM UTC<br><p>Hello</p>"))


def page(*lines: str, product: str = "Gemini Apps") -> str:
    cells = "".join(
        f'<div class="outer-cell mdl-cell"><p class="mdl-typography--title">{product}<br></p>'
        f'<div class="content-cell mdl-cell mdl-typography--body-1">{line}</div></div>'
        for line in lines
    )
    return f"<html><body>{cells}</body></html>"


@pytest.mark.parametrize(
    ("clock", "at_ms"),
    [
        ("May 1, 2024, 10:00:05 AM CEST", 1_714_550_405_000),
        ("1 May 2024, 10:00:05 GMT+2", 1_714_550_405_000),
        ("1 mai 2024, 10:00:05 CEST", 1_714_550_405_000),
        ("01.05.2024, 10:00:05 MESZ", 1_714_550_405_000),
        ("1 de mayo de 2024, 10:00:05 CEST", 1_714_550_405_000),
        ("2024/05/01 17:00:05 JST", 1_714_550_405_000),
        ("2024年5月1日 17:00:05 JST", 1_714_550_405_000),
        ("May 1, 2024, 1:30:05 PM GMT+05:30", 1_714_550_405_000),
        ("May 1, 2024, 8:00:05 AM UTC", 1_714_550_405_000),
        ("May 1, 2024, 5:00:05 PM ???", 1_714_550_405_000),  # the chosen zone's clock
    ],
)
def test_clocks_of_a_page(read: ReadFile, clock: str, at_ms: int) -> None:
    got = read(page(f"Prompted&nbsp;Hi<br>{clock}<br><p>Hello</p>"), zone="Asia/Tokyo")
    assert [(turn.text, turn.said_at_ms) for turn in got.turns] == [("Hi", at_ms), ("Hello", at_ms)]


def test_a_question_of_several_lines_and_one_without_a_date(read: ReadFile) -> None:
    got = read(
        page("Prompted&nbsp;one<br>two<br>May 1, 2024, 8:00:00 AM UTC<br>yes", "Asked&nbsp;x")
    )
    assert [turn.text for turn in got.turns] == ["x", "one\ntwo", "yes"]
    assert got.turns[0].said_at_ms is None


def test_pages_of_other_products_are_not_taken(read: ReadFile) -> None:
    with pytest.raises(ExportUnreadableError):
        read(page("Watched&nbsp;Gemini<br>May 1, 2024, 8:00:00 AM UTC", product="YouTube"))
    with pytest.raises(ExportUnreadableError):
        read([{"header": "Search", "title": "Searched for x", "time": "2024-05-01T08:00:00Z"}])


def test_other_languages_keep_the_whole_title(read: ReadFile) -> None:
    entry = {"header": "Gemini-Apps", "title": "Eingabe: Hallo", "time": "2024-05-01T08:00:00Z"}
    answered = {**entry, "safeHtmlItem": [{"html": "<p>Guten Tag</p>"}]}
    got = read([answered, {**entry, "title": "Feedback gegeben"}])
    assert [turn.text for turn in got.turns] == ["Eingabe: Hallo", "Guten Tag"]
    assert got.skipped == {"nothing was asked": 1}


def test_studio(read: ReadFile) -> None:
    chunks = [
        {"role": "user", "text": "Name a boat", "id": "u"},
        {"role": "user", "driveImage": {"id": "x"}},
        {"role": "model", "text": "thinking", "isThought": True},
        {"role": "model", "text": "Gull", "id": "a", "branchParent": {"id": "u"}},
        {"role": "model", "text": "Petrel", "id": "b", "branchParent": {"id": "u"}},
        {"role": "model", "text": ""},
        7,
    ]
    got = read({"runSettings": {}, "chunkedPrompt": {"chunks": chunks}}, keep_branches=True)
    assert got.facts.format == "gemini"
    assert [(turn.kind, turn.text) for turn in got.turns] == [
        (TurnKind.MESSAGE, "Name a boat"),
        (TurnKind.MEDIA, ""),
        (TurnKind.ALTERNATIVE, "Gull"),
        (TurnKind.MESSAGE, "Petrel"),
    ]
    assert got.turns[1].attachments == ("image",)
    assert got.conversations[0].title == "Name a boat"


def test_conversations_of_a_workspace_account(read: ReadFile) -> None:
    def conversation(n: int) -> dict[str, object]:
        return {
            "title": f"Boat {n}",
            "creation_time": f"2024-05-0{n}T08:00:00Z",
            "conversation_turns": [
                {"user_turn": {"prompt": "Hi", "turn_last_modified": f"2024-05-0{n}T08:00:01Z"}},
                {"system_turn": {"text": [{"data": "Hello"}, {"cards": [{"content": "card"}]}],
                                 "model_thoughts": [{"headline": "SECRET"}]}},
                {"neither": {}},
            ],
        }  # fmt: skip

    got = read(zip_of({f"conversation_{n}.txt": json.dumps(conversation(n)) for n in (1, 2)}))
    assert [chat.title for chat in got.conversations] == ["Boat 1", "Boat 2"]
    assert [(turn.role, turn.text) for turn in got.conversations[0].turns] == [
        (Role.USER, "Hi"),
        (Role.ASSISTANT, "Hello\n\ncard"),
    ]
    assert got.turns[0].said_at_ms == 1_714_550_401_000
