"""What programs have an arm hold: inertia that no body has is mended, and said, in all languages."""

from __future__ import annotations

import numpy as np
import pytest

from torsor.motion.commands import Assumed, Payload
from torsor.programs import parse
from torsor.programs.loads import HeldLoad

PROGRAMS = {
    "KRL": "DEF cell( )\n$LOAD={{M 3,CM {{X 0,Y 0,Z 50,A 0,B 0,C 0}},J {{X {0},Y {1},Z {2}}}}}\nPTP XHOME\nEND\n",
    "RAPID": "MODULE m\nPERS tooldata t:=[TRUE,[[0,0,0],[1,0,0,0]],[3,[0,0,50],[1,0,0,0],{0},{1},{2}]];\nPROC main()\n"
    "MoveAbsJ [[0,0,0,0,30,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v100,fine,t;\nENDPROC\nENDMODULE\n",
    "URScript": "def a():\n  set_target_payload(3.0, [0,0,0.05], [{0},{1},{2},0,0,0])\n"
    "  movej([0,-1.5,1,0,0,0])\nend\n",
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_inertia_that_no_body_has(language):
    for moments, taken in (((0, 0, 0.5), (0.25, 0.25, 0.5)), ((0.2, 0.2, 0.3), (0.2, 0.2, 0.3))):
        commands = list(parse(PROGRAMS[language].format(*moments), language).commands())
        (load,) = (each for each in commands if isinstance(each, Payload) and each.mass)
        assert np.linalg.eigvalsh(load.inertia) == pytest.approx(taken, abs=1e-12)
        said = [each.text for each in commands if isinstance(each, Assumed) and "moments of inertia" in each.text]
        assert len(said) == (moments != taken)


def test_moments_below_zero_are_none():
    load = HeldLoad.of(2.0, np.zeros(3), np.diag([-0.1, 0.2, 0.1])).possible()
    assert np.linalg.eigvalsh(np.array(load.inertia).reshape(3, 3)) == pytest.approx([0.05, 0.15, 0.2])
    assert not any(HeldLoad.of(0.0, np.zeros(3), np.eye(3)).possible().inertia)
