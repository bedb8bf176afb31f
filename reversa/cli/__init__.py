"""Typer declarations and the error boundary; nothing else prints or exits."""
