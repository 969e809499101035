"""From a question to an answer with its proof: the ReAct loop, its four tools, and the checks."""
