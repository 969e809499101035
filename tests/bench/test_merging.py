"""Pairs of names: what counts as merged, split and wrong; and the rules on the invented chats."""

from pathlib import Path

from apexmem_desktop.bench import merging
from apexmem_desktop.bench.merging import Mention, hold_against, mentions_of, read_scenes
from tests.bench.conftest import MakeOpener

TARGET = 0.92


def test_pairs_are_counted_both_ways() -> None:
    gold = [
        Mention(0, 0, "Liz", "person", "liz"), Mention(0, 1, "Elizabeth", "person", "liz"),
        Mention(0, 2, "Bess", "person", "bess"), Mention(1, 0, "Liz", "person", "liz"),
    ]  # fmt: skip
    found = hold_against(gold, [1, 1, 1, None])
    assert (found.precision.value, found.precision.n) == (1 / 3, 3)
    assert (found.recall.value, found.recall.n) == (1.0, 1)
    assert (found.pairs.value, found.pairs.n) == (1 / 3, 3)
    assert found.split == ()
    assert found.wrong == ("Liz (liz) and Bess (bess)", "Elizabeth (liz) and Bess (bess)")
    assert found.open == ("Liz",)


def test_the_gold_is_large_enough_and_names_stand_in_their_lines() -> None:
    scenes = read_scenes()
    for one in mentions_of(scenes):
        speaker, text = scenes[one.scene]["chat"][one.line]
        assert one.name in text or one.name == speaker
    counted = hold_against(mentions_of(scenes), [None] * len(mentions_of(scenes)))
    assert counted.pairs.n >= 150


def test_the_rules_tell_apart_and_bring_together(tmp_path: Path, opener: MakeOpener) -> None:
    found = merging.measure(tmp_path, opener(lambda _: "-"), use_model=False)
    assert min(found.precision.value, found.recall.value, found.pairs.value) >= TARGET
