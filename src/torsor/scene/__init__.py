"""An arm as a scene: what the page needs to draw it, move it and explain it."""
