"""The studio: arms, programs, scenarios and equations live in a browser, served on this computer and nowhere else."""
