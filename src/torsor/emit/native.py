"""IR to machine code in this process."""

from __future__ import annotations

import ctypes
import importlib.util
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from ctypes import c_void_p
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from torsor.algebra.tape import Tape
from torsor.emit import disk, gufunc, image
from torsor.emit.arena import LOCK
from torsor.emit.precision import DOUBLE, Precision
from torsor.emit.table import LIBRARY, TABLE_SIZE
from torsor.errors import CompileError

if TYPE_CHECKING:
    from torsor.emit.host import Host

SYMBOLS = ("torsor_scalar", "torsor_rows", "torsor_loop", "torsor_call", "torsor_table")
COMPILERS = ("torsor.emit.native", "torsor.emit.llvm", "torsor.algebra.tape")


class NoCode(CompileError):
    """Machine code cannot be had here, for the reason it gives."""


class Address(int):
    """Where machine code begins. Who holds it keeps the code in memory, by the token of `arena`."""

    token: object


class Code(NamedTuple):
    """A loaded kernel."""

    scalar: Address
    rows: Address
    loop: Address
    call: Address
    table: Address

    @property
    def token(self) -> object:
        return self.scalar.token


def ir_of(tape: Tape, host: Host, real: Precision = DOUBLE, **cutting: int) -> str:
    """All of a kernel's IR. Its printers are imported here: code out of the cache needs none of them."""
    from torsor.emit.fastcall import fastcall_ir
    from torsor.emit.gufunc_loop import loop_ir
    from torsor.emit.llvm import kernel_ir

    return "\n".join([kernel_ir(tape, host, real, **cutting), loop_ir(tape, host, real), fastcall_ir(tape, real)])


def compiled(ir: str, host: Host, symbols: tuple[str, ...] = SYMBOLS) -> bytes:
    """Machine code ready for `load` and for the cache: a flat image where that is possible, else an object file."""
    llvm = _llvm()
    with LOCK:
        machine = _machine(host)
        try:
            module = llvm.parse_assembly(ir)
            obj: bytes = machine.emit_object(module)
        except RuntimeError as error:
            raise CompileError(f"LLVM refused the generated code: {error}") from error
    flat = image.image_from(obj, symbols) if image.supported() else None
    return obj if flat is None else flat


def assembly(ir: str, host: Host) -> str:
    """What `compiled` makes, to read."""
    llvm = _llvm()
    with LOCK:
        return str(_machine(host).emit_assembly(llvm.parse_assembly(ir)))


def recalled(facts: bytes, make_ir: Callable[[Host], str], symbols: tuple[str, ...] = SYMBOLS) -> list[Address]:
    """Where the symbols of code are that ``facts`` describe in full: from the cache on disk, or compiled."""
    key = disk.key_of(_machine_facts(), facts)
    stored = disk.read(key)
    if stored is not None:
        with suppress(CompileError, struct.error):  # whole, and ours, but no code that this system loads
            return addresses(stored, symbols)
    from torsor.algebra.walk import collector_paused  # what comes out of the cache needs no graphs

    with collector_paused():
        host = this_machine()
        fresh = compiled(make_ir(host), host, symbols)
    disk.write(key, fresh, made_by=COMPILERS)
    return addresses(fresh, symbols)


def load(code: bytes) -> Code:
    """Put the compiled code of a kernel into memory."""
    return Code(*addresses(code, SYMBOLS))


def addresses(code: bytes, symbols: tuple[str, ...]) -> list[Address]:
    """Put compiled code into memory, with what its table holds; where its symbols are."""
    if not gufunc.usable():
        raise NoCode(f"NumPy {np.__version__} on this Python is not known to work", hint=gufunc.WORKS)
    try:
        token, found = image.load(code, _table()) if code.startswith(image.MAGIC) else _link(code, symbols)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoCode(reason, hint="see to memory, SELinux (execmem) or systemd (MemoryDenyWriteExecute)") from error
    made = [Address(each) for each in found]
    for each in made:
        each.token = token
    return made


@cache
def _table() -> bytes:
    """What `torsor_table` holds: addresses of the C library's functions, then of Python's and NumPy's."""
    found = [*_library(), *gufunc.outside()]
    return struct.pack(f"{TABLE_SIZE}Q", *found, *[0] * (TABLE_SIZE - len(found)))


@cache
def _library() -> list[int]:
    """Addresses of the C library's functions."""
    for name in ("ucrtbase",) if sys.platform == "win32" else (None, "libm.so.6", "libm.dylib"):
        try:
            library = ctypes.CDLL(name)
            return [ctypes.cast(getattr(library, f), c_void_p).value or 0 for f in LIBRARY]
        except (OSError, AttributeError):  # not that one; the next
            continue
    raise CompileError("the C library's mathematical functions were not found")


def _link(obj: bytes, symbols: tuple[str, ...]) -> tuple[object, list[int]]:
    """Through LLVM's own linker, for systems where `image` does not apply."""
    llvm = _llvm()
    with LOCK:
        library = llvm.JITLibraryBuilder().add_object_img(obj)
        for name in symbols:
            library.export_symbol(name)
        try:
            tracker = library.link(_linker(), f"torsor_{next(_numbers)}")
        except RuntimeError as error:
            raise CompileError(f"LLVM could not load the generated code: {error}") from error
        if "torsor_table" in symbols:
            ctypes.memmove(tracker["torsor_table"], _table(), len(_table()))
        return (_linker(), tracker), [tracker[name] for name in symbols]


def this_machine() -> Host:
    """By asking LLVM, which code out of the cache has no need of; or it says why it cannot be asked."""
    _llvm()
    from torsor.emit.host import this_host

    return this_host()


def _machine(host: Host) -> Any:
    target = _llvm().Target.from_triple(host.triple)
    return target.create_target_machine(cpu=host.cpu, features=host.features, opt=2, reloc="pic", codemodel="small")


def _llvm() -> Any:
    try:
        import llvmlite.binding as llvm
    except (ImportError, OSError) as error:
        raise NoCode(f"llvmlite cannot be imported: {error}", hint="pip install --force-reinstall llvmlite") from error
    with LOCK:  # asking twice does no harm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()
    return llvm


@cache
def _linker() -> Any:
    return _llvm().create_lljit_compiler(_machine(this_machine()))


_numbers = count()  # two pieces of linked code have different names


@cache
def _machine_facts() -> bytes:
    """Which LLVM would compile for which processor. On Linux without asking LLVM, whose import is slow."""
    from torsor.emit.host import vectors

    spec = importlib.util.find_spec("llvmlite")
    if spec is None or spec.origin is None:
        raise NoCode("llvmlite is not installed", hint="pip install llvmlite")
    cpu = Path("/proc/cpuinfo")
    if image.supported() and cpu.exists():
        first = cpu.read_text(errors="replace").split("\n\n")[0].splitlines()
        stable = [line for line in first if line.split(":")[0].strip() in CPU_FACTS]
        version = (Path(spec.origin).parent / "_version.py").read_bytes()
        return b"\0".join([version, vectors().encode(), *(line.encode() for line in stable)])
    return repr((_llvm().llvm_version_info, this_machine())).encode()


CPU_FACTS = frozenset(
    ("vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features", "CPU implementer", "CPU part")
)
