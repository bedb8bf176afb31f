"""Tests of what reads and writes records; a package because tests/core has modules of the same names."""
