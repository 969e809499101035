"""Models that run on this machine: a child process each for language and embeddings."""
