"""What stands around the arm: shapes, distances, collisions."""
