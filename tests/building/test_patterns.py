"""Each saying is read as what it tells, and its near misses are not.

The sentences are made up. "~" marks a relation of the speaker's, Ana Ruiz.
"""

import pytest

from apexmem_desktop.building.patterns import load_patterns
from tests.building import everyday_sayings as more
from tests.building.telling import read, said, spell

ANA = "Ana Ruiz"

# (what is said, what it tells, a near miss, what the near miss must not tell)
ENGLISH = [
    ("I just moved back to Bergen!", f"{ANA} lives_in Bergen", "Do you know who moved to Bergen?"),
    ("We have moved to Novi Sad", f"{ANA} lives_in Novi Sad", "We moved to the next table"),
    ("Lena lives in Porto with two dogs", "Lena lives_in Porto", "Nobody lives in Porto"),
    ("My sister lives in Turin", "~sister lives_in Turin", "Your sister lives in Turin"),
    ("Dad lives in Turin", "~dad lives_in Turin", "He lives in Turin"),
    ("Omar has moved to Lyon", "Omar lives_in Lyon", "Omar has moved to another desk"),
    ("I grew up in Tartu", f"{ANA} comes_from Tartu", "I grew up in a small house"),
    ("I still work at Lumo Systems", f"{ANA} works_at Lumo Systems", "I work at night"),
    ("I used to laugh, now I work for Lumo", f"{ANA} works_at Lumo", "I used to work for Lumo"),
    ("I started my new job at Lumo", f"{ANA} works_at Lumo", "I started at the wrong end"),
    ("I'm starting at Lumo on Monday", f"{ANA} works_at Lumo", "the film is starting at Lumo"),
    ("I got hired by Lumo", f"{ANA} works_at Lumo", "Who got hired by Lumo?"),
    ("Still a paralegal at Lumo", f"{ANA} works_at Lumo", "Still a mess at home"),
    ("Still a paralegal at Lumo", f"{ANA} job_title paralegal", "Still a mess at home"),
    ("I work as a stonemason.", f"{ANA} job_title stonemason", "I work as hard as I can"),
    ("Lena is a senior nurse in Porto", "Lena job_title senior nurse", "Lena is a nuisance"),
    ("I was promoted to team lead", f"{ANA} job_title team lead", "I was promoted to nothing"),
    ("I quit Lumo on Friday", f"{ANA} left_job Lumo", "I quit sugar on Friday"),
    ("I left Lumo", f"{ANA} not works_at Lumo", "I left the keys with Lumo"),
    ("I handed in my notice", f"{ANA} resigned notice", "I handed in my homework"),
    ("Dal Moro is my favourite restaurant", f"{ANA} favourite_restaurant Dal Moro",
     "Is Dal Moro your favourite restaurant?"),
    ("Dal Moro is the place I always go", f"{ANA} favourite_restaurant Dal Moro",
     "Dal Moro is the place you always go"),
    ("My favourite band is Low Tide.", f"{ANA} favourite_band Low Tide",
     "My favourite is the other one"),
    ("Lena absolutely loves salt liquorice.", "Lena likes salt liquorice",
     "Lena loves how it looks"),
    ("I like sour cherries", f"{ANA} likes sour cherries", "I like it"),
    ("I can't stand olives.", f"{ANA} dislikes olives", "I can't stand it."),
    ("Lena hates mushrooms", "Lena dislikes mushrooms", "nobody hates mushrooms"),
    ("I'm badly allergic to walnuts", f"{ANA} allergic_to walnuts",
     "Are you allergic to walnuts?"),
    ("I went vegan last year", f"{ANA} diet vegan", "I went to a vegan place"),
    ("I stopped being vegan", f"{ANA} not diet vegan", "I stopped being angry"),
    ("I don't drink alcohol", f"{ANA} not drinks alcohol", "I don't drink much"),
    ("I'm drinking coffee again", f"{ANA} drinks coffee", "I'm drinking again"),
    ("Lena gave up sugar", "Lena not eats sugar", "Lena gave up her seat"),
    ("I'm eating meat again", f"{ANA} eats meat", "I'm eating again"),
    ("We adopted a kitten called Miso", f"{ANA} pet Miso", "If we adopted a kitten"),
    ("my dog Bruno ate my socks", f"{ANA} pet Bruno", "my dog ate my socks"),
    ("My brother Karim called", f"{ANA} sibling Karim", "Your brother Karim called"),
    ("Ivo is my flatmate", f"{ANA} flatmate Ivo", "Ivo is my sunshine"),
    ("Lena went out with her husband Piet", "Lena partner Piet", "Lena went out with Piet"),
    ("I got engaged!", f"{ANA} relationship_status engaged", "I got a busy line, engaged signal"),
    ("My birthday is on the 4th of March", f"{ANA} birthday 4th of March",
     "My appointment is on the 4th of March"),
    ("Lena turned 40", "Lena age 40", "Lena turned left"),
    ("I started learning Basque", f"{ANA} studies Basque", "I started crying"),
    ("I play the cello", f"{ANA} practises cello", "I play the fool"),
    ("I'm climbing again!", f"{ANA} practises climbing", "I'm climbing the stairs"),
    ("I'm back on the bike", f"{ANA} practises bike", "I'm back on the sofa"),
    ("I had to stop running", f"{ANA} not practises running", "I had to stop talking"),
    ("the doctor says no tennis", f"{ANA} not practises tennis", "the doctor says no"),
    ("I bought a canoe yesterday", f"{ANA} bought canoe", "I bought it yesterday"),
    ("I bought a canoe yesterday", f"{ANA} owns canoe", "Should I have bought a canoe?"),
    ("I own a loom", f"{ANA} owns loom", "I never bought a loom"),
    ("No, I bought a bike instead", f"{ANA} bought bike", "Should I buy a bike instead?"),
    ("I never moved to Oslo", f"{ANA} not lives_in Oslo", "I moved to Oslo"),
    ("I moved to Oslo", f"{ANA} lives_in Oslo", "I dreamt I moved to Oslo"),
    ("I moved to Oslo", f"{ANA} lives_in Oslo", "It's not true that I moved to Oslo"),
    ("I moved to Oslo", f"{ANA} lives_in Oslo", "People say I moved to Oslo"),
    ("I like olives", f"{ANA} likes olives", "I never said I like olives"),
    ("I like olives", f"{ANA} likes olives", "I don't think I like olives"),
    ("I told Ben I live in Turin", f"{ANA} lives_in Turin", "Ben said: I live in Turin"),
    ("I own a castle", f"{ANA} owns castle", "In the game I own a castle"),
    ("I live in Turin", f"{ANA} lives_in Turin", "Let's say I live in Turin"),
    ("I work at Lumo", f"{ANA} works_at Lumo", "Tom thinks I work at Lumo"),
    ("My doctor says I have asthma", f"{ANA} health asthma", "They say I have asthma"),
    ("My sister never moved to Oslo", "~sister not lives_in Oslo", "My sister moved to Oslo"),
    ("I never bought a canoe", f"{ANA} not bought canoe", "I bought a canoe"),
    ("I never sold the piano", f"{ANA} not sold piano", "I sold the piano"),
    ("We sold the caravan", f"{ANA} sold caravan", "The caravan is sold out"),
    ("We sold the caravan", f"{ANA} not owns caravan", "We sold out"),
    ("I don't own a television", f"{ANA} not owns television", "I don't own up to it"),
    ("We went to Genoa for a day", f"{ANA} visited Genoa", "We went to bed"),
    ("I was in a car to Genoa, I visited Genoa", f"{ANA} visited Genoa",
     "Have you ever visited Genoa?"),
    ("Ran the Tallinn Marathon today", f"{ANA} ran Tallinn Marathon", "Ran the bath"),
    ("We were kayaking on Lake Bled", f"{ANA} went_kayaking Lake Bled",
     "We were kayaking all day"),
    ("Got back from a hiking trip to Sapa", f"{ANA} went_hiking Sapa", "Got back to Sapa Street"),
    ("Dal Moro closed down for good", "Dal Moro status closed", "my eyes closed"),
    ("The wedding was on 3 May", "wedding took_place_on 3 May", "The wedding was on a boat"),
    ("We're going to Crete in May", f"{ANA} plans going to Crete in May", "We're going crazy"),
    ("I booked a cabin in Norway", f"{ANA} plans cabin in Norway", "I booked it"),
    ("Cancelled the Crete trip", f"{ANA} not plans Crete trip", "The train was late"),
    ("I sprained my wrist", f"{ANA} health wrist", "I sprained nothing"),
    ("I had an interview at Lumo", f"{ANA} attended interview at Lumo", "I saw an interview"),
    ("My first language is Basque", f"{ANA} speaks Basque", "My first car is gone"),
    ("Lena speaks fluent Danish", "Lena speaks Danish", "Lena speaks for me"),
    ("I'm not a Danish speaker", f"{ANA} not speaks Danish", "I'm not a loud speaker"),
]  # fmt: skip
GERMAN = [
    ("Ich wohne jetzt in Trier", f"{ANA} lives_in Trier", "Ich wohne jetzt in der Nähe"),
    ("Ich arbeite seit dem 2. April bei der Lumo", f"{ANA} works_at Lumo",
     "Ich arbeite bei Licht am besten, sagst du?"),
    ("Gestern waren wir in Trier", f"{ANA} visited Trier", "Gestern waren wir in aller Eile"),
    ("Wir waren am Sonntag auf dem Brocken", f"{ANA} visited Brocken",
     "Wir waren am Sonntag müde"),
    ("Ich habe mir den Arm gebrochen", f"{ANA} health Arm", "Ich habe mir den Film gemerkt"),
    ("Mein Lieblingsfilm ist Dampf", f"{ANA} favourite_movie Dampf",
     "Dein Lieblingsfilm ist Dampf"),
    ("Ich esse kein Fleisch mehr", f"{ANA} not eats Fleisch", "Ich esse kein Stück mehr"),
    ("Ich trinke keinen Alkohol", f"{ANA} not drinks Alkohol", "Ich trinke keinen Schluck"),
]  # fmt: skip
CHINESE = [
    ("我上个月搬到了厦门", f"{ANA} lives_in 厦门", "我朋友上个月搬到了厦门"),
    ("我现在住在厦门", f"{ANA} lives_in 厦门", "你现在住在厦门吗"),
    ("我妈搬到厦门了", "~妈 lives_in 厦门", "我没搬到厦门"),
    ("我在蓝鲸银行上班", f"{ANA} works_at 蓝鲸银行", "我在家上班"),
    ("我上周加入了蓝鲸银行", f"{ANA} works_at 蓝鲸银行", "他上周加入了蓝鲸银行"),
    ("我在蓝鲸银行当会计", f"{ANA} works_at 蓝鲸银行", "我在厦门当会计"),
    ("我在蓝鲸银行当会计", f"{ANA} job_title 会计", "我想当会计"),
    ("我离开了蓝鲸银行", f"{ANA} left_job 蓝鲸银行", "我没离开蓝鲸银行"),
    ("我从蓝鲸银行辞职了", f"{ANA} not works_at 蓝鲸银行", "我从蓝鲸银行回来"),
    ("我昨天提了辞职", f"{ANA} resigned 辞职", "我没提辞职"),
    ("我最喜欢的电影是海边", f"{ANA} favourite_movie 海边", "你最喜欢的电影是海边"),
    ("海边是我最喜欢的电影", f"{ANA} favourite_movie 海边", "海边是你最喜欢的电影"),
    ("我很喜欢榴莲", f"{ANA} likes 榴莲", "我很喜欢他说话的样子，真的"),
    ("我讨厌香菜", f"{ANA} dislikes 香菜", "你讨厌香菜"),
    ("我对花生过敏", f"{ANA} allergic_to 花生", "你对花生过敏"),
    ("我弟弟王磊对花生过敏", "王磊 allergic_to 花生", "王磊对花生"),
    ("我弟弟王磊来了", f"{ANA} sibling 王磊", "你弟弟王磊来了"),
    ("我领养了一只小猫，叫豆包", f"{ANA} pet 豆包", "我想要一只小猫"),
    ("我昨天重新开始游泳", f"{ANA} practises 游泳", "我昨天看了游泳比赛"),
    ("医生说半年不能游泳", f"{ANA} not practises 游泳", "医生说他不能游泳"),
    ("蓝鲸书店上个月倒闭了", "蓝鲸书店 status 倒闭", "蓝鲸书店上个月搬家了"),
    ("我搬到北京了", f"{ANA} lives_in 北京", "我梦见我搬到北京了"),
    ("我喜欢香菜", f"{ANA} likes 香菜", "我没说我喜欢香菜"),
    ("我养了一只狗", f"{ANA} pet 狗", "我在游戏里养了一只狗"),
    ("我昨天买了一台相机", f"{ANA} bought 相机", "我没买相机"),
    ("我打算去敦煌玩一周", f"{ANA} plans 去敦煌玩一周", "我不打算去敦煌玩"),
    ("敦煌去不成了", f"{ANA} not plans 敦煌", "敦煌去过了"),
    ("婚礼是五月三号", "婚礼 took_place_on 五月三号", "婚礼是在海边"),
    ("我去年开始学钢琴", f"{ANA} studies 钢琴", "我去年开始打工"),
    ("我昨天把脚踝扭伤了", f"{ANA} health 脚踝", "我昨天把杯子摔了"),
    ("我的生日是三月五号", f"{ANA} birthday 三月五号", "婚礼的日子是三月五号"),
    ("我今年40岁", f"{ANA} age 40", "他今年40岁"),
    ("我开始吃素了", f"{ANA} diet 素", "我开始吃饭了"),
    ("我刚从敦煌回来", f"{ANA} visited 敦煌", "他刚从敦煌回来"),
    ("我昨天崴了脚", f"{ANA} health 脚", "我昨天洗了脚"),
]  # fmt: skip
TABLE = ENGLISH + GERMAN + CHINESE + more.ENGLISH + more.CHINESE


