"""The function that Python calls, in IR: 0.1 us for what is usual, everything else handed on.

    PyObject *torsor_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

It takes arrays of exactly the kernel's numbers and shapes, aligned and C-contiguous, one for every input, and either
nothing more or one ``out=``; for scalars also a Python float. Batches of such rows, as many for every input, are taken
by `torsor_batch`, unless they are so large that threads pay; there ``threads=1`` may be said. Whatever is not so goes
to the general function, which is the builtin's ``self``, with the same arguments. Both know where NumPy keeps the
fields of an array; `gufunc.py` proves that they are there before it lets these functions be used.
"""

from __future__ import annotations

from torsor.algebra.tape import Array, Tape
from torsor.emit.precision import DOUBLE, Precision
from torsor.emit.table import LIBRARY, table_slot
from torsor.emit.threads import rows_for_one
from torsor.emit.writer import UNHURRIED, Writer

# Slots of torsor_table after those of the C library.
(ARRAY_TYPE, DESCR, OUT_NAME, VECTORCALL, NEW_ARRAY, RETURN, INCREF, NEW_TUPLE, FLOAT_TYPE, DOUBLE_TYPE,
 THREADS_NAME, ONE, SINGLE_DESCR) = range(len(LIBRARY), len(LIBRARY) + 13)  # fmt: skip

# Byte offsets in a PyObject, a PyArrayObject, a PyFloatObject and a PyTupleObject of a 64-bit CPython.
TYPE, DATA, DIMENSION_COUNT, DIMENSIONS, DESCRIPTOR, FLAGS = 8, 16, 24, 32, 56, 64
FLOAT_VALUE, TUPLE_SIZE, TUPLE_ITEMS = 16, 16, 24
CONTIGUOUS, ALIGNED, WRITEABLE = 0x0001, 0x0100, 0x0400


def fastcall_ir(tape: Tape, real: Precision = DOUBLE) -> str:
    return "\n".join([_call(tape, real), _batch(tape, real)])


def _call(tape: Tape, real: Precision) -> str:
    """One state."""
    w = Writer(1, real)
    count = len(tape.inputs)
    for k, array in enumerate(tape.inputs):
        if not array.shape:
            w.do(f"%cell{k} = alloca {real.name}, align 8")
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
    w.label("fresh")
    made = _new_arrays(w, tape, 0)
    w.do(f"call void @torsor_scalar({_pointers([*sources, *(_field(w, m, DATA, 'ptr') for m in made)])})")
    _return(w, [  # a result without dimensions is a NumPy scalar, as with any ufunc
        m if array.shape else w.let(f"call ptr {_global(w, RETURN)}(ptr {m})")
        for array, m in zip(tape.outputs, made, strict=True)
    ])  # fmt: skip
    w.label("general")
    w.do("%general.result = call ptr @torsor_batch(ptr %self, ptr %args, i64 %nargs, ptr %kwnames)")
    w.do("ret ptr %general.result")
    return w.function(f"hidden ptr @torsor_call({PARAMETERS}) #0")


def _batch(tape: Tape, real: Precision) -> str:
    """Rows of arrays, as many for every input; what takes none has no rows."""
    w = Writer(1, real)
    if tape.inputs:
        _many(w, tape)
    else:
        w.do("br label %general")
    w.label("general")
    function = _global(w, VECTORCALL)
    w.do(f"%general.result = call ptr {function}(ptr %self, ptr %args, i64 %nargs, ptr %kwnames)")
    w.do("ret ptr %general.result")
    return w.function(f"internal ptr @torsor_batch({PARAMETERS}) {UNHURRIED}")


def _many(w: Writer, tape: Tape) -> None:
    count = len(tape.inputs)
    for k, array in enumerate(tape.outputs):
        w.do(f"%dims{k} = alloca [{1 + len(array.shape)} x i64], align 8")
    _require(w, w.let(f"icmp eq i64 %nargs, {count}"))
    objects = [_field(w, "%args", 8 * k, "ptr") for k in range(count)]
    rows = ""
    for value, array in zip(objects, tape.inputs, strict=True):
        rows = _require_rows(w, value, array, CONTIGUOUS | ALIGNED, rows)
    _require(w, w.let(f"icmp ule i64 {rows}, {rows_for_one(len(tape.code))}"))
    for k, array in enumerate(tape.outputs):
        for d, size in enumerate((rows, *array.shape)):
            w.store(str(size), w.at(f"%dims{k}", d, "i64"), "i64")
    sources = [_field(w, value, DATA, "ptr") for value in objects]
    w.do("%plain = icmp eq ptr %kwnames, null")
    w.do("br i1 %plain, label %fresh, label %named")
    w.label("named")
    out = _out_among(w, count)
    w.do(f"%without = icmp eq ptr {out}, null")
    w.do("br i1 %without, label %fresh, label %given")
    w.label("given")
    if len(tape.outputs) == 1:
        _require_rows(w, out, tape.outputs[0], CONTIGUOUS | ALIGNED | WRITEABLE, rows)
        target = _field(w, out, DATA, "ptr")
        for source, array in zip(sources, tape.inputs, strict=True):
            _require_apart(w, (target, tape.outputs[0]), (source, array), rows)
        _rows(w, tape, rows, [*sources, target])
        w.do(f"call void {_global(w, INCREF)}(ptr {out})")
        w.do(f"ret ptr {out}")
    else:
        w.do("br label %general")
    w.label("fresh")
    made = _new_arrays(w, tape, 1)
    _rows(w, tape, rows, [*sources, *(_field(w, m, DATA, "ptr") for m in made)])
    _return(w, made)


