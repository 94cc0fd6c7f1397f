"""The rules of billiards: pure, immutable, without clock, files or chance.

Nothing here imports anything of ours outside this package, and nothing outside the standard
library but msgspec.
"""
