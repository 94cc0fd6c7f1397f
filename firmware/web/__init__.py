"""The pages of a hall: the room at a glance, one table large, stream overlays, phone pads."""
