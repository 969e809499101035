"""What stands in a WhatsApp export beside words, in many languages."""

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import ReadFile

PLACEHOLDERS = [
    ("<Media omitted>", TurnKind.MEDIA),
    ("<Medien ausgeschlossen>", TurnKind.MEDIA),
    ("<Multimedia omitido>", TurnKind.MEDIA),
    ("<Médias omis>", TurnKind.MEDIA),
    ("<Без медиафайлов>", TurnKind.MEDIA),
    ("\u200esticker omitted", TurnKind.MEDIA),
    ("görüntü dahil edilmedi", TurnKind.MEDIA),
    ("\u200e图片已忽略", TurnKind.MEDIA),
    ("IMG-20240325-WA0001.jpg (file attached)", TurnKind.MEDIA),
    ("\u200eIMG-20240325-WA0001.jpg (mit einer unbekannten Sprache)", TurnKind.MEDIA),
    ("report.pdf (Datei angehängt)", TurnKind.MEDIA),
    ("\u200e<Anhang: 00000012-AUDIO-2024.opus>", TurnKind.MEDIA),
    ("report.pdf • \u200e3 pages \u200e<attached: 00000015-report.pdf>", TurnKind.MEDIA),
    ("", TurnKind.MEDIA),
    ("report.pdf • \u200e3 pages \u200edocument omitted", TurnKind.MEDIA),
    ("null", TurnKind.MEDIA),
    ("<View once voice message omitted>", TurnKind.MEDIA),
    (
        "\u200eYou received a view once photo. You can only open it on your phone.",
        TurnKind.MEDIA,
    ),
    ("This message was deleted", TurnKind.DELETED),
    ("You deleted this message", TurnKind.DELETED),
    ("Diese Nachricht wurde gelöscht.", TurnKind.DELETED),
    ("此消息已删除", TurnKind.DELETED),
    ("تم حذف هذه الرسالة", TurnKind.DELETED),
    ("\u200eMissed voice call", TurnKind.CALL),
    ("\u200eVoice call, \u200e12 min", TurnKind.CALL),
    ("Verpasster Videoanruf", TurnKind.CALL),
    ("location: https://maps.google.com/?q=52.5,13.4", TurnKind.LOCATION),
    ("\u200eStandort: https://maps.google.com/?q=52.5,13.4", TurnKind.LOCATION),
    ("live location shared", TurnKind.LOCATION),
    ("Ben.vcf (file attached)", TurnKind.CONTACT),
    ("\u200eContact card omitted", TurnKind.CONTACT),
    ("POLL:\nWhen?\nOPTION: Monday (2 votes)\nOPTION: Never (0 votes)", TurnKind.POLL),
    ("\u200eUMFRAGE:\nWann?\n\u200eOPTION: Montag (\u200e2 Stimmen)", TurnKind.POLL),
    ("I said: the media omitted the best part of it", TurnKind.MESSAGE),
    ("<3", TurnKind.MESSAGE),
    ("Voice call, 12 min, that was long", TurnKind.MESSAGE),
    ("see https://example.org (file attached)", TurnKind.MESSAGE),
]


@pytest.mark.parametrize(("text", "kind"), PLACEHOLDERS)
def test_kind(read: ReadFile, text: str, kind: TurnKind) -> None:
    got = read(f"[25/03/24, 15:05:01] Ana: hello\n[25/03/24, 15:05:02] Ana: {text}")
    turn = got.turns[1]
    assert (turn.kind, turn.speaker) == (kind, "Ana")
    if kind is TurnKind.MESSAGE:
        assert turn.text == text


def test_caption_is_the_text_of_a_picture(read: ReadFile) -> None:
    got = read("25/03/24, 15:05 - Ana: IMG-20240325-WA0001.jpg (file attached)\nour new house")
    turn = got.turns[0]
    assert (turn.kind, turn.text) == (TurnKind.MEDIA, "our new house")
    assert turn.attachments == ("IMG-20240325-WA0001.jpg",)


@pytest.mark.parametrize(
    "text",
    [
        "see you at 8 <This message was edited>",
        "see you at 8 \u200e<This message was edited>",
        "see you at 8 <Diese Nachricht wurde bearbeitet.>",
        "\u200esee you at 8 \u200e<въ нѣкоемъ языцѣ>",
    ],
)
def test_edited_mark_is_no_part_of_the_words(read: ReadFile, text: str) -> None:
    got = read(f"25/03/24, 15:04 - Ana: first\n25/03/24, 15:05 - Ana: {text}")
    assert got.turns[1].text == "see you at 8"


def test_quoting_a_notice_makes_nobody_silent(read: ReadFile) -> None:
    got = read("25/03/24, 15:05 - Ana: Ben left\n25/03/24, 15:06 - Ana: did you see?")
    assert [turn.kind for turn in got.turns] == [TurnKind.MESSAGE] * 2


