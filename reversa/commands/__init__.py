"""The use cases: plain functions with typed parameters, shared by the command line and agents."""
