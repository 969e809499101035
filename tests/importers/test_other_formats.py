"""Formats beside WhatsApp and ChatGPT."""

import json
from typing import Any

import pytest

from apexmem_desktop.domain.turn import Role, TurnKind
from tests.importers.conftest import ReadFile, zip_of


def test_claude(read: ReadFile) -> None:
    blocks = [
        {"type": "thinking", "thinking": "SECRET"},
        {"type": "tool_use", "name": "artifacts", "input": {"content": "SECRET"}},
        {"type": "text", "text": "Try a bigger pot."},
    ]
    got = read(
        [
            {
                "uuid": "k1",
                "name": "Basil",
                "created_at": "2024-05-01T08:00:00Z",
                "chat_messages": [
                    {"uuid": "m1", "sender": "human", "text": "My basil dies",
                     "created_at": "2024-05-01T08:00:01.5Z",
                     "attachments": [{"file_name": "pot.jpg"}]},
                    {"uuid": "m2", "sender": "assistant", "content": blocks,
                     "created_at": "2024-05-01T08:00:09Z"},
                ],
            },
            {"uuid": "k2", "name": "Broken", "chat_messages": None},
        ]
    )  # fmt: skip
    assert got.facts.format == "claude"
    assert [(turn.role, turn.text) for turn in got.turns] == [
        (Role.USER, "My basil dies"),
        (Role.TOOL, ""),
        (Role.ASSISTANT, "Try a bigger pot."),
    ]
    assert got.turns[0].attachments == ("pot.jpg",)
    assert got.turns[0].said_at_ms == 1_714_550_401_500
    assert len(got.problems) == 1


def test_telegram(read: ReadFile) -> None:
    messages = [
        {"id": 1, "type": "service", "action": "create_group", "actor": "Ana",
         "date": "2024-05-01T10:00:00", "date_unixtime": "1714550400", "title": "Boat"},
        {"id": 2, "type": "message", "from": "Ana", "from_id": "user1", "reply_to_message_id": 1,
         "date": "2024-05-01T10:00:05", "date_unixtime": "1714550405",
         "text": ["We bought ", {"type": "bold", "text": "a boat"}, "!"]},
        {"id": 3, "type": "message", "from": "Ben", "from_id": "user2", "text": "",
         "photo": "photos/photo_1.jpg", "date": "2024-05-01T10:00:09",
         "date_unixtime": "1714550409"},
    ]  # fmt: skip
    got = read({"name": "Boat", "type": "private_group", "id": 9, "messages": messages})
    assert got.facts.format == "telegram"
    assert [turn.kind for turn in got.turns] == [TurnKind.NOTICE, TurnKind.MESSAGE, TurnKind.MEDIA]
    assert got.turns[1].text == "We bought a boat!"
    assert got.turns[1].offset_minutes == 120  # the export's own clock, not the chosen zone
    assert got.turns[1].reply_to == "1"
    assert got.turns[2].attachments == ("photo_1.jpg",)
    assert got.conversations[0].is_group


def test_telegram_account_and_old_local_times(read: ReadFile) -> None:
    chat = {"name": "Ana", "type": "personal_chat", "id": 1, "messages": [
        {"id": 1, "type": "message", "from": "Ana", "date": "2019-07-01T10:00:00", "text": "hi"}
    ]}  # fmt: skip
    got = read({"about": "x", "chats": {"list": [chat]}}, zone="Europe/Berlin")
    assert got.turns[0].said_at_ms == 1_561_968_000_000  # 08:00 UTC


def test_messenger_mends_its_encoding_and_joins_files(read: ReadFile) -> None:
    def file(*messages: dict[str, object]) -> str:
        people = [{"name": "Zo\u00c3\u00ab"}, {"name": "Ben"}]
        return json.dumps(
            {"participants": people, "messages": list(messages), "title": "Zo\u00c3\u00ab",
             "thread_path": "inbox/zoe_1"}
        )  # fmt: skip

    newer = file(
        {"sender_name": "Ben", "timestamp_ms": 1_714_550_409_000, "photos": [{"uri": "a/b.jpg"}]},
        {"sender_name": "Zo\u00c3\u00ab", "timestamp_ms": 1_714_550_405_000,
         "content": "gr\u00c3\u00bc\u00c3\u009fe"},
    )  # fmt: skip
    older = file({"sender_name": "Ben", "timestamp_ms": 1_714_550_400_000, "content": "first"})
    got = read(zip_of({"inbox/zoe_1/message_1.json": newer, "inbox/zoe_1/message_2.json": older}))
    assert got.facts.format == "messenger"
    assert [turn.text for turn in got.turns] == ["first", "grüße", ""]
    assert got.speakers == ["Ben", "Zoë"]
    assert (len(got.conversations), got.conversations[0].title) == (1, "Zoë")


