"""The firmware: composes rules and drivers into a table that can be played on."""
