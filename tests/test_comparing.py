"""``torsor.compare``: counts, agreement and times, and the tables of the papers. Time itself is never tested."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import torsor
from torsor import papers
from torsor.algebra import Count
from torsor.comparing import DYNAMICS, ComparedRow, Comparison, bar, compare, contest
from torsor.errors import Unsupported
from torsor.measuring.stopwatch import QUICK
from torsor.mechanics.formulations import formulations_of
from torsor.model.mass import Mass
from torsor.model.parts import Mimic
from torsor.papers import PaperTable


@pytest.fixture(scope="module")
def found() -> Comparison:
    return torsor.compare(torsor.load("planar3"), timing=False)


def test_every_formulation_of_every_quantity_has_a_row(found):
    assert [row.quantity for row in found.rows] == [q for q in DYNAMICS for _ in formulations_of(q)]
    assert (found.robot, found.joints, found.left_out) == ("planar3", 3, {})
    for row in found.rows:
        assert row.difference < 1e-13
        assert not row.wrong
        assert row.simplified.total <= row.traced.total
        assert (row.scalar, row.batch) == (None, None)
        assert row.source
    cheapest = min(row.simplified.total for row in found.of("forward-dynamics"))
    assert found.row("forward-dynamics", "composite").simplified.total == cheapest
    with pytest.raises(Unsupported, match=r"'kan' is not among the rows; did you mean 'kane'\?"):
        found.row("inverse_dynamics", "kan")


def test_a_comparison_is_frozen_and_prints(found):
    with pytest.raises(FrozenInstanceError):
        found.robot = "other"
    text = str(found)
    assert "inverse dynamics of planar3" in text
    assert re.search(r"^newton-euler +\d+ M \d+ A +\d+ M \d+ A +\d+ +(0|1e-1\d) +\S+$", text, flags=re.MULTILINE)
    html = found._repr_html_()
    assert html.count("<table>") == len(DYNAMICS)
    assert "<td>kane</td>" in html
    assert repr(found) == f"<Comparison planar3: {len(found.rows)} rows>"


def test_times_are_taken(monkeypatch):
    monkeypatch.setattr("torsor.comparing.ENOUGH", QUICK)
    rows = compare(torsor.load("planar2"), "gravity").rows
    assert all(row.scalar > 0.0 and row.batch > 0.0 for row in rows)
    assert "ns" in str(Comparison("planar2", 2, rows))


def test_a_wrong_formulation_is_found_out(monkeypatch):
    """And not timed."""
    todo = contest(torsor.load("planar2"), "gravity")
    monkeypatch.setattr(
        "torsor.mechanics.reference_quantities.ReferenceQuantities.gravity", lambda self, q: np.ones(q.shape)
    )
    row = todo.run("gravity", "kane")
    assert row.wrong
    assert row.scalar is None
    assert "wrong" in str(todo.found([row]))
    assert row.as_dict()["wrong"] is True


def test_what_cannot_be_compared_is_named():
    arm = torsor.load("planar2")
    with pytest.raises(Unsupported, match=r"no formulations of 'mas-matrix' to compare; did you mean 'mass-matrix'\?"):
        torsor.compare(arm, "mas-matrix")
    first, second = arm.model.links
    follower = replace(second, joint=replace(second.joint, mimic=Mimic(first.joint.name, 1.0, 0.0)))
    found = compare(torsor.Arm(replace(arm.model, links=(first, follower))), timing=False)
    assert found.left_out == dict.fromkeys(("articulated", "denoc"), "a joint follows another")
    light = torsor.Arm(replace(arm.model, links=(first, replace(second, mass=Mass.none()))))
    found = compare(light, timing=False)
    assert "moves no mass" in found.left_out["forward_dynamics"]
    assert found.of("inverse_dynamics")
    assert not found.of("forward_dynamics")


def test_bars_are_as_long_as_what_they_show():
    assert bar(0.0, 2.0) == ""
    assert bar(2.0, 2.0, 3) == "███"
    assert bar(1e-9, 2.0, 3) == "▏"


def test_rows_without_machine_code():
    row = ComparedRow("gravity", "kane", "", Count(mul=2, add=1), Count(mul=1), 0.0, None, 2e-8)
    other = ComparedRow("gravity", "lagrange", "", Count(mul=2, add=1), Count(mul=1), 0.0, 1e-7, 2e-8)
    assert [cells[4] for _, _, rows in Comparison("a", 1, (row, other)).tables() for cells in rows] == ["-", "100"]


def test_general_arms_are_dense_and_always_the_same():
    model = papers.general_arm(6)
    again = papers.general_arm(6)
    for link, other in zip(model.links, again.links, strict=True):
        assert min(abs(link.dh.a), abs(link.dh.alpha), abs(link.dh.d)) > 0.05
        assert np.abs(link.mass.inertia).min() > 0.0
        assert np.array_equal(link.mass.inertia, other.mass.inertia)
    assert model.nonphysical() == {}


@pytest.mark.slow
def test_growth_says_who_is_linear():
    """H has n (n + 1) / 2 entries and its solution takes n^3 / 6 products: only articulated bodies are of order n."""
    table = papers.growth()
    order = dict(zip(table.columns, next(row for row in table.rows if row[0] == "order"), strict=True))
    assert order == {
        "joints": "order",
        **dict.fromkeys(("WO1", "WO2", "WO3", "mRNEA", "link mRNEA"), "n^3"),
        "ABA": "n^1",
    }


def test_fedorov_still_holds():
    """The recursion costs less than the exponentials, by more than the thesis found."""
    table = papers.fedorov(timing=False)
    assert float(table.rows[2][-1]) > 2.43
    document = table.as_dict()
    assert document["rows"][2][1].keys() == {"M", "A", "trig"}


def test_mrnea_is_not_the_cheapest():
    rows = {row[0]: row for row in papers.kvrgic_2(papers.general_arm(6)).rows}
    assert rows["walker-orin-3"][2].total < rows["mrnea-link"][2].total < rows["mrnea"][2].total


def test_the_simulations_of_table_6_1():
    """Fedorov: every figure by both formulations; what rounds differently parts only where the motion is chaotic."""
    assert list(papers.RUNS) == ["6.2", "6.3", "6.5", "6.7"]
    table = papers.fedorov_run("6.3", timing=False)
    assert table.rows == (
        ("6.3", "5 s in 28 min", "2.3 s in 18 h", "not timed", "not timed", "to 1e-3 rad always"),
    )  # fmt: skip
    other = PaperTable("another", ("", "a"), (("x", 1),))
    both = papers.by_title([table, other, table])
    assert [len(each.rows) for each in both] == [2, 1]


def test_table_c1_adds_up():
    """Every operation belongs to one group of vectors; the paper's own rows do not add up to its total."""
    table = papers.kvrgic_c1()
    *groups, total = [row[2] for row in table.rows]
    assert sum(each.M for each in groups) == total.M
    assert sum(each.A for each in groups) == total.A
    assert all(each.M > 0 for each in groups)
    printed = [[int(x) for x in re.findall(r"[0-9]+", row[1])] for row in table.rows]
    assert np.sum(printed[:-1], axis=0).tolist() == [1736, 1281]
    assert printed[-1] == [1735, 1275]
