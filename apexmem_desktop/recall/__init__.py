"""Reading the memory: what a question means, what bears on it, and which facts hold when."""
