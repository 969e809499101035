"""Whom a near name means: each of the model's three words, what is stored of it, and a bad reply.

The names are invented; a scripted model gives each near one its probability.
"""

from collections.abc import Callable

import pytest

from apexmem_desktop.building.appending import NEW_NAME, OPEN_NAME
from apexmem_desktop.building.asking import Outcome
from apexmem_desktop.building.bad_replies import EMPTY
from apexmem_desktop.building.identity import (
    LEAST_NEW,
    LEAST_SAME,
    NEW,
    SAME,
    Choice,
    Doubt,
    decide,
    decide_all,
    find_doubts,
)
from apexmem_desktop.building.reader import BatchReader, Tally
from apexmem_desktop.domain.errors import ModelCrashedError
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reading import DroppedCandidate
from apexmem_desktop.domain.rulings import EntityLink, LinkState
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.storage import drops, entities, jobs
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import ms, read, said, spell_fact, tell, told_facts
from tests.fakes import Reply, ScriptedLanguage
from tests.storage.builders import count, store_entity

LATER = "2024-07-01T10:00"
NOTHING_WEIGHED = Generation("", "stop", 10, 1, 1, 0.0)


def weighing(**shares: float) -> ScriptedLanguage:
    """A model that takes a name for each known one with its share; words join by "_"."""
    return ScriptedLanguage(lambda request: _weighed(shares[_known(request).replace(" ", "_")]))


def _known(request: GenerateRequest) -> str:
    last = request.messages[-1].text.splitlines()[-1]
    return last.removeprefix("Known: ").rpartition(" (")[0]


def _weighed(share: float) -> Generation:
    shares = {SAME: share, NEW: 1.0 - share}
    return Generation(SAME, "stop", 10, 1, 1, 0.0, choice_probabilities=shares)


def _read(vault: Vault, text: str, language: ScriptedLanguage, at: str = LATER) -> Tally:
    reader = BatchReader(vault, language, now_ms=lambda: ms("2024-08-01"))
    return reader.read(tell(vault, text, at=at), cancel=CancelToken())


def _know(vault: Vault, *names: str, kind: str = "organization") -> list[int]:
    with vault.write() as db:
        return [store_entity(db, name, kind=kind) for name in names]


def _found(vault: Vault, name: str) -> list[Entity]:
    with vault.read() as db:
        return entities.find_entities_named(db, name)


def _links(vault: Vault, number: int) -> list[EntityLink]:
    with vault.read() as db:
        return entities.find_links(db, number)


def _drops(vault: Vault) -> list[DroppedCandidate]:
    with vault.read() as db:
        return drops.find_drops(db, limit=20)


def test_an_existing_one_is_chosen_with_its_name_kind_aliases_and_the_reason(vault: Vault) -> None:
    [labs] = _know(vault, "Novo Labs")
    language = weighing(Novo_Labs=0.75)
    _read(vault, "I work at Novo Lab", language)
    [one] = _found(vault, "Novo Lab")
    assert (one.id, one.name, one.type) == (labs, "Novo Labs", "organization")
    assert set(one.aliases) == {"Novo Lab"}
    [link] = _links(vault, labs)
    assert (link.kind, link.by, link.state) == ("same_as", "model", LinkState.STANDS)
    assert link.reason == "the model takes “Novo Lab” for Novo Labs (75%)"
    assert [spell_fact(one) for one in told_facts(vault)] == ["Ana Ruiz works_at Novo Lab"]
    assert _drops(vault) == []
    with vault.read() as db:
        [run] = db.exec_driver_sql("SELECT purpose, output FROM runs").all()
    assert run == ("same", SAME)


def test_the_likeliest_of_several_is_chosen(vault: Vault) -> None:
    labs, _ = _know(vault, "Novo Labs", "Novo Labs West")
    _read(vault, "I work at Novo Lab", weighing(Novo_Labs=0.9, Novo_Labs_West=0.7))
    assert [one.id for one in _found(vault, "Novo Lab")] == [labs]


def test_a_choice_can_be_undone(vault: Vault) -> None:
    [labs] = _know(vault, "Novo Labs")
    _read(vault, "I work at Novo Lab", weighing(Novo_Labs=0.75))
    [link] = _links(vault, labs)
    with vault.write() as db:
        entities.append_link(
            db, link.a_id, link.b_id, "same_as", "user", "no", 1, undoes_id=link.id
        )
    assert [one.name for one in _found(vault, "Novo Lab")] == ["Novo Lab"]
    assert [one.aliases for one in _found(vault, "Novo Labs")] == [()]


@pytest.mark.parametrize(
    ("share", "reason", "told"),
    [
        (0.2, NEW_NAME, "Novo Lab | propose_new | organization | 0.80 | "),
        (0.6, OPEN_NAME, "Novo Lab | none | organization | 0.40 | "),
    ],
)
def test_a_new_one_and_an_open_one_stay_apart_with_the_reason_kept(
    vault: Vault, share: float, reason: str, told: str
) -> None:
    [labs] = _know(vault, "Novo Labs")
    tally = _read(vault, "I work at Novo Lab", weighing(Novo_Labs=share))
    [one] = _found(vault, "Novo Lab")
    assert one.id != labs
    assert (one.name, one.type, one.aliases) == ("Novo Lab", "organization", ())
    assert _links(vault, labs) == []
    [kept] = _drops(vault)
    assert kept.reason == reason
    why = f"the model takes “Novo Lab” for Novo Labs with {share:.0%} only"
    assert kept.candidate == told + why
    assert tally.dropped == {}  # no fact was lost
    assert [spell_fact(one) for one in told_facts(vault)] == ["Ana Ruiz works_at Novo Lab"]


