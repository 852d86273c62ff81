"""Instructions of batch kernels, counted in their assembly: x86-64 and AArch64."""

import numpy as np
import pytest
from cross_compiling import arm64
from emit_tracing import Trace, newton_euler

from torsor.emit import compile_kernel, native
from torsor.emit.instructions import InstructionCount, count_instructions

X86 = """
torsor_scalar:
\tvmulsd %xmm0, %xmm1, %xmm2
.Lfunc_end0:
torsor_block_4_0:
\tvmulpd (%rax), %ymm1, %ymm2
.Lfunc_end1:
torsor_block_1_0:
\tvmulsd %xmm0, %xmm1, %xmm2
.Lfunc_end2:
torsor_group:
.cfi_startproc
# %bb.0:
\tvfnmadd231pd %ymm0, %ymm1, %ymm2
\tvfmsub132pd %ymm0, %ymm1, %ymm2
\tvaddpd %ymm0, %ymm1, %ymm2
\tvsubpd %ymm0, %ymm1, %ymm2
\tvsqrtpd %ymm0, %ymm1
\tvmovapd %ymm0, %ymm1
\tvaddsd %xmm0, %xmm1, %xmm2
\t.p2align 4
\tretq
.Lfunc_end3:
"""
ARM = """
torsor_group:
\tfmla\tv0.2d, v1.2d, v2.2d
\tfmls\tv0.2d, v1.2d, v2.2d
\tfmul\tv0.2d, v1.2d, v2.2d
\tfadd\tv0.2d, v1.2d, v2.2d
\tfdiv\tv0.2d, v1.2d, v2.2d
\tldr\tq0, [x0]
\tret
.Lfunc_end0:
"""


def test_of_texts():
    assert count_instructions(X86, 4) == InstructionCount(4, 9, 3, 2, 1)
    assert count_instructions(ARM, 2) == InstructionCount(2, 7, 3, 1, 1)
    assert count_instructions(X86.replace("torsor_group", "another").replace("_block_4", "_block_1"), 4) is None


def products():
    """Of each pair of five numbers, and three quotients: none of it can be shared or fused."""
    trace = Trace("products", {"x": (5,)})
    x = trace.arrays["x"]
    pairs = [(a, b) for i, a in enumerate(x) for b in x[:i]]
    return trace.tape({"p": np.array([a * b for a, b in pairs]), "q": np.array([a / b for a, b in pairs[:3]])})


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_of_a_kernel(dtype):
    count = compile_kernel(products(), dtype=dtype).instructions
    assert (count.multiplications, count.additions, count.divisions) == (10, 0, 3)


def test_of_machine_code_for_arm():
    host = arm64()
    count = count_instructions(native.assembly(native.ir_of(products(), host), host), 2)
    assert (count.multiplications, count.additions, count.divisions) == (10, 0, 3)


def test_without_machine_code():
    assert compile_kernel(newton_euler(1), backend="python").instructions is None
