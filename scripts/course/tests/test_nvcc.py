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

    def test_an_error_in_a_header(self) -> None:
        """It is told at the line that has led there."""
        found = self.errors("#include <cooperative_groups.h>\n__global__ void k(unsigned* d_x) {\n"
                            "    using namespace cooperative_groups;\n"
                            "    const auto half = tiled_partition<16>(this_thread_block());\n"
                            "    *d_x = tiled_partition<32>(half).size();\n}\n")
        self.assertEqual([line for line, _ in found], [5])
        self.assertIn("Tile size", found[0][1])
        self.assertEqual(nvcc.found_in("x.h(3): error: no\n    at line 2 of y.cu\n"
                                       "k.cu(4): error: yes\n", "k.cu"), [(4, "yes")])

    def test_memory_that_an_atomic_function_is_not_for(self) -> None:
        for memory, declared, local in (("constant", "__constant__ int x;\n", ""),
                                        ("local", "", "int x = 0; ")):
            found = self.errors(f"{declared}__global__ void k(int* d_x) {{\n    {local}"
                                "*d_x = atomicAdd(&x, *d_x);\n}\n")
            self.assertEqual([line for line, _ in found], [0])
            self.assertIn(f"{memory} memory", found[0][1])

    def test_what_the_host_cannot_have(self) -> None:
        for body, said in (("int steps = d_x;", "read"), ("d_x = 1;", "written")):
            found = self.errors(f"__device__ int d_x;\nint host() {{\n    {body}\n    return 0;\n}}\n")
            self.assertEqual([line for line, _ in found], [3])
            self.assertIn(f"directly {said} in a host function", found[0][1])
        both = "__host__ __device__ int both(int* x) { return atomicAdd(x, 1); }\n"
        self.assertEqual([line for line, _ in self.errors(both)], [1])
        assert BY
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(BY.errors("k.cu", both, folder=folder, for_host=False), [])

    def test_faults_of_the_machine(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(Stop):
            nvcc.Nvcc("/bin/false", "90").errors("k.cu", KERNEL, folder=folder)
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
                nvcc.Nvcc(busy, "90").errors("k.cu", KERNEL, folder=folder)


if __name__ == "__main__":
    unittest.main()
