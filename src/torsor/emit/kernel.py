"""`compile_kernel`: from a tape to something that is called with NumPy arrays."""

from __future__ import annotations

import marshal
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import DTypeLike

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit import disk, gufunc, native
from torsor.emit.general import General
from torsor.emit.precision import DOUBLE, Precision, precision_of
from torsor.emit.recent import Shared
from torsor.errors import CompileError, Unsupported, did_you_mean

if TYPE_CHECKING:
    from torsor.emit.instructions import InstructionCount

BACKENDS = ("auto", "llvm", "python")
TRACERS = ("torsor.algebra", "torsor.emit.page")  # whoever traces runs through these


class NoMachineCode(UserWarning):
    """Kernels run as Python: llvmlite is missing or cannot be used."""


class Kernel:
    """A compiled tape.

    ``k(q, qd, ..., out=None, threads=None)`` takes arrays whose last dimensions are those of the tape's inputs; the
    dimensions before them broadcast. It gives one array, or a tuple for a tape with several outputs.

    Attributes: ``call``, the function itself (a builtin where that is possible; binding it saves 0.05 us a call);
    ``gufunc``, the NumPy gufunc (None in Python); ``scalar_address`` and ``rows_address``, the native functions, whose
    signatures are in `llvm.py`; ``backend``, "llvm" or "python"; ``dtype`` of its numbers; ``tape``.
    """

    def __init__(
        self, tape: Tape, general: General, *, code: native.Code | None, fast: Callable[..., Any] | None
    ) -> None:
        self.tape = tape
        self._real = general.real
        self.general = cast(Callable[..., Any], general)  # mypy does not see that a named tuple can be called
        self._code = code
        self.backend = "python" if code is None else "llvm"
        self.gufunc: np.ufunc | None = None if code is None else general.function
        self.scalar_address: int | None = None if code is None else code.scalar
        self.rows_address: int | None = None if code is None else code.rows
        self.call: Callable[..., Any] = fast or self.general

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        return self.call(*arrays, **options)

    def __repr__(self) -> str:
        kind = "" if self._real is DOUBLE else f" {self.dtype}"
        return f"<Kernel {self.tape.name} {gufunc.signature_of(self.tape)} {self.backend}{kind}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_kernel_of, (self.tape, self.backend, str(self.dtype))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of what it computes with and gives; arrays of other numbers are converted."""
        return self._real.dtype

    def in_front_of(self, other: Callable[..., Any]) -> Callable[..., Any]:
        """A function that answers plain arrays of the kernel's shapes itself and hands other calls to ``other``.

        It has the name, the signature and the docstring of ``other``.
        """
        if self._code is None:
            return other
        method = gufunc.method_of(self._code, other.__name__, gufunc.declaration_of(other))
        return gufunc.builtin_from(method, gufunc.Behind((other, *method)), other.__module__) or other

    @cached_property
    def if_plain(self) -> Callable[..., Any]:
        """`call` for plain arrays of the kernel's shapes; for all else NotImplemented, and nothing is done."""
        return self.in_front_of(_not_plain)

    @cached_property
    def ir(self) -> str:
        """What was compiled, to read: LLVM IR, or Python."""
        if self.backend == "python":
            from torsor.emit.python_source import to_python

            return to_python(self.tape)
        return native.ir_of(self.tape, native.this_machine(), self._real)

    @property
    def assembly(self) -> str:
        """The machine code, to read."""
        if self.backend == "python":
            raise Unsupported(f"kernel {self.tape.name} runs as Python and has no machine code")
        return native.assembly(self.ir, native.this_machine())

    @property
    def instructions(self) -> InstructionCount | None:
        """Of the batch kernel for one group of rows; None of a kernel without machine code or without a batch."""
        if self.backend == "python":
            return None
        from torsor.emit.instructions import count_instructions
        from torsor.emit.llvm import lanes_of

        return count_instructions(self.assembly, lanes_of(self.tape, native.this_machine(), self._real))


def _not_plain(*arrays: Any, **options: Any) -> Any:
    return NotImplemented


def compile_kernel(tape: Tape, *, backend: str = "auto", dtype: DTypeLike = np.float64) -> Kernel:
    """Compile a tape, or find it in the cache.

    ``backend``: "llvm", "python", or "auto", which is LLVM if it is there and else Python, with one warning.
    ``dtype``: float64, or float32, of which a batch computes twice as many at once.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 2)
    >>> k = compile_kernel(tape_from("dot", {"x": x}, {"y": x @ x}))
    >>> k([3.0, 4.0]), k([[3.0, 4.0], [1.0, 2.0]])
    (np.float64(25.0), array([25.,  5.]))
    """
    if backend not in BACKENDS:
        raise CompileError(f"there is no backend {backend!r}", hint=did_you_mean(backend, BACKENDS))
    return _kernel(tape.verify(), backend, precision_of(dtype))


