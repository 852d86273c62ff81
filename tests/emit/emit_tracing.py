"""A very small tracer and interpreter of tapes: the tests of emit/ need nothing of algebra/ but the data types."""

from __future__ import annotations

import numpy as np

from torsor.algebra.tape import Array, Instruction, Tape


class Trace:
    """Builds a tape by operator overloading: shares equal instructions, folds constants, drops zeros and ones."""

    def __init__(self, name: str, inputs: dict[str, tuple[int, ...]]) -> None:
        self.name = name
        self.inputs = tuple(Array(n, s) for n, s in inputs.items())
        self.code: list[Instruction] = []
        self.known: dict[tuple[str, tuple[int, ...], float], int] = {}
        self.arrays: dict[str, np.ndarray] = {}
        flat = 0
        for array in self.inputs:
            size = int(np.prod(array.shape, dtype=int))
            block = np.empty(size, dtype=object)
            for i in range(size):
                block[i] = self.emit("input", (), float(flat + i))
            self.arrays[array.name] = block.reshape(array.shape)
            flat += size

    def emit(self, op: str, args: tuple[int, ...] = (), value: float = 0.0) -> Value:
        key = (op, args, value)
        if key not in self.known:
            self.known[key] = len(self.code)
            self.code.append(Instruction(op, args, value))
        return Value(self, self.known[key])

    def const(self, x: float) -> Value:
        return self.emit("const", (), float(x))

    def lift(self, x: object) -> Value:
        return x if isinstance(x, Value) else self.const(float(x))  # type: ignore[arg-type]

    def call(self, op: str, *args: object) -> Value:
        return self.emit(op, tuple(self.lift(a).k for a in args))

    def tape(self, outputs: dict[str, np.ndarray]) -> Tape:
        arrays, results = [], []
        for name, block in outputs.items():
            block = np.asarray(block, dtype=object)
            arrays.append(Array(name, block.shape))
            results += [self.lift(v).k for v in block.ravel()]
        return Tape(self.name, self.inputs, tuple(arrays), tuple(self.code), tuple(results))


class Value:
    __slots__ = ("k", "trace")

    def __init__(self, trace: Trace, k: int) -> None:
        self.trace = trace
        self.k = k

    @property
    def number(self) -> float | None:
        i = self.trace.code[self.k]
        return i.value if i.op == "const" else None

    def _binary(self, op: str, other: object, swap: bool = False) -> Value:
        a, b = self, self.trace.lift(other)
        if swap:
            a, b = b, a
        x, y = a.number, b.number
        if x is not None and y is not None:
            return self.trace.const({"add": x + y, "sub": x - y, "mul": x * y}.get(op, x / y if y else float("nan")))
        if op == "add" and x == 0.0:
            return b
        if op in ("add", "sub") and y == 0.0:
            return a
        if op == "sub" and x == 0.0:
            return -b
        if op == "mul" and 0.0 in (x, y):
            return self.trace.const(0.0)
        if op == "mul" and 1.0 in (x, y):
            return b if x == 1.0 else a
        if op == "mul" and -1.0 in (x, y):
            return -b if x == -1.0 else -a
        return self.trace.emit(op, (a.k, b.k))

    def __add__(self, o):
        return self._binary("add", o)

    def __radd__(self, o):
        return self._binary("add", o, True)

    def __sub__(self, o):
        return self._binary("sub", o)

    def __rsub__(self, o):
        return self._binary("sub", o, True)

    def __mul__(self, o):
        return self._binary("mul", o)

    def __rmul__(self, o):
        return self._binary("mul", o, True)

    def __truediv__(self, o):
        return self._binary("div", o)

    def __rtruediv__(self, o):
        return self._binary("div", o, True)

    def __neg__(self):
        return self.trace.const(-self.number) if self.number is not None else self.trace.emit("neg", (self.k,))

    def sin(self):
        return self.trace.emit("sin", (self.k,))

    def cos(self):
        return self.trace.emit("cos", (self.k,))

    def sqrt(self):
        return self.trace.emit("sqrt", (self.k,))


FUNCTIONS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "abs": np.abs,
    "sign": np.sign,
    "min": np.minimum,
    "max": np.maximum,
    "lt": lambda a, b: np.where(a < b, 1.0, 0.0),
    "le": lambda a, b: np.where(a <= b, 1.0, 0.0),
    "eq": lambda a, b: np.where(a == b, 1.0, 0.0),
    "select": lambda c, a, b: np.where(c != 0, a, b),
    "exp": np.exp,
    "atan2": np.arctan2,
    "floor": np.floor,
}


