"""Snooker and sinuca."""
