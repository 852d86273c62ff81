"""The rows of one arm: calls from Python, the bare kernel, and batches, each beside the peer that does the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.bench import peers_casadi
from torsor.bench.findings import Row
from torsor.bench.peers import PeerMissing
from torsor.bench.peers_mujoco import MuJoCo
from torsor.bench.peers_pinocchio import Pinocchio
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import kernel_work, over_states
from torsor.measuring.states import one_state, states
from torsor.measuring.stopwatch import TimeBudget, TimedWork, repeated, statement
from torsor.model import Model

SINGLE_AGREES = 1e-5  # of the largest element, as float32 is declared
CHECKED = 64  # states at which results are compared before anything is timed
ID, MASS, JACOBIAN = "inverse_dynamics", "mass_matrix", "jacobian"
MJ_INVERSE = "data.qpos[:] = q; data.qvel[:] = qd; data.qacc[:] = qdd; mujoco.mj_inverse(model, data)"
JOINT_JACOBIANS = "pin.computeJointJacobians(model, data, q); pin.getFrameJacobian(model, data, frame, WORLD)"
PLACEMENT = "pin.forwardKinematics(model, data, q); pin.updateFramePlacement(model, data, frame)"
CALLS: tuple[tuple[str, str, str, str, str, float | None], ...] = (  # what, of which quantity, by us, beside, by them
    ("ID call", ID, "(q, qd, qdd)", "pin rnea", "pin.rnea(model, data, q, qd, qdd)", 6.0),
    ("ID call, out=", ID, "(q, qd, qdd, out=out)", "pin rnea", "pin.rnea(model, data, q, qd, qdd)", None),
    ("ID call", ID, "(q, qd, qdd)", "mj_inverse", MJ_INVERSE, None),
    ("FD call", "forward_dynamics", "(q, qd, qdd)", "pin aba", "pin.aba(model, data, q, qd, qdd)", None),
    ("mass matrix call", MASS, "(q)", "pin crba", "pin.crba(model, data, q)", 4.0),
    ("jacobian call", JACOBIAN, "(q)", "pin jointJacobians", JOINT_JACOBIANS, 4.0),
    (
        "jacobian call",
        JACOBIAN,
        "(q)",
        "pin frameJacobian",
        "pin.computeFrameJacobian(model, data, q, frame, WORLD)",
        4.0,
    ),
    ("pose call", "pose", "(q)", "pin framePlacement", PLACEMENT, 4.0),
)


class ArmContest:
    """An arm and its peers, where they are ``wanted``; what was left out and why is in ``skipped``."""

    def __init__(self, arm: Arm, effort: TimeBudget, *, wanted: bool = True, skipped: dict[str, str] | None = None):
        self.arm, self.effort = arm, effort
        self.skipped = {} if skipped is None else skipped

        def or_none(name: str, make: Callable[[Model], Any]) -> Any:
            try:
                return make(arm.model) if wanted else None
            except PeerMissing as missing:
                self.skipped[name] = str(missing)
                return None

        self.pinocchio: Pinocchio | None = or_none("pin", Pinocchio)
        self.casadi: peers_casadi.CasadiFunction | None = or_none("casadi", peers_casadi.native)
        self.mujoco: MuJoCo | None = or_none("mujoco", MuJoCo)

    def row(
        self, what: str, ours: TimedWork, error: float, peer: str, theirs: TimedWork | None, least: float | None = None
    ) -> Row:
        """Times both sides, or ours alone; neither if the numbers are wrong."""
        row = Row(self.arm.name, what, peer if theirs else "", at_least=least, error=error)
        return row.timed(self.effort, ours, theirs)


def calls_from_python(contest: ArmContest) -> Iterator[Row]:
    """One state, NumPy arrays in and out, as a script writes it."""
    arm = contest.arm
    q, qd, qdd = one_state(arm.n)
    names = {"arm": arm, "q": q, "qd": qd, "qdd": qdd, "out": np.empty(arm.n)}
    for what, quantity, arguments, peer, theirs, promised in CALLS:
        asked = contest.mujoco if peer == "mj_inverse" else contest.pinocchio
        error = _error_of(contest, quantity)
        if peer == "mj_inverse":
            if contest.mujoco is None:
                continue
            found = contest.mujoco.inverse_dynamics(q, qd, qdd)
            error = max(error, difference(arm.inverse_dynamics(q, qd, qdd), found))
        work = statement(theirs, names | asked.names) if asked else None
        yield contest.row(what, statement(f"arm.{quantity}{arguments}", names), error, peer, work, promised)


def kernel_alone(contest: ArmContest) -> Iterator[Row]:
    """The native function for one state after another, both sides in the same loop over the same states."""
    arm = contest.arm
    inputs = states(contest.effort.states, arm.n)
    for what, quantity, promised in (("ID", ID, 2.5), ("FD", "forward_dynamics", None), ("mass matrix", MASS, None)):
        kernel = arm.kernel(quantity)
        given = inputs[: len(kernel.tape.inputs)]
        out, ours, _ = kernel_work(kernel, given)
        if ours is None:  # no machine code on this system
            return
        ours.run(1)
        error, theirs = difference(out, getattr(arm.reference, quantity)(*given)), None
        if quantity == ID and contest.casadi is not None:
            other = np.empty_like(out)
            theirs = TimedWork(over_states(contest.casadi.address, [*inputs, other]), len(out))
            theirs.run(1)
            error = max(error, difference(out, other))
        yield contest.row(f"{what} native", ours, error, "CasADi C", theirs, promised)


def batches(contest: ArmContest) -> Iterator[Row]:
    """Many states in one call, one thread, into arrays that are there."""
    arm, count = contest.arm, contest.effort.batch
    inputs = states(count, arm.n)
    for what, quantity, peer in (("ID", ID, "pin rneaInParallel"), ("FD", "forward_dynamics", "pin abaInParallel")):
        out, other = np.empty((count, arm.n)), np.empty((count, arm.n))
        ours = partial(getattr(arm, quantity), *inputs, out=out, threads=1)
        ours()
        error, theirs = _error_of(contest, quantity), None
        if contest.pinocchio:
            batch = partial(getattr(contest.pinocchio, quantity), *inputs, other)
            batch()
            error, theirs = max(error, difference(out, other)), repeated(batch, count)
        yield contest.row(f"{what} batch of {_thousands(count)}", repeated(ours, count), error, peer, theirs, 30.0)


def single_precision_batches(contest: ArmContest) -> Iterator[Row]:
    """The same batches in float32, beside those in float64, at states that both hold."""
    arm, count = contest.arm, contest.effort.batch
    inputs = [a.astype(np.float32) for a in states(count, arm.n)]
    wide = [a.astype(np.float64) for a in inputs]
    for what, quantity in (("ID", ID), ("FD", "forward_dynamics")):
        single, double = np.empty((count, arm.n), np.float32), np.empty((count, arm.n))
        method = getattr(arm, quantity)
        ours = partial(method, *inputs, out=single, dtype=np.float32, threads=1)
        theirs = partial(method, *wide, out=double, threads=1)
        ours()
        theirs()
        row = Row(arm.name, f"{what} batch of {_thousands(count)}, float32", "torsor, float64", within=SINGLE_AGREES)
        row = replace(row, error=difference(single.astype(np.float64), double))
        yield row.timed(contest.effort, repeated(ours, count), repeated(theirs, count))


def derivative_batches(contest: ArmContest) -> Iterator[Row]:
    """Both sets of derivatives: ours in a batch, one thread; Pinocchio's one by one, for it has no batch of them."""
    arm, pinocchio, count = contest.arm, contest.pinocchio, contest.effort.derivative_batch
    inputs = states(count, arm.n)
    given = [a[:CHECKED] for a in inputs]
    one = dict(zip(("q", "qd", "qdd"), one_state(arm.n), strict=True))
    for what, base, peer in (("dID", ID, "RNEADerivatives"), ("dFD", "forward_dynamics", "ABADerivatives")):
        quantity = f"{base}_derivatives"
        method, theirs, error = getattr(arm, quantity), None, _slopes_error(arm, base)
        if pinocchio:
            found = [getattr(pinocchio, quantity)(*state) for state in zip(*given, strict=True)]
            pairs = zip(method(*given), zip(*found, strict=True), strict=True)
            error = max(error, *(difference(mine, np.array(other)) for mine, other in pairs))
            theirs = statement(f"pin.compute{peer}(model, data, q, qd, qdd)", one | pinocchio.names)
        out = tuple(np.empty((count, arm.n, arm.n)) for _ in range(3))
        ours = repeated(partial(method, *inputs, out=out, threads=1), count)
        yield contest.row(f"{what} batch of {_thousands(count)}", ours, error, peer, theirs, 10.0)


