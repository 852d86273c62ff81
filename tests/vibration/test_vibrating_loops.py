"""The published program of SIMASEA on its arm, whose links bend and whose loop turns: both fidelities."""

import numpy as np
import pytest

import torsor

PROGRAM = "examples/programs/simasea.v2"


@pytest.fixture(scope="module")
def both():
    arm = torsor.load("asea-irb")
    return [torsor.vibrate(PROGRAM, arm, fidelity=fidelity) for fidelity in (1, 2)]


@pytest.mark.slow
def test_both_fidelities_agree(both):
    one, two = both
    assert one.settled
    assert two.settled
    assert [stop.place.line for stop in one.stops] == [16, 17, 19, 21]
    for a, b in zip(one.stops, two.stops, strict=True):
        assert a.deviation == pytest.approx(b.deviation, rel=2e-2)
    swing = two.swing
    np.testing.assert_allclose(one.tip, two.tip, atol=1e-2 * np.abs(two.tip).max())
    largest = np.abs(swing.loops["parallel"]).max()
    np.testing.assert_allclose(one.swing.loops["parallel"], swing.loops["parallel"], atol=3e-3 * largest)


@pytest.mark.slow
def test_loops_stay_closed(both):
    one, two = (each.swing for each in both)
    some = slice(None, None, 500)
    sway = one.arm
    G = sway.rows(sway.x(one.told[0][some], 0.0 * one.u[some]))[..., sway.unknown]
    assert np.abs(np.einsum("tij,tj->ti", G, one.u[some])).max() < 1e-15
    assert np.abs(sway.left(two.x[some])).max() < 1e-13


@pytest.mark.slow
def test_what_was_taken_is_said(both):
    notes = " ".join(both[0].notes)
    assert "line 21: the line takes joint4 to 318.6 deg" in notes
    assert "24 shapes of the links are taken of the file's 84" in notes
    assert "sections that the file does not turn" in notes
    # and is true: against all shapes, sections as the file has them
    arm, swing = both[0].arm, both[0].swing
    q = swing.q[1000::9000]
    right = np.array([arm.elastic.frequencies(each)[:4] for each in q])
    off = np.abs(swing.frequencies_at(q)[:, :4] / right - 1.0).max(axis=0)
    assert (off < [1e-3, 1e-3, 0.04, 0.04]).all()
    carried = arm.elastic.deflection(q).loops["parallel"]
    at = [arm.elastic.deflection(each).loops["parallel"] for each in q]
    np.testing.assert_allclose(carried, at, atol=1e-9)
