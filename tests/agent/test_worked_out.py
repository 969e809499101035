"""Answers worked out from facts: each kind of question, from facts made by hand."""

import pytest

from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.domain.everyday import canonical_name
from apexmem_desktop.domain.graph import MemoryType, Modality
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.storage.vault import Vault
from tests.agent.asking import Model, ask, know, on
from tests.recall.builders import ms
from tests.recall.chats import store_chat

ANA, BEN = "Ana Ruiz", "Ben Holt"


@pytest.fixture
def homes(vault: Vault) -> Vault:
    """Ana lived in Rome, then Turin, then Genoa."""
    first, second, third = store_chat(
        vault,
        [
            (ANA, "2023-03-01T10:00", "I live in Rome"),
            (ANA, "2024-05-10T10:00", "I moved to Turin yesterday"),
            (ANA, "2025-02-02T10:00", "moved to Genoa yesterday!"),
        ],
    )
    know(vault, first, ANA, "lives_in", "Rome")
    know(vault, second, ANA, "lives_in", "Turin", start=on("2024-05-09"))
    know(vault, third, ANA, "lives_in", "Genoa", start=on("2025-02-01"))
    return vault


@pytest.fixture
def climbing(vault: Vault) -> Vault:
    """Ben climbed, had to stop over a finger, and climbs again."""
    ids = store_chat(
        vault,
        [
            (BEN, "2024-01-05T10:00", "I started climbing on Monday"),
            (BEN, "2025-03-02T10:00", "I tore my finger yesterday"),
            (BEN, "2025-03-03T10:00", "the doctor says no climbing"),
            (BEN, "2025-04-22T10:00", "I'm climbing again!"),
        ],
    )
    many = {"single_valued": False, "memory_type": MemoryType.HABIT}
    know(vault, ids[0], BEN, "practises", "climbing", start=on("2024-01-01"), **many)
    know(vault, ids[1], BEN, "health", "torn tendon", start=on("2025-03-01"), single_valued=False)
    know(
        vault, ids[2], BEN, "practises", "climbing", start=on("2025-03-03"), polarity=False, **many
    )
    know(vault, ids[3], BEN, "practises", "climbing", start=on("2025-04-22"), **many)
    return vault


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where does Ana live now?", "Genoa"),
        ("Where does Ana live?", "Genoa"),
        ("Where did Ana live in June 2024?", "Turin"),
        ("Where did Ana live before Genoa?", "Turin"),
        ("Where did Ana live before Turin?", "Rome"),
        ("Where did Ana live after Rome?", "Turin"),
        ("When did Ana move to Turin?", "9 May 2024"),
        ("When did Ana's home change, where she lives?", "1 February 2025, from Turin to Genoa"),
        ("Who lives in Genoa?", ANA),
        ("Did Ana live in Rome?", "Yes"),
        ("Does Ana live in Genoa?", "Yes"),
    ],
)
def test_where_somebody_lives(homes: Vault, question: str, expected: str) -> None:
    answer = ask(homes, question, Model())
    assert answer.answer == expected
    assert not answer.abstained
    assert answer.citations


def test_how_long_somebody_has_lived_there(homes: Vault) -> None:
    answer = ask(homes, "How long has Ana lived in Genoa?", Model())
    assert answer.answer == "6 months"


def test_as_of_is_the_time_that_now_means(homes: Vault) -> None:
    options = AskOptions(as_of_ms=ms("2024-12-24"))
    assert ask(homes, "Where does Ana live?", Model(), options=options).answer == "Turin"


def test_the_day_of_the_question_is_the_time_that_now_means(homes: Vault) -> None:
    assert ask(homes, "Where does Ana live now?", Model(), now="2024-06-01").answer == "Turin"


def test_the_beginning_of_the_clock_is_a_time_too(homes: Vault) -> None:
    options = AskOptions(as_of_ms=0)
    assert ask(homes, "Where does Ana live?", Model(), options=options).abstained


def test_only_what_was_known_by_then_is_used(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [(ANA, "2024-01-01T10:00", "I live in Rome"), (ANA, "2024-02-01T10:00", "now in Turin")],
    )
    know(vault, first, ANA, "lives_in", "Rome", recorded_at_ms=10)
    know(vault, second, ANA, "lives_in", "Turin", recorded_at_ms=20)
    options = AskOptions(known_at_ms=15)
    answer = ask(vault, "Where does Ana live now?", Model(), options=options)
    assert answer.answer == "Rome"


