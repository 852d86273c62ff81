"""Arms whose masses, lengths and inertias stay symbols, and base inertial parameters.

A symbolic arm keeps the structure of its data: what is zero in the file is zero in the equations, everything else gets
the name robotics gives it: m2, rx2, Ixy3; of Denavit-Hartenberg rows also a2, d3; and g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from torsor.algebra import count, parameter, symbols
from torsor.algebra.exact import tidied
from torsor.errors import Unsupported
from torsor.mechanics.canonical import Trees, framed, regrouped
from torsor.mechanics.newton_euler import inverse_dynamics
from torsor.mechanics.payload_symbols import PayloadSymbols
from torsor.mechanics.regressor import parameter_names, parameters, regressor
from torsor.mechanics.tree import Body, Mount, Reals, Tree
from torsor.model.file_symbols import FileSymbol
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, cos_sin, inverse, size_of, skew, times

Parameters = Literal["numeric", "symbolic", "base"]
KINDS: tuple[Parameters, ...] = ("numeric", "symbolic", "base")


class Names:
    """Makes parameters of numbers that are not zero, and remembers their values: of inertia if ``inertial``, of lengths
    of rows if ``lengths``, and always of what the arm file calls by a symbol."""

    def __init__(self, *, inertial: bool, lengths: bool, symbols: Sequence[FileSymbol] = ()) -> None:
        self.values: dict[str, float] = {}
        self.inertial, self.lengths, self.symbols = inertial, lengths, symbols
        self.called = {symbol.name for symbol in symbols}

    def length(self, name: str, value: float) -> Any:
        return self._made(name, value, self.lengths)

    def __call__(self, name: str, value: float) -> Any:
        return self._made(name, value, self.inertial)

    def _made(self, name: str, value: float, wanted: bool) -> Any:
        if value == 0.0:
            return 0.0
        for symbol in self.symbols:
            if sign := symbol.is_in(value):
                self.values[symbol.name] = symbol.stand_in
                return sign * parameter(symbol.name)
        if not wanted:
            return float(value)
        while name in self.called:  # the file calls something else so
            name += "_"
        self.values[name] = tidied(float(value))
        return parameter(name)


def parametrised(
    model: Model, plain: Tree, kind: Parameters, *, lengths: bool = False, symbols: Sequence[FileSymbol] = (),
    payload: PayloadSymbols | None = None,
) -> tuple[Trees, dict[str, float]]:  # fmt: skip
    """The trees of an arm with symbols for parameters, and the values the arm has for them.

    ``lengths`` also makes symbols of the lengths of Denavit-Hartenberg rows; the frames then stay those of the file.
    ``symbols`` are those of the arm file itself, ``payload`` what an arm that holds nothing may be given to hold.
    """
    held = payload.values if payload else {}
    if kind == "numeric" and not lengths and not symbols:
        if payload is None:
            return Trees(plain), {}
        return Trees(payload.put_on(plain), regrouped(payload.put_on(framed(plain)))), held
    names = Names(inertial=kind != "numeric", lengths=lengths, symbols=symbols)
    lengths = lengths or any(symbol.kind == "length" for symbol in symbols)
    size = size_of(plain.gravity)
    down = plain.gravity / size * names("g", size) if size > 0.0 else plain.gravity
    as_described = replace(SymbolicTree(model, plain, names, lengths).made(), gravity=down)
    lost = [symbol for symbol in symbols if symbol.name not in names.values]
    if lost:
        problem = f"{lost[0].what}, the symbol {lost[0].name!r}, is joined with what is fixed to it"
        raise Unsupported(problem, hint="make one link of them, or give it a number", line=lost[0].line)
    lean = as_described
    if not lengths:
        lean = replace(SymbolicTree(model, framed(plain), names, False).made(), gravity=down)
    if payload is not None:
        as_described, lean = payload.put_on(as_described), payload.put_on(lean)
    if kind == "base":
        as_described, lean = regrouped(as_described), regrouped(lean)
    # frames on common normals are the cheapest as a rule, but not where the file's own keep two lengths in one place
    return Trees(as_described, min(lean, as_described, key=_operations)), names.values | held


def _operations(tree: Tree) -> int:
    q, qd, qdd = (symbols(name, tree.n) for name in ("q", "qd", "qdd"))
    return count(inverse_dynamics(tree, q, qd, qdd, tree.gravity)).total


class SymbolicTree:
    """A tree with symbols in the place of its numbers."""

    def __init__(self, model: Model, tree: Tree, names: Names, lengths: bool) -> None:
        self.tree, self.names = tree, names
        self.number = {i: k + 1 for k, i in enumerate(tree.listed)} | {BASE: 0}
        rows = {i: model.links[body.place].dh for i, body in enumerate(tree.bodies)} if lengths else {}
        self.rows = {i: row for i, row in rows.items() if row is not None}

    def made(self) -> Tree:
        bodies = tuple(self._body(i) for i in range(len(self.tree.bodies)))
        return replace(self.tree, bodies=bodies, frames={n: self._kept(mount) for n, mount in self.tree.frames.items()})

    def _kept(self, mount: Mount) -> Mount:
        """What rides on a body stays where it is behind the lengths of the body's row."""
        if mount.body not in self.rows:
            return mount
        rest = mount.position - self.tree.bodies[mount.body].link[:3, 3]
        return replace(mount, position=self._tail(mount.body) + _rounded(rest, mount.position))

    def _body(self, i: int) -> Body:
        body, own, names = self.tree.bodies[i], self.number[i], self.names
        mass, com, inertia = _about_com_in_link(body)
        R, p = body.link[:3, :3], self._tail(i)
        m = names(f"m{own}", mass)
        r = np.array([names(f"r{axis}{own}", value) for axis, value in zip("xyz", com, strict=True)], dtype=object)
        entries: dict[tuple[int, int], Any] = {}
        for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            # equal principal moments are one symbol, as in the papers: a round link is round by design
            alike = (c for c in range(a) if a == b and abs(inertia[c, c] - inertia[a, a]) <= 1e-12 * inertia[a, a])
            twin = next(alike, a)
            name = f"I{'xyz'[twin]}{'xyz'[twin if a == b else b]}{own}"
            entries[a, b] = entries[b, a] = names(name, inertia[twin, twin] if a == b else inertia[a, b])
        K = np.array([[_second_moment(entries, a, b) for b in range(3)] for a in range(3)], dtype=object)
        in_body = times(R, r) + p
        second = times(R, K, R.T) + m * np.outer(in_body, in_body)
        return replace(body, mass=m, moment=m * in_body, second=second, position=self._position(i))

    def _tail(self, i: int) -> Reals:
        """Where the link's origin is in the body: at (a, 0, d) of a standard row."""
        row, own = self.rows.get(i), self.number[i]
        if row is None or row.convention != "standard-dh":
            return self.tree.bodies[i].link[:3, 3]
        a, d = self.names.length(f"a{own}", row.a), self.names.length(f"d{own}", row.d)
        return np.array([a, 0.0, d], dtype=object)

    def _position(self, i: int) -> Reals:
        """Where the joint is in its parent: behind the parent's standard row, or at (a, -sin alpha d, cos alpha d).

        What else lies between them, where a sliding joint starts or a fixed link, stays a number.
        """
        body, own, row = self.tree.bodies[i], self.number[i], self.rows.get(i)
        before = self.rows.get(body.parent)
        if row is not None and row.convention == "modified-dh":
            c, s = cos_sin(row.alpha)
            numbers = np.array([row.a, -s * row.d, c * row.d])
            a, d = self.names.length(f"a{own - 1}", row.a), self.names.length(f"d{own}", row.d)
            symbols = np.array([a, -s * d, c * d], dtype=object)
        elif before is not None and before.convention == "standard-dh":
            numbers, symbols = self.tree.bodies[body.parent].link[:3, 3], self._tail(body.parent)
        else:
            return body.position
        return symbols + _rounded(body.position - numbers, body.position)


