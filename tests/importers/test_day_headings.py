"""LINE and KakaoTalk: what their texts hold beside plain lines."""

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import Read, ReadFile

MESSAGE, MEDIA, NOTICE = TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.NOTICE
COMPUTER = (
    "가족방 님과 카카오톡 대화\n"
    "저장한 날짜 : 2024-03-20 10:00:00\n"
    "\n"
    "--------------- 2024년 3월 13일 수요일 ---------------\n"
    "박영희님이 들어왔습니다.\n"
    "[김철수] [오전 10:00] 안녕\n"
    "\n"
    "두 번째\n"
    "\n"
    "[박영희] [오후 1:05] 사진 3장\n"
    "[박영희] [오후 1:05] 파일: report.pdf\n"
    "[박영희] [오후 1:06] 삭제된 메시지입니다.\n"
    "이민호님이 나갔습니다.\n"
    "김철수님이 이민호님을 초대했습니다.\n"
    "채팅방 관리자가 메시지를 가렸습니다.\n"
    "[김철수] [오후 1:07] 보이스톡 1:23\n"
)
LINE = (
    "[LINE] Chat history with Mina\n"
    "Saved on: 2024/03/20 10:00\n"
    "\n"
    "2024/03/13(Wed)\n"
    '10:00\tMina\t"hello\n'
    "\n"
    "two\n"
    "\n"
    'three"\n'
    "10:01\tJo\t☎ Missed call\n"
    "10:02\tJo\tplain\n"
    "\n"
    "with a gap\n"
    "\n"
    "\n"
    "2024/03/14(Thu)\n"
    "10:00\tMina\tlast\n"
    "\n"
)
# All are Ana at five past one in the afternoon of the 13th, then Ben a minute later.
KAKAOTALK = {
    "Android": "2024년 3월 13일 오후 1:05, Ana : hi\n2024년 3월 13일 오후 1:06, Ben : yes\n",
    "iPhone": "2024. 3. 13. 오후 1:05, Ana : hi\n2024. 3. 13. 오후 1:06, Ben : yes\n",
    "in English": "KakaoTalk Chats with Ben\nDate Saved : Mar 20, 2024 at 10:00\n\n"
    "Mar 13, 2024 at 1:05 PM, Ana : hi\nMar 13, 2024 at 1:06 PM, Ben : yes\n",
    "computer in English": "--------------- Wednesday, March 13, 2024 ---------------\n"
    "[Ana] [1:05 PM] hi\n[Ben] [1:06 PM] yes\n",
    "Mac": 'Date,User,Message\n2024-03-13 13:05:00,"Ana","hi"\n2024-03-13 13:06:09,"Ben",yes\n',
}


def said(got: Read) -> list[tuple[TurnKind, str, str]]:
    return [(turn.kind, turn.speaker, turn.text) for turn in got.turns]


def test_kakaotalks_own_lines_are_nobodys_words(read: ReadFile) -> None:
    got = read(COMPUTER)
    assert got.facts.format == "kakaotalk"
    assert said(got) == [
        (NOTICE, "", "박영희님이 들어왔습니다."),
        (MESSAGE, "김철수", "안녕\n\n두 번째"),
        (MEDIA, "박영희", ""),
        (MEDIA, "박영희", ""),
        (TurnKind.DELETED, "박영희", "삭제된 메시지입니다."),
        (NOTICE, "", "이민호님이 나갔습니다."),
        (NOTICE, "", "김철수님이 이민호님을 초대했습니다."),
        (NOTICE, "", "채팅방 관리자가 메시지를 가렸습니다."),
        (TurnKind.CALL, "김철수", "보이스톡 1:23"),
    ]
    assert [turn.attachments for turn in got.turns[2:4]] == [("사진 3장",), ("report.pdf",)]


def test_empty_lines_inside_a_message_of_line_stay(read: ReadFile) -> None:
    assert said(read(LINE)) == [
        (MESSAGE, "Mina", "hello\n\ntwo\n\nthree"),
        (TurnKind.CALL, "Jo", "☎ Missed call"),
        (MESSAGE, "Jo", "plain\n\nwith a gap"),
        (MESSAGE, "Mina", "last"),
    ]