def test_turns_imported_later_are_no_evidence_for_what_was_known(vault: Vault) -> None:
    store_chat(vault, [(ANA, "2024-01-01T10:00", "I live in Rome")])  # imported at 0
    options = AskOptions(known_at_ms=-1)
    assert not ask(vault, "Where does Ana live?", options=options).evidence
    assert ask(vault, "Where does Ana live?").evidence


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How long did Ben have to stop climbing?", "50 days (about 7 weeks)"),
        (
            "How long did Ben have to stop climbing because of his finger?",
            "52 days (about 7 weeks)",
        ),
        ("When did Ben start climbing?", "1 January 2024"),
        ("When did Ben start climbing again?", "22 April 2025"),
        ("When did Ben stop climbing?", "3 March 2025"),
        ("How long has Ben been climbing?", "3 months"),
    ],
)
def test_a_pause(climbing: Vault, question: str, expected: str) -> None:
    assert ask(climbing, question, Model()).answer == expected


def test_a_pause_that_goes_on_lasts_until_now(climbing: Vault) -> None:
    answer = ask(climbing, "How long did Ben stop climbing?", Model(), now="2025-03-24T00:00")
    assert "weeks" in answer.answer or "days" in answer.answer
    assert not answer.abstained


def test_what_is_counted_is_counted_once_a_day_and_in_the_time_asked(vault: Vault) -> None:
    said = [
        (ANA, "2024-10-01T10:00", "ran the Harbour Run"),
        (ANA, "2025-05-19T10:00", "ran the Lake Half"),
        (ANA, "2025-05-20T10:00", "did I say that I ran the Lake Half"),
        (ANA, "2025-06-15T10:00", "ran the Town Ten"),
        (BEN, "2025-06-15T12:00", "I ran the Town Ten too"),
    ]
    days = ("2024-10-01", "2025-05-18", "2025-05-18", "2025-06-15", "2025-06-15")
    for turn_id, (who, _, text), day in zip(store_chat(vault, said), said, days, strict=True):
        value = text.rsplit("the ")[-1].removesuffix(" too")
        know(
            vault, turn_id, who, "ran", value, start=on(day), single_valued=False,
            memory_type=MemoryType.ACTION,
        )  # fmt: skip
    answer = ask(vault, "How many races did Ana run in 2025?", Model())
    assert answer.answer == "2"
    assert {one.speaker for one in answer.citations} == {ANA}


def test_whose_fact_it_is(vault: Vault) -> None:
    (first,) = store_chat(vault, [(ANA, "2024-01-01T10:00", "my flatmate Cleo plays the drums")])
    know(vault, first, "Cleo", "practises", "drums", single_valued=False)
    assert ask(vault, "Who plays the drums?", Model()).answer == "Cleo"


@pytest.mark.parametrize(
    "question", ["What is Ana's favourite film?", "What is Ana's favorite movie?"]
)
def test_a_property_is_found_by_the_name_it_no_longer_has(vault: Vault, question: str) -> None:
    first, second = store_chat(
        vault,
        [
            (ANA, "2024-01-01T10:00", "my favourite restaurant is Da Pino"),
            (ANA, "2024-01-02T10:00", "my favourite film is Night Train"),
        ],
    )
    know(vault, second, ANA, canonical_name("favourite_film"), "Night Train")
    know(vault, first, ANA, "favourite_restaurant", "Da Pino")
    assert ask(vault, question, Model()).answer == "Night Train"


def test_who_somebody_is_to_the_one_named(vault: Vault) -> None:
    (first,) = store_chat(vault, [(ANA, "2024-01-01T10:00", "my boss is called Omar")])
    know(vault, first, ANA, "boss", "Omar", is_entity=True)
    assert ask(vault, "Who is Ana's boss?", Model()).answer == "Omar"


