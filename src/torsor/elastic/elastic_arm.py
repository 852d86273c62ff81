"""``arm.elastic``: frequencies, modes, deflection and compliance of an arm whose links and joints give way.

Coordinates of its motion are x: the joints q, then the modes of the links.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from torsor.elastic import elastic_composite, elastic_kinematics
from torsor.elastic.beam_cuts import ArmCuts
from torsor.elastic.building import elastic_tree, own_modes, static_shapes
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree, straight, without_springs
from torsor.elastic.held_arm import AXES, Deflection, ElasticMode, HeldArm, joined, paired
from torsor.elastic.many_spectra import congruent, eigenvalues, factor
from torsor.elastic.resting import Hold, loads_of, push_of, require_held, require_known, require_mass
from torsor.elastic.segments import segmented
from torsor.elastic.standing_forces import loop_pushes, standing_forces
from torsor.elastic.stress import ArmStress
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.mechanics.ellipsoid import Ellipsoid
from torsor.mechanics.tree import Reals
from torsor.model.model import Model
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.elastic.elastic_loops import SwayingArm
    from torsor.emit import Kernel, Page
    from torsor.motion.loop_closure import LoopClosure

Witness = Literal["modes", "segments"]
LOOKS = 4  # postures of many, at which what swings is asked for its mass


class Elastic:
    """The arm as an elastic structure, at postures q (..., n) of its joints, of an arm with loops its free joints."""

    def __init__(self, model: Model, free: tuple[str, ...], closure: LoopClosure | None) -> None:
        """``free`` are the names of q; ``closure`` gives the joints of the tree of an arm with loops."""
        gives_way = any(link.beam is not None or link.compliance is not None for link in model.links)
        if not gives_way and all(drive.stiffness is None for drive in model.drives):
            raise Unsupported(
                f"{model.name!r} has no elastic links or joints",
                hint="describe them with [link.beam], [link.compliance] and stiffness of drives in its arm file",
            )
        self.model, self.free, self.closure = model, free, closure
        self._swaying: dict[int | None, SwayingArm] = {}

    @cached_property
    def tree(self) -> ElasticTree:
        """With the modes that the arm file asks for, about a posture that drives hold."""
        return elastic_tree(self.model)

    @cached_property
    def moving(self) -> ElasticTree:
        """The same in motion: a spring behind a joint that has no rotor passes its torque on, and has no motion."""
        return without_springs(self.swaying().tree) if self.by_posture else elastic_tree(self.model, springs=False)

    @cached_property
    def moving_loops(self) -> SwayingArm:
        """`moving` with its loops, of an arm that has some: all joints are unknown."""
        return replace(self.swaying(), tree=self.moving, passive=tuple(range(self.moving.n)))

    @cached_property
    def static(self) -> ElasticTree:
        """With the shapes that loads at rest can cause: exact for what gravity, payload and a wrench bend."""
        return elastic_tree(self.model, shapes=static_shapes)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates x of motion: joints, modes."""
        return self.moving.names

    # at rest in a posture

    def frequencies(self, q: ArrayLike, *, drives: Hold = "locked", by: Witness = "modes", segments: int = 4) -> Floats:
        """Natural frequencies in Hz (..., k), rising, of the arm at q (..., n) with nothing bent.

        ``drives``: joints are "locked"; or "held" by drives, while their stiffness and that of the joints gives way; or
        "free" to move. Joints that no drive holds, in loops, always move as the loops let them. ``by="segments"`` cuts
        each piece of a beam into rigid segments with springs between them, the independent witness.

        >>> import torsor
        >>> arm = torsor.load("ur5-elastic")
        >>> arm.elastic.frequencies([0.3, -0.9, 1.2, -0.4, 0.5, 0.2])[:3].round(2)
        array([34.42, 40.42, 68.09])
        """
        given = self._q(q)
        if by not in get_args(Witness):
            raise Unsupported(f"by is {by!r}", hint=did_you_mean(by, get_args(Witness)))
        if by == "segments":
            cut = self._cut(segments)
            at = [HeldArm.of(self.model, cut, each, self._moving(cut, drives)) for each in given.reshape(-1, cut.n)]
            return np.array([each.frequencies for each in at]).reshape(*given.shape[:-1], -1)
        if self.by_posture:
            found = [self.at(each, drives=drives).frequencies for each in given.reshape(-1, given.shape[-1])]
            return np.array(found).reshape(*given.shape[:-1], -1)
        at = self._moving(self.tree, drives)
        M, K = self._mass(given)[..., at[:, None], at], self.tree.K[at[:, None], at]
        self._require_mass(at, M)
        if drives == "free":
            squares = eigenvalues(congruent(factor(M), K))
            return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))
        # stiffness is the same everywhere, so that it is factored once: eigenvalues are 1 / w^2
        squares = 1.0 / eigenvalues(congruent(factor(K), M))[..., ::-1]
        return np.asarray(np.sqrt(squares) / (2.0 * np.pi))

    def _require_mass(self, at: Any, M: Floats) -> None:
        """What is massless is so at every posture: a few of them tell."""
        some = M.reshape(-1, *M.shape[-2:])
        some = some[:: max(1, len(some) // LOOKS)]
        some = some[np.isfinite(some).all(axis=(-1, -2))]
        if len(some):
            require_mass(self.tree, np.eye(self.tree.size)[:, at], some)

    def _cut(self, segments: int) -> ElasticTree:
        if self.by_posture:
            raise Unsupported(f"{self.model.name!r} has loops", hint="segments are for arms without them")
        if not (isinstance(segments, int | np.integer) and 1 <= segments <= 100):
            raise Unsupported(f"segments are {segments!r}", hint="give 1 to 100")
        return segmented(self.tree, segments)

    def at(self, q: ArrayLike, *, drives: Hold = "locked", static: bool = False) -> HeldArm:
        """The arm at one posture; ``static``: with the shapes that loads at rest can cause."""
        given = self._q(q)
        if given.ndim != 1 or not np.isfinite(given).all():
            raise ShapeError(f"q is {given!r:.60}", hint=f"of one posture, finite: give ({len(self.free)},)")
        joints = given if self.closure is None else self.closure.positions(given)
        tree = self._tree_at(joints, static)
        return HeldArm.of(self.model, tree, joints, self._moving(tree, drives))

    def modes(self, q: ArrayLike, k: int | None = None, *, drives: Hold = "locked") -> list[ElasticMode]:
        """The k lowest modes at one posture, or all: shapes, and where their energy is."""
        if k is not None and not (isinstance(k, int | np.integer) and k >= 1):
            raise Unsupported(f"k is {k!r}", hint="how many modes: one or more, or None for all")
        return self.at(q, drives=drives).modes(k)

    def compliance(self, q: ArrayLike, *, drives: Hold = "held") -> Floats:
        """(..., 6, 6): displacement over turn of the tool for a force over a moment on it, base axes, SI."""
        given = self._q(q)
        require_held(self.model, drives)
        if self.by_posture:
            found = [
                self.at(each, drives=drives, static=True).compliance for each in given.reshape(-1, given.shape[-1])
            ]
            return np.array(found).reshape(*given.shape[:-1], 6, 6)
        at = self._moving(self.static, drives)
        J = self._tool(given)[..., at]
        return np.asarray(J @ np.linalg.solve(self.static.K[at[:, None], at], np.swapaxes(J, -1, -2)))

    def stiffness(self, q: ArrayLike, *, drives: Hold = "held") -> Floats:
        """(..., 6, 6): the inverse of the compliance."""
        C = self.compliance(q, drives=drives)
        size = np.abs(np.diagonal(C, axis1=-2, axis2=-1))
        if not (size > 0.0).all():
            which = ", ".join(AXES[k] for k in np.flatnonzero(~(size > 0.0).reshape(-1, 6).all(axis=0)))
            raise Unsupported(f"the tool of {self.model.name!r} does not give way along {which}", hint="ask compliance")
        return np.asarray(np.linalg.inv(C))

    def ellipsoid(self, q: ArrayLike, *, drives: Hold = "held") -> Ellipsoid:
        """Where the tool goes for forces of one newton: principal compliances (..., 3) in m/N, largest first.

        C f of all |f| = 1 with C the upper left block of the compliance; ``axes`` (..., 3, 3) are the directions, as
        columns, in base axes. A force along one of them moves the tool along it; the stiffness there is one over it.

        >>> import torsor
        >>> soft = torsor.load("ur5-elastic").elastic.ellipsoid([0.3, -0.9, 1.2, -0.4, 0.5, 0.2])
        >>> (1e6 * soft.radii).round(1)  # um/N
        array([40.3, 30.9,  5.7])
        """
        return Ellipsoid.of(self.compliance(q, drives=drives)[..., :3, :3])

    def deflection(
        self,
        q: ArrayLike,
        *,
        payload: float = 0.0,
        wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        drives: Hold = "held",
    ) -> Deflection:
        """What gravity, a mass at the tool (kg) and a wrench on it (..., 6, base axes) bend, as far as it is small."""
        given = self._q(q)
        require_held(self.model, drives)
        g, push = loads_of(self.model, payload, wrench, gravity)
        if self.by_posture:
            batch, both = paired(given, push)
            return joined([self.at(each, drives=drives, static=True).deflection(g, p) for each, p in both], batch)
        tree = self.static
        at = self._moving(tree, drives)
        load = self._load(given, g, push)
        x = np.zeros((*load.shape[:-1], tree.size))
        x[..., at] = np.linalg.solve(tree.K[at[:, None], at], -load[..., at, None])[..., 0]
        return Deflection.of(tree, given, x, (self._tool(given) @ x[..., None])[..., 0])

    def stress(
        self,
        q: ArrayLike,
        *,
        payload: float = 0.0,
        wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        drives: Hold = "held",
    ) -> ArmStress:
        """Forces in the sections of all links, and their stress, under the loads of `deflection`, at rest.

        From equilibrium of the arm with nothing bent, so exact for what bends little, whatever its modes; ``drives``
        say what holds the joints of an arm with loops, which share forces out by their stiffness.

        >>> import torsor
        >>> arm = torsor.load("ur5-elastic")
        >>> print(arm.elastic.stress([0.0, -0.5, 1.0, 0.0, 0.0, 0.0], payload=5.0).worst)
        4.21 MPa in upper_arm_link 0 m from its joint, 1.68 % of yield
        """
        if not self.tree.meshes:
            raise Unsupported(f"{self.model.name!r} has no elastic links", hint="describe them with [link.beam]")
        given = self._q(q)
        require_held(self.model, drives)
        g, push = loads_of(self.model, payload, wrench, gravity)
        if not self.by_posture:
            return ArmStress.of(self.cuts, np.asarray(self._standing(given, g, push)))
        batch, both = paired(given, push)
        found = [self._standing_at(each, g, p, drives) for each, p in both]
        forces = np.array([each for _, each in found])
        return ArmStress.of(found[0][0], forces.reshape(*batch, *forces.shape[1:]))

    def _standing_at(self, q: Floats, gravity: Floats, push: Floats, drives: Hold) -> tuple[ArmCuts, Floats]:
        """Cuts and forces at one posture, with what its loops share out."""
        held = self.at(q, drives=drives, static=True)
        cuts = ArmCuts.through(held.tree)
        return cuts, standing_forces(cuts, held.x, gravity, push, loop_pushes(held, gravity, push))

    @cached_property
    def cuts(self) -> ArmCuts:
        """Through the beams of `tree`."""
        return ArmCuts.through(self.tree)

    def response(self, q: ArrayLike, *, of: str, to: str, frequency: ArrayLike, drives: Hold = "free") -> Any:
        """Complex amplitude of ``to`` for a unit amplitude of ``of`` at frequencies in rad/s (...), at one posture.

        ``of``: a joint, whose drive gives a torque, or "tool.x" to "tool.rz", a force or moment on the tool; ``to``: a
        joint or what the tool does, likewise.
        """
        return self.at(q, drives=drives).response(of, to, np.asarray(frequency, dtype=np.float64))

    # in motion, x (..., k)

    def mass_matrix(self, x: ArrayLike) -> Floats:
        """M (..., k, k) over x."""
        return np.asarray(self._motion["mass"](self._x("x", x)))

    def inverse_dynamics(
        self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, *, wrench: ArrayLike | None = None
    ) -> Floats:
        """(..., k): torques of the joints, and what modes would need besides their own pull, zero in nature.

        Of an arm with loops: of its tree, the loops opened.
        """
        given = [self._x(name, each) for name, each in (("x", x), ("xd", xd), ("xdd", xdd))]
        return np.asarray(self._motion["inverse"](*given, push_of(wrench)))

    def forward_dynamics(
        self, x: ArrayLike, xd: ArrayLike, tau: ArrayLike, *, wrench: ArrayLike | None = None, stabilise: float = 0.0
    ) -> Floats:
        """xdd (..., k) for torques of the joints (..., n): springs and bent links pull by themselves.

        Of an arm with loops x has all joints of the tree, and tau is of its free ones; the loops' equations c obey
        (d/dt + a)^2 c = 0 with a = ``stabilise`` in 1/s.
        """
        given = self._x("x", x), self._x("xd", xd)
        torques = floats("tau", tau, len(self.free), f"{self.model.name!r} has {len(self.free)} joints")
        more = [np.array(float(stabilise))] if self.model.loops else []
        return np.asarray(self._motion["forward"](*given, torques, push_of(wrench), *more))

    def driven(self, x: ArrayLike, xd: ArrayLike, qdd: ArrayLike) -> tuple[Floats, Floats]:
        """Joints that move as they are told, with accelerations qdd (..., n): those of the modes, and the torques."""
        if self.model.loops:
            raise Unsupported(f"{self.model.name!r} has loops", hint="torsor.elastic.follow moves them as told")
        given = self._x("x", x), self._x("xd", xd)
        told = floats("qdd", qdd, self.moving.n, f"{self.model.name!r} has {self.moving.n} joints")
        modes, torques = self._motion["driven"](*given, told)
        return np.asarray(modes), np.asarray(torques)

    def pose(self, x: ArrayLike) -> Floats:
        """T_base_tool (..., 4, 4) of the bent arm."""
        return np.asarray(self._motion["pose"](self._x("x", x)))

    @cached_property
    def _motion(self) -> dict[str, Page]:
        from torsor.elastic.motion_pages import motion_pages

        driven = [self.model.joint_names.index(name) for name in self.free]
        return motion_pages(self.model.name, self.moving, self.moving_loops if self.model.loops else None, driven)

    def kernel(self, name: str) -> Kernel:
        """The machine code behind "mass", "inverse", "forward", "driven" or "pose" in motion, for those who measure."""
        return self._motion[name].kernel

    # along motions

    def swaying(self, modes: int | None = None) -> SwayingArm:
        """The arm about joints that are told, with ``modes`` shapes of its links together.

        Without a word those that its file asks for; of an arm with loops, or with sections that turn with the posture,
        the few that matter most.
        """
        from torsor.elastic.swaying import swaying_arm

        if modes not in self._swaying:
            self._swaying[modes] = swaying_arm(self, modes)
        return self._swaying[modes]

    def told(self, q: Floats, *rates: Floats) -> tuple[Floats, ...]:
        """Joints of the tree (..., tree joints) where the rigid arm has them, with as many derivatives as are given."""
        if self.closure is None:
            return q, *rates
        return self.closure.along(q, *rates) if rates else (self.closure.positions(q),)

    def rest_mass(self, q: Floats) -> Floats:
        """(..., x, x): the mass matrix over the coordinates of `tree`, nothing bent."""
        return np.asarray(self._mass(q))

    # pieces

    def _q(self, q: ArrayLike) -> Floats:
        return floats("q", q, len(self.free), f"{self.model.name!r} has {len(self.free)} joints")

    def _x(self, name: str, x: ArrayLike) -> Floats:
        return floats(name, x, self.moving.size, self._said)

    @cached_property
    def _said(self) -> str:
        return f"{self.model.name!r} has {self.moving.size} coordinates, joints first"

    @property
    def sections_turn(self) -> bool:
        """Whether sections turn against their links with the posture."""
        return any(link.beam is not None and link.beam.up_in is not None for link in self.model.links)

    @property
    def by_posture(self) -> bool:
        """Whether each posture is a structure of its own: of an arm with loops, or with sections that turn with it."""
        return self.closure is not None or self.sections_turn

    def _tree_at(self, joints: Floats, static: bool) -> ElasticTree:
        if self.sections_turn:
            return elastic_tree(self.model, shapes=static_shapes if static else own_modes, posture=joints)
        return self.static if static else self.tree

    def _moving(self, tree: ElasticTree, drives: Hold) -> Any:
        """The coordinates that may move."""
        require_known(drives)
        held = sum(not spring.tilts for spring in self.tree.springs)  # bearings tilt whatever drives do, as links bend
        joints, springs, shapes = np.split(np.arange(tree.size), [tree.n, tree.n + held])
        if drives == "locked" and not len(shapes):
            raise Unsupported(f"{self.model.name!r} has no elastic links", hint='ask with drives="held"')
        passive = np.array([k for k, name in enumerate(self.model.joint_names) if name not in self.free], dtype=int)
        # behind a joint that nobody holds a spring carries nothing
        parts = {"locked": [passive, shapes], "held": [passive, springs, shapes], "free": [joints, shapes]}
        return np.concatenate(parts[drives])

    @cached_property
    def _mass(self) -> Any:
        return self._at_rest("mass", self.tree, elastic_composite.mass_matrix)

    @cached_property
    def _tool(self) -> Any:
        return self._at_rest("tool", self.static, elastic_kinematics.jacobian)

    @cached_property
    def _load(self) -> Any:
        def load(tree: ElasticTree, x: Reals, gravity: Reals, wrench: Reals) -> Reals:
            still = np.zeros(tree.size)
            return residual(tree, x, still, still, gravity, wrench)

        return self._at_rest("load", self.static, load, gravity=3, wrench=6)

    @cached_property
    def _standing(self) -> Any:
        def forces(tree: ElasticTree, x: Reals, gravity: Reals, wrench: Reals) -> Reals:
            return standing_forces(self.cuts, x, gravity, wrench)

        return self._at_rest("stress", self.tree, forces, gravity=3, wrench=6)

    def _at_rest(self, name: str, tree: ElasticTree, function: Any, **more: int) -> Any:
        """A page of q, and of ``more``, with nothing bent."""
        from torsor.emit import Page

        def page(q: Reals, *given: Reals) -> dict[str, Any]:
            return {"value": function(tree, straight(tree, q), *given)}

        return Page(f"{self.model.name}_elastic_rest_{name}", {"q": tree.n, **more}, page, tree.facts)
