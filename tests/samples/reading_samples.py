"""A second, simple reader of the sample exports, written apart from the importers.

It knows only the four files we ship, so that a mistake in an importer and a mistake in a sample
cannot hide each other.
"""

import json
import re
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
FRIENDS = "WhatsApp Chat with Mira Okafor.txt"
GROUP = "WhatsApp Chat - Wandergruppe Elbtal.zip"
CHINESE = "WhatsApp 与李雪的聊天.txt"
CHATGPT = "chatgpt-export.zip"
FILES = (FRIENDS, GROUP, CHINESE, CHATGPT)

_FRIENDS_HEAD = re.compile(r"(\d\d/\d\d/\d{4}, \d\d:\d\d) - (?:([^:\n]+): )?")
_GROUP_HEAD = re.compile(r"\u200e?\[(\d\d\.\d\d\.\d\d, \d\d:\d\d:\d\d)\] ([^:\n]+): ")
_CHINESE_HEAD = re.compile(r"(\d{4}/\d{1,2}/\d{1,2}) (上午|下午)(\d{1,2}:\d\d) - (?:([^:\n]+): )?")


@dataclass(frozen=True)
class Message:
    """One message as the file has it; `speaker` is "" for a notice."""

    said: datetime
    speaker: str
    text: str
    branch: str = "current"


def read_sample(file: str) -> list[Message]:
    """Read one of the shipped samples."""
    readers = {
        FRIENDS: _read_friends,
        GROUP: _read_group,
        CHINESE: _read_chinese,
        CHATGPT: _read_chatgpt,
    }
    return readers[file]()


def read_conversations() -> list[dict[str, Any]]:
    """The raw conversations of the ChatGPT sample."""
    with zipfile.ZipFile(SAMPLES / CHATGPT) as archive:
        conversations: list[dict[str, Any]] = json.loads(archive.read("conversations.json"))
    return conversations


def read_group_text() -> str:
    """The chat text inside the group's zip, line ends as they are."""
    with zipfile.ZipFile(SAMPLES / GROUP) as archive:
        return archive.read("_chat.txt").decode("utf-8")


def read_gold(name: str) -> dict[str, Any]:
    """One of the two TOML files beside the samples."""
    return tomllib.loads((SAMPLES / name).read_text(encoding="utf-8"))


def current_branch(conversation: dict[str, Any]) -> list[str]:
    """Node ids from the root to current_node."""
    mapping, path = conversation["mapping"], []
    node = conversation["current_node"]
    while node:
        path.append(node)
        node = mapping[node]["parent"]
    return path[::-1]


def _plain_name(name: str) -> str:
    """The name without direction marks, the "~" of an unsaved contact, and odd spaces."""
    name = re.sub("[\u200e\u200f\u202a\u202c]", "", name).replace("\u00a0", " ")
    return name.removeprefix("~").replace("\u202f", " ").strip()


def _split(text: str, head: re.Pattern[str]) -> list[tuple[re.Match[str], str]]:
    """Each head at the start of a line, with the text up to the next."""
    heads = [m for m in head.finditer(text) if m.start() == 0 or text[m.start() - 1] == "\n"]
    ends = [m.start() for m in heads[1:]] + [len(text)]
    return [(m, text[m.end() : end].rstrip()) for m, end in zip(heads, ends, strict=True)]


def _local(written: str, form: str) -> datetime:
    """A wall clock; the zone is only there to keep all comparisons of one kind."""
    return datetime.strptime(written, form).replace(tzinfo=UTC)


def _read_friends() -> list[Message]:
    text = (SAMPLES / FRIENDS).read_text(encoding="utf-8")
    return [
        Message(_local(m[1], "%d/%m/%Y, %H:%M"), m[2] or "", body)
        for m, body in _split(text, _FRIENDS_HEAD)
    ]


def _read_group() -> list[Message]:
    return [
        Message(_local(m[1], "%d.%m.%y, %H:%M:%S"), _plain_name(m[2]), body)
        for m, body in _split(read_group_text(), _GROUP_HEAD)
    ]


def _read_chinese() -> list[Message]:
    text = (SAMPLES / CHINESE).read_text(encoding="utf-8")
    half = {"上午": "AM", "下午": "PM"}
    return [
        Message(_local(f"{m[1]} {m[3]} {half[m[2]]}", "%Y/%m/%d %I:%M %p"), m[4] or "", body)
        for m, body in _split(text, _CHINESE_HEAD)
    ]


def _content_text(content: dict[str, Any]) -> str:
    parts = [part for part in content.get("parts", []) if isinstance(part, str)]
    thoughts = [thought["content"] for thought in content.get("thoughts", [])]
    return "\n".join(parts + thoughts) or str(content.get("text", ""))


def _read_chatgpt() -> list[Message]:
    messages = []
    for conversation in read_conversations():
        current = set(current_branch(conversation))
        for node in conversation["mapping"].values():
            message = node["message"]
            if message is None or message["create_time"] is None:
                continue
            messages.append(
                Message(
                    datetime.fromtimestamp(message["create_time"], UTC),
                    message["author"]["role"],
                    _content_text(message["content"]),
                    "current" if node["id"] in current else "other",
                )
            )
    return messages
