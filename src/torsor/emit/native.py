"""IR to machine code in this process."""

from __future__ import annotations

import ctypes
import sys
import threading
from ctypes import c_void_p
from typing import TYPE_CHECKING, Any, NamedTuple

from torsor.algebra.tape import Tape
from torsor.emit import image
from torsor.emit.table import LIBRARY, TABLE_SIZE
from torsor.errors import CompileError

if TYPE_CHECKING:
    from torsor.emit.host import Host

SYMBOLS = ("torsor_scalar", "torsor_rows", "torsor_loop", "torsor_call", "torsor_table")


class Code(NamedTuple):
    """Addresses of a loaded kernel. It is never unloaded: anything may hold a pointer to it."""

    scalar: int
    rows: int
    loop: int
    call: int
    table: int


def ir_of(tape: Tape, host: Host, **cutting: int) -> str:
    """All of a kernel's IR. Its printers are imported here: code out of the cache needs none of them."""
    from torsor.emit.fastcall import fastcall_ir
    from torsor.emit.gufunc_loop import loop_ir
    from torsor.emit.llvm import kernel_ir

    return "\n".join([kernel_ir(tape, host, **cutting), loop_ir(tape, host), fastcall_ir(tape)])


def compiled(ir: str, host: Host) -> bytes:
    """Machine code ready for `load` and for the cache: a flat image where that is possible, else an object file."""
    llvm = _llvm()
    with _lock:
        machine = _machine(host)
        try:
            module = llvm.parse_assembly(ir)
            obj: bytes = machine.emit_object(module)
        except RuntimeError as error:
            raise CompileError(f"LLVM refused the generated code: {error}") from error
    flat = image.image_from(obj, SYMBOLS) if image.supported() else None
    return obj if flat is None else flat


def assembly(ir: str, host: Host) -> str:
    """What `compiled` makes, to read."""
    llvm = _llvm()
    with _lock:
        return str(_machine(host).emit_assembly(llvm.parse_assembly(ir)))


def load(code: bytes, host: Host | None = None) -> Code:
    """Put compiled code into memory and give it the C library."""
    addresses = image.load(code) if code.startswith(image.MAGIC) else _link(code, host)
    loaded = Code(*addresses)
    fill(loaded, dict(enumerate(_library())))
    return loaded


def fill(code: Code, entries: dict[int, int]) -> None:
    """Write addresses into the table of a kernel."""
    table = (c_void_p * TABLE_SIZE).from_address(code.table)
    for slot, address in entries.items():
        table[slot] = address


def _library() -> list[int]:
    """Addresses of the C library's functions."""
    if not _functions:
        for name in ("ucrtbase",) if sys.platform == "win32" else (None, "libm.so.6", "libm.dylib"):
            try:
                library = ctypes.CDLL(name)
                _functions[:] = [ctypes.cast(getattr(library, f), c_void_p).value or 0 for f in LIBRARY]
                break
            except (OSError, AttributeError):  # not that one; the next
                continue
        else:
            raise CompileError("the C library's mathematical functions were not found")
    return _functions


def _link(obj: bytes, host: Host | None) -> list[int]:
    """Through LLVM's own linker, for systems where `image` does not apply."""
    from torsor.emit.host import this_host

    llvm = _llvm()
    with _lock:
        if "jit" not in _session:
            _session["jit"] = llvm.create_lljit_compiler(_machine(host or this_host()))
        _session["count"] = _session.get("count", 0) + 1
        library = llvm.JITLibraryBuilder().add_object_img(obj)
        for name in SYMBOLS:
            library.export_symbol(name)
        try:
            tracker = library.link(_session["jit"], f"torsor_{_session['count']}")
        except RuntimeError as error:
            raise CompileError(f"LLVM could not load the generated code: {error}") from error
        _session.setdefault("alive", []).append(tracker)
        return [tracker[name] for name in SYMBOLS]


def _machine(host: Host) -> Any:
    llvm = _llvm()
    target = llvm.Target.from_triple(host.triple)
    return target.create_target_machine(cpu=host.cpu, features=host.features, opt=2, reloc="pic", codemodel="small")


def _llvm() -> Any:
    import llvmlite.binding as llvm

    with _lock:
        if "ready" not in _session:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            _session["ready"] = True
    return llvm


_lock = threading.RLock()
_session: dict[str, Any] = {}
_functions: list[int] = []