def test_discord(read: ReadFile) -> None:
    got = read(
        {
            "guild": {"name": "Club"},
            "channel": {"id": "5", "type": "GuildTextChat", "name": "general"},
            "messages": [
                {"id": "1", "type": "Default", "timestamp": "2024-05-01T08:00:00+00:00",
                 "content": "hello", "author": {"name": "ana", "nickname": "Ana", "isBot": False},
                 "attachments": []},
                {"id": "2", "type": "GuildMemberJoin", "timestamp": "2024-05-01T08:00:01+00:00",
                 "content": "joined.", "author": {"name": "ben"}},
            ],
        }
    )  # fmt: skip
    assert (got.facts.format, got.conversations[0].title) == ("discord", "Club – general")
    assert got.speakers == ["Ana"]
    assert got.turns[1].kind is TurnKind.NOTICE


@pytest.mark.parametrize("wrapped", [True, False])
def test_locomo(read: ReadFile, *, wrapped: bool) -> None:
    sample = {
        "sample_id": "s-1",
        "qa": [{"question": "?", "answer": "!", "evidence": ["D1:1"], "category": 1}],
        "conversation": {
            "speaker_a": "Ida", "speaker_b": "Kai",
            "session_2": [{"speaker": "Kai", "dia_id": "D2:1", "text": "Later"}],
            "session_2_date_time": "9:05 am on 2 June, 2023",
            "session_1": [{"speaker": "Ida", "dia_id": "D1:1", "text": "See my cat",
                           "img_url": ["https://x.org/cat.jpg"], "blip_caption": "a grey cat"}],
            "session_1_date_time": "12:30 am on 8 May, 2023",
        },
    }  # fmt: skip
    got = read([sample] if wrapped else sample)
    assert got.facts.format == "locomo"
    assert [turn.external_id for turn in got.turns] == ["D1:1", "D2:1"]
    assert got.turns[0].text == "See my cat [shared image: a grey cat]"
    assert got.turns[0].said_at_ms == 1_683_505_800_000  # 2023-05-08T00:30Z
    assert got.conversations[0].title == "Ida & Kai"


@pytest.mark.parametrize("lines", [True, False])
def test_longmemeval(read: ReadFile, *, lines: bool) -> None:
    entry = {
        "question_id": "q1", "question": "?", "haystack_dates": ["2023/05/25 (Thu) 22:32"],
        "haystack_session_ids": ["s9"],
        "haystack_sessions": [[{"role": "user", "content": "I bought a mixer"},
                               {"role": "assistant", "content": "Great"}]],
    }  # fmt: skip
    text = "\n".join([json.dumps(entry)] * 2) if lines else json.dumps([entry])
    got = read(text)
    assert got.facts.format == "longmemeval"
    assert len(got.conversations) == (2 if lines else 1)
    assert got.conversations[0].external_id == "q1/s9"
    assert [turn.role for turn in got.turns][:2] == [Role.USER, Role.ASSISTANT]
    assert got.turns[0].said_at_ms == 1_685_053_920_000


def test_slack(read: ReadFile) -> None:
    day = [
        {"type": "message", "user": "U1", "ts": "1714550400.000100",
         "text": "<@U2> see <https://x.org|this> &amp; that"},
        {"type": "message", "user": "U2", "ts": "1714550460.000200", "text": "ok",
         "thread_ts": "1714550400.000100"},
        {"type": "message", "subtype": "channel_join", "user": "U2", "ts": "1714550300.0",
         "text": "<@U2> has joined"},
    ]  # fmt: skip
    users = [{"id": "U1", "name": "ana", "profile": {"real_name": "Ana Ruiz"}},
             {"id": "U2", "name": "ben", "profile": {"real_name": ""}}]  # fmt: skip
    got = read(
        zip_of(
            {
                "users.json": json.dumps(users),
                "channels.json": json.dumps([{"id": "C1", "name": "boats", "members": []}]),
                "boats/2024-05-01.json": json.dumps(day),
            }
        )
    )
    assert (got.facts.format, got.conversations[0].external_id) == ("slack", "C1")
    assert [turn.text for turn in got.turns][1:] == ["@ben see this & that", "ok"]
    assert got.speakers == ["Ana Ruiz", "ben"]
    assert got.turns[2].reply_to == "1714550400.000100"


def test_line_weekday_decides_the_order(read: ReadFile) -> None:
    got = read(
        "[LINE] Chat history with Mina\nSaved on: 11/04/2025, 08:00\n\n"
        'Mon, 11/03/2025\n8:15AM\tMina\t"two\nlines"\n8:20PM\tJo\t[Photo]\n9:00PM\tMina left\n'
    )
    assert (got.facts.format, got.facts.date_order) == ("line", "mdy")
    assert got.facts.date_order_certain
    assert got.conversations[0].title == "Mina"
    assert [turn.kind for turn in got.turns] == [TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.NOTICE]
    assert got.turns[0].text == "two\nlines"
    assert got.turns[0].said_at_ms == 1_762_157_700_000  # 3 November 2025, 08:15


