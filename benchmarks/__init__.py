"""Figures of the table, each beside its floor of the same run: `sh scripts/benchmark`."""
