"""As fast as the motors allow: the timing of a given path."""
