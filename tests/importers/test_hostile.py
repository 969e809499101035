"""Whatever is given for import: a plain sentence, or an import; never a crash."""

import gzip
import json
import os
import struct
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import CancelledError, ExportUnreadableError, UserError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.importers.registry import importer_names, open_export
from tests.importers.conftest import ReadFile, read_path, zip_of

LINE = "01/02/24, 10:00 - Ana: hi"
SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.in.*"))
LENIENT = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def read_or_be_told(path: Path, form: str = "") -> None:
    told: UserError | None = None
    try:
        read_path(path, form=form)
    except UserError as error:
        told = error
    assert told is None or (told.message and told.hint)


@pytest.mark.skipif(sys.platform != "linux", reason="names are any bytes only on Linux")
def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/na\xefve.txt"))
    path.write_text(LINE, encoding="utf-8")
    got = open_export(path, ImportChoices())
    assert got.file_name == "na\ufffdve.txt"
    assert read_path(path).turns[0].text == "hi"


def try_to_read(folder: Path, content: bytes) -> None:
    path = folder / "given"
    path.write_bytes(content)
    read_or_be_told(path)


@LENIENT
@given(content=st.binary(max_size=2000))
def test_any_bytes(tmp_path: Path, content: bytes) -> None:
    try_to_read(tmp_path, content)


@LENIENT
@given(data=st.data())
def test_damaged_exports(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(SAMPLES)).read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        content[start:end] = data.draw(st.binary(max_size=12))
    try_to_read(tmp_path, bytes(content))


KNOWN_KEYS = [
    "mapping",
    "message",
    "content",
    "parts",
    "author",
    "role",
    "create_time",
    "title",
    "current_node",
    "parent",
    "id",
    "children",
    "chat_messages",
    "sender",
    "text",
    "created_at",
    "messages",
    "from",
    "date",
    "name",
    "type",
    "chats",
    "list",
    "participants",
    "sender_name",
    "timestamp_ms",
    "conversation",
    "session_1",
    "speaker_a",
    "qa",
    "haystack_dates",
    "question_id",
    "haystack_sessions",
    "guild",
    "channel",
    "responses",
    "response",
    "file",
    "photo",
    "poll",
    "header",
    "time",
    "products",
    "safeHtmlItem",
    "html",
    "chunkedPrompt",
    "chunks",
    "branchParent",
    "conversation_turns",
    "user_turn",
    "system_turn",
]

json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KNOWN_KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


@LENIENT
@given(value=st.lists(json_values, max_size=3) | json_values)
def test_any_json_of_known_keys(tmp_path: Path, value: object) -> None:
    content = json.dumps(value).encode()
    path = tmp_path / "given.json"
    path.write_bytes(content)
    for form in ("", *importer_names()):
        read_or_be_told(path, form)


header = st.sampled_from(
    [
        "1/2/24, 3:04 - ",
        "[31.12.2023, 23:59:59] ",
        "\u200e[2024/1/2 下午3:04:05] ",
        "3:04, 1/2/24 - ",
    ]
)
line = st.builds("{}{}".format, st.just("") | header, st.text(max_size=40))


@LENIENT
@given(lines=st.lists(line, max_size=12))
def test_any_text_behind_headers(tmp_path: Path, lines: list[str]) -> None:
    try_to_read(tmp_path, "\n".join(lines).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (bytes(range(256)) * 8, "no text"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "no text"),
        (b'{"menu": {"id": "file"}}', "data"),
        (b"[1, 2, 3]", "data"),
        (b"Dear diary, nothing happened.", "text"),
        (zip_of({"a.txt": LINE})[:-40], "damaged"),
        (zip_of({"../../evil.txt": LINE}), "climbs"),
        (zip_of({"/etc/passwd": LINE}), "climbs"),
        (zip_of({"C:\\evil.txt": LINE}), "climbs"),
        (gzip.compress(b"x" * 1000)[:-9], "damaged"),
    ],
    ids=range(11),
)
def test_clear_word_for_a_wrong_file(read: ReadFile, content: bytes, says: str) -> None:
    with pytest.raises(ExportUnreadableError, match=says) as caught:
        read(content, name="given.zip")
    assert caught.value.hint


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ExportUnreadableError, match="no file"):
        read_path(tmp_path / "gone.txt")
    with pytest.raises(ExportUnreadableError, match="folder"):
        read_path(tmp_path)


def test_unknown_zone_and_format(read: ReadFile) -> None:
    with pytest.raises(UserError, match="time zone"):
        read("01/02/24, 10:00 - Ana: hi", zone="Mars/Olympus")
    with pytest.raises(UserError, match="format"):
        read("01/02/24, 10:00 - Ana: hi", form="carrier pigeon")


def test_broken_member_of_a_zip(read: ReadFile) -> None:
    packed = bytearray(zip_of({"_chat.txt": f"{LINE}\n" * 900}))
    packed[60:80] = b"\x00" * 20
    with pytest.raises(ExportUnreadableError):
        read(bytes(packed))


def test_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("_chat.txt", "w", force_zip64=True) as member,
    ):
        for _ in range(200):
            member.write(b" " * 1024**2)
    with pytest.raises(ExportUnreadableError, match="absurd"):
        read_path(path)


def test_zip_locked_with_a_password(read: ReadFile) -> None:
    packed = bytearray(zip_of({"_chat.txt": LINE}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = packed.index(mark) + place
        packed[at : at + 2] = struct.pack("<H", 1)
    with pytest.raises(ExportUnreadableError, match="password"):
        read(bytes(packed))


@pytest.mark.parametrize("opening", ['{"mapping":', '[{"mapping":[', '[{"chat_messages":[{"a":'])
def test_absurd_nesting(read: ReadFile, opening: str) -> None:
    with pytest.raises(ExportUnreadableError):
        read(opening + "[" * 200_000)


def test_very_long_line(read: ReadFile) -> None:
    got = read("01/02/24, 10:00 - Ana: " + "na " * 3_000_000 + "\n13/02/24, 10:00 - Ana: end")
    assert len(got.turns) == 2


def test_conversations_are_streamed(tmp_path: Path) -> None:
    message = {"author": {"role": "user"}, "content": {"parts": ["word " * 2000]}}
    chat = json.dumps({"id": "c", "mapping": {"a": {"message": message, "parent": None}}})
    path = tmp_path / "conversations.json"
    with path.open("w") as file:
        file.write("[" + ",".join([chat] * 3000) + "]")  # 30 MB
    reading = open_export(path, ImportChoices(zone="UTC"))
    tracemalloc.start()
    count = sum(1 for _ in reading.conversations(ignore_progress, CancelToken()))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 3000
    assert peak_bytes < 8 * 1024**2


def test_cancel_is_heard(read: ReadFile) -> None:
    cancel = CancelToken()
    reading = read("01/02/24, 10:00 - Ana: hi").facts
    cancel.cancel()
    with pytest.raises(CancelledError):
        list(reading.conversations(ignore_progress, cancel))


@pytest.mark.parametrize(
    "filler", [" ", "\u200e", "<", "<a: ", '"', "\\", "(", "[", ":", "1/", "~", "\u202f<"]
)
def test_no_line_takes_forever(read: ReadFile, filler: str) -> None:
    long = filler * (200_000 // len(filler))
    got = read(f"01/02/24, 10:00 - Ana: hi\n{long}\n13/02/24, 10:00 - Ana: a{long}b\n")
    assert len(got.turns) == 2
    chat = {"id": "c", "mapping": {"a": {"message": {"content": {"parts": [long]}}}}}
    assert len(read([chat]).turns) == (1 if long.strip() else 0)
