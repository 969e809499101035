"""What a question asks for, in English and Chinese."""

import pytest

from apexmem_desktop.recall.kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Where does Ana work now?", Kind.CURRENT),
        ("Where does Ana work?", Kind.CURRENT),
        ("What is Ben's favourite restaurant?", Kind.CURRENT),
        ("When did Ana move to Lyon?", Kind.WHEN),
        ("What month did they get the dog?", Kind.WHEN),
        ("How long ago did she start?", Kind.WHEN),
        ("How long has Ana lived in Lyon?", Kind.HOW_LONG),
        ("How many years did Ben play tennis?", Kind.HOW_LONG),
        ("How many children does Ana have?", Kind.HOW_MANY),
        ("Where did Ana live before Lyon?", Kind.BEFORE),
        ("What was her previous job?", Kind.BEFORE),
        ("What did Ben do after the wedding?", Kind.AFTER),
        ("Why did Ben stop climbing?", Kind.WHY),
        ("What made her leave?", Kind.WHY),
        ("Who went with Ana to Rome?", Kind.WHO),
        ("Which books has Ana read?", Kind.LIST),
        ("What are Ana's favourite kites?", Kind.LIST),
        ("What are my sisters' names?", Kind.LIST),
        ("Where has Ana Ruiz camped?", Kind.LIST),
        ("What has she baked?", Kind.LIST),
        ("What has Ana decided?", Kind.CURRENT),
        ("What are Ana's plans for the bus?", Kind.CURRENT),
        ("Which family-friendly events has Ana seen?", Kind.LIST),
        ("What did Ana do when she was ill?", Kind.OPEN),
        ("Did Ana like the concert?", Kind.YES_NO),
        ("When did Ana's favourite restaurant change?", Kind.CHANGED),
        ("What did Ana paint?", Kind.OPEN),
        ("Who is older, Ana or Ben?", Kind.COMPARISON),
        ("Which trip came first, Rome or Oslo?", Kind.COMPARISON),
        ("Which is more expensive than the blue one?", Kind.COMPARISON),
        ("What is the difference between Ana's jobs?", Kind.COMPARISON),
        ("What was Ana more or less happy with?", Kind.OPEN),
    ],
)
def test_english(question: str, kind: Kind) -> None:
    assert kind_of(question, language="en", has_time=False) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("李雪现在住在哪里？", Kind.CURRENT),
        ("李雪什么时候搬家的？", Kind.WHEN),
        ("她在北京住了多久？", Kind.HOW_LONG),
        ("她有几个孩子？", Kind.HOW_MANY),
        ("李雪以前在哪里工作？", Kind.BEFORE),
        ("他后来做了什么？", Kind.AFTER),
        ("她为什么辞职？", Kind.WHY),
        ("谁和她一起去的？", Kind.WHO),
        ("她喜欢吃辣吗？", Kind.YES_NO),
        ("她去过哪些城市？", Kind.LIST),
        ("她最喜欢的餐厅变了吗？", Kind.CHANGED),
        ("李雪先去北京还是先去上海？", Kind.COMPARISON),
        ("谁更高，李雪还是王明？", Kind.COMPARISON),
        ("她早上喝茶还是咖啡？", Kind.CURRENT),
    ],
)
def test_chinese(question: str, kind: Kind) -> None:
    assert kind_of(question, language="zh", has_time=False) is kind


def test_a_time_in_the_question_makes_it_about_that_time() -> None:
    assert kind_of("Where did Ana live in 2022?", language="en", has_time=True) is Kind.AT_TIME
    before = "Where did Ana live before 2022?"
    assert kind_of(before, language="en", has_time=True) is Kind.AT_TIME
    assert kind_of("李雪2022年住在哪里？", language="zh", has_time=True) is Kind.AT_TIME
