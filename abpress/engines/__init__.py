"""The engines: each decides a property of a program in its own way. `engines.table` lists them."""