def _second_moment(I: dict[tuple[int, int], Any], a: int, b: int) -> Any:
    """An entry of K = 1/2 tr(I) 1 - I, written so that equal moments cancel where they do."""
    if a != b:
        return -I[a, b]
    own, x, y = I[a, a], I[(a + 1) % 3, (a + 1) % 3], I[(a + 2) % 3, (a + 2) % 3]
    if x is own:
        return 0.5 * y
    if y is own:
        return 0.5 * x
    return x - 0.5 * own if x is y else 0.5 * (x + y - own)


def _about_com_in_link(body: Body) -> tuple[float, Floats, Floats]:
    """Mass, centre of mass and central inertia in link axes; what rounding left of zeros is removed."""
    T = inverse(body.link)
    mass = body.mass
    com_body = body.moment / mass if mass > 0.0 else np.zeros(3)
    central = body.inertia + mass * times(skew(com_body), skew(com_body))
    com = times(T[:3, :3], com_body) + T[:3, 3] if mass > 0.0 else np.zeros(3)
    inertia = times(T[:3, :3], central, T[:3, :3].T)
    reach = max(1e-3, float(np.abs(body.link[:3, 3]).max()), float(np.abs(com).max()))
    com = np.where(np.abs(com) <= 1e-12 * reach, 0.0, com)
    floor = 1e-12 * max(float(np.abs(inertia).max()), mass * reach**2)
    return mass, com, np.where(np.abs(inertia) <= floor, 0.0, inertia)


