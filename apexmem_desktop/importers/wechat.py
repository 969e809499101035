"""WeChat (and QQ) as text: what the app mails, and what the usual tools for exporting write."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import PurePosixPath
from typing import ClassVar

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.chat_zones import ChatZones
from apexmem_desktop.importers.decoding import clean, decode_head, looks_binary
from apexmem_desktop.importers.local_clock import Offsets
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import TITLE_CHARS, Said, stream_turns
from apexmem_desktop.importers.text_lines import every_line
from apexmem_desktop.importers.turn_keys import DayKeys
from apexmem_desktop.importers.written_dates import written_date

_LINES_TO_RECOGNISE = 400
_FEWEST_MESSAGES = 3
_TITLE_LINES = 8
_LONGEST_NAME_CHARS = 60
_DAY = re.compile(r"[—–\-=]{2,}\s{0,8}(?P<day>\d{4}\D.{0,24}?)\s{0,8}[—–\-=]{2,}")
_NAME_THEN_CLOCK = re.compile(r"(?P<name>\S.{0,60}?)\s{1,8}(?P<hour>\d{1,2}):(?P<minute>\d{2})")
_NAME_THEN_DATE = re.compile(r"(?P<name>\S.{0,60}?)[\s(（]{1,4}(?=\d{4}[-/年.])")
_NAMED = re.compile(r"\[(?P<name>[^\[\]\n]{1,60})\][:：][ \t]?(?P<text>.*)")
_ADDRESS = re.compile(r"\s?[(（<](?:wxid_\w+|\d{5,}|gh_\w+|[^()（）<>\s]+@[^()（）<>\s]+)[)）>]$")
_TITLE = re.compile(
    r"^[\"“]?(?P<mailed>.{1,80}?)[\"”]?的(?:微信)?聊天(?:记录|記錄)"
    r"|(?:微信聊天记录|消息对象|聊天对象|聊天记录|WeChat chat history)\s?[:：-]\s?"
    r"(?P<named>\S.{0,60})",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(r"微信|消息记录|聊天记录|聊天記錄|wechat|weixin|wxid_", re.IGNORECASE)
_LOG_LEVELS = frozenset(
    {"trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "critical"}
)
_MEDIA = re.compile(
    r"[\[【(（](?:图片|圖片|语音|語音|视频|影片|動畫|动画表情|表情|贴图|貼圖|文件|檔案|链接|連結|小程序|视频号"
    r"|音乐|photo|image|voice|video|sticker|file|link)(?:[:：\s][^\]】)）]{0,200})?[\]】)）].{0,80}",
    re.IGNORECASE | re.DOTALL,
)
_BRACKETS = re.compile(r"[\[\]【】()（）]")
_CALL = re.compile(
    r"[\[【](?:语音通话|視訊通話|视频通话|通话|voice call|video call)[\]】].{0,40}", re.I
)
_PLACE = re.compile(r"[\[【](?:位置|地理位置|location)[\]】]\s*(.{0,200})", re.I | re.DOTALL)
_NOTICE = re.compile(
    r".{0,60}(?:撤回了一条消息|收回了一則訊息|邀请.{1,60}加入了群聊|移出了?群聊|修改群名为.*"
    r"|拍了拍.{0,60}|以上是打招呼的内容|现在可以开始聊天了.?|recalled a message)\"?",
    re.IGNORECASE,
)
_NOBODY = frozenset({"系统消息", "系统", "系統訊息", "system", "系统消息(10000)"})
_OWNERS = frozenset({"我", "me", "我自己"})


@dataclass(slots=True)
class _Message:
    """One message, its clock still local; no day where the text tells none."""

    name: str
    day: date | None
    second_of_day: int
    lines: list[str]


@dataclass(frozen=True, slots=True)
class _Log:
    """What must be known of one chat before its first turn is made.

    Attributes:
        returning: The days that come more than once with others between.
    """

    part: Part
    title: str
    is_group: bool
    returning: frozenset[int]


class WeChatImporter:
    """A name with a date or a clock above each message; or a name in brackets before it."""

    name: ClassVar[str] = "wechat"

    def recognises(self, part: Part) -> bool:
        """Tell by its own words, or by several messages of people who speak more than once."""
        if looks_binary(part.head):
            return False
        lines = decode_head(part.head).splitlines()[:_LINES_TO_RECOGNISE]
        messages = list(_messages(lines))
        names = {one.name for one in messages} - _NOBODY
        if not messages or {name.casefold() for name in names} & _LOG_LEVELS:
            return False
        spoken = sum(any(line.strip() for line in one.lines) for one in messages)
        if any(_SAYS_SO.search(line) for line in lines[:8]) and spoken:
            return True
        written = sum(1 for line in lines if line.strip())
        return (
            spoken >= _FEWEST_MESSAGES
            and spoken > 0.6 * len(messages)
            and 2 <= len(names) <= max(2, len(messages) // 2 + 1)
            and sum(len(one.lines) for one in messages) > 0.6 * (written - len(messages))
        )

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Look through every chat; the dates leave no doubt about their order."""
        zones_chosen = ChatZones(choices)
        logs = [log for part in parts if (log := _look(part)) is not None]
        if not logs:
            raise ExportUnreadableError(
                f"{export.file_name} holds no message.", hint="Export the chat as text again."
            )

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            for number, log in enumerate(logs, start=1):
                cancel.check()
                keys = DayKeys(log.returning)
                zone = zones_chosen.of(log.title)
                turns = stream_turns(_all_said(log.part, zone, keys), Offsets(zone), keys)
                yield ImportedConversation("", log.title, turns, is_group=log.is_group)
                progress(Progress("Reading chats", number, len(logs), "files", log.part.name))

        return Opened(source, zones_chosen.zone, wall_clock=True)


