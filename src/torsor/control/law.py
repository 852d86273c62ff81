"""``Law``: what every control law is, how one is declared, how laws add up, and which there are."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from itertools import chain
from typing import Any, ClassVar, Literal, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import REQUIRED, Field, Follows, Gain
from torsor.control.gains import form
from torsor.control.reference import Reference
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats


def another(hint: str, kind: type[Law] | None = None) -> Any:
    """A law inside a law. One of a ``kind`` is what a file makes of the words that the kind has."""

    def check(name: str, value: Any, law: Any) -> Law:
        of = f" of {law.n} joints" if "n" in law.__dict__ else ""
        if not isinstance(value, kind or Law) or (of and value.n != law.n):
            raise ShapeError(f"{value!r:.60} is no {f'{kind.name()} ' if kind else ''}law{of}", hint=hint)
        return value

    return Field(check) if kind is None else Field(check, parts=lambda: kind.fields, build=kind)


class _Call:
    """The signature of the call that makes a law; a law that is made is called by its own."""

    def __get__(self, law: Law | None, owner: type[Law]) -> Signature:
        if law is not None:
            raise AttributeError
        kinds = {True: Parameter.POSITIONAL_OR_KEYWORD, False: Parameter.KEYWORD_ONLY}
        fields = owner.fields.items()
        return Signature([Parameter(name, kinds[f.default is REQUIRED], default=f.default) for name, f in fields])


@dataclass_transform(
    field_specifiers=(
        fields.above_zero, another, fields.definite, fields.flag, fields.followed, fields.moved_arm, fields.number,
        fields.option, fields.pair, fields.said_elsewhere, fields.semidefinite, fields.unknown, fields.zero_or_more,
    )
)  # fmt: skip
class Law(ABC):
    """A control law: joint torques from time and state, on floats with any leading dimensions and traced.

    Without states ``law(t, q, qd)`` gives tau (..., n). With ``states`` > 0 ``law(t, q, qd, x)`` gives tau and the rate
    of x (..., states), which begins at ``initial_state(q0, qd0)``. Laws add: ``feed_forward(...) + pid(...)``.

    A law is declared by its fields (``torsor.control.fields``), the first of which is what it moves. A field that is
    set, ``law.Kp = 4 * law.Kp``, is checked as in the call and holds from then on; arrays are not changed in place.
    """

    n: int
    states: int = 0
    gives: Literal["joint", "motor"] = "joint"  # whose torques; simulations of arms with drives ask
    fields: ClassVar[dict[str, Field[Any, Any]]] = {}
    __signature__ = _Call()

    def __init_subclass__(cls) -> None:
        cls.fields = {}
        for each in reversed(cls.__mro__):
            cls.fields |= {name: field for name, field in vars(each).items() if isinstance(field, Field)}

    def __init__(self, *arguments: Any, **by_name: Any) -> None:
        try:
            bound = type(self).__signature__.bind(*arguments, **by_name)
        except TypeError as error:
            raise TypeError(f"{self.name()}: {error}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            kept = self.fields[name].kept(name, value, self)
            if isinstance(kept, np.ndarray):
                kept.setflags(write=False)
            self.__dict__[name] = kept
            self.__dict__.setdefault("n", getattr(kept, "n", 0))
        self.prepare()
        self.__dict__["_declared"] = True

    def prepare(self) -> None:  # noqa: B027
        """Checks what fields need of each other, and finds what follows from them."""

    def __setattr__(self, name: str, value: Any) -> None:
        if "_declared" not in self.__dict__:  # while it is made, or a law with an __init__ of its own
            object.__setattr__(self, name, value)
            return
        if name not in self.fields:
            raise AttributeError(f"{self.name()} has no {name!r}; {did_you_mean(name, list(self.fields))}")
        changed = type(self)(**{each: getattr(self, each) for each in self.fields} | {name: value})
        if (changed.n, changed.states) != (self.n, self.states):
            raise ShapeError(f"{name} is for another number of joints or states", hint="make a new law")
        object.__setattr__(self, "__dict__", changed.__dict__)

    @classmethod
    def name(cls) -> str:
        """As ``torsor.control`` calls it: PdGravity is pd_gravity. In files it is pd-gravity."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def follows(cls) -> Literal["joints", "tool", "nothing"]:
        """What goes after the reference of this law."""
        inside = [field.parts().values() for field in cls.fields.values() if field.parts is not None]
        every = chain(cls.fields.values(), *inside)
        return next((field.follows for field in every if field.follows is not None), "nothing")

    @property
    def followed(self) -> Reference:
        """The reference, whatever this law calls it."""
        found: Reference = next(getattr(self, name) for name, field in self.fields.items() if field.follows)
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.n} joints>"

    def _repr_html_(self) -> str:
        from torsor.report.notebook_looks import captioned

        rows = [(name, _shown(getattr(self, name))) for name in self.fields]
        first = (type(self).__doc__ or type(self).__name__).strip().splitlines()[0]
        return captioned(f"{self.name()}: {first}", ("", ""), rows)

    def __call__(self, t: Real, q: ArrayLike, qd: ArrayLike, x: ArrayLike | None = None) -> Any:
        tau, rates = self.torque_and_rates(t, np.asarray(q), np.asarray(qd), self.own(x))
        return (tau, rates) if self.states else tau

    def own(self, x: ArrayLike | None) -> Reals:
        """Its states as they were given; none only where it has none."""
        if x is None and self.states:
            raise ShapeError(
                f"{type(self).__name__} has {self.states} states", hint="call law(t, q, qd, x), from initial_state"
            )
        return np.zeros(0) if x is None else np.asarray(x)

    @abstractmethod
    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        """tau (..., n), and xd (..., states), maybe empty."""

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        """x at the start, (states,)."""
        return np.zeros(self.states)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        """V (...), which the proof of this law shows to fall."""
        raise Unsupported(f"{type(self).__name__} comes with no Lyapunov function", hint="see its docstring")

    def __add__(self, other: Law) -> Law:
        return Sum(self, other)