def _rounded(rest: Floats, whole: Floats) -> Floats:
    """What is left of a position without the part that has symbols; rounding is removed."""
    return np.where(np.abs(rest) <= 1e-12 * max(1e-3, float(np.abs(whole).max())), 0.0, rest)


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """The combinations of inertial parameters that torques depend on, none less.

    ``values`` are those of the arm; combination k is names[k] plus the terms of combinations[k].
    """

    names: tuple[str, ...]
    combinations: tuple[dict[str, float], ...]
    values: Floats
    columns: tuple[int, ...]  # of the regressor, so that tau = Y[..., columns] @ values

    def __str__(self) -> str:
        lines = []
        for name, terms, value in zip(self.names, self.combinations, self.values, strict=True):
            rest = "".join(f" {'-' if f < 0 else '+'} {_factor(abs(f))}{other}" for other, f in terms.items())
            lines.append(f"{value:14.6g}  = {name}{rest}")
        return "\n".join(lines)


LEAST_FACTOR = 1e-9  # with which a parameter counts among others: less is what rounding leaves


def base_parameters(tree: Tree) -> BaseParameters:
    """By QR of regressors at random states (Gautier 1991): dependent columns are combinations of the others.

    Columns that are offered first are kept. As in the rules of Gautier & Khalil these are, of a body that turns, all
    but its mass, its first moment along the axis and one moment of inertia across it; of one that slides, its mass and
    first moments.
    """
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-2.0, 2.0, (3, 12 * len(tree.bodies) + 40, tree.n))
    Y = regressor(tree, q, qd, qdd, tree.gravity)
    stacked = Y.reshape(-1, Y.shape[-1])
    scale = np.linalg.norm(stacked, axis=0)
    tolerance = 1e-9 * scale.max()
    rides = [10 * k + each for k, i in enumerate(tree.listed) for each in sorted(_rides_on_parent(tree.bodies[i]))]
    order = [column for column in range(stacked.shape[1]) if column not in rides] + rides
    kept: list[int] = []
    basis = np.zeros((stacked.shape[0], 0))
    for column in order:
        rest = stacked[:, column] - basis @ (basis.T @ stacked[:, column])
        rest = rest - basis @ (basis.T @ rest)
        size = float(np.linalg.norm(rest))
        if size > tolerance:
            kept.append(column)
            basis = np.column_stack([basis, rest / size])
    kept.sort()
    dependent = [c for c in range(stacked.shape[1]) if c not in kept and scale[c] > tolerance]
    mix, *_ = np.linalg.lstsq(stacked[:, kept], stacked[:, dependent], rcond=None)
    mix = np.where(np.abs(mix) < LEAST_FACTOR, 0.0, mix)
    names, pi = parameter_names(tree), parameters(tree)
    combinations = tuple({names[c]: float(f) for c, f in zip(dependent, row, strict=True) if f != 0.0} for row in mix)
    return BaseParameters(tuple(names[c] for c in kept), combinations, pi[kept] + mix @ pi[dependent], tuple(kept))


def _rides_on_parent(body: Body) -> set[int]:
    """Which of a body's ten parameters its parent might as well have, in the axes of the link."""
    mass, first, inertia = 0, 1, 4
    along = int(np.argmax(np.abs(body.link[2, :3])))  # the joint's axis
    if body.turn and body.slide:
        return {inertia + (along + 2) % 3}
    return {mass, first + along, inertia + (along + 2) % 3} if body.turn else set(range(inertia, 10))


def _factor(value: float) -> str:
    return "" if abs(value - 1.0) < 1e-9 else f"{value:.6g} "
