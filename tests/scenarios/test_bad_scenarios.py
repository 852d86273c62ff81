"""Every scenario of the table is refused with its words, and every file cut off or changed is refused or run."""

import random

import pytest

from bad_scenarios import BAD_SCENARIOS, GOOD
from torsor import scenarios
from torsor.errors import TorsorError


@pytest.mark.parametrize("bad", BAD_SCENARIOS, ids=str)
def test_the_message(bad, tmp_path):
    path = bad.write(tmp_path)
    with pytest.raises(TorsorError) as caught:
        scenarios.read(path)
    expected = f"{tmp_path / bad.culprit}{bad.message}".replace("{folder}", str(tmp_path))
    assert str(caught.value) == expected


def test_the_one_they_are_made_from_is_good(tmp_path):
    assert scenarios.parse(GOOD).duration == 1.0


def test_no_text_makes_it_fall_over():
    """Cut off anywhere, or with characters changed at random, it is read or refused on purpose."""
    draw = random.Random(0)
    texts = [GOOD[:k] for k in range(0, len(GOOD), 3)]
    for _ in range(300):
        k = draw.randrange(len(GOOD))
        texts.append(GOOD[:k] + draw.choice('[]{}="\n0-.,#xe') + GOOD[k + draw.randrange(3) :])
    refused = 0
    for text in texts:
        try:
            scenarios.parse(text)
        except TorsorError:
            refused += 1
    assert refused > len(texts) // 2
