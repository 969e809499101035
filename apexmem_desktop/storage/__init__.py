"""The vault: one SQLite file and queries by noun. Only home of SQLAlchemy and hnswlib."""
