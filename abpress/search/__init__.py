"""The two exploration loops, with stored states and without, and the ledger that both keep."""
