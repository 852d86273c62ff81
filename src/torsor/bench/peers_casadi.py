"""CasADi's C for inverse dynamics: a plain Newton-Euler page in its SX symbols, its cse(), its generator, gcc -O3.

The page is written as in a textbook and kind to CasADi: links on fixed joints are part of their carrier, joints turn
about z, and entries that are zero but for rounding are zero, so that its sparsity sees them.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from torsor.bench.peers import PeerMissing, peer
from torsor.mechanics.tree import lower
from torsor.model import BASE, Model
from torsor.model.transforms import Floats

FLAGS = ("-O3", "-march=native", "-fPIC", "-shared")
ROUNDING = 1e-14

# CasADi's functions take arrays of pointers; seen from the loop they are to look like ours.
ADAPTER = """
void inverse_dynamics(const double *q, const double *qd, const double *qdd, double *tau) {
  const double *arg[3] = {q, qd, qdd};
  double *res[1] = {tau};
  rnea(arg, res, 0, 0, 0);
}
"""


class CasadiFunction(NamedTuple):
    """A loaded function with the native signature of our kernel."""

    address: int
    library: Any  # which holds it


def inverse_dynamics(model: Model) -> Any:
    """The page as a CasADi function (q, qd, qdd) -> tau."""
    ca = peer("casadi")
    tree = lower(model)
    q, qd, qdd = (ca.SX.sym(name, model.n) for name in ("q", "qd", "qdd"))
    w, wd, a, f, n, turns, places = columns = tuple[list[Any], ...]([] for _ in range(7))
    z, still, up = (ca.SX(_clean(each)) for each in (np.array([0.0, 0.0, 1.0]), np.zeros(3), -tree.gravity))
    for body in tree.bodies:
        x, v, vd = (body.factor * each[body.source] for each in (q, qd, qdd))
        R, p = ca.SX(_clean(body.rotation)), ca.SX(_clean(body.position))
        if body.slide:
            p = p + R @ z * (body.slide * (x + body.shift))
        if body.turn:
            R = R @ _turn(ca, x + body.shift)
        root = body.parent == BASE
        w0, wd0, a0 = (still, still, up) if root else (w[body.parent], wd[body.parent], a[body.parent])
        carried = a0 + ca.cross(wd0, p) + ca.cross(w0, ca.cross(w0, p))
        wi, wdi, ai = R.T @ w0, R.T @ wd0, R.T @ carried
        if body.slide:
            ai = ai + z * (body.slide * vd) + 2 * ca.cross(wi, z * (body.slide * v))
        if body.turn:
            wdi = wdi + z * vd + ca.cross(wi, z * v)
            wi = wi + z * v
        moment, inertia = ca.SX(_clean(body.moment)), ca.SX(_clean(body.inertia))  # about the body's origin
        force = body.mass * ai + ca.cross(wdi, moment) + ca.cross(wi, ca.cross(wi, moment))
        couple = inertia @ wdi + ca.cross(wi, inertia @ wi) + ca.cross(moment, ai)
        for column, value in zip(columns, (wi, wdi, ai, force, couple, R, p), strict=True):
            column.append(value)
    tau = ca.SX(model.n, 1)
    for i, body in reversed(list(enumerate(tree.bodies))):
        tau[body.source] += body.factor * ca.dot(z, body.turn * n[i] + body.slide * f[i])
        if body.parent != BASE:
            force = turns[i] @ f[i]
            f[body.parent] = f[body.parent] + force
            n[body.parent] = n[body.parent] + turns[i] @ n[i] + ca.cross(places[i], force)
    return ca.Function("rnea", [q, qd, qdd], [ca.cse(ca.densify(tau))])


def native(model: Model) -> CasadiFunction:
    """The page as machine code, by CasADi's generator and gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise PeerMissing("gcc is not installed, which compiles what CasADi generates")
    function = inverse_dynamics(model)
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        source, library = Path(folder, "rnea.c"), Path(folder, "rnea.so")
        generator = peer("casadi").CodeGenerator("rnea", {"with_header": False})
        generator.add(function)
        source.write_text(generator.dump() + ADAPTER)
        made = subprocess.run([gcc, *FLAGS, source, "-o", library, "-lm"], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise PeerMissing(f"gcc refused what CasADi generated: {made.stderr.strip()[-200:]}")
        loaded = ctypes.CDLL(str(library))  # stays mapped when the file goes
    address = ctypes.cast(loaded.inverse_dynamics, ctypes.c_void_p).value
    return CasadiFunction(address or 0, loaded)


def _turn(ca: Any, angle: Any) -> Any:
    """Rotation about z."""
    R = ca.SX(3, 3)
    R[0, 0] = R[1, 1] = ca.cos(angle)
    R[0, 1], R[1, 0], R[2, 2] = -ca.sin(angle), ca.sin(angle), 1
    return R


def _clean(values: Floats) -> Any:
    """Numbers for CasADi; what is zero but for rounding leaves no entry."""
    array = np.asarray(values, dtype=np.float64)
    ca = peer("casadi")
    return ca.sparsify(ca.DM(np.where(np.abs(array) < ROUNDING, 0.0, array)))
