"""What WhatsApp writes in place of a message, in many languages, on both kinds of phone."""

import pytest

from apexmem_desktop.domain.turn import TurnKind
from tests.importers.conftest import ReadFile

# Language: view once (Android, iPhone), deleted by oneself, edited, missed group call, a call with
# its length, left out (video, sticker), contact card, live location, poll, its option.
SAID = {
    "en": ("View once photo omitted", "You opened a view once video.", "You deleted this message",
           "This message was edited", "Missed group video call", "Voice call, 3 min",
           "video omitted", "sticker omitted", "Contact card omitted", "Live location", "POLL",
           "OPTION"),
    "de": ("Einmalansicht-Foto weggelassen", "Du hast eine Einmalansicht-Nachricht erhalten.",
           "Du hast diese Nachricht gelöscht.", "Diese Nachricht wurde bearbeitet.",
           "Verpasster Gruppen-Videoanruf", "Sprachanruf, 3 Min.", "Video weggelassen",
           "Sticker weggelassen", "Kontaktkarte ausgelassen", "Live-Standort wird geteilt",
           "UMFRAGE", "OPTION"),
    "es": ("Foto de visualización única omitida", "Recibiste un mensaje de ver una vez.",
           "Eliminaste este mensaje", "Se editó este mensaje.", "Videollamada grupal perdida",
           "Llamada de voz, 3 min", "Video omitido", "sticker omitido",
           "Tarjeta de contacto omitida", "ubicación en tiempo real compartida", "ENCUESTA",
           "OPCIÓN"),
    "fr": ("Photo à vue unique omise", "Vous avez reçu un message à vue unique.",
           "Vous avez supprimé ce message", "Ce message a été modifié",
           "Appel vidéo de groupe manqué", "Appel vocal, 3 min", "vidéo absente",
           "sticker omis", "Fiche contact omise", "position en direct partagée", "SONDAGE",
           "OPTION"),
    "it": ("Foto visualizzabile una volta omessa", "Hai ricevuto una foto visualizzabile una volta",
           "Hai eliminato questo messaggio", "Questo messaggio è stato modificato",
           "Videochiamata di gruppo persa", "Chiamata vocale, 3 min", "video omesso",
           "sticker non incluso", "Scheda contatto omessa", "posizione attuale condivisa",
           "SONDAGGIO", "OPZIONE"),
    "pt": ("Foto de visualização única oculta", "Recebeu uma mensagem para ver uma vez",
           "Você apagou esta mensagem", "Mensagem editada", "Ligação de vídeo em grupo perdida",
           "Ligação de voz, 3 min", "vídeo omitido", "figurinha omitida",
           "Cartão do contato omitido", "Localização em tempo real compartilhada", "ENQUETE",
           "OPÇÃO"),
    "nl": ("Eenmalig bekijken foto weggelaten", "Je hebt een eenmalige weergave ontvangen",
           "Je hebt dit bericht verwijderd", "Dit bericht is bewerkt", "Gemiste groepsoproep",
           "Spraakoproep, 3 min", "video weggelaten", "sticker weggelaten",
           "Contactkaart weggelaten", "live locatie gedeeld", "PEILING", "OPTIE"),
    "sv": ("Engångsvisning utelämnad", "Du fick ett meddelande som visas en gång",
           "Du raderade det här meddelandet", "Det här meddelandet redigerades",
           "Missat gruppsamtal", "Röstsamtal, 3 min", "video utelämnad", "sticker utelämnad",
           "Kontaktkort utelämnat", "liveplats delad", "OMRÖSTNING", "ALTERNATIV"),
    "da": ("Vis én gang-billede udeladt", "Du har modtaget et billede, der vises én gang",
           "Du slettede denne besked", "Denne besked blev redigeret", "Ubesvaret gruppeopkald",
           "Taleopkald, 3 min", "video udeladt", "sticker udeladt", "Kontaktkort udeladt",
           "live lokation delt", "AFSTEMNING", "VALGMULIGHED"),
    "nb": ("Vis én gang-bilde utelatt", "Du mottok en melding som vises én gang",
           "Du slettet denne meldingen", "Denne meldingen ble redigert", "Ubesvart gruppeanrop",
           "Taleanrop, 3 min", "video utelatt", "sticker utelatt", "Kontaktkort utelatt",
           "direkteposisjon delt", "AVSTEMNING", "ALTERNATIV"),
    "fi": ("Kerran näytettävä kuva jätetty pois", "Sait kerran näytettävän viestin",
           "Poistit tämän viestin", "Tätä viestiä muokattiin", "Vastaamaton ryhmäpuhelu",
           "Äänipuhelu, 3 min", "video jätetty pois", "tarra jätetty pois",
           "Yhteystietokortti jätetty pois", "reaaliaikainen sijainti jaettu", "KYSELY",
           "VAIHTOEHTO"),
    "pl": ("Pominięto jednorazowe zdjęcie", "Otrzymano wiadomość jednorazową",
           "Usunięto tę wiadomość", "Ta wiadomość została edytowana",
           "Nieodebrane grupowe połączenie wideo", "Połączenie głosowe, 3 min",
           "pominięto wideo", "pominięto naklejkę", "pominięto kartę kontaktu",
           "udostępniono lokalizację na żywo", "ANKIETA", "OPCJA"),
    "cs": ("Fotka k jednomu zobrazení vynechána", "Obdrželi jste zprávu k jednomu zobrazení",
           "Tuto zprávu jste odstranili", "Tato zpráva byla upravena",
           "Zmeškaný skupinový videohovor", "Hlasový hovor, 3 min", "video vynecháno",
           "nálepka vynechána", "Kontaktní karta vynechána", "poloha v reálném čase sdílena",
           "ANKETA", "MOŽNOST"),
    "hu": ("Egyszer megtekinthető fotó kihagyva", "Egyszer megtekinthető üzenetet kaptál",
           "Törölted ezt az üzenetet", "Ez az üzenet szerkesztve lett",
           "Nem fogadott csoportos hívás", "Hanghívás, 3 perc", "videó kihagyva",
           "matrica kihagyva", "Névjegykártya kihagyva", "élő helyzet megosztva", "SZAVAZÁS",
           "LEHETŐSÉG"),
    "ro": ("Fotografie cu vizualizare unică omisă", "Ai primit un mesaj cu vizualizare unică",
           "Ai șters acest mesaj", "Acest mesaj a fost editat", "Apel video de grup pierdut",
           "Apel vocal, 3 min", "video omis", "autocolant omis", "Carte de vizită omisă",
           "locație în timp real partajată", "SONDAJ", "OPȚIUNE"),
    "tr": ("Tek seferlik fotoğraf dahil edilmedi", "Tek görüntülük bir mesaj aldınız",
           "Bu mesajı sildiniz", "Bu mesaj düzenlendi", "Cevapsız grup araması",
           "Sesli arama, 3 dk", "video dahil edilmedi", "Çıkartma dahil edilmedi",
           "Kişi kartı dahil edilmedi", "canlı konum paylaşıldı", "ANKET", "SEÇENEK"),
    "ru": ("Фото для однократного просмотра пропущено", "Вы получили одноразовое сообщение",
           "Вы удалили данное сообщение", "Сообщение изменено",
           "Пропущенный групповой видеозвонок", "Аудиозвонок, 3 мин", "видео отсутствует",
           "стикер отсутствует", "Карточка контакта отсутствует",
           "геоданные в реальном времени", "ОПРОС", "ВАРИАНТ"),
    "uk": ("Фото для одноразового перегляду пропущено", "Ви отримали одноразове повідомлення",
           "Ви видалили це повідомлення", "Це повідомлення змінено",
           "Пропущений груповий відеодзвінок", "Голосовий виклик, 3 хв", "відео пропущено",
           "стікер пропущено", "Картку контакту пропущено",
           "надіслано місцезнаходження в реальному часі", "ОПИТУВАННЯ", "ВАРІАНТ"),
    "el": ("Παράλειψη φωτογραφίας προβολής μίας φοράς", "Λάβατε μήνυμα προβολής μίας φοράς",
           "Διαγράψατε αυτό το μήνυμα", "Αυτό το μήνυμα υποβλήθηκε σε επεξεργασία",
           "Αναπάντητη ομαδική βιντεοκλήση", "Φωνητική κλήση, 3 λεπτά", "παράλειψη βίντεο",
           "παράλειψη αυτοκόλλητου", "Η κάρτα επαφής παραλείφθηκε",
           "κοινοποιήθηκε η τρέχουσα τοποθεσία", "ΔΗΜΟΣΚΟΠΗΣΗ", "ΕΠΙΛΟΓΗ"),
    "he": ("תמונה לצפייה חד-פעמית הושמטה", "קיבלת הודעה לצפייה חד-פעמית", "מחקת הודעה זו",
           "הודעה זו נערכה", "שיחת וידאו קבוצתית שלא נענתה", "שיחה קולית, 3 דקות",
           "סרטון הושמט", "מדבקה הושמטה", "כרטיס איש קשר הושמט", "מיקום חי שותף", "סקר",
           "אפשרות"),
    "ar": ("تم استبعاد صورة للعرض لمرة واحدة", "تلقيت رسالة للعرض لمرة واحدة",
           "لقد حذفت هذه الرسالة", "تم تعديل هذه الرسالة", "مكالمة فيديو جماعية فائتة",
           "مكالمة صوتية، 3 دقائق", "الفيديو غير مدرج", "الملصق غير مدرج",
           "بطاقة جهة الاتصال غير مدرجة", "تمت مشاركة الموقع المباشر", "استطلاع", "خيار"),
    "fa": ("عکس یک‌بار مشاهده گنجانده نشده", "یک پیام یک‌بار مشاهده دریافت کردید",
           "شما این پیام را حذف کردید", "این پیام ویرایش شد", "تماس تصویری گروهی بی‌پاسخ",
           "تماس صوتی، 3 دقیقه", "ویدیو حذف شد", "استیکر حذف شد", "کارت مخاطب حذف شد",
           "موقعیت مکانی زنده به اشتراک گذاشته شد", "نظرسنجی", "گزینه"),
    "hi": ("एक बार देखी जाने वाली फ़ोटो छोड़ी गई", "आपको एक बार देखा जाने वाला मैसेज मिला",
           "आपने यह मैसेज मिटाया", "यह मैसेज एडिट किया गया", "मिस्ड ग्रुप वीडियो कॉल",
           "वॉइस कॉल, 3 मिनट", "वीडियो छोड़ा गया", "स्टिकर छोड़ा गया", "संपर्क कार्ड छोड़ा गया",
           "लाइव लोकेशन शेयर की गई", "पोल", "विकल्प"),
    "id": ("Foto sekali lihat tidak disertakan", "Anda menerima pesan sekali lihat",
           "Anda menghapus pesan ini", "Pesan ini diedit", "Panggilan video grup tak terjawab",
           "Panggilan suara, 3 mnt", "video tidak disertakan", "stiker tidak disertakan",
           "Kartu kontak tidak disertakan", "lokasi terkini dibagikan", "POLLING", "OPSI"),
    "ms": ("Foto lihat sekali dikecualikan", "Anda menerima mesej lihat sekali",
           "Anda memadamkan mesej ini", "Mesej ini telah diedit",
           "Panggilan video kumpulan terlepas", "Panggilan suara, 3 min", "video dikecualikan",
           "pelekat dikecualikan", "Kad kenalan dikecualikan", "lokasi langsung dikongsi",
           "TINJAUAN", "PILIHAN"),
    "vi": ("Đã bỏ qua ảnh xem một lần", "Bạn đã nhận được tin nhắn xem một lần",
           "Bạn đã xóa tin nhắn này", "Tin nhắn này đã được chỉnh sửa", "Cuộc gọi video nhóm nhỡ",
           "Cuộc gọi thoại, 3 phút", "đã bỏ qua video", "đã bỏ qua nhãn dán",
           "Đã bỏ qua thẻ liên hệ", "đã chia sẻ vị trí trực tiếp", "THĂM DÒ Ý KIẾN", "LỰA CHỌN"),
    "th": ("ไม่รวมรูปภาพที่ดูได้ครั้งเดียว", "คุณได้รับข้อความที่ดูได้ครั้งเดียว", "คุณลบข้อความนี้แล้ว",
           "ข้อความนี้ถูกแก้ไขแล้ว", "สายโทรกลุ่มที่ไม่ได้รับ", "สายโทรด้วยเสียงที่ไม่ได้รับ",
           "ละเว้นวิดีโอ", "ละเว้นสติกเกอร์", "ไม่รวมการ์ดผู้ติดต่อ", "แชร์ตำแหน่งปัจจุบันแล้ว", "โพล",
           "ตัวเลือก"),
    "ja": ("1回限りの写真は含まれていません", "1回限り表示のメッセージを受信しました",
           "このメッセージを削除しました", "このメッセージは編集されました",
           "グループビデオ通話に不在着信", "音声通話、3分", "動画が省略されました",
           "スタンプは含まれていません", "連絡先は含まれていません",
           "ライブ位置情報を共有しました", "アンケート", "オプション"),
    "ko": ("한 번 보기 사진 생략됨", "한 번 보기 메시지를 받았습니다", "이 메시지를 삭제했습니다",
           "이 메시지는 수정되었습니다", "부재중 그룹 영상통화", "음성 통화, 3분", "동영상 생략됨",
           "스티커 생략됨", "연락처 카드 생략됨", "실시간 위치 공유됨", "투표", "옵션"),
    "zh": ("一次性查看照片已忽略", "您收到了一条一次性查看消息", "您删除了这条消息",
           "此消息已编辑", "未接视频群组通话", "语音通话，3 分钟", "视频已忽略", "贴图已忽略",
           "忽略联系人卡片", "已分享实时位置", "投票", "选项"),
    "zh-TW": ("已略去限看一次的照片", "你收到一則限看一次的訊息", "你已刪除這則訊息",
              "這則訊息已編輯", "未接群組視訊通話", "語音通話，3 分鐘", "略去影片", "略去貼圖",
              "略去聯絡人卡片", "即時位置已分享", "投票", "選項"),
    "bg": ("Пропусната снимка за еднократен преглед", "Получихте съобщение за еднократен преглед",
           "Изтрихте това съобщение", "Това съобщение е редактирано",
           "Пропуснато групово обаждане", "Гласово обаждане, 3 мин", "пропуснато видео",
           "пропуснат стикер", "Пропусната визитка на контакт",
           "споделено местоположение на живо", "АНКЕТА", "ОПЦИЯ"),
    "ca": ("Foto de visualització única omesa", "Has rebut un missatge de visualització única",
           "Has suprimit aquest missatge", "S'ha editat aquest missatge",
           "Trucada de grup perduda", "Trucada de veu, 3 min", "vídeo omès", "adhesiu omès",
           "Targeta de contacte omesa", "ubicació en temps real compartida", "ENQUESTA", "OPCIÓ"),
}  # fmt: skip
MESSAGE, MEDIA, CALL = TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.CALL
KINDS = [
    MESSAGE, MEDIA, MEDIA, TurnKind.DELETED, MESSAGE, CALL, CALL, MEDIA, MEDIA, TurnKind.CONTACT,
    TurnKind.LOCATION, TurnKind.POLL, TurnKind.LOCATION,
]  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_every_kind_on_both_phones(read: ReadFile, language: str) -> None:
    once, got_once, deleted, edited, missed, call, *rest = SAID[language]
    video, sticker, contact, live, poll, option = rest
    choices = f"\n\u200e{option}: now (\u200e2 x)\n\u200e{option}: never (\u200e0 x)"
    said = [
        "hi", f"<{once}>", f"\u200e{got_once}", f"\u200e{deleted}", f"words \u200e<{edited}>",
        f"\u200e{missed}", f"\u200e{call}", f"\u200e{video}", f"\u200e{sticker}",
        f"\u200e{contact}", f"\u200e{live}", f"\u200e{poll}:\n\u200eWhen?{choices}",
        f"\u200e{live}: https://maps.google.com/?q=52.5,13.4",
    ]  # fmt: skip
    heads = [f"[14.03.24, 10:00:{n:02}] Ana: {words}" for n, words in enumerate(said)]
    got = read("\r\n".join(heads) + "\r\n")
    assert got.speakers == ["Ana"]
    assert [turn.kind for turn in got.turns] == KINDS
    assert got.turns[4].text == "words"
    # An Android phone marks nothing; a call is nobody's there.
    unmarked = [number for number in range(len(said)) if number not in (2, 5, 6, 10)]
    lines = [f"14/03/2024, 10:{n:02} - Ana: {said[n]}".replace("\u200e", "") for n in unmarked]
    got = read("\n".join(lines) + "\n")
    assert [turn.kind for turn in got.turns] == [KINDS[number] for number in unmarked]
    assert got.turns[3].text == "words"


