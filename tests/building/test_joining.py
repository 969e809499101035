"""A new name is held against each of those that the known one is one with."""

import pytest

from apexmem_desktop.building.identity import Identity
from apexmem_desktop.building.joining import join
from apexmem_desktop.domain.rulings import LinkState
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import store_entity

CHOSEN = "the model takes one for the other"


@pytest.mark.parametrize(
    ("known", "new", "kind", "by", "joined"),
    [
        # the rule proves each pair
        (("Edward Sykes", "Ed"), "Eddie", "person", "rule", True),
        (("Christopher Yates", "Chris Yates"), "Kit Yates", "person", "rule", True),
        (("李晓梅", "小梅"), "晓梅", "person", "rule", True),
        # two short forms of one name may be two people: the user is asked
        (("Elizabeth", "Liz"), "Beth", "person", "rule", False),
        (("William Tate", "Will"), "Bill Tate", "person", "rule", False),
        # another writing of the very name that the model chose is no other name
        (("Acme", "Acme Ltd"), "Acme Europe", "organization", "model", True),
        # the model said nothing of the second
        (("Acme", "Zenith"), "Acme Europe", "organization", "model", False),
        (("Zenith",), "Acme Europe", "organization", "model", True),
    ],
)
def test_each_two_need_a_proof(
    vault: Vault, known: tuple[str, ...], new: str, kind: str, by: str, joined: bool
) -> None:
    with vault.write() as db:
        group = [store_entity(db, name, kind=kind) for name in known]
        for other in group[1:]:
            entities.append_link(db, other, group[0], "same_as", "model", "near names", 1)
        number = store_entity(db, new, kind=kind)
        join(db, number, group[0], Identity(group[0], CHOSEN, by=by), 2)
        assert entities.same_ids(db, number) == ([*group, number] if joined else [number])
        links = entities.find_links(db, number)
    mine = [link for link in links if number in (link.a_id, link.b_id)]
    assert {link.state for link in mine} == {LinkState.STANDS if joined else LinkState.HELD_BACK}
    assert all(bool(link.because) is not joined for link in mine)


def test_the_link_goes_to_the_one_whose_name_it_is(vault: Vault) -> None:
    """Mum was joined with Elizabeth by a model; Liz is short for that, and nothing for Mum."""
    with vault.write() as db:
        mum, elizabeth = store_entity(db, "Mum"), store_entity(db, "Elizabeth")
        entities.append_link(db, elizabeth, mum, "same_as", "model", "near names", 1)
        liz = store_entity(db, "Liz")
        join(db, liz, mum, Identity(mum, "Liz and Elizabeth are forms of one name", by="rule"), 2)
        [link] = [k for k in entities.find_links(db, liz) if liz in (k.a_id, k.b_id)]
        assert {link.a_id, link.b_id} == {elizabeth, liz}
        assert link.because == f"nothing says that Mum ({mum}) and Liz ({liz}) are the same"
