"""What differences between numbers say about the places that pointers access."""
