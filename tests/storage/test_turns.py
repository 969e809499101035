"""Turns: stored once each, in sessions, in order of time, and queued."""

import pytest
from sqlalchemy import func, select

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.storage import conversations, jobs, sessions, tables, tallies, turns
from apexmem_desktop.storage.columns import columns_of
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import (
    DAY_MS,
    HOUR_MS,
    START_MS,
    append_source,
    count,
    make_turn,
    store_chat,
)

LONG = [make_turn(f"message {i}", at_ms=START_MS + i * HOUR_MS) for i in range(5)]


def texts(vault: Vault, conversation_id: int = 1) -> list[str]:
    with vault.read() as db:
        return [t.text for t in turns.find_conversation_turns(db, conversation_id, limit=100)]


def test_two_messages_of_one_second_are_both_kept(vault: Vault) -> None:
    """Known fault 14; the same words twice differ by the occurrence inside their key."""
    new = [
        make_turn("hi"),
        make_turn("there"),
        make_turn("ok", key="k0"),
        make_turn("ok", key="k1"),
    ]
    with vault.write() as db:
        assert len(store_chat(db, new)) == 4
    assert texts(vault) == ["hi", "there", "ok", "ok"]


def test_importing_twice_adds_nothing(vault: Vault) -> None:
    """Known fault 15."""
    with vault.write() as db:
        store_chat(db, LONG)
    tables = ("turns", "conversations", "sessions", "jobs", "turn_words")
    before = [count(vault, table) for table in tables]
    with vault.write() as db:
        assert store_chat(db, LONG) == []
    assert [count(vault, table) for table in tables] == before


def test_a_longer_export_adds_only_what_is_new(vault: Vault) -> None:
    """Known fault 16."""
    with vault.write() as db:
        assert len(store_chat(db, LONG[:3])) == 3
        assert len(store_chat(db, LONG)) == 2
    assert count(vault, "conversations") == 1
    assert texts(vault) == [turn.text for turn in LONG]


def test_an_export_that_reaches_further_back_is_put_in_order(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, LONG[2:])
        store_chat(db, LONG)
    assert texts(vault) == [turn.text for turn in LONG]
    assert count(vault, "sessions") == 1
    with vault.read() as db:
        found = turns.find_conversation_turns(db, 1, limit=100)
        assert sorted(turn.position for turn in found) == [0, 1, 2, 3, 4]
        [session] = sessions.find_sessions(db, 1)
        assert (session.first_at_ms, session.turn_count) == (START_MS, 5)


def test_a_short_chat_is_known_again_by_what_little_it_has(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, [make_turn("only one")])
        assert store_chat(db, [make_turn("only one")]) == []


def test_chats_that_share_too_little_stay_apart(vault: Vault) -> None:
    other = [*LONG[:2], *(make_turn(f"other {i}") for i in range(4))]
    with vault.write() as db:
        store_chat(db, LONG)
        assert len(store_chat(db, other)) == 6
    assert count(vault, "conversations") == 2


def test_the_exports_own_id_goes_before_equal_words(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, LONG, external_id="a")
        store_chat(db, LONG, external_id="b")
        store_chat(db, LONG[:1], external_id="a")
    assert count(vault, "conversations") == 2
    assert count(vault, "turns") == 10


def test_a_chat_is_cut_into_sessions_at_long_silences(vault: Vault) -> None:
    at = [0, HOUR_MS, 10 * HOUR_MS, 18 * HOUR_MS, 30 * HOUR_MS]
    with vault.write() as db:
        store_chat(db, [make_turn(f"{ms}", at_ms=START_MS + ms) for ms in at])
    with vault.read() as db:
        assert [s.turn_count for s in sessions.find_sessions(db, 1)] == [2, 2, 1]


def test_turns_without_a_time_stay_where_they_stood(vault: Vault) -> None:
    new = [make_turn("a"), make_turn("b", at_ms=None), make_turn("c", at_ms=START_MS + 1)]
    with vault.write() as db:
        store_chat(db, new)
        store_chat(db, [make_turn(f"{i}", at_ms=None) for i in range(3)], title="no times")
    assert texts(vault) == ["a", "b", "c"]
    assert texts(vault, 2) == ["0", "1", "2"]