def test_what_was_called_off_did_not_happen(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [
            (BEN, "2025-01-01T10:00", "we booked a week in Arles for Easter"),
            (BEN, "2025-03-01T10:00", "cancelled Arles today"),
        ],
    )
    know(
        vault, first, BEN, "plans", "week in Arles", start=on("2025-04-20"), single_valued=False,
        modality=Modality.PLANNED, memory_type=MemoryType.PLAN,
    )  # fmt: skip
    know(
        vault, second, BEN, "plans", "Arles", start=on("2025-03-01"), single_valued=False,
        polarity=False, memory_type=MemoryType.PLAN,
    )  # fmt: skip
    answer = ask(vault, "Did Ben go to Arles at Easter?", Model(told="no"))
    assert answer.answer == "No"
    assert "cancelled Arles today" in {one.quote for one in answer.citations}


def test_what_ended_was_so_once_and_is_not_now(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [
            (ANA, "2023-01-01T10:00", "I work at Lumo"),
            (ANA, "2024-01-01T10:00", "I left Lumo"),
        ],
    )
    know(vault, first, ANA, "works_at", "Lumo", start=on("2023-01-01"))
    know(vault, second, ANA, "works_at", "Lumo", start=on("2024-01-01"), polarity=False)
    assert ask(vault, "Did Ana work at Lumo?", Model()).answer == "Yes"
    assert ask(vault, "Does Ana work at Lumo?", Model()).answer == "No"


def test_sides_that_conflict_are_both_shown(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [
            (ANA, "2025-05-24T10:00", "the Owls concert was on 23 November"),
            (BEN, "2025-05-24T10:01", "no, the Owls concert was on 30 November"),
        ],
    )
    know(vault, first, "Owls concert", "took_place_on", "23 November")
    know(vault, second, "Owls concert", "took_place_on", "30 November")
    answer = ask(vault, "When was the Owls concert?", Model())
    assert answer.answer == "23 November and 30 November"
    assert [{side.value for side in one.sides} for one in answer.conflicts] == [
        {"23 November", "30 November"}
    ]
    assert {one.speaker for one in answer.citations} == {ANA, BEN}


def test_sides_found_by_the_search_are_completed(vault: Vault) -> None:
    first, *_, last = store_chat(
        vault,
        [
            (ANA, "2025-05-24T10:00", "the stove belongs to Cleo"),
            *((BEN, f"2025-05-25T10:{m:02}", f"stove stove belongs {m}") for m in range(40)),
            (BEN, "2025-05-26T10:01", "mine it is not! it is Dan's"),
        ],
    )
    know(vault, first, "stove", "owner", "Cleo", start=on("2020-01-01"))
    know(vault, last, "stove", "owner", "Dan", start=on("2020-01-01"))
    answer = ask(vault, "Who is the owner of the stove?", Model())
    assert answer.answer in ("Cleo and Dan", "Dan and Cleo")
    assert answer.conflicts


def test_a_vague_start_is_no_date(vault: Vault) -> None:
    (first,) = store_chat(vault, [(ANA, "2024-01-01T10:00", "I live in Rome")])
    know(vault, first, ANA, "lives_in", "Rome")
    assert ask(vault, "When did Ana move to Rome?", Model()).abstained


def test_a_month_is_told_as_a_month(vault: Vault) -> None:
    (first,) = store_chat(vault, [(ANA, "2024-07-01T10:00", "I live in Rome since June")])
    june = (ms("2024-06-01"), ms("2024-07-01") - 1)
    start = Bound(*june, Precision.MONTH, TimeSource.WORKED_OUT)
    know(vault, first, ANA, "lives_in", "Rome", start=start)
    assert ask(vault, "When did Ana move to Rome?", Model()).answer == "June 2024"


def test_chinese_questions_get_chinese_answers(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [
            ("李雪", "2024-09-01T10:00", "我在南京住"),
            ("李雪", "2025-02-16T10:00", "我昨天搬到了杭州"),
        ],
    )
    know(vault, first, "李雪", "lives_in", "南京")
    know(vault, second, "李雪", "lives_in", "杭州", start=on("2025-02-15"))
    assert ask(vault, "李雪现在住在哪里？", Model()).answer == "杭州"
    answer = ask(vault, "李雪养狗吗？", Model())
    assert answer.abstained
    assert answer.answer == "你的记忆里没有这件事。"


