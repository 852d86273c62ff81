"""The table of the works' capabilities: nothing works that no test runs."""

import re
from pathlib import Path

import pytest

from torsor.reproducing.capabilities import CAPABILITIES
from torsor.reproducing.works import WORKS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("each", CAPABILITIES, ids=lambda each: f"{each.work}: {each.what}")
def test_what_works_is_run_by_a_test(each):
    assert each.work in WORKS
    if each.state in ("missing", "lost"):
        assert each.left
        assert not each.test
        return
    assert each.command
    path, _, name = each.test.partition("::")
    assert (ROOT / path).exists()
    if name:
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    assert (each.state == "partly") == bool(each.left)


def test_every_work_is_there():
    assert {each.work for each in CAPABILITIES} == set(WORKS)
