"""The shipped sample exports are what a person would really find in such a file."""

from itertools import pairwise

import pytest
from reading_samples import (
    CHATGPT,
    CHINESE,
    FILES,
    FRIENDS,
    GROUP,
    SAMPLES,
    current_branch,
    read_conversations,
    read_group_text,
    read_sample,
)


@pytest.mark.parametrize("file", [FRIENDS, GROUP, CHINESE])
def test_messages_are_in_order_of_time(file: str) -> None:
    said = [message.said for message in read_sample(file)]
    assert all(earlier <= later for earlier, later in pairwise(said))


@pytest.mark.parametrize("file", [FRIENDS, CHINESE])
def test_every_line_of_a_text_export_belongs_to_a_message(file: str) -> None:
    lines = (SAMPLES / file).read_text(encoding="utf-8").splitlines()
    read = "\n".join(message.text for message in read_sample(file)).splitlines()
    assert len(read) == len(lines)


def test_the_two_friends_write_for_ten_months() -> None:
    messages = [message for message in read_sample(FRIENDS) if message.speaker]
    months = {(message.said.year, message.said.month) for message in messages}
    assert len(messages) >= 260
    assert len(months) == 10
    assert {message.speaker for message in messages} == {"Jonas Weber", "Mira Okafor"}


def test_the_friends_chat_has_what_real_chats_have() -> None:
    messages = read_sample(FRIENDS)
    texts = [message.text for message in messages]
    assert sum(message.speaker == "" for message in messages) == 2
    assert texts.count("<Media omitted>") >= 5
    assert "This message was deleted" in texts
    assert any("\n" in text for text in texts)
    assert any(text.endswith("<This message was edited>") for text in texts)


def test_the_group_writes_as_a_german_iphone_does() -> None:
    text = read_group_text()
    # An iPhone ends a message with CR LF and breaks lines inside one with LF alone.
    assert text.count("\r\n") == len(read_sample(GROUP)) < text.count("\n")
    for words in (
        "Wandergruppe Elbtal: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt",
        "\u200eBild weggelassen",
        "~\u202fRike: ",
        "\u202a+49\u00a0171\u00a03920017\u202c: ",
        "\u200eDiese Nachricht wurde gelöscht.",
        "\u200eUMFRAGE:",
    ):
        assert words in text


def test_the_group_has_six_people_and_sixty_messages() -> None:
    messages = [message for message in read_sample(GROUP) if message.speaker]
    people = {message.speaker for message in messages} - {"Wandergruppe Elbtal"}
    assert len(people) == 6
    assert len(messages) >= 60


def test_the_chinese_chat_has_two_people_and_seventy_messages() -> None:
    messages = [message for message in read_sample(CHINESE) if message.speaker]
    assert {message.speaker for message in messages} == {"李雪", "陈默"}
    assert len(messages) >= 70


def test_chatgpt_nodes_form_one_tree_each() -> None:
    for conversation in read_conversations():
        mapping = conversation["mapping"]
        roots = [node for node in mapping.values() if node["parent"] is None]
        assert len(roots) == 1
        for node in mapping.values():
            assert all(mapping[child]["parent"] == node["id"] for child in node["children"])


def test_chatgpt_export_has_the_hard_shapes() -> None:
    conversations = read_conversations()
    messages = [
        node["message"]
        for conversation in conversations
        for node in conversation["mapping"].values()
        if node["message"]
    ]
    kinds = {message["content"]["content_type"] for message in messages}
    assert [conversation["title"] for conversation in conversations].count(None) == 1
    assert len(conversations) == 3
    assert kinds >= {
        "text",
        "multimodal_text",
        "user_editable_context",
        "thoughts",
        "reasoning_recap",
        "code",
        "execution_output",
    }
    assert any(message["author"]["role"] == "tool" for message in messages)
    hidden = [m for m in messages if m["metadata"].get("is_visually_hidden_from_conversation")]
    assert {message["author"]["role"] for message in hidden} >= {"system", "user"}


def test_chatgpt_export_has_an_edited_question_and_a_regenerated_answer() -> None:
    forks = [
        {conversation["mapping"][child]["message"]["author"]["role"] for child in node["children"]}
        for conversation in read_conversations()
        for node in conversation["mapping"].values()
        if len(node["children"]) > 1
    ]
    assert sorted(map(sorted, forks)) == [["assistant"], ["user"]]


def test_chatgpt_current_branch_leaves_the_others_out() -> None:
    for conversation in read_conversations():
        branch = current_branch(conversation)
        assert conversation["mapping"][branch[0]]["parent"] is None
        assert len(branch) <= len(conversation["mapping"])
    assert any(message.branch == "other" for message in read_sample(CHATGPT))


def test_no_other_export_lies_among_the_samples() -> None:
    exports = {path.name for path in SAMPLES.iterdir() if path.suffix in {".txt", ".zip"}}
    assert exports == set(FILES)
