"""Tapes made ready for machines."""

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.machine_sums import MachineStep
from torsor.emit.machine_tape import Angles, machine_tape


def tape(inputs, *code, results=None):
    head = tuple(Instruction("input", (), float(i)) for i in range(inputs))
    code = head + tuple(Instruction(op, tuple(args)) for op, *args in code)
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
