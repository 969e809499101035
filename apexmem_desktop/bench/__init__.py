"""Measures the memory on data that nobody here wrote, beside the plain alternatives."""
