"""The rows of one arm: calls from Python, the bare kernel, and batches, each beside the peer that does the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.bench import peers_casadi
from torsor.bench.findings import Row
from torsor.bench.peers import PeerMissing
from torsor.bench.peers_mujoco import MuJoCo
from torsor.bench.peers_pinocchio import Pinocchio
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import over_states
from torsor.measuring.states import one_state, states
from torsor.measuring.stopwatch import TimeBudget, TimedWork, alone, compared, repeated, statement
from torsor.model.transforms import Floats

CHECKED = 64  # states at which results are compared before anything is timed
DERIVATIVES = {"inverse_dynamics_derivatives": "RNEADerivatives", "forward_dynamics_derivatives": "ABADerivatives"}


@dataclass
class ArmContest:
    """An arm and its peers; what was left out and why is in ``skipped``."""

    arm: Arm
    effort: TimeBudget
    wanted: bool = True  # whether peers are to be asked at all
    skipped: dict[str, str] = field(default_factory=dict)
    pinocchio: Pinocchio | None = None
    casadi: peers_casadi.CasadiFunction | None = None
    mujoco: MuJoCo | None = None

    def __post_init__(self) -> None:
        if self.wanted:
            self.pinocchio = self._or_none("pin", Pinocchio)
            self.casadi = self._or_none("casadi", peers_casadi.native)
            self.mujoco = self._or_none("mujoco", MuJoCo)

    def _or_none(self, name: str, make: Callable[[Any], Any]) -> Any:
        try:
            return make(self.arm.model)
        except PeerMissing as missing:
            self.skipped[name] = str(missing)
            return None

    def row(
        self,
        what: str,
        ours: TimedWork,
        error: float,
        peer: str = "",
        theirs: TimedWork | None = None,
        at_least: float | None = None,
    ) -> Row:
        """Times both sides, or ours alone; neither if the numbers are wrong."""
        name = self.arm.name
        row = Row(name, what, peer if theirs else "", at_least=at_least, error=error)
        if row.wrong:
            return row
        if theirs is None:
            return Row(name, what, ours=alone(ours, self.effort), at_least=at_least, error=error)
        f = compared(ours, theirs, self.effort)
        return Row(name, what, peer, f.ours, f.theirs, f.ratio, at_least, error=error)


def calls_from_python(contest: ArmContest) -> Iterator[Row]:
    """One state, NumPy arrays in and out, as a script writes it."""
    arm, pinocchio = contest.arm, contest.pinocchio
    q, qd, qdd = one_state(arm.n)
    out = np.empty(arm.n)
    names = {"arm": arm, "q": q, "qd": qd, "qdd": qdd, "out": out}
    against = names | (pinocchio.names if pinocchio else {})

    def pin(text: str) -> TimedWork | None:
        return statement(text, against) if pinocchio else None

    error = _error_of(contest, "inverse_dynamics")
    rnea = pin("pin.rnea(model, data, q, qd, qdd)")
    ours = "arm.inverse_dynamics(q, qd, qdd)"
    yield contest.row("ID call", statement(ours, names), error, "pin rnea", rnea, 6.0)
    ours = "arm.inverse_dynamics(q, qd, qdd, out=out)"
    yield contest.row("ID call, out=", statement(ours, names), error, "pin rnea", rnea)
    if contest.mujoco:
        theirs = statement(
            "data.qpos[:] = q; data.qvel[:] = qd; data.qacc[:] = qdd; mujoco.mj_inverse(model, data)",
            names | contest.mujoco.names,
        )
        found = contest.mujoco.inverse_dynamics(q, qd, qdd)
        off = max(error, difference(arm.inverse_dynamics(q, qd, qdd), found))
        ours = "arm.inverse_dynamics(q, qd, qdd)"
        yield contest.row("ID call", statement(ours, names), off, "mj_inverse", theirs)

    error = _error_of(contest, "forward_dynamics")
    aba = pin("pin.aba(model, data, q, qd, qdd)")
    yield contest.row("FD call", statement("arm.forward_dynamics(q, qd, qdd)", names), error, "pin aba", aba)

    crba = pin("pin.crba(model, data, q)")
    error = _error_of(contest, "mass_matrix")
    yield contest.row("mass matrix call", statement("arm.mass_matrix(q)", names), error, "pin crba", crba, 4.0)

    two_steps = "pin.computeJointJacobians(model, data, q); pin.getFrameJacobian(model, data, frame, WORLD)"
    error = _error_of(contest, "jacobian")
    ours = "arm.jacobian(q)"
    yield contest.row("jacobian call", statement(ours, names), error, "pin jointJacobians", pin(two_steps), 4.0)
    one_step = pin("pin.computeFrameJacobian(model, data, q, frame, WORLD)")
    yield contest.row("jacobian call", statement(ours, names), error, "pin frameJacobian", one_step, 4.0)

    frames = pin("pin.forwardKinematics(model, data, q); pin.updateFramePlacement(model, data, frame)")
    error = _error_of(contest, "pose")
    yield contest.row("pose call", statement("arm.pose(q)", names), error, "pin framePlacement", frames, 4.0)


def kernel_alone(contest: ArmContest) -> Iterator[Row]:
    """The native function for one state after another, both sides in the same loop over the same states."""
    arm = contest.arm
    kernel = arm.kernel("inverse_dynamics")
    if kernel.scalar_address is None:  # no machine code on this system
        return
    inputs = states(contest.effort.states, arm.n)
    out = np.empty_like(inputs[0])
    ours = TimedWork(over_states(kernel.scalar_address, [*inputs, out]), len(out))
    ours.run(1)
    error = difference(out, arm.reference.inverse_dynamics(*inputs))
    theirs = None
    if contest.casadi is not None:
        other = np.empty_like(out)
        theirs = TimedWork(over_states(contest.casadi.address, [*inputs, other]), len(out))
        theirs.run(1)
        error = max(error, difference(out, other))
    yield contest.row("ID native", ours, error, "CasADi C", theirs, 2.5)
    for what, quantity in (("FD", "forward_dynamics"), ("mass matrix", "mass_matrix")):
        kernel = arm.kernel(quantity)
        given = inputs[: len(kernel.tape.inputs)]
        results = np.empty((len(out), *kernel.tape.outputs[0].shape))
        if kernel.scalar_address is not None:
            task = TimedWork(over_states(kernel.scalar_address, [*given, results]), len(out))
            task.run(1)
            error = difference(results, getattr(arm.reference, quantity)(*given))
            yield contest.row(f"{what} native", task, error)


def batches(contest: ArmContest) -> Iterator[Row]:
    """Many states in one call, one thread, into arrays that are there."""
    arm, pinocchio = contest.arm, contest.pinocchio
    count = contest.effort.batch
    inputs = states(count, arm.n)
    for what, quantity, peer in (
        ("ID", "inverse_dynamics", "pin rneaInParallel"),
        ("FD", "forward_dynamics", "pin abaInParallel"),
    ):
        out, other = np.empty((count, arm.n)), np.empty((count, arm.n))
        method = getattr(arm, quantity)
        error = _error_of(contest, quantity)

        def ours(method: Any = method, out: Floats = out) -> None:
            method(*inputs, out=out, threads=1)

        ours()
        theirs: TimedWork | None = None
        if pinocchio:
            batch = getattr(pinocchio, quantity)

            def run(batch: Any = batch, other: Floats = other) -> None:
                batch(*inputs, other)

            run()
            error = max(error, difference(out, other))
            theirs = repeated(run, count)
        yield contest.row(f"{what} batch of {_thousands(count)}", repeated(ours, count), error, peer, theirs, 30.0)


def derivative_batches(contest: ArmContest) -> Iterator[Row]:
    """Both sets of derivatives: ours in a batch, one thread; Pinocchio's one by one, for it has no batch of them."""
    arm, pinocchio = contest.arm, contest.pinocchio
    count = contest.effort.derivative_batch
    inputs = states(count, arm.n)
    q, qd, qdd = one_state(arm.n)
    for what, quantity in (("dID", "inverse_dynamics_derivatives"), ("dFD", "forward_dynamics_derivatives")):
        method = getattr(arm, quantity)
        out = tuple(np.empty((count, arm.n, arm.n)) for _ in range(3))
        theirs: TimedWork | None = None
        error = _slopes_error(arm, quantity)
        if pinocchio:
            found = [getattr(pinocchio, quantity)(*(a[k] for a in inputs)) for k in range(CHECKED)]
            given = [a[:CHECKED] for a in inputs]
            pairs = zip(method(*given), zip(*found, strict=True), strict=True)
            error = max(error, *(difference(mine, np.array(other)) for mine, other in pairs))
            text = f"pin.compute{DERIVATIVES[quantity]}(model, data, q, qd, qdd)"
            theirs = statement(text, {"q": q, "qd": qd, "qdd": qdd} | pinocchio.names)

        def ours(method: Any = method, out: tuple[Floats, ...] = out) -> None:
            method(*inputs, out=out, threads=1)

        label = f"{what} batch of {_thousands(count)}"
        yield contest.row(label, repeated(ours, count), error, DERIVATIVES[quantity], theirs, 10.0)


