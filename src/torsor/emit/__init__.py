"""Tapes to code: machine code through LLVM, C99, Python. LLVM is imported when the first kernel is compiled."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.emit.disk import CacheRefused as CacheRefused
    from torsor.emit.kernel import Kernel as Kernel
    from torsor.emit.kernel import NoMachineCode as NoMachineCode
    from torsor.emit.kernel import compile_kernel as compile_kernel
    from torsor.emit.kernel import recall_kernel as recall_kernel
    from torsor.emit.page import Page as Page
else:
    __getattr__, __dir__ = exports(__name__)