def test_a_fact_that_answers_another_question_is_not_given(homes: Vault) -> None:
    answer = ask(homes, "Where does Ana live with her cat now?", Model(told="no"))
    assert answer.abstained
    assert answer.dropped[0].startswith("Genoa")


def test_the_sister_of_somebody_is_somebody_else(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [(ANA, "2024-01-01T10:00", "I work at Lumo"), (ANA, "2024-01-02T10:00", "cooking for Ida")],
    )
    know(vault, first, ANA, "works_at", "Lumo")
    know(vault, second, ANA, "sibling", "Ida", is_entity=True)
    for question in (
        "Where does Ana's sister Ida work?",
        "Where does Ana's sister work?",
        "Where does Ana's cousin Eva work?",
        "Where does Ana's cousin work?",
    ):
        answer = ask(vault, question, Model())
        assert answer.abstained, question


def test_what_is_known_of_a_sister_is_found_through_who_she_is(vault: Vault) -> None:
    first, second = store_chat(
        vault,
        [
            (ANA, "2024-01-01T10:00", "my sister Ida is here"),
            (ANA, "2024-01-02T10:00", "Ida lives in Bern"),
        ],
    )
    know(vault, first, ANA, "lives_in", "Rome")
    know(vault, first, ANA, "sibling", "Ida", is_entity=True, single_valued=False)
    know(vault, second, "Ida", "lives_in", "Bern")
    assert ask(vault, "Where does Ana's sister live?", Model()).answer == "Bern"
    assert ask(vault, "Who is Ana's sister?", Model()).answer == "Ida"


def test_a_first_name_may_mean_more_than_one(vault: Vault) -> None:
    ids = store_chat(
        vault,
        [
            (ANA, "2024-01-01T10:00", "my cousin. Alex Reed is a vet"),
            (BEN, "2024-01-02T10:00", "Alex Stone, my flatmate, plays the drums"),
        ],
    )
    know(vault, ids[0], ANA, "job_title", "baker")
    know(vault, ids[0], "Alex Reed", "job_title", "vet")
    know(vault, ids[1], "Alex Stone", "practises", "drums")
    assert ask(vault, "What does Ana's cousin Alex do for a living?", Model()).answer == "vet"


def test_questions_in_other_languages_are_answered_by_their_own_words(vault: Vault) -> None:
    ids = store_chat(
        vault,
        [
            (ANA, "2025-03-01T10:00", "Ich arbeite seit dem 1. März bei der Gärtnerei"),
            (ANA, "2025-03-02T10:00", "Ich mag Tee"),
        ],
    )
    know(vault, ids[0], ANA, "works_at", "Gärtnerei")
    know(vault, ids[1], ANA, "likes", "Tee")
    model = Model()
    assert ask(vault, "Wo arbeitet Ana seit März 2025?", model).answer == "Gärtnerei"
    assert "Tee" not in "".join(model.support_prompts)


def test_of_many_values_only_those_about_the_question_are_given(vault: Vault) -> None:
    ids = store_chat(
        vault,
        [
            ("Ana Ruiz", "2024-03-01T10:00", "I love old maps"),
            ("Ana Ruiz", "2024-03-02T10:00", "what I love about the garden is the quiet"),
        ],
    )
    know(vault, ids[0], "Ana Ruiz", "likes", "old maps", single_valued=False)
    know(vault, ids[1], "Ana Ruiz", "likes", "the quiet", single_valued=False)
    about = ask(vault, "What does Ana love about her garden?", Model())
    assert about.answer == "the quiet"
    assert ask(vault, "What does Ana love about her boat?", Model()).abstained
    both = ask(vault, "What does Ana love?", Model())
    assert set(both.answer.split(" and ")) == {"the quiet", "old maps"}


def test_who_is_named_is_not_who_is_asked_for(vault: Vault) -> None:
    ids = store_chat(vault, [("Ana Ruiz", "2024-03-01T10:00", "I like rowing")])
    know(vault, ids[0], "Ana Ruiz", "likes", "rowing", single_valued=False)
    assert ask(vault, "Who got Ana into rowing?", Model()).abstained
    assert ask(vault, "Who likes rowing?", Model()).answer == "Ana Ruiz"
