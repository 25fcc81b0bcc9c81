"""Tables, measurements and comparisons: `python -m experiments NAME ...`, or `scripts/experiment`.

`harness.EXPERIMENTS` lists them; each is a module with `arguments` and `run`.
"""
