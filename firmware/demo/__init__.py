"""`tacada demo`: real matches, played by pressing the buttons of a table by program."""
