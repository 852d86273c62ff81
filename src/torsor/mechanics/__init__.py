"""The formulations, each a page of NumPy that runs on floats and on graph scalars."""
