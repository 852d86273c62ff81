import json
import re

import pytest

from torsor.measuring.stopwatch import QUICK
from torsor.papers import PaperStep, PaperTable


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("torsor.comparing.ENOUGH", QUICK)


def test_a_table_for_each_quantity(run):
    ran = run("compare", "planar2")
    assert (ran.code, ran.err) == (0, "")
    titles = [line for line in ran.out.splitlines() if line.endswith(" of planar2")]
    assert titles == [
        "inverse dynamics of planar2",
        "forward dynamics of planar2",
        "mass matrix of planar2",
        "coriolis matrix of planar2",
        "gravity of planar2",
    ]
    line = re.compile(r"^newton-euler +\d+ M \d+ A +\d+ M \d+ A +\d+ +[\d.]+ +[\d.]+ +(0|1e-1\d) +[█▏▎▍▌▋▊▉]+$", re.M)
    assert line.search(ran.out)


@pytest.mark.parametrize("width", [80, 100])
def test_names_are_never_folded(run, width):
    out = run("compare", "panda", "--what", "forward-dynamics", "--no-timing", width=width).out
    assert max(map(len, out.splitlines())) <= width
    for name in ("walker-orin-1", "articulated", "mrnea-link"):
        assert re.search(rf"^{name} ", out, flags=re.MULTILINE)


def test_json_is_one_document(run):
    ran = run("compare", "planar2", "--what", "mass-matrix", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert (found["robot"], found["joints"], found["left_out"], found["loops_opened"]) == ("planar2", 2, {}, False)
    for row in found["rows"]:
        assert row["quantity"] == "mass_matrix"
        assert row["scalar"] > 0.0
        assert row["batch"] > 0.0
        assert {"M", "A", "mul", "trig"} <= row["traced"].keys()
        assert row["difference"] < 1e-12
        assert row["wrong"] is False


def test_an_arm_with_loops_is_compared_as_its_tree(run):
    ran = run("compare", "asea-irb", "--what", "gravity", "--no-timing", "--json")
    found = json.loads(ran.out)
    assert found["joints"] == 8
    assert found["loops_opened"] is True


def test_mistakes(run):
    ran = run("compare", "planar2", "--what", "mas-matrix")
    assert ran.code == 2
    assert ran.err.startswith("there are no formulations of 'mas-matrix' to compare; did you mean 'mass-matrix'?")
    assert run("compare", "planar").err.startswith("no robot 'planar'; did you mean 'planar")
    ran = run("compare")
    assert (ran.code, ran.err) == (2, "no ROBOT is given; torsor compare irb140, or torsor compare --papers all\n")


def test_a_formulation_that_differs_is_an_answer_no(run, monkeypatch):
    import numpy as np

    monkeypatch.setattr(
        "torsor.mechanics.reference_quantities.ReferenceQuantities.gravity", lambda self, q: np.ones(q.shape)
    )
    ran = run("compare", "planar2", "--what", "gravity", "--no-timing")
    assert ran.code == 1
    assert "wrong" in ran.out


def test_a_paper_there_is_not(run):
    ran = run("compare", "--papers", "fedorow")
    assert (ran.code, ran.err.split("?")[0]) == (2, "there are no tables of 'fedorow'; did you mean 'fedorov'")


def test_tables_of_the_papers(run, monkeypatch):
    table = PaperTable("Table 9", ("", "theirs"), (("one", "12 M 3 A"),), ("A note.",))
    monkeypatch.setattr("torsor.papers.steps", lambda paper, timing: [PaperStep("9", lambda: table)])
    ran = run("compare", "--papers", "all")
    assert (ran.code, ran.err) == (0, "")
    assert "Table 9" in ran.out
    assert "A note." in ran.out
    assert json.loads(run("compare", "--papers", "all", "--json").out)["tables"][0]["rows"] == [["one", "12 M 3 A"]]


def test_the_fewest_operations(run):
    """Ours never take more than what is in print, even where nobody searches for fewer."""
    (table,) = json.loads(run("compare", "--operations", "--effort", "none", "--json").out)["tables"]
    assert len(table["rows"]) == 8
    assert table["title"].endswith("at effort none")
    for _, *others, ours in table["rows"]:
        for other in filter(None, others):
            M, A = map(int, re.findall(r"(\d+) [MA]", other))
            assert ours["M"] + ours["A"] < M + A or "EMDEG 291" in other  # of the coefficients his is a search's result
    ran = run("compare", "--operations", "--effort", "most")
    assert ran.code == 2
    assert 'Choose from: "none", "quick", "normal", "high", "record"' in ran.err
