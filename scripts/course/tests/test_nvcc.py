"""What nvcc says, where it is installed."""
from __future__ import annotations

import os
import tempfile
import unittest
from unittest import mock

from course import nvcc
from course.messages import Stop

KERNEL = "__global__ void k(int* d_x) {\n    *d_x = one();\n}\n"
BY, WHY = nvcc.find()


@unittest.skipUnless(BY, "there is no nvcc")
class Nvcc(unittest.TestCase):
    def errors(self, text: str) -> list[tuple[int, str]]:
        assert BY
        with tempfile.TemporaryDirectory() as folder:
            return BY.errors("k.cu", text, folder=folder)

    def test_what_it_compiles(self) -> None:
        self.assertEqual(WHY, "")
        self.assertEqual(self.errors("__device__ int one() { return 1; }\n" + KERNEL), [])

    def test_what_it_refuses(self) -> None:
        found = self.errors("int one() { return 1; }\n" + KERNEL)
        self.assertEqual({line for line, _ in found}, {3})
        self.assertRegex(found[0][1], nvcc.OF_HOST)
        self.assertEqual([line for line, _ in self.errors("int a = b;\n\nint c = d;\n")], [1, 3])

    def test_faults_of_the_machine(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(Stop):
            nvcc.Nvcc("/bin/false", "sm_90").errors("k.cu", KERNEL, folder=folder)
        with mock.patch("course.device.find_nvcc", return_value="/bin/false"):
            self.assertEqual(nvcc.find()[0], None)
            self.assertIn("nvcc", nvcc.find()[1])
        with mock.patch("course.device.find_nvcc", return_value=""):
            self.assertEqual(nvcc.find(), (None, ""))

    def test_a_file_that_keeps_nvcc_busy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            busy = os.path.join(folder, "nvcc")
            with open(busy, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho nvcc error: cicc: CPU time limit exceeded\nexit 1\n")
            os.chmod(busy, 0o755)
            with self.assertRaises(nvcc.TakesTooLong):
                nvcc.Nvcc(busy, "sm_90").errors("k.cu", KERNEL, folder=folder)


if __name__ == "__main__":
    unittest.main()
