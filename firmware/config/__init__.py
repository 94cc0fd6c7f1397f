"""The configuration of a table: its file, what stands in it, what can be wrong with it."""