def test_new_subject_with_a_colon_is_no_person(read: ReadFile) -> None:
    got = read(
        '25/03/24, 15:05 - Ana changed the subject from "Trip: plans" to "Trip: photos"\n'
        "25/03/24, 15:06 - Ana: done"
    )
    assert got.speakers == ["Ana"]
    assert got.turns[0].text.endswith('to "Trip: photos"')


def test_a_document_that_was_left_out_keeps_its_name_and_a_photo_its_caption(
    read: ReadFile,
) -> None:
    got = read(
        "[25/03/24, 15:05:01] Ana: report.pdf • \u200e3 pages \u200edocument omitted\n"
        "[25/03/24, 15:05:02] Ana: our new house \u200eimage omitted\n"
    )
    assert [(turn.text, turn.attachments) for turn in got.turns] == [
        ("", ("report.pdf",)),
        ("our new house", ("image omitted",)),
    ]


def test_a_groups_title_with_a_colon_is_no_person(read: ReadFile) -> None:
    got = read(
        "[25/03/24, 15:05:01] Trip: Rome: 2024: \u200eMessages and calls are end-to-end "
        "encrypted.\n[25/03/24, 15:05:02] Trip: Rome: 2024: \u200eAna hat etwas getan\n"
        "[25/03/24, 15:05:03] Ana: note: buy milk\n"
    )
    assert got.speakers == ["Ana"]
    assert [turn.text for turn in got.turns] == [
        "Messages and calls are end-to-end encrypted.",
        "Ana hat etwas getan",
        "note: buy milk",
    ]


NOTICES = {
    "en": "Messages and calls are end-to-end encrypted. Tap to learn more.",
    "de": "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.",
    "fr": "Les messages et les appels sont chiffrés de bout en bout.",
    "es": "Los mensajes y las llamadas están cifrados de extremo a extremo.",
    "pt": "As mensagens e as ligações são protegidas com a criptografia.",
    "it": "I messaggi e le chiamate sono crittografati end-to-end.",
    "nl": "Berichten en gesprekken worden end-to-end versleuteld.",
    "ru": "Сообщения и звонки защищены сквозным шифрованием.",
    "uk": "Повідомлення та дзвінки захищено наскрізним шифруванням.",
    "tr": "Mesajlar ve aramalar uçtan uca şifrelidir.",
    "pl": "Wiadomości i połączenia są w pełni szyfrowane.",
    "cs": "Zprávy a hovory jsou koncově šifrovány.",
    "hu": "Az üzenetek és a hívások végpontok közötti titkosítással védettek.",
    "ro": "Mesajele și apelurile sunt criptate integral.",
    "sv": "Meddelanden och samtal är totalsträckskrypterade.",
    "da": "Beskeder og opkald er end-to-end krypteret.",
    "nb": "Meldinger og anrop er ende-til-ende-kryptert.",
    "fi": "Viestit ja puhelut ovat päästä päähän -salattuja.",
    "el": "Τα μηνύματα και οι κλήσεις είναι κρυπτογραφημένα.",
    "he": "ההודעות והשיחות מוצפנות מקצה לקצה.",
    "ar": "الرسائل والمكالمات مشفرة تمامًا بين الطرفين.",
    "fa": "پیام‌ها و تماس‌ها سرتاسر رمزگذاری شده‌اند.",
    "hi": "मैसेज और कॉल एंड-टू-एंड एन्क्रिप्टेड हैं।",
    "id": "Pesan dan panggilan terenkripsi secara end-to-end.",
    "ms": "Mesej dan panggilan disulitkan hujung ke hujung.",
    "vi": "Tin nhắn và cuộc gọi được mã hóa đầu cuối.",
    "th": "ข้อความและการโทรได้รับการเข้ารหัสตั้งแต่ต้นทางถึงปลายทาง",
    "zh": "消息和通话已进行端到端加密。",
    "zh-Hant": "訊息和通話已受端對端加密保護。",
    "ja": "メッセージと通話はエンドツーエンドで暗号化されます。",
    "ko": "메시지와 통화는 종단간 암호화됩니다.",
}


@pytest.mark.parametrize("language", NOTICES)
@pytest.mark.parametrize("sender", ["", "Family 🏡: ", "Family 🏡: \u200e"])
def test_notice_is_never_a_person(read: ReadFile, language: str, sender: str) -> None:
    got = read(f"[25/03/24, 15:05:01] {sender}{NOTICES[language]}\n[25/03/24, 15:06:00] Ana: hi")
    assert got.speakers == ["Ana"]
    assert got.turns[0].kind is TurnKind.NOTICE
    assert got.turns[0].speaker == ""
