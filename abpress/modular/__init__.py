"""Thread-modular analysis: what holds wherever one thread stands, whatever the others do."""
