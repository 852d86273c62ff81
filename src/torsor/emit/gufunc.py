"""Kernels as NumPy gufuncs and as fast builtin functions, made at run time without a C compiler.

NumPy publishes its C functions in two tables (capsules). One of them makes a gufunc from a pointer to a loop. The
core sizes stand in the signature as numbers, "(6),(6)->(6)", so that NumPy itself refuses arrays of other lengths.
"""

from __future__ import annotations

import ctypes
import importlib
import inspect
import struct
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_int32, c_int64, c_ssize_t, c_void_p, py_object
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra.tape import Tape
from torsor.emit import fastcall
from torsor.emit.precision import DOUBLE, Precision

if TYPE_CHECKING:
    from torsor.emit.native import Code

OLDEST, NEWEST = (1, 23), (2, 99)  # NumPy versions whose tables have these numbers
WORKS = "NumPy 1.23 to 2.x on a 64-bit CPython does"
FROM_LOOP = 31  # PyUFunc_FromFuncAndDataAndSignature
ARRAY_RETURN, NEW_FROM_DESCR = 76, 94  # PyArray_Return, PyArray_NewFromDescr
NO_IDENTITY = -1
FASTCALL_KEYWORDS = 0x0080 | 0x0002
UFUNC_OBJECT = 88  # the byte at which a ufunc has what it keeps alive


def signature_of(tape: Tape) -> str:
    """
    >>> from torsor.algebra.tape import Array, Tape
    >>> signature_of(Tape("m", (Array("q", (6,)), Array("t", ())), (Array("M", (6, 6)),), (), ()))
    '(6),()->(6,6)'
    """
    sides = (tape.inputs, tape.outputs)
    return "->".join(",".join(f"({','.join(map(str, a.shape))})" for a in side) for side in sides)


def usable() -> bool:
    """Whether this NumPy's table is one we know."""
    version = tuple(int(part) for part in np.__version__.split(".")[:2])
    return OLDEST <= version <= NEWEST and sys.implementation.name == "cpython" and ctypes.sizeof(c_void_p) == 8


def gufunc_from(tape: Tape, code: Code, doc: str, real: Precision = DOUBLE) -> np.ufunc:
    make = ctypes.PYFUNCTYPE(
        py_object, c_void_p, c_void_p, c_void_p, c_int, c_int, c_int, c_int, c_void_p, c_void_p, c_int, c_char_p
    )(_table("_UFUNC_API")[FROM_LOOP])
    count = len(tape.inputs) + len(tape.outputs)
    blocks = struct.pack("P", code.loop), struct.pack("P", 0), bytes([real.number]) * count
    texts = tuple(text.encode(errors="replace") for text in (_printable(tape.name), doc, signature_of(tape)))
    sides = len(tape.inputs), len(tape.outputs)
    made: np.ufunc = make(*map(_within, blocks), 1, *sides, NO_IDENTITY, *map(_within, texts[:2]), 0, texts[2])
    _keep(made, (code.token, blocks, texts))
    return made


def _keep(made: np.ufunc, pointed_to: object) -> None:
    """A gufunc keeps what it points to as `numpy.frompyfunc` keeps its function; where that is elsewhere, for ever."""

    def kept_by(ufunc: np.ufunc) -> c_void_p:
        return c_void_p.from_address(id(ufunc) + UFUNC_OBJECT)

    probe = np.frompyfunc(_keep, 1, 1)
    ctypes.pythonapi.Py_IncRef(py_object(pointed_to))
    if kept_by(probe).value == id(_keep) and kept_by(made).value is None:
        kept_by(made).value = id(pointed_to)


def declaration_of(function: Callable[..., Any]) -> str:
    """Signature and docstring as C declares them: from this text Python takes both for a builtin function.

    >>> declaration_of(usable)
    "usable()\\n--\\n\\nWhether this NumPy's table is one we know."
    """
    plain = [each.replace(annotation=each.empty) for each in inspect.signature(function).parameters.values()]
    return f"{function.__name__}{inspect.Signature(plain)}\n--\n\n{inspect.getdoc(function) or ''}"