def test_a_reply_finds_what_it_answers_also_across_imports(vault: Vault) -> None:
    first = make_turn("question", external_id="m1")
    answer = make_turn("answer", external_id="m2", reply_to="m1", at_ms=START_MS + 1)
    early = make_turn("answered later", external_id="m3", reply_to="m4", at_ms=START_MS + 2)
    late = make_turn("said later", external_id="m4", at_ms=START_MS + 3)
    with vault.write() as db:
        store_chat(db, [first], external_id="c")
        store_chat(db, [first, answer, early, late], external_id="c")
    with vault.read() as db:
        found = turns.find_turns(db, [1, 2, 3, 4])
    assert [turn.reply_to_id for turn in found] == [None, 1, 4, None]


def test_a_stored_turn_is_what_was_imported(vault: Vault) -> None:
    turn = make_turn("Grüße 👋", offset_minutes=-330, kind=TurnKind.MEDIA, attachments=("a.jpg",))
    with vault.write() as db:
        [number] = store_chat(db, [turn], title="Hiking")
    with vault.read() as db:
        found = turns.get_turn(db, number)
    assert (found.text, found.offset_minutes, found.kind) == ("Grüße 👋", -330, TurnKind.MEDIA)
    assert (found.attachments, found.session_title) == (("a.jpg",), "Hiking")


def test_turns_are_given_in_the_order_asked_and_unknown_ones_left_out(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, LONG)
    with vault.read() as db:
        assert [turn.id for turn in turns.find_turns(db, [3, 99, 1])] == [3, 1]
        with pytest.raises(NotFoundError):
            turns.get_turn(db, 99)


def test_neighbours_of_a_turn_are_of_its_chat_and_in_time_order(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, LONG[1:])
        store_chat(db, [make_turn("elsewhere", at_ms=START_MS + 1)])
        store_chat(db, LONG)
    with vault.read() as db:
        around = turns.find_turns_around(db, 2, 2, 1)
        assert [t.text for t in around] == [f"message {i}" for i in (0, 1, 2, 3)]
        assert turns.find_turns_around(db, 99, 2, 2) == []


def test_a_chat_is_read_in_pages(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, LONG[2:])
        store_chat(db, LONG)
    seen: list[str] = []
    with vault.read() as db:
        last = -1
        while page := turns.find_conversation_turns(db, 1, limit=2, after_position=last):
            seen += [turn.text for turn in page]
            last = page[-1].position
    assert seen == [turn.text for turn in LONG]


def test_turns_between_are_half_open(vault: Vault) -> None:
    """Known fault 34: a day is [00:00, 24:00)."""
    with vault.write() as db:
        store_chat(db, [make_turn("in"), make_turn("out", at_ms=START_MS + DAY_MS)])
        store_chat(db, [make_turn("hers", speaker="BEN")])
    with vault.read() as db:
        found = turns.find_turns_between(db, START_MS, START_MS + DAY_MS, limit=9)
        assert {t.text for t in found} == {"in", "hers"}
        found = turns.find_turns_between(db, 0, START_MS * 2, speaker="ben", limit=9)
        assert [t.text for t in found] == ["hers"]


def test_speakers_and_chats_are_listed(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, [*LONG, make_turn("x", speaker="Ben"), make_turn("joined", speaker="")])
    with vault.read() as db:
        assert turns.find_speakers(db) == [("Ana", 5), ("Ben", 1)]
        assert turns.newest_said_at_ms(db) == LONG[-1].said_at_ms
        [chat] = conversations.find_conversations(db)
        assert (chat.turns, chat.speakers, chat.first_at_ms) == (7, ("Ana", "Ben"), START_MS)


def test_only_people_and_users_are_queued(vault: Vault) -> None:
    """Known fault 58: what an assistant says is no fact about the user."""
    new = [
        make_turn("a person"),
        make_turn("a user", role=Role.USER),
        make_turn("an assistant", role=Role.ASSISTANT),
        make_turn("a tool", role=Role.TOOL),
        make_turn("joined", kind=TurnKind.NOTICE),
        make_turn("gone", kind=TurnKind.DELETED),
        make_turn("a caption", kind=TurnKind.MEDIA),
        make_turn(" ", kind=TurnKind.MEDIA, at_ms=START_MS + 1),
    ]
    with vault.write() as db:
        store_chat(db, new)
    with vault.read() as db:
        assert jobs.find_jobs(db, limit=9) == [1, 2, 7]
        assert jobs.counts(db) == {"pending": 3, "read": 0, "gated": 5, "failed": 0}


