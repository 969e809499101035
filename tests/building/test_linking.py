"""How facts bear on one another, from the words of a chat to the links that are stored."""

import pytest

from apexmem_desktop.building.reader import BatchReader
from apexmem_desktop.domain.graph import LinkKind
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import ms, spell_fact, tell, told_facts
from tests.fakes import Reply, ScriptedLanguage

JUNE, LATER_IN_JUNE, SEPTEMBER = "2024-06-01T10:00", "2024-06-05T10:00", "2024-09-01T10:00"


def _model(request: GenerateRequest) -> Reply:
    """A model that reads one sentence of these tests, and nothing else."""
    if request.choices:
        return "yes"
    if "new thing" in request.messages[-1].text:
        return "Ana Ruiz | started | fencing"
    return "-"


def _links(vault: Vault, *chats: tuple[str, str]) -> set[str]:
    """Read messages told at their times; spell the links as "fact kind fact"."""
    for at, text in chats:
        reader = BatchReader(vault, ScriptedLanguage(_model), now_ms=lambda: ms("2025-01-01"))
        reader.read(tell(vault, text, at=at), cancel=CancelToken())
    told = {one.id: one for one in told_facts(vault)}
    short = {number: spell_fact(one).removeprefix("Ana Ruiz ") for number, one in told.items()}
    return {
        f"{short[link.from_id]} {link.kind.value} {short[link.to_id]}"
        for one in told.values()
        for link in one.links
    }


@pytest.mark.parametrize(
    ("chats", "link"),
    [
        (("I live in Rome", "I still live in Rome"), ""),
        (
            ("I live in Rome", "I live in Rome since May"),
            "lives_in Rome corroborates lives_in Rome",
        ),
        (("I live in Rome", "I moved to Turin"), "lives_in Turin supersedes lives_in Rome"),
        (
            ("I work at Lumo", "I quit my job at Lumo"),
            "not works_at Lumo supersedes works_at Lumo",
        ),
        (
            ("My birthday is on 3 May", "My birthday is on 4 May"),
            "birthday 4 May contradicts birthday 3 May",
        ),
        (("I have a cat", "I bought a bike"), ""),
        (("I like tea", "I like green tea"), "likes green tea elaborates likes tea"),
        (
            ("I'm planning to visit Porto in July", "I visited Porto last week"),
            "visited Porto result_of plans visit Porto in July",
        ),
        (
            ("I'm planning to visit Porto in July", "I cancelled the Porto trip"),
            "not plans Porto trip contradicts plans visit Porto in July",
        ),
    ],
)
def test_what_is_told_later_is_linked(vault: Vault, chats: tuple[str, str], link: str) -> None:
    found = _links(vault, (JUNE, chats[0]), (SEPTEMBER, chats[1]))
    assert (link in found) if link else not found


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("I quit my job at Lumo because I moved to Turin", "lives_in Turin causes left_job Lumo"),
        ("I moved to Turin, so I quit my job at Lumo", "lives_in Turin causes left_job Lumo"),
        (
            "I got the job at Lumo thanks to my friend Ada",
            "works_at Lumo result_of friend Ada",
        ),
        (
            "I bought a canoe while on holiday, I visited Genoa",
            "bought canoe part_of visited Genoa",
        ),
        ("I moved to Turin and I quit my job at Lumo", ""),
    ],
)
def test_a_cause_is_one_where_it_was_said(vault: Vault, text: str, link: str) -> None:
    found = _links(vault, (JUNE, text))
    assert (link in found) if link else not any("causes" in one for one in found)


def test_what_is_near_in_time_is_a_possible_cause_and_called_so(vault: Vault) -> None:
    found = _links(vault, (JUNE, "I quit my job at Lumo"), (LATER_IN_JUNE, "I moved to Turin"))
    assert "left_job Lumo possibly_causes lives_in Turin" in found
    [link] = [
        link
        for one in told_facts(vault)
        if one.property == "lives_in"
        for link in one.links
        if link.kind is LinkKind.POSSIBLY_CAUSES
    ]
    assert link.reason.startswith("possible only (30%): told 4 days before")


def test_what_is_far_in_time_is_no_possible_cause(vault: Vault) -> None:
    found = _links(vault, (JUNE, "I quit my job at Lumo"), (SEPTEMBER, "I moved to Turin"))
    assert not any("possibly" in one for one in found)


def test_what_the_model_read_is_linked_alike(vault: Vault) -> None:
    found = _links(
        vault,
        (JUNE, "My new thing with Lena is fencing, started in spring"),
        (SEPTEMBER, "I quit fencing"),
    )
    assert "not practises fencing supersedes practises fencing" in found


def test_a_link_is_stored_once_however_often_it_is_read(vault: Vault) -> None:
    first = _links(vault, (JUNE, "I live in Rome"), (SEPTEMBER, "I moved to Turin"))
    ids = [shown.turn_id for one in told_facts(vault) for shown in one.evidence]
    reader = BatchReader(vault, ScriptedLanguage(_model), now_ms=lambda: ms("2025-01-01"))
    reader.read(ids, cancel=CancelToken())
    assert _links(vault) == first
