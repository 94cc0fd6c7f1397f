"""LED boards: which screen is shown, with which texts in which boxes, and its picture."""
