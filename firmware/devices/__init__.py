"""What has keys at a table, and what answers them: panel, pads, phones, lamps, buzzer."""
