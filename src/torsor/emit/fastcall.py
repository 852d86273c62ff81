"""The function that Python calls, in IR: 0.1 us for what is usual, everything else handed on.

    PyObject *torsor_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

It takes float64 arrays of exactly the kernel's shapes, aligned and C-contiguous, one for every input, and either
nothing more or one ``out=``; for scalars also a Python float. Whatever is not so goes to the general function, which
is the builtin's ``self``, with the same arguments. It knows where NumPy keeps the fields of an array; `gufunc.py`
proves that they are there before it lets this function be used.
"""

from __future__ import annotations

from torsor.algebra.tape import Array, Tape
from torsor.emit.table import LIBRARY, table_slot
from torsor.emit.writer import Writer

# Slots of torsor_table after those of the C library.
(ARRAY_TYPE, DESCR, OUT_NAME, VECTORCALL, NEW_ARRAY, RETURN, INCREF, NEW_TUPLE, FLOAT_TYPE, DOUBLE_TYPE) = range(
    len(LIBRARY), len(LIBRARY) + 10
)

# Byte offsets in a PyObject, a PyArrayObject, a PyFloatObject and a PyTupleObject of a 64-bit CPython.
TYPE, DATA, DIMENSION_COUNT, DIMENSIONS, DESCRIPTOR, FLAGS = 8, 16, 24, 32, 56, 64
FLOAT_VALUE, TUPLE_SIZE, TUPLE_ITEMS = 16, 16, 24
CONTIGUOUS, ALIGNED, WRITEABLE = 0x0001, 0x0100, 0x0400


def fastcall_ir(tape: Tape) -> str:
    w = Writer(1)
    count = len(tape.inputs)
    for k, array in enumerate(tape.inputs):
        if not array.shape:
            w.do(f"%cell{k} = alloca double, align 8")
    for k, array in enumerate(tape.outputs):
        w.do(f"%dims{k} = alloca [{max(1, len(array.shape))} x i64], align 8")
        for d, size in enumerate(array.shape):
            w.store(str(size), w.at(f"%dims{k}", d, "i64"), "i64")
    _require(w, w.let(f"icmp eq i64 %nargs, {count}"))
    objects = [_field(w, "%args", 8 * k, "ptr") for k in range(count)]
    sources = [_input(w, objects[k], array, k) for k, array in enumerate(tape.inputs)]
    w.do("%plain = icmp eq ptr %kwnames, null")
    w.do("br i1 %plain, label %fresh, label %given")
    _given(w, tape, sources)
    _fresh(w, tape, sources)
    w.label("general")
    function = _global(w, VECTORCALL)
    w.do(f"%general.result = call ptr {function}(ptr %self, ptr %args, i64 %nargs, ptr %kwnames)")
    w.do("ret ptr %general.result")
    return w.function("hidden ptr @torsor_call(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) #0")


def _given(w: Writer, tape: Tape, sources: list[str]) -> None:
    """``out=`` is the only keyword: an array, or for several outputs a tuple of them."""
    w.label("given")
    _require(w, w.let(f"icmp eq i64 {_field(w, '%kwnames', TUPLE_SIZE, 'i64')}, 1"))
    keyword = _field(w, "%kwnames", TUPLE_ITEMS, "ptr")
    _require(w, w.let(f"icmp eq ptr {keyword}, {_global(w, OUT_NAME)}"))
    out = _field(w, "%args", 8 * len(tape.inputs), "ptr")
    if len(tape.outputs) == 1 and tape.outputs[0].shape:
        _require_array(w, out, tape.outputs[0], CONTIGUOUS | ALIGNED | WRITEABLE)
        w.do(f"call void @torsor_scalar({_pointers([*sources, _field(w, out, DATA, 'ptr')])})")
        w.do(f"call void {_global(w, INCREF)}(ptr {out})")
        w.do(f"ret ptr {out}")
    else:  # several outputs into given arrays: the general function is quick enough
        w.do("br label %general")


