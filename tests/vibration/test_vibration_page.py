"""The page of a vibration: whatever it is named is text, its numbers are packed small, nothing is fetched."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import torsor
from report.unpacking import unpack
from torsor.motion import Joints, Move, Place
from torsor.vibration.shown.vibration_page import document, page

NASTY = "</script><script>alert(1)</script>&\"'<b>"


@pytest.fixture(scope="module")
def found():
    far = Joints(tuple(np.deg2rad([20.0, 10.0, -10.0, 0.0, 15.0, 0.0])), "far")
    near = Joints((0.0,) * 6, "near")
    moves = [Move("joint", target, Place("tour", k + 1, 1)) for k, target in enumerate((far, near))]
    return torsor.vibrate(moves, "rl15-elastic", shape="ZVD", tolerance=1e-5)


def test_whatever_it_is_named_is_text(found):
    source = SimpleNamespace(file=f"{NASTY}.irl", language="L-IRL", source=f"move {NASTY};\nmove {NASTY};\n")
    named = replace(found, program=NASTY, source=source, notes=[NASTY])
    text = page(named)
    assert "<script>alert" not in text
    assert "<b>" not in text.replace("<b>Looked at with </b>", "").split("<script>")[0]
    assert text.count("<script") == 2  # the document and the page's own
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text


def test_what_is_drawn_is_what_was_found(found):
    drawn = document(found)
    assert drawn["kind"] == "vibration"
    assert "does not settle" in drawn["title"]
    time = unpack(drawn["bends"]["time"])
    curves = np.array([unpack(each) for each in drawn["bends"]["swing"]])
    weight = np.array([unpack(each) for each in drawn["bends"]["weight"]])
    n, at = found.arm.n, np.rint(time / 1e-3).astype(int)
    off = np.abs(curves + weight)[n:].T - np.abs(found.swing.e[at])
    assert np.abs(off).max() < 1e-4 * np.abs(found.swing.e).max()
    assert drawn["end"] == pytest.approx(found.time[at[-1]])
    assert [each["title"] for each in drawn["bends"]["modes"]] == [
        f"after line {stop.place.line}, {stop.end:.2f} s" for stop in found.stops
    ]
    assert [mark["line"] for mark in drawn["marks"]] == [s.place.line for s in found.stops if not s.is_settled]
    assert [each["name"] for each in drawn["bends"]["colours"]] == ["swings by", "stress"]
    stress = drawn["bends"]["colours"][1]
    assert stress["most"] == pytest.approx(1e-6 * found.stress.worst.stress)
    root = unpack(stress["links"][1][0])  # of link2, where it is clamped
    assert root.max() == pytest.approx(1e-6 * found.stress.links["link2"].von_mises.max(), rel=0.02)
    assert drawn["compared"]["labels"] == ["shaped by ZVD", "as written"]


def test_the_verdict_comes_first_and_stops_are_links(found):
    text = page(found)
    assert text.index("does not settle") < text.index('id="stage"') < text.index('class="stops"')
    assert len(re.findall(r'href="#stage" data-time="[\d.]+"', text)) >= len(found.stops) + 2
    assert found._repr_html_().startswith("<iframe")
    json.dumps(found.document(), allow_nan=False)


def test_a_minute_is_small(found):
    """As many samples as a minute has, shaken as the arm is: under 3 MB."""
    times = int(np.ceil(60_000 / len(found.time)))

    def longer(each):
        swing = each.swing
        rows = {name: np.tile(getattr(swing, name), (times, 1)) for name in ("q", "u", "ud")}
        rows["told"] = tuple(np.tile(part, (times, 1)) for part in swing.told)
        return replace(each, swing=replace(swing, time=1e-3 * np.arange(times * len(swing.time)), found=None, **rows))

    minute = replace(longer(found), before=longer(found.before))
    assert minute.time[-1] > 59.0
    assert len(page(minute).encode()) < 3_000_000