def _error_of(contest: ArmContest, quantity: str) -> float:
    """How far we are from the reference, and from Pinocchio where it is there."""
    arm, pinocchio = contest.arm, contest.pinocchio
    given = states(CHECKED, arm.n)[: len(arm.kernel(quantity).tape.inputs)]
    ours = getattr(arm, quantity)(*given)
    error = difference(ours, getattr(arm.reference, quantity)(*given))
    if pinocchio:
        if quantity in ("inverse_dynamics", "forward_dynamics"):
            other = np.empty_like(ours)
            getattr(pinocchio, quantity)(*given, other)
        else:
            other = np.array([getattr(pinocchio, quantity)(*state) for state in zip(*given, strict=True)])
        error = max(error, difference(ours, other))
    singly = np.array([getattr(arm, quantity)(*state) for state in zip(*given, strict=True)])
    return max(error, difference(singly, ours))


def _slopes_error(arm: Arm, quantity: str) -> float:
    """Against the reference along a random direction, by a complex step, which has no truncation error."""
    base = getattr(arm.reference, quantity.removesuffix("_derivatives"))
    q, qd, last = states(CHECKED, arm.n)
    dq, dqd, _ = getattr(arm, quantity)(q, qd, last)
    u, v = np.random.default_rng(0).normal(size=(2, arm.n))
    slope = base(q + 1e-30j * u, qd + 1e-30j * v, last).imag / 1e-30
    return difference(dq @ u + dqd @ v, slope)


def _thousands(count: int) -> str:
    return f"{count // 1000}k" if count % 1000 == 0 else str(count)
