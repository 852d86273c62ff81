"""The general way into a kernel: arrays that broadcast, ``out=``, threads, and errors that name the culprit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from torsor.algebra.tape import Array, Tape
from torsor.emit import threads as threading
from torsor.emit.precision import DOUBLE, Precision
from torsor.errors import ShapeError


class General(NamedTuple):
    """Callable like the kernel. ``function`` is a gufunc or behaves like one; ``cost`` its steps, 0 for no threads.

    ``method`` is what the builtin in front of it points to: see `gufunc.Behind`.
    """

    tape: Tape
    function: Any
    cost: int
    method: tuple[Any, ...] = ()
    real: Precision = DOUBLE

    def __call__(self, *arrays: Any, out: Any = None, threads: int | None = None) -> Any:
        tape = self.tape
        if len(arrays) != len(tape.inputs):
            names = ", ".join(a.name for a in tape.inputs)
            raise TypeError(f"{tape.name}() takes {len(tape.inputs)} arrays ({names}), not {len(arrays)}")
        if any(type(a) is not np.ndarray for a in arrays):
            arrays = tuple(_plain(a, spec) for a, spec in zip(arrays, tape.inputs, strict=True))
        if self.real is not DOUBLE:  # NumPy rounds no argument to a smaller type by itself
            arrays = tuple(self._rounded(a, spec) for a, spec in zip(arrays, tape.inputs, strict=True))
        try:
            if threads is None:
                rows = threading.rows_of(arrays, tape.inputs)
                threads = threading.usable() if rows > threading.rows_for_one(self.cost) else 1
            elif threads < 1:
                raise ShapeError(f"threads is {threads}", hint="one or more, or None for as many as pay")
            if threads > 1 and self.cost:
                done = self._threaded(arrays, out, threads)
                if done is not None:
                    return done
            return self.function(*arrays) if out is None else self.function(*arrays, out=out)
        except ShapeError:
            raise
        except (ValueError, TypeError) as error:
            raise self._explained(arrays, out, error) from None

    def _rounded(self, a: Any, spec: Array) -> Any:
        """Numbers beyond its range become infinite; what are no numbers stay as they are, to be refused by name."""
        if _wrong(a, spec):
            return a
        with np.errstate(over="ignore"):
            return np.asarray(a).astype(self.real.dtype, copy=False)

    def _threaded(self, arrays: tuple[Any, ...], out: Any, threads: int) -> Any:
        """Run on several cores; None where one call is the right way."""
        tape = self.tape
        given = [np.asarray(a) for a in arrays]
        if any(_wrong(a, s) for a, s in zip(given, tape.inputs, strict=True)):
            return None  # the plain call finds the words
        batch = np.broadcast_shapes(*_leads(given, tape.inputs))
        if not batch or 0 in batch:
            return None
        wanted = [batch + s.shape for s in tape.outputs]
        if out is None:
            outs = tuple(np.empty(shape, self.real.dtype) for shape in wanted)
        else:
            outs = out if isinstance(out, tuple) else (out,)
            whole = all(type(o) is np.ndarray for o in outs) and [o.shape for o in outs] == wanted
            if not whole or any(np.may_share_memory(o, a) for o in outs for a in given):
                return None
        threading.run(self.function, given, outs, tape, batch, threads)
        return outs[0] if len(outs) == 1 else outs

    def _explained(self, arrays: tuple[Any, ...], out: Any, error: Exception) -> Exception:
        """Say which argument is wrong; NumPy knows only its number."""
        tape = self.tape
        for a, spec in zip(arrays, tape.inputs, strict=True):
            wrong = _wrong(a, spec)
            if wrong:
                return ShapeError(f"{tape.name}: {wrong}", hint=f"it must be numbers of shape {_wanted(spec)}")
        try:
            batch = np.broadcast_shapes(*_leads(arrays, tape.inputs))
        except ValueError:
            shapes = ", ".join(f"{s.name} {np.shape(a)}" for a, s in zip(arrays, tape.inputs, strict=True))
            return ShapeError(f"{tape.name}: these do not broadcast: {shapes}", hint="leading dimensions must match")
        outs = out if isinstance(out, tuple) else (out,)
        if out is not None and len(outs) != len(tape.outputs):
            return ShapeError(
                f"{tape.name}: out has {len(outs)} arrays", hint=f"it must be a tuple of {len(tape.outputs)}"
            )
        for o, spec in zip(outs, tape.outputs, strict=False):
            if o is None:
                continue
            if not isinstance(o, np.ndarray):
                return ShapeError(f"{tape.name}: out is a {type(o).__name__}", hint="it must be a NumPy array")
            if not o.flags.writeable:
                return ShapeError(f"{tape.name}: out for {spec.name} is read-only")
            if o.dtype.kind != "f" or o.shape != batch + spec.shape:
                what = f"{tape.name}: out for {spec.name} has shape {o.shape} and type {o.dtype}"
                return ShapeError(what, hint=f"it must be floats of shape {batch + spec.shape}")
        return ShapeError(f"{tape.name}: {error}")


def _leads(arrays: Iterable[Any], specs: Iterable[Array]) -> list[tuple[int, ...]]:
    """The dimensions before those of one row."""
    return [np.shape(a)[: np.ndim(a) - len(s.shape)] for a, s in zip(arrays, specs, strict=True)]


def _plain(a: Any, spec: Array) -> Any:
    """Subclasses of arrays as plain arrays. Hidden numbers of a masked array must not be computed with unseen."""
    if isinstance(a, np.ma.MaskedArray):
        if np.ma.is_masked(a):
            raise ShapeError(
                f"{spec.name} has masked elements", hint="fill them first: filled(numpy.nan) gives NaN rows"
            )
        return a.data
    return np.asarray(a) if isinstance(a, np.ndarray) else a


def _wrong(a: Any, spec: Array) -> str:
    try:
        array = np.asarray(a)
    except ValueError:
        return f"{spec.name} is ragged"
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        return f"{spec.name} has type {array.dtype}"
    if array.ndim < len(spec.shape) or array.shape[array.ndim - len(spec.shape) :] != spec.shape:
        return f"{spec.name} has shape {array.shape}"
    return ""


def _wanted(spec: Array) -> str:
    return "(..., " + ", ".join(map(str, spec.shape)) + ")" if spec.shape else "(...)"
