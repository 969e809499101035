"""Senders are people from the import on; who may be one is proposed, and only the user merges."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.building import resolution
from apexmem_desktop.domain.clarifying import OpenKind
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.reports import EraseScope, ImportChoices
from apexmem_desktop.recall.naming import find_named
from apexmem_desktop.services import browsing, importing, maintenance, merging
from apexmem_desktop.services.clarifying import decide, open_questions
from apexmem_desktop.services.owner import remember_owner, remembered_owner
from apexmem_desktop.services.proposals import find_proposals
from apexmem_desktop.services.rulings import list_rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import namesakes
from tests.storage.builders import store_fact

UTC = ImportChoices(zone="UTC", date_order="dmy")
SMS = """<?xml version='1.0' encoding='UTF-8'?>
<smses count="2">
<sms address="01711234567" date="1710403200000" type="1" body="Here I am" contact_name="Ana Prado"/>
<sms address="01711234567" date="1710403260000" type="2" body="Good" contact_name="Ana Prado"/>
</smses>
"""


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    memory = tmp_path / "memory.apexmem"
    with Workspace(memory, settings=Settings(), clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


def bring(
    ws: Workspace, folder: Path, text: str, name: str = "a.txt", owner: str = ""
) -> tuple[str, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    report = importing.import_file(ws, path, ImportChoices(zone="UTC", owner=owner))
    return report.people


def chat(*lines: str) -> str:
    return "".join(f"14.03.24, 10:{n:02} - {line}\n" for n, line in enumerate(lines))


def names(ws: Workspace) -> dict[str, tuple[str, ...]]:
    return {one.name: one.aliases for one in browsing.list_entities(ws)}


def test_senders_are_people_before_any_build(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, chat("Ana: hi", "~ Ben: hello", "Ana: bye", "+49 171 1234567: who is it?"))
    found = browsing.list_entities(ws)
    assert sorted(one.name for one in found) == ["+49 171 1234567", "Ana", "Ben"]
    assert {one.type for one in found} == {"person"}
    assert all(one.is_speaker for one in found)


def test_assistants_tools_and_notices_are_nobody(ws: Workspace, tmp_path: Path) -> None:
    encrypted = "Messages and calls are end-to-end encrypted."
    bring(ws, tmp_path, chat("Ana created group “Club”", "Ana: hi", encrypted))

    def node(parent: str | None, role: str) -> dict[str, object]:
        message = {"author": {"role": role}, "content": {"parts": ["hi"]}}
        return {"parent": parent, "message": message}

    mapping = {"a": node(None, "user"), "b": node("a", "assistant"), "c": node("b", "tool")}
    chatgpt = json.dumps([{"id": "c", "current_node": "c", "mapping": mapping}])
    bring(ws, tmp_path, chatgpt, "conversations.json")
    assert sorted(names(ws)) == ["Ana", "You"]


def test_a_number_is_a_name_of_who_is_called_so(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, SMS, "sms.xml")
    assert names(ws)["Ana Prado"] == ("01711234567",)


def test_the_same_number_in_two_formats_is_proposed_and_not_merged(
    ws: Workspace, tmp_path: Path
) -> None:
    bring(ws, tmp_path, SMS, "sms.xml")
    bring(ws, tmp_path, chat("+49 171 1234567: hi", "Ben: hello"))
    (proposal,) = find_proposals(ws)
    assert {proposal.first.name, proposal.second.name} == {"Ana Prado", "+49 171 1234567"}
    assert set(proposal.formats) == {("sms-backup",), ("whatsapp",)}
    assert "number" in proposal.why
    assert "Ana Prado" in names(ws)
    assert "+49 171 1234567" in names(ws)
    merging.merge(ws, proposal.first.id, proposal.second.id)
    assert find_proposals(ws) == ()
    assert len([name for name in names(ws) if name in ("Ana Prado", "+49 171 1234567")]) == 1


@pytest.mark.parametrize("other", ["Ana", "ana prado 💐", "Prado, Ana", "Ána Prado"])
def test_names_that_are_nearly_the_same_are_proposed(
    ws: Workspace, tmp_path: Path, other: str
) -> None:
    bring(ws, tmp_path, SMS, "sms.xml")
    bring(ws, tmp_path, chat(f"{other}: hi", "Ben: hello"))
    (proposal,) = find_proposals(ws)
    merging.tell_apart(ws, proposal.first.id, proposal.second.id)
    assert find_proposals(ws) == ()


def test_two_of_one_chat_are_two(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, chat("Ana Prado: hi", "Ana: hello"))
    assert find_proposals(ws) == ()


def two_apps(ws: Workspace, folder: Path) -> None:
    """Bring in Ana Prado from two apps."""
    bring(ws, folder, SMS, "sms.xml")
    bring(ws, folder, chat("Ana Prado: hi", "Ben: hello"))


def numbers(ws: Workspace, name: str) -> list[int]:
    return sorted(one.id for one in browsing.list_entities(ws) if one.name == name)


def test_the_very_same_name_in_another_app_is_somebody_else_until_you_say_so(
    ws: Workspace, tmp_path: Path
) -> None:
    bring(ws, tmp_path, SMS, "sms.xml")
    told = bring(ws, tmp_path, chat("Ana Prado: hi", "Ben: hello"))
    assert told == (
        "Ana Prado may be the Ana Prado known from sms-backup; see: apexmem entities --proposals",
    )
    (proposal,) = find_proposals(ws)
    assert proposal.why == "the same name (Ana Prado)"
    assert [proposal.first.id, proposal.second.id] == numbers(ws, "Ana Prado")
    assert bring(ws, tmp_path, chat("Ana Prado: hi", "Ben: hello", "Ana Prado: bye")) == ()
    assert len(numbers(ws, "Ana Prado")) == 2
    first, second = (merging.find_member(ws, str(one)) for one in numbers(ws, "Ana Prado"))
    merging.merge(ws, first, second)
    assert (len(numbers(ws, "Ana Prado")), find_proposals(ws)) == (1, ())
    bring(ws, tmp_path, chat("Ana Prado: hi", "Ben: hello", "Ana Prado: bye", "Ana Prado: so"))
    assert len(numbers(ws, "Ana Prado")) == 1
    merging.split(ws, second)
    said = {one.id: one.mention_count for one in browsing.list_entities(ws)}
    assert [said[number] for number in numbers(ws, "Ana Prado")] == [1, 3]


def test_the_same_name_is_asked_of_in_what_to_clarify(ws: Workspace, tmp_path: Path) -> None:
    two_apps(ws, tmp_path)
    (question,) = (one for one in open_questions(ws) if one.kind is OpenKind.SAME)
    assert question.apps == (("sms-backup",), ("whatsapp",))
    decide(ws, question, 1)
    assert all(one.kind is not OpenKind.SAME for one in open_questions(ws))
    assert len(numbers(ws, "Ana Prado")) == 2


def test_a_name_stands_for_all_who_may_be_one(ws: Workspace, tmp_path: Path) -> None:
    two_apps(ws, tmp_path)
    first, second = numbers(ws, "Ana Prado")
    with ws.vault.write() as db:
        store_fact(db, first, "Rome")
        store_fact(db, second, "Oslo")
    with ws.vault.read() as db:
        (named,) = find_named(db, "Where does Ana Prado live?")
        found = resolution.find_entity(db, "Ana Prado", turn_id=3)
    assert set(named.entity_ids) == {first, second}
    assert found is not None
    assert found.id == second  # the third turn came from WhatsApp
    _, known = browsing.facts_of(ws, "Ana Prado")
    assert {fact.value for fact in known} == {"Rome", "Oslo"}
    assert [fact.value for fact in browsing.facts_of(ws, str(first))[1]] == ["Rome"]
    merging.tell_apart(ws, first, second)
    with pytest.raises(NotFoundError, match="can be 2 people"):
        browsing.facts_of(ws, "Ana Prado")
    with ws.vault.read() as db, pytest.raises(resolution.AmbiguousNameError):
        resolution.find_entity(db, "Ana Prado", turn_id=3)


def test_the_owner_is_one_in_every_app(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, SMS, "sms.xml", owner="Jonas")
    bring(ws, tmp_path, chat("Jonas: hi", "Ben: hello"), owner="Jonas")
    assert len(numbers(ws, "Jonas")) == 1


def test_who_was_one_over_two_apps_in_an_earlier_version_stays_one(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(namesakes, "family_of", lambda _: "one for all")
        two_apps(ws, tmp_path)
    assert len(numbers(ws, "Ana Prado")) == 1
    bring(ws, tmp_path, chat("Ana Prado: hi", "Ben: hello", "Ana Prado: bye"))
    assert len(numbers(ws, "Ana Prado")) == 1
    assert find_proposals(ws) == ()


def test_the_owner_is_asked_once(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "sms.xml"
    path.write_text(SMS, encoding="utf-8")
    report = importing.preview_file(path, UTC, ws=ws)
    assert (report.owner_asked, report.owner) == (True, "")
    assert bring(ws, tmp_path, SMS, "sms.xml", owner="Jonas") == ()
    assert set(names(ws)) == {"Ana Prado", "Jonas"}
    ws.use_settings(Settings(owner="Jonas"))
    again = importing.preview_file(path, UTC, ws=ws)
    assert (again.owner_asked, again.owner, again.turns_new) == (False, "Jonas", 0)


def test_a_memory_knows_its_owner_on_another_machine(ws: Workspace, tmp_path: Path) -> None:
    remember_owner(ws, " Jonas ")
    bring(ws, tmp_path, chat("You: hi", "Ana: hello"))
    copied = tmp_path / "elsewhere" / "memory.apexmem"
    copied.parent.mkdir()
    maintenance.back_up(ws, copied)
    path = tmp_path / "sms.xml"
    path.write_text(SMS, encoding="utf-8")
    with Workspace(copied, settings=Settings()) as there:
        assert remembered_owner(there) == "Jonas"
        report = importing.import_file(there, path, UTC)
        assert (report.owner_asked, report.owner) == (False, "Jonas")
        assert set(names(there)) == {"Ana", "Ana Prado", "Jonas"}
        assert list_rulings(there) == ()


def test_what_only_the_settings_knew_goes_into_the_memory_with_the_next_import(
    ws: Workspace, tmp_path: Path
) -> None:
    ws.use_settings(Settings(owner="Jonas"))
    bring(ws, tmp_path, chat("You: hi", "Ana: hello"))
    ws.use_settings(Settings())
    assert remembered_owner(ws) == "Jonas"


def test_the_memory_knows_better_than_the_settings_and_the_newest_word_counts(
    ws: Workspace, tmp_path: Path
) -> None:
    remember_owner(ws, "Jonas")
    ws.use_settings(Settings(owner="Somebody else on this machine"))
    assert remembered_owner(ws) == "Jonas"
    remember_owner(ws, "Jonas Weber")
    remember_owner(ws, "  ")
    assert remembered_owner(ws) == "Jonas Weber"


def test_i_am_who_i_said_i_am(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, chat("Jonas: hi", "Ana: hello"))
    with ws.vault.read() as db:
        assert find_named(db, "When did I say hello?") == []
    remember_owner(ws, "jonas")
    with ws.vault.read() as db:
        assert [one.speaker for one in find_named(db, "When did I say hello?")] == ["Jonas"]


@pytest.mark.parametrize("kind", ["entity", "source", "all"])
def test_who_the_owner_is_goes_with_the_owner(ws: Workspace, tmp_path: Path, kind: str) -> None:
    bring(ws, tmp_path, chat("Jonas: hi", "Ana: hello"), owner="Jonas")
    ws.use_settings(Settings())
    assert remembered_owner(ws) == "Jonas"
    number = {"entity": numbers(ws, "Jonas")[0], "source": 1, "all": 0}[kind]
    maintenance.erase(ws, EraseScope(kind, number))
    assert remembered_owner(ws) == ""
    with ws.vault.read() as db:
        kept = db.exec_driver_sql("SELECT detail FROM rulings").scalars().all()
    assert kept == []


def test_who_the_owner_is_stays_when_another_goes(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, chat("Jonas: hi", "Ana: hello"), owner="Jonas")
    maintenance.erase(ws, EraseScope("entity", numbers(ws, "Ana")[0]))
    assert remembered_owner(ws) == "Jonas"


def test_who_is_the_user_is_asked_where_all_have_names(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(chat("Jonas: hi", "Ana: hello"), encoding="utf-8")
    report = importing.preview_file(path, UTC, ws=ws)
    assert (report.owner_asked, report.owner) == (True, "")
    ws.use_settings(Settings(owner="Jonas"))
    report = importing.preview_file(path, UTC, ws=ws)
    assert (report.owner_asked, report.owner) == (False, "Jonas")


@pytest.mark.parametrize("word", ["You", "Tú", "您", "Você", "Вы", "Vous", "நீங்கள்", "آپ"])
def test_every_language_means_the_owner(ws: Workspace, tmp_path: Path, word: str) -> None:
    bring(ws, tmp_path, chat(f"{word}: hi", "Ana: hello"), owner="Jonas")
    assert set(names(ws)) == {"Ana", "Jonas"}


def test_what_you_was_before_you_said_who_you_are_is_proposed(
    ws: Workspace, tmp_path: Path
) -> None:
    bring(ws, tmp_path, SMS, "sms.xml")
    bring(ws, tmp_path, chat("Jonas: hi", "Ben: hello"))
    assert find_proposals(ws) == ()
    ws.use_settings(Settings(owner="Jonas"))
    (proposal,) = find_proposals(ws)
    assert {proposal.first.name, proposal.second.name} == {"You", "Jonas"}


def test_people_go_with_the_last_import_that_they_speak_in(ws: Workspace, tmp_path: Path) -> None:
    bring(ws, tmp_path, chat("Ana: hi", "Ben: hello"))
    bring(ws, tmp_path, chat("Ana: hi", "Ben: hello", "Cem: late", "Ana: again"), "b.txt")
    maintenance.erase(ws, EraseScope("source", 1))
    assert sorted(names(ws)) == ["Ana", "Cem"]
    maintenance.erase(ws, EraseScope("source", 2))
    assert names(ws) == {}