def test_work_goes_newest_session_first_and_in_order_inside(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(
            db, [*LONG[:2], *(make_turn(t.text, at_ms=START_MS + 9 * DAY_MS) for t in LONG[:2])]
        )
    with vault.write() as db:
        assert jobs.find_jobs(db, limit=9) == [3, 4, 1, 2]
        jobs.raise_priority(db, [2], 2)
        assert jobs.find_jobs(db, limit=2) == [2, 3]
        jobs.raise_priority(db, [2], 0)
        jobs.set_state(db, [3], "read", now_ms=5)
        jobs.set_state(db, [4], "failed", "cut off", now_ms=5)
        assert jobs.find_jobs(db, limit=9) == [2, 1]
        assert jobs.find_jobs(db, limit=9, turn_ids=[1, 3]) == [1]
        assert jobs.find_jobs(db, state="failed", limit=9) == [4]


def test_turns_to_embed_are_those_with_words_and_no_vector(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, [make_turn("one"), make_turn(""), make_turn("joined", kind=TurnKind.NOTICE)])
    with vault.read() as db:
        assert turns.find_turns_to_embed(db, "m/3", 9) == [(1, "one")]


def test_many_new_chats_stored_together_are_as_if_stored_one_by_one(vault: Vault) -> None:
    chats = [
        [make_turn(f"{chat} {i}", at_ms=START_MS + i * step * HOUR_MS) for i in order]
        for chat, step, order in (("a", 1, (0, 1, 2)), ("b", 9, (2, 0, 1)), ("c", 5, (0, 2)))
    ]
    chats[0][1] = make_turn("no words, no time", at_ms=None)
    chats.append([make_turn("q", external_id="x"), make_turn("a", external_id="y", reply_to="x")])
    stored = []
    for together in (False, True):
        with vault.write() as db:
            first = conversations.next_conversation_id(db)
            kept = [
                conversations.NewConversation(first + i, "test", f"{together} {i}", "chat", 0)
                for i in range(len(chats))
            ]
            conversations.append_conversations(db, kept)
            source_id = append_source(db)
            ids = range(first, first + len(chats))
            if together:
                new = list(zip(ids, map(columns_of, chats), strict=True))
                numbers = turns.append_first_turns(db, source_id, new)
            else:
                numbers = []
                for chat_id, said in zip(ids, chats, strict=True):
                    numbers += turns.append_turns(
                        db, conversation_id=chat_id, source_id=source_id, turns=said
                    )
            assert tallies.are_right(db)
            found = turns.find_turns(db, numbers)
            stored.append(
                [
                    (t.conversation_id - first, t.session_id - found[0].session_id, t.position,
                     t.text, t.said_at_ms, t.reply_to_id and t.reply_to_id - numbers[0])
                    for t in found
                ]
                + [[(s.first_at_ms, s.turn_count) for s in sessions.find_sessions(db, chat)]
                   for chat in ids]
            )  # fmt: skip
    assert stored[0] == stored[1]
    assert (count(vault, "jobs"), count(vault, "turn_words")) == (0, 20)
    with vault.read() as db:
        assert jobs.counts(db)["pending"] == 20


@pytest.mark.parametrize("known", [(), None])
def test_a_chat_stored_in_batches_is_as_if_stored_at_once(
    vault: Vault, known: tuple[str, ...] | None
) -> None:
    """Sessions go on in the next batch, which begins with a turn without a time and ends late."""
    hours = [0, 1, 2, None, 3, 20, 21, 40, None, 41, 38, 60, 59]
    said = [
        make_turn(f"{i}", at_ms=None if hour is None else START_MS + hour * HOUR_MS,
                  speaker="Ana" if i % 2 else "Ben", offset_minutes=60 if i > 6 else 120)
        for i, hour in enumerate(hours)
    ]  # fmt: skip
    stored = []
    for at_once in (len(said), 1, 3):
        with vault.write() as db:
            chat_id = conversations.append_conversation(
                db, format="test", external_id=str(at_once), title="chat", is_group=False
            )
            source_id = append_source(db)
            numbers: list[int] = []
            for start in range(0, len(said), at_once):
                numbers += turns.append_turns(
                    db,
                    conversation_id=chat_id,
                    source_id=source_id,
                    turns=said[start : start + at_once],
                    known=known,
                )
            assert tallies.are_right(db)
            found = turns.find_conversation_turns(db, chat_id, limit=99)
            of_sessions = sessions.find_sessions(db, chat_id)
            stored.append(
                [(t.id - numbers[0], t.session_id - found[0].session_id, t.position, t.speaker,
                  t.said_at_ms, t.offset_minutes)
                 for t in found]
                + [(s.first_at_ms, s.last_at_ms, s.turn_count) for s in of_sessions]
            )  # fmt: skip
            spoken = select(func.count()).where(tables.voices.c.conversation_id == chat_id)
            assert db.execute(spoken).scalar_one() == 4
    assert stored[1] == stored[2] == stored[0]