class Behind(tuple[Any, ...]):
    """What stands behind a builtin, as its ``self``: the function that it hands calls to, and what it points to.

    A tuple, because that the garbage collector does not empty while the builtin is there. Python pickles a builtin as
    an attribute of its ``self``; that attribute is the function.
    """

    __slots__ = ()

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        return self[0](*arrays, **options)

    def __getattr__(self, name: str) -> Any:
        if name == getattr(self[0], "__name__", None):
            return self[0]
        raise AttributeError(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Behind, ((self[0],),)


def method_of(code: Code, name: str, doc: str) -> tuple[object, ...]:
    """A PyMethodDef, and what it points to."""
    texts = _printable(name).encode(), doc.encode(errors="replace")
    pointers = _within(texts[0]), code.call, FASTCALL_KEYWORDS, _within(texts[1])
    return struct.pack("PPiP", *pointers), texts, code.token


def builtin_from(
    method: tuple[Any, ...], behind: tuple[Any, ...], module: str | None = None
) -> Callable[..., Any] | None:
    """The builtin function in front of ``behind``, a callable tuple that holds ``method``; None where arrays are not
    laid out as `fastcall` believes."""
    if not layout_is_known():
        return None
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = py_object
    make.argtypes = [c_void_p, py_object, py_object]
    made: Callable[..., Any] = make(_within(method[0]), behind, module)
    return made


def _within(block: bytes) -> int:
    """Where the content of bytes is, which stay there while they are held."""
    return ctypes.cast(c_char_p(block), c_void_p).value or 0


@cache
def outside() -> tuple[int, ...]:
    """The addresses that `fastcall` asks for, in the order of its slots."""
    python, array_api = ctypes.pythonapi, _table("_ARRAY_API")
    known = {
        fastcall.ARRAY_TYPE: id(np.ndarray),
        fastcall.DESCR: id(np.dtype(np.float64)),
        fastcall.OUT_NAME: id(_OUT),
        fastcall.VECTORCALL: _address(python.PyObject_Vectorcall),
        fastcall.NEW_ARRAY: array_api[NEW_FROM_DESCR],
        fastcall.RETURN: array_api[ARRAY_RETURN],
        fastcall.INCREF: _address(python.Py_IncRef),
        fastcall.NEW_TUPLE: _address(python.PyTuple_New),
        fastcall.FLOAT_TYPE: id(float),
        fastcall.DOUBLE_TYPE: id(np.float64),
        fastcall.THREADS_NAME: id(_THREADS),
        fastcall.ONE: id(_ONE),
        fastcall.SINGLE_DESCR: id(np.dtype(np.float32)),
    }
    return tuple(known[slot] for slot in sorted(known))


_OUT, _THREADS = map(sys.intern, ("out", "threads"))
_ONE = 1  # small numbers are there once


@cache
def layout_is_known() -> bool:
    """Look at real arrays, floats and tuples through the offsets of `fastcall` and compare with what Python says."""
    if not usable() or "t" in getattr(sys, "abiflags", ""):  # free-threaded Python lays objects out otherwise
        return False
    plain = np.arange(6.0)
    frozen = np.arange(12.0).reshape(3, 4)
    frozen.flags.writeable = False
    probes = [plain, frozen, frozen.T, plain[::2], np.zeros((2, 3, 4)), np.array(1.0), np.zeros(3, np.float32)]
    return all(_array_as_told(a) for a in probes) and _others_as_told()


def _array_as_told(a: np.ndarray[Any, Any]) -> bool:
    def read(kind: Any, offset: int, base: int = id(a)) -> Any:
        return kind.from_address(base + offset).value

    flags = {fastcall.CONTIGUOUS: "c_contiguous", fastcall.ALIGNED: "aligned", fastcall.WRITEABLE: "writeable"}
    return (
        read(c_void_p, fastcall.TYPE) == id(np.ndarray)
        and read(c_void_p, fastcall.DATA) == a.ctypes.data
        and read(c_int32, fastcall.DIMENSION_COUNT) == a.ndim
        and read(c_void_p, fastcall.DESCRIPTOR) == id(a.dtype)
        and [read(c_int64, 8 * d, read(c_void_p, fastcall.DIMENSIONS)) for d in range(a.ndim)] == list(a.shape)
        and all(bool(read(c_int32, fastcall.FLAGS) & bit) == getattr(a.flags, name) for bit, name in flags.items())
    )


def _others_as_told() -> bool:
    pair = ("out", 2.5)
    read_float = [ctypes.c_double.from_address(id(x) + fastcall.FLOAT_VALUE).value for x in (pair[1], np.float64(3.5))]
    size = c_ssize_t.from_address(id(pair) + fastcall.TUPLE_SIZE).value
    items = (c_void_p * 2).from_address(id(pair) + fastcall.TUPLE_ITEMS)
    return read_float == [2.5, 3.5] and size == 2 and list(items) == [id(pair[0]), id(pair[1])]


def _table(name: str) -> Any:
    """One of NumPy's tables of C functions, as an array of addresses."""
    umath = importlib.import_module(f"numpy.{'core' if np.__version__.startswith('1.') else '_core'}._multiarray_umath")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = c_void_p
    pointer.argtypes = [py_object, c_char_p]
    return (c_void_p * 128).from_address(pointer(getattr(umath, name), None))


def _address(function: Any) -> int:
    return ctypes.cast(function, c_void_p).value or 0


def _printable(name: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in name) or "kernel"
