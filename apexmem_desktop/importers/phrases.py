"""The words that messengers themselves write, from resources/phrases, one file a language."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath

from apexmem_desktop.domain.locations import resources_dir

MARKS = "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
SPACES = " \t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_IGNORED = re.compile(f"[{MARKS}{SPACES}.·'’]")
_MARKS = re.compile(f"[{MARKS}]")
_EDGES = re.compile(f"^[{MARKS}{SPACES}<>.…]+|[{MARKS}{SPACES}<>.…]+$")
_SPACES = re.compile(f"[{SPACES}]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
           "october", "november", "december")  # fmt: skip
_OF_OTHER_CALENDARS = 100
_LONGEST_PHRASE_CHARS = 200
BEGINNING_CHARS = 8
SHORT_BEGINNING_CHARS = 4


def fold(word: str) -> str:
    """Fold a short word so that dots, spaces, direction marks and case do not matter."""
    return _IGNORED.sub("", word).casefold()


def without_marks(text: str) -> str:
    """Take out direction marks and other invisible characters."""
    return _MARKS.sub("", text)


def plain(text: str) -> str:
    """Fold a whole phrase: no marks, no angle brackets or full stop around it, single spaces."""
    return _SPACES.sub(" ", _EDGES.sub("", without_marks(text))).casefold()


@dataclass(frozen=True, slots=True)
class Phrases:
    """All languages' phrases at once: an export does not say which language it is in.

    Attributes:
        periods: Folded word for a half of the day, to "am", "pm", "noon" or "night".
        clock_words: Folded words that may stand between date and time.
        exact: Plain whole text, to "media", "deleted", "call", "location" or "contact".
        beginnings: First characters of every phrase that a turn's text can begin with.
        short_beginnings: The same, fewer, of the phrases that are too short for that.
        started: Matches a text that begins as only a notice does.
        notices: Matches a text that is a notice if its sender says nothing else.
        calls: Matches a call with details behind it ("Voice call, 12 min").
        attached: Matches a file name with the words for "attached" behind it.
        edited: Matches the words behind an edited message.
        deleted_by: Matches a deleted message that says who deleted it.
        media_with: Matches the words in place of a photo that say more than that.
        polls: Folded words before the question of a poll.
        once: Finds the words for "view once" in a placeholder.
        left_out: Finds the words for "left out" in one.
        call_words: Finds the word for a call in one.
        months: Folded name of a month, to its number; more than 12 for what Croats and their
            neighbours understand differently, more than 100 for months of other calendars.
        croatian: Names of months that only Croats have.
        weekdays: Folded names of the days of the week.
        date_beginnings: What the first word of a date can be, up to the first sign in it.
        chat_files: Patterns of the names of exported files.
    """

    periods: dict[str, str]
    clock_words: frozenset[str]
    exact: dict[str, str]
    beginnings: frozenset[str]
    short_beginnings: frozenset[str]
    started: re.Pattern[str]
    notices: re.Pattern[str]
    calls: re.Pattern[str]
    deleted_by: re.Pattern[str]
    media_with: re.Pattern[str]
    attached: re.Pattern[str]
    edited: re.Pattern[str]
    polls: frozenset[str]
    once: re.Pattern[str]
    left_out: re.Pattern[str]
    call_words: re.Pattern[str]
    months: dict[str, int]
    croatian: frozenset[str]
    weekdays: frozenset[str]
    date_beginnings: frozenset[str]
    chat_files: tuple[re.Pattern[str], ...]

    def is_sure_notice(self, text: str) -> bool:
        """Tell whether nobody writes this in person (encryption, business accounts)."""
        return self.started.match(plain(text[:_LONGEST_PHRASE_CHARS])) is not None

    def is_notice(self, text: str) -> bool:
        """Tell whether this could be a notice (joins, subjects), or somebody quoting one."""
        if len(text) > _LONGEST_PHRASE_CHARS * 2 or "\n" in text:
            return self.is_sure_notice(text)
        return self.is_sure_notice(text) or self.notices.fullmatch(plain(text)) is not None

    def chat_title(self, file_name: str) -> str:
        """Read the title of a chat from the name of its file; "" when it does not say."""
        stem = without_marks(PurePath(file_name).stem).strip()
        stem = re.sub(r"\s*\(\d+\)$", "", stem)  # "… (1)": the same file fetched again
        for pattern in self.chat_files:
            if found := pattern.fullmatch(stem):
                return found[1].strip()
        return ""


@lru_cache(maxsize=1)
def load_phrases() -> Phrases:
    """Read the phrases of all languages."""
    words: dict[str, list[str]] = {}
    for path in sorted((resources_dir() / "phrases").glob("*.toml")):
        for key, values in tomllib.loads(path.read_text(encoding="utf-8")).items():
            words.setdefault(key, []).extend(values)
    periods = {
        fold(word): part for part in ("night", "noon", "pm", "am") for word in words.get(part, ())
    }
    months = _months(words)
    weekdays = frozenset(words["weekday"])
    begun = [
        plain(text).partition("{}")[0]
        for key in ("media", "deleted", "call", "live_location", "contact", "poll", "strong")
        for text in words[key]
    ]
    begun = [one for one in begun if one]  # before a hole at the very beginning stands anything
    return Phrases(
        periods=periods,
        clock_words=frozenset(fold(word) for word in words["clock"]),
        exact=_exact(words),
        beginnings=frozenset(one[:BEGINNING_CHARS] for one in begun if _is_long(one)),
        short_beginnings=frozenset(
            one[:SHORT_BEGINNING_CHARS] for one in begun if not _is_long(one)
        ),
        started=re.compile("|".join(re.escape(plain(text)) for text in words["strong"])),
        notices=_templates(words["notices"]),
        calls=_calls(words["call"]),
        media_with=_templates([text for text in words["media"] if "{}" in text]),
        deleted_by=_templates([text for text in words["deleted"] if "{}" in text]),
        attached=re.compile(
            rf"(.*\S)[{SPACES}{MARKS}]*\((?:{'|'.join(map(re.escape, words['attached']))})\)"
            rf"[{MARKS}]*",
            re.IGNORECASE,
        ),
        edited=re.compile(
            rf"[{SPACES}{MARKS}]*<[{MARKS}]*(?:{'|'.join(map(re.escape, words['edited']))})\.?"
            rf"[{MARKS}]*>[{MARKS}]*$",
            re.IGNORECASE,
        ),
        polls=frozenset(fold(word) for word in words["poll"]),
        once=_stems(words["once"]),
        left_out=_stems(words["left_out"]),
        call_words=_stems(words["call_word"]),
        months=months,
        croatian=frozenset(words["croatian"]),
        weekdays=weekdays,
        date_beginnings=frozenset(
            found[0] for word in (*months, *weekdays) if (found := _LETTERS.match(word))
        ),
        chat_files=tuple(_file_pattern(name) for name in words["chat_file"]),
    )


def _months(words: dict[str, list[str]]) -> dict[str, int]:
    months = {name: n for n, key in enumerate(_MONTHS, start=1) for name in words[key]}
    codes: dict[str, int] = {}
    for entry in words["shared"]:  # the same two months have the same code
        name, _, pair = entry.partition("=")
        months[name] = codes.setdefault(pair, len(_MONTHS) + 1 + len(codes))
    for entry in words["other_months"]:
        name, _, number = entry.partition("=")
        months[name] = _OF_OTHER_CALENDARS + int(number)
    return months


def _is_long(beginning: str) -> bool:
    return len(beginning) >= BEGINNING_CHARS


def _exact(words: dict[str, list[str]]) -> dict[str, str]:
    kinds = {"live_location": "location"}
    return {
        plain(text): kinds.get(key, key)
        for key in ("call", "contact", "live_location", "deleted", "media")
        for text in words[key]
        if "{}" not in text
    }


def _templates(templates: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(_hole(plain(text), ".{1,160}") for text in templates))


def _hole(template: str, filling: str) -> str:
    """Make a pattern of a template; a hole at its end may stay empty when it hangs on a word."""
    pattern = re.escape(template).replace(r"\{\}", "{}")
    if pattern.endswith("{}") and not pattern.endswith(r"\ {}"):
        pattern = pattern[:-2] + "(?:.{0,160})"
    return pattern.replace("{}", filling)


def _calls(calls: list[str]) -> re.Pattern[str]:
    whole = "|".join(_hole(plain(text), ".{1,80}") for text in calls)
    return re.compile(rf"(?:{whole})(?:[,.،、] .{{1,60}})?")


def _stems(stems: list[str]) -> re.Pattern[str]:
    """Make a pattern that finds words by their beginnings, in a plain phrase."""
    found = {plain(stem): None for stem in stems}
    # Scripts without spaces between words have no beginnings to look for.
    return re.compile("|".join(rf"\b{re.escape(s)}" if s[0] < "\u0e00" else s for s in found))


def _file_pattern(name: str) -> re.Pattern[str]:
    pattern = re.escape(name).replace(r"\{\}", "(.+?)")
    return re.compile(pattern.replace(r"\ ", r"[\s_]+"), re.IGNORECASE)
