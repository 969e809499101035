"""What went wrong, in the window's words and language.

Services say it in English, as the command line prints it, some from a process of their own. Their
sentences are known one by one (errors.toml and problems.toml of resources/translations): each is
taken apart into what is always the same and its parts, a name or a number, and the parts are put
into ours.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.ui.translation import language, tr

_PART = "{}"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a service: how it is known, and by language what is said for it."""

    pattern: re.Pattern[str]
    said: dict[str, str]


def error_text(error: BaseException) -> str:
    """Say what happened and what to do; of a fault of ours, that it is one."""
    if not isinstance(error, UserError):
        return tr("notice.bug")
    said = [sentence_text(part) for part in (error.message, error.hint) if part]
    if None not in said:
        return " ".join(part for part in said if part)
    if language() == "en":
        return str(error)
    return f"{_kind_text(error)} ({error})"


def sentence_text(sentence: str) -> str | None:
    """Say one sentence of a service; None where it is not known."""
    for known in _sentences():
        found = known.pattern.fullmatch(sentence)
        if found is not None:
            said = known.said.get(language())
            parts = [sentence_text(part) or part for part in found.groups()]
            return said.format(*parts) if said is not None else sentence
    return None


def _kind_text(error: UserError) -> str:
    kinds = _file()["kind"]
    for kind in type(error).__mro__:
        if kind.__name__ in kinds:
            return str(kinds[kind.__name__][language()])
    return ""


@cache
def _file() -> dict[str, dict[str, dict[str, str]]]:
    folder = resources_dir() / "translations"
    read = tomllib.loads((folder / "errors.toml").read_text(encoding="utf-8"))
    problems = tomllib.loads((folder / "problems.toml").read_text(encoding="utf-8"))
    return {**read, "said": [*read["said"], *problems["said"]]}


@cache
def _sentences() -> tuple[_Sentence, ...]:
    """Read all sentences, those with the most words that are always the same first."""
    rows: list[dict[str, str]] = list(_file()["said"])  # type: ignore[arg-type]
    rows.sort(key=lambda row: -len(row["from"].replace(_PART, "")))
    return tuple(_Sentence(_pattern(row["from"]), row) for row in rows)


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, sentence.split(_PART))), re.DOTALL)
