"""A longer export of LINE or KakaoTalk into an older memory adds only what is new.

Since the first one somebody deleted a message, took another name, or the program learned to read a
line as what it is.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.importers.kakaotalk import KakaoTalkImporter
from apexmem_desktop.importers.line import LineImporter
from apexmem_desktop.services import importing
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, turns

CHOICES = ImportChoices(zone="Asia/Seoul")
LINE_PHOTO, KAKAO_PHOTO = "[Photo]", "사진 3장"
Message = tuple[int, int, str]  # minute, who (0 or 1), words; "" for a photo
Write = Callable[[Sequence[Message], tuple[str, str]], str]


def line(messages: Sequence[Message], names: tuple[str, str]) -> str:
    said = (f"10:{m:02}\t{names[who]}\t{text or LINE_PHOTO}\n" for m, who, text in messages)
    return "[LINE] Chat history with Mina\nSaved on: 2024/03/20 10:00\n\n2024/03/13(Wed)\n" + (
        "".join(said)
    )


def kakaotalk(messages: Sequence[Message], names: tuple[str, str]) -> str:
    said = (f"[{names[who]}] [오전 10:{m:02}] {text or KAKAO_PHOTO}\n" for m, who, text in messages)
    head = "미나 님과 카카오톡 대화\n저장한 날짜 : 2024-03-20 10:00:00\n\n"
    return head + "--------------- 2024년 3월 13일 수요일 ---------------\n" + "".join(said)


DELETED = {line: "This message was deleted", kakaotalk: "삭제된 메시지입니다."}


def bring(ws: Workspace, path: Path, text: str) -> FileReport:
    path.write_text(text, encoding="utf-8")
    return importing.import_file(ws, path, CHOICES)


def stored(ws: Workspace) -> int:
    with ws.vault.read() as db:
        (chat,) = conversations.find_conversations(db)
        return len(turns.find_conversation_turns(db, chat.id, limit=1000))


@st.composite
def chats(draw: st.DrawFn) -> list[Message]:
    """Make a chat that begins with what is unmistakable, and has equal words in a minute."""
    messages = [(n, n % 2, f"something {n} that nobody says twice") for n in range(5)]
    minute = 5
    for number, step in enumerate(draw(st.lists(st.integers(0, 2), min_size=3, max_size=9))):
        minute += step
        words = draw(st.sampled_from(["ok", "", f"words number {number}"]))
        messages.append((minute, draw(st.integers(0, 1)), words))
    return messages


@pytest.mark.parametrize("write", [line, kakaotalk])
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(messages=chats(), data=st.data())
def test_any_longer_export_after_changes(
    tmp_path: Path, write: Write, messages: list[Message], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(5, len(messages)))
    until = messages[cut - 1][0]
    first = [one for one in messages if one[0] <= until]
    gone = data.draw(st.sets(st.integers(5, len(messages) - 1), max_size=3))
    # One of two equal ones in a minute: which of them went cannot be told, nor need it.
    later = [
        (minute, who, DELETED[write] if number in gone and text else text)
        for number, (minute, who, text) in enumerate(messages)
    ]
    names = data.draw(st.sampled_from([("Ana", "Ben"), ("Ana", "Benjamin")]))
    with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
        with pytest.MonkeyPatch.context() as older:
            if data.draw(st.booleans()):  # the photo was a message to an older program
                for importer in (LineImporter, KakaoTalkImporter):
                    older.setattr(importer, "media", frozenset())
                    older.setattr(importer, "media_with", importer.calls)
            bring(ws, tmp_path / "first.txt", write(first, ("Ana", "Ben")))
        assert stored(ws) == len(first)
        report = bring(ws, tmp_path / "later.txt", write(later, names))
        assert (report.turns_new, stored(ws)) == (len(messages) - len(first), len(messages))
        assert bring(ws, tmp_path / "again.txt", write(later, names)).turns_new == 0
        assert bring(ws, tmp_path / "old.txt", write(first, ("Ana", "Ben"))).turns_new == 0
    (tmp_path / "m.apexmem").unlink()


def test_a_notice_that_was_part_of_a_message_once(tmp_path: Path) -> None:
    said = [(n, n % 2, f"something {n} that nobody says twice") for n in range(5)]
    text = kakaotalk([*said, (7, 0, "안녕")], ("Ana", "Ben"))
    left = "Ben님이 나갔습니다.\n"
    with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
        with pytest.MonkeyPatch.context() as older:
            older.setattr("apexmem_desktop.importers.kakaotalk._NOTICE", KakaoTalkImporter.calls)
            assert bring(ws, tmp_path / "first.txt", text + left).turns_new == 6
        assert bring(ws, tmp_path / "later.txt", text + left + "\n").turns_new == 1
        assert bring(ws, tmp_path / "again.txt", text + left + "\n\n").turns_new == 0


def test_words_that_came_back_are_new(tmp_path: Path) -> None:
    said = [(n, n % 2, f"something {n} that nobody says twice") for n in range(5)]
    gone, there = (7, 0, DELETED[line]), (7, 0, "what was deleted on the other phone")
    with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
        bring(ws, tmp_path / "first.txt", line([*said, gone], ("Ana", "Ben")))
        assert (
            bring(ws, tmp_path / "other.txt", line([*said, there], ("Ana", "Ben"))).turns_new == 1
        )