@pytest.mark.parametrize(
    "text",
    [
        "--------------- 2024년 6월 10일 월요일 ---------------\n[민수] [오후 6:30] 안녕\n뭐해?\n",
        "민수 님과 카카오톡 대화\n저장한 날짜 : 2024년 6월 11일\n\n"
        "2024년 6월 10일 오후 6:30, 민수 : 안녕\n뭐해?\n",
    ],
    ids=["computer", "phone"],
)
def test_kakaotalk(read: ReadFile, text: str) -> None:
    got = read(text)
    assert got.facts.format == "kakaotalk"
    assert [(turn.speaker, turn.text) for turn in got.turns] == [("민수", "안녕\n뭐해?")]
    assert got.turns[0].said_at_ms == 1_718_044_200_000


def test_grok(read: ReadFile) -> None:
    wrapped = {"$date": {"$numberLong": "1714550400000"}}
    responses = [
        {"response": {"_id": "r1", "sender": "human", "message": "Hi", "create_time": wrapped}},
        {"response": {"_id": "r2", "sender": "assistant", "message": "Hello"}},
    ]
    got = read({"conversations": [{"conversation": {"id": "g", "title": "T"},
                                   "responses": responses}]})  # fmt: skip
    assert got.facts.format == "grok"
    assert [turn.role for turn in got.turns] == [Role.USER, Role.ASSISTANT]
    assert got.turns[0].said_at_ms == 1_714_550_400_000


def test_what_grok_thought_attached_and_gave_up(read: ReadFile) -> None:
    def response(number: int, parent: int | None, sender: str, words: str, **more: Any) -> Any:
        at = {"$date": {"$numberLong": f"{1714550400000 + number * 1000}"}}
        before = {"parent_response_id": f"r{parent}"} if parent is not None else {}
        inner = {"_id": f"r{number}", "sender": sender, "message": words, "create_time": at}
        return {"response": inner | before | more}

    responses = [
        response(1, None, "human", "Draw a cat", file_attachments=[{"file_name": "cat.txt"}]),
        response(2, 1, "ASSISTANT", "No", thinking_trace="hm"),
        response(3, 1, "ASSISTANT", "", generated_image_urls=["https://x.example/i/cat.png?s=1"]),
        response(4, 3, "human", "Thanks"),
        response(5, 4, "ASSISTANT", ""),
        response(6, None, "ASSISTANT", "Welcome", agent_thinking_traces=[{"a": 1}]),
    ]
    export = [{"conversation": {"id": "g", "title": None}, "responses": responses}]
    got = read(export)
    assert [(turn.text, turn.attachments) for turn in got.turns] == [
        ("Draw a cat", ("cat.txt",)), ("", ("cat.png",)), ("Thanks", ()), ("Welcome", ()),
    ]  # fmt: skip
    assert got.conversations[0].title == "Draw a cat"
    assert sorted(got.skipped.values()) == [1, 1, 2]
    kept = read(export, keep_branches=True)
    assert [turn.kind for turn in kept.turns if turn.text == "No"] == [TurnKind.ALTERNATIVE]


def test_what_claude_says_in_parts_of_an_unknown_type_is_told(read: ReadFile) -> None:
    blocks = [
        {"type": "text", "text": "Yes"}, {"type": "thinking", "thinking": "hm"},
        {"type": "tool_result", "content": []}, {"type": "hologram", "data": 1},
    ]  # fmt: skip
    messages = [{"uuid": "m1", "sender": "assistant", "content": blocks}]
    got = read([{"uuid": "c1", "name": None, "chat_messages": messages}])
    assert [turn.text for turn in got.turns] == ["Yes"]
    assert [one.what for one in got.problems] == ["a part of unknown type 'hologram' was left out"]


def test_projects_of_claude_come_with_its_conversations(read: ReadFile) -> None:
    project = {
        "uuid": "p1", "name": "Garden", "description": "All about my beans",
        "prompt_template": "Answer briefly.", "is_starter_project": False,
        "created_at": "2024-03-14T09:00:00Z",
        "docs": [{"uuid": "d1", "filename": "plan.md", "content": "Row one: beans",
                  "created_at": "2024-03-14T09:05:00Z"}],
    }  # fmt: skip
    chat = {
        "uuid": "c1",
        "name": "",
        "chat_messages": [{"uuid": "m1", "sender": "human", "text": "Hello"}],
    }
    packed = zip_of(
        {
            "projects.json": json.dumps([project]),
            "conversations.json": json.dumps([chat]),
            "users.json": "[]",
        }
    )
    for content in (packed, json.dumps([project]).encode(), json.dumps(project).encode()):
        got = read(content)
        assert got.facts.format == "claude"
        garden = next(one for one in got.conversations if one.title == "Garden")
        assert [(turn.role, turn.text) for turn in garden.turns] == [
            (Role.USER, "All about my beans"),
            (Role.USER, "Answer briefly."),
            (Role.TOOL, "Row one: beans"),  # a file is nobody's word
        ]
        assert garden.turns[2].attachments == ("plan.md",)
    assert len(read(packed).conversations) == 2
