"""The page of a sizing."""
