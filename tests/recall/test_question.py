"""How a question is read: who, when, what for, in which words."""

import pytest

from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood, everyday_names, hint_properties, understand
from apexmem_desktop.storage.entities import append_name
from apexmem_desktop.storage.vault import Vault
from tests.recall.builders import ms
from tests.recall.chats import entity, store_chat, store_fact

NOW = ms("2024-03-15T12:00")


@pytest.fixture
def chat(vault: Vault) -> Vault:
    """Two friends and a Chinese speaker."""
    store_chat(
        vault,
        [
            ("Melinda Hart", "2023-05-01T10:00", "I moved to Lyon last week."),
            ("Ben Ode", "2023-05-01T10:01", "Great, Mel!"),
            ("李小雪", "2023-05-01T10:02", "我搬到上海了。"),
        ],
    )
    return vault


def read(vault: Vault, question: str) -> Understood:
    """Read a question in the tests' today."""
    with vault.read() as db:
        return understand(db, question, now_ms=NOW, offset_minutes=0)


@pytest.mark.parametrize(
    "question",
    [
        "Where does Melinda Hart live?",
        "where does melinda live",
        "What is Melinda's job?",
        "What is Melinda’s job?",
        "Where does Mel live?",
        "Where does Hart live?",
    ],
)
def test_a_person_is_found_by_any_part_of_the_name(chat: Vault, question: str) -> None:
    assert read(chat, question).speakers == ("Melinda Hart",)


@pytest.mark.parametrize("question", ["李小雪现在住在哪里？", "小雪现在住哪儿"])
def test_a_chinese_name_is_found_inside_a_sentence(chat: Vault, question: str) -> None:
    understood = read(chat, question)
    assert understood.speakers == ("李小雪",)
    assert understood.language == "zh"
    assert "lives_in" in understood.property_hints


def test_an_alias_and_a_thing_of_the_graph_are_found(chat: Vault) -> None:
    with chat.write() as db:
        ben = entity(db, "Ben Ode", is_speaker=True)
        append_name(db, ben, "Benji", None)
        dog = entity(db, "Captain Fluff", kind="animal")
    assert read(chat, "What did Benji say?").entity_ids == (ben,)
    assert read(chat, "How old is captain fluff?").entity_ids == (dog,)


def test_two_people_of_one_first_name_are_both_given(vault: Vault) -> None:
    store_chat(
        vault,
        [("Alex Roe", "2023-05-01", "Hello there"), ("Alex Stone", "2023-05-01", "Hello you")],
    )
    assert set(read(vault, "Where does Alex live?").speakers) == {"Alex Roe", "Alex Stone"}


def test_i_am_who_speaks_in_every_chat_and_nobody_where_that_is_unclear(chat: Vault) -> None:
    assert read(chat, "Where do I live?").speakers == ()
    store_chat(
        chat, [("Ben Ode", "2023-06-01", "Hi"), ("Cleo", "2023-06-01", "Hello")], title="second"
    )
    assert read(chat, "Where do I live?").speakers == ("Ben Ode",)
    assert read(chat, "我住在哪里？").speakers == ("Ben Ode",)
    assert read(chat, "Where does she live in May?").speakers == ()


def test_i_am_who_talks_to_the_assistant(chat: Vault) -> None:
    store_chat(chat, [("Cleo", "2023-06-01", "Hi"), ("Bot", "2023-06-01", "Hello")], user="Cleo")
    assert read(chat, "What did I say?").speakers == ("Cleo",)


def test_you_in_a_question_is_not_the_speaker_called_you(chat: Vault) -> None:
    store_chat(chat, [("You", "2023-06-01", "Hi"), ("Bot", "2023-06-01", "Hello")], user="You")
    assert read(chat, "Can you tell where Ben works?").speakers == ("Ben Ode",)
    assert read(chat, "Where do I work?").speakers == ("You",)


def test_time_words_are_resolved_against_the_questions_today(chat: Vault) -> None:
    understood = read(chat, "Where did Melinda live in May 2023?")
    assert understood.kind is Kind.AT_TIME
    assert [(s.start_ms, s.end_ms) for s in understood.spans] == [
        (ms("2023-05-01"), ms("2023-06-01"))
    ]
    assert understood.as_of_ms == ms("2023-06-01") - 1
    last_year = read(chat, "What did Ben paint last year?")
    assert [s.start_ms for s in last_year.spans] == [ms("2023-01-01")]


