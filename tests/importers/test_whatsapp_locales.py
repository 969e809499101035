"""WhatsApp headers as phones all over the world write them."""

from datetime import UTC, datetime, timedelta

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import ReadFile, zip_of

# All are the 25th of March 2024, five past three in the afternoon.
HEADERS = {
    "en-US": "3/25/24, 3:05 PM - ",
    "en-US iPhone": "[3/25/24, 3:05:09\u202fPM] ",
    "en-GB": "25/03/2024, 15:05 - ",
    "en-CA": "2024-03-25, 3:05 p.m. - ",
    "en-ZA": "2024/03/25, 15:05 - ",
    "de": "25.03.24, 15:05 - ",
    "de 12 h": "25.03.24, 3:05 nachm. - ",
    "fr": "25/03/2024 à 15:05 - ",
    "es": "25/3/24, 3:05\u202fp.\xa0m. - ",
    "pt-BR": "25/03/2024 15:05 - ",
    "it": "25/03/24, 15:05 - ",
    "nl": "25-03-2024 15:05 - ",
    "da": "25.03.2024 15.05 - ",
    "fi": "25.3.2024 klo 15.05 - ",
    "sv": "2024-03-25 15:05 - ",
    "cs": "25. 3. 2024 15:05 - ",
    "hu": "2024. 03. 25. 15:05 - ",
    "hr": "25.03.2024. 15:05 - ",
    "bg": "25.03.24 г., 15:05 - ",
    "ru": "25.03.2024, 15:05 - ",
    "tr": "25.03.2024 15:05 - ",
    "el": "25/3/24, 3:05 μ.μ. - ",
    "he": "25.3.2024, 15:05 - ",
    "ar": "٢٥\u200f/٣\u200f/٢٠٢٤، ٣:٠٥ م - ",
    "fa": "۲۵/۳/۲۰۲۴،\u200f ۱۵:۰۵ - ",
    "hi": "25/3/24, 3:05 अपराह्न - ",
    "id": "25/03/24 15.05 - ",
    "ms": "25/03/2024, 3:05 PTG - ",
    "vi": "15:05, 25/03/2024 - ",
    "th": "25/3/2567 15:05 - ",
    "zh": "2024/3/25 下午3:05 - ",
    "zh iPhone": "[2024/3/25 下午3:05:09] ",
    "zh years": "2024年3月25日 下午3:05 - ",
    "ja": "2024/03/25 15:05 - ",
    "ko": "2024. 3. 25. 오후 3:05 - ",
    "ko iPhone": "[2024. 3. 25. 오후 3:05:09] ",
    "old iPhone": "25.03.24 15.05.09: ",
}


@pytest.mark.parametrize("locale", HEADERS)
def test_header(read: ReadFile, locale: str) -> None:
    got = read(f"{HEADERS[locale]}Ana: hello: you\n{HEADERS[locale]}Ben: hi\n")
    assert got.speakers == ["Ana", "Ben"]
    assert got.turns[0].text == "hello: you"
    when = datetime.fromtimestamp((got.turns[0].said_at_ms or 0) / 1000, UTC)
    assert (when.date().isoformat(), when.hour, when.minute) == ("2024-03-25", 15, 5)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_and_line_ends(read: ReadFile, encoding: str) -> None:
    text = "25/03/2024, 15:05 - Zoë: tschüß\r\nzwei\r\n25/03/2024, 15:06 - Ben: 👋\r\n"
    got = read(text.encode(encoding))
    assert [turn.text for turn in got.turns] == ["tschüß\nzwei", "👋"]


def test_old_code_page(read: ReadFile) -> None:
    got = read("25/03/2024, 15:05 - Zoë: grüß dich".encode("cp1252"))
    assert (got.speakers, got.turns[0].text) == (["Zoë"], "grüß dich")


def test_names_as_they_come(read: ReadFile) -> None:
    got = read(
        "[25/03/24, 15:05:01] ~\u202fMaya: a\n"
        "[25/03/24, 15:05:02] \u202a+49\xa0176\xa01234567\u202c: b\n"
        "[25/03/24, 15:05:03] 🦊: c\n"
        "[25/03/24, 15:05:04] Robert'); DROP TABLE turns;--: d\n"
    )
    assert got.speakers == ["Maya", "+49 176 1234567", "🦊", "Robert'); DROP TABLE turns;--"]
    assert got.conversations[0].is_group