PARAMETERS = "ptr %self, ptr %args, i64 %nargs, ptr %kwnames"


def _given(w: Writer, tape: Tape, sources: list[str]) -> None:
    """``out=`` is the only keyword: an array, or for several outputs a tuple of them."""
    w.label("given")
    _require(w, w.let(f"icmp eq i64 {_field(w, '%kwnames', TUPLE_SIZE, 'i64')}, 1"))
    keyword = _field(w, "%kwnames", TUPLE_ITEMS, "ptr")
    _require(w, w.let(f"icmp eq ptr {keyword}, {_global(w, OUT_NAME)}"))
    out = _field(w, "%args", 8 * len(tape.inputs), "ptr")
    if len(tape.outputs) == 1 and tape.outputs[0].shape:
        _require_array(w, out, tape.outputs[0].shape, CONTIGUOUS | ALIGNED | WRITEABLE)
        w.do(f"call void @torsor_scalar({_pointers([*sources, _field(w, out, DATA, 'ptr')])})")
        w.do(f"call void {_global(w, INCREF)}(ptr {out})")
        w.do(f"ret ptr {out}")
    else:  # several outputs into given arrays: the general function is quick enough
        w.do("br label %general")


def _out_among(w: Writer, count: int) -> str:
    """What is given as ``out=``, or null, of one or two keywords; the other may be ``threads=1``."""
    size = _field(w, "%kwnames", TUPLE_SIZE, "i64")
    _require(w, w.let(f"icmp ule i64 {size}, 2"))
    places = ["0", w.let(f"sub i64 {size}, 1")]
    names = [w.load(w.at(w.at("%kwnames", TUPLE_ITEMS, "i8"), place, "ptr"), "ptr") for place in places]
    values = [w.load(w.at(w.at("%args", 8 * count, "i8"), place, "ptr"), "ptr") for place in places]
    out, threads = "null", _global(w, ONE)
    for name, value in zip(names, values, strict=True):
        is_out = w.let(f"icmp eq ptr {name}, {_global(w, OUT_NAME)}")
        is_threads = w.let(f"icmp eq ptr {name}, {_global(w, THREADS_NAME)}")
        _require(w, w.let(f"or i1 {is_out}, {is_threads}"))
        out = w.let(f"select i1 {is_out}, ptr {value}, ptr {out}")
        threads = w.let(f"select i1 {is_threads}, ptr {value}, ptr {threads}")
    _require(w, w.let(f"icmp eq ptr {threads}, {_global(w, ONE)}"))
    return out


def _rows(w: Writer, tape: Tape, rows: str, places: list[str]) -> None:
    arrays = zip(places, tape.inputs + tape.outputs, strict=True)
    listed = ", ".join(f"ptr {place}, i64 {w.real.bytes * array.size}" for place, array in arrays)
    w.do(f"call void @torsor_rows(i64 {rows}, {listed})")


def _new_arrays(w: Writer, tape: Tape, more: int) -> list[str]:
    """One for every output, with so many dimensions more, as %dims say."""
    kind, descr = _global(w, ARRAY_TYPE), _global(w, _descriptor(w))
    made: list[str] = []
    for k, array in enumerate(tape.outputs):
        w.do(f"call void {_global(w, INCREF)}(ptr {descr})")  # the new array takes this reference
        made.append(
            w.let(
                f"call ptr {_global(w, NEW_ARRAY)}(ptr {kind}, ptr {descr}, i32 {len(array.shape) + more}, "
                f"ptr %dims{k}, ptr null, ptr null, i32 0, ptr null)"
            )
        )
        # Out of memory: an error is set. Arrays already made are lost, which is the least of the troubles then.
        w.do(f"%failed{k} = icmp eq ptr {made[-1]}, null")
        w.do(f"br i1 %failed{k}, label %nothing, label %made{k}")
        w.label(f"made{k}")
    return made


