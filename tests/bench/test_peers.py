"""The peers compute what we compute. CasADi is only there in the environment of ``make bench``."""

import numpy as np
import pytest

from torsor import load
from torsor.bench import peers
from torsor.measuring.agreement import difference
from torsor.measuring.chains import chain
from torsor.measuring.states import states
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model import Model

ARMS = ("ur5", "panda", "puma560", "stanford", "scara")


def models() -> list[Model]:
    return [*(load(name).model for name in ARMS), chain(5)]


@pytest.mark.parametrize("model", models(), ids=lambda model: model.name)
def test_casadi_page_is_inverse_dynamics(model: Model):
    pytest.importorskip("casadi")
    from torsor.bench import peers_casadi

    q, qd, qdd = states(16, model.n)
    found = np.array(peers_casadi.inverse_dynamics(model)(q.T, qd.T, qdd.T)).T
    expected = ReferenceQuantities(lower(model)).inverse_dynamics(q, qd, qdd)
    assert difference(found, expected) < 1e-12


def test_casadi_in_c_has_our_native_signature():
    pytest.importorskip("casadi")
    from torsor.bench import peers_casadi
    from torsor.measuring.state_loop import over_states

    arm = load("ur5")
    inputs = states(16, arm.n)
    out = np.zeros_like(inputs[0])
    over_states(peers_casadi.native(arm.model).address, [*inputs, out])(1)
    assert difference(out, arm.reference.inverse_dynamics(*inputs)) < 1e-12


@pytest.mark.parametrize("model", models(), ids=lambda model: model.name)
def test_pinocchio(model: Model):
    pytest.importorskip("pinocchio")
    from torsor.bench.peers_pinocchio import Pinocchio

    peer, reference = Pinocchio(model), ReferenceQuantities(lower(model))
    inputs = states(4, model.n)
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        out = np.zeros_like(inputs[0])
        getattr(peer, quantity)(*inputs, out)
        assert difference(out, getattr(reference, quantity)(*inputs)) < 1e-9
    for quantity in ("mass_matrix", "jacobian", "pose"):
        found = np.array([getattr(peer, quantity)(q) for q in inputs[0]])
        assert difference(found, getattr(reference, quantity)(inputs[0])) < 1e-9


@pytest.mark.parametrize("name", ARMS)
def test_mujoco(name: str):
    pytest.importorskip("mujoco")
    from torsor.bench.peers_mujoco import MuJoCo

    arm = load(name)
    peer = MuJoCo(arm.model)
    for state in zip(*states(4, arm.n), strict=True):
        assert difference(peer.inverse_dynamics(*state), arm.reference.inverse_dynamics(*state)) < 1e-9
        assert difference(peer.forward_dynamics(*state), arm.reference.forward_dynamics(*state)) < 1e-9


def test_a_missing_peer_names_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(peers.PEERS, "casadi", "no_such_module_at_all")
    with pytest.raises(peers.PeerMissing, match=r"casadi is not installed.*make bench"):
        peers.peer("casadi")


def test_missing_peers_are_left_out_by_name(monkeypatch: pytest.MonkeyPatch):
    from torsor.bench.arm_rows import ArmContest, calls_from_python
    from torsor.measuring.stopwatch import QUICK

    for name in peers.PEERS:
        monkeypatch.setitem(peers.PEERS, name, f"no_such_{name}")
    contest = ArmContest(load("planar2"), QUICK)
    assert set(contest.skipped) == {"pin", "casadi", "mujoco"}
    assert all(row.theirs is None and row.ours for row in calls_from_python(contest))
