"""Unit tests of the package: `cd scripts && python3 -m unittest`. They compile nothing."""
