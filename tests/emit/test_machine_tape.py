"""Tapes made ready for machines."""

import operator
from itertools import accumulate

import numpy as np
import pytest

from torsor.algebra import symbols, tape_from
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.angle_sums import with_angle_sums
from torsor.emit.machine_sums import LONG, MachineStep
from torsor.emit.machine_tape import Angles, machine_tape


def tape(inputs, *code, results=None):
    head = tuple(Instruction("input", (), float(i)) for i in range(inputs))
    code = head + tuple(Instruction(str(op), tuple(map(int, args))) for op, *args in code)
    results = (len(code) - 1,) if results is None else results
    return Tape("t", (Array("x", (inputs,)),), (Array("y", (len(results),)),), code, tuple(results))


def test_products_join_sums():
    program = machine_tape(tape(3, ("mul", 0, 1), ("add", 3, 2)), fuse=True)
    assert program.steps == (MachineStep("fma", 4, (0, 1, 2)),)
    program = machine_tape(tape(3, ("mul", 0, 1), ("sub", 3, 2)), fuse=True)
    assert program.steps == (MachineStep("fms", 4, (0, 1, 2)),)
    program = machine_tape(tape(3, ("mul", 0, 1), ("sub", 2, 3)), fuse=True)
    assert program.steps == (MachineStep("fnma", 4, (0, 1, 2)),)


def test_of_two_products_the_later_one_joins():
    program = machine_tape(tape(4, ("mul", 0, 1), ("mul", 4, 2), ("mul", 2, 3), ("add", 6, 5)), fuse=True)
    *_, product, last = program.steps
    assert (product.op, product.args) == ("mul", (2, 3))
    assert last == MachineStep("fma", 7, (4, 2, product.out))


def test_a_product_that_others_need_stays():
    program = machine_tape(tape(3, ("mul", 0, 1), ("add", 3, 2), results=(3, 4)), fuse=True)
    assert [s.op for s in program.steps] == ["mul", "add"]
    program = machine_tape(tape(2, ("mul", 0, 1), ("add", 2, 2)), fuse=True)
    assert [s.op for s in program.steps] == ["mul", "add"]


def test_no_fusing_without_the_instruction():
    program = machine_tape(tape(3, ("mul", 0, 1), ("add", 3, 2)), fuse=False)
    assert [s.op for s in program.steps] == ["mul", "add"]


def test_the_dead_are_dropped():
    program = machine_tape(tape(3, ("mul", 0, 1), ("exp", 2), ("add", 0, 0)), fuse=True)
    assert program.inputs == {0: 0}
    assert program.steps == (MachineStep("add", 5, (0, 0)),)


def test_angles_come_together_and_what_leads_to_them_first():
    program = machine_tape(
        tape(2, ("sin", 0), ("mul", 0, 0), ("add", 0, 1), ("cos", 4), ("mul", 2, 5), ("mul", 6, 3)), fuse=True
    )
    add, angles = program.steps[:2]
    assert add == MachineStep("add", 4, (0, 1))
    assert angles == Angles((0, 4), (2, -1), (-1, 5), 0)


def test_a_sine_asked_for_twice_is_one():
    program = machine_tape(tape(1, ("sin", 0), ("sin", 0), ("cos", 2), ("mul", 1, 3), results=(1, 2, 4)), fuse=True)
    assert program.results == (1, 1, 4)
    assert program.steps[0] == Angles((0,), (1,), (-1,), 0)
    assert program.steps[1] == Angles((1,), (-1,), (3,), 1)


def test_what_is_ready_first_is_added_first():
    """A sine waits for nobody: the chain x0 + sin + x1 - x2 - x3 adds it last."""
    program = machine_tape(tape(4, ("sin", 0), ("add", 4, 0), ("add", 5, 1), ("sub", 6, 2), ("sub", 7, 3)), fuse=True)
    *first, last = program.steps[1:]
    assert {a for step in first for a in step.args} >= {0, 1, 2, 3}
    assert (last.op, last.out) == ("add", 8)
    assert 4 in last.args


@pytest.mark.parametrize("fuse", [True, False])
def test_sums_stay_what_they_are(fuse):
    """Whole numbers, which are added without rounding in any order; sums, differences and products at random."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        steps = [(rng.choice(["add", "sub", "sub", "mul", "neg"]), *rng.integers(0, 4 + k, 2)) for k in range(12)]
        code = [(op, a) if op == "neg" else (op, a, b) for op, a, b in steps]
        given = tape(4, *code, results=(15, 14))
        values = dict(enumerate(rng.integers(-3, 4, 4).tolist()))
        program = machine_tape(given, fuse=fuse)
        known = {k: values[flat] for k, flat in program.inputs.items()}
        for step in program.steps:
            known[step.out] = MEANING[step.op](*(known[a] for a in step.args))
        right = dict(values)
        for k, instruction in enumerate(given.code[4:], start=4):
            right[k] = MEANING[instruction.op](*(right[a] for a in instruction.args))
        assert [known[r] for r in program.results] == [right[15], right[14]]


def test_a_sum_may_be_as_long_as_it_likes():
    many = LONG // 2  # and as many inputs
    chain = [("sub", many + k - 1 if k else 0, k + 1) for k in range(many - 1)]
    program = machine_tape(tape(many, *chain), fuse=True)
    assert len(program.steps) == many - 1


def test_sums_of_angles_may_be_as_long_as_they_like():
    """Asked for from the longest to the shortest, which is the worst order."""
    many = 1500
    q = symbols("q", many)
    sums = list(accumulate(q, operator.add))
    outputs = np.array([sum(np.cos(each) for each in reversed(sums)), sum(np.sin(each) for each in q)], dtype=object)
    given = tape_from("t", {"q": q}, {"y": outputs})
    found = with_angle_sums(given)
    angles = {step.args[0] for step in found.code if step.op in ("sin", "cos")}
    assert len(angles) == many
    states = np.random.default_rng(0).uniform(-3.0, 3.0, many)
    (mine,), (right,) = found.evaluate(states), given.evaluate(states)
    assert np.abs(mine - right).max() < 1e-15 * many**2


MEANING = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "fma": lambda a, b, c: a * b + c,
    "fms": lambda a, b, c: a * b - c,
    "fnma": lambda a, b, c: c - a * b,
}
