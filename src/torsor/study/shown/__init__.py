"""Studies drawn: pictures, and the page."""
