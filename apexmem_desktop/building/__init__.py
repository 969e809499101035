"""Turns into graph: gate, extract, ground, resolve, append."""
