"""The engine after which the tool is named: lazy abstraction with interpolants, fused with DPOR."""
