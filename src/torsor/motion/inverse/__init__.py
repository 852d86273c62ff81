"""The parts of inverse kinematics: branches and their names, limits, continuity, search, loops, rates."""
