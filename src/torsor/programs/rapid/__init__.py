"""RAPID, the language of ABB's controllers."""