def _told(text: str) -> list[str]:
    return [spell(one) for one in read(said(text))]


@pytest.mark.parametrize(("saying", "told", "miss"), TABLE)
def test_a_saying_is_read_and_its_near_miss_is_not(saying: str, told: str, miss: str) -> None:
    [one] = [one for one in read(said(saying)) if spell(one) == told]
    of_the_same = [
        spell(other)
        for other in read(said(miss))
        if (other.property, other.holds) == (one.property, one.holds)
    ]
    assert of_the_same == []


def test_every_pattern_reads_some_saying_of_the_table() -> None:
    texts = [text for row in TABLE for text in (row[0], row[0][0].lower() + row[0][1:])]
    unread = [
        pattern
        for pattern in load_patterns()
        if not any(pattern.saying.search(text) for text in texts)
    ]
    assert [f"{one.property}: {one.saying.pattern[-120:]}" for one in unread] == []


@pytest.mark.parametrize("row", TABLE)
def test_the_value_is_where_it_says_it_is(row: tuple[str, str, str]) -> None:
    turn = said(row[0])
    for one in read(turn):
        assert turn.text[one.value_start : one.value_end] == one.value
        assert turn.text[one.sentence_start : one.sentence_end] == one.sentence


@pytest.mark.parametrize(
    "text",
    [
        "She trained all year and ran the Tallinn Marathon",
        "he just got back from a hiking trip to Sapa",
        "they cancelled the Crete trip",
        "I can't stop writing",
        "don't stop running, you are nearly there",
        "his boss handed in his notice",
        "他领养了一只猫",
        "Mira closed the window",
        "I'm no writer",
        "I'm learning a lot",
        "I love making this cake",
        "I love the colour and the frame",
        "I love seeing them eat",
        "We're going for it",
        "I'd love a bigger flat",
        "I'd live in Rome then",
        "I'd like a window seat",
        "I'm having some issues with my laptop",
        "I love those tips",
        "Mira's having an amazing week!",
    ],
)
def test_what_others_do_and_what_means_little_is_not_told_of_the_speaker(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("big news: ran the Tallinn Marathon", f"{ANA} ran Tallinn Marathon"),
        ("yes, stopped running", f"{ANA} not practises running"),
        ("just got back from a hiking trip to Sapa", f"{ANA} went_hiking Sapa"),
        ("We went to Miro's shop", f"{ANA} visited Miro's shop"),
        ("I'm getting married soon and I'm nervous", f"{ANA} plans getting married soon"),
        ("I love the sea", f"{ANA} likes sea"),
        ("I love The Low Tides", f"{ANA} likes Low Tides"),
        ("上周领养了一只猫", f"{ANA} pet 猫"),
    ],
)
def test_a_speaker_may_be_left_out(text: str, told: str) -> None:
    assert told in _told(text)


def test_a_bed_for_a_dog_is_no_dog() -> None:
    assert f"{ANA} pet dog" not in _told("I got a new dog bed")


def test_a_name_keeps_its_own_apostrophe() -> None:
    assert _told("Ada O’Brien lives in Cork") == ["Ada O’Brien lives_in Cork"]


def test_two_statements_in_a_turn_are_both_read() -> None:
    assert _told("I moved to Rome. I work at Lumo!") == [
        "Ana Ruiz lives_in Rome",
        "Ana Ruiz works_at Lumo",
    ]


def test_what_is_said_of_many_people_is_nobodys() -> None:
    assert _told("Everyone lives in Rome") == []


def test_relations_of_the_speaker_are_no_names() -> None:
    [one] = read(said("My little brother moved to Rome"))
    assert (one.who, one.of_speaker) == ("brother", True)
