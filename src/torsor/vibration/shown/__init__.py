"""A vibration drawn on the page."""