def test_now_is_no_time_to_look_for(chat: Vault) -> None:
    understood = read(chat, "Where does Melinda live now?")
    assert (understood.kind, understood.spans, understood.asks_now) == (Kind.CURRENT, (), True)


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("Where does Ana work?", "works_at"),
        ("Where is Ana working?", "works_at"),
        ("Where does Ana live?", "lives_in"),
        ("Where did Ana move?", "lives_in"),
        ("What is Ana's favourite restaurant?", "favourite_restaurant"),
        ("What is Ana's favorite colour?", "favourite_colour"),
        ("When is Ana's birthday?", "birthday"),
        ("What's Ana's favourite film?", "favourite_movie"),
        ("Which is Ana's favorite coffee shop?", "favourite_cafe"),
        ("What is the mother tongue of Ana?", "native_language"),
        ("张伟最喜欢的电影是什么？", "favourite_movie"),
        ("张伟在哪里工作？", "works_at"),
    ],
)
def test_words_hint_at_properties(question: str, hint: str) -> None:
    assert hint in hint_properties(question, ())


@pytest.mark.parametrize(
    "question", ["Where does Ana work?", "Is Ana at home?", "Did Ana like the film?", "张伟是谁？"]
)
def test_no_everyday_property_is_named_by_a_loose_word(question: str) -> None:
    assert everyday_names(question) == []


def test_the_longest_name_comes_first() -> None:
    assert everyday_names("张伟最喜欢的电影是什么？")[0] == "favourite_movie"


def test_the_vaults_own_properties_come_first(chat: Vault) -> None:
    store_fact(chat, 1, "Melinda Hart", "plays_instrument", "clarinet", single_valued=False)
    understood = read(chat, "Which instruments does Melinda play?")
    assert understood.property_hints[0] == "plays_instrument"


def test_content_words_leave_out_names_times_and_function_words(chat: Vault) -> None:
    assert read(chat, "When did Melinda go to the weaving class in May 2023?").words == (
        "go",
        "weaving",
        "class",
    )


def test_the_trace_tells_how_it_was_read(chat: Vault) -> None:
    told = dict(read(chat, "Where did Melinda live in May 2023?").as_tuples())
    assert told["about"] == "Melinda Hart"
    assert told["kind"] == "at_time"


OF_EACH_KIND = {
    "Where does Melinda work now?": Kind.CURRENT,
    "Where did Melinda live in May 2023?": Kind.AT_TIME,
    "When did Melinda move?": Kind.WHEN,
    "How long has Melinda lived there?": Kind.HOW_LONG,
    "How many pets does Melinda have?": Kind.HOW_MANY,
    "Where did Melinda work before the move?": Kind.BEFORE,
    "What did Melinda do after the move?": Kind.AFTER,
    "Why did Melinda move?": Kind.WHY,
    "Who went with Melinda?": Kind.WHO,
    "Which books has Melinda read?": Kind.LIST,
    "Does Melinda like tea?": Kind.YES_NO,
    "Which did Melinda do first, the course or the trip?": Kind.COMPARISON,
    "Has Melinda's job changed?": Kind.CHANGED,
    "What did Melinda say of the sea?": Kind.OPEN,
    "Can you recommend a film?": Kind.ADVICE,
}


def test_the_trace_tells_each_kind_by_its_name(chat: Vault) -> None:
    assert set(OF_EACH_KIND.values()) == set(Kind)
    for question, kind in OF_EACH_KIND.items():
        assert ("kind", kind.value) in read(chat, question).as_tuples(), question


@pytest.mark.parametrize("question", ["", "?", "' OR 1=1 --", "🙂", "a" * 5000, "\x00", "(((("])
def test_any_text_can_be_read(chat: Vault, question: str) -> None:
    assert read(chat, question).question == question


def test_a_day_in_winter_asked_of_in_summer_is_a_day_of_the_askers_zone(vault: Vault) -> None:
    """In Berlin 24 December begins at 23:00 UTC of the 23rd, also when it is asked in June."""
    with vault.read() as db:
        read = understand(
            db, "What did we eat on 24 December 2022?", now_ms=ms("2023-06-09T12:00"),
            offset_minutes=120, zone="Europe/Berlin",
        )  # fmt: skip
    [span] = read.spans
    assert (span.start_ms, span.end_ms) == (ms("2022-12-23T23:00"), ms("2022-12-24T23:00"))


def test_my_sister_by_name_is_not_who_says_my(chat: Vault) -> None:
    with chat.write() as db:
        mel = entity(db, "Melinda Hart", is_speaker=True)
        ada = entity(db, "Ada")
    about = read(chat, "Where does Melinda's sister Ada live?")
    assert (set(about.entity_ids), about.owned_ids) == ({mel, ada}, (ada,))
    both = read(chat, "Where do Melinda and Ada live?")
    assert set(both.owned_ids) == {mel, ada}
