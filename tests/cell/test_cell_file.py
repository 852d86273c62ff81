"""WorkCell files: what is read, and what is wrong with a file, with its line."""

import pytest

from torsor.cell.cell_file import parse_cell, read_cell
from torsor.errors import ModelError


def test_what_is_read():
    cell = parse_cell(
        'name = "press"\nfloor = "-10 mm"\nmargin = 0.02\nlinks = false\n[[box]]\nname = "table"\nsize = [1, 2, 3]\n'
        '[[cylinder]]\nname = "post"\nradius = 0.1\nlength = 2\n'
        '[[plane]]\nname = "wall"\nnormal = [0, 2, 0]\noffset = -1\n'
    )
    assert (cell.name, cell.margin, cell.links) == ("press", 0.02, False)
    assert [(each.name, each.kind) for each in cell.obstacles] == [
        ("floor", "plane"), ("table", "box"), ("post", "cylinder"), ("wall", "plane")
    ]  # fmt: skip
    assert cell.obstacles[0].placement[2, 3] == -0.01
    assert cell.obstacles[3].placement[:3, 2].tolist() == [0.0, 1.0, 0.0]


def test_an_empty_cell_has_the_arm_alone():
    assert (read_cell("empty").obstacles, read_cell("empty").links) == ((), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file is empty; a cell file has floor = 0"),
        ("flor = 0\n", ":1: unknown key flor; did you mean 'floor'?"),
        ('[[box]]\nname = "a"\nsize = [1, 1]\n', ":3: box[1].size has 2 numbers; expected 3 lengths, in m"),
        ('[[box]]\nname = "a"\nsize = [1, 0, 1]\n', ":3: box[1].size has no extent; give sizes above zero, in m"),
        ('[[plane]]\nname = "a"\nnormal = [0, 0, 0]\n', ":3: plane[1].normal has no extent"),
        ("[[box]]\nsize = [1, 1, 1]\n", ":1: missing box[1].name; expected a text"),
        ('floor = 0\n[[plane]]\nname = "floor"\nnormal = [1, 0, 0]\n', ": two things are named 'floor'"),
    ],
)
def test_what_is_wrong(text, message):
    with pytest.raises(ModelError) as caught:
        parse_cell(text, "cell.toml")
    assert str(caught.value).startswith(f"cell.toml{message}"), str(caught.value)
