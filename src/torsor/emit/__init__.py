"""Tapes to code: machine code through LLVM, C99, Python. LLVM is imported when the first kernel is compiled."""

from torsor.emit import cache
from torsor.emit.kernel import Kernel, compile_kernel
from torsor.emit.python_source import to_python

__all__ = ["Kernel", "cache", "compile_kernel", "to_python"]
