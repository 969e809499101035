"""The tables as SQLAlchemy Core sees them. A test holds them equal to the migrated schema."""

from sqlalchemy import (
    Boolean,
    Column,
    ColumnClause,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    TableClause,
    Text,
    column,
    table,
)

metadata = MetaData()


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _int(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=False, primary_key=key)


def _maybe_int(name: str) -> Column[int]:
    return Column(name, Integer, nullable=True)


def _text(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, Text, nullable=False, primary_key=key)


def _maybe_text(name: str) -> Column[str]:
    return Column(name, Text, nullable=True)


def _shared_bound(name: str, *, needed: bool) -> list[Column[int] | Column[str]]:
    text = _text if needed else _maybe_text
    return [
        text(f"{name}_precision"),
        text(f"{name}_source"),
        _int(f"{name}_has_earliest"),
        _maybe_int(f"{name}_after_ms"),
    ]


def _told_bound(name: str) -> list[ColumnClause[int] | ColumnClause[str]]:
    return [
        column(f"{name}_earliest_ms", Integer),
        column(f"{name}_latest_ms", Integer),
        column(f"{name}_precision", Text),
        column(f"{name}_source", Text),
    ]


sources = Table(
    "sources",
    metadata,
    _id(),
    _text("format"),
    _text("file_name"),
    _text("sha256"),
    _text("zone"),
    _text("date_order"),
    _int("date_order_certain"),
    _int("imported_at_ms"),
    _int("turns_new"),
    _int("turns_known"),
    _text("problems"),
)
conversations = Table(
    "conversations",
    metadata,
    _id(),
    _text("format"),
    _text("external_id"),
    _text("title"),
    _int("is_group"),
)
sessions = Table(
    "sessions",
    metadata,
    _id(),
    _int("conversation_id"),
    _int("source_id"),
    _maybe_int("started_at_ms"),
)
voices = Table(
    "voices",
    metadata,
    _id(),
    _int("source_id"),
    _int("conversation_id"),
    _text("speaker"),
    _text("role"),
    _text("kind"),
    _int("offset_minutes"),
    _int("first_number"),
    _int("is_read"),
)
# The bare rows; `turns` below is what readers want.
turn_rows = Table(
    "turns",
    metadata,
    _id(),
    _int("session_id"),
    _int("voice_id"),
    # A text, or one compressed; None: it stands in its pack. Only the driver writes it.
    Column("text", Numeric),
    _maybe_int("said_at_ms"),
    _maybe_int("apart_ms"),
    _maybe_text("external_id"),
    _maybe_int("reply_to_id"),
    _maybe_text("attachments"),
)
text_packs = Table("text_packs", metadata, _id(), Column("texts", LargeBinary, nullable=False))
key_packs = Table(
    "key_packs",
    metadata,
    _id(),
    _int("conversation_id"),
    Column("keys", LargeBinary, nullable=False),
)
turn_keys = Table(
    "turn_keys",
    metadata,
    _int("conversation_id", key=True),
    # In truth of any type: bytes, or a text that is no digest. Only the driver sees it.
    Column("key", Numeric, nullable=False, primary_key=True),
    _int("turn_id"),
)
stretches = Table(
    "stretches",
    metadata,
    _int("conversation_id", key=True),
    _int("first_ms", key=True),
    _int("first_id", key=True),
    _int("last_ms"),
    _int("last_id"),
    _int("session_id"),
)
waiting = Table("waiting", metadata, Column("session_id", Integer, primary_key=True), _int("turns"))
job_counts = Table("job_counts", metadata, _text("state", key=True), _int("jobs"))
runs = Table(
    "runs",
    metadata,
    _id(),
    _text("purpose"),
    _int("prompt_version"),
    _text("prompt_sha256"),
    _text("model_sha256"),
    _text("turn_ids"),
    _text("output"),
    _int("prompt_tokens"),
    _int("output_tokens"),
    _int("ms"),
    _int("started_at_ms"),
    _text("schema_sha256"),
)
entities = Table(
    "entities",
    metadata,
    _id(),
    _text("type"),
    _text("name"),
    _int("is_speaker"),
    _int("recorded_at_ms"),
    _maybe_int("run_id"),
    _text("role"),
)
entity_names = Table(
    "entity_names",
    metadata,
    _id(),
    _int("entity_id"),
    _text("name"),
    _text("normalised"),
    _maybe_int("turn_id"),
)
entity_links = Table(
    "entity_links",
    metadata,
    _id(),
    _int("a_id"),
    _int("b_id"),
    _text("kind"),
    _text("by"),
    _text("reason"),
    _maybe_int("undoes_id"),
    _int("recorded_at_ms"),
)
entity_canon = Table(
    "entity_canon",
    metadata,
    Column("entity_id", Integer, primary_key=True),
    _int("canonical_id"),
)
entity_uses = Table(
    "entity_uses",
    metadata,
    Column("entity_id", Integer, primary_key=True),
    _int("facts"),
    _int("mentions"),
    _maybe_int("first_at_ms"),
    _maybe_int("last_at_ms"),
    _maybe_int("first_local_ms"),
    _maybe_int("last_local_ms"),
)
facts_kept = Table(
    "facts_kept",
    metadata,
    _int("lane", key=True),
    _int("key_ms", key=True),
    _int("fact_id", key=True),
    _maybe_int("begins_ms"),
    _maybe_int("ends_ms"),
    _maybe_int("value"),
    _int("traits"),
)
subjects_touched = Table(
    "subjects_touched", metadata, Column("entity_id", Integer, primary_key=True)
)
chat_speakers = Table(
    "chat_speakers",
    metadata,
    _int("conversation_id", key=True),
    _text("speaker", key=True),
    _int("turns"),
    _maybe_int("first_at_ms"),
    _maybe_int("last_at_ms"),
)
entity_stood = Table(
    "entity_stood",
    metadata,
    _int("entity_id", key=True),
    _int("since_ms", key=True),
    _int("until_ms"),
    _int("canonical_id"),
)
mentions = Table(
    "mentions",
    metadata,
    _int("entity_id", key=True),
    _int("turn_id", key=True),
    _int("role", key=True),
)
properties = Table(
    "properties",
    metadata,
    _id(),
    _text("name"),
    _text("value_type"),
    _int("single_valued"),
    _int("recorded_at_ms"),
)
property_names = Table(
    "property_names", metadata, _int("property_id"), _text("normalised"), _text("name")
)
event_kinds = Table(
    "event_kinds",
    metadata,
    _id(),
    _text("type"),
    _text("modality"),
    *_shared_bound("start", needed=True),
    *_shared_bound("end", needed=False),
)
# The bare rows; `events` and `facts` below are what readers want.
event_rows = Table(
    "events",
    metadata,
    _id(),
    _int("kind_id"),
    _maybe_text("summary"),
    *(_maybe_int(name) for name in ("start_ms", "start_latest_ms", "end_ms", "end_latest_ms")),
    _maybe_text("phrase"),
    _maybe_int("place_id"),
    *(_maybe_int(name) for name in ("turn_id", "start_char", "end_char")),
    _int("recorded_at_ms"),
    _maybe_int("run_id"),
)
event_participants = Table(
    "event_participants",
    metadata,
    _int("event_id", key=True),
    _int("entity_id", key=True),
    _text("role", key=True),
)
fact_kinds = Table(
    "fact_kinds",
    metadata,
    _id(),
    _text("value_type"),
    _int("polarity"),
    _text("modality"),
    _text("memory_type"),
    *_shared_bound("from", needed=True),
    *_shared_bound("to", needed=False),
    Column("confidence", Float, nullable=True),
)
fact_rows = Table(
    "facts",
    metadata,
    _id(),
    _int("subject_id"),
    _int("property_id"),
    _int("kind_id"),
    _maybe_text("value"),
    Column("value_number", Float, nullable=True),
    _maybe_text("value_normalised"),
    _maybe_int("value_entity_id"),
    *(_maybe_int(name) for name in ("from_ms", "from_latest_ms", "to_ms", "to_latest_ms")),
    _maybe_text("phrase"),
    Column("confidence", Float, nullable=True),
    _maybe_int("holder_id"),
    _maybe_int("event_id"),
    *(_maybe_int(name) for name in ("turn_id", "start_char", "end_char")),
    _int("recorded_at_ms"),
    _maybe_int("run_id"),
)
evidence = Table(
    "evidence",
    metadata,
    _id(),
    _maybe_int("fact_id"),
    _maybe_int("event_id"),
    _int("turn_id"),
    _int("start_char"),
    _int("end_char"),
    _maybe_text("quote"),
    _maybe_int("recorded_at_ms"),
    Column("tells_when", Integer, nullable=False, default=0),
    Column("confidence", Float, nullable=True),
    _maybe_int("holder_id"),
    _maybe_int("run_id"),
)
fact_links = Table(
    "fact_links",
    metadata,
    _id(),
    _int("from_id"),
    _int("to_id"),
    _text("kind"),
    _text("by"),
    _text("reason"),
    _int("recorded_at_ms"),
)
rulings = Table(
    "rulings",
    metadata,
    _id(),
    _text("kind"),
    _maybe_int("fact_id"),
    _maybe_int("entity_id"),
    _text("detail"),
    _text("reason"),
    _maybe_int("undoes_id"),
    _int("ruled_at_ms"),
)
jobs = Table(
    "jobs",
    metadata,
    Column("turn_id", Integer, primary_key=True),
    _text("state"),
    _int("priority"),
    _int("attempts"),
    _text("reason"),
    _int("changed_at_ms"),
)
drops = Table(
    "drops",
    metadata,
    _id(),
    _int("turn_id"),
    _maybe_int("run_id"),
    _text("reason"),
    _text("candidate"),
    _int("recorded_at_ms"),
)
traces = Table(
    "traces",
    metadata,
    _id(),
    _text("question"),
    _text("answer"),
    _int("asked_at_ms"),
    _maybe_int("dialogue_id"),
)
turn_vectors = Table(
    "turn_vectors",
    metadata,
    _id(),
    _int("turn_id"),
    _text("embedder"),
    Column("vector", LargeBinary, nullable=False),
)
fact_vectors = Table(
    "fact_vectors",
    metadata,
    _id(),
    _int("fact_id"),
    _text("embedder"),
    Column("vector", LargeBinary, nullable=False),
)
erasures = Table(
    "erasures",
    metadata,
    _id(),
    _text("scope"),
    _int("turns"),
    _int("facts"),
    _int("events"),
    _int("entities"),
    _int("erased_at_ms"),
    _int("finished"),
)
erased_turns = Table("erased_turns", metadata, _text("digest", key=True), _int("erasure_id"))
importance = Table(
    "importance",
    metadata,
    Column("fact_id", Integer, primary_key=True),
    Column("score", Float, nullable=False),
    _int("uses"),
    _maybe_int("last_used_at_ms"),
    _int("worked_out_at_ms"),
)
summaries = Table(
    "summaries",
    metadata,
    _id(),
    _int("entity_id"),
    _maybe_int("from_ms"),
    _maybe_int("to_ms"),
    _text("text"),
    _text("fact_ids"),
    _maybe_int("run_id"),
    _int("worked_out_at_ms"),
)
habits = Table(
    "habits",
    metadata,
    _id(),
    _int("entity_id"),
    _int("property_id"),
    _text("value_normalised"),
    _int("times"),
    Column("every_days", Float, nullable=False),
    _int("first_ms"),
    _int("last_ms"),
    _text("fact_ids"),
    _int("worked_out_at_ms"),
)
# How `mentions.role` writes the ontology's roles.
MENTION_ROLES = {"mentioned": 0, "speaker": 1, "listener": 2, "agent": 3}

