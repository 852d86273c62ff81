"""Vibration as a base of studies: what `torsor.vibrate` says, run by run."""

import torsor
from torsor.study import Study, VibrationBase
from torsor.study.changes import changed

PROGRAM = """.PROGRAM swing()
  MOVE #PPOINT(10, -20)
.END
"""


def test_runs_are_those_of_vibrate():
    program = torsor.programs.parse(PROGRAM, "VAL II", file="swing.v2")
    base = VibrationBase.of(program, "elastic-arm2", tolerance=1e-3)
    found = Study(base, {"payload": [0.0, 0.3]}).run(workers=1)
    heavier = torsor.vibrate(program, changed(base.arm, {"payload": 0.3}), tolerance=1e-3)
    assert not found.failures
    assert found["deviation"][1] == heavier.swing.deviation.max()
    assert found["frequency"][1] == heavier.frequencies[:, 0].min()
    assert found["frequency"][1] < found["frequency"][0]
    assert list(base.variable)[:2] == ["payload", "mass"]
