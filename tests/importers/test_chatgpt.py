"""ChatGPT exports: the branch in use, what nobody saw, and conversations that are broken."""

import json
from typing import Any

import pytest

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.importers.leaving_out import LEFT_BRANCHES
from tests.importers.conftest import ReadFile, zip_of


def node(
    key: str,
    parent: str | None,
    text: Any = None,
    role: str = "user",
    at: float | None = 1.7e9,
    **more: Any,
) -> dict[str, Any]:
    """Make a node of the message tree."""
    message = None
    if text is not None:
        content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
        message = {"id": key, "author": {"role": role}, "content": content}
        message |= {"create_time": at, **more}
    return {"id": key, "parent": parent, "children": [], "message": message}


def conversation(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    """Make a conversation of nodes."""
    return {
        "title": "T", "create_time": 1.7e9, "id": "c1", "current_node": current,
        "mapping": {entry["id"]: entry for entry in nodes}, **more,
    }  # fmt: skip


BRANCHED = conversation(
    node("root", None),
    node("q", "root", "Which cheese?"),
    node("a1", "q", "Gouda", "assistant"),
    node("a2", "q", "Brie", "assistant", 1.7e9 + 5),
    node("q2", "a2", "Thanks", at=1.7e9 + 9),
    current="q2",
)


def test_only_the_active_branch_is_the_conversation(read: ReadFile) -> None:  # fault 22
    got = read([BRANCHED])
    assert [turn.text for turn in got.turns] == ["Which cheese?", "Brie", "Thanks"]
    assert got.skipped == {LEFT_BRANCHES: 1}


def test_left_branches_are_kept_as_alternatives_for_who_wants_them(read: ReadFile) -> None:
    got = read([BRANCHED], keep_branches=True)
    assert got.skipped == {}
    assert [(turn.text, turn.kind) for turn in got.turns] == [
        ("Which cheese?", TurnKind.MESSAGE),
        ("Gouda", TurnKind.ALTERNATIVE),
        ("Brie", TurnKind.MESSAGE),
        ("Thanks", TurnKind.MESSAGE),
    ]
    assert [turn.role for turn in got.turns][:2] == [Role.USER, Role.ASSISTANT]
    assert got.turns[3].reply_to == "a2"


def test_newest_leaf_where_the_current_node_is_missing(read: ReadFile) -> None:
    for current in (None, "gone"):
        got = read([{**BRANCHED, "current_node": current}])
        active = [turn.text for turn in got.turns if turn.kind is TurnKind.MESSAGE]
        assert active == ["Which cheese?", "Brie", "Thanks"]


def test_circle_is_cut_and_told(read: ReadFile) -> None:
    got = read([conversation(node("a", "b", "one"), node("b", "a", "two"), current="a")])
    assert sorted(turn.text for turn in got.turns) == ["one", "two"]
    assert "circle" in got.problems[0].what


def test_missing_parent_keeps_what_follows(read: ReadFile) -> None:
    got = read([conversation(node("b", "a", "two"), node("c", "b", "three"), current="c")])
    assert [turn.text for turn in got.turns] == ["two", "three"]
    assert len(got.problems) == 1


def test_export_in_numbered_files_and_without_titles(read: ReadFile) -> None:  # fault 17
    members = {
        f"conversations-00{n}.json": json.dumps(
            [conversation(node("q", None, f"Question {n}"), current="q", title=None, id=f"c{n}")]
        )
        for n in range(2)
    }
    got = read(zip_of({**members, "user.json": "{}", "chat.html": "<html>"}))
    assert [entry.external_id for entry in got.conversations] == ["c0", "c1"]
    assert [entry.title for entry in got.conversations] == ["Question 0", "Question 1"]


def test_what_nobody_saw_is_left_out(read: ReadFile) -> None:  # fault 18
    profile = {"content_type": "user_editable_context", "user_profile": "SECRET"}
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    thoughts = {"content_type": "thoughts", "thoughts": [{"content": "SECRET"}]}
    got = read(
        [
            conversation(
                node("s", None, "SECRET", "system"),
                node("p", "s", profile),
                node("h", "p", "SECRET", **hidden),
                node("q", "h", "Hello"),
                node("t", "q", thoughts, "assistant"),
                node("w", "t", '{"search_query": "x"}', "assistant", recipient="web"),
                node("o", "w", "SECRET page", "tool"),
                node("a", "o", "Hi \ue200cite\ue202turn0\ue201there", "assistant"),
                current="a",
            )
        ]
    )
    assert "SECRET" not in "".join(turn.text for turn in got.turns)
    assert [(turn.role, turn.text) for turn in got.turns if turn.role is not Role.TOOL] == [
        (Role.USER, "Hello"),
        (Role.ASSISTANT, "Hi there"),
    ]
    assert sum(turn.role is Role.TOOL for turn in got.turns) == 2  # countable
    assert got.skipped == {
        "system texts": 1,
        "profile texts": 1,
        "hidden in the conversation": 1,
        "thoughts of the assistant": 1,
    }


def test_one_broken_conversation_harms_no_other(read: ReadFile) -> None:  # fault 19
    good = conversation(node("q", None, "Hello"), current="q")
    for broken in ({"title": "B", "mapping": None}, None, 7, {"mapping": {"a": 3}}, []):
        got = read([good, broken, {**good, "id": "c2"}])
        assert len(got.conversations) == 2
        assert len(got.problems) == 1
        assert "conversation 2" in got.problems[0].where


@pytest.mark.parametrize(
    "text", ['[{"mapping": {}, "current_node": "a"},]', '[{"mapping": {"a": {', '[{"mapping": {} x']
)
def test_broken_json_is_an_error_and_no_success(read: ReadFile, text: str) -> None:  # fault 20
    with pytest.raises(ExportUnreadableError, match="JSON"):
        read(text, name="conversations.json")


def test_array_of_a_mapping_alone_is_known(read: ReadFile) -> None:  # fault 21
    got = read([{"mapping": {"q": node("q", None, "Hello")}}])
    assert (got.facts.format, got.turns[0].text) == ("chatgpt", "Hello")


def test_single_conversation_and_wrapped_ones(read: ReadFile) -> None:
    assert len(read(BRANCHED).turns) == 3
    assert len(read({"conversations": [BRANCHED]}).turns) == 3


def test_missing_times_follow_the_message_before(read: ReadFile) -> None:
    got = read(
        [conversation(node("q", None, "a", at=None), node("a", "q", "b", at=1.7e9 + 60),
                      node("c", "a", "c", at=None), current="c")]
    )  # fmt: skip
    later_ms = 1_700_000_060_000
    assert [turn.said_at_ms for turn in got.turns] == [1_700_000_000_000, later_ms, later_ms]


def test_no_time_at_all_is_no_time(read: ReadFile) -> None:
    got = read([conversation(node("q", None, "a", at=None), current="q", create_time=None)])
    assert got.turns[0].said_at_ms is None


def test_pictures_files_and_code(read: ReadFile) -> None:
    picture = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-AbC1"},
            {"content_type": "audio_transcription", "text": "spoken words"},
            {"content_type": "hologram"},
            "what is it?",
        ],
    }
    code = {"content_type": "code", "language": "python", "text": "print(1)"}
    attached = {"metadata": {"attachments": [{"id": "file-2", "name": "plan.pdf"}]}}
    chat = conversation(
        node("q", None, picture, **attached), node("a", "q", code, "assistant"), current="a"
    )
    got = read(zip_of({"conversations.json": json.dumps([chat]), "file-AbC1-cat.png": "x"}))
    assert got.turns[0].text == "spoken words\nwhat is it?"
    assert got.turns[0].attachments == ("file-AbC1-cat.png", "plan.pdf")
    assert got.turns[1].text == "```python\nprint(1)\n```"
    assert "hologram" in got.problems[0].what


def test_links_left_out_means_the_order_of_the_file(read: ReadFile) -> None:
    nodes = [node(key, None, text) for key, text in (("a", "one"), ("b", "two"), ("c", "three"))]
    got = read([conversation(*nodes)])
    assert [(turn.text, turn.kind.value) for turn in got.turns] == [
        ("one", "message"),
        ("two", "message"),
        ("three", "message"),
    ]


def test_taking_up_another_branch_adds_nothing(read: ReadFile) -> None:
    before = read([BRANCHED], keep_branches=True)
    after = read([{**BRANCHED, "current_node": "a1"}], keep_branches=True)
    assert set(before.keys) == set(after.keys)


def test_offset_is_that_of_the_zone_on_the_day(read: ReadFile) -> None:
    got = read([BRANCHED], zone="America/New_York")
    assert {turn.offset_minutes for turn in got.turns} == {-300}  # November 2023
