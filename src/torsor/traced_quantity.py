"""What `derive` traces: a quantity that is compiled too, or one that is only for reading.

Only for reading are the coefficients M, c, b and g, and the inverse and the determinant of the Jacobian.
"""

from __future__ import annotations

import numpy as np

from torsor.algebra import count, simplify, symbols
from torsor.errors import Unsupported
from torsor.mechanics import closed_form, composite, composite_coefficients, kinematics
from torsor.mechanics.asking import Question, Traced
from torsor.mechanics.canonical import Trees, at_feet
from torsor.mechanics.determinant import determinant
from torsor.mechanics.inverse_jacobian import inverse_jacobian
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.tree import Reals


def traced_quantity(
    trees: Trees, quantity: str, by: str | None, frame: str, rows: tuple[int, ...], wrench: bool
) -> Traced:
    if quantity == "coefficients":
        q = symbols("q", trees.plain.n)
        return Traced({"q": q}, *_coefficients(trees, q, by))
    if quantity in ("jacobian_inverse", "jacobian_determinant"):
        if by is not None:
            raise Unsupported(f"{by!r} does not compute {quantity}", hint="its form follows from the arm: leave by out")
        q = symbols("q", trees.plain.n)
        if rows:
            det, form = determinant(trees.plain, q, rows, frame)
            return Traced({"q": q}, {"det": np.asarray(det, dtype=object)}, form)
        Ji, form = inverse_jacobian(trees.plain, q, frame)
        return Traced({"q": q}, {"Ji": Ji}, form)
    return Question(trees, QUANTITIES[quantity], wrench=wrench, frame=frame, by=by).traced()


def _coefficients(trees: Trees, q: Reals, by: str | None) -> tuple[dict[str, Reals], str]:
    """M (n, n), c (n, n) for c_ijj, b (n, n, n) for b_ijk with j < k, and g (n,), by the cheaper page; and by which."""
    n = trees.plain.n
    if not trees.plain.is_direct:
        raise Unsupported(f"coefficients are not for {trees.plain.name!r}: a joint follows another")
    pages = {
        composite.FORMULATION.name: (composite_coefficients.coefficients, (trees.lean, at_feet(trees.lean))),
        closed_form.FORMULATION.name: (closed_form.coefficients, (trees.lean, trees.plain)),
    }
    if by is not None and by not in pages:
        raise Unsupported(f"{by!r} does not compute coefficients", hint=f"they are computed by {', '.join(pages)}")
    ways = [
        (page(tree, q, tree.gravity), name)
        for name, (page, frames) in pages.items()
        for tree in frames
        if by in (None, name)
    ]
    one_page = by is not None
    found, by = min(ways, key=lambda way: count(way[0].entries if one_page else simplify(way[0].entries)).total)
    M, c, b = (np.zeros(shape, dtype=object) for shape in ((n, n), (n, n), (n, n, n)))
    for (i, j), value in found.M.items():
        M[i, j] = M[j, i] = value
    for (i, j), value in found.c.items():
        c[i, j] = value
    for (i, j, k), value in found.b.items():
        b[i, j, k] = value
    return {"M": M, "c": c, "b": b, "g": kinematics.vector(*found.g)}, by
