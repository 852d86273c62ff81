"""A tape as Python over NumPy arrays, with the manners of a gufunc: for machines without LLVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from torsor.algebra.tape import Array, Tape
from torsor.emit.python_source import function_from


def numpy_function(tape: Tape, dtype: DTypeLike = np.float64) -> Callable[..., Any]:
    """A function of arrays with ``out=``; shapes are checked as the frozen sizes of a gufunc check them.

    It computes in float64 whatever ``dtype`` it gives.
    """
    compute = function_from(tape)

    def call(*arrays: Any, out: Any = None) -> Any:
        given = [_float64(a) for a in arrays]
        for a, spec in zip(given, tape.inputs, strict=True):
            if a.ndim < len(spec.shape) or a.shape[a.ndim - len(spec.shape) :] != spec.shape:
                raise ValueError(f"{spec.name} has shape {a.shape}")
        with np.errstate(all="ignore"):
            results = compute(*given)
            results = results if isinstance(results, tuple) else (results,)
            results = tuple(np.asarray(r).astype(dtype, copy=False)[()] for r in results)
        outs = (out if isinstance(out, tuple) else (out,)) if out is not None else (None,) * len(results)
        if len(outs) != len(results):
            raise ValueError("wrong number of outputs")
        final = tuple(
            r if o is None else _written(r, o, spec) for r, o, spec in zip(results, outs, tape.outputs, strict=True)
        )
        return final[0] if len(final) == 1 else final

    return call


def _float64(a: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(a)
    if not np.can_cast(array.dtype, np.float64):
        raise TypeError(f"cannot use type {array.dtype}")
    return array.astype(np.float64, copy=False)


def _written(result: Any, out: Any, spec: Array) -> Any:
    if not isinstance(out, np.ndarray):
        raise TypeError("out must be an array")
    core = out.shape[out.ndim - len(spec.shape) :]
    if core != spec.shape or np.broadcast_shapes(out.shape, np.shape(result)) != out.shape:
        raise ValueError(f"out has shape {out.shape}, the result {np.shape(result)}")
    np.copyto(out, result, casting="same_kind")
    return out
