"""From targets to motion. So far: inverse kinematics."""

from torsor.motion.inverse_kinematics import Branches, Unreachable, inverse_kinematics

__all__ = ["Branches", "Unreachable", "inverse_kinematics"]
