"""What a user can do, as plain blocking functions. Both faces stand on these alone."""
