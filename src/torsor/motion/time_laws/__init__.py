"""Time laws, all piecewise polynomials, and how a plan is timed."""
