"""What the words of a message say of why, and links however the messages were read."""

import pytest

from apexmem_desktop.building.reader import BatchReader
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import ms, spell_fact, tell, told_facts
from tests.fakes import Reply, ScriptedLanguage

JUNE, LATER_IN_JUNE, SEPTEMBER = "2024-06-01T10:00", "2024-06-05T10:00", "2024-09-01T10:00"
ANA, BEN = "Ana Ruiz", "Ben Oduya"


def _nothing(request: GenerateRequest) -> Reply:
    return "no" if request.choices else "-"


def _read(vault: Vault, turn_ids: list[int]) -> None:
    reader = BatchReader(vault, ScriptedLanguage(_nothing), now_ms=lambda: ms("2025-01-01"))
    reader.read(turn_ids, cancel=CancelToken())


def _links(vault: Vault) -> set[str]:
    told = {one.id: one for one in told_facts(vault)}
    short = {number: spell_fact(one).removeprefix("Ana Ruiz ") for number, one in told.items()}
    return {
        f"{short[link.from_id]} {link.kind.value} {short[link.to_id]}"
        for one in told.values()
        for link in one.links
    }


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (
            "Because I hurt my knee, I stopped running",
            "hurt knee causes not practises running",
        ),
        (
            "Since I'm allergic to nuts, I don't eat chocolate",
            "allergic_to nuts causes not eats chocolate",
        ),
        (
            "I broke my wrist. That's why I quit climbing.",
            "health wrist causes not practises climbing",
        ),
        ("I left Harrow in May. So I moved to Turin.", "left_job Harrow causes lives_in Turin"),
        ("I left Harrow. Because I moved to Turin.", "lives_in Turin causes left_job Harrow"),
        (
            "The reason I left Harrow is that I moved to Turin",
            "lives_in Turin causes left_job Harrow",
        ),
        (
            "I broke my wrist and as a result I stopped climbing",
            "not practises climbing result_of health wrist",
        ),
        ("During my trip to Madrid, I visited the Prado", "visited Prado part_of visited Madrid"),
        ("I visited the Prado during my trip to Madrid", "visited Prado part_of visited Madrid"),
        ("由于我对花生过敏，我不吃巧克力", "allergic_to 花生 causes cannot 不吃巧克力"),
        ("我扭伤了腰。所以我停止了健身。", "health 腰 causes stopped 健身"),
        ("我崴了脚，因此取消了去成都的旅行", "health 脚 causes cancelled 去成都的旅行"),
        ("我把车卖了，因为我搬到了上海", "lives_in 上海 causes sold 车"),
    ],
)
def test_a_cause_may_stand_before_or_in_the_next_sentence(
    vault: Vault, text: str, link: str
) -> None:
    _read(vault, tell(vault, text, at=JUNE))
    assert link in _links(vault)


@pytest.mark.parametrize(
    "text",
    [
        "I work at Lumo as a nurse",
        "Since I moved to Turin, I've been learning Welsh",
        "I've lived in Turin since I started at Lumo",
        "I love Lumo so much and I moved to Turin",
        "I moved to Turin. So far I like tea.",
        "I left Harrow. It rained all day. That's why I moved to Turin.",
        "I moved to Turin. Because I hurt my knee, I stopped running.",
    ],
)
def test_these_words_tell_of_no_cause_there(vault: Vault, text: str) -> None:
    _read(vault, tell(vault, text, at=JUNE))
    causes = {one for one in _links(vault) if " causes " in one}
    assert causes <= {"hurt knee causes not practises running"}


def test_an_answer_to_why_is_a_cause(vault: Vault) -> None:
    chat = [(ANA, "I sold my car"), (BEN, "Oh, why?"), (ANA, "Because I moved to Turin")]
    _read(vault, tell(vault, *chat, at=JUNE))
    assert "lives_in Turin causes sold car" in _links(vault)


def test_another_question_gives_no_cause(vault: Vault) -> None:
    chat = [(ANA, "I sold my car"), (BEN, "When?"), (ANA, "Because I moved to Turin")]
    _read(vault, tell(vault, *chat, at=JUNE))
    assert not {one for one in _links(vault) if " causes " in one}


@pytest.mark.parametrize(
    ("earlier", "later", "link"),
    [
        ("I work at Lumo", "I work at Harrow now", "works_at Harrow supersedes works_at Lumo"),
        ("I drink coffee", "I gave up coffee", "not drinks coffee supersedes drinks coffee"),
        ("I like tea", "I like green tea", "likes green tea elaborates likes tea"),
        ("I love techno", "I can't stand techno", "dislikes techno supersedes likes techno"),
        (
            "My birthday is on 3 May",
            "I was born on 3 May 1990",
            "birthday 3 May 1990 elaborates birthday 3 May",
        ),
        (
            "My birthday is on 3 May",
            "My birthday is on 5 June",
            "birthday 5 June contradicts birthday 3 May",
        ),
        (
            "I'm planning to visit Porto in July",
            "I just got back from Porto",
            "visited Porto result_of plans visit Porto in July",
        ),
        ("I want to buy a boat", "I bought a boat", "bought boat result_of wants buy a boat"),
        (
            "We're getting married in August",
            "We called off the wedding",
            "not plans wedding contradicts plans getting married in August",
        ),
        (
            "I'm going to run the Cork marathon in June",
            "I had to pull out of the Cork marathon",
            "not plans Cork marathon contradicts plans going to run the Cork marathon in June",
        ),
        ("我打算五月去张家界", "我上周去了张家界", "visited 张家界 result_of plans 五月去张家界"),
        (
            "我打算五月去张家界",
            "我决定不去张家界了",
            "not plans 张家界 contradicts plans 五月去张家界",
        ),
        ("我喜欢茶", "我喜欢绿茶", "likes 绿茶 elaborates likes 茶"),
    ],
)
@pytest.mark.parametrize("newest_first", [False, True])
def test_links_go_by_when_it_was_said_not_by_when_it_was_read(
    vault: Vault, earlier: str, later: str, link: str, *, newest_first: bool
) -> None:
    turns = [tell(vault, earlier, at=JUNE), tell(vault, later, at=SEPTEMBER)]
    for one in reversed(turns) if newest_first else turns:
        _read(vault, one)
    assert link in _links(vault)


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_possible_cause_is_found_in_either_order(vault: Vault, *, newest_first: bool) -> None:
    turns = [
        tell(vault, "I broke my ankle", at=JUNE),
        tell(vault, "I stopped running", at=LATER_IN_JUNE),
    ]
    for one in reversed(turns) if newest_first else turns:
        _read(vault, one)
    assert "health ankle possibly_causes not practises running" in _links(vault)


def test_what_held_long_before_has_no_possible_cause_now(vault: Vault) -> None:
    _read(vault, tell(vault, "I moved to Turin", at=JUNE))
    _read(vault, tell(vault, "I've worked at Lumo since 2021", at=LATER_IN_JUNE))
    assert not {one for one in _links(vault) if "possibly" in one}
