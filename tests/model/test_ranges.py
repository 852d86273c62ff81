"""Numbers that make no sense are refused by name, with the range that does."""

import re

import numpy as np
import pytest

from torsor.errors import ModelError, ShapeError
from torsor.model import ranges
from torsor.model.armfile import parse_arm_file
from torsor.model.ranges import CYCLE, FACTOR, FORCE, PAYLOAD, SensibleRange

ALL = [each for each in vars(ranges).values() if isinstance(each, SensibleRange)]
LINK = '[[link]]\njoint = "revolute"\n'


@pytest.mark.parametrize("sensible", ALL, ids=str)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, -1e300])
def test_no_range_holds_what_is_no_number_or_absurd(sensible, value):
    assert not sensible.holds(value)
    with pytest.raises(ShapeError, match=re.escape(f"force is {value:g}; give ")):
        sensible.refuse("force", [sensible.most, value])


def test_bounds_belong_to_their_range():
    for sensible in ALL:
        sensible.refuse("it", [sensible.least, sensible.most])


def test_the_message_names_number_and_range():
    messages = {}
    for name, sensible, value in [
        ("dt", CYCLE, 1e-300),
        ("speed", FACTOR, 0.0),
        ("payload", PAYLOAD, -1.0),
        ("wrench", FORCE, [0, np.nan]),
    ]:
        with pytest.raises(ShapeError) as caught:
            sensible.refuse(name, value)
        messages[name] = str(caught.value)
    assert messages == {
        "dt": "dt is 1e-300; give 1e-06 to 100 s",
        "speed": "speed is 0; give 1e-06 to 1e+06",
        "payload": "payload is -1; give 0 to 1e+06 kg",
        "wrench": "wrench is nan; give -1e+09 to 1e+09 N",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (LINK + "mass = 1e308", ":3: the mass, com or inertia of link 'link1' has a number as large as 1e+308"),
        (LINK + "a = -2e12\nmass = 1", ":3: the placement of joint 'joint1' has a number as large as 2e+12"),
        (LINK + "limits = { speed = 1e200 }", ":3: a limit of joint 'joint1' has a number as large as 1e+200"),
        (LINK + 'limits = { position = [0, "1e15 deg"] }', ":3: a limit of joint 'joint1' has a number"),
        ("gravity = [0, 0, 1e300]\n" + LINK, ":3: gravity has a number as large as 1e+300"),
    ],
)
def test_an_arm_of_absurd_sizes_is_refused_with_its_line(text, problem):
    with pytest.raises(ModelError) as caught:
        parse_arm_file(f'name = "huge"\nframes = "standard-dh"\n{text}\n', "a.toml")
    assert str(caught.value).startswith("a.toml" + problem)
    assert str(caught.value).endswith("; up to 1e+12 in SI units makes sense")