def test_the_bounds_of_the_three_are_kept() -> None:
    labs = Entity(2, "Novo Labs", "organization")
    doubt = Doubt("Novo Lab", "organization", "I work at Novo Lab", (labs,), 1, 0)

    def chosen(share: float) -> Choice:
        return decide(doubt, [(labs, _weighed(share))]).choice

    assert chosen(LEAST_SAME) is Choice.CHOOSE_EXISTING
    assert chosen(LEAST_SAME - 0.01) is Choice.NONE
    assert chosen(1.0 - LEAST_NEW + 0.01) is Choice.NONE
    assert chosen(1.0 - LEAST_NEW) is Choice.PROPOSE_NEW


def _dies(_: GenerateRequest) -> Reply:
    return ModelCrashedError("gone")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (lambda _: NOTHING_WEIGHED, EMPTY),
        (lambda r: _dies(r) if SAME in r.choices else "yes", "the model's process ended on it"),
    ],
)
def test_of_a_bad_reply_the_name_stays_open_and_nothing_else_is_lost(
    vault: Vault, reply: Callable[[GenerateRequest], Reply], why: str
) -> None:
    [labs] = _know(vault, "Novo Labs")
    language = ScriptedLanguage(reply)
    tally = _read(vault, "I work at Novo Lab", language)
    about_it = [one for one in language.requests if SAME in one.choices]
    assert len(about_it) >= 2  # asked once more before it is given up
    assert [one.id for one in _found(vault, "Novo Lab")] != [labs]
    assert [spell_fact(one) for one in told_facts(vault)] == ["Ana Ruiz works_at Novo Lab"]
    [kept] = _drops(vault)
    assert kept.reason == OPEN_NAME
    assert kept.candidate.startswith(
        "Novo Lab | none | organization | 0.00 | whether “Novo Lab” is Novo Labs was not told: "
    )
    assert why in kept.candidate
    assert (tally.read, tally.failed) == (1, {})  # the message itself was read
    with vault.read() as db:
        assert jobs.counts(db)["read"] == 1


def test_what_is_bad_once_is_asked_again(vault: Vault) -> None:
    [labs] = _know(vault, "Novo Labs")
    _read(vault, "I work at Novo Lab", ScriptedLanguage([NOTHING_WEIGHED, _weighed(0.8)]))
    assert [one.id for one in _found(vault, "Novo Lab")] == [labs]
    assert count(vault, "runs") == 2  # both were paid for


def test_a_name_is_not_called_new_while_a_near_one_could_not_be_asked_about() -> None:
    labs, west = (Entity(n, name, "organization") for n, name in ((2, "Novo Labs"), (3, "Novo W")))
    doubt = Doubt("Novo Lab", "organization", "I work at Novo Lab", (labs, west), 1, 0)
    pairs = [(doubt, labs), (doubt, west)]
    failed = Outcome(failure=EMPTY)
    found = decide_all(pairs, [failed, Outcome(reply=_weighed(0.1))])["Novo Lab"]
    assert (found.choice, found.name) == (Choice.NONE, "Novo Lab")
    assert found.reason == (
        "the model takes “Novo Lab” for Novo W with 10% only, and another near name could not be "
        f"asked about: {EMPTY}"
    )
    found = decide_all(pairs, [failed, Outcome(reply=_weighed(0.9))])["Novo Lab"]
    assert (found.choice, found.entity_id) == (Choice.CHOOSE_EXISTING, 3)


def test_a_near_name_of_the_same_batch_is_joined_by_its_name(vault: Vault) -> None:
    ids = tell(vault, "I work at Novo Labs", "I work at Novo Lab now")
    reader = BatchReader(vault, weighing(Novo_Labs=0.8), now_ms=lambda: ms("2024-08-01"))
    reader.read(ids, cancel=CancelToken())
    [one] = _found(vault, "Novo Lab")
    assert (one.name, one.aliases) == ("Novo Labs", ("Novo Lab",))


def test_an_occasion_is_not_asked_about_as_a_place(vault: Vault) -> None:
    """It gets an entity of its own kind, so it must be near to none of another."""
    _know(vault, "Harbour", kind="place")
    language = ScriptedLanguage([])
    _read(vault, "I went to the Harbour Parade yesterday", language)
    assert [one.type for one in _found(vault, "Harbour Parade")] == ["event"]
    assert language.requests == []


def test_what_is_decided_of_a_town_is_nothing_to_a_person_of_its_name(vault: Vault) -> None:
    """The two are named in one batch; only the town is near to one that is known."""
    [old] = _know(vault, "Jordann", kind="place")
    with vault.read() as db:
        told = read(said("I moved to Jordan"))
        assert [one.near[0].id for one in find_doubts(db, told)] == [old]
    ids = tell(vault, "My friend Jordan called", "I moved to Jordan")
    reader = BatchReader(vault, weighing(Jordann=0.9), now_ms=lambda: ms("2024-08-01"))
    reader.read(ids, cancel=CancelToken())
    kinds = {one.type: one.id for one in _found(vault, "Jordan")}
    assert kinds["place"] == old
    assert kinds["person"] != old
