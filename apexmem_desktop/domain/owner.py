"""Words by which an export means the owner of the phone or account, and nobody else."""

from apexmem_desktop.domain.names import normalise

OWNER = "You"
# Left out are words that are names as well, such as Du, Tu, Sen and Lei.
_WORDS = frozenset(
    map(
        normalise,
        (
            *(OWNER, "Tú", "Você", "Vous", "Ich", "Jij", "Вы", "Ты", "Ви", "Ти", "Siz", "Anda"),
            *("Kamu", "Bạn", "您", "你", "我", "あなた", "自分", "나", "당신", "أنت", "أنا", "شما"),
            *("אתה", "את/ה", "आप", "คุณ", "Ty", "Εσείς", "Εσύ", "Te", "Dumneavoastră"),
            *("Usted", "Tú mismo", "Vostè", "Vocês", "Sinä", "Ön", "Вие", "Сіз", "Jūs", "Sən"),
            *("तुम", "तुम्ही", "আপনি", "तपाईं", "ਤੁਸੀਂ", "તમે", "நீங்கள்", "మీరు", "ನೀವು"),
            *("നിങ്ങൾ", "آپ", "تو", "انت", "أنتَ", "אתם", "អ្នក", "ທ່ານ", "သင်", "თქვენ"),
            *("Դուք", "本人", "妳", "저", "Awak", "Ikaw", "Wewe"),
        ),
    )
)
_AMBIGUOUS = frozenset({"ty", "te"})


def means_owner(name: str) -> bool:
    """Tell whether a sender's name is only the messenger's word for the owner."""
    word = normalise(name)
    return word in _WORDS and word not in _AMBIGUOUS
