"""Databases of phones and desktops: each way they come, and what a hostile one could try."""

import gzip
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import CancelledError, ExportUnreadableError, UserError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.importers import sql_dump, sqlite_file
from apexmem_desktop.importers.parts import open_parts
from apexmem_desktop.importers.sql_dump import begins_as_dump, statements
from apexmem_desktop.importers.sqlite_file import open_database
from apexmem_desktop.importers.typedstream import archived_text
from tests.importers.conftest import ReadFile, read_path, zip_of

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.in.sql"))
SIGNAL = Path(__file__).parent / "samples" / "signal.in.sql"
MESSAGES = Path(__file__).parent / "samples" / "imessage.in.sql"


def make_database(path: Path, *scripts: str) -> Path:
    """Make a real database file; a statement that fails stops nothing."""
    with closing(sqlite3.connect(path)) as db:
        for script in scripts:
            for statement in statements([script]):
                try:
                    db.execute(statement)
                except sqlite3.OperationalError:
                    assert "{broken" in statement
        db.commit()
    return path


@pytest.fixture(scope="module")
def message_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return make_database(
        tmp_path_factory.mktemp("db") / "chat.db", MESSAGES.read_text("utf-8")
    ).read_bytes()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_file_zip_and_dump_are_the_same(tmp_path: Path, sample: Path) -> None:
    wanted = read_path(sample)
    path = make_database(tmp_path / "any name", sample.read_text("utf-8"))
    before = path.read_bytes()
    assert read_path(path).keys == wanted.keys
    assert [one.name for one in tmp_path.iterdir()] == ["any name"]
    assert path.read_bytes() == before
    packed = tmp_path / "phone.zip"
    packed.write_bytes(zip_of({"Backup/x.db": before, "Backup/photo.jpg": b"\xff\xd8\x00"}))
    got = read_path(packed)
    assert (got.facts.format, got.keys) == (wanted.facts.format, wanted.keys)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_every_row_is_a_turn_or_told(tmp_path: Path, sample: Path) -> None:
    path = make_database(tmp_path / "db", sample.read_text("utf-8"))
    with closing(sqlite3.connect(path)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        table = next(t for t in ("message", "messages", "ZWAMESSAGE") if t in tables)
        rows = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    got = read_path(path)
    told = sum(got.skipped.values())
    # The log of calls: one call stands in a message too. The old schema has one row of its own.
    calls = {"whatsapp_android.in.sql": 1, "whatsapp_android_old.in.sql": -1}.get(sample.name, 0)
    assert len(got.turns) + told == rows + calls


def test_newer_pages_beside_a_database_are_read(tmp_path: Path) -> None:
    path = make_database(tmp_path / "chat.db", MESSAGES.read_text("utf-8"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE message SET text = 'from the newer pages' WHERE ROWID = 2")
        db.commit()
        kept = tmp_path / "kept"
        kept.mkdir()
        for beside in ("chat.db", "chat.db-wal"):
            shutil.copy(tmp_path / beside, kept)
        texts = [turn.text for turn in read_path(kept / "chat.db").turns]
    assert "from the newer pages" in texts
    assert sorted(one.name for one in kept.iterdir()) == ["chat.db", "chat.db-wal"]


def test_one_persons_sms_and_imessage_are_one_chat() -> None:
    got = read_path(MESSAGES)
    chats = {chat.external_id: chat for chat in got.conversations}
    assert [turn.said_at_ms for turn in chats["+4915100000001"].turns] == [
        1_378_307_200_000,  # seconds since 2001, as an old phone wrote
        1_678_307_200_000,  # nanoseconds, as a new one does
        1_678_307_260_000,
        1_678_307_320_000,
    ]
    assert chats["+4915100000001"].turns[1].reply_to == "G-1"
    assert not any("Loved" in turn.text for turn in got.turns)


@pytest.mark.parametrize(
    ("length", "header"),
    [(5, b"\x05"), (200, b"\x81\xc8\x00"), (70_000, b"\x82\x70\x11\x01\x00")],
)
def test_archived_text_of_any_length(length: int, header: bytes) -> None:
    archive = b"\x04\x0bstreamtyped\x84\x84\x84\x08NSString\x01\x94\x84\x01+" + header
    assert archived_text(archive + b"x" * length + b"\x86\x84") == "x" * length


@given(st.binary(max_size=60))
def test_any_archive(rest: bytes) -> None:
    assert isinstance(archived_text(b"NSString\x01\x95\x84\x01+" + rest), str)


def test_names_from_the_address_book_in_the_same_zip(tmp_path: Path) -> None:
    script = (SIGNAL.parent / "whatsapp_android.in.sql").read_text("utf-8")
    book = "CREATE TABLE wa_contacts(jid TEXT, display_name TEXT);" + (
        "INSERT INTO wa_contacts VALUES('34600000002@s.whatsapp.net','Iván');"
    )
    members = {
        "msgstore.db": make_database(tmp_path / "1", script).read_bytes(),
        "wa.db": make_database(tmp_path / "2", book).read_bytes(),
    }
    with pytest.raises(ExportUnreadableError, match="address book"):
        read_path(tmp_path / "2")
    (tmp_path / "both.zip").write_bytes(zip_of(members))
    assert "Iván" in read_path(tmp_path / "both.zip").speakers


def test_a_message_keeps_its_identity_over_phones(tmp_path: Path) -> None:
    android = (SIGNAL.parent / "whatsapp_android.in.sql").read_text("utf-8")
    ios = (
        "CREATE TABLE ZWACHATSESSION(Z_PK INTEGER PRIMARY KEY, ZCONTACTJID, ZPARTNERNAME);"
        "INSERT INTO ZWACHATSESSION VALUES(1,'34600000001@s.whatsapp.net','Lucía Prado');"
        "CREATE TABLE ZWAMESSAGE(ZCHATSESSION,ZISFROMME,ZMESSAGEDATE,ZTEXT,ZSTANZAID);"
        "INSERT INTO ZWAMESSAGE VALUES(1,0,736243200.0,'¿Ensayamos hoy?','A1');"
    )
    (one,) = read_path(make_database(tmp_path / "ios", ios)).turns
    (old,) = [
        turn
        for turn in read_path(make_database(tmp_path / "android", android)).turns
        if turn.text == "¿Ensayamos hoy?"
    ]
    assert (one.key, one.said_at_ms) == (old.key, old.said_at_ms)


# -- hostile ------------------------------------------------------------------------------------


def hostile(tmp_path: Path, *scripts: str) -> Path:
    path = tmp_path / "hostile.db"
    with closing(sqlite3.connect(path)) as db:
        for script in scripts:
            db.executescript(script)
        db.commit()
    return path


HANDLE_AND_CHAT = (
    "CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);"
    "CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, chat_identifier TEXT);"
)


def test_a_view_in_a_tables_place_is_not_run(tmp_path: Path) -> None:
    endless = (
        "CREATE VIEW message AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        " SELECT x AS guid, x AS text, x AS handle_id, x AS date, 0 AS is_from_me FROM n;"
    )
    with pytest.raises(ExportUnreadableError, match="database"):
        read_path(hostile(tmp_path, HANDLE_AND_CHAT, endless))


def test_worked_out_columns_are_not_worked_out(tmp_path: Path) -> None:
    columns = (
        "CREATE TABLE message(guid TEXT, date INTEGER, is_from_me INTEGER, handle_id INTEGER,"
        " text TEXT, item_type TEXT AS (zeroblob(60000000)));"
        "INSERT INTO message(guid, date, is_from_me, text) VALUES('g', 1, 1, 'hello');"
    )
    (turn,) = read_path(hostile(tmp_path, HANDLE_AND_CHAT, columns)).turns
    assert turn.text == "hello"
    columns = columns.replace("text TEXT,", "text TEXT AS (zeroblob(60000000)), x TEXT,")
    columns = columns.replace("is_from_me, text)", "is_from_me, x)")
    (tmp_path / "hostile.db").unlink()
    with pytest.raises(ExportUnreadableError):
        read_path(hostile(tmp_path, HANDLE_AND_CHAT, columns))


def test_a_huge_cell_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "_LARGEST_CELL_BYTES", 1_000_000)
    rows = (
        "CREATE TABLE message(guid TEXT, date, is_from_me, handle_id, text);"
        "INSERT INTO message VALUES('g', 1, 1, 0, zeroblob(2000000));"
    )
    with pytest.raises(ExportUnreadableError, match="larger than any message"):
        read_path(hostile(tmp_path, HANDLE_AND_CHAT, rows))


def test_values_of_the_wrong_type_are_no_crash(tmp_path: Path) -> None:
    rows = (
        "CREATE TABLE message(guid, date, is_from_me, handle_id, text, attributedBody, item_type,"
        " date_retracted);"
        "INSERT INTO message VALUES(NULL, 'never', 'yes', x'00', 7, 'no blob', 1e300, -1),"
        "(x'ff', 9e99, 1.5, 'one', CAST(x'edA080' AS TEXT), NULL, NULL, NULL),"
        "(0, -5, 0, NULL, 'nul' || char(0) || ' \u202e', x'84012b', NULL, NULL);"
    )
    got = read_path(hostile(tmp_path, HANDLE_AND_CHAT, rows))
    assert [turn.said_at_ms for turn in got.turns] == [None] * len(got.turns)
    assert len(got.turns) == 3
    assert all(turn.text.encode() and "\x00" not in turn.text for turn in got.turns)


def test_nothing_can_be_written_or_attached(tmp_path: Path) -> None:
    path = hostile(tmp_path, "CREATE TABLE t(a); INSERT INTO t VALUES(1);")
    (part,) = open_parts(path).parts
    with open_database(part) as database:
        assert list(database.rows("t", ("a", "gone", "other.b"))) == [(1, None, None)]
        assert list(database.rows('t"; DROP TABLE t; --', ("a",))) == []
        for sql in (
            "INSERT INTO t VALUES(2)",
            "PRAGMA writable_schema = ON",
            f"ATTACH '{tmp_path}/new.db' AS x",
            "SELECT load_extension('x')",
            "CREATE TEMP TABLE u(a)",
        ):
            with pytest.raises(sqlite3.DatabaseError):
                database._connection.execute(sql)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "ATTACH 'evil.db' AS evil;",
        "CREATE TABLE big AS SELECT zeroblob(1000000000) AS a;",
        "CREATE TABLE n AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n)"
        " SELECT x FROM n;",
        "INSERT INTO sqlite_master VALUES('table','x','x',0,'CREATE TABLE x(a)');",
        "INSERT INTO conversations SELECT readfile('/etc/passwd');",
        "CREATE VIRTUAL TABLE v USING fts5(a);",
        "CREATE TABLE t(a DEFAULT (randomblob(100000000)));",
    ],
)
def test_hostile_statements_of_a_dump_do_nothing(
    read: ReadFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.chdir(tmp_path)
    got = read(SIGNAL.read_text("utf-8") + statement)
    assert got.keys == read_path(SIGNAL).keys
    assert not (tmp_path / "evil.db").exists()


def test_rows_times_rows_come_to_an_end(read: ReadFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "_MOST_LOOKS", 20)
    product = "INSERT INTO items SELECT 1 FROM {};".format(
        ", ".join(f"items i{n}" for n in range(9))
    )
    rows = "CREATE TABLE items(a);" + "INSERT INTO items VALUES(1);" * 12
    with pytest.raises(ExportUnreadableError):
        read(SIGNAL.read_text("utf-8") + rows + product)


def test_a_packed_dump_is_read_no_further_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "_LARGEST_DUMP_BYTES", 4_000_000)
    row = "INSERT INTO items VALUES('" + "x" * 1_000_000 + "');"
    path = tmp_path / "dump.sql.gz"
    path.write_bytes(gzip.compress(("CREATE TABLE items(a);" + row * 6).encode()))
    [part] = open_parts(path).parts
    with pytest.raises(ExportUnreadableError, match="more than 3 MB"), open_database(part):
        raise AssertionError("it was opened")


