"""Pages of one HTML file that need nothing else: no network, no other files."""