def interpret(tape: Tape, *arrays: np.ndarray, dtype: type = np.float64) -> tuple[np.ndarray, ...]:
    """The tape, instruction by instruction, on NumPy arrays with any leading shape."""
    columns: list[np.ndarray] = []
    leading: list[tuple[int, ...]] = []
    for spec, array in zip(tape.inputs, arrays, strict=True):
        array = np.asarray(array, dtype=dtype)
        lead = array.shape[: array.ndim - len(spec.shape)]
        leading.append(lead)
        flat = array.reshape(*lead, spec.size)
        columns += [flat[..., i] for i in range(flat.shape[-1])]
    values: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for i in tape.code:
            if i.op == "input":
                values.append(columns[int(i.value)])
            elif i.op == "const":
                values.append(dtype(i.value))
            else:
                values.append(dtype(FUNCTIONS[i.op](*(values[a] for a in i.args))))
    batch = np.broadcast_shapes(*leading)
    outs, at = [], 0
    for spec in tape.outputs:
        size = int(np.prod(spec.shape, dtype=int))
        stack = [np.broadcast_to(values[r], batch) for r in tape.results[at : at + size]]
        outs.append((np.stack(stack, -1) if stack else np.empty((*batch, 0))).reshape(*batch, *spec.shape))
        at += size
    return tuple(outs)


def newton_euler(n: int, *, seed: int = 0, d=None, a=None, alpha=None, name: str | None = None) -> Tape:
    """Inverse dynamics of an n-joint arm by Newton-Euler in link axes, standard Denavit-Hartenberg, random masses."""
    rng = np.random.default_rng(seed)
    if d is None:
        d, a, alpha = (np.resize(v, n) for v in UR5)
    trace = Trace(name or f"inverse_dynamics_{n}r", {"q": (n,), "qd": (n,), "qdd": (n,)})
    q, qd, qdd = (trace.arrays[k] for k in ("q", "qd", "qdd"))
    mass = rng.uniform(0.3, 8, n)
    com = rng.uniform(-0.2, 0.2, (n, 3))
    com[:, rng.integers(0, 3, n)] = 0.0
    inertia = [np.diag(rng.uniform(0.01, 0.4, 3)) for _ in range(n)]
    ca, sa = np.round(np.cos(alpha), 15), np.round(np.sin(alpha), 15)
    zero = np.zeros(3)
    w, wd, acc = zero, zero, np.array([0, 0, 9.81])
    rotations, arms, forces, moments = [], [], [], []
    for i in range(n):
        c, s = q[i].cos(), q[i].sin()
        R = np.array([[c, -s * ca[i], s * sa[i]], [s, c * ca[i], -c * sa[i]], [0, sa[i], ca[i]]], dtype=object)
        p = np.array([a[i], d[i] * sa[i], d[i] * ca[i]])  # in axes of link i
        z = np.array([0, 0, 1.0])
        wz = w + z * qd[i]
        wdz = wd + z * qdd[i] + np.cross(w, z * qd[i])
        w, wd = R.T @ wz, R.T @ wdz
        acc = R.T @ acc + np.cross(wd, p) + np.cross(w, np.cross(w, p))
        ac = acc + np.cross(wd, com[i]) + np.cross(w, np.cross(w, com[i]))
        rotations.append(R)
        arms.append(p)
        forces.append(mass[i] * ac)
        moments.append(inertia[i] @ wd + np.cross(w, inertia[i] @ w))
    tau = np.empty(n, dtype=object)
    f, m = zero, zero
    for i in reversed(range(n)):
        m = moments[i] + m + np.cross(arms[i], f) + np.cross(arms[i] + com[i], forces[i])
        f = forces[i] + f
        R = rotations[i]
        f, m = R @ f, R @ m
        tau[i] = m[2]
    return trace.tape({"tau": tau})


# d, a, alpha of a UR5
UR5 = (
    (0.089159, 0, 0, 0.10915, 0.09465, 0.0823),
    (0, -0.425, -0.39225, 0, 0, 0),
    (np.pi / 2, 0, 0, np.pi / 2, -np.pi / 2, 0),
)
