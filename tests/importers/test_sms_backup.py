"""SMS Backup & Restore, and what XML from strangers could try."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.importers import xml_stream
from apexmem_desktop.importers.sms_backup import telling
from tests.importers.conftest import ReadFile

SMS = '<sms address="+447700900001" date="17145504{:05d}" type="{}" body="{}" contact_name="Nell"/>'


def smses(*inner: str, count: int | None = None) -> str:
    inside = "\n".join(inner)
    return f"<?xml version='1.0'?>\n<smses count=\"{count or len(inner)}\">\n{inside}\n</smses>"


def test_calls(read: ReadFile) -> None:
    got = read(
        '<calls count="2">'
        '<call number="+447700900001" duration="125" date="1714550400000" type="1"'
        ' contact_name="Nell"/>'
        '<call number="07700900001" duration="0" date="1714550500000" type="2"'
        ' contact_name="(Unknown)"/></calls>'
    )
    assert [(turn.speaker, turn.text) for turn in got.turns] == [
        ("Nell", "incoming call, 2 min"),
        ("You", "outgoing call"),
    ]
    assert (len(got.conversations), got.problems) == (1, [])


def test_a_backup_that_holds_less_than_it_says(read: ReadFile) -> None:
    got = read(smses(SMS.format(1, 1, "hi"), count=7))
    assert [problem.what for problem in got.problems] == ["it says it holds 7 entries; 1 are there"]


def test_a_longer_backup_keeps_the_keys(read: ReadFile) -> None:
    first = [SMS.format(1, 1, "ok"), SMS.format(1, 1, "ok"), SMS.format(2, 2, "fine")]
    short, long = read(smses(*first)), read(smses(*first, SMS.format(3, 1, "more")))
    assert short.keys == long.keys[:3]
    assert len(set(long.keys)) == 4


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE smses [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE smses SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE smses [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]>',
    ],
)
def test_declared_entities_are_refused(read: ReadFile, head: str) -> None:
    with pytest.raises(ExportUnreadableError, match="declares"):
        read(f"<?xml version='1.0'?>{head}<smses></smses>")


def test_undeclared_entities_are_no_text(read: ReadFile) -> None:
    with pytest.raises(ExportUnreadableError, match="line 3"):
        read(smses(SMS.format(1, 1, "&lol;")))


def test_absurd_nesting_and_a_cut_file(read: ReadFile) -> None:
    with pytest.raises(ExportUnreadableError, match="nests"):
        read("<smses>" + "<a>" * 5000)
    with pytest.raises(ExportUnreadableError, match="breaks off"):
        read(smses(SMS.format(1, 1, "hi"))[:-12])


def test_pictures_inside_are_passed_over(read: ReadFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "_CHUNK_BYTES", 1000)
    picture = (
        '<mms date="1714550520000" msg_box="1" address="+447700900001"><parts>'
        f'<part ct="image/png" cl="a.png" data="{"QUJD" * 5000}"/>'
        '<part ct="text/plain" text="look"/></parts></mms>'
    )
    got = read(smses(picture, picture, SMS.format(3, 1, "after")))
    assert [turn.text for turn in got.turns] == ["after", "look", "look"]
    assert got.turns[1].attachments == ("a.png",)


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7, 64, 1000])
def test_chunks_may_end_anywhere(
    read: ReadFile, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int
) -> None:
    monkeypatch.setattr(xml_stream, "_CHUNK_BYTES", chunk_bytes)
    body = "ü &#55357;&#56832;&#128512;&#x1F600; data=AAAA &lt;b&gt; &#34;q&#34; 你好"
    got = read(smses(SMS.format(1, 1, body)))
    assert [turn.text for turn in got.turns] == ['ü 😀😀😀 data=AAAA <b> "q" 你好']


def test_a_very_long_word(read: ReadFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "_CHUNK_BYTES", 1000)
    monkeypatch.setattr(xml_stream, "_MOST_HELD_CHARS", 50)
    body = "好" * 500 + "&#55357;&#56832;" + "好" * 165
    got = read(smses(*(SMS.format(n, 1, "x" * n + body) for n in range(20))))
    assert [turn.text for turn in got.turns] == [
        "x" * n + "好" * 500 + "😀" + "好" * 165 for n in range(20)
    ]


@given(text=st.text(st.sampled_from("&#;x0123456789dDfF \ud83d\ude00\x00<'"), max_size=60))
def test_any_references(text: str) -> None:
    mender = xml_stream._Mender()
    whole = mender.mended(text) + mender.rest()
    whole.encode()  # raises for half a character
    piecewise = xml_stream._Mender()
    pieces = "".join(piecewise.mended(char) for char in text) + piecewise.rest()
    assert pieces == whole


def test_numbers_and_names_of_senders() -> None:
    assert telling("+44 7700 900001") == telling("07700900001") == telling("(07700) 900-001")
    assert telling("ParcelCo") != telling("12345")
    assert telling("a1234567890@x.org") != telling("b1234567890@x.org")