@pytest.mark.parametrize("way", KAKAOTALK)
def test_kakaotalk_of_every_device(read: ReadFile, way: str) -> None:
    got = read(KAKAOTALK[way])
    assert got.facts.format == "kakaotalk"
    assert said(got) == [(MESSAGE, "Ana", "hi"), (MESSAGE, "Ben", "yes")]
    minutes = [(turn.said_at_ms or 0) // 60_000 for turn in got.turns]
    assert minutes == [28_505_585, 28_505_586]


def test_a_table_with_long_and_broken_rows(read: ReadFile) -> None:
    rows = f'2024-03-13 13:05:00,Ana,"{"x" * 200_000}"\n2024-03-13,Ben\n,,\n'
    got = read(f'Date,User,Message\n{rows}2024-03-13 13:06:00,Ben,"two\nlines"\n')
    assert said(got) == [(MESSAGE, "Ben", "two\nlines")]


@pytest.mark.parametrize(
    "text",
    [
        "--- 2024-03-13 ---\nAna has left the house.\n",
        "Date,User,Message\nno,rows,here\n",
        "Mar 13, 2024 at 1:05 PM, Ana : from no messenger\n",
    ],
)
def test_what_is_none_of_kakaotalks(read: ReadFile, text: str) -> None:
    with pytest.raises(Exception, match="text, but not of a chat export"):
        read(text)


def test_line_in_chinese_has_wide_brackets(read: ReadFile) -> None:
    head = "[LINE] 與Mina的聊天記錄\n儲存日期：2024/03/20 10:00\n\n2024/03/13（三）\n"
    got = read(f"{head}下午01:05\tMina\t你好\n下午01:06\tMina已收回訊息\n")
    assert said(got) == [(MESSAGE, "Mina", "你好"), (NOTICE, "", "Mina已收回訊息")]
    assert (got.turns[0].said_at_ms or 0) // 60_000 == 28_505_585


# All are Ana's hi at five past one of the 13th, and her bye ten minutes past the next midnight.
ABOVE = {
    "Thai": "[LINE] ประวัติการแชทกับ Ana\nบันทึกวันที่ 20/03/2024 10:00\n\nพ. 13/03/2024\n"
    "13:05\tAna\thi\n\nพฤ. 14/03/2024\n00:10\tAna\tbye\n",
    "Indonesian": "[LINE] Riwayat obrolan dengan Ana\nDisimpan pada: 20/03/2024 10:00\n\n"
    "Rab, 13/03/2024\n13.05\tAna\thi\n\nKam, 14/03/2024\n00.10\tAna\tbye\n",
    "iPhone": "2024년 3월 13일 수요일\n2024. 3. 13. 오후 1:05, Ana : hi\n\n"
    "2024년 3월 14일 목요일\n2024. 3. 14. 오전 12:10, Ana : bye\n",
    "in English": "KakaoTalk Chats with Ana\nDate Saved : Mar 20, 2024 at 10:00\n\n"
    "Wednesday, March 13, 2024\nMar 13, 2024 at 13:05, Ana : hi\n"
    "Thursday, March 14, 2024\n\nMar 14, 2024 at 00:10, Ana : bye\n",
    "with a clock": "KakaoTalk Chats with Ana\nDate Saved : March 20, 2024 10:00 AM\n\n"
    "March 13, 2024 1:05 PM\nMarch 13, 2024 1:05 PM, Ana : hi\n"
    "March 14, 2024 12:10 AM\nMarch 14, 2024 12:10 AM, Ana : bye\n",
}


@pytest.mark.parametrize("way", ABOVE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_day_above_its_messages_is_nobodys_word(read: ReadFile, way: str, encoding: str) -> None:
    got = read(ABOVE[way].replace("\n", "\r\n").encode(encoding))
    assert said(got) == [(MESSAGE, "Ana", "hi"), (MESSAGE, "Ana", "bye")]
    minutes = [(turn.said_at_ms or 0) // 60_000 for turn in got.turns]
    assert minutes == [28_505_585, 28_506_250]


def test_a_day_that_somebody_wrote_stays(read: ReadFile) -> None:
    text = (
        "2024. 3. 13. 오후 1:05, Ana : when?\nThursday, March 14, 2024\n\n"
        "2024. 3. 13. 오후 1:06, Ben : yes\nMarch 14, 2024\nor later\n"
    )
    texts = [turn.text for turn in read(text).turns]
    assert texts == ["when?\nThursday, March 14, 2024", "yes\nMarch 14, 2024\nor later"]
