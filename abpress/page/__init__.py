"""Pages in HTML that need nothing else, not even a network."""
