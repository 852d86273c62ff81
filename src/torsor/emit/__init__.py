"""Tapes to code: machine code through LLVM, C99, Python. LLVM is imported when the first kernel is compiled."""

from torsor.emit import cache
from torsor.emit.kernel import Kernel, compile_kernel, recall_kernel

__all__ = ["Kernel", "cache", "compile_kernel", "recall_kernel"]
