"""A match set up at the table: questions on the board, answered with the keys of the panel."""
