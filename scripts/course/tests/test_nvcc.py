"""What nvcc says, where it is installed."""
from __future__ import annotations

import os
import tempfile
import unittest

from course import nvcc

KERNEL = "__global__ void k(int* d_x) {\n    *d_x = one();\n}\n"


@unittest.skipUnless(nvcc.command(), "there is no nvcc")
class Nvcc(unittest.TestCase):
    def errors(self, text: str) -> list[tuple[int, str]]:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.cu")
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            return nvcc.errors(path, nvcc.command())

    def test_what_it_compiles(self) -> None:
        self.assertEqual(nvcc.why_unusable(nvcc.command()), "")
        self.assertEqual(self.errors("__device__ int one() { return 1; }\n" + KERNEL), [])

    def test_what_it_refuses(self) -> None:
        found = self.errors("int one() { return 1; }\n" + KERNEL)
        self.assertEqual({line for line, _ in found}, {3})
        self.assertRegex(found[0][1], nvcc.OF_HOST)
        self.assertEqual([line for line, _ in self.errors("int a = b;\n\nint c = d;\n")], [1, 3])

    def test_that_it_is_no_compiler(self) -> None:
        self.assertNotEqual(nvcc.why_unusable("false"), "")


if __name__ == "__main__":
    unittest.main()
