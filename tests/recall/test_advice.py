"""Questions for advice, told from those about advice that was given, or about anything else."""

import pytest

from apexmem_desktop.recall.advice import advice_topic
from apexmem_desktop.recall.bearing import bearing_factor, topic_of
from apexmem_desktop.recall.kinds import Kind, kind_of
from apexmem_desktop.recall.question import understand
from apexmem_desktop.recall.search import hybrid_search
from apexmem_desktop.recall.telling import is_asked, is_own, sentences, tells_of_oneself
from apexmem_desktop.recall.weights import ADVICE, WEIGHTS, weights_for
from apexmem_desktop.storage import turns
from apexmem_desktop.storage.vault import Vault
from tests.recall.builders import ms
from tests.recall.chats import store_chat

FOR_ADVICE = (
    "Can you recommend a film for tonight?",
    "Could you suggest a present for my aunt?",
    "Would you advise me to take the train?",
    "Can you give me some tips for the interview?",
    "Could you help me choose a tent?",
    "What would you recommend for a rainy Sunday?",
    "Which of the two kettles do you suggest?",
    "Do you recommend the blue one?",
    "What would you do with so much rhubarb?",
    "Do you have any tips for my first marathon?",
    "Got any ideas for a cheap weekend?",
    "My bread never rises. Any advice?",
    "Any idea what I could cook with leeks?",
    "I need some suggestions for a band name.",
    "I'm looking for recommendations: a quiet café to write in.",
    "I could use some help picking a helmet.",
    "Please recommend a book on beekeeping.",
    "Should I take up the cello again?",
    "Where should we go this summer?",
    "What should I plant on the balcony?",
    "How should I furnish the guest room?",
    "What can I bring to the barbecue?",
    "How can I get better at chess?",
    "I might buy a camper van. What do you think?",
    "What do you think about me moving to the coast?",
    "Do you think it would be a good idea to sell the piano?",
    "Do you think I should call it off?",
    "Is it worth repairing my old bike?",
    "Would it be wise to rent first?",
    "What colour would suit me?",
    "What would be a good gift for a potter?",
    "I'm torn between the sofa and the armchair.",
    "I can't decide which course to take.",
)
NO_ADVICE = (
    "What did Anna recommend to me?",
    "Did you recommend a restaurant?",
    "Which restaurant did you suggest for the birthday?",
    "Can you remind me which tent you recommended?",
    "What was the film that Ben suggested?",
    "Who advised me to see a physiotherapist?",
    "What tips did the coach give me?",
    "What did the doctor say I should eat?",
    "Did Anna have any ideas for the wedding?",
    "Does Ben have any tips for Rome?",
    "Do you have any idea where Anna lives?",
    "Any idea when the concert starts?",
    "What does Anna think about the new boss?",
    "What did you think of my essay?",
    "Did I think it was a good idea to move?",
    "Was it a good idea to buy the van?",
    "What do I think of oysters?",
    "What should Ben bring to the party?",
    "Should Ben have called?",
    "When should I take my pills?",
    "What time should I be at the station?",
    "How many eggs should I use?",
    "Where should I meet Anna on Friday?",
    "Can you tell me where Anna works?",
    "Could you remind me of my dentist's name?",
    "What is the best restaurant Anna went to?",
    "What is the name of the good bakery in Porto?",
    "Which is the better school, according to Ben?",
    "Where can I find Anna's address?",
    "Who helped me choose the tent?",
    "Is Anna good at chess?",
    "Is it true that Ben sold the piano?",
    "Would Anna like a kitten?",
    "What recommendations did I get for Lisbon?",
    "What is my favourite film?",
    "How did I get better at chess?",
    "Which advice did my father always give?",
    "What ideas did we have for the garden?",
    "Has Ben any plans for the summer?",
    "Do you know what Anna bought?",
    "What did I decide about the sofa?",
    "Why did Anna suggest the train?",
)
FOR_ADVICE_ZH = (
    "你能推荐一部电影吗？",
    "请给我推荐几本小说。",
    "有什么好的建议吗？",
    "我该买哪一款相机？",
    "我应该怎么准备面试？",
    "我要不要换工作？",
    "周末我可以做什么菜？",
    "我想养一只猫，你觉得呢？",
    "值得买电动车吗？",
    "帮我出个主意，送妈妈什么生日礼物？",
)
NO_ADVICE_ZH = (
    "李雪给我推荐过什么书？",
    "你上次推荐的餐厅叫什么？",
    "王明建议了什么？",
    "我应该什么时候吃药？",
    "李雪觉得新工作怎么样？",
    "谁推荐了那家餐厅？",
    "我最喜欢的电影是什么？",
    "提醒我你推荐的那本书叫什么",
    "李雪有什么爱好？",
    "王明应该带什么？",
)


