"""Pool: rotation games, eight-ball, straight pool."""
