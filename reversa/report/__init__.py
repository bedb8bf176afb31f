"""Findings to text and machine formats; one file a format, one table."""