def _look(part: Part) -> _Log | None:
    """Look through a text; None where it holds no message."""
    speakers: dict[str, None] = {}
    met: set[int] = set()
    returning: set[int] = set()
    first, today, is_empty = "", None, True
    for message in _messages(every_line(part)):
        is_empty = False
        if message.day is not None and message.day != today:
            today = message.day
            (returning if today.toordinal() in met else met).add(today.toordinal())
        one = _said(message, "UTC")
        if one is not None and one.speaker:
            speakers.setdefault(clean(one.speaker).strip())
            first = first or one.text.strip()
    if is_empty:
        return None
    top = islice(every_line(part), _TITLE_LINES)
    found = next(filter(None, (_TITLE.search(line.strip("\ufeff ")) for line in top)), None)
    named = (found["mailed"] or found["named"]).strip() if found is not None else ""
    people = [name for name in speakers if name]
    title = named.replace('"和"', " & ") or " & ".join(people[:4])
    title = title or clean(first).partition("\n")[0][:TITLE_CHARS] or PurePosixPath(part.name).stem
    return _Log(part, title, len(people) > 2, frozenset(returning))


def _all_said(part: Part, zone: str, keys: DayKeys) -> Iterator[Said]:
    today: date | None = None
    for message in _messages(every_line(part)):
        if message.day is not None and message.day != today:
            today = message.day
            keys.enter(today.toordinal())
        if (one := _said(message, zone)) is not None:
            yield one


def _messages(lines: Iterable[str]) -> Iterator[_Message]:
    last: _Message | None = None
    day: date | None = None
    for line in lines:
        plain = line.strip("\ufeff \t\r")
        if heading := _DAY.fullmatch(plain):
            found = written_date(heading["day"])
            day = found.day("ymd") if found is not None else day
        elif (begun := _begun(plain, day)) is not None:
            if last is not None:
                yield last
            last = begun
        elif last is not None:
            last.lines.append(line.rstrip())
    if last is not None:
        yield last


def _begun(line: str, day: date | None) -> _Message | None:
    """Read a line that begins a message."""
    if len(line) > 4 * _LONGEST_NAME_CHARS and not line.startswith("["):
        return None
    if (named := _NAMED.fullmatch(line)) is not None:
        name = _plain_name(named["name"])
        dated = name[:1].isdecimal() and written_date(name) is not None
        return None if dated else _Message(name, None, 0, [named["text"]])
    if line[:1].isdecimal() and (when := written_date(line)) is not None:
        name = line[when.end :].strip()
        is_name = when.minute is not None and 0 < len(name) <= _LONGEST_NAME_CHARS
        found = when if is_name else None
    elif (before := _NAME_THEN_DATE.match(line)) is not None:
        found, name = written_date(line, before.end()), before["name"]
        if found is not None and line[found.end :].strip("(（)） "):
            found = None
    elif day is not None and (clock := _NAME_THEN_CLOCK.fullmatch(line)) is not None:
        minute = int(clock["hour"]) * 60 + int(clock["minute"])
        valid = int(clock["hour"]) < 24 and int(clock["minute"]) < 60
        return _Message(_plain_name(clock["name"]), day, minute * 60, []) if valid else None
    else:
        return None
    if (
        found is None
        or found.minute is None
        or not _is_name(name)
        or (on := found.day("ymd")) is None
    ):
        return None
    return _Message(_plain_name(name), on, found.minute * 60 + min(found.second or 0, 59), [])


def _is_name(name: str) -> bool:
    """Tell a name, which may be of emoji, from the marks of a heading."""
    return name[:1] not in "#*=-_>|" and any(not char.isascii() or char.isalnum() for char in name)


def _plain_name(name: str) -> str:
    """Take off the account's number that some tools write behind a name."""
    name = name.strip()
    return _ADDRESS.sub("", name).strip() or name


def _said(message: _Message, zone: str) -> Said | None:
    text = "\n".join(message.lines).strip()
    if not text:
        return None
    at_ms = None
    if message.day is not None:
        local = datetime.combine(message.day, time()) + timedelta(seconds=message.second_of_day)
        at_ms = zones.to_utc_ms(local, zone)[0]
    if message.name.casefold() in _NOBODY or _NOTICE.fullmatch(text):
        return Said("", text, at_ms, Role.SYSTEM, TurnKind.NOTICE)
    role = Role.USER if message.name.casefold() in _OWNERS else Role.PERSON
    if _CALL.fullmatch(text):
        return Said(message.name, text, at_ms, role, TurnKind.CALL)
    if place := _PLACE.fullmatch(text):
        return Said(message.name, place[1].strip() or text, at_ms, role, TurnKind.LOCATION)
    if _MEDIA.fullmatch(text):
        return Said(
            message.name, "", at_ms, role, TurnKind.MEDIA, attachments=(_BRACKETS.sub("", text),)
        )
    return Said(message.name, text, at_ms, role)
