"""Every message of an export is a turn, or is told of with its reason: nothing goes silently."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.conftest import Read, ReadFile, zip_of

LENIENT = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
WORDS = st.sampled_from(
    ["", "hello", "  ", "\u200e", "two\nlines", None, 5, ["odd"], {"text": "x"}]
)
TIMES = st.sampled_from([1_704_448_800, 1_704_448_860, 0, None, "never"])


def accounted(got: Read) -> int:
    return len(got.turns) + sum(got.skipped.values()) + sum(one.turns for one in got.problems)


def telegram(texts: list[Any], times: list[Any]) -> Any:
    messages = [
        {"id": number, "type": ("message", "service", "unsupported")[number % 3], "from": "Ana",
         "from_id": "user1", "date": "2024-01-05T10:00:00", "date_unixtime": at, "text": text}
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    ]  # fmt: skip
    return {"name": "Ben", "type": "personal_chat", "id": 1, "messages": messages}


def messenger(texts: list[Any], times: list[Any]) -> Any:
    messages = [
        {"sender_name": "Ana", "timestamp_ms": at, "content": text, "type": "Generic"}
        for text, at in zip(texts, times, strict=True)
    ]
    return {"participants": [{"name": "Ana"}], "messages": messages, "title": "Ben"}


def discord(texts: list[Any], times: list[Any]) -> Any:
    messages = [
        {"id": f"{number}", "type": "Default", "timestamp": at, "content": text,
         "author": {"id": "1", "name": "ana"}}
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    ]  # fmt: skip
    return {"guild": {"name": "g"}, "channel": {"id": "9", "name": "c"}, "messages": messages}


def grok(texts: list[Any], times: list[Any]) -> Any:
    responses = [
        {"response": {"_id": f"r{number}", "message": text, "sender": "human", "create_time": at}}
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    ]
    return [{"conversation": {"id": "1", "title": "t"}, "responses": responses}]


def claude(texts: list[Any], times: list[Any]) -> Any:
    messages = [
        {"uuid": f"m{number}", "sender": "human", "text": text, "created_at": at}
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    ]
    return [{"uuid": "1", "name": "t", "chat_messages": messages}]


def slack(texts: list[Any], times: list[Any]) -> Any:
    messages = [
        {"type": "message", "user": "U1", "text": text, "ts": at}
        for text, at in zip(texts, times, strict=True)
    ]
    users = [{"id": "U1", "name": "ana"}]
    return zip_of({"users.json": json.dumps(users), "c/2024-01-05.json": json.dumps(messages)})


MAKERS = {one.__name__: one for one in (telegram, messenger, discord, grok, claude, slack)}


@pytest.mark.parametrize("form", MAKERS)
@LENIENT
@given(said=st.lists(st.tuples(WORDS, TIMES), max_size=6))
def test_every_message_is_a_turn_or_told(
    read: ReadFile, form: str, said: list[tuple[Any, Any]]
) -> None:
    texts = ["hello", *(text for text, _ in said)]
    times = [1_704_448_800, *(at for _, at in said)]
    got = read(MAKERS[form](texts, times))
    assert got.facts.format == form
    assert accounted(got) == len(texts)


def test_chats_that_were_left_are_read_too(read: ReadFile) -> None:
    account = {
        "about": "Here is the data you requested.",
        "personal_information": {"first_name": "Ana"},
        "contacts": {"list": [{"first_name": f"Friend {n}"} for n in range(9000)]},
        "chats": {"list": [telegram(["hello"], [1_704_448_800])]},
        "left_chats": {"list": [telegram(["bye"], [1_704_448_800]) | {"id": 2, "name": "Club"}]},
    }
    got = read(account)
    assert [(chat.title, chat.turns[0].text) for chat in got.conversations] == [
        ("Ben", "hello"), ("Club", "bye"),
    ]  # fmt: skip


def test_a_poll_may_be_written_in_pieces(read: ReadFile) -> None:
    poll = {"question": {"type": "plain", "text": "When?"}, "answers": [{"text": ["Mon", "day"]}]}
    chat = telegram(["hello"], [1_704_448_800])
    chat["messages"].append({**chat["messages"][0], "id": 7, "text": "", "poll": poll})
    assert read(chat).turns[1].text == "When?\n- Monday"


def test_a_reaction_is_nobodys_words(read: ReadFile) -> None:
    words = [
        "hi",
        "Liked a message",
        "Reacted \u00f0\u009f\u0098\u0082 to your message ",
        "Liked it",
    ]
    got = read(messenger(words, [1_704_448_800_000] * 4))
    assert sorted((turn.speaker, turn.text) for turn in got.turns) == [
        ("", "Ana: Liked a message"), ("", "Ana: Reacted 😂 to your message"),
        ("Ana", "Liked it"), ("Ana", "hi"),
    ]  # fmt: skip
