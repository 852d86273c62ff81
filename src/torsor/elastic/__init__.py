"""Beams on the moving arm: modes, vibration, deflection and stress."""
