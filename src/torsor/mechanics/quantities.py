# Methods have no bodies here: the decorator gives them one.
# ruff: noqa: B027
# mypy: disable-error-code="empty-body"
"""The quantities of an arm: each a page and the method it is asked by. Adding one touches this file alone.

A page sees a `Stance`, the options and the states after q. It is plain NumPy: on floats with leading dimensions it is
the reference, on symbols the graph that is compiled, on a stance with loops the quantity in free joints.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ModelError, Unsupported
from torsor.mechanics import articulated, composite, composite_derivatives, coriolis, kinematics, newton_euler
from torsor.mechanics import energy as energies
from torsor.mechanics import regressor as regressors
from torsor.mechanics.composite_derivatives import Slopes
from torsor.mechanics.formulation import FormulationPage, at_rest
from torsor.mechanics.kinematics import rotate, stacked
from torsor.mechanics.options import (
    DrivenBy,
    Framed,
    FramedBy,
    Loaded,
    LoadedBy,
    Plain,
    Weighted,
    WeightedBy,
    WeightedDriven,
)
from torsor.mechanics.quantity import Chosen, Options, Quantity, quantity
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Reals, massless
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

# Up to here a solve with the mass matrix can cost fewer operations than articulated bodies; beyond it never does.
LARGEST_SOLVE = 16


def _pose(at: Stance, o: Options, run: FormulationPage = kinematics.pose) -> Reals:
    return run(at.tree, at.q, o.frame)


def _jacobian(at: Stance, o: Options, run: FormulationPage = kinematics.jacobian) -> Reals:
    return at.columns(run(at.tree, at.q, o.frame))


def _jacobian_dot_qd(at: Stance, o: Options, qd: Reals) -> Reals:
    qd = at.rates(qd)
    a, drift = kinematics.jacobian_dot_qd(at.tree, at.q, qd, o.frame), at.drift(qd)
    if drift is None:
        return a
    return np.asarray(a + rotate(kinematics.jacobian(at.tree, at.q, o.frame), drift))


def _centre_of_mass(at: Stance, o: Options, qd: Reals, qdd: Reals) -> tuple[Reals, ...]:
    """Positions, velocities and accelerations in base axes, outward from joint to joint; then m c summed over all."""
    tree, qd = at.tree, at.rates(qd)
    rates, changes = tree.expand(qd, rate=True), tree.expand(at.accelerations(qd, qdd), rate=True)
    mass = sum(body.mass for body in tree.bodies)
    if _is_zero(mass):
        raise ModelError(f"{tree.name!r} has no mass, and so no centre of mass", hint="give its links mass")
    still = np.zeros(3)
    moving: list[tuple[Reals, ...]] = []  # of each body's origin: position, velocity, acceleration; w and wd
    found: list[list[Reals]] = []
    for i, (body, (R, p)) in enumerate(zip(tree.bodies, kinematics.body_poses(tree, at.q), strict=True)):
        p0, v, a, w, wd = (still,) * 5 if body.parent == BASE else moving[body.parent]
        z, rate, change = R[..., :, 2], rates[..., i, None], changes[..., i, None]
        v, a = v + np.cross(w, p - p0), a + np.cross(wd, p - p0) + np.cross(w, np.cross(w, p - p0))
        if body.slide:
            a = a + body.slide * (2.0 * rate * np.cross(w, z) + change * z)
            v = v + body.slide * rate * z
        if body.turn:
            wd = wd + body.turn * (rate * np.cross(w, z) + change * z)
            w = w + body.turn * rate * z
        moving.append((p, v, a, w, wd))
        # a link without mass is a point at its origin
        c = rotate(R, still if _is_zero(body.mass) else body.moment / body.mass)
        found.append([p + c, v + np.cross(w, c), a + np.cross(wd, c) + np.cross(w, np.cross(w, c))])
    weighed = [[body.mass * each for each in own] for body, own in zip(tree.bodies, found, strict=True)]
    whole: list[Any] = [sum(each) / mass for each in zip(*weighed, strict=True)]
    return *whole, *(stacked(found[i][k] for i in tree.listed) for k in range(3))


def _is_zero(mass: Any) -> bool:
    return isinstance(mass, int | float) and mass == 0.0  # and no symbol


def _inverse_dynamics(
    at: Stance, o: Options, qd: Reals, qdd: Reals, run: FormulationPage = newton_euler.inverse_dynamics
) -> Reals:
    qd = at.rates(qd)
    return at.torques(run(at.tree, at.q, qd, at.accelerations(qd, qdd), o.gravity, o.wrench))


def _forward_dynamics(
    at: Stance, o: Options, qd: Reals, tau: Reals, run: FormulationPage | None = None
) -> Chosen | Reals:
    if run is None or type(at) is not Stance:
        return cheapest_forward(at, o, qd, tau)
    return run(at.tree, at.q, qd, tau, o.gravity, o.wrench)


def cheapest_forward(at: Stance, o: Options, qd: Reals, tau: Reals) -> Chosen:
    """Forward dynamics by the mass matrix or by articulated bodies, whichever has fewer operations for this arm."""
    tree, by_matrix, by_bodies = at.tree, composite.FORMULATION.name, articulated.FORMULATION.name
    if type(at) is not Stance:  # of free joints there is a mass matrix, but no bodies that they move one by one
        bias = _inverse_dynamics(at, o, qd, np.zeros(at.n))
        return Chosen(composite.solve_dense(_mass_matrix(at, o), tau - bias), by_matrix)
    given = tree, at.q, qd, tau, o.gravity, o.wrench
    if not tree.is_direct or tree.rotors:  # joints that follow others, or drives that couple them
        return Chosen(composite.forward_dynamics(*given), by_matrix)
    bodies = Chosen(articulated.forward_dynamics(*given), by_bodies)
    if tree.n > LARGEST_SOLVE:
        return bodies
    return _cheapest((Chosen(composite.forward_dynamics(*given), by_matrix), bodies))


def _solved_forward_dynamics(at: Stance, o: Options, qd: Reals, tau: Reals) -> Reals:
    """M qdd = tau - bias, solved with the mass matrix of the reference."""
    bias = _inverse_dynamics(at, o, qd, np.zeros(at.n))
    return np.linalg.solve(_mass_columns(at, o), (tau - bias)[..., None])[..., 0]


def _mass_matrix(at: Stance, o: Options, run: FormulationPage = composite.mass_matrix) -> Reals:
    return at.mass_matrix(run(at.tree, at.q))


def _mass_columns(at: Stance, o: Options) -> Reals:
    """Column j is the torque of a unit acceleration of joint j (Walker & Orin's first method)."""
    still, weightless = np.zeros(at.n), Options(np.zeros(3))
    M = np.stack([_inverse_dynamics(at, weightless, still, unit) for unit in np.eye(at.n)], axis=-1)
    return np.broadcast_to(M, (*at.q.shape[:-1], at.n, at.n))  # of an arm that only slides it is the same everywhere


def _coriolis_matrix(at: Stance, o: Options, qd: Reals, run: FormulationPage = coriolis.coriolis_matrix) -> Reals:
    qd = at.rates(qd)
    return at.coriolis_matrix(run(at.tree, at.q, qd), qd)


def _gravity(at: Stance, o: Options, run: FormulationPage | None = None) -> Reals:
    return at.torques((run or at_rest(newton_euler.inverse_dynamics))(at.tree, at.q, o.gravity))


def _dynamics_terms(at: Stance, o: Options, qd: Reals) -> tuple[Reals, ...]:
    velocity = _inverse_dynamics(at, Options(np.zeros(3)), qd, np.zeros(at.n))
    return _mass_matrix(at, o), velocity, _gravity(at, o)


def _energy(at: Stance, o: Options, qd: Reals) -> tuple[Reals, ...]:
    return energies.energy(at.tree, at.q, at.rates(qd), o.gravity)


def _regressor(at: Stance, o: Options, qd: Reals, qdd: Reals) -> Reals:
    qd = at.rates(qd)
    return at.rows(regressors.regressor(at.tree, at.q, qd, at.accelerations(qd, qdd), o.gravity))


def _bearing_loads(at: Stance, o: Options, qd: Reals, qdd: Reals) -> Reals:
    qd = at.rates(qd)
    moving = at.tree, at.q, qd, at.accelerations(qd, qdd), o.gravity, o.wrench
    return newton_euler.bearing_loads(*moving, at.pushes(lambda: newton_euler.inverse_dynamics(*moving)))


def _inverse_dynamics_derivatives(at: Stance, o: Options, qd: Reals, qdd: Reals) -> Chosen:
    """By composite bodies or by the differentiated graph, whichever has fewer operations for this arm."""
    return _cheapest(Chosen((each.dq, each.dqd, each.M), by) for each, by in _slopes(at, o, qd, qdd))


def _forward_dynamics_derivatives(at: Stance, o: Options, qd: Reals, tau: Reals) -> Chosen:
    """From tau(q, qd, qdd(q, qd, tau)) = tau: dqdd/dx = -M^-1 dtau/dx, with dtau/dx taken at the qdd reached.

    This is what M^-1, which is there, makes of tau without what velocities need: by inverse dynamics, or, as that is
    quadratic in qd, half its slope times qd.
    """
    from torsor.algebra import substitute, symbols

    unknown = symbols(f"{at.letter}dd", at.n)

    def ways() -> Iterator[Chosen]:
        bias = _inverse_dynamics(at, o, qd, np.zeros(at.n)) if at.n <= LARGEST_SOLVE else None
        for slopes, by in _slopes(at, o, qd, unknown):
            inverse = composite.inverse(slopes.M)
            reached = [inverse @ (tau - slopes.dqd @ (0.5 * qd) - slopes.rest)]
            for qdd in reached if bias is None else (*reached, composite.solve_dense(slopes.M, tau - bias)):
                dq = substitute(slopes.dq, dict(zip(unknown, qdd, strict=True)))
                yield Chosen((-(inverse @ dq), -(inverse @ slopes.dqd), inverse), by)

    return _cheapest(ways())


def _slopes(at: Stance, o: Options, qd: Reals, qdd: Reals) -> Iterator[tuple[Slopes, str]]:
    """Derivatives of inverse dynamics by composite bodies, and by differentiating the graph of Newton and Euler.

    What drives and a wrench at the tool add, which the page does not know, is differentiated beside it.
    """
    by_bodies, by_graph = composite_derivatives.NAME, f"{newton_euler.FORMULATION.name} differentiated"
    pushed = o.wrench is not None or at.tree.rotors
    if type(at) is Stance:
        links = composite_derivatives.slopes(at.tree, at.q, qd, qdd, o.gravity)
        if pushed:
            more = _graph_slopes(Stance(massless(at.tree), at.q), Options(np.zeros(3), o.wrench), qd, qdd)
            links = Slopes(*(a + b for a, b in zip(links, more, strict=True)))
        yield links, f"{by_bodies}, {by_graph}" if pushed else by_bodies
        if at.n > LARGEST_SOLVE:
            return
    elif not pushed:
        yield _projected_slopes(at, o, qd, qdd), f"{by_bodies}, {newton_euler.FORMULATION.name}"
    yield _graph_slopes(at, o, qd, qdd), f"{by_graph}, {composite.FORMULATION.name}"


def _projected_slopes(at: Stance, o: Options, xd: Reals, xdd: Reals) -> Slopes:
    """Of tau = G^T tau_tree(q, qd, qdd), qd = G xd and qdd = G xdd + gamma: the page and derivatives of G and gamma."""
    from torsor.algebra import substitute, symbols

    qd, held, n = at.rates(xd), symbols("held", at.tree.n), at.n
    qdd = at.accelerations(qd, xdd)
    # turned joint by joint, as the page of the derivatives does it, so that both have it in common
    tau = newton_euler.inverse_dynamics(at.tree, at.q, qd, qdd, o.gravity, bending=False)
    # sums of angles that loops move would need the angles themselves, which are known by sine and cosine
    tree = composite_derivatives.slopes(at.tree, at.q, qd, qdd, o.gravity, shared=False)
    by_G = substitute(at.slopes(at.torques(held), xd), dict(zip(held, tau, strict=True)))
    moved = tree.dqd @ at.slopes(qd, xd) + tree.M @ at.slopes(qdd, xd)
    by_x, by_xd = at.rows(at.columns(tree.dq) + moved[:, :n]), at.rows(moved[:, n:])
    return Slopes(by_G[:, :n] + by_x, by_xd, at.mass_matrix(tree.M), at.torques(tree.rest))


def _graph_slopes(at: Stance, o: Options, qd: Reals, qdd: Reals) -> Slopes:
    still, slopes = np.zeros(at.n), at.slopes(_inverse_dynamics(at, o, qd, qdd), qd)
    return Slopes(slopes[:, : at.n], slopes[:, at.n :], _mass_matrix(at, o), _inverse_dynamics(at, o, still, still))


def _cheapest(ways: Iterable[Chosen]) -> Chosen:
    from torsor.algebra import count

    return min(ways, key=lambda each: count(each.value).work)


def _of_graphs_alone(at: Stance, o: Options, *states: Reals) -> Reals:
    raise Unsupported(
        "derivatives are taken of graphs: the reference has none", hint="difference the reference of the dynamics"
    )


class Quantities(ABC):
    """What can be asked of an arm. Who answers, by compiled kernels or by the pages themselves, has ``_answer``."""

    @abstractmethod
    def _answer(self, quantity: Quantity, states: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The quantity at these states, checked or not, as the answerer has it."""

    @quantity("T", page=_pose, by="link-frames", frames="plain", needs_inertia=False)
    def pose(self, q: ArrayLike, **options: Unpack[FramedBy]) -> Floats:
        """T_base_frame (..., 4, 4) of the tool, a link or a named frame."""

    @quantity("J", page=_jacobian, by="link-frames", frames="plain", needs_inertia=False)
    def jacobian(self, q: ArrayLike, **options: Unpack[FramedBy]) -> Floats:
        """J (..., 6, n): velocity of the frame's origin over its angular velocity = J qd, in base axes."""

    @quantity("a", page=_jacobian_dot_qd, by="kinematics", frames="plain", needs_inertia=False)
    def jacobian_dot_qd(self, q: ArrayLike, qd: ArrayLike, **options: Unpack[Framed]) -> Floats:
        """(dJ/dt) qd (..., 6): what the frame accelerates by without qdd."""

    @quantity(
        *("position", "velocity", "acceleration", "link_positions", "link_velocities", "link_accelerations"),
        page=_centre_of_mass,
        by="kinematics",
        frames="plain",
        of_base_parameters=False,
    )
    def centre_of_mass(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, **options: Unpack[Plain]
    ) -> tuple[Floats, ...]:
        """Of all that moves c = sum m_i c_i / sum m_i, dc/dt and d2c/dt2, each (..., 3); then the same of every link.

        In base axes; of the links (..., links, 3), a row for each moving joint in the order of the file, with what is
        fixed on it and the payload. Rates that are left out are zero.

        >>> import torsor
        >>> torsor.load("planar2").centre_of_mass([0.0, 0.0])[0]
        array([1., 0., 0.])
        """

    @quantity("tau", page=_inverse_dynamics, by="newton-euler")
    def inverse_dynamics(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Unpack[LoadedBy]) -> Floats:
        """tau = M(q) qdd + C(q, qd) qd + g(q) - J^T wrench, (..., n) in N m (N for sliding joints)."""

    @quantity("qdd", page=_forward_dynamics, reference=_solved_forward_dynamics, inverts_mass=True)
    def forward_dynamics(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **options: Unpack[LoadedBy]) -> Floats:
        """qdd = M(q)^-1 (tau - C(q, qd) qd - g(q) + J^T wrench), (..., n)."""

    @quantity("M", page=_mass_matrix, by="composite", reference=_mass_columns)
    def mass_matrix(self, q: ArrayLike, **options: Unpack[DrivenBy]) -> Floats:
        """M (..., n, n), symmetric and positive definite."""

    @quantity("C", page=_coriolis_matrix, by="christoffel")
    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike, **options: Unpack[DrivenBy]) -> Floats:
        """C (..., n, n) of Christoffel symbols: C qd are the velocity torques, dM/dt - 2C is skew."""

    @quantity("g", page=_gravity, by="newton-euler")
    def gravity(self, q: ArrayLike, **options: Unpack[WeightedBy]) -> Floats:
        """g(q) = dV/dq, (..., n): the torques that hold the arm still."""

    @quantity("M", "c", "g", page=_dynamics_terms, by="composite, newton-euler")
    def dynamics_terms(self, q: ArrayLike, qd: ArrayLike, **options: Unpack[WeightedDriven]) -> tuple[Floats, ...]:
        """M (..., n, n), C qd (..., n) and g (..., n) at once; they share most of their work."""

    @quantity("kinetic", "potential", page=_energy, by="body velocities", frames="plain", of_base_parameters=False)
    def energy(self, q: ArrayLike, qd: ArrayLike, **options: Unpack[WeightedDriven]) -> tuple[Floats, ...]:
        """Kinetic and potential energy (...) in J; the potential is zero with all masses at the base origin."""

    @quantity(
        *("dq", "dqd", "M"),
        page=_inverse_dynamics_derivatives,
        reference=_of_graphs_alone,
    )
    def inverse_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Unpack[Loaded]
    ) -> tuple[Floats, ...]:
        """d tau/dq, d tau/dqd and d tau/dqdd = M, each (..., n, n). A wrench is held constant in base axes."""

    @quantity(*("dq", "dqd", "Minv"), page=_forward_dynamics_derivatives, reference=_of_graphs_alone, inverts_mass=True)
    def forward_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **options: Unpack[Loaded]
    ) -> tuple[Floats, ...]:
        """d qdd/dq, d qdd/dqd and d qdd/dtau = M^-1, each (..., n, n). A wrench is held constant in base axes."""

    @quantity("loads", page=_bearing_loads, by="newton-euler", frames="plain", of_base_parameters=False)
    def bearing_loads(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Unpack[Loaded]) -> Floats:
        """(..., joints, 6): the force over the moment that each moving joint exerts on its link.

        In the axes of the link, the moment about a point on the joint's axis (the joint's origin, which slides along
        with a sliding link). The part along the axis is what the motor gives; the bearing carries the rest.
        """

    @quantity("Y", page=_regressor, by="body wrenches", frames="plain")
    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Unpack[Weighted]) -> Floats:
        """Y (..., n, 10 bodies) with tau = Y @ arm.parameters."""


QUANTITIES: dict[str, Quantity] = {
    name: method.quantity for name, method in vars(Quantities).items() if hasattr(method, "quantity")
}
