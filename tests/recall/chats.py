"""Putting chats and facts into a vault, as importing and building do."""

import hashlib
from collections.abc import Sequence

from apexmem_desktop.domain.graph import Modality, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage import conversations, sources, turns
from apexmem_desktop.storage.entities import append_entity, find_entities_named
from apexmem_desktop.storage.facts import append_fact
from apexmem_desktop.storage.properties import ensure_property
from apexmem_desktop.storage.vault import Connection, Vault
from tests.recall.builders import ms, said

Said = tuple[str, str, str]  # (speaker, ISO time, text)


def store_chat(
    vault: Vault,
    lines: Sequence[Said],
    *,
    title: str = "",
    user: str = "",
    imported_at_ms: int = 0,
) -> list[int]:
    """Store one chat; return its turns' numbers. With a `user` it is a chat with an assistant."""
    title = title or f"chat {user}"
    role = Role.ASSISTANT if user else Role.PERSON
    new = [
        ImportedTurn(
            speaker=speaker,
            role=Role.USER if speaker == user else role,
            kind=TurnKind.MESSAGE,
            text=text,
            said_at_ms=ms(at),
            offset_minutes=0,
            key=hashlib.sha256(f"{title}{number}".encode()).hexdigest()[:32],
        )
        for number, (speaker, at, text) in enumerate(lines)
    ]
    with vault.write() as db:
        source_id = sources.append_source(
            db,
            format="test",
            file_name=title,
            sha256="",
            zone="UTC",
            date_order="",
            date_order_certain=True,
            imported_at_ms=imported_at_ms,
            turns_new=len(new),
            turns_known=0,
            problems=(),
        )
        chat_id = conversations.append_conversation(
            db, format="test", external_id=title, title=title, is_group=False
        )
        return turns.append_turns(db, conversation_id=chat_id, source_id=source_id, turns=new)


def entity(db: Connection, name: str, *, is_speaker: bool = False, kind: str = "person") -> int:
    """Give the entity of a name, made if need be."""
    for known in find_entities_named(db, name):
        return known.id
    return append_entity(db, name=name, type=kind, is_speaker=is_speaker, recorded_at_ms=0)


def store_fact(
    vault: Vault,
    turn_id: int,
    subject: str,
    property_name: str,
    value: str,
    *,
    single_valued: bool = True,
    modality: Modality = Modality.ASSERTED,
    recorded_at_ms: int = 0,
) -> int:
    """Store a fact proved by the whole text of a turn."""
    with vault.write() as db:
        turn = turns.get_turn(db, turn_id)
        assert turn.said_at_ms is not None
        known = ensure_property(
            db,
            name=property_name,
            value_type=ValueType.STRING,
            single_valued=single_valued,
            recorded_at_ms=0,
        )
        return append_fact(
            db,
            NewFact(
                subject_id=entity(db, subject),
                property_id=known.id,
                value=value,
                value_type=ValueType.STRING,
                validity=Validity(start=said(turn.said_at_ms)),
                quotes=(Quote(turn_id, 0, len(turn.text), turn.text),),
                confidence=0.9,
                modality=modality,
            ),
            recorded_at_ms=recorded_at_ms,
        )
