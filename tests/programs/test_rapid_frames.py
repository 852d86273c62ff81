"""RAPID's frames in random programs, held against quaternions: no matrix, and nothing of the reader, is used here."""

from __future__ import annotations

import math
import random

import pytest

from torsor.model.transforms import quaternion_of
from torsor.motion.commands import Move, Tool
from torsor.programs import parse

NONE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def product(a, b):
    """Of quaternions: the turn b in axes that a has turned."""
    w, x, y, z = a
    s, i, j, k = b
    return (w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j,
            w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s)  # fmt: skip


def back(q):
    return (q[0], -q[1], -q[2], -q[3])


def turned(q, p):
    return product(product(q, (0.0, *p)), back(q))[1:]


def behind(a, b):
    """Of poses: b, seen from a, as seen from where a is seen from."""
    return tuple(x + y for x, y in zip(a[0], turned(a[1], b[0]), strict=True)), product(a[1], b[1])


def inverse(a):
    return tuple(-x for x in turned(back(a[1]), a[0])), back(a[1])


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.cos(half) if k == 0 else math.sin(half) if k == axis else 0.0 for k in range(4))


class Writer:
    """A program line by line, and what it means: the point q, the pose f, the displacement, the work object."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.q, self.f, self.shift, self.work = self.pose(), self.pose(), NONE, self.pose()
        self.home, self.user, self.tool = self.pose(), self.pose(), self.pose()
        self.lines, self.expected = [], []

    def number(self, most=200.0):
        return round(self.random.uniform(-most, most), 3)

    def pose(self):
        q = [self.random.gauss(0.0, 1.0) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in q))
        return tuple(self.number() for _ in range(3)), tuple(x / length for x in q)

    def step(self):
        a, b, c = (self.number() for _ in range(3))
        (p, r), f = self.q, self.f
        match self.random.randrange(11):
            case 0:
                self.lines.append(f"q:=Offs(q,{a},{b},{c});")
                self.q = (p[0] + a, p[1] + b, p[2] + c), r
            case 1:
                x, y, z = (self.number(170) for _ in range(3))
                self.lines.append(f"q:=RelTool(q,{a},{b},{c}\\Rx:={x}\\Ry:={y}\\Rz:={z});")
                self.q = behind(self.q, ((a, b, c), product(product(about(1, x), about(2, y)), about(3, z))))
            case 2:
                self.lines.append("q.trans:=PoseVect(f,q.trans);")
                self.q = behind(f, (p, NONE[1]))[0], r
            case 3:
                x, y, z = (self.number(170) for _ in range(3))
                self.lines.append(f"q.rot:=q.rot*OrientZYX({z},{y},{x});")
                self.q = p, product(r, product(product(about(3, z), about(2, y)), about(1, x)))
            case 4:
                other = self.pose()
                self.lines.append(f"f:=PoseMult(f,{written(other)});")
                self.f = behind(f, other)
            case 5:
                self.lines.append("f:=PoseInv(f);")
                self.f = inverse(f)
            case 6:
                self.lines.append("PDispSet f;")
                self.shift = f
            case 7:
                self.lines.append("PDispOn\\Rot\\ExeP:=home,q,tool0;")
                self.shift = behind(self.shift, behind(self.home, inverse(self.q)))
            case 8:
                self.lines.append("PDispOff;")
                self.shift = NONE
            case 9:
                self.lines.append("w.oframe:=[q.trans,f.rot];")
                self.work = p, f[1]
            case 10:
                self.lines.append("MoveL q,v100,z10,t\\WObj:=w;")
                self.expected.append(behind(behind(behind(self.user, self.work), self.shift), self.q))

    def program(self):
        rest = "[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]"
        first = [
            f"VAR robtarget q:=[{written(self.q)[1:-1]},{rest}];",
            f"CONST robtarget home:=[{written(self.home)[1:-1]},{rest}];",
            f"VAR pose f:={written(self.f)};",
            f"PERS tooldata t:=[TRUE,{written(self.tool)},[1,[0,0,1],[1,0,0,0],0,0,0]];",
            f'PERS wobjdata w:=[FALSE,TRUE,"",{written(self.user)},{written(self.work)}];',
        ]
        while len(self.expected) < 6:
            self.step()
        return "\n".join(["MODULE m", *first, "PROC main()", *self.lines, "ENDPROC", "ENDMODULE"])


def written(pose):
    return "[[" + ",".join(map(repr, pose[0])) + "],[" + ",".join(map(repr, pose[1])) + "]]"


def apart(a, b):
    """How far quaternions are from each other; both signs mean the same turn."""
    return min(math.dist(a, b), math.dist(a, [-x for x in b]))


@pytest.mark.parametrize("seed", range(12))
def test_targets_and_tool(seed):
    writer = Writer(seed)
    made = list(parse(writer.program(), "RAPID").commands())
    moves = [each for each in made if isinstance(each, Move)]
    assert len(moves) == len(writer.expected)
    for move, (position, rotation) in zip(moves, writer.expected, strict=True):
        assert [1e3 * x for x in move.target.position] == pytest.approx(position, abs=1e-7)
        assert apart(quaternion_of(move.target.rotation), rotation) < 1e-12
    (tool,) = (each for each in made if isinstance(each, Tool))
    assert 1e3 * tool.T[:3, 3] == pytest.approx(writer.tool[0], abs=1e-9)
    assert apart(quaternion_of(tool.T[:3, :3]), writer.tool[1]) < 1e-12