# A view: by which zone's calendar a voice means its days.
voice_zones: TableClause = table("voice_zones", column("id", Integer), column("zone", Text))
# A view: the turns with all that is known of each.
turns: TableClause = table(
    "turns_said",
    column("id", Integer),
    column("session_id", Integer),
    column("voice_id", Integer),
    column("conversation_id", Integer),
    column("source_id", Integer),
    column("position", Integer),
    column("speaker", Text),
    column("role", Text),
    column("kind", Text),
    column("text", Text),
    column("has_words", Boolean),
    column("said_at_ms", Integer),
    column("order_ms", Integer),
    column("offset_minutes", Integer),
    column("external_id", Text),
    column("reply_to_id", Integer),
    column("attachments", Text),
)
# Views: facts and events with all that is known of each, but for their proof.
facts: TableClause = table(
    "facts_told",
    column("id", Integer),
    column("subject_id", Integer),
    column("property_id", Integer),
    column("value", Text),
    column("value_type", Text),
    column("value_number", Float),
    column("value_normalised", Text),
    column("value_entity_id", Integer),
    column("polarity", Integer),
    column("modality", Text),
    column("memory_type", Text),
    *_told_bound("from"),
    *_told_bound("to"),
    column("phrase", Text),
    column("confidence", Float),
    column("holder_id", Integer),
    column("event_id", Integer),
    column("recorded_at_ms", Integer),
    column("run_id", Integer),
)
events: TableClause = table(
    "events_told",
    column("id", Integer),
    column("type", Text),
    column("summary", Text),
    column("modality", Text),
    *_told_bound("start"),
    *_told_bound("end"),
    column("phrase", Text),
    column("place_id", Integer),
    column("recorded_at_ms", Integer),
    column("run_id", Integer),
)


def _quotes(name: str, owner: str) -> TableClause:
    return table(
        name,
        column(owner, Integer),
        column("place", Integer),
        column("turn_id", Integer),
        column("start_char", Integer),
        column("end_char", Integer),
        column("quote", Text),
    )


# Views: what proves facts and events, each first by the place 0, then in the order of storing.
fact_quotes = _quotes("fact_quotes", "fact_id")
event_quotes = _quotes("event_quotes", "event_id")
# A view: what `chat_speakers` keeps, or counted anew for a chat that it lacks.
speakers_counted: TableClause = table(
    "speakers_counted",
    column("conversation_id", Integer),
    column("speaker", Text),
    column("turns", Integer),
    column("first_at_ms", Integer),
    column("last_at_ms", Integer),
)