def _shown(value: Any) -> str:
    """A field in a line: of a diagonal matrix its diagonal."""
    from torsor.report.notebook_looks import figures

    if isinstance(value, np.ndarray) and value.dtype != object:
        if value.ndim == 2 and value.shape[0] == value.shape[1] and not (value - np.diag(np.diag(value))).any():
            return f"diagonal {figures(np.diag(value))}"
        return figures(value.ravel()) if value.ndim < 2 else np.array2string(value, precision=4)
    return repr(value)


class Stateless(Law):
    """A law that remembers nothing."""

    @abstractmethod
    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        """tau (..., n)."""

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        return self.torque(t, q, qd), x[..., :0]


class ProportionalDerivative(Stateless):
    """What laws with gains on the error and on its rate begin with: V = 1/2 ed^T M ed + 1/2 e^T Kp e."""

    arm: Arm = fields.moved_arm()
    Kp: Gain = fields.definite("N m/rad")
    Kd: Gain = fields.definite("N m s/rad")
    reference: Follows = fields.followed()

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        q_ref, qd_ref, _ = self.reference.at(t)
        return 0.5 * form(self.arm.mass_matrix(q), qd - qd_ref) + 0.5 * form(self.Kp, q - q_ref)


class Sum(Law):
    """Two laws at once: torques add, states stand one after the other. Proofs do not add."""

    first: Law = another("add laws of torsor.control")
    second: Law = another("add laws of torsor.control")

    def prepare(self) -> None:
        self.states = self.first.states + self.second.states
        if self.first.gives != self.second.gives:
            hint = "add laws of joints, then motor_side(arm, ...)"
            raise Unsupported("one law gives torques of joints, the other of motors", hint=hint)
        self.gives = self.first.gives

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        k = self.first.states
        tau_first, rates_first = self.first.torque_and_rates(t, q, qd, x[..., :k])
        tau_second, rates_second = self.second.torque_and_rates(t, q, qd, x[..., k:])
        return tau_first + tau_second, np.concatenate([rates_first, rates_second], axis=-1)

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        return np.concatenate([self.first.initial_state(q0, qd0), self.second.initial_state(q0, qd0)])


def shaped(of: Callable[..., Reals], q: Reals, v: Reals, a: Reals, qd: Reals) -> Reals:
    """M(q) a + C(q, qd) v + g(q) of ``arm.inverse_dynamics``, C of Christoffel symbols; Y of it of ``arm.regressor``.

    The symbols make C(q, x) y symmetric in x and y, so C(q, qd) v = 1/4 (c(q, qd + v) - c(q, qd - v)) with
    c(q, x) = C(q, x) x the velocity torques: two runs of Newton and Euler instead of the matrix, a sixth of the work.
    """
    still, weightless = np.zeros(qd.shape[-1]), np.zeros(3)
    return of(q, 0.5 * (qd + v), a) - of(q, 0.5 * (qd - v), still, gravity=weightless)


def laws() -> dict[str, type[Law]]:
    """Those that ``torsor.control`` exports, by their names in Python."""
    from torsor import control

    exported = ((name, getattr(control, name)) for name in dir(control))
    return {name: law for name, law in exported if isinstance(law, type) and issubclass(law, Law) and law is not Law}


def laws_of_files(others: Iterable[type[Law]] = ()) -> dict[str, type[Law]]:
    """Those that a scenario can say all of, by their kind there; ``others`` are of a user's own."""

    def said(law: type[Law]) -> bool:
        every = all(field.in_files or field.default is not REQUIRED for field in law.fields.values())
        return every and law.follows() != "nothing" and bool(fields.keys_of(law.fields))

    return {law.name().replace("_", "-"): law for law in [*laws().values(), *others] if said(law)}
