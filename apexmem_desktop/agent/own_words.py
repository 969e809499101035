"""The program's own words of an answer, in the language of the question.

An answer is copied from the turns, in whatever language they are. What we say ourselves is short:
that the memory does not know, what lies nearest, yes and no. Dates and worked out sentences are
there in English and Chinese only.
"""

import re
from collections.abc import Iterable

from apexmem_desktop.chronology.language import guess_language

_DECLINED = {
    "en": "This is not in your memory.",
    "zh": "你的记忆里没有这件事。",
    "de": "Das steht nicht in deinem Gedächtnis.",
    "fr": "Ce n'est pas dans ta mémoire.",
    "es": "Esto no está en tu memoria.",
    "pt": "Isto não está na tua memória.",
    "it": "Questo non è nella tua memoria.",
    "nl": "Dit staat niet in je geheugen.",
    "ru": "Этого нет в вашей памяти.",
    "ja": "それはあなたの記憶にありません。",
    "ko": "그것은 당신의 기억에 없습니다.",
}
_NEAREST = {
    "en": "Nearest to it: ",
    "zh": "最接近的是：",
    "de": "Am nächsten kommt dem: ",
    "fr": "Le plus proche : ",
    "es": "Lo más cercano: ",
    "pt": "O mais próximo: ",
    "it": "La cosa più vicina: ",
    "nl": "Het dichtst daarbij: ",
    "ru": "Ближе всего к этому: ",
    "ja": "最も近いもの：",
    "ko": "가장 가까운 것: ",
}
_NOT_SPOKEN_OF = {
    "en": "None of the messages near it speaks of: ",
    "zh": "相近的消息里都没有提到：",
    "fr": "Aucun des messages proches ne parle de : ",
    "es": "Ninguno de los mensajes cercanos habla de: ",
    "pt": "Nenhuma das mensagens próximas fala de: ",
    "it": "Nessuno dei messaggi vicini parla di: ",
    "nl": "Geen van de berichten in de buurt gaat over: ",
    "ru": "Ни в одном из близких сообщений не упоминается: ",
    "ja": "近いメッセージのどれにも出てきません：",
    "ko": "가까운 메시지 어디에도 나오지 않습니다: ",
}
# Before what somebody told that bears on the advice they ask for.
_TOLD = {
    "en": "I can only tell you what was told: ",
    "zh": "我只能告诉你说过的话：",
    "de": "Ich kann dir nur sagen, was erzählt wurde: ",
    "fr": "Je peux seulement te dire ce qui a été raconté : ",
    "es": "Solo puedo decirte lo que se contó: ",
    "pt": "Só posso dizer-te o que foi contado: ",
    "it": "Posso dirti solo ciò che è stato raccontato: ",
    "nl": "Ik kan je alleen zeggen wat er is verteld: ",
    "ru": "Могу только напомнить, что было сказано: ",
    "ja": "これまでに話されたことだけをお伝えできます：",
    "ko": "지금까지 나온 이야기만 알려 드릴 수 있습니다: ",
}
# What is known of who asks, said to them.
_YOU = {
    "likes": ("you like {}", "你喜欢{}"),
    "dislikes": ("you dislike {}", "你不喜欢{}"),
    "allergic_to": ("you are allergic to {}", "你对{}过敏"),
    "diet": ("you eat {}", "你的饮食：{}"),
    "owns": ("you own {}", "你有{}"),
    "bought": ("you bought {}", "你买了{}"),
    "practises": ("you do {}", "你经常{}"),
    "speaks": ("you speak {}", "你说{}"),
    "pet": ("you have the pet {}", "你养了{}"),
    "lives_in": ("you live in {}", "你住在{}"),
    "works_at": ("you work at {}", "你在{}工作"),
    "studies": ("you study {}", "你学{}"),
    "health": ("you have the health problem {}", "你的健康问题：{}"),
}
_YES_NO = {
    "de": ("Ja", "Nein"),
    "fr": ("Oui", "Non"),
    "es": ("Sí", "No"),
    "pt": ("Sim", "Não"),
    "it": ("Sì", "No"),
    "nl": ("Ja", "Nee"),
    "ru": ("Да", "Нет"),
    "ja": ("はい", "いいえ"),
    "ko": ("네", "아니요"),
}
# English words that no other of these languages has. A short question with one of them, or with a
# name in another script, is English, whatever "a" and "as" may be elsewhere.
_ENGLISH = re.compile(
    r"\b(?:what|when|where|who|whom|whose|which|why|how|did|does|would|should|could|have|were|the)\b"
    r"|^\W*(?:is|are|was|has|had|do|can|will)\b",
    re.IGNORECASE,
)

# What a question begins with tells more than the few words behind it.
_ASKING = {
    "de": r"wer|wen|wem|wessen|wann|wo|wohin|woher|warum|wieso|weshalb|welche[rsnm]?|wieviele?",
    "fr": r"qui|quand|où|pourquoi|combien|quel(?:le)?s?|comment|est-ce",
    "es": r"quién(?:es)?|cuándo|dónde|cuánt[oa]s?|cuál(?:es)?|qué|cómo",
    "pt": r"quem|onde|quant[oa]s|quais",
    "it": r"chi|dove|perché|quant[ie]|quali",
    "nl": r"wanneer|waar|waarom|welke?|hoeveel",
}
_BEGINS = {
    code: re.compile(rf"^\W*(?:{words})\b", re.IGNORECASE) for code, words in _ASKING.items()
}


def language_of(question: str, read_as: str) -> str:
    """Tell which language to answer in.

    Args:
        read_as: "zh" or "en", by whose rules the question was read.
    """
    guessed = guess_language(question)
    if read_as == "zh":
        return "ja" if guessed == "ja" else "zh"
    if _ENGLISH.search(question):
        return "en"
    return next((code for code, asks in _BEGINS.items() if asks.match(question)), guessed)


def declined(language: str) -> str:
    """Say that the memory does not know."""
    return _DECLINED.get(language, _DECLINED["en"])


def nearest(said: str, language: str) -> str:
    """Name the nearest true thing."""
    return _NEAREST.get(language, _NEAREST["en"]) + said


def not_spoken_of(words: str, language: str) -> str:
    """Say which words of the question no near turn has."""
    return _NOT_SPOKEN_OF.get(language, _NOT_SPOKEN_OF["en"]) + words


def told_of_you(property_name: str, value: str, language: str) -> str:
    """Say a fact to whom it is of; "" where it has no such words, or not in their language."""
    english, chinese = _YOU.get(property_name, ("", ""))
    if property_name.startswith("favourite_"):
        kind = property_name.removeprefix("favourite_").replace("_", " ")
        english = f"your favourite {kind} is {{}}"
    return {"en": english, "zh": chinese}.get(language, "").format(value)


def as_told(lines: Iterable[tuple[str, bool]], language: str) -> str:
    """Put what was told behind the words that say it is no more than that.

    Args:
        lines: Each with whether it is quoted as somebody said it.
    """
    said = [f"“{text}”" if is_quoted else text for text, is_quoted in lines]
    return _TOLD.get(language, _TOLD["en"]) + ("；" if language == "zh" else "; ").join(said)


def answered(answer: str, language: str) -> str:
    """Give a bare yes or no in the language of the question; other answers as they are."""
    if answer not in ("Yes", "No") or language not in _YES_NO:
        return answer
    yes, no = _YES_NO[language]
    return yes if answer == "Yes" else no
