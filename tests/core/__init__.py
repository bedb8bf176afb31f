"""Tests of the pure core; a package because tests/store has modules of the same names."""
