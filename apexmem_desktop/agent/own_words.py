"""The program's own words of an answer, in the language of the question.

An answer is copied from the turns, in whatever language they are. What we say ourselves is short:
that the memory does not know, what lies nearest, yes and no. Dates and worked out sentences are
there in English and Chinese only.
"""

import re

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


def answered(answer: str, language: str) -> str:
    """Give a bare yes or no in the language of the question; other answers as they are."""
    if answer not in ("Yes", "No") or language not in _YES_NO:
        return answer
    yes, no = _YES_NO[language]
    return yes if answer == "Yes" else no
