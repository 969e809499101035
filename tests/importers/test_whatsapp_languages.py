"""What WhatsApp itself writes in many languages is nobody's word, on both kinds of phone."""

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import ReadFile

# Language: encryption, somebody added, media left out, deleted, missed call.
SAID = {
    "en": ("Messages and calls are end-to-end encrypted. Only people in this chat can read them.",
           "Ben added Cem", "Media omitted", "This message was deleted", "Missed voice call"),
    "de": ("Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Tippe, um mehr zu erfahren.",
           "Ben hat Cem hinzugefügt", "Medien ausgeschlossen", "Diese Nachricht wurde gelöscht.",
           "Verpasster Sprachanruf"),
    "es": ("Los mensajes y las llamadas están cifrados de extremo a extremo.",
           "Ben añadió a Cem", "Multimedia omitido", "Se eliminó este mensaje.",
           "Llamada perdida"),
    "fr": ("Les messages et les appels sont chiffrés de bout en bout.", "Ben a ajouté Cem",
           "Médias omis", "Ce message a été supprimé", "Appel vocal manqué"),
    "it": ("I messaggi e le chiamate sono crittografati end-to-end.", "Ben ha aggiunto Cem",
           "Media omessi", "Questo messaggio è stato eliminato", "Chiamata persa"),
    "pt": ("As mensagens e as ligações são protegidas com a criptografia de ponta a ponta.",
           "Ben adicionou Cem", "Mídia oculta", "Mensagem apagada", "Ligação de voz perdida"),
    "nl": ("Berichten en oproepen zijn end-to-end versleuteld.", "Ben heeft Cem toegevoegd",
           "Media weggelaten", "Dit bericht is verwijderd", "Gemiste spraakoproep"),
    "sv": ("Meddelanden och samtal är end-to-end-krypterade.", "Ben lade till Cem",
           "Media har utelämnats", "Det här meddelandet raderades", "Missat röstsamtal"),
    "da": ("Beskeder og opkald er end-to-end-krypterede.", "Ben tilføjede Cem",
           "Mediefil udeladt", "Denne besked blev slettet", "Mistet taleopkald"),
    "nb": ("Meldinger og anrop er ende-til-ende-krypterte.", "Ben la til Cem",
           "Media utelatt", "Denne meldingen ble slettet", "Tapt taleanrop"),
    "fi": ("Viestit ja puhelut salataan täysin.", "Ben lisäsi henkilön Cem",
           "Media jätettiin pois", "Tämä viesti poistettiin", "Vastaamaton puhelu"),
    "pl": ("Wiadomości i połączenia są w pełni szyfrowane.", "Ben dodał(a) Cem",
           "pominięto multimedia", "Ta wiadomość została usunięta",
           "Nieodebrane połączenie głosowe"),
    "cs": ("Zprávy a hovory jsou šifrovány mezi koncovými body.", "Ben přidal(a) Cem",
           "Média vynechána", "Tato zpráva byla odstraněna", "Zmeškaný hlasový hovor"),
    "sk": ("Správy a hovory sú end-to-end šifrované.", "Ben pridal(a) Cem", "Médiá vynechané",
           "Táto správa bola odstránená", "Zmeškaný hlasový hovor"),
    "hu": ("Az üzenetek és hívások végpontok közötti titkosítással védettek.",
           "Ben hozzáadta Cem", "Hiányzó médiafájl", "Ezt az üzenetet törölték",
           "Nem fogadott hanghívás"),
    "ro": ("Mesajele și apelurile sunt criptate integral.", "Ben a adăugat pe Cem",
           "Media omise", "Acest mesaj a fost șters", "Apel vocal pierdut"),
    "tr": ("Mesajlar ve aramalar uçtan uca şifrelidir.", "Ben, Cem kişisini ekledi",
           "Medya dahil edilmedi", "Bu mesaj silindi", "Cevapsız sesli arama"),
    "ru": ("Сообщения и звонки защищены сквозным шифрованием.", "Ben добавил(а) Cem",
           "Без медиафайлов", "Данное сообщение удалено", "Пропущенный аудиозвонок"),
    "uk": ("Повідомлення та дзвінки захищено наскрізним шифруванням.", "Ben додав(-ла) Cem",
           "Медіа пропущено", "Це повідомлення видалено", "Пропущений аудіодзвінок"),
    "el": ("Τα μηνύματα και οι κλήσεις είναι κρυπτογραφημένα από άκρο σε άκρο.",
           "Ο Ben πρόσθεσε τον Cem", "Τα πολυμέσα παραλήφθηκαν", "Αυτό το μήνυμα διαγράφηκε",
           "Αναπάντητη φωνητική κλήση"),
    "he": ("ההודעות והשיחות מוצפנות מקצה לקצה.", "Ben הוסיף את Cem", "המדיה לא נכללה",
           "הודעה זו נמחקה", "שיחה קולית שלא נענתה"),
    "ar": ("الرسائل والمكالمات مشفرة تمامًا بين الطرفين.", "أضاف Ben Cem", "تم استبعاد الوسائط",
           "تم حذف هذه الرسالة", "مكالمة صوتية فائتة"),
    "fa": ("پیام‌ها و تماس‌ها رمزگذاری سرتاسری شده‌اند.", "Ben Cem را اضافه کرد",
           "پیوست نما", "این پیام حذف شد", "تماس صوتی از دست رفته"),
    "hi": ("संदेश और कॉल एंड-टू-एंड एन्क्रिप्टेड हैं.", "Ben ने Cem को जोड़ा",
           "मीडिया के बिना", "यह मैसेज मिटाया गया", "मिस्ड वॉइस कॉल"),
    "id": ("Pesan dan panggilan terenkripsi secara end-to-end.", "Ben menambahkan Cem",
           "Media tidak disertakan", "Pesan ini telah dihapus", "Panggilan suara tak terjawab"),
    "ms": ("Mesej dan panggilan disulitkan hujung ke hujung.", "Ben menambah Cem",
           "Media dikecualikan", "Mesej ini telah dipadamkan", "Panggilan suara terlepas"),
    "vi": ("Tin nhắn và cuộc gọi được mã hóa đầu cuối.", "Ben đã thêm Cem",
           "Tệp bị bỏ qua", "Tin nhắn này đã bị xóa", "Cuộc gọi thoại nhỡ"),
    "th": ("ข้อความและการโทรได้รับการเข้ารหัสจากต้นทางถึงปลายทาง", "Ben เพิ่ม Cem",
           "ไม่รวมสื่อ", "ข้อความนี้ถูกลบแล้ว", "สายโทรด้วยเสียงที่ไม่ได้รับ"),
    "ja": ("メッセージと通話はエンドツーエンド暗号化されています。", "BenがCemを追加しました",
           "メディアは含まれていません", "このメッセージは削除されました", "音声通話不在着信"),
    "ko": ("메시지와 통화는 종단간 암호화됩니다.", "Ben님이 Cem님을 추가했습니다",
           "미디어 파일 제외됨",
           "삭제된 메시지입니다", "부재중 음성전화"),
    "zh": ("消息和通话已进行端到端加密。", "Ben添加了Cem", "省略多媒体文件", "此消息已删除",
           "未接语音来电"),
    "zh-TW": ("訊息和通話經過端對端加密。", "Ben新增了Cem", "忽略多媒體檔", "這則訊息已經刪除",
              "未接語音來電"),
    # No words of these are known to the program: what they look like tells.
    "sw": ("Ujumbe na simu zimefumbwa mwisho hadi mwisho.", "Ben aliongeza Cem",
           "Faili za media zimeachwa", "", ""),
    "ur": ("پیغامات اور کالز اینڈ ٹو اینڈ انکرپٹڈ ہیں۔", "Ben نے Cem کو شامل کیا",
           "میڈیا چھوڑ دیا گیا", "", ""),
    "bn": ("মেসেজ এবং কল এন্ড-টু-এন্ড এনক্রিপ্ট করা থাকে।", "Ben Cem-কে যোগ করেছেন",
           "মিডিয়া বাদ দেওয়া হয়েছে", "", ""),
    "ta": ("செய்திகளும் அழைப்புகளும் முழுமையாக மறையாக்கம் செய்யப்பட்டுள்ளன.", "Ben, Cem ஐ சேர்த்தார்",
           "மீடியா தவிர்க்கப்பட்டது", "", ""),
    "ka": ("შეტყობინებები და ზარები დაშიფრულია ბოლომდე.", "Ben-მა დაამატა Cem",
           "მედია გამოტოვებულია", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_android(read: ReadFile, language: str) -> None:
    encrypted, added, media, deleted, call = SAID[language]
    lines = [encrypted, added, "Ana: hi", f"Ana: <{media}>"]
    lines += [f"Ana: {words}" for words in (deleted, "\u200e" * bool(call) + call) if words]
    got = read("".join(f"14/03/2024, 10:0{n} - {line}\n" for n, line in enumerate(lines)))
    assert got.speakers == ["Ana"]
    kinds = [turn.kind for turn in got.turns]
    wanted = [TurnKind.NOTICE, TurnKind.NOTICE, TurnKind.MESSAGE, TurnKind.MEDIA]
    wanted += [TurnKind.DELETED, TurnKind.CALL] if deleted else []
    assert kinds == wanted


@pytest.mark.parametrize("language", SAID)
def test_iphone_writes_the_groups_title_before_its_notices(read: ReadFile, language: str) -> None:
    encrypted, added, media, deleted, call = SAID[language]
    lines = [f"Hiking 🥾: \u200e{encrypted}", f"Hiking 🥾: \u200e{added}", "Ana: hi"]
    lines += [f"Ana: \u200e{words}" for words in (media, deleted, call) if words]
    got = read("".join(f"[14.03.24, 10:00:0{n}] {line}\r\n" for n, line in enumerate(lines)))
    assert got.speakers == ["Ana"]
    assert [turn.text for turn in got.turns if turn.kind is TurnKind.MESSAGE] == ["hi"]


HEADERS = """\
2024년 3월 14일 오후 3:05 - Ana: x
2024. 3. 14. 오후 3:05 - Ana: x
2024-03-14 15 h 05 - Ana: x
[2024-03-14, 15 h 05 min 22 s] Ana: x
14.03.24 г., 15:05 ч. - Ana: x
[14.03.24 г., 15:05:22 ч.] Ana: x
14.03.24 plkst. 15:05 - Ana: x
14. 03. 2024. 15:05 - Ana: x
14.03.2024. u 15:05 - Ana: x
14.3.24, во 15:05 - Ana: x
lúc 15:05 14/03/24 - Ana: x
14/3/67 15:05 น. - Ana: x
[14/3/2567 BE 15:05:22] Ana: x
14.3.2024 klo 15.05 - Ana: x
2024-03-14 kl. 15:05 - Ana: x
14/03/24 pukul 15.05 - Ana: x
[14.03.24, 15:05:22 Uhr] Ana: x
2024/3/14(木) 15:05 - Ana: x
2024/3/14 午後3:05 - Ana: x
2024/3/14 下午 3:05 - Ana: x
14/3/24, μ.μ. 3:05 - Ana: x
14/3/24 3:05 CH - Ana: x
14.3.24 ÖS 3:05 - Ana: x
2024. 03. 14. du. 3:05 - Ana: x
14/3/24 3:05 alasiri - Ana: x
14/3/24، 3:05 شام - Ana: x
14/03/24 ás 15:05 - Ana: x
14/03/24 à 15:05 - Ana: x
14/03/24, 3:05\u202fp.\u00a0m. - Ana: x
۱۴۰۲/۱۲/۲۴،\u200f ۱۵:۰۵ - Ana: x
[٤/٩/١٤٤٥ هـ، ٣:٠٥:٢٢ م] Ana: x
[14/03/24, 15:05:22.123] Ana: x
""".splitlines()


@pytest.mark.parametrize("line", HEADERS)
def test_every_header_is_the_same_minute(read: ReadFile, line: str) -> None:
    (turn,) = read(f"{line}\n", date_order="dmy").turns
    assert (turn.speaker, turn.text) == ("Ana", "x")
    assert (turn.said_at_ms or 0) // 60_000 * 60_000 == 1_710_428_700_000


def test_words_of_a_message_are_never_rewritten(read: ReadFile) -> None:
    got = read("14/03/2024 15 h 05 - Ana: at 16 h 10 (木) Uhr\n")
    assert got.turns[0].text == "at 16 h 10 (木) Uhr"
