"""The stemmer gives what Porter's paper and NLTK's default mode give."""

import pytest

from apexmem_desktop.bench.porter import stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # from the paper, step by step
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("caress", "caress"),
        ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"),
        ("sing", "sing"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"),
        ("hissing", "hiss"), ("failing", "fail"), ("filing", "file"), ("relational", "relat"),
        ("conditional", "condit"), ("digitizer", "digit"), ("radically", "radic"),
        ("vietnamization", "vietnam"), ("predication", "predic"), ("feudalism", "feudal"),
        ("decisiveness", "decis"), ("hopefulness", "hope"), ("triplicate", "triplic"),
        ("formative", "form"), ("electrical", "electr"), ("goodness", "good"),
        ("revival", "reviv"), ("allowance", "allow"), ("adjustment", "adjust"),
        ("adoption", "adopt"), ("communism", "commun"), ("probate", "probat"), ("rate", "rate"),
        ("cease", "ceas"), ("controll", "control"), ("roll", "roll"),
        # what NLTK adds
        ("dies", "die"), ("died", "die"), ("tied", "tie"), ("enjoy", "enjoy"), ("happy", "happi"),
        ("dying", "die"), ("skies", "sky"), ("news", "news"), ("is", "is"), ("Running", "run"),
    ],
)  # fmt: skip
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected
