"""WeChat as text, in each way that it is written, and what only looks like it."""

import pytest

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.turn import Role, TurnKind
from tests.importers.conftest import ReadFile


@pytest.mark.parametrize(
    "text",
    [
        "阿梅 2024-05-01 09:05:10\n到了\n\n"
        "我 2024-05-01 09:06:00\n好\n\n"
        "阿梅 2024-05-01 09:07\n走吧\n",
        "阿梅 (2024/5/1 9:05:10)\n到了\n我 (2024/5/1 9:06:00)\n好\n阿梅 (2024/5/1 9:07)\n走吧\n",
        "2024年5月1日 09:05:10 阿梅\n到了\n"
        "2024年5月1日 09:06:00 我\n好\n"
        "2024年5月1日 09:07 阿梅\n走吧\n",
        "消息记录（此消息记录为文本格式）\n\n消息对象:阿梅\n\n"
        "2024-05-01 9:05:10 阿梅(10001)\n到了\n\n"
        "2024-05-01 9:06:00 我(10002)\n好\n\n"
        "2024-05-01 9:07:00 阿梅<a@qq.com>\n走吧\n",
    ],
)
def test_a_date_in_each_head(read: ReadFile, text: str) -> None:
    got = read(text)
    assert got.facts.format == "wechat"
    assert [(turn.speaker, turn.text) for turn in got.turns] == [
        ("阿梅", "到了"),
        ("我", "好"),
        ("阿梅", "走吧"),
    ]
    assert [turn.said_at_ms for turn in got.turns] == [
        1_714_554_310_000,
        1_714_554_360_000,
        1_714_554_420_000,
    ]
    assert got.turns[1].role is Role.USER


def test_without_dates_there_are_none(read: ReadFile) -> None:
    got = read("[阿梅]: 到了\n[小舟]: 好\n马上\n[阿梅]: 走吧\n[阿梅]: 走吧\n")
    assert [turn.text for turn in got.turns] == ["到了", "好\n马上", "走吧", "走吧"]
    assert {turn.said_at_ms for turn in got.turns} == {None}
    assert len(set(got.keys)) == 4


def test_a_longer_export_keeps_the_keys(read: ReadFile) -> None:
    twice = "2024-05-01 09:05:10 阿梅\n嗯\n\n" * 2
    first = f"{twice}2024-05-01 09:06:00 我\n好\n\n"
    short, long = read(first), read(first + "2024-05-02 09:06:00 阿梅\n早\n")
    assert short.keys == long.keys[:3]
    assert len(set(long.keys)) == 4


@pytest.mark.parametrize(
    ("text", "kind", "files"),
    [
        ("[图片]", TurnKind.MEDIA, ("图片",)),
        ("[文件] 合同.pdf", TurnKind.MEDIA, ("文件 合同.pdf",)),
        ("[语音通话] 通话时长 05:12", TurnKind.CALL, ()),
        ("小舟撤回了一条消息", TurnKind.NOTICE, ()),
        ("[图片] 这张好看吗？\n第二行", TurnKind.MEDIA, None),
        ("图片在哪里？", TurnKind.MESSAGE, ()),
    ],
)
def test_kinds(read: ReadFile, text: str, kind: TurnKind, files: tuple[str, ...] | None) -> None:
    (turn,) = read(f"微信聊天记录: 阿梅\n\n2024-05-01 09:05:10 阿梅\n{text}\n").turns
    assert turn.kind is kind
    assert files is None or turn.attachments == files


@pytest.mark.parametrize(
    "text",
    [
        "[INFO]: started\n[ERROR]: failed\n[INFO]: again\n[INFO]: done\n",
        "2024-05-01 10:00:00 INFO started\n2024-05-01 10:00:01 INFO stopped\n" * 5,
        "2024-05-01 10:00:00 GET /a\n  200\n2024-05-01 10:00:01 GET /b\n  200\n"
        "2024-05-01 10:00:02 GET /c\n  200\n2024-05-01 10:00:03 PUT /d\n  200\n",
        "[1]: http://a\n[2]: http://b\n[3]: http://c\n[4]: http://d\n",
        "[options]: x\n\nSome text\nmore text\nand more\n",
        "Monday 9:00\nTuesday 10:00\n",
    ],
)
def test_what_is_no_chat(read: ReadFile, text: str) -> None:
    with pytest.raises(ExportUnreadableError, match="not of a chat export"):
        read(text)


@pytest.mark.parametrize(
    "filler", ["[", "—", "— ", "a ", "(", "2024-", "[图片", "的", "[a]:", "9:"]
)
def test_no_line_takes_forever(read: ReadFile, filler: str) -> None:
    long = filler * (200_000 // len(filler))
    head = "微信聊天记录\n—— 2024-05-01 ——\n阿梅  9:05\n"
    got = read(f"{head}{long}\n{long} 9:06\n阿梅  9:07\nend\n")
    assert got.turns[-1].text == "end"
