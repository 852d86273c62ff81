"""Lines of batch kernels in their order: the same lines, each after what it needs, and the same numbers."""

from dataclasses import replace

import numpy as np
import pytest
from emit_oracle import run_native
from emit_tracing import newton_euler

from torsor.emit import llvm
from torsor.emit.host import this_host
from torsor.emit.line_constants import with_constants_in_memory
from torsor.emit.line_order import NAME, in_order

HEAD = ["entry:", "  %spare = alloca [24 x double], align 64"]
CHAIN = [
    "  %t1 = load double, ptr %in0, align 8",
    "  %t2 = fmul double %t1, %t1",
    "  %t3 = load double, ptr %in1, align 8",
    "  %t4 = fmul double %t3, %t3",
    "  %t5 = fmul double %t4, %t4",
    "  %t6 = fmul double %t5, %t2",
    "  store double %t2, ptr %out0, align 8",
    "  store double %t6, ptr %out1, align 8",
]


def test_what_is_waited_for_longest_comes_first():
    found = in_order([*HEAD, *CHAIN, "  ret void"])
    assert found[:2] == HEAD
    assert found[-1] == "  ret void"
    numbers = [CHAIN.index(line) + 1 for line in found[2:-1]]
    assert numbers.index(3) < numbers.index(1)  # the load at the beginning of the longer way
    assert max(numbers.index(1), numbers.index(3)) < min(numbers.index(7), numbers.index(8))  # stores after all loads


@pytest.mark.parametrize(
    "line",
    ['  fence syncscope("singlethread") release', "  %t9 = call double %t1(double %t2)", "  call void @f(ptr %p)"],
)
def test_what_stays_as_it_is(line):
    lines = [*HEAD, *CHAIN, line, "  ret void"]
    assert in_order(lines) == lines


def test_wide_blocks_stay_as_they_are():
    wide = [f"  %t{k + 10} = fmul double %t1, %t{3 if k % 2 else 1}" for k in range(200)]
    lines = [*HEAD, CHAIN[2], CHAIN[0], *wide]
    assert in_order(lines) == lines


@pytest.mark.parametrize("joints", [2, 6, 11])
def test_of_kernels(joints, monkeypatch):
    """A permutation of each block's lines, in which names are made before they are used; results to the last bit."""
    tape, host = newton_euler(joints), replace(this_host(), width=4)
    monkeypatch.setattr(llvm.avx_groups, "assembly", lambda *_: None)  # which has an order of its own
    seen = []
    monkeypatch.setattr(llvm, "in_order", lambda lines: seen.append((lines[:], in_order(lines))) or seen[-1][1])
    arrays = [np.random.default_rng(k).uniform(-3, 3, (9, joints)) for k in range(3)]
    (found,) = run_native(tape, host, arrays)
    ((before, after),) = seen
    assert sorted(before) == sorted(after)
    assert before != after
    made = set()
    for line in after:
        name, _, text = line.strip().rpartition(" = ")
        assert made.issuperset(NAME.findall(text)), line
        made.add(name)
    assert [k for k, line in enumerate(before) if not line.startswith("  ")] == [
        k for k, line in enumerate(after) if not line.startswith("  ")
    ]
    monkeypatch.setattr(llvm, "in_order", lambda lines: lines)
    monkeypatch.setattr(llvm, "with_constants_in_memory", lambda lines, *_: (lines, ""))
    (as_written,) = run_native(tape, host, arrays)
    np.testing.assert_array_equal(found, as_written)


def test_constants():
    lines = [
        "  %t2 = fmul <4 x double> %t1, splat (double 0x3FF8000000000000)",
        "  %t3 = add <4 x i64> %t2, splat (i64 3)",
    ]
    found, table = with_constants_in_memory([*lines, lines[0].replace("%t2", "%t4")], 4, "double")
    assert table.startswith("@torsor_constants = internal constant [1 x <4 x double>] [<4 x double> <double 0x3FF8")
    assert [line.split(" = ")[0].strip() for line in found] == ["%c0.0", "%t2", "%t3", "%c2.0", "%t4"]
    assert found[1] == "  %t2 = fmul <4 x double> %t1, %c0.0"
    assert with_constants_in_memory(lines[1:], 4, "double") == (lines[1:], "")
