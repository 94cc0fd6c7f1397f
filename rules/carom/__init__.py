"""Carom: the series games, three cushions among them, and the pins."""
