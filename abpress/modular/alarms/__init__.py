"""What facts leave open, in words: where, who holds which locks, and which fact is missing."""
