"""Wires into presses, pictures into light, messages into packets; no rules of any game."""
