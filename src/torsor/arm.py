"""``Arm``: what users hold. Each quantity is a method on NumPy arrays with any leading dimensions."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

import torsor.emit.sources  # noqa: F401  from here on an edited page is not taken for the one that was loaded
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics import regressor
from torsor.mechanics.arguments import floats
from torsor.mechanics.asking import Question, quantity_of
from torsor.mechanics.canonical import Trees
from torsor.mechanics.joint_friction import joint_rubs
from torsor.mechanics.loops import GUESS, loops_of
from torsor.mechanics.quantities import Quantities
from torsor.mechanics.quantity import ALWAYS, DEFAULTS, Quantity
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import RotorKind, lower
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.transforms import Floats

if TYPE_CHECKING:  # the compiler is imported when the first quantity is asked for
    from torsor.drives.drives import Drives
    from torsor.elastic.elastic_arm import Elastic
    from torsor.emit import Kernel
    from torsor.motion.inverse.rates import InverseRates
    from torsor.motion.inverse.solver import Solver
    from torsor.motion.loop_closure import LoopClosure
    from torsor.scene.display import Display


class Arm(Quantities):
    """An arm and all that can be asked of it.

    q, qd, qdd and tau are (..., n) and broadcast against each other; lists are fine. Options are keyword-only:

    - ``wrench`` (..., 6): force over moment that the surroundings exert on the tool, in base axes;
    - ``gravity`` (..., 3): instead of the model's, in world axes;
    - ``frame``: "tool", a link or a named frame;
    - ``drives``: True adds the rotors of the drives exactly, "reduced" as if their carriers did not turn; of an arm
      without motors it adds the friction declared at its joints;
    - ``by``: the formulation, where there are several (``torsor compare`` lists them);
    - ``out``: the array (or tuple of arrays) that takes the result;
    - ``threads``: how many cores a large batch may use; all, without a word;
    - ``dtype``: float64, or float32 for twice the states at once, to 1e-5 of the largest element;
      without a word that of ``out``, else float64.

    Each quantity is compiled when it is first asked for.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> arm.gravity([0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._driven: dict[RotorKind, Trees] = {}
        self._kernels: dict[tuple[str, bool, bool, str, str | None, RotorKind, str], Kernel] = {}
        self._plain: dict[str, Kernel] = {}  # those that the fast way to a quantity leads to
        self._graphs: dict[tuple[object, ...], Any] = {}  # of quantities that laws asked for

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the entries of q, in order. For an arm with loops these are the free joints."""
        driven = {name for loop in self.model.loops for name in loop.driven}
        return tuple(name for name in self.model.joint_names if not self.model.loops or name in driven)

    @cached_property
    def n(self) -> int:
        return len(self.joint_names)

    @cached_property
    def tree(self) -> Arm:
        """The arm with its loops opened; the arm itself where there are none."""
        return Arm(replace(self.model, loops=())) if self.model.loops else self

    @cached_property
    def drives(self) -> Drives:
        """The arm as its motors see it: motor angles and torques, friction, limits of the motors."""
        from torsor.drives.drives import Drives

        return Drives(self.model)

    @cached_property
    def elastic(self) -> Elastic:
        """The arm as an elastic structure: frequencies, modes, deflection, compliance, and motion with bent links."""
        from torsor.elastic.elastic_arm import Elastic

        return Elastic(self.model, self.joint_names, self.closure if self.model.loops else None)

    @cached_property
    def closure(self) -> LoopClosure:
        """The loops of the arm: all joints of its tree from the free ones, singularities, what the loops carry."""
        from torsor.motion.loop_closure import LoopClosure

        if not self.model.loops:
            raise Unsupported(f"{self.name!r} has no loops", hint="describe them with [[loop]] in its arm file")
        return LoopClosure(self.model, self._trees)

    def with_payload(self, mass: float, com: ArrayLike = (0.0, 0.0, 0.0), inertia: ArrayLike | None = None) -> Arm:
        """The arm holding something else, a part grasped (mass 0: released), in the tool frame, instead of its payload.

        ``inertia`` (3, 3) is about the part's centre of mass, none for a point (Szkodny (16)).

        >>> import torsor
        >>> arm = torsor.load("planar2")
        >>> arm.with_payload(1.0).gravity([0.0, 0.0]).round(2)
        array([39.24, 14.72])
        """
        about = np.zeros((3, 3)) if inertia is None else np.asarray(inertia, dtype=np.float64)
        held = Mass(float(mass), np.asarray(com, dtype=np.float64), about)
        if held.com.shape != (3,) or about.shape != (3, 3):
            raise ShapeError(f"com has shape {held.com.shape}, inertia {about.shape}", hint="give (3,) and (3, 3)")
        return Arm(replace(self.model, payload=None if held.is_none else held))

    @cached_property
    def reference(self) -> ReferenceQuantities:
        """The same quantities computed plainly on floats, unchecked and uncompiled: the oracle."""
        return ReferenceQuantities(self._trees.plain, self._trees.loops)

    def inverse_kinematics(
        self, T: ArrayLike, *, nearest: ArrayLike | None = None, branch: str | None = None, limits: bool = True
    ) -> Any:
        """Joints for a tool pose T_base_tool (4, 4): every branch, named; ``nearest`` (n,) or ``branch`` picks one.

        Then also for many poses (..., 4, 4), each continuing from the last. Out of reach raises Unreachable, out of
        limits alone OutOfLimits (not with ``limits=False``); both know the nearest pose that can be reached.

        >>> import torsor
        >>> arm = torsor.load("puma560")
        >>> T = arm.pose([0.1, 0.8, -0.6, 0.4, 0.5, -0.6])
        >>> len(arm.inverse_kinematics(T))
        8
        >>> arm.inverse_kinematics(T, branch="front, down, wrist +").round(9)
        array([ 0.1,  0.8, -0.6,  0.4,  0.5, -0.6])
        """
        from torsor.motion import inverse_kinematics

        return inverse_kinematics(self._solver, T, nearest=nearest, branch=branch, limits=limits)

    def inverse_velocity(self, q: ArrayLike, twist: ArrayLike, *, damping: float = 0.01) -> Floats:
        """qd (..., n) with J qd = twist (..., 6), linear over angular, base axes; the smallest where there are many.

        Close to singular configurations, where joints would move more than 1 / ``damping`` times as fast as the tool
        (in sizes of the arm), rates fade out instead of growing without bound.

        >>> import numpy as np, torsor
        >>> arm = torsor.load("puma560")
        >>> q, qd = np.array([0.1, 0.8, -0.6, 0.4, 0.5, -0.6]), np.array([1.0, -0.5, 0.3, 0.2, -0.4, 0.6])
        >>> arm.inverse_velocity(q, arm.jacobian(q) @ qd).round(9)
        array([ 1. , -0.5,  0.3,  0.2, -0.4,  0.6])
        """
        return self._rates.velocity(q, twist, damping)

    def inverse_acceleration(
        self, q: ArrayLike, qd: ArrayLike, twist_dot: ArrayLike, *, damping: float = 0.01
    ) -> Floats:
        """qdd (..., n) with J qdd + (dJ/dt) qd = twist_dot (..., 6); options and singularities as for velocities."""
        return self._rates.acceleration(q, qd, twist_dot, damping)

    def show(
        self,
        q: ArrayLike | None = None,
        *,
        time: ArrayLike | None = None,
        bent: bool = False,
        mode: int | None = None,
        file: str | os.PathLike[str] | None = None,
    ) -> Display:
        """The arm in 3-D, with sliders: at q (n,), or going through q (N, n), at ``time`` (N,) s where that is given.

        ``bent``: an elastic arm as its weight bends it at q, exaggerated, over its rigid shadow, and its modes to
        choose from; ``mode``: swinging in this one, from 1.

        A notebook shows it; ``.open()`` shows it in the browser, ``.save(path)`` or ``file`` writes it as one page.

        >>> import torsor
        >>> torsor.load("puma560").show([0.0, 0.5, -0.5, 0.0, 0.3, 0.0])
        <Display puma560: 0 motions>
        """
        from torsor.scene.showing import shown

        return shown(self, q, time, file, bent=bent, mode=mode)

    @cached_property
    def _solver(self) -> Solver:
        from torsor.motion.inverse.solver import Solver

        return Solver(self, lower(self.model) if self.model.loops else self._trees.plain)

    @cached_property
    def _rates(self) -> InverseRates:
        from torsor.motion.inverse.rates import InverseRates

        return InverseRates(self._solver)

    @cached_property
    def parameters(self) -> Floats:
        """Ten inertial parameters for each moving body, in link axes and about the link's origin."""
        self.model.require_inertia()
        return regressor.parameters(self._trees.plain)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        return regressor.parameter_names(self._trees.plain)

    def kernel(
        self,
        quantity: str,
        *,
        gravity: bool = False,
        wrench: bool = False,
        frame: str = "tool",
        by: str | None = None,
        drives: RotorKind = False,
        dtype: DTypeLike = np.float64,
    ) -> Kernel:
        """The compiled kernel of a quantity: its tape and counts, its native function, its gufunc.

        ``gravity`` and ``wrench`` ask for the kernel that takes them, in base axes, after the states; ``dtype`` float32
        for one that computes in single precision.

        >>> import torsor
        >>> torsor.load("planar2").kernel("mass_matrix").tape.counts().trig
        1
        """
        from torsor.emit.page import Page
        from torsor.emit.precision import DOUBLE, precision_of

        real = precision_of(dtype)
        key = quantity, gravity, wrench, frame, by, drives, real.name
        if key not in self._kernels:
            asked = self._question(quantity_of(quantity), gravity, wrench, frame, by, drives)
            if real is not DOUBLE and self.model.loops:  # close to a dead centre three digits are left
                what = f"{self.name!r} has loops, which float32 closes too coarsely"
                raise Unsupported(what, hint="leave dtype out; the open tree, arm.tree, takes it")
            kernel = self._kernels[key] = Page(
                asked.name, asked.inputs, asked, asked.facts, real=real, rounded=asked.rounded
            ).kernel
            if key == (quantity, False, False, "tool", None, False, DOUBLE.name) and not _needs_guess(kernel):
                # From now on a builtin answers calls with plain arrays and hands all others to the method of the class.
                self.__dict__[quantity] = kernel.in_front_of(getattr(self, quantity))
                self._plain[quantity] = kernel
        return self._kernels[key]

    def __repr__(self) -> str:
        return repr(self.model).replace("<Model", "<Arm", 1)

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    def __reduce__(self) -> tuple[type[Arm], tuple[Model]]:
        return Arm, (self.model,)  # kernels are made anew, or come from the cache

    def _question(
        self, quantity: Quantity, gravity: bool, wrench: bool, frame: str, by: str | None, drives: RotorKind
    ) -> Question:
        if quantity.needs_inertia:
            self.model.require_inertia()
        return Question(self._trees_with(drives), quantity, gravity, wrench, frame, by)

    def _trees_with(self, drives: RotorKind) -> Trees:
        """The trees with their rotors, or with the friction of joints where there are no motors; or without."""
        if drives not in self._driven:
            rubs = joint_rubs(self.model) if drives and not self.model.drives else ()
            if drives and not self.model.drives and not rubs:
                hint = "describe them with [[drive]] in its arm file, or friction at its joints"
                raise Unsupported(f"{self.name!r} has no drives", hint=hint)
            plain = lower(self.model, drives=False if rubs else drives)
            self._driven[drives] = Trees(plain, loops=loops_of(self.model, plain), rubs=rubs)
        return self._driven[drives]

    @property
    def _trees(self) -> Trees:
        return self._trees_with(False)

    def _answer(self, quantity: Quantity, states: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The general way to every quantity. After the first call the fast way stands in front of it: whoever took the
        method before that comes here, and is helped on if plain arrays are all that is given."""
        plain = self._plain.get(quantity.name)
        if plain is not None:
            found = plain.if_plain(*states, **options)
            if found is not NotImplemented:
                return found
        known = (*ALWAYS, *quantity.knows)
        for option in options:
            if option not in known:
                raise TypeError(f"{quantity.name}() has no option {option!r}; {did_you_mean(option, sorted(known))}")
        gravity, wrench = options.get("gravity"), options.get("wrench")
        chosen = {name: options.get(name, DEFAULTS.get(name)) for name in ("frame", "by", "drives")}
        chosen |= {"gravity": gravity is not None, "wrench": wrench is not None}
        dtype = _dtype_of(options)
        states = quantity.filled(states, self.n)
        if any(_is_graph(value) for value in (*states, gravity, wrench)):
            if options.get("dtype") is not None:
                raise Unsupported("a traced quantity has no dtype", hint="it is that of what is compiled from it")
            if gravity is not None:
                gravity = np.asarray(gravity) @ self.model.base[:3, :3]
            given = [value for value in (*states, gravity, wrench) if value is not None]
            return self._traced(self._question(quantity, **chosen), given)
        kernel = self.kernel(quantity.name, **chosen, dtype=dtype)
        named = zip(quantity.states, states, strict=True)
        arrays = [floats(name, value, self.n, f"{self.name!r} has {self.n} joints", dtype) for name, value in named]
        if gravity is not None:
            in_world = floats("gravity", gravity, 3, "a vector in world axes")
            arrays.append(in_world @ self.model.base[:3, :3])
        if wrench is not None:
            arrays.append(floats("wrench", wrench, 6, "force over moment at the tool, in base axes"))
        if _needs_guess(kernel):
            arrays.append(self.closure.guess(arrays[0]))
        return kernel.call(*arrays, **{name: options[name] for name in ("out", "threads") if name in options})

    def _traced(self, asked: Question, given: list[Any]) -> Any:
        """The quantity as a graph, for states that are graph scalars: so laws and pages may call methods of an arm."""
        from torsor.algebra import substitute

        key = asked.quantity.name, asked.gravity, asked.wrench, asked.frame, asked.by, asked.trees
        if key not in self._graphs:
            self._graphs[key] = asked.traced()
        traced = self._graphs[key]
        given = [*given, self.closure.guess_for(given[0])] if GUESS in traced.inputs else given
        replacements: dict[Any, Any] = {}
        for (name, symbols), value in zip(traced.inputs.items(), given, strict=True):
            if np.shape(value) != symbols.shape:
                raise ShapeError(f"{name} has shape {np.shape(value)}", hint=f"traced, give {symbols.shape}")
            replacements.update(zip(symbols, np.asarray(value), strict=True))
        results = tuple(substitute(output, replacements) for output in traced.outputs.values())
        return results[0] if len(results) == 1 else results


def _dtype_of(options: dict[str, Any]) -> DTypeLike:
    """As asked for; else float32 where all that is to be written is."""
    asked, out = options.get("dtype"), options.get("out")
    if asked is not None:
        return asked  # type: ignore[no-any-return]
    outs = out if isinstance(out, tuple) else (out,)
    return np.float32 if all(isinstance(o, np.ndarray) and o.dtype == np.float32 for o in outs) else np.float64


def _needs_guess(kernel: Kernel) -> bool:
    """Whether a kernel closes loops by Newton's method, which starts from a guess."""
    return kernel.tape.inputs[-1].name == GUESS


def _is_graph(value: Any) -> bool:
    """Whether a state holds scalars of `torsor.algebra` instead of numbers."""
    if isinstance(value, np.ndarray):
        return value.dtype == object and _is_graph(value.tolist())
    if isinstance(value, list | tuple):
        return any(_is_graph(each) for each in value)
    return hasattr(value, "op")
