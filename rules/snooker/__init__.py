"""Snooker and its Brazilian and Portuguese kin, played with fifteen, ten or six reds."""
