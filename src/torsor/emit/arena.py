"""Executable memory: pages for machine code, which are used again when nobody holds the code any more.

Code is written to its own pages while they are writable, and run when they are not: never both at once, and pages that
other threads run are not touched. All pages belong to a few large pieces of private memory, however many kernels there
are; a forked process has its own copy of them.

Who may still run some code holds its token, an object that does nothing else. Pages are free when this module alone is
left with it: a reference count says that and no finalizer, because those of the garbage collector run while others in
the same garbage may yet call the code.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import sys
from collections.abc import Callable
from functools import cache

from torsor.emit.locks import fork_safe_lock

PIECE = 1024  # pages; a larger kernel has a piece of its own
LOCK = fork_safe_lock()  # of memory and of LLVM


class _Piece:
    def __init__(self, count: int) -> None:
        self.memory = mmap.mmap(-1, count * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        _protect(self.address, count, mmap.PROT_READ | mmap.PROT_EXEC)
        self.used = bytearray(count)  # page by page
        self.tokens: dict[tuple[int, int], object] = {}  # by the first page and the one behind the last

    def clean(self) -> None:
        """Take back the pages of tokens that nobody else holds."""
        for begin, end in [pages for pages in self.tokens if sys.getrefcount(self.tokens[pages]) == _ALONE]:
            del self.tokens[begin, end]
            self.used[begin:end] = bytes(end - begin)


_pieces: list[_Piece] = []
_probe = {0: object()}
_ALONE = sys.getrefcount(_probe[0])  # of what only a dict holds


def place(content: bytes) -> tuple[int, object]:
    """Where code was put, for as long as its token, the second, is held."""
    count = -(-len(content) // mmap.PAGESIZE)
    with LOCK:
        piece = _piece_with(count)
        first = piece.used.index(bytes(count))
        address = piece.address + first * mmap.PAGESIZE
        _protect(address, count, mmap.PROT_READ | mmap.PROT_WRITE)
        ctypes.memmove(address, content, len(content))
        _protect(address, count, mmap.PROT_READ | mmap.PROT_EXEC)
        piece.used[first : first + count] = b"\1" * count
        piece.tokens[first, first + count] = token = object()
        return address, token


def in_use() -> int:
    """Bytes of memory that hold code."""
    with LOCK:
        _clean()
        return sum(sum(piece.used) for piece in _pieces) * mmap.PAGESIZE


def _piece_with(count: int) -> _Piece:
    """A piece with that many pages in a row free."""

    def fitting() -> _Piece | None:
        return next((piece for piece in _pieces if bytes(count) in piece.used), None)

    found = fitting()
    if found is None:
        _clean()
        found = fitting()
    if found is None:
        found = _Piece(max(count, PIECE))
        _pieces.append(found)
    return found


def _clean() -> None:
    """Pieces that are not used at all go back to the system."""
    for piece in _pieces:
        piece.clean()
    _pieces[:] = [piece for piece in _pieces if any(piece.used)]


def _protect(address: int, count: int, protection: int) -> None:
    if _mprotect()(address, count * mmap.PAGESIZE, protection) != 0:
        number = ctypes.get_errno()
        full = number == errno.ENOMEM
        what = "no memory is left for code" if full else "this system does not let a process make memory executable"
        raise OSError(number, what)


@cache
def _mprotect() -> Callable[..., int]:
    found = ctypes.CDLL(None, use_errno=True).mprotect
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return found
