"""What is derived from facts and can be made again: importance, habits, summaries. No model."""
