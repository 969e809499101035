"""What stands before a clause takes it back, or gives it to somebody else; or it does not."""

import pytest

from apexmem_desktop.building.taken_back import is_taken_back, is_unreal


@pytest.mark.parametrize(
    "before",
    [
        "I dreamt ", "I can't say ", "I never said that ", "It's not true that ", "People say ",
        "Ben said: ", "Ben says ", "Let's say ", "I look like ", "In the game ", "They told me: ",
        "I feel as if ", "There's a rumour that ",
    ],
)  # fmt: skip
def test_it_is_taken_back(before: str) -> None:
    assert is_taken_back(f"{before}I live in Turin", len(before))


@pytest.mark.parametrize(
    "before",
    [
        "", "I told Ben ", "My doctor says ", "Great game! ", "I said ", "Did I tell you? ",
        "I never said that. ", "As I said, ", "I said: ",
        "It looks like ", "Sounds like ", "He says hello, and ", "Nice to hear what Ben said\n",
    ],
)  # fmt: skip
def test_it_stands(before: str) -> None:
    assert not is_taken_back(f"{before}I live in Turin", len(before))


def test_a_long_message_is_looked_at_just_before_the_clause() -> None:
    text = "Ben said: " + "so " * 40 + "I live in Turin"
    assert not is_taken_back(text, text.index("I live"))


@pytest.mark.parametrize("words", ["我梦见我搬到", "我在游戏里养了", "我没说我喜欢", "听说我要"])
def test_a_chinese_clause_may_take_itself_back(words: str) -> None:
    assert is_unreal(words)


@pytest.mark.parametrize("words", ["我搬到", "我养了", "我很喜欢", ""])
def test_a_plain_chinese_clause_stands(words: str) -> None:
    assert not is_unreal(words)
