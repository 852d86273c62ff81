"""All 17 graphs of SIMASEA come from one run, and from the table that it writes."""

import csv

import numpy as np
import pytest

import torsor
from torsor.reproducing.behi_work import GRAPHS, PARTS, columns_of_the_run
from torsor.shipped import shipped


def test_the_graphs_are_those_of_the_thesis():
    assert len(GRAPHS) == 17
    assert [part for part, _, _ in GRAPHS] == ["", "", *["I"] * 7, *["II"] * 8]


def test_the_csv_has_all_of_them(tmp_path):
    """Every column that is drawn is in the table of `torsor check --csv`, with the numbers that are drawn."""
    found = columns_of_the_run()
    verdict = torsor.check(shipped("programs/simasea.v2"), "asea-irb", overlap=True, dt=0.25)
    assert verdict.time == pytest.approx(PARTS["II"][1])
    verdict.to_csv(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="") as stream:
        head, *lines = csv.reader(stream)
    table = dict(zip(head, np.array(lines, dtype=float).T, strict=True))
    at = [int(np.argmin(np.abs(found["time"] - t))) for t in table["time"]]
    for _, _, drawn in GRAPHS:
        for _, name, _ in drawn:
            np.testing.assert_allclose(found[name][at], table[name], atol=1e-6 * (1 + np.abs(table[name]).max()))
    for k in range(1, 9):  # all eight joints, their speeds and accelerations, their loads
        assert {f"joint{k}.q", f"joint{k}.qd", f"joint{k}.qdd", f"joint{k}.fx", f"joint{k}.mz"} <= set(head)
        assert {f"link{k}.com.x", f"link{k}.com.vy", f"link{k}.com.az"} <= set(head)