def compile_kernel_of(tape: Tape, backend: str, dtype: str) -> Kernel:
    """As `pickle` calls it."""
    return compile_kernel(tape, backend=backend, dtype=dtype)


def _kernel(tape: Tape, backend: str, real: Precision) -> Kernel:
    if real is not DOUBLE:
        real.require_constants(tape)
    if backend == "python" or (backend == "auto" and _degenerate(tape)):
        return _python_kernel(tape, real)
    try:
        return _native_kernel(tape, real)
    except native.NoCode as error:
        if backend == "llvm":
            raise CompileError(f"no machine code on this system: {error.problem}", hint=error.hint) from error
        if str(error) not in _warned:
            _warned.add(str(error))
            slow = f"kernels run as Python, some hundred times slower, because: {error.problem} ({error.hint})"
            warnings.warn(slow, NoMachineCode, stacklevel=3)
        return _python_kernel(tape, real)


def recall_kernel(
    facts: bytes, make_tape: Callable[[], Tape], *, made_by: str | None = None, real: Precision = DOUBLE
) -> Kernel:
    """The kernel of what ``facts`` describe in full. Its tape is made only if the cache does not hold it.

    Tracing takes longer than all the rest of a warm start, so what identifies a kernel here is known before it.
    ``made_by`` is the module whose code, with all it runs through, makes the tape: that of ``make_tape`` itself,
    without a word.
    """
    key = disk.key_of(b"tape", facts)

    def make() -> Kernel:
        tape = _recalled(key)
        if tape is None:
            tape = make_tape().verify()
            disk.write(key, tape_facts(tape), made_by=(made_by or make_tape.__module__, *TRACERS))
        return _kernel(tape, "auto", real)

    return _KERNELS.get((key, real.name), make)  # kernels of both precisions are made of one tape


def _recalled(key: str) -> Tape | None:
    stored = disk.read(key)
    if stored is None:
        return None
    try:
        return _tape_of(stored).verify()
    except Exception:  # whole, and ours, but no tape: whatever it is, tracing again puts it right
        return None


def _python_kernel(tape: Tape, real: Precision) -> Kernel:
    from torsor.emit.numpy_backend import numpy_function

    return Kernel(tape, General(tape, numpy_function(tape, real.dtype), cost=0, real=real), code=None, fast=None)


def _native_kernel(tape: Tape, real: Precision) -> Kernel:
    facts = tape_facts(tape) + real.name.encode()

    def make() -> Kernel:
        return _kernel_of(tape, native.Code(*native.recalled(facts, lambda host: native.ir_of(tape, host, real))), real)

    return _KERNELS.get(disk.key_of(b"code", facts), make)


def _kernel_of(tape: Tape, code: native.Code, real: Precision) -> Kernel:
    doc = f"{tape.name}: {gufunc.signature_of(tape)}"
    method = gufunc.method_of(code, tape.name, doc)
    general = General(tape, gufunc.gufunc_from(tape, code, doc, real), len(tape.code), method, real)
    return Kernel(tape, general, code=code, fast=gufunc.builtin_from(method, general))


def _degenerate(tape: Tape) -> bool:
    """Nothing in or an array of no elements: no gufunc has such a signature."""
    return not tape.inputs or not tape.outputs or any(a.size == 0 for a in tape.inputs + tape.outputs)


def tape_facts(tape: Tape) -> bytes:
    """All of a tape as bytes: equal for equal tapes."""
    # marshal version 2 writes the same bytes for equal values (later ones depend on reference counts)
    code = [(i.op, i.args, float(i.value)) for i in tape.code]
    arrays = [[(a.name, a.shape) for a in side] for side in (tape.inputs, tape.outputs)]
    return marshal.dumps((tape.name, arrays, code, tape.results, tape.parameters), 2)


def _tape_of(facts: bytes) -> Tape:
    name, sides, code, results, parameters = marshal.loads(facts)
    inputs, outputs = (tuple(Array(*each) for each in side) for side in sides)
    return Tape(name, inputs, outputs, tuple(Instruction(*each) for each in code), results, parameters)


# By all that they depend on: arms that are alike share them. Those that nobody holds stay for whoever asks next, up to
# half a million instructions, some 100 MB; each has two entries, by its facts and by its tape.
_KERNELS: Shared[Kernel] = Shared(1_000_000, lambda kernel: 2_000 + len(kernel.tape.code))
_warned: set[str] = set()
