"""The bench runs and says what it should. Time itself is never tested."""

import contextlib
import io
import json
from collections.abc import Callable

import numpy as np
import pytest

from torsor import load
from torsor.bench import Agenda, BenchStep, GrowthRow, Row, port_rows
from torsor.bench.arm_rows import ArmContest
from torsor.cli import main
from torsor.cli.bench import _print_ports
from torsor.emit import compile_kernel
from torsor.measuring.agreement import difference
from torsor.measuring.chains import chain, general_arm
from torsor.measuring.processor_ports import PortRates
from torsor.measuring.state_loop import over_states
from torsor.measuring.states import states
from torsor.measuring.stopwatch import QUICK, TimedWork, alone, compared

ROW = {"robot", "what", "peer", "ours", "theirs", "ratio", "at_least", "at_most", "error", "within", "verdict"}
GROWTH = {
    *("quantity", "joints", "multiplications", "additions", "trace", "compile", "at_most"),
    *("single", "batch", "peer_batch", "ratio", "error", "verdict"),
}


@pytest.fixture(scope="module")
def printed() -> str:
    """One quick run without peers, for all tests that look at it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["bench", "--quick", "--no-peers", "--json", "--robots", "planar2,planar3"]) == 0
    return out.getvalue()


@pytest.mark.slow
def test_json_is_one_document(printed: str):
    found = json.loads(printed)
    assert set(found) == {"machine", "skipped", "settings", "rows", "ports", "growth"}
    assert found["machine"]["cores"] >= 1
    assert {"python", "torsor", "numpy", "llvmlite"} <= set(found["machine"]["versions"])
    assert found["skipped"] == {}  # nobody was asked


@pytest.mark.slow
def test_every_row_is_measured_and_right(printed: str):
    found = json.loads(printed)
    asked, always = {"planar2", "planar3", ""}, {"asea-irb", "puma560", "irb140", "ur5", "panda", "rl15"}
    assert {row["robot"] for row in found["rows"]} == asked | always | {"elastic-arm2", "spun beam"}
    for row in found["rows"]:
        assert set(row) == ROW
        assert row["ours"] > 0.0
        with_itself = row["robot"] == "asea-irb" or row["peer"] == "torsor, float64"
        assert (row["theirs"] is None) == (row["ratio"] is None) == (not with_itself)
        assert row["error"] is None or row["error"] <= row["within"]
        assert row["within"] == 1e-9 or row["robot"] in ("elastic-arm2", "spun beam") or "float32" in row["what"]
        assert row["verdict"] in ("", "ok", "below")
    what = {row["what"] for row in found["rows"] if row["robot"] == "planar3"}
    assert {"ID call", "ID native", "mass matrix call", "pose call", "first use, no cache", "first use, cached"} <= what
    assert {name.split(" ")[0] for name in what if "batch" in name} == {"ID", "FD", "dID", "dFD"}


@pytest.mark.slow
def test_closed_forms_are_measured_beside_what_was_promised(printed: str):
    rows = json.loads(printed)["rows"]
    driven = [row for row in rows if row["robot"] == "asea-irb"]
    assert [(row["peer"], row["at_least"]) for row in driven] == [("its open tree", 0.5)] * 2
    solved = [row for row in rows if row["what"].startswith("IK, all branches")]
    assert [row["robot"] for row in solved] == ["puma560", "irb140", "ur5"]
    assert {row["at_most"] for row in solved} == {1e-6}
    assert max(row["error"] for row in driven + solved) < 1e-9


@pytest.mark.slow
def test_elastic_links_are_measured(printed: str):
    rows = [row for row in json.loads(printed)["rows"] if row["robot"] in ("elastic-arm2", "spun beam")]
    what = [row["what"].partition(",")[0] for row in rows]
    assert what == [
        *("two links swing", "spin-up", "FD of 8 coordinates", "FD of 8 coordinates"),
        *("coupled motion", "fidelity 1", "frequencies", "frequencies"),
    ]
    assert set(json.loads(printed)["settings"]) == {"clock"}  # nobody else was asked


PORTS = {
    *("robot", "what", "lanes", "instructions", "multiplications", "additions", "divisions"),
    *("ports", "cycles", "limit", "share"),
}


@pytest.mark.slow
def test_batch_kernels_are_held_against_the_ports(printed: str):
    found = json.loads(printed)
    assert " GHz at best" in found["settings"]["clock"]
    assert [row["what"] for row in found["ports"] if row["robot"] == "planar3"] == [
        *("ID", "FD", "ID, float32", "FD, float32", "dID", "dFD")
    ]
    for row in found["ports"]:
        assert set(row) == PORTS
        assert row["multiplications"] + row["additions"] + row["divisions"] < row["instructions"]
        assert set(row["ports"]) == {"multiply", "add", "both", "division"}
        assert row["share"] == row["limit"] / row["cycles"] > 0.0
    by_what = {row["what"]: row for row in found["ports"] if row["robot"] == "planar2"}
    assert by_what["ID, float32"]["lanes"] == 2 * by_what["ID"]["lanes"]


def test_ports_of_a_kernel_without_machine_code(monkeypatch):
    """Not known, and said so."""
    arm = load("planar2")
    slow = compile_kernel(arm.kernel("inverse_dynamics").tape, backend="python")
    monkeypatch.setattr(arm, "kernel", lambda *_, **__: slow)
    settings: dict[str, str] = {}
    rows = list(port_rows.at_the_ports(ArmContest(arm, QUICK, wanted=False), settings))
    assert settings["clock"] == "not known: there is no machine code"
    assert {row.share for row in rows} == {row.limit for row in rows} == {None}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        _print_ports("planar2", rows)
    assert out.getvalue().count("not known") == len(rows)


@pytest.mark.parametrize("bound", [(280, 0, 0, 140.0), (10, 90, 0, 45.0), (200, 190, 0, 130.0), (10, 10, 9, 36.0)])
def test_limits_of_ports(bound):
    *counts, cycles = bound
    assert PortRates(2, 2, 3, 4.0).cycles(*counts) == cycles


@pytest.mark.slow
def test_growth_has_both_quantities_in_all_sizes(printed: str):
    found = json.loads(printed)["growth"]
    sizes = [(row["quantity"], row["joints"]) for row in found]
    assert sizes == [(q, n) for q in ("inverse_dynamics", "forward_dynamics") for n in QUICK.sizes]
    for row in found:
        assert set(row) == GROWTH
        assert min(row["trace"], row["compile"], row["single"], row["batch"], row["multiplications"]) > 0
        assert row["error"] < 1e-9


def test_a_table_without_peers_is_silent_on_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    steps = [
        BenchStep("a", lambda: [Row("ur5", "ID call", "pin rnea", 2e-7, 1.6e-6, 8.0, at_least=6.0, error=1e-15)]),
        BenchStep("b", lambda: [Row("ur5", "pose call", "pin", 2e-7, 6e-7, 3.0, at_least=4.0, error=1e-15)]),
        BenchStep("c", lambda: [GrowthRow("inverse_dynamics", 8, 555, 475, 0.1, 0.2, 5.0, 1e-7, 4e-8)]),
    ]
    monkeypatch.setattr("torsor.bench.plan", lambda *_, **__: Agenda(steps, {"casadi": "casadi is not installed"}))
    assert main(["bench"]) == 0  # slower than promised is no failure
    out, err = capsys.readouterr()
    assert err == ""
    for piece in ("machine", "numpy", "casadi is not installed", "200 ns", "8.0 x", "6 x", "ok", "below", "475"):
        assert piece in out


def test_wrong_numbers_are_an_answer_of_no(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    steps = [BenchStep("a", lambda: [Row("ur5", "ID call", "pin rnea", error=0.01)])]
    monkeypatch.setattr("torsor.bench.plan", lambda *_, **__: Agenda(steps, {}))
    assert main(["bench"]) == 1
    assert "wrong: 1e-02" in capsys.readouterr().out


def test_unknown_robots_are_found_out_at_once(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "--robots", "ur55"]) == 2
    assert "did you mean 'ur5'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("", "", ours=0.4, at_most=0.5), "ok"),
        (Row("", "", ours=0.6, at_most=0.5), "below"),
        (Row("", "", ours=1.0, theirs=3.0, ratio=3.0, at_least=4.0), "below"),
        (Row("", "", ours=1.0, at_least=4.0), ""),  # no peer, no verdict
        (Row("", "", error=float("nan")), "wrong"),
    ],
)
def test_verdicts(row: Row, verdict: str):
    assert row.verdict == verdict


def test_difference_sees_what_is_no_number():
    assert difference(np.array([1.0, 2.0]), np.array([1.0, 2.002])) == pytest.approx(0.001, rel=1e-2)
    assert difference(np.array([np.nan]), np.array([1.0])) == np.inf
    assert difference(np.zeros(2), np.zeros(3)) == np.inf


def test_the_native_loop_visits_every_state():
    arm = load("planar2")
    kernel = arm.kernel("inverse_dynamics")
    inputs = states(33, arm.n)
    out = np.zeros_like(inputs[0])
    assert kernel.scalar_address is not None
    over_states(kernel.scalar_address, [*inputs, out])(2)
    np.testing.assert_allclose(out, arm.reference.inverse_dynamics(*inputs), rtol=1e-12, atol=1e-12)


def test_times_are_for_one_evaluation():
    ran: list[int] = []

    def waste(times: int) -> Callable[[int], None]:
        def run(n: int) -> None:
            ran.append(n)
            sum(range(times * n))

        return run

    assert 0.0 < alone(TimedWork(waste(1000), evaluations=10), QUICK) < 1e-3
    figures = compared(TimedWork(waste(1000)), TimedWork(waste(1000)), QUICK)
    assert figures.ours > 0.0
    assert figures.ratio > 0.0
    assert max(ran) > 1  # repeated until the clock can see it


def test_chains_are_defined_to_the_bit():
    """Counts of papers and bench are of these numbers: no processor may have others."""
    assert general_arm(6).links[5].mass.inertia[0, 1].hex() == "0x1.ffffcd460bf55p-7"
    assert chain(4).links[3].mass.inertia[1, 2].hex() == "0x1.409a907d6f5a0p-8"
    assert chain(4).links[2].joint.before[0, 2].hex() == "-0x1.9bbee669a7ef1p-1"