@pytest.mark.parametrize("question", FOR_ADVICE)
def test_it_asks_for_advice(question: str) -> None:
    assert kind_of(question, language="en", has_time=False) is Kind.ADVICE


@pytest.mark.parametrize("question", NO_ADVICE)
def test_it_asks_for_something_else(question: str) -> None:
    assert kind_of(question, language="en", has_time=False) is not Kind.ADVICE


@pytest.mark.parametrize("question", FOR_ADVICE_ZH)
def test_it_asks_for_advice_in_chinese(question: str) -> None:
    assert kind_of(question, language="zh", has_time=False) is Kind.ADVICE


@pytest.mark.parametrize("question", NO_ADVICE_ZH)
def test_it_asks_for_something_else_in_chinese(question: str) -> None:
    assert kind_of(question, language="zh", has_time=False) is not Kind.ADVICE


def test_the_topic_is_what_does_not_ask() -> None:
    question = "I might buy a tent. What do you think?"
    topic = advice_topic(question, "en")
    assert len(topic) == len(question)
    assert topic.split() == ["I", "might", "buy", "a", "tent.", "?"]
    between = advice_topic("Which running shoes would you recommend?", "en")
    assert between.split() == ["running", "shoes", "?"]
    assert advice_topic("Any advice?", "en") == "Any advice?"


def test_what_is_looked_for_has_no_word_of_wishing(vault: Vault) -> None:
    store_chat(vault, [("Mia", "2024-03-01T10:00", "I sold my old tent")], user="Mia")
    with vault.read() as db:
        read = understand(
            db,
            "I need a new tent for the long hike; any good suggestions?",
            now_ms=ms("2024-04-01T10:00"),
            offset_minutes=0,
        )
    assert read.words == ("tent", "hike")
    assert read.asker == "Mia"
    assert read.in_their_words == "tent hike"
    assert read.without_names == "I need a new tent for the long hike?"


def test_what_the_asker_told_goes_before_what_the_assistant_advised(vault: Vault) -> None:
    told, advised, _ = store_chat(
        vault,
        [
            ("Mia", "2024-03-01T10:00", "My tent leaks at the seams, I sleep in it every summer."),
            (
                "Bot",
                "2024-03-01T10:01",
                "A tent with taped seams is the tent to buy: a tunnel tent.",
            ),
            ("Mia", "2024-03-01T10:02", "Which tent is the lightest?"),
        ],
        user="Mia",
    )
    found = [h.turn_id for h in hybrid_search(vault, None, "Can you recommend a tent?").turns]
    assert found[0] == told
    assert advised in found


def test_a_turn_counts_by_what_it_tells_and_by_words_that_belong_together(vault: Vault) -> None:
    numbers = store_chat(
        vault,
        [
            ("Mia", "2024-03-01T10:00", "My fish tank holds forty litres."),
            ("Mia", "2024-03-01T10:01", "My water tank is full of fish."),
            ("Mia", "2024-03-01T10:02", "Where are fish sold?"),
        ],
        user="Mia",
    )
    with vault.read() as db:
        read = understand(db, "Any ideas for my fish tank?", now_ms=0, offset_minutes=0)
        stored = [turns.get_turn(db, number) for number in numbers]
    factors = [bearing_factor(one, topic_of(read), "Mia", ADVICE) for one in stored]
    assert factors == sorted(factors, reverse=True)
    assert len(set(factors)) == len(factors)
    assert factors[-1] == ADVICE.untelling


def test_only_questions_for_advice_are_weighed_otherwise() -> None:
    assert weights_for(Kind.ADVICE) is ADVICE
    assert all(weights_for(kind) is WEIGHTS for kind in Kind if kind is not Kind.ADVICE)


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("I gave up dairy. Which milk is best?", True),
        ("Our flat has no lift.", True),
        ("Which milk is best for porridge?", False),
        ("I see. I wonder which one is best.", False),
        ("The museum opens at nine.", False),
        ("我对花生过敏。", True),
        ("我想知道哪家餐厅好。", False),
        ("这家餐厅好吗？", False),
    ],
)
def test_a_message_tells_of_who_says_it(text: str, tells: bool) -> None:
    assert tells_of_oneself(text) is tells


def test_sentences_stand_where_they_were_said() -> None:
    text = "  I ran 3.5 miles. Was it far? 我累了。"
    said = [text[start:end] for start, end in sentences(text)]
    assert said == ["I ran 3.5 miles.", "Was it far?", "我累了。"]
    assert [is_asked(one) for one in said] == [False, True, False]
    assert [is_own(one) for one in said] == [True, False, True]