def _return(w: Writer, made: list[str]) -> None:
    """One array, or a tuple of them."""
    if len(made) == 1:
        w.do(f"ret ptr {made[0]}")
    else:
        w.do(f"%tuple = call ptr {_global(w, NEW_TUPLE)}(i64 {len(made)})")
        w.do("%no.tuple = icmp eq ptr %tuple, null")
        w.do("br i1 %no.tuple, label %nothing, label %full")
        w.label("full")
        for k, m in enumerate(made):
            w.store(m, w.at("%tuple", TUPLE_ITEMS + 8 * k, "i8"), "ptr")
        w.do("ret ptr %tuple")
    w.label("nothing")
    w.do("ret ptr null")


def _input(w: Writer, value: str, array: Array, number: int) -> str:
    """The address of an input's first number."""
    if array.shape:
        _require_array(w, value, array.shape, CONTIGUOUS | ALIGNED)
        return _field(w, value, DATA, "ptr")
    kind = _field(w, value, TYPE, "ptr")
    python = w.let(f"icmp eq ptr {kind}, {_global(w, FLOAT_TYPE)}")
    numpy = w.let(f"icmp eq ptr {kind}, {_global(w, DOUBLE_TYPE)}")  # numpy.float64 holds its number at the same place
    _require(w, w.let(f"or i1 {python}, {numpy}"))
    held = _field(w, value, FLOAT_VALUE, "double")
    if w.real is not DOUBLE:
        held = w.let(f"fptrunc double {held} to {w.real.name}")
    w.store(held, f"%cell{number}")
    return f"%cell{number}"


def _require_array(w: Writer, value: str, shape: tuple[int, ...], flags: int, *, more: int = 0) -> str:
    """An array of this shape, after ``more`` other dimensions; where its dimensions stand."""
    _require(w, w.let(f"icmp eq ptr {_field(w, value, TYPE, 'ptr')}, {_global(w, ARRAY_TYPE)}"))
    found = w.let(f"and i32 {_field(w, value, FLAGS, 'i32')}, {flags}")
    good = w.let(f"icmp eq i32 {found}, {flags}")
    same = w.let(f"icmp eq ptr {_field(w, value, DESCRIPTOR, 'ptr')}, {_global(w, _descriptor(w))}")
    good = w.let(f"and i1 {good}, {same}")
    same = w.let(f"icmp eq i32 {_field(w, value, DIMENSION_COUNT, 'i32')}, {len(shape) + more}")
    _require(w, w.let(f"and i1 {good}, {same}"))
    dimensions = _field(w, value, DIMENSIONS, "ptr")
    for d, size in enumerate(shape, start=more):
        _require(w, w.let(f"icmp eq i64 {_field(w, dimensions, 8 * d, 'i64')}, {size}"))
    return dimensions


def _require_rows(w: Writer, value: str, array: Array, flags: int, rows: str) -> str:
    """An array of rows; how many, which is ``rows`` where that is known."""
    dimensions = _require_array(w, value, array.shape, flags, more=1)
    found = _field(w, dimensions, 0, "i64")
    if rows:
        _require(w, w.let(f"icmp eq i64 {found}, {rows}"))
    return rows or found


def _require_apart(w: Writer, target: tuple[str, Array], source: tuple[str, Array], rows: str) -> None:
    """What is written may be what is read, row by row, or lie elsewhere; nothing between."""
    ends = []
    for place, array in (target, source):
        first = w.let(f"ptrtoint ptr {place} to i64")
        ends.append((first, w.let(f"add i64 {first}, {w.let(f'mul i64 {rows}, {w.real.bytes * array.size}')}")))
    (first, end), (other, other_end) = ends
    before, after = w.let(f"icmp ule i64 {end}, {other}"), w.let(f"icmp ule i64 {other_end}, {first}")
    apart = w.let(f"or i1 {before}, {after}")
    if target[1].size == source[1].size:
        apart = w.let(f"or i1 {apart}, {w.let(f'icmp eq i64 {first}, {other}')}")
    _require(w, apart)


def _require(w: Writer, condition: str) -> None:
    w.require(condition, "general")


def _field(w: Writer, base: str, offset: int, kind: str) -> str:
    return w.load(w.at(base, offset, "i8"), kind)


def _descriptor(w: Writer) -> int:
    return DESCR if w.real is DOUBLE else SINGLE_DESCR


def _global(w: Writer, slot: int) -> str:
    return w.load(table_slot(slot), "ptr")


def _pointers(names: list[str]) -> str:
    return ", ".join(f"ptr {n}" for n in names)
