"""Which language a text is in, as far as its script and its commonest words tell."""

import re

from apexmem_desktop.chronology.foreign_words import BOOKS

_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SCRIPTS = (
    (re.compile(r"[\uac00-\ud7af]"), "ko"),
    (re.compile(r"[\u0400-\u04ff]"), "ru"),
    (re.compile(r"[\u0370-\u03ff]"), "el"),
    (re.compile(r"[\u0590-\u05ff]"), "he"),
    (re.compile(r"[\u0600-\u06ff]"), "ar"),
    (re.compile(r"[\u0900-\u097f]"), "hi"),
    (re.compile(r"[\u0e00-\u0e7f]"), "th"),
)
_COMMON_WORDS = {
    "en": "i the a and is it to of you that in was for on have my me so but with we not this at "
    "be he she they do what just like are your all been had",
    "it": "io il la e è non che di in un una con per mi si ho sono siamo abbiamo del della ma "
    "molto gli le anche più questo ieri domani oggi fa",
    "nl": "ik de het een en is niet dat van in op met voor we wij zijn was heb naar ook maar je "
    "gisteren morgen vandaag gaan",
    **{code: book.common for code, book in BOOKS.items() if book.common},
}
# One of these is enough, where nothing else tells: no other language above has the word.
_TELLING = {
    "gestern": "de", "vorgestern": "de", "heute": "de", "übermorgen": "de", "woche": "de",
    "aujourd'hui": "fr", "demain": "fr", "semaine": "fr", "ayer": "es", "anteayer": "es",
    "hoy": "es", "mañana": "es", "hace": "es", "ontem": "pt", "anteontem": "pt", "hoje": "pt",
    "amanhã": "pt", "ieri": "it", "gisteren": "nl", "seit": "de", "depuis": "fr",
    "gearbeitet": "de", "gewohnt": "de", "travaillé": "fr", "habité": "fr", "trabajé": "es",
    "viví": "es", "estudié": "es", "trabalhei": "pt", "morei": "pt", "estudei": "pt",
}  # fmt: skip


def _speaking_for() -> dict[str, tuple[tuple[str, int], ...]]:
    """List for each known word the languages it speaks for, and how loudly."""
    found: dict[str, list[tuple[str, int]]] = {}
    for code, words in _COMMON_WORDS.items():
        for word in set(words.split()):
            found.setdefault(word, []).append((code, 1))
    for word, code in _TELLING.items():
        found.setdefault(word, []).append((code, 2))
    return {word: tuple(votes) for word, votes in found.items()}


_VOTES = _speaking_for()


def is_chinese(text: str, language: str = "") -> bool:
    """Tell whether a text is to be read as Chinese: so named, or ideographs without kana."""
    if language:
        return language.lower().startswith("zh")
    return _IDEOGRAPH.search(text) is not None and _KANA.search(text) is None


def guess_language(text: str) -> str:
    """Guess a language code; English where nothing speaks for another."""
    if not text.isascii():
        if _KANA.search(text):
            return "ja"
        if _IDEOGRAPH.search(text):
            return "zh"
        for script, code in _SCRIPTS:
            if script.search(text):
                return code
    scores = dict.fromkeys(_COMMON_WORDS, 0)
    for word in set(_WORD.findall(text.replace("’", "'").lower())):
        for code, votes in _VOTES.get(word, ()):
            scores[code] += votes
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] >= 2 and scores[best] > scores["en"] else "en"
