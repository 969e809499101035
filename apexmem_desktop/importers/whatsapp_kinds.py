"""Tells what a WhatsApp turn is: words, a photo, a poll, a call, or the messenger's own notice."""

import re
from typing import NamedTuple

from apexmem_desktop.domain.turn import TurnKind
from apexmem_desktop.importers.phrases import (
    BEGINNING_CHARS,
    MARKS,
    SHORT_BEGINNING_CHARS,
    SPACES,
    Phrases,
    fold,
    plain,
    without_marks,
)

_LRM = "\u200e"
_ODD_STARTS = frozenset("<. \u200e\u200f\u202a\u202b\u2068\ufeff")
_ODD_ENDS = frozenset(">) \u200e\u200f\u202c\u2069")
_LONGEST_PLACEHOLDER_CHARS = 140
_EDITED_CHARS = 120  # the words behind an edited message are within the last so many
_LONGEST_ATTACHMENT_CHARS = 20_000
# "<attached: 0001-PHOTO.jpg>" in any language, alone or behind a document's name and pages.
_IN_ANGLES = re.compile(
    rf"(?P<before>[^\n<>]*?)[{SPACES}{MARKS}]*<[{MARKS}]*[^<>:：\n]{{1,40}}[:：]"
    rf"[{SPACES}{MARKS}]*(?P<file>[^<>\n]+\.\w{{1,5}})[{MARKS}]*>(?P<after>.*)",
    re.DOTALL,
)
# Names that only WhatsApp gives to files; the words in brackets behind them are its own.
_OWN_FILE = re.compile(
    rf"[{MARKS}]*((?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{{8}}-WA\d{{4,}}\.?\w{{0,5}})"
    rf"[{SPACES}{MARKS}]*\([^()\n]{{3,40}}\)[{MARKS}]*"
)
# "<Media omitted>" in a language that we have no words of: nobody writes a sentence so.
_SENTENCE_IN_ANGLES = re.compile(r"<[^\x00-\x7f<>\n]{4,40}>|<[^<>\n:@/=\d]+ [^<>\n:@/=\d]+>")
_LONGEST_SENTENCE_CHARS = 45
# "report.pdf (file attached)" in such a language.
_ANY_FILE = re.compile(
    rf"[{MARKS}]*([^\n/<>]{{1,120}}\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|txt|rtf|vcf|zip|apk|jpe?g"
    r"|png|gif|webp|heic|mp4|mov|3gp|mp3|m4a|opus|ogg|aac|wav|ics))"
    rf"[{SPACES}{MARKS}]+\([^()\d\n]{{4,30}}\)[{MARKS}]*",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"[^\n:：]{0,60}[:：]\s*(?:[^\n]{0,300}\n)?"
    r"(https://(?:maps\.google\.com/\?q=|maps\.apple\.com/|(?:www\.)?foursquare\.com/v/)\S+)"
)
_OPTION_LINE = re.compile(rf"\n[{MARKS}{SPACES}]*[^\n:]{{2,20}}: [^\n]*\([{MARKS}]?\d+ [^\n()]+\)")
_FILE_NAME = re.compile(r"[\w\-. ()]+\.\w{2,5}")


class Kind(NamedTuple):
    """What a turn is.

    Attributes:
        text: Its words without what the messenger put around them.
        key_text: What of it is the same in every language of the messenger.
        own_words: Whether the messenger wrote it, which makes nobody a speaker.
    """

    kind: TurnKind
    text: str
    key_text: str
    attachments: tuple[str, ...] = ()
    own_words: bool = False


def needs_a_look(text: str, phrases: Phrases) -> bool:
    """Tell quickly whether a text can be anything but words; most cannot."""
    begun = text[:BEGINNING_CHARS].casefold()
    return (
        text[0] in _ODD_STARTS
        or text[-1] in _ODD_ENDS
        or begun[:BEGINNING_CHARS] in phrases.beginnings
        or begun[:SHORT_BEGINNING_CHARS] in phrases.short_beginnings
        or "\n" in text
        or "https://" in text
        or _LRM in text
    )


def classify(text: str, phrases: Phrases) -> Kind:
    """Tell what a turn with a sender is."""
    marked = text.startswith(_LRM)
    text = text[:-_EDITED_CHARS] + phrases.edited.sub("", text[-_EDITED_CHARS:])
    if (
        text.endswith(">")
        and (cut := text.rfind(f"{_LRM}<")) > 0
        and (marked or ":" not in text[cut:])
    ):
        text = text[:cut].rstrip()  # "edited" in a language that we have no words of
    bare = text.strip()
    if not without_marks(bare):
        return Kind(TurnKind.MEDIA, "", "")  # seen for view-once photos
    return (
        _placeholder(bare, phrases)
        or _named_placeholder(bare, phrases)
        or _attachment(bare, phrases)
        or _poll_or_place(bare, phrases)
        or _notice(bare, phrases, marked=marked)
        or Kind(TurnKind.MESSAGE, _without_leading_marks(bare), _without_leading_marks(bare))
    )


