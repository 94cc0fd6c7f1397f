"""What was entered, in words of the languages."""
