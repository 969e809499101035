"""Mails: whose words they are, when they were sent, and what broken ones do."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.turn import Role, TurnKind
from apexmem_desktop.importers.html_text import to_text
from apexmem_desktop.importers.mail_words import html_words, own_words
from tests.importers.conftest import ReadFile, read_path, zip_of

SAMPLE = Path(__file__).parent / "samples" / "mailbox.in.mbox"
HEAD = (
    "Date: Wed, 1 May 2024 10:00:00 +0200\nFrom: Ana <ana@example.org>\n"
    "To: Ben <ben@example.org>\nSubject: Boat\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "Yes.\n\nOn 1 May 2024, Ben wrote:\n> Do you?\n>> Really?",
        "Yes.\nOn 1 May 2024, Ben wrote:\n> Do you?",
        "Yes.\nOn Wed, 1 May 2024 at 10:00, Ben\n<ben@example.org> wrote:\n> Do you?",
        "Yes.\n\nAm 01.05.2024 um 10:00 schrieb Ben <ben@example.org>:\n> Kommst du?",
        "Yes.\n\nLe mer. 1 mai 2024 à 10:00,\nBen <ben@example.org> a écrit :\n\n> Tu viens ?",
        "Yes.\n\nEl mié, 1 may 2024 a las 10:00, Ben (<ben@example.org>) escribió:\n\n> ¿Vienes?",
        "Yes.\n\n于2024年5月1日周三 10:00写道：\n\n> 来吗?",
        "Yes.\n\n在 2024年5月1日，Ben <ben@example.org> 写道：\n来吗? 没有标记",
        "Yes.\n\n-----Original Message-----\nFrom: Ben\nDo you?",
        "Yes.\n\n________________________________\nVon: Ben <b@e.org>\nGesendet: Mittwoch\n"
        "An: Ana\nBetreff: Boot\n\nKommst du?",
        "Yes.\n\nFrom: Ben <b@e.org>\nSent: Wednesday\nTo: Ana\nSubject: Boat\n\nDo you?",
        "Yes.\n\n---------- Forwarded message ---------\nFrom: Ben\n",
        "> Do you?\n\nYes.\n-- \nAna\nHarbour Street 1",
        "Yes.\n\nSent from my iPhone",
        "Yes.\n\n____\nThis message is confidential.\nDelete it.",
    ],
)
def test_quoted_words_and_signatures_are_not_the_senders(text: str) -> None:
    assert own_words(text) == "Yes."
    assert own_words(text.replace("\n", "\r\n")) == "Yes."


@pytest.mark.parametrize(
    "text",
    [
        "On Monday my brother wrote: nothing.",
        "She wrote:\nDear all",
        "From: the harbour\nwith love",
        "a -- b\n--\n" + "line\n" * 20 + "end",
        "one\n---\ntwo",
    ],
)
def test_own_words_stay(text: str) -> None:
    assert own_words(text) == text


def test_answers_between_quoted_lines_stay() -> None:
    text = "On 1 May 2024 Ben wrote:\n> Who?\nAna.\n> When?\nAt noon."
    assert own_words(text) == "Ana.\nAt noon."


def test_a_line_with_a_number_right_above_an_attribution_stays() -> None:
    assert own_words("It was at 5.\nOn 1 May 2024, Ben wrote:\n> When?") == "It was at 5."


def test_flowed_lines_are_joined() -> None:
    assert own_words("one \ntwo\nthree", flowed=True) == "one two\nthree"


def test_html_as_it_is_read() -> None:
    source = (
        "<p>a&nbsp;&lt;b&gt;<br>c</p><table><tr><td>1</td><td>2</td></tr></table>"
        "<blockquote>old<blockquote>older</blockquote></blockquote><div>new</div>"
        '<div id="appendonsend"></div><div>From: x</div>'
    )
    assert html_words(source) == "a <b>\nc\n\n1 2\n\nnew"
    assert to_text("<!-- a --><style>b</style>c") == "c"


@pytest.mark.parametrize(
    ("date", "at_ms", "offset_minutes"),
    [
        ("Wed, 1 May 2024 10:00:00 +0200", 1_714_550_400_000, 120),
        ("1 May 2024 10:00 +0530 (IST)", 1_714_537_800_000, 330),
        ("Wed, 01 May 2024 10:00:00 GMT", 1_714_557_600_000, 0),
        ("Wed, 01 May 2024 10:00:00 -0000", 1_714_557_600_000, 540),  # the chosen zone's
        ("Wed, 01 May 2024 10:00:00 +9999", None, 540),
        ("yesterday", None, 540),
        ("Wed, 01 May 1824 10:00:00 GMT", None, 540),
    ],
)
def test_the_zone_of_the_date(
    read: ReadFile, date: str, at_ms: int | None, offset_minutes: int
) -> None:
    mail = HEAD.replace("Wed, 1 May 2024 10:00:00 +0200", date) + "\nHi."
    (turn,) = read(mail, zone="Asia/Tokyo").turns
    assert (turn.said_at_ms, turn.offset_minutes) == (at_ms, offset_minutes)


def test_mails_in_a_zip_make_threads(read: ReadFile) -> None:
    first = HEAD + "Message-ID: <1@x>\n\nBoat?"
    second = HEAD.replace("10:00:00", "11:00:00") + "Message-ID: <2@x>\nIn-Reply-To: <1@x>\n\nYes."
    got = read(zip_of({"b/2.eml": second, "a/1.eml": first, "copy.eml": first}))
    (chat,) = got.conversations
    assert (chat.external_id, chat.title, chat.is_group) == ("<1@x>", "Boat", False)
    assert [turn.text for turn in chat.turns] == ["Boat?", "Yes."]
    assert chat.turns[1].reply_to == "<1@x>"
    assert got.skipped == {"copies of a mail that is there": 1}


def test_a_late_mail_joins_two_threads(read: ReadFile) -> None:
    ids = ("Message-ID: <1@x>", "Message-ID: <2@x>", "Message-ID: <3@x>\nReferences: <2@x> <1@x>")
    mails = [HEAD.replace("10:00", f"1{n}:00") + f"{one}\n\nmail {n}" for n, one in enumerate(ids)]
    got = read(zip_of({f"{n}.eml": mail for n, mail in enumerate(mails)}))
    assert [turn.text for turn in got.turns] == ["mail 0", "mail 1", "mail 2"]
    assert [chat.external_id for chat in got.conversations] == ["<1@x>"]


def test_what_a_machine_sent_is_nobodys_word(read: ReadFile) -> None:
    for header in ("Auto-Submitted: auto-replied", "Precedence: bulk", "List-Unsubscribe: <u>"):
        assert read(f"{HEAD}{header}\n\nHi.").turns[0].role is Role.TOOL
    discussion = "List-Unsubscribe: <u>\nList-Post: <mailto:l@x>"
    assert read(f"{HEAD}{discussion}\n\nHi.").turns[0].role is Role.PERSON


def test_a_mail_of_only_a_file_and_one_attached_whole(read: ReadFile) -> None:
    mail = HEAD + (
        'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
        "--b\nContent-Type: image/png\nContent-Disposition: attachment;"
        " filename*=utf-8''..%2F%C3%BC.png\n\nx\n"
        "--b\nContent-Type: message/rfc822\n\nFrom: c@x\n\nnot Ana's words\n--b--\n"
    )
    (turn,) = read(mail).turns
    assert (turn.kind, turn.text) == (TurnKind.MEDIA, "")
    assert turn.attachments == ("ü.png", "attached mail")


@pytest.mark.parametrize("text", ["From: me\nDear diary", "Date: today\nTo: you\n", "a: b\nc: d\n"])
def test_what_only_looks_like_a_mail(read: ReadFile, text: str) -> None:
    with pytest.raises(UserError, match="not of a chat export"):
        read(text)


def test_broken_headers_and_encodings(read: ReadFile) -> None:
    odd = (
        "=?utf-8?B?!!!?=",
        "=?nope-8?Q?=FF?=",
        "\udce4\udcf6",
        "=?utf-8?Q?=ED=A0=80?=",
        "<<@>>,;",
        "x" * 30_000,
    )
    for value in odd:
        raw = HEAD.replace("Boat", value).replace("Ana", value) + (
            "Content-Type: text/plain; charset=nope\nContent-Transfer-Encoding: base64\n\n####\nhi"
        )
        got = read(raw.encode("utf-8", "surrogateescape") + b"\x00\xff")
        assert all(turn.speaker.encode() for turn in got.turns)


def test_absurd_nesting_of_parts(read: ReadFile) -> None:
    nested = "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(3000)
    )
    got = read(HEAD + nested)
    assert (got.turns, [problem.what for problem in got.problems]) == ([], ["could not be read"])


@pytest.mark.parametrize(
    "filler",
    [
        "<",
        "<a ",
        "<a b='",
        "<!--",
        "<!",
        "&",
        "<script>",
        "<div ",
        "</",
        "< ",
        "<a\"'",
        "\n>",
        "-- \n",
    ],
)
def test_no_mail_takes_forever(filler: str) -> None:
    long = filler * (300_000 // len(filler))
    assert len(html_words(long)) <= len(long)
    assert len(own_words(long)) <= len(long)
    own_words(f"On 1 May {long} wrote:")


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_damage(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(SAMPLE.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=10))
    path = tmp_path / "damaged"
    path.write_bytes(bytes(content))
    told: UserError | None = None
    try:
        read_path(path)
    except UserError as error:
        told = error
    assert told is None or told.hint
