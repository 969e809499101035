"""The command line. Its modules load nothing heavy: `--help` answers at once."""