@pytest.mark.parametrize(
    "words",
    [
        "one call was omitted",
        "view once, then delete",
        "<3 call me>",
        "Umfrage: https://example.org/poll",
        "a: b (1 x)\nc: d (2 y)",
    ],
)
def test_words_of_a_person_stay_words(read: ReadFile, words: str) -> None:
    (turn,) = read(f"14/03/2024, 10:00 - Ana: {words}\n", date_order="dmy").turns
    assert (turn.kind, turn.text) == (MESSAGE, words)


def test_notices_about_calls_make_nobody_a_person(read: ReadFile) -> None:
    got = read(
        "[14.03.24, 10:00:00] Hiking: \u200e所有通话都会保密。\n[14.03.24, 10:00:09] Ana: hi\n"
    )
    assert got.speakers == ["Ana"]


def test_a_notice_behind_the_name_of_who_caused_it_is_nobodys_word(read: ReadFile) -> None:
    got = read(
        "14/03/2024, 10:00 - +49 176 1: hi\n"
        "14/03/2024, 10:01 - +49 176 1: +49 176 1 updated the message timer. New messages will"
        " disappear from this chat.\n"
        "14/03/2024, 10:02 - Ana: Ana is my name\n"
    )
    kinds = [turn.kind for turn in got.turns]
    assert kinds == [MESSAGE, TurnKind.NOTICE, MESSAGE]