def _fresh(w: Writer, tape: Tape, sources: list[str]) -> None:
    """No ``out``: make new arrays."""
    w.label("fresh")
    kind, descr = _global(w, ARRAY_TYPE), _global(w, DESCR)
    made: list[str] = []
    for k, array in enumerate(tape.outputs):
        w.do(f"call void {_global(w, INCREF)}(ptr {descr})")  # the new array takes this reference
        made.append(
            w.let(
                f"call ptr {_global(w, NEW_ARRAY)}(ptr {kind}, ptr {descr}, i32 {len(array.shape)}, ptr %dims{k}, "
                "ptr null, ptr null, i32 0, ptr null)"
            )
        )
        # Out of memory: an error is set. Arrays already made are lost, which is the least of the troubles then.
        w.do(f"%failed{k} = icmp eq ptr {made[-1]}, null")
        w.do(f"br i1 %failed{k}, label %nothing, label %made{k}")
        w.label(f"made{k}")
    targets = [_field(w, m, DATA, "ptr") for m in made]
    w.do(f"call void @torsor_scalar({_pointers([*sources, *targets])})")
    finished = [  # a result without dimensions is a NumPy scalar, as with any ufunc
        m if array.shape else w.let(f"call ptr {_global(w, RETURN)}(ptr {m})")
        for array, m in zip(tape.outputs, made, strict=True)
    ]
    if len(finished) == 1:
        w.do(f"ret ptr {finished[0]}")
    else:
        w.do(f"%tuple = call ptr {_global(w, NEW_TUPLE)}(i64 {len(finished)})")
        w.do("%no.tuple = icmp eq ptr %tuple, null")
        w.do("br i1 %no.tuple, label %nothing, label %full")
        w.label("full")
        for k, m in enumerate(finished):
            w.store(m, w.at("%tuple", TUPLE_ITEMS + 8 * k, "i8"), "ptr")
        w.do("ret ptr %tuple")
    w.label("nothing")
    w.do("ret ptr null")


def _input(w: Writer, value: str, array: Array, number: int) -> str:
    """The address of an input's first double."""
    if array.shape:
        _require_array(w, value, array, CONTIGUOUS | ALIGNED)
        return _field(w, value, DATA, "ptr")
    kind = _field(w, value, TYPE, "ptr")
    python = w.let(f"icmp eq ptr {kind}, {_global(w, FLOAT_TYPE)}")
    numpy = w.let(f"icmp eq ptr {kind}, {_global(w, DOUBLE_TYPE)}")  # numpy.float64 holds its number at the same place
    _require(w, w.let(f"or i1 {python}, {numpy}"))
    w.store(_field(w, value, FLOAT_VALUE, "double"), f"%cell{number}")
    return f"%cell{number}"


def _require_array(w: Writer, value: str, array: Array, flags: int) -> None:
    _require(w, w.let(f"icmp eq ptr {_field(w, value, TYPE, 'ptr')}, {_global(w, ARRAY_TYPE)}"))
    found = w.let(f"and i32 {_field(w, value, FLAGS, 'i32')}, {flags}")
    good = w.let(f"icmp eq i32 {found}, {flags}")
    same = w.let(f"icmp eq ptr {_field(w, value, DESCRIPTOR, 'ptr')}, {_global(w, DESCR)}")
    good = w.let(f"and i1 {good}, {same}")
    same = w.let(f"icmp eq i32 {_field(w, value, DIMENSION_COUNT, 'i32')}, {len(array.shape)}")
    _require(w, w.let(f"and i1 {good}, {same}"))
    dimensions = _field(w, value, DIMENSIONS, "ptr")
    for d, size in enumerate(array.shape):
        _require(w, w.let(f"icmp eq i64 {_field(w, dimensions, 8 * d, 'i64')}, {size}"))


def _require(w: Writer, condition: str) -> None:
    w.require(condition, "general")


def _field(w: Writer, base: str, offset: int, kind: str) -> str:
    return w.load(w.at(base, offset, "i8"), kind)


def _global(w: Writer, slot: int) -> str:
    return w.load(table_slot(slot), "ptr")


def _pointers(names: list[str]) -> str:
    return ", ".join(f"ptr {n}" for n in names)