def test_a_quotation_mark_that_nothing_closes_ends_a_dump(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_dump, "_LONGEST_CHARS", 1_000)
    asked = iter(["INSERT INTO a VALUES(1);", "INSERT INTO a VALUES('", *["x" * 900] * 50])
    assert len(list(statements(asked))) == 2
    assert len(list(asked)) > 40  # the rest was not even read


def test_a_dump_is_told_from_other_text() -> None:
    assert begins_as_dump("-- a\n/* b */ PRAGMA foreign_keys=OFF;")
    assert not begins_as_dump("Create tables of oak, begin with the legs.")
    text = "INSERT INTO a VALUES('x;''y'); DROP TABLE a; insert into b values(1)"
    wanted = ["INSERT INTO a VALUES('x;''y')", "insert into b values(1)"]
    assert list(statements([text])) == wanted
    for size in (1, 2, 3, 7):  # wherever the pieces end
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(statements(pieces)) == wanted


@pytest.mark.parametrize("filler", ["'", '"', "/*", "--", ";", "`", "/* *", "\n--\n"])
def test_no_dump_takes_forever(filler: str) -> None:
    long = filler * 100_000
    assert list(statements(f"{long}")) == []
    begins_as_dump(long)


def test_damaged_and_empty_databases(tmp_path: Path, message_bytes: bytes) -> None:
    for content in (message_bytes[:5000], message_bytes[:100], b"SQLite format 3\x00"):
        (tmp_path / "cut.db").write_bytes(content)
        with pytest.raises(ExportUnreadableError) as caught:
            read_path(tmp_path / "cut.db")
        assert caught.value.hint


def test_cancel_is_heard_in_a_database() -> None:
    cancel = CancelToken()
    reading = read_path(MESSAGES).facts
    cancel.cancel()
    with pytest.raises(CancelledError):
        list(reading.conversations(ignore_progress, cancel))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_damage(tmp_path: Path, message_bytes: bytes, data: st.DataObject) -> None:
    content = bytearray(message_bytes)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(16, len(content) - 1))
        damage = data.draw(st.binary(min_size=1, max_size=8))
        content[at : at + len(damage)] = damage
    path = tmp_path / "damaged.db"
    path.write_bytes(bytes(content))
    told: UserError | None = None
    try:
        got = read_path(path)
        assert all(turn.kind in TurnKind and turn.role in Role for turn in got.turns)
    except UserError as error:
        told = error
    assert told is None or (told.message and told.hint)
