"""Pool: nine- and ten-ball, eight-ball and blackball, straight pool (14.1)."""