def test_format_that_changes_half_way(read: ReadFile) -> None:
    got = read(
        "12/24/23, 10:30 - Ana: on Android\n12/25/23, 10:31 - Ben: yes\n"
        "[26.12.2023, 10:32:03] Ana: new phone\n[27.12.2023, 08:00:00] Ben: nice\n"
    )
    days = [datetime.fromtimestamp((turn.said_at_ms or 0) / 1000, UTC).day for turn in got.turns]
    assert days == [24, 25, 26, 27]


def test_pasted_messages_stay_a_quotation(read: ReadFile) -> None:
    got = read(
        "25/12/23, 10:30 - Ana: look what he wrote:\n"
        "[24/12/2023, 09:00:00] Carl: I never said that\n"
        "25/12/23, 10:31 - Ben: wow\n"
    )
    assert got.speakers == ["Ana", "Ben"]
    assert "Carl: I never said that" in got.turns[0].text


def test_line_whose_date_fits_no_other_is_told(read: ReadFile) -> None:
    lines = [f"{day}/03/24, 10:00 - Ana: x" for day in range(10, 25)]
    got = read("\n".join([*lines, "99/99/24, 10:00 - Ben: never", "25/03/24, 10:00 - Ana: y"]))
    assert got.speakers == ["Ana"]
    assert [problem.where for problem in got.problems] == ["export, line 16"]


def test_zip_with_media_and_a_title(read: ReadFile) -> None:
    packed = zip_of(
        {
            "_chat.txt": "[25.03.24, 15:05:09] Ana: \u200e<attached: 00000001-PHOTO.jpg>\n",
            "00000001-PHOTO.jpg": b"\xff\xd8\x00\x00",
            "__MACOSX/._chat.txt": "x",
        }
    )
    got = read(packed, name="WhatsApp Chat - Summer House.zip")
    assert got.conversations[0].title == "Summer House"
    assert got.turns[0].attachments == ("00000001-PHOTO.jpg",)
    assert got.turns[0].kind is TurnKind.MEDIA


def test_zip_with_several_chats(read: ReadFile) -> None:
    got = read(
        zip_of(
            {
                "WhatsApp Chat with Ana.txt": "25/03/24, 15:05 - Ana: hi\n",
                "WhatsApp Chat with Ben.txt": "05/04/24, 15:05 - Ben: hi\n",
            }
        )
    )
    assert [conversation.title for conversation in got.conversations] == ["Ana", "Ben"]
    assert got.facts.date_order_certain  # the first chat decides for the phone


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("WhatsApp-Chat mit Lea Müller.txt", "Lea Müller"),
        ("WhatsApp Chat with Mum (1).txt", "Mum"),
        ("Conversa do WhatsApp com João.txt", "João"),
        ("与小明的 WhatsApp 聊天.txt", "小明"),
    ],
)
def test_title_from_the_file_name(read: ReadFile, name: str, title: str) -> None:
    assert read("25/03/24, 15:05 - Ana: hi", name=name).conversations[0].title == title


@pytest.mark.parametrize("separator", ["/", "-", "."])
@pytest.mark.parametrize("year", ["%y", "%Y"])
@pytest.mark.parametrize("order", ["dmy", "mdy", "ymd", "ydm"])
def test_every_order_with_every_separator(
    read: ReadFile, order: str, year: str, separator: str
) -> None:
    form = separator.join({"d": "%d", "m": "%m", "y": year}[part] for part in order)
    days = [datetime(2024, 3, 25, tzinfo=UTC) + timedelta(days=n) for n in range(9)]
    got = read("".join(f"{day.strftime(form)}, 10:00 - Ana: x{day.day}\n" for day in days))
    said = [datetime.fromtimestamp((turn.said_at_ms or 0) / 1000, UTC) for turn in got.turns]
    assert [when.date() for when in said] == [day.date() for day in days]
    assert got.facts.date_order == order


def test_one_damaged_line_makes_no_unusual_order(read: ReadFile) -> None:
    lines = [f"{day:02}.03.24, 10:00 - Ana: x" for day in range(1, 10)]
    got = read("\n".join([*lines[:4], "03.25.24, 10:00 - Ana: y", *lines[4:]]))
    assert got.facts.date_order == "dmy"
