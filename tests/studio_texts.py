"""A program and a scenario that take no time, for the tests of the studio."""

SWING = """program swing;
var
  joint: far = joint(mainjoint(-20, 10, 10));
endvar
seq
  move ptp far;
endseq
endprogram
"""
STEP = """name = "a step"
arm = "planar2"
duration = 1
[start]
q = [0.3, 0.1]
[law]
kind = "pd-gravity"
Kp = 50
Kd = 20
[reference]
kind = "point"
q = [0, 0]
"""
