"""Values that every room understands. Standard library only: no database, no model, no window."""
