"""Many runs: what varies, on all cores or on a cluster, nothing done ever lost; and questions ready to ask."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.study.answer import StudyAnswer as StudyAnswer
    from torsor.study.base import StudyOutput as StudyOutput
    from torsor.study.check_base import CheckBase as CheckBase
    from torsor.study.definition import Study as Study
    from torsor.study.fastest_question import fastest as fastest
    from torsor.study.gains_question import gain_map as gain_map
    from torsor.study.map_question import workspace_map as workspace_map
    from torsor.study.motors_question import motor_choice as motor_choice
    from torsor.study.payload_question import payload_limit as payload_limit
    from torsor.study.probability_question import probability as probability
    from torsor.study.quantity_base import QuantityBase as QuantityBase
    from torsor.study.result import StudyResult as StudyResult
    from torsor.study.result import opened as opened
    from torsor.study.simulation_base import SimulationBase as SimulationBase
    from torsor.study.study_reading import parse as parse
    from torsor.study.study_reading import read as read
    from torsor.study.studying import run as run
    from torsor.study.summary import Summary as Summary
    from torsor.study.table_question import program_table as program_table
    from torsor.study.varying import Grid1D as Grid1D
    from torsor.study.varying import Listed as Listed
    from torsor.study.varying import LogNormal as LogNormal
    from torsor.study.varying import Normal as Normal
    from torsor.study.varying import Triangular as Triangular
    from torsor.study.varying import Uniform as Uniform
    from torsor.study.vibration_base import VibrationBase as VibrationBase
else:
    __getattr__, __dir__ = exports(__name__)
