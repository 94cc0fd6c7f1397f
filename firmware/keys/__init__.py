"""What keys mean: panel files read and checked, and the grammar by which presses become acts."""