def _error_of(contest: ArmContest, quantity: str) -> float:
    """How far we are from the reference, from Pinocchio where it is there, and our batches from our single calls."""
    arm, method = contest.arm, getattr(contest.arm, quantity)
    given = states(CHECKED, arm.n)[: len(arm.kernel(quantity).tape.inputs)]
    ours, each = method(*given), list(zip(*given, strict=True))
    others = [getattr(arm.reference, quantity)(*given)]
    if contest.pinocchio:
        theirs = getattr(contest.pinocchio, quantity)
        if quantity in (ID, "forward_dynamics"):
            others.append(np.empty_like(ours))
            theirs(*given, others[-1])
        else:
            others.append(np.array([theirs(*state) for state in each]))
    singly = np.array([method(*state) for state in each])
    return max(difference(singly, ours), *(difference(ours, other) for other in others))


def _slopes_error(arm: Arm, base: str) -> float:
    """Against the reference along a random direction, by a complex step, which has no truncation error."""
    q, qd, last = states(CHECKED, arm.n)
    dq, dqd, _ = getattr(arm, f"{base}_derivatives")(q, qd, last)
    u, v = np.random.default_rng(0).normal(size=(2, arm.n))
    slope = getattr(arm.reference, base)(q + 1e-30j * u, qd + 1e-30j * v, last).imag / 1e-30
    return difference(dq @ u + dqd @ v, slope)


def _thousands(count: int) -> str:
    return f"{count // 1000}k" if count % 1000 == 0 else str(count)
