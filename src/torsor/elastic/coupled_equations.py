"""The equations of coupled motion of an elastic arm, with loops or without."""

from __future__ import annotations

from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_equations import ElasticEquations
from torsor.elastic.looped_equations import LoopedElasticEquations
from torsor.errors import Unsupported
from torsor.model.model import Model

CoupledEquations = ElasticEquations | LoopedElasticEquations


def coupled_equations(elastic: Elastic, model: Model) -> CoupledEquations:
    """``model`` is the arm, or the same without its drives or what it holds; modes are those of the arm itself."""
    require_coupled_motion(elastic)
    return (LoopedElasticEquations if elastic.model.loops else ElasticEquations).of(elastic, model)


def require_coupled_motion(elastic: Elastic) -> None:
    """Refuses arms that have no coupled motion yet."""
    if elastic.sections_turn and not elastic.model.loops:
        text = f"{elastic.model.name!r} has sections that turn with its posture"
        raise Unsupported(text, hint="coupled motion is for arms without them yet")