def _placeholder(text: str, phrases: Phrases) -> Kind | None:
    if len(text) > _LONGEST_PLACEHOLDER_CHARS or "\n" in text.strip("\n"):
        return _captioned(text, phrases)
    words = plain(text)
    what = phrases.exact.get(words)
    if what is None and phrases.calls.fullmatch(words) and "\u200e" in text:
        what = "call"
    if what is None and phrases.media_with.fullmatch(words):
        what = "media"
    if what is None and phrases.deleted_by.fullmatch(words):
        what = "deleted"
    bare = without_marks(text)
    if what is None and len(bare) <= _LONGEST_SENTENCE_CHARS:
        what = "media" if _SENTENCE_IN_ANGLES.fullmatch(bare) else None
    if what is None and (text.startswith(_LRM) or (bare[:1], bare[-1:]) == ("<", ">")):
        return _by_its_words(text, words, phrases)
    if what is None:
        return None
    shown = bare.strip("<> ")
    if what == "media":
        return Kind(TurnKind.MEDIA, "", "", (shown,))
    return Kind(TurnKind(what), shown, "")


def _by_its_words(text: str, words: str, phrases: Phrases) -> Kind | None:
    """Tell what the messenger's own short text is, though its exact wording is not known."""
    if phrases.is_notice(text) or "•" in text:
        return None
    shown = without_marks(text).strip("<> ")
    if phrases.once.search(words):
        return Kind(TurnKind.MEDIA, "", "", (shown,))
    if len(words) > _LONGEST_SENTENCE_CHARS or _FILE_NAME.search(words):
        return None
    if phrases.left_out.search(words):
        return Kind(TurnKind.MEDIA, "", "", (shown,))
    # Could be a notice about calls: nobody is a person for that alone.
    is_call = text.startswith(_LRM) and phrases.call_words.search(words)
    return Kind(TurnKind.CALL, shown, "", own_words=True) if is_call else None


def _named_placeholder(text: str, phrases: Phrases) -> Kind | None:
    """Read "report.pdf • 3 pages document omitted": the mark stands before the messenger's word."""
    before, mark, after = text.rpartition(_LRM)
    if (
        not mark
        or phrases.exact.get(plain(after)) != "media"
        or len(after) > _LONGEST_PLACEHOLDER_CHARS
    ):
        return None
    said = without_marks(before).strip()
    name, dot, _ = said.partition(" • ")
    if dot or _FILE_NAME.fullmatch(said):
        return _file(name, "")
    return Kind(TurnKind.MEDIA, said, said, (without_marks(after).strip("<> "),)) if said else None


def without_title(text: str, phrases: Phrases) -> str:
    """Give a notice without the rest of its group's title, which may have a colon in it."""
    _, colon, notice = text.rpartition(": ")
    return notice if colon and (notice.startswith(_LRM) or phrases.is_sure_notice(notice)) else text


def _captioned(text: str, phrases: Phrases) -> Kind | None:
    """Read "image omitted" with the picture's caption under it."""
    first, _, caption = text.partition("\n")
    if len(first) < _LONGEST_PLACEHOLDER_CHARS and phrases.exact.get(plain(first)) == "media":
        shown = without_marks(first).strip("<> ")
        return Kind(TurnKind.MEDIA, caption.strip(), caption.strip(), (shown,))
    return None


def _attachment(text: str, phrases: Phrases) -> Kind | None:
    if len(text) > _LONGEST_ATTACHMENT_CHARS:
        return None
    first, _, caption = text.partition("\n")
    if "<" in text and (found := _IN_ANGLES.fullmatch(text)) is not None:
        before, after = without_marks(found["before"]).strip(), found["after"].strip()
        return _file(found["file"].strip(), "\n".join(filter(None, (before, after))))
    if ")" not in first:
        return None
    own = _OWN_FILE.fullmatch(first)
    found = own or phrases.attached.fullmatch(first) or _ANY_FILE.fullmatch(first)
    if found is None or "://" in found[1]:
        return None
    return _file(without_marks(found[1]).strip(), caption.strip())


def _file(name: str, caption: str) -> Kind:
    kind = TurnKind.CONTACT if name.lower().endswith(".vcf") else TurnKind.MEDIA
    # Phones number the same file differently, so only its caption tells it apart.
    return Kind(kind, caption, caption, (name,))


def _poll_or_place(text: str, phrases: Phrases) -> Kind | None:
    head, colon, _ = text.partition(":")
    if not colon or len(head) > 70:
        return None
    if "\n" in text and (fold(head) in phrases.polls or _looks_like_poll(head, text)):
        shown = without_marks(text)
        return Kind(TurnKind.POLL, shown, _poll_question(shown))
    if (found := _PLACE.match(text)) is not None:
        return Kind(TurnKind.LOCATION, without_marks(text), found[1])
    return None


def _looks_like_poll(head: str, text: str) -> bool:
    """Tell a poll in a language that we have no word of: capitals, where its script has such."""
    options = _OPTION_LINE.findall(text)
    if head.isupper():
        return bool(options)
    labels = {without_marks(option).partition(":")[0].strip() for option in options}
    return len(options) > 1 and len(labels) == 1 and head == head.upper() and len(head) < 30


def _poll_question(text: str) -> str:
    """Votes change from export to export; the question stays."""
    _, _, rest = text.partition("\n")
    return rest.partition("\n")[0].strip()


def _notice(text: str, phrases: Phrases, *, marked: bool) -> Kind | None:
    """On iPhones there is a direction mark before the messenger's own words, and a sender."""
    if phrases.is_sure_notice(text):
        return Kind(TurnKind.NOTICE, without_marks(text), "", own_words=True)
    if not marked:
        return None
    words = without_marks(text).strip()
    if _FILE_NAME.fullmatch(words):
        return Kind(TurnKind.MEDIA, "", "", (words,))
    return Kind(TurnKind.NOTICE, words, "", own_words=True)


def _without_leading_marks(text: str) -> str:
    return text.lstrip("\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff")
