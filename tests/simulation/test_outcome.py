"""What a run can be asked, and the ways out of it."""

import csv
import sys

import numpy as np
import pytest

import torsor
from torsor.errors import TorsorError, Unsupported
from torsor.simulation import measures


@pytest.fixture(scope="module")
def run():
    arm = torsor.load("planar2")
    return torsor.simulate(
        arm, lambda t, q, qd: arm.gravity(q) - 40.0 * q - 12.0 * qd, q0=[0.5, -0.2], until=2.0, every=5
    )


def test_it_is_frozen(run):
    with pytest.raises(AttributeError):
        run.q = 0.0
    with pytest.raises(ValueError, match="read-only"):
        run.q[0, 0] = 1.0
    assert repr(run) == "<Run 2 s, 401 states, rk4>"


def test_accelerations_torques_and_energy_are_those_of_the_arm(run):
    arm = run.arm
    np.testing.assert_allclose(run.tau, arm.gravity(run.q) - 40.0 * run.q - 12.0 * run.qd, atol=1e-12)
    np.testing.assert_allclose(run.qdd, arm.forward_dynamics(run.q, run.qd, run.tau), atol=1e-10)
    kinetic, potential = arm.energy(run.q, run.qd)
    np.testing.assert_allclose(run.energy, kinetic + potential, atol=1e-12)
    np.testing.assert_allclose(run.kinetic, kinetic, atol=1e-12)


def test_energy_with_rotors_balances():
    """What motors give and friction takes is what is stored."""
    arm = torsor.load("rl15")
    q0 = np.array([0.0, -0.3, 0.4, 0.1, 0.2, 0.0])
    run = torsor.simulate(arm, np.zeros(6), q0=q0, until=0.2, dt=2.5e-4)
    power = arm.drives.power(run.q[1:], run.qd[1:], run.qdd[1:])
    stored = np.trapezoid(power.stored, run.time[1:])
    assert run.energy[-1] - run.energy[1] == pytest.approx(stored, rel=2e-3)
    kinetic, _ = arm.energy(run.q, run.qd, drives=True)
    np.testing.assert_allclose(run.kinetic, kinetic, rtol=1e-9, atol=1e-12)


def test_measures():
    time = np.linspace(0.0, 4.0, 401)
    q = np.stack([1.0 - np.exp(-time) * np.cos(3.0 * time), 0.0 * time], axis=1)
    settled = measures.settling_time(time, q, [1.0, 0.0], 0.05)
    outside = np.abs(q[:, 0] - 1.0) > 0.05
    assert settled[0] == time[np.flatnonzero(outside)[-1] + 1]
    assert settled[1] == 0.0
    assert measures.overshoot(q, [1.0, 0.0])[0] == pytest.approx(q[:, 0].max() - 1.0)
    assert np.isnan(measures.settling_time(time, q, [5.0, 0.0], 0.05)[0])
    assert measures.rms_error(time, np.ones((401, 1)), [0.0])[0] == pytest.approx(1.0)
    assert measures.peak(np.array([[1.0], [-3.0], [2.0]]))[0] == -3.0
    with pytest.raises(TorsorError, match="reference has shape"):
        measures.overshoot(q, [1.0, 2.0, 3.0])


def test_work_of_a_lifted_mass(run):
    assert run.work.shape == (2,)
    assert (run.work > 0.0).all()
    assert np.abs(run.peak_torque) == pytest.approx(np.abs(run.tau).max(axis=0))


def test_csv_has_every_digit(run, tmp_path):
    run.to_csv(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0])[:4] == ["time", "q_joint1", "q_joint2", "qd_joint1"]
    assert [float(row["q_joint2"]) for row in rows] == run.q[:, 1].tolist()
    assert [float(row["energy"]) for row in rows] == run.energy.tolist()
    with pytest.raises(TorsorError, match="cannot write here"):
        run.to_csv(tmp_path / "no" / "run.csv")


def test_plot(run, tmp_path):
    pytest.importorskip("matplotlib")
    figure = run.plot(tmp_path / "run.png", reference=[0.0, 0.0])
    assert (tmp_path / "run.png").stat().st_size > 10_000
    assert len(figure.axes) == 4  # positions, errors, rates, torques
    with pytest.raises(Unsupported, match="cannot draw"):
        run.plot(tmp_path / "run.what")


@pytest.mark.parametrize(
    ("module", "use"), [("pyarrow", "to_parquet"), ("xarray", "to_xarray"), ("matplotlib", "plot")]
)
def test_what_is_missing_is_named(run, monkeypatch, module, use, tmp_path):
    for name in (module, f"{module}.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Unsupported, match=f"pip install .*{'torsor' if module == 'matplotlib' else module}"):
        getattr(run, use)(*([tmp_path / "x"] if use == "to_parquet" else []))


def test_parquet_holds_every_digit(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    run.to_parquet(tmp_path / "run.parquet")
    found = parquet.read_table(tmp_path / "run.parquet")
    columns = run.table()
    assert found.column_names == list(columns)
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name].to_numpy(), column)
    with pytest.raises(TorsorError, match="cannot write here"):
        run.to_parquet(tmp_path / "no" / "run.parquet")


def test_xarray(run, tmp_path):
    xarray = pytest.importorskip("xarray")
    found = run.to_xarray()
    assert isinstance(found, xarray.Dataset)
    assert found.attrs == {"arm": "planar2", "integrator": "rk4"}
    assert found["tau"].attrs["units"] == "N m"
    for name in ("q", "qd", "qdd", "tau"):
        assert found[name].dims == ("time", "motor" if name == "tau" else "joint")
        np.testing.assert_array_equal(found[name].sel(time=run.time[7]), getattr(run, name)[7])
    np.testing.assert_array_equal(found["q"].sel(joint="joint1"), run.q[:, 0])
    np.testing.assert_array_equal(found["energy"], run.energy)


def test_xarray_of_rollouts_and_of_states():
    pytest.importorskip("xarray")
    arm = torsor.load("planar2")
    law = torsor.control.pid(arm, 50.0, 10.0, 20.0, [0.0, 0.0])
    runs = torsor.simulate(arm, law, q0=np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]), until=0.1)
    found = runs.to_xarray()
    assert dict(found.sizes) == {"rollout": 3, "time": 101, "joint": 2, "motor": 2, "state": 2}
    np.testing.assert_array_equal(found["x"], runs.x)
    np.testing.assert_array_equal(found["q"].isel(rollout=1), runs[1].q)
    np.testing.assert_array_equal(found["energy"], runs.energy)
