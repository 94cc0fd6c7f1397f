"""A table at work: the match that it owns, and all that presses and commands do to it."""
