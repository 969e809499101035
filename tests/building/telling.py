"""Turns as people write them, and what the building room reads from them without a model."""

from collections.abc import Sequence
from datetime import UTC, datetime

from apexmem_desktop.building.appending import Appended, Appender
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.deriving import with_consequences, with_given_name
from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.turn import Role, Turn, TurnKind
from apexmem_desktop.storage import facts, turns
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import make_turn, store_chat

SAID = "2024-06-12T10:00"  # a Wednesday


def ms(text: str) -> int:
    """UTC milliseconds of an ISO date or time."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def day(at_ms: int | None) -> str:
    """The UTC day of an instant."""
    assert at_ms is not None
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def said(
    text: str, *, speaker: str = "Ana Ruiz", at: str | None = SAID, offset_minutes: int = 0
) -> Turn:
    """A turn that is in no vault."""
    return Turn(
        id=1,
        session_id=1,
        conversation_id=1,
        speaker=speaker,
        role=Role.PERSON,
        kind=TurnKind.MESSAGE,
        text=text,
        said_at_ms=None if at is None else ms(at),
        offset_minutes=offset_minutes,
        position=0,
    )


def read(turn: Turn, *before: Turn) -> list[Candidate]:
    """Read a turn by pattern alone, after others, with what follows from it."""
    openings = find_openings(turn, before)
    found = [with_given_name(turn, one) for opening in openings for one in opening.told]
    return with_consequences(found)


def spell(candidate: Candidate) -> str:
    """Write a candidate as "who property value", with "not" where it does not hold."""
    who = f"~{candidate.who}" if candidate.of_speaker else candidate.who
    holds = "" if candidate.holds else "not "
    return f"{who} {holds}{candidate.property} {candidate.value}"


def tell(vault: Vault, *told: tuple[str, str] | str, at: str = SAID) -> list[int]:
    """Store turns of (speaker, text), a minute apart; return their numbers."""
    pairs = [one if isinstance(one, tuple) else ("Ana Ruiz", one) for one in told]
    new = [
        make_turn(text, speaker=speaker, at_ms=ms(at) + 60_000 * place, external_id=f"{at}{place}")
        for place, (speaker, text) in enumerate(pairs)
    ]
    with vault.write() as db:
        return store_chat(db, new, external_id="telling")


def append(vault: Vault, turn_ids: Sequence[int]) -> Appended:
    """Read stored turns by pattern and append what they tell."""
    with vault.write() as db:
        appender = Appender(db, recorded_at_ms=ms(SAID))
        for turn in turns.find_turns(db, turn_ids):
            speaker_id = appender.speaker(turn)
            for candidate in read(turn):
                appender.append(turn, speaker_id, candidate)
    return appender.done


def told_facts(vault: Vault) -> list[Fact]:
    """Every fact of the vault, in the order it was stored."""
    with vault.read() as db:
        return sorted(facts.find_facts(db), key=lambda one: one.id)


def spell_fact(fact: Fact) -> str:
    """Write a fact as "who property value", with "not" where it does not hold."""
    holds = "" if fact.polarity else "not "
    return f"{fact.subject} {holds}{fact.property} {fact.value}"
