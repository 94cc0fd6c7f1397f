"""A handheld pad for makers, in MicroPython: copy pad.py, main.py and keys.py to the board."""
