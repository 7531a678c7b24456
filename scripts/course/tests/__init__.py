"""Unit tests of the package: `cd scripts && python3 -m unittest`. They compile nothing."""
import os

os.environ["LC_ALL"] = "C"  # the commands speak the language of the locale
