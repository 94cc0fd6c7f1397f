"""What commands say in a terminal, in the club's language."""
