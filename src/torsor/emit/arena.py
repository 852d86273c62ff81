"""Executable memory: pages for machine code, which go back when nobody holds the code any more.

Code is written to its own pages while they are writable, and run when they are not: never both at once, and pages that
other threads run are not touched. All pages belong to a few large pieces of private memory, however many kernels there
are; a forked process has its own copy of them.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
from collections.abc import Callable
from functools import cache

from torsor.emit.locks import fork_safe_lock

PIECE = 1024  # pages; a larger kernel has a piece of its own

LOCK = fork_safe_lock()  # of memory and of LLVM


class CodePages:
    """Some pages with code in them. They are free again when this object is gone."""

    def __init__(self, content: bytes) -> None:
        count = -(-len(content) // mmap.PAGESIZE)
        with LOCK:
            self._piece = _piece_with(count)
            first = self._piece.used.index(bytes(count))
            self._span = slice(first, first + count)
            self.address = self._piece.address + first * mmap.PAGESIZE
            _protect(self.address, count, mmap.PROT_READ | mmap.PROT_WRITE)
            ctypes.memmove(self.address, content, len(content))
            _protect(self.address, count, mmap.PROT_READ | mmap.PROT_EXEC)
            self._piece.used[self._span] = b"\1" * count

    def __del__(self) -> None:
        if hasattr(self, "address"):
            # One assignment of equal length, which no other thread can come between: the collector may call this at
            # any moment, also while memory is being asked for.
            self._piece.used[self._span] = bytes(self._span.stop - self._span.start)


class _Piece:
    def __init__(self, count: int) -> None:
        self.used = bytearray(count)  # page by page
        self.memory = mmap.mmap(-1, count * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        _protect(self.address, count, mmap.PROT_READ | mmap.PROT_EXEC)


_pieces: list[_Piece] = []


def _piece_with(count: int) -> _Piece:
    """A piece with that many pages in a row free; those that are not used at all go back to the system."""
    _pieces[:] = [piece for piece in _pieces if any(piece.used)]
    for piece in _pieces:
        if bytes(count) in piece.used:
            return piece
    _pieces.append(_Piece(max(count, PIECE)))
    return _pieces[-1]


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


def in_use() -> int:
    """Bytes of memory that hold code."""
    return sum(map(sum, (piece.used for piece in _pieces))) * mmap.PAGESIZE
