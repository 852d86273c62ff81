"""IR to machine code in this process."""

from __future__ import annotations

import ctypes
import sys
import threading
from ctypes import c_void_p
from functools import cache
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


def compiled(ir: str, host: Host, symbols: tuple[str, ...] = SYMBOLS) -> bytes:
    """Machine code ready for `load` and for the cache: a flat image where that is possible, else an object file."""
    llvm = _llvm()
    with _lock:
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
    with _lock:
        return str(_machine(host).emit_assembly(llvm.parse_assembly(ir)))


def load(code: bytes) -> Code:
    """Put the compiled code of a kernel into memory and give it the C library."""
    loaded = Code(*addresses(code, SYMBOLS))
    fill(loaded, dict(enumerate(_library())))
    return loaded


def addresses(code: bytes, symbols: tuple[str, ...]) -> list[int]:
    """Put compiled code into memory; where its symbols are."""
    return image.load(code) if code.startswith(image.MAGIC) else _link(code, symbols)


def fill(code: Code, entries: dict[int, int]) -> None:
    """Write addresses into the table of a kernel."""
    table = (c_void_p * TABLE_SIZE).from_address(code.table)
    for slot, address in entries.items():
        table[slot] = address


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


def _link(obj: bytes, symbols: tuple[str, ...]) -> list[int]:
    """Through LLVM's own linker, for systems where `image` does not apply."""
    from torsor.emit.host import this_host

    llvm = _llvm()
    with _lock:
        if not _linked:
            _linked.append(llvm.create_lljit_compiler(_machine(this_host())))
        library = llvm.JITLibraryBuilder().add_object_img(obj)
        for name in symbols:
            library.export_symbol(name)
        try:
            tracker = library.link(_linked[0], f"torsor_{len(_linked)}")
        except RuntimeError as error:
            raise CompileError(f"LLVM could not load the generated code: {error}") from error
        _linked.append(tracker)
        return [tracker[name] for name in symbols]


def _machine(host: Host) -> Any:
    target = _llvm().Target.from_triple(host.triple)
    return target.create_target_machine(cpu=host.cpu, features=host.features, opt=2, reloc="pic", codemodel="small")


def _llvm() -> Any:
    import llvmlite.binding as llvm

    with _lock:  # asking twice does no harm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    return llvm


_lock = threading.RLock()
_linked: list[Any] = []  # the linker, and what it keeps in memory
